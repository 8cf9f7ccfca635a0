// SPDX-License-Identifier: MIT
#include <ductile/geom/pieces/face_graph.h>
#include <ductile/geom/pieces/surface_cells.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace ductile {
namespace {

// Cells along a cluster: finer ones cost more and change borders little (docs/numbers.md).
constexpr double kCellsPerCluster = 6.0;
// Cosine from which on an edge is a crease: 15 degrees, above the facets of most curved sheets.
constexpr double kCrease = 0.9659258262890683;
// Cells below this share of a grid square join a neighbour.
constexpr double kSmallCell = 0.2;
// Numbers are rounded to this share of the scale: far above what sums in another order differ by.
constexpr double kSteps = 1048576.0;
// Most pieces of triangles, per face and per cell wanted: beyond, the surface is mostly slivers.
constexpr double kMostPieces = 64.0;
// The grid begins off the corner of the box by these shares of a cell, so that its planes miss the
// planes of symmetry and the flat sides that things have.
const Vec3 kOffset(0.381966, 0.276393, 0.527864);

using GridCube = std::array<std::int32_t, 3>;

// A convex piece of a triangle; sides[i] goes from corner i to the next.
struct CellPolygon {
    std::vector<Vec3> corners;
    // 0 to 2: a side of the triangle. 3 + 2 axis, and one more: on the lower and upper plane of a
    // cube.
    std::vector<int> sides;

    void clear() {
        corners.clear();
        sides.clear();
    }
};

// What of `from` lies on one side of the plane at `at` across an axis.
void clip_cell(const CellPolygon& from, int axis, double at, bool is_upper, CellPolygon& out) {
    out.clear();
    const auto is_in = [&](const Vec3& p) { return is_upper ? p[axis] <= at : p[axis] >= at; };
    const int cut = 3 + 2 * axis + is_upper;
    const std::size_t count = from.corners.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3& p = from.corners[i];
        const Vec3& q = from.corners[(i + 1) % count];
        const bool p_in = is_in(p), q_in = is_in(q);
        if (p_in) {
            out.corners.push_back(p);
            out.sides.push_back(from.sides[i]);
        }
        if (p_in == q_in) continue;
        // From the end that is lower along the axis: the same digits from both sides.
        const Vec3& low = p[axis] < q[axis] ? p : q;
        const Vec3& high = p[axis] < q[axis] ? q : p;
        Vec3 x = low + ((at - low[axis]) / (high[axis] - low[axis])) * (high - low);
        x[axis] = at;
        out.corners.push_back(x);
        out.sides.push_back(p_in ? cut : from.sides[i]);
    }
    if (out.corners.size() < 3) out.clear();
}

// Pieces of triangles, in grid units, and where they meet.
struct Fragment {
    std::int32_t face = 0;
    Vec3 vector = Vec3::Zero();  // its area along its normal
    Vec3 moment = Vec3::Zero();  // its area times its centre
    double area = 0.0;
};
struct Meeting {
    // Pieces with equal keys meet: an edge of the mesh and a cube, or a face and a plane of a cube.
    std::array<std::int32_t, 6> key;
    std::int32_t piece = 0;
    double length = 0.0;
};
struct FragmentLink {
    std::int32_t a = 0, b = 0;
    double length = 0.0;  // of the line along which they meet
    bool is_crease = true;
    double side = 1.0;  // -1 where windings disagree
};

class CellMaker {
public:
    CellMaker(std::span<const Vec3> points, std::span<const Triangle> faces,
              std::span<const Triangle> next, double scale, const ClusterOptions& options)
        : points_(points), faces_(faces), next_(next), options_(options) {
        cells_.scale = scale;
        width_ = scale / kCellsPerCluster;
    }

