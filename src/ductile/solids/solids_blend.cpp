// SPDX-License-Identifier: MIT
// Round cones melted together: the distance to each is exact (a ball swept along a segment, its
// radius changing), joined by a polynomial smooth minimum. The zero set is meshed by surface nets
// (Gibson 1998): a vertex per lattice cell that it crosses, a quad per lattice edge; vertices are
// then spread along the surface and put back onto it.
#include <ductile/core/parallel.h>
#include <ductile/solids/solid_parts.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ductile {
namespace {

// Rounds of spreading: after these the triangles' angles hardly change any more.
constexpr int kSpreadRounds = 12;
// What a blend may cost. A cell takes 8 bytes; the field of one part at one place takes 0.1 us on
// one core (2.9 million points of one part, 76 s).
constexpr double kMostCells = 5e7;
constexpr double kMostEvaluations = 3e8;
// Places at which the field is asked for, per point of the surface: its gradient and value, twice a
// round of spreading, and the lattice on both sides of it.
constexpr double kPlacesPerPoint = 2.0 * 7.0 * kSpreadRounds + 32.0;
constexpr int kBlock = 8;  // Cells along a block's side that is looked at as a whole first.

// Of the thinnest part's radius: a longer edge would lose it between two lattice planes.
constexpr double kCoarsest = 0.9;

double end_radius(const BlendPart& part) {
    return part.end_radius > 0 ? part.end_radius : part.radius;
}

// Signed distance to the hull of two balls.
double round_cone_distance(const Vec3& p, const BlendPart& part) {
    const double r1 = part.radius, r2 = end_radius(part);
    const Vec3 axis = part.to - part.from;
    const double length_sq = axis.squaredNorm(), fall = r1 - r2;
    const Vec3 at = p - part.from;
    if (length_sq <= fall * fall) {  // one ball holds the other
        return r1 >= r2 ? at.norm() - r1 : (p - part.to).norm() - r2;
    }
    const double length = std::sqrt(length_sq);
    const double along = at.dot(axis) / length;
    const double across = std::sqrt(std::max(at.squaredNorm() - along * along, 0.0));
    // Slant of the side: where its normal through p meets the axis.
    const double slope = fall / length, rise = std::sqrt(1.0 - slope * slope);
    const double foot = along - across * slope / rise;
    if (foot <= 0) return at.norm() - r1;
    if (foot >= length) return (p - part.to).norm() - r2;
    return across * rise + along * slope - r1;
}

double smooth_min(double a, double b, double k) {
    if (!(k > 0)) return std::min(a, b);
    const double h = std::max(k - std::abs(a - b), 0.0);
    return std::min(a, b) - h * h / (4.0 * k);
}

class BlendField {
public:
    explicit BlendField(const SolidOptions& o) : parts_(o.parts), blend_(o.blend) {}

    /// No steeper than 1: where it is large, the surface is as far away.
    double operator()(const Vec3& p) const {
        double f = round_cone_distance(p, parts_[0]);
        for (std::size_t i = 1; i < parts_.size(); ++i) {
            f = smooth_min(f, round_cone_distance(p, parts_[i]), blend_);
        }
        return f;
    }
    /// The part that is nearest; of equally near ones the first.
    std::size_t nearest_part(const Vec3& p) const {
        const auto distance = [&](const BlendPart& part) { return round_cone_distance(p, part); };
        return std::ranges::min_element(parts_, {}, distance) - parts_.begin();
    }
    Vec3 gradient(const Vec3& p, double step) const {
        Vec3 g;
        for (int a = 0; a < 3; ++a) {
            Vec3 plus = p, minus = p;
            plus[a] += step;
            minus[a] -= step;
            g[a] = (*this)(plus) - (*this)(minus);
        }
        return g / (2.0 * step);
    }

private:
    std::span<const BlendPart> parts_;
    double blend_;
};

/// Values of a field on a lattice, and the cells that the surface crosses.
class Lattice {
public:
    Lattice(const BlendField& field, const Box& box, double edge, const StopFlag* stop)
        : edge_(edge), stop_(stop) {
        const Vec3 slack = Vec3::Constant(2.0 * edge);
        origin_ = box.lower - slack;
        const Vec3 span = box.upper - box.lower + 2.0 * slack;
        for (int a = 0; a < 3; ++a) {
            cells_[a] = static_cast<std::int64_t>(std::ceil(span[a] / edge / kBlock)) * kBlock;
        }
        values_.resize(
            static_cast<std::size_t>((cells_[0] + 1) * (cells_[1] + 1) * (cells_[2] + 1)));
        fill(field);
    }

    std::int64_t cells(int axis) const { return cells_[axis]; }
    std::int64_t corner(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return (z * (cells_[1] + 1) + y) * (cells_[0] + 1) + x;
    }
    Vec3 place(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return origin_ +
               edge_ * Vec3(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
    }
    float value(std::int64_t corner) const { return values_[static_cast<std::size_t>(corner)]; }

    /// Fills gaps and crevices narrower than a cell, corner by corner, until the surface goes
    /// through no cell twice: a net of it is then a manifold.
    void fill_crevices();

private:
    bool fill_cell(std::int64_t x, std::int64_t y, std::int64_t z);

    // A block that the surface cannot reach is all inside or all outside.
    void fill(const BlendField& field) {
        const std::int64_t bx = cells_[0] / kBlock, by = cells_[1] / kBlock,
                           bz = cells_[2] / kBlock;
        const double reach = 0.5 * std::sqrt(3.0) * kBlock * edge_;
        parallel_for(static_cast<std::size_t>(bz + 1), 1, [&](std::size_t layer) {
            const auto z0 = static_cast<std::int64_t>(layer) * kBlock;
            for (std::int64_t y0 = 0; y0 <= by * kBlock; y0 += kBlock) {
                if (is_stopped(stop_)) return;
                for (std::int64_t x0 = 0; x0 <= bx * kBlock; x0 += kBlock) {
                    const Vec3 centre = place(x0, y0, z0) + Vec3::Constant(0.5 * kBlock * edge_);
                    const double middle = field(centre);
                    const bool is_far = std::abs(middle) > reach;
                    for (std::int64_t z = z0; z < z0 + kBlock && z <= cells_[2]; ++z) {
                        for (std::int64_t y = y0; y < y0 + kBlock && y <= cells_[1]; ++y) {
                            for (std::int64_t x = x0; x < x0 + kBlock && x <= cells_[0]; ++x) {
                                values_[static_cast<std::size_t>(corner(x, y, z))] =
                                    static_cast<float>(is_far ? middle : field(place(x, y, z)));
                            }
                        }
                    }
                }
            }
        });
    }

    double edge_;
    const StopFlag* stop_;
    Vec3 origin_;
    std::array<std::int64_t, 3> cells_{};
    std::vector<float> values_;
};

// Whether the chosen corners of a cube (a bit each: x, y, z) hang together along its edges.
bool hang_together(unsigned corners) {
    if (corners == 0) return true;
    unsigned reached = corners & (~corners + 1);
    for (int round = 0; round < 8; ++round) {
        for (int c = 0; c < 8; ++c) {
            if (!(reached >> c & 1)) continue;
            for (const int axis : {1, 2, 4}) reached |= corners & (1u << (c ^ axis));
        }
    }
    return reached == corners;
}

unsigned inside_corners(const std::array<float, 8>& values) {
    unsigned inside = 0;
    for (std::size_t c = 0; c < 8; ++c) inside |= values[c] < 0 ? 1u << c : 0u;
    return inside;
}

void Lattice::fill_crevices() {
    // Filling only ever grows the inside, so it ends; gaps are filled in a few rounds.
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (std::int64_t z = 0; z < cells_[2]; ++z) {
            if (is_stopped(stop_)) return;
            for (std::int64_t y = 0; y < cells_[1]; ++y) {
                for (std::int64_t x = 0; x < cells_[0]; ++x) {
                    is_changed = fill_cell(x, y, z) || is_changed;
                }
            }
        }
    }
}

bool Lattice::fill_cell(std::int64_t x, std::int64_t y, std::int64_t z) {
    std::array<std::size_t, 8> corners{};
    std::array<float, 8> f{};
    for (int c = 0; c < 8; ++c) {
        const auto k = static_cast<std::size_t>(c);
        corners[k] =
            static_cast<std::size_t>(corner(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1)));
        f[k] = values_[corners[k]];
    }
    const unsigned inside = inside_corners(f);
    if (hang_together(inside) && hang_together(~inside & 255u)) return false;
    std::size_t nearest = 8;
    for (std::size_t c = 0; c < 8; ++c) {
        if (f[c] >= 0 && (nearest == 8 || f[c] < f[nearest])) nearest = c;
    }
    values_[corners[nearest]] = -1e-3f * static_cast<float>(edge_);
    return true;
}