    std::optional<SurfaceCells> make() {
        if (!place_grid()) return std::nullopt;
        for (std::size_t f = 0; f < faces_.size(); ++f) cut_face(static_cast<std::int32_t>(f));
        if (pieces_.empty()) return std::nullopt;
        find_links();
        join_pieces();
        join_small();
        number_cells();
        link_cells();
        list_faces();
        return std::move(cells_);
    }

private:
    Vec3 in_grid(const Vec3& p) const { return (p - cells_.origin) / width_; }

    bool place_grid() {
        Box box;
        for (const Triangle& t : faces_) {
            for (const std::int32_t v : t) {
                if (!is_finite(points_[v])) return false;
                box.add(points_[v]);
            }
        }
        cells_.origin = box.lower - width_ * kOffset;
        const Vec3 extent = (box.upper - box.lower) / width_;
        if (!(extent.maxCoeff() < 1e6)) return false;
        double pieces = 0.0;
        for (const Triangle& t : faces_) {
            Vec3 low = points_[t[0]], high = low;
            for (const std::int32_t v : t) {
                low = low.cwiseMin(points_[v]);
                high = high.cwiseMax(points_[v]);
            }
            const Vec3 span = (high - low) / width_ + Vec3::Ones();
            pieces += span.prod() / span.minCoeff();
        }
        const double cells = kCellsPerCluster * kCellsPerCluster * double(options_.count);
        return pieces < kMostPieces * (double(faces_.size()) + cells);
    }

    void cut_face(std::int32_t f) {
        CellPolygon whole;
        for (int k = 0; k < 3; ++k) {
            whole.corners.push_back(in_grid(points_[faces_[f][k]]));
            whole.sides.push_back(k);
        }
        GridCube cube{};
        cut_along(0, whole, f, cube);
    }

    // Cuts by the planes across one axis after the other.
    void cut_along(int axis, const CellPolygon& polygon, std::int32_t f, GridCube& cube) {
        if (axis == 3) return add_piece(polygon, f, cube);
        double low = kInfinity, high = -kInfinity;
        for (const Vec3& p : polygon.corners) {
            low = std::min(low, p[axis]);
            high = std::max(high, p[axis]);
        }
        const auto first = static_cast<std::int32_t>(std::floor(low));
        const auto last = static_cast<std::int32_t>(std::floor(high));
        CellPolygon above, slab;
        for (std::int32_t i = first; i <= last; ++i) {
            cube[static_cast<std::size_t>(axis)] = i;
            if (first == last) {
                cut_along(axis + 1, polygon, f, cube);
                break;
            }
            clip_cell(polygon, axis, i, false, above);
            clip_cell(above, axis, i + 1.0, true, slab);
            if (!slab.corners.empty()) cut_along(axis + 1, CellPolygon(slab), f, cube);
        }
    }