/// The net of a lattice without crevices.
class SurfaceNet {
public:
    explicit SurfaceNet(const Lattice& lattice) : lattice_(lattice) {
        vertex_.assign(
            static_cast<std::size_t>(lattice.cells(0) * lattice.cells(1) * lattice.cells(2)), -1);
    }

    TriMesh make() {
        visit_cells([&](std::int64_t x, std::int64_t y, std::int64_t z) { add_vertex(x, y, z); });
        visit_cells([&](std::int64_t x, std::int64_t y, std::int64_t z) { add_quads(x, y, z); });
        return std::move(mesh_);
    }

private:
    template <class Visit>
    void visit_cells(Visit&& visit) {
        for (std::int64_t z = 0; z < lattice_.cells(2); ++z) {
            for (std::int64_t y = 0; y < lattice_.cells(1); ++y) {
                for (std::int64_t x = 0; x < lattice_.cells(0); ++x) visit(x, y, z);
            }
        }
    }
    std::int32_t& vertex(std::int64_t x, std::int64_t y, std::int64_t z) {
        return vertex_[static_cast<std::size_t>((z * lattice_.cells(1) + y) * lattice_.cells(0) +
                                                x)];
    }
    float value(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return lattice_.value(lattice_.corner(x, y, z));
    }

    void add_vertex(std::int64_t x, std::int64_t y, std::int64_t z) {
        std::array<float, 8> f{};
        for (int c = 0; c < 8; ++c) {
            f[static_cast<std::size_t>(c)] = value(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1));
        }
        const unsigned inside = inside_corners(f);
        if (inside == 0 || inside == 255) return;
        Vec3 sum = Vec3::Zero();
        int crossings = 0;
        for (int c = 0; c < 8; ++c) {
            for (const int axis : {1, 2, 4}) {
                const int d = c | axis;
                if (d == c || (inside >> c & 1) == (inside >> d & 1)) continue;
                const double a = f[static_cast<std::size_t>(c)], b = f[static_cast<std::size_t>(d)];
                const Vec3 from = lattice_.place(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1));
                const Vec3 to = lattice_.place(x + (d & 1), y + (d >> 1 & 1), z + (d >> 2 & 1));
                sum += from + a / (a - b) * (to - from);
                ++crossings;
            }
        }
        vertex(x, y, z) = static_cast<std::int32_t>(mesh_.points.size());
        mesh_.points.push_back(sum / crossings);
    }

    // One for each of the three lattice edges that begin at the cell's lower corner.
    void add_quads(std::int64_t x, std::int64_t y, std::int64_t z) {
        const std::array<std::int64_t, 3> at = {x, y, z};
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            if (at[b] == 0 || at[c] == 0) continue;  // the surface does not come to the rim
            std::array<std::int64_t, 3> end = at;
            ++end[a];
            const bool is_inside = value(x, y, z) < 0;
            if (is_inside == (value(end[0], end[1], end[2]) < 0)) continue;
            std::array<std::int32_t, 4> q{};
            for (int k = 0; k < 4; ++k) {
                std::array<std::int64_t, 3> cell = at;
                cell[b] -= k == 1 || k == 2 ? 1 : 0;
                cell[c] -= k >= 2 ? 1 : 0;
                q[static_cast<std::size_t>(k)] = vertex(cell[0], cell[1], cell[2]);
            }
            if (!is_inside) std::swap(q[1], q[3]);
            // The shorter diagonal.
            const auto length = [&](int i, int k) {
                return (mesh_.points[q[i]] - mesh_.points[q[k]]).squaredNorm();
            };
            if (length(0, 2) <= length(1, 3)) {
                mesh_.triangles.push_back({q[0], q[1], q[2]});
                mesh_.triangles.push_back({q[0], q[2], q[3]});
            } else {
                mesh_.triangles.push_back({q[0], q[1], q[3]});
                mesh_.triangles.push_back({q[1], q[2], q[3]});
            }
        }
    }

    const Lattice& lattice_;
    std::vector<std::int32_t> vertex_;  ///< Per cell; -1 for none.
    TriMesh mesh_;
};

void put_back(const BlendField& field, double edge, Vec3& p) {
    for (int i = 0; i < 2; ++i) {
        const Vec3 g = field.gradient(p, 1e-4 * edge);
        const double length_sq = g.squaredNorm();
        if (!(length_sq > 1e-6)) return;
        Vec3 step = field(p) / length_sq * g;
        if (step.norm() > edge) step *= edge / step.norm();
        p -= step;
    }
}

// Each vertex towards the middle of its neighbours, then back: triangles become alike.
void spread(const BlendField& field, double edge, const StopFlag* stop, TriMesh& mesh) {
    const std::size_t count = mesh.points.size();
    for (int round = 0; round < kSpreadRounds && !is_stopped(stop); ++round) {
        std::vector<Vec3> sum(count, Vec3::Zero());
        std::vector<int> links(count, 0);
        for (const Triangle& t : mesh.triangles) {
            for (int k = 0; k < 3; ++k) {
                sum[t[k]] += mesh.points[t[(k + 1) % 3]] + mesh.points[t[(k + 2) % 3]];
                links[t[k]] += 2;
            }
        }
        parallel_for(count, 64, [&](std::size_t v) {
            if (is_stopped(stop)) return;
            Vec3& p = mesh.points[v];
            p += 0.6 * (sum[v] / links[v] - p);
            put_back(field, edge, p);
        });
    }
}

/// The main look and one per colour of the parts, and which each triangle has. `mesh` is in the
/// parts' frame.
void paint_parts(const SolidOptions& o, const BlendField& field, const TriMesh& mesh,
                 RenderMesh& render) {
    render.looks.emplace_back();
    std::vector<std::int32_t> part_look(o.parts.size(), 0);
    for (std::size_t i = 0; i < o.parts.size(); ++i) {
        const Vec3& colour = o.parts[i].colour;
        if (colour.isZero(0.0)) continue;
        const auto of_colour =
            std::find_if(render.looks.begin() + 1, render.looks.end(),
                         [&](const Look& look) { return look.base_colour == colour; });
        part_look[i] = static_cast<std::int32_t>(of_colour - render.looks.begin());
        if (of_colour != render.looks.end()) continue;
        render.looks.emplace_back();
        render.looks.back().name = fmt::format("colour{}", part_look[i]);
        render.looks.back().base_colour = colour;
    }
    for (const Triangle& t : mesh.triangles) {
        const Vec3 middle = (mesh.points[t[0]] + mesh.points[t[1]] + mesh.points[t[2]]) / 3.0;
        render.triangle_looks.push_back(part_look[field.nearest_part(middle)]);
    }
}

double thinnest(const SolidOptions& o) {
    double least = kInfinity;
    for (const BlendPart& part : o.parts) least = std::min({least, part.radius, end_radius(part)});
    return least;
}

Box parts_box(const SolidOptions& o) {
    Box box;
    for (const BlendPart& part : o.parts) {
        const Vec3 r1 = Vec3::Constant(part.radius), r2 = Vec3::Constant(end_radius(part));
        box.add(Box{part.from - r1, part.from + r1});
        box.add(Box{part.to - r2, part.to + r2});
    }
    return box;
}

}  // namespace