    void add_piece(const CellPolygon& polygon, std::int32_t f, const GridCube& cube) {
        Fragment piece;
        piece.face = f;
        const std::vector<Vec3>& x = polygon.corners;
        for (std::size_t i = 2; i < x.size(); ++i) {
            const Vec3 vector = 0.5 * (x[i - 1] - x[0]).cross(x[i] - x[0]);
            const double area = vector.norm();
            piece.vector += vector;
            piece.area += area;
            piece.moment += area * (x[0] + x[i - 1] + x[i]) / 3.0;
        }
        const auto index = static_cast<std::int32_t>(pieces_.size());
        pieces_.push_back(piece);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double length = (x[(i + 1) % x.size()] - x[i]).norm();
            if (!(length > 0)) continue;
            const int side = polygon.sides[i];
            if (side >= 3) {
                const std::int32_t axis = (side - 3) / 2;
                GridCube at = cube;
                at[static_cast<std::size_t>(axis)] += (side - 3) % 2;
                cuts_.push_back({{f, axis, at[0], at[1], at[2], 0}, index, length});
            } else if (const std::int32_t g = next_[f][side]; g >= 0) {
                const Triangle& edge = faces_[f];
                const std::int32_t a = edge[side], b = edge[(side + 1) % 3];
                // Two faces may share two edges; more than two faces one.
                edges_.push_back(
                    {{std::min(a, b), std::max(a, b), std::min(f, g), cube[0], cube[1], cube[2]},
                     index,
                     length});
            }
        }
    }

    static void match(std::vector<Meeting>& meetings, const auto& use) {
        std::sort(meetings.begin(), meetings.end(), [](const Meeting& a, const Meeting& b) {
            return std::tie(a.key, a.piece) < std::tie(b.key, b.piece);
        });
        for (std::size_t i = 1; i < meetings.size(); ++i) {
            const Meeting &a = meetings[i - 1], &b = meetings[i];
            if (a.key == b.key && a.piece != b.piece) use(a, b);
        }
    }

    void find_links() {
        match(cuts_, [&](const Meeting& a, const Meeting& b) {
            links_.push_back({a.piece, b.piece, a.length, false, 1.0});
        });
        std::vector<Vec3> normal;
        for (const Triangle& t : faces_) {
            const Vec3 vector = area_vector(points_, t);
            const double length = vector.norm();
            normal.push_back(length > 0.0 ? Vec3(vector / length) : Vec3(Vec3::Zero()));
        }
        match(edges_, [&](const Meeting& a, const Meeting& b) {
            const std::int32_t f = pieces_[a.piece].face, g = pieces_[b.piece].face;
            const bool is_opposite =
                winding(f, a.key[0], a.key[1]) != winding(g, a.key[0], a.key[1]);
            const double cosine = normal[f].dot(normal[g]);
            links_.push_back({a.piece, b.piece, a.length, !(is_opposite && cosine > kCrease),
                              is_opposite ? 1.0 : -1.0});
        });
    }
    bool winding(std::int32_t f, std::int32_t a, std::int32_t b) const {
        for (int k = 0; k < 3; ++k) {
            if (faces_[f][k] == a && faces_[f][(k + 1) % 3] == b) return true;
        }
        return false;
    }

    std::int32_t root(std::int32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    // Within a cube what meets at an edge without a crease is one cell.
    void join_pieces() {
        parent_.resize(pieces_.size());
        std::iota(parent_.begin(), parent_.end(), 0);
        const std::size_t first_edge = links_.size() - edge_links();
        for (std::size_t i = first_edge; i < links_.size(); ++i) {
            if (links_[i].is_crease) continue;
            const std::int32_t a = root(links_[i].a), b = root(links_[i].b);
            if (a != b) parent_[std::max(a, b)] = std::min(a, b);
        }
    }
    std::size_t edge_links() const {
        std::size_t count = 0;
        for (const FragmentLink& link : links_) {
            count += pieces_[link.a].face != pieces_[link.b].face;
        }
        return count;
    }

    // A small cell joins that neighbour which it has the longest border with; of equals, the one
    // whose centre comes first.
    void join_small() {
        std::vector<double> area(pieces_.size(), 0.0);
        std::vector<Vec3> moment(pieces_.size(), Vec3::Zero());
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            const std::int32_t r = root(static_cast<std::int32_t>(i));
            area[r] += pieces_[i].area;
            moment[r] += pieces_[i].moment;
        }
        const auto is_small = [&](std::int32_t r) { return rounded_off(area[r]) < kSmallCell; };
        std::vector<std::tuple<std::int32_t, std::int32_t, double>> borders;
        for (const FragmentLink& link : links_) {
            const std::int32_t a = root(link.a), b = root(link.b);
            if (a == b || link.is_crease || is_small(a) == is_small(b)) continue;
            borders.emplace_back(is_small(a) ? a : b, is_small(a) ? b : a, link.length);
        }
        std::sort(borders.begin(), borders.end());
        struct Host {
            double length = 0.0;
            std::array<double, 3> centre{};
            std::int32_t cell = -1;
        };
        std::vector<Host> best(pieces_.size());
        for (std::size_t i = 0, end = 0; i < borders.size(); i = end) {
            const auto [cell, host, unused] = borders[i];
            double length = 0.0;
            for (; end < borders.size() && std::get<0>(borders[end]) == cell &&
                   std::get<1>(borders[end]) == host;
                 ++end) {
                length += std::get<2>(borders[end]);
            }
            const Vec3 centre = rounded_off(Vec3(moment[host] / area[host]));
            const Host found{rounded_off(length), {centre.x(), centre.y(), centre.z()}, host};
            Host& present = best[cell];
            if (present.cell < 0 || found.length > present.length ||
                (found.length == present.length && found.centre < present.centre)) {
                present = found;
            }
        }
        for (std::size_t i = 0; i < best.size(); ++i) {
            if (best[i].cell >= 0) parent_[i] = best[i].cell;
        }
    }

    // In the order of their centres, which is the same on every triangulation.
    void number_cells() {
        struct Sum {
            Vec3 vector = Vec3::Zero(), moment = Vec3::Zero();
            double area = 0.0;
        };
        std::vector<Sum> sums(pieces_.size());
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            Sum& sum = sums[root(static_cast<std::int32_t>(i))];
            sum.vector += pieces_[i].vector;
            sum.moment += pieces_[i].moment;
            sum.area += pieces_[i].area;
        }
        struct Cell {
            std::array<double, 10> key;  // centre, normal, area; the sum's index last
        };
        std::vector<Cell> order;
        const double unit = 1.0 / kCellsPerCluster;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (root(static_cast<std::int32_t>(i)) != static_cast<std::int32_t>(i)) continue;
            const Sum& sum = sums[i];
            if (!(sum.area > 0)) continue;
            const Vec3 centre = rounded_off(Vec3(unit * sum.moment / sum.area));
            const double length = sum.vector.norm();
            const Vec3 normal = length > 1e-9 * sum.area ? rounded_off(Vec3(sum.vector / length))
                                                         : Vec3(Vec3::Zero());
            order.push_back({{centre.x(), centre.y(), centre.z(), normal.x(), normal.y(),
                              normal.z(), rounded_off(unit * unit * sum.area), 0, 0, double(i)}});
        }
        std::sort(order.begin(), order.end(),
                  [](const Cell& a, const Cell& b) { return a.key < b.key; });
        cell_of_.assign(pieces_.size(), -1);
        ClusterGraph& graph = cells_.graph;
        for (std::size_t c = 0; c < order.size(); ++c) {
            const auto& key = order[c].key;
            cell_of_[static_cast<std::size_t>(key[9])] = static_cast<std::int32_t>(c);
            graph.centre.emplace_back(key[0], key[1], key[2]);
            cells_.graph.normal.emplace_back(key[3], key[4], key[5]);
            graph.area.push_back(key[6]);
        }
        graph.weight = graph.area;
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            cell_of_[i] = cell_of_[root(static_cast<std::int32_t>(i))];
        }
    }

    struct CellLink {
        std::int32_t from = 0, to = 0;
        double angle = 0.0, length = 0.0;
        bool operator<(const CellLink& o) const {
            return std::tie(from, to, length, angle) < std::tie(o.from, o.to, o.length, o.angle);
        }
    };

    double length_of(std::int32_t a, std::int32_t b, double angle) const {
        const double way = (cells_.graph.centre[a] - cells_.graph.centre[b]).norm();
        const double delta = options_.distance_weight;
        return rounded_off((1.0 - delta) * angle + delta * way);
    }

    double angle_between(std::int32_t a, std::int32_t b, double side) const {
        const Vec3 &na = cells_.graph.normal[a], &nb = cells_.graph.normal[b];
        double angle = angle_distance(side * na.dot(nb));
        const Vec3 opening = nb - side * na;
        const Vec3 way = cells_.graph.centre[b] - cells_.graph.centre[a];
        if (side > 0.0 && opening.dot(way) >= 0.0) angle *= options_.convex_weight;
        return angle;
    }

    // The shortest of links between the same two.
    static void keep_shortest(std::vector<CellLink>& links) {
        std::sort(links.begin(), links.end());
        const auto is_same = [](const CellLink& a, const CellLink& b) {
            return a.from == b.from && a.to == b.to;
        };
        links.erase(std::unique(links.begin(), links.end(), is_same), links.end());
    }

    void link_cells() {
        std::vector<CellLink> near;
        for (const FragmentLink& link : links_) {
            const std::int32_t a = cell_of_[link.a], b = cell_of_[link.b];
            if (a == b || a < 0 || b < 0) continue;
            const double angle = angle_between(std::min(a, b), std::max(a, b), link.side);
            const double length = length_of(a, b, angle);
            near.push_back({a, b, angle, length});
            near.push_back({b, a, angle, length});
        }
        keep_shortest(near);
        const std::vector<CellLink> all = with_second_neighbours(near);
        ClusterGraph& graph = cells_.graph;
        for (std::size_t c = 0, i = 0; c < graph.size(); ++c) {
            for (; i < all.size() && all[i].from == static_cast<std::int32_t>(c); ++i) {
                graph.links.push_back({all[i].to, all[i].length});
            }
            graph.first_link.push_back(static_cast<std::int32_t>(graph.links.size()));
        }
    }

    // Over the cell between them angles add up, and the way is straight: along a grid of squares
    // ways would else be as long as those of a taxi.
    std::vector<CellLink> with_second_neighbours(const std::vector<CellLink>& near) const {
        std::vector<std::size_t> first(cells_.graph.size() + 1, near.size());
        for (std::size_t i = near.size(); i-- > 0;) first[near[i].from] = i;
        for (std::size_t c = cells_.graph.size(); c-- > 0;) {
            first[c] = std::min(first[c], first[c + 1]);
        }
        std::vector<CellLink> all = near;
        for (const CellLink& one : near) {
            for (std::size_t i = first[one.to]; i < first[one.to + 1]; ++i) {
                const CellLink& two = near[i];
                if (two.to == one.from) continue;
                const double angle = one.angle + two.angle;
                all.push_back({one.from, two.to, angle, length_of(one.from, two.to, angle)});
            }
        }
        keep_shortest(all);
        return all;
    }

    void list_faces() {
        std::vector<std::pair<std::int32_t, std::int32_t>> rows;
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (cell_of_[i] >= 0) rows.emplace_back(pieces_[i].face, cell_of_[i]);
        }
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        cells_.first_cell.assign(faces_.size() + 1, 0);
        for (const auto& [face, cell] : rows) {
            ++cells_.first_cell[face + 1];
            cells_.cells.push_back(cell);
        }
        std::partial_sum(cells_.first_cell.begin(), cells_.first_cell.end(),
                         cells_.first_cell.begin());
    }

    std::span<const Vec3> points_;
    std::span<const Triangle> faces_, next_;
    const ClusterOptions& options_;
    double width_ = 1.0;  // of a cell [m]
    std::vector<Fragment> pieces_;
    std::vector<Meeting> cuts_, edges_;
    std::vector<FragmentLink> links_;  // within faces first
    std::vector<std::int32_t> parent_, cell_of_;
    SurfaceCells cells_;
};

}  // namespace

double rounded_off(double x) { return std::round(x * kSteps) / kSteps; }
Vec3 rounded_off(const Vec3& x) {
    return {rounded_off(x.x()), rounded_off(x.y()), rounded_off(x.z())};
}

std::optional<SurfaceCells> make_surface_cells(std::span<const Vec3> points,
                                               std::span<const Triangle> faces,
                                               std::span<const Triangle> next, double scale,
                                               const ClusterOptions& options) {
    return CellMaker(points, faces, next, scale, options).make();
}

}  // namespace ductile