Vec3 blend_size(const SolidOptions& options) {
    const Box box = parts_box(options);
    return box.is_empty() ? Vec3(Vec3::Zero()) : Vec3(box.upper - box.lower);
}

double blend_area(const SolidOptions& options) {
    double area = 0.0;
    for (const BlendPart& part : options.parts) {
        const double r = std::max(part.radius, end_radius(part));
        area += 2.0 * kPi * r * ((part.to - part.from).norm() + 2.0 * r);
    }
    return area;
}

namespace {

/// Whether a lattice of this edge [m] can be afforded.
bool is_affordable(const SolidOptions& options, const Box& box, double edge) {
    const Vec3 cells = (box.upper - box.lower) / edge + Vec3::Constant(2 * kBlock);
    const double points = blend_area(options) / (edge * edge);
    const double places = cells.prod() / (kBlock * kBlock * kBlock) + kPlacesPerPoint * points;
    return cells.prod() < kMostCells &&
           places * static_cast<double>(options.parts.size()) < kMostEvaluations;
}

/// Why this blend is refused. `per_edge`: of the result's measure, for one of the lattice.
Error too_costly(const SolidOptions& options, const Box& box, double edge, double per_edge) {
    const double coarsest = kCoarsest * thinnest(options);
    double fits = edge;
    while (fits < coarsest && !is_affordable(options, box, fits)) fits *= 1.05;
    if (fits < coarsest && rounded_up(fits * per_edge) < coarsest * per_edge) {
        return {fmt::format("{:.3g} m would take too fine a lattice", edge * per_edge),
                "resolution",
                fmt::format("make it coarser: {:.2g} m fits", rounded_up(fits * per_edge))};
    }
    // No resolution helps: the lattice is as fine as the thinnest part needs.
    return {fmt::format("{} parts, {:.3g} m long in all and {:.3g} m thick at the thinnest, would "
                        "take too fine a lattice",
                        options.parts.size(), (box.upper - box.lower).maxCoeff(),
                        2.0 * thinnest(options)),
            "parts", "give it fewer or thicker parts, or make it of several bodies"};
}

}  // namespace

Result<SurfaceAsset> make_blend(const SolidOptions& options, const StopFlag* stop) {
    const BlendField field(options);
    const Vec3 own = blend_size(options);
    // The lattice is in the parts' own measure; the result is stretched to the size asked for.
    const double per_edge = options.size.maxCoeff() / own.maxCoeff();
    const double asked = options.resolution * own.maxCoeff() / options.size.maxCoeff();
    const double edge = std::min(asked, kCoarsest * thinnest(options));
    const Vec3 grown = Vec3::Constant(0.25 * options.blend);
    Box box = parts_box(options);
    box = {box.lower - grown, box.upper + grown};
    if (!is_affordable(options, box, edge)) return too_costly(options, box, edge, per_edge);
    Lattice lattice(field, box, edge, stop);
    lattice.fill_crevices();
    if (is_stopped(stop)) return stopped_error();
    SurfaceAsset asset;
    asset.surface = SurfaceNet(lattice).make();
    if (asset.surface.triangles.empty()) {
        return Error{"the resolution is too coarse: nothing is left", "resolution",
                     "make it finer"};
    }
    spread(field, edge, stop, asset.surface);
    if (is_stopped(stop)) return stopped_error();
    box = bounds(asset.surface.points);
    const Vec3 stretch = options.size.cwiseQuotient(box.upper - box.lower);
    RenderMesh& render = asset.render;
    paint_parts(options, field, asset.surface, render);
    for (Vec3& p : asset.surface.points) {
        const Vec3 share = (p - box.lower).cwiseQuotient(box.upper - box.lower);
        render.uvs.emplace_back(share.x(), 1.0 - share.y());
        p = (p - box.centre()).cwiseProduct(stretch);
    }
    render.points = asset.surface.points;
    render.triangles = asset.surface.triangles;
    render.normals = vertex_normals(render.points, render.triangles);
    for (std::size_t v = 0; v < render.points.size(); ++v) {
        asset.anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(v)));
    }
    return asset;
}

}  // namespace ductile
