// SPDX-License-Identifier: MIT
#include <ductile/core/joined_sets.h>
#include <ductile/geom/cut/cell_complex.h>
#include <ductile/geom/cut/cut_cells.h>
#include <ductile/geom/cut/cut_faces.h>
#include <ductile/geom/cut/cut_joints.h>
#include <ductile/geom/edge_uses.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace ductile {
namespace {

Status check_cut_pattern(const CellPattern& pattern) {
    if (pattern.sites.empty() && pattern.planes.empty()) {
        return Error{"the pattern has no cells", "", "give it sites or planes"};
    }
    for (const Vec3& s : pattern.sites) {
        if (!is_finite(s)) return Error{"a site of the pattern is not finite", "", ""};
    }
    return {};
}

/// Makes pieces of the cells of a complex.
class PieceMaker {
public:
    PieceMaker(const CellComplex& complex, const CellPattern& pattern, const CutOptions& options,
               std::size_t mesh_points)
        : points_(complex.points()),
          complex_(complex),
          options_(options),
          mesh_points_(mesh_points) {
        for (const CellFacet& facet : complex.facets()) {
            if (facet.cells[0] != facet.cells[1]) facets_.push_back(facet);
        }
        if ((pattern.bricks.size.array() > 0).all()) join_bricks(pattern.bricks);
    }

    CutMesh run() {
        find_parts();
        join_cavities();
        join_slivers();
        relabel([&](std::int32_t part) { return sets_.of(part); });
        number_pieces();
        draw_faces(complex_, facets_, mesh_points_, cut_);
        return std::move(cut_);
    }

private:
    template <class NewLabel>
    void relabel(NewLabel&& label) {
        for (CellFacet& facet : facets_) {
            for (std::int32_t& cell : facet.cells) {
                if (cell >= 0) cell = label(cell);
            }
        }
        std::erase_if(facets_, [](const CellFacet& f) { return f.cells[0] == f.cells[1]; });
    }

    void join_bricks(const CellPattern::Bricks& bricks) {
        std::vector<Box> boxes(static_cast<std::size_t>(complex_.cell_count()));
        for (const CellFacet& facet : facets_) {
            for (const std::int32_t cell : facet.cells) {
                if (cell < 0) continue;
                for (const CellEdge& e : complex_.edges(facet)) boxes[cell].add(points_[e[0]]);
            }
        }
        std::map<std::array<double, 3>, std::int32_t> brick_cell;
        std::vector<std::int32_t> label(boxes.size());
        for (std::size_t c = 0; c < boxes.size(); ++c) {
            if (boxes[c].is_empty()) continue;
            const Vec3 at = (boxes[c].centre() - bricks.origin).cwiseQuotient(bricks.size);
            const double course = std::floor(at.y());
            const bool is_shifted = std::fmod(std::abs(course), 2.0) == 1.0;
            const std::array<double, 3> brick = {
                std::floor(at.x() + (is_shifted ? bricks.shift : 0.0)), course, std::floor(at.z())};
            label[c] = brick_cell.try_emplace(brick, static_cast<std::int32_t>(c)).first->second;
        }
        relabel([&](std::int32_t cell) { return label[static_cast<std::size_t>(cell)]; });
    }

    // Connected parts of each cell. A node is a facet seen from one of its cells; those of a cell
    // that share a point hang together.
    void find_parts() {
        struct Met {
            std::int32_t cell, node, next;
        };
        std::vector<std::int32_t> first(points_.size(), -1);
        std::vector<Met> met;
        JoinedSets nodes(2 * facets_.size());
        for (std::size_t node = 0; node < 2 * facets_.size(); ++node) {
            const CellFacet& facet = facets_[node / 2];
            const std::int32_t cell = facet.cells[node % 2];
            if (cell < 0) continue;
            for (const CellEdge& e : complex_.edges(facet)) {
                std::int32_t at = first[e[0]];
                while (at >= 0 && met[at].cell != cell) at = met[at].next;
                if (at >= 0) {
                    nodes.join(met[at].node, static_cast<std::int32_t>(node));
                } else {
                    met.push_back({cell, static_cast<std::int32_t>(node), first[e[0]]});
                    first[e[0]] = static_cast<std::int32_t>(met.size()) - 1;
                }
            }
        }
        std::vector<std::int32_t> part(2 * facets_.size(), -1);
        for (std::size_t node = 0; node < part.size(); ++node) {
            CellFacet& facet = facets_[node / 2];
            if (facet.cells[node % 2] < 0) continue;
            std::int32_t& of = part[nodes.of(static_cast<std::int32_t>(node))];
            if (of < 0) {
                of = static_cast<std::int32_t>(parts_.size());
                parts_.emplace_back();
                parts_.back().cell = facet.cells[node % 2];
                parts_.back().reference = points_[complex_.edges(facet)[0][0]];
            }
            part[node] = of;
            parts_[of].add(complex_, facet, node % 2 == 0);
        }
        for (std::size_t node = 0; node < part.size(); ++node) {
            if (part[node] >= 0) facets_[node / 2].cells[node % 2] = part[node];
        }
        sets_ = JoinedSets(parts_.size());
    }

    // A wall around a hollow belongs to what it is hollow in.
    void join_cavities() {
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            if (!parts_[p].is_solid || !(parts_[p].volume < 0)) continue;
            std::int32_t best = -1;
            for (std::size_t q = 0; q < parts_.size(); ++q) {
                if (!parts_[q].is_solid || parts_[q].cell != parts_[p].cell) continue;
                if (parts_[q].volume < -parts_[p].volume) continue;
                if (!parts_[q].box.overlaps(parts_[p].box)) continue;
                if (best < 0 || parts_[q].volume < parts_[best].volume) {
                    best = static_cast<std::int32_t>(q);
                }
            }
            if (best >= 0) sets_.join(static_cast<std::int32_t>(p), best);
        }
    }

    std::map<std::array<std::int32_t, 2>, double> wall_areas() {
        std::map<std::array<std::int32_t, 2>, double> areas;
        for (const CellFacet& facet : facets_) {
            if (facet.cells[1] < 0) continue;
            std::int32_t a = sets_.of(facet.cells[0]), b = sets_.of(facet.cells[1]);
            if (a == b) continue;
            if (a > b) std::swap(a, b);
            areas[{a, b}] += 0.5 * complex_.area_vector(facet).norm();
        }
        if (options_.thickness > 0) add_sheet_edges(areas);
        return areas;
    }

    // Where parts of a sheet meet there is no wall, but an edge as wide as the sheet is thick.
    void add_sheet_edges(std::map<std::array<std::int32_t, 2>, double>& areas) {
        std::vector<std::array<std::int32_t, 3>> edges;  // Its points, and the part that has it.
        for (const CellFacet& facet : facets_) {
            if (facet.is_solid || facet.origin < 0) continue;
            for (const CellEdge& e : complex_.edges(facet)) {
                edges.push_back(
                    {std::min(e[0], e[1]), std::max(e[0], e[1]), sets_.of(facet.cells[0])});
            }
        }
        std::sort(edges.begin(), edges.end());
        for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
            const auto &x = edges[i], &y = edges[i + 1];
            if (x[0] != y[0] || x[1] != y[1] || x[2] == y[2]) continue;
            areas[{x[2], y[2]}] += options_.thickness * (points_[x[1]] - points_[x[0]]).norm();
        }
    }

    bool is_counted(std::size_t part) const {
        return parts_[part].is_solid || options_.thickness > 0;
    }

    // What parts that are joined hold.
    std::vector<double> set_volumes() {
        std::vector<double> volumes(parts_.size(), 0.0);
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            volumes[sets_.of(static_cast<std::int32_t>(p))] +=
                parts_[p].is_solid ? parts_[p].volume : options_.thickness * parts_[p].area;
        }
        return volumes;
    }

    // The smallest first, to the neighbour with the largest common wall, until none is too small.
    void join_slivers() {
        std::vector<double> volumes = set_volumes();
        double sum = 0.0;
        std::int32_t counted = 0;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            const auto set = static_cast<std::int32_t>(p);
            if (!is_counted(p) || sets_.of(set) != set) continue;
            sum += volumes[p];
            ++counted;
        }
        const double smallest = counted > 0 ? options_.smallest * sum / counted : 0.0;
        std::vector<std::pair<double, std::int32_t>> small;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            const auto set = static_cast<std::int32_t>(p);
            if (!is_counted(p) || sets_.of(set) != set) continue;
            if (volumes[p] < smallest) small.emplace_back(volumes[p], set);
        }
        if (small.empty()) return;
        std::sort(small.begin(), small.end());
        std::map<std::array<std::int32_t, 2>, double> walls = wall_areas();
        for (const auto& entry : small) {
            const std::int32_t set = sets_.of(entry.second);
            if (volumes[set] >= smallest) continue;
            std::int32_t other = widest_neighbour(set, walls);
            if (other < 0) other = nearest_in_cell(set);
            if (other < 0) continue;
            sets_.join(set, other);
            const std::int32_t joined = sets_.of(set);
            volumes[joined] = volumes[set] + volumes[other];
            join_walls(set == joined ? other : set, joined, walls);
            ++cut_.joined;
        }
    }

    using WallAreas = std::map<std::array<std::int32_t, 2>, double>;

    static std::int32_t widest_neighbour(std::int32_t set, const WallAreas& walls) {
        std::int32_t best = -1;
        double best_area = 0.0;
        for (const auto& [pair, area] : walls) {
            if ((pair[0] != set && pair[1] != set) || !(area > best_area)) continue;
            best = pair[0] == set ? pair[1] : pair[0];
            best_area = area;
        }
        return best;
    }

    // Of what lies in the same cell and touches it nowhere; -1: nothing else does.
    std::int32_t nearest_in_cell(std::int32_t set) {
        std::int32_t best = -1;
        double best_sq = kInfinity;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            const std::int32_t other = sets_.of(static_cast<std::int32_t>(p));
            if (parts_[p].cell != parts_[set].cell || other == set || !is_counted(p)) continue;
            const double away_sq = gap_sq(parts_[p].box, parts_[set].box);
            if (away_sq >= best_sq) continue;
            best_sq = away_sq;
            best = other;
        }
        return best;
    }

    // Walls of one set become those of another.
    static void join_walls(std::int32_t from, std::int32_t to, WallAreas& walls) {
        WallAreas moved;
        for (auto it = walls.begin(); it != walls.end();) {
            const auto [a, b] = it->first;
            if (a != from && b != from) {
                ++it;
                continue;
            }
            const std::int32_t other = a == from ? b : a;
            if (other != to) moved[{std::min(other, to), std::max(other, to)}] += it->second;
            it = walls.erase(it);
        }
        for (const auto& [pair, area] : moved) walls[pair] += area;
    }

    void number_pieces() {
        std::vector<std::int32_t> number(parts_.size(), -1);
        std::vector<double> weight;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            const std::int32_t set = sets_.of(static_cast<std::int32_t>(p));
            if (number[set] < 0) {
                number[set] = static_cast<std::int32_t>(cut_.pieces.size());
                cut_.pieces.push_back({parts_[p].cell, 0.0, Vec3::Zero()});
                weight.push_back(0.0);
            }
            number[p] = number[set];
            CutPiece& piece = cut_.pieces[number[p]];
            const Part& part = parts_[p];
            piece.volume += part.is_solid ? part.volume : 0.0;
            piece.centre += part.is_solid ? part.first : part.area_first;
            weight[number[p]] += part.is_solid ? part.volume : part.area;
        }
        for (std::size_t k = 0; k < weight.size(); ++k) {
            if (weight[k] > 0) cut_.pieces[k].centre /= weight[k];
        }
        relabel([&](std::int32_t part) { return number[static_cast<std::size_t>(part)]; });
    }

    struct Part {
        std::int32_t cell = 0;
        bool is_solid = false;
        double volume = 0.0, area = 0.0;
        Vec3 first = Vec3::Zero();       ///< Of the volume.
        Vec3 area_first = Vec3::Zero();  ///< Of the area.
        Vec3 reference = Vec3::Zero();   ///< Tetrahedra of the sums have their tip here.
        Box box;

        void add(const CellComplex& complex, const CellFacet& facet, bool is_behind) {
            is_solid = is_solid || facet.is_solid;
            const std::span<const CellEdge> edges = complex.edges(facet);
            const std::int32_t start = edges[0][0];
            const Vec3 tip = complex.points()[start] - reference;
            const double turned = is_behind ? 1.0 : -1.0;
            for (const CellEdge& e : edges) {
                box.add(complex.points()[e[0]]);
                if (e[0] == start || e[1] == start) continue;
                const Vec3 a = complex.points()[e[0]] - reference;
                const Vec3 b = complex.points()[e[1]] - reference;
                const double v = turned * tip.dot(a.cross(b)) / 6.0;
                const Vec3 sum = tip + a + b;
                volume += v;
                first += v * (sum / 4.0 + reference);
                if (facet.is_solid) continue;
                const double part = 0.5 * (a - tip).cross(b - tip).norm();
                area += part;
                area_first += part * (sum / 3.0 + reference);
            }
        }
    };

    std::span<const Vec3> points_;
    const CellComplex& complex_;
    const CutOptions& options_;
    std::size_t mesh_points_;
    std::vector<CellFacet> facets_;
    std::vector<Part> parts_;
    JoinedSets sets_{0};
    CutMesh cut_;
};

}  // namespace

Status check_cut_mesh(const TriMesh& mesh) {
    if (mesh.triangles.empty()) return Error{"there is nothing to cut: no triangles", "", ""};
    if (!has_valid_indices(mesh.points.size(), mesh.triangles)) {
        return Error{"a triangle names a point that is not there", "", ""};
    }
    for (const Vec3& p : mesh.points) {
        if (!is_finite(p)) return Error{"a point of the mesh is not finite", "", ""};
    }
    return {};
}

std::vector<std::uint8_t> solid_triangles(const TriMesh& mesh,
                                          std::span<const std::uint8_t> is_sheet) {
    const std::size_t count = mesh.triangles.size();
    JoinedSets sets(count);
    std::vector<std::uint8_t> is_open(count, 0);
    const EdgeUses edges(mesh.points.size(), mesh.triangles);
    std::vector<int> uses(count, 0);
    edges.for_each([&](std::int32_t low, std::span<const EdgeUses::Use> at) {
        bool is_pair = at.size() == 2;
        if (is_pair) {
            const auto is_up = [&](const EdgeUses::Use& u) {
                return start_of(mesh.triangles, u.half_edge) == low;
            };
            is_pair = is_up(at[0]) != is_up(at[1]);
        }
        for (const EdgeUses::Use& use : at) {
            sets.join(at[0].half_edge / 3, use.half_edge / 3);
            ++uses[use.half_edge / 3];
            if (!is_pair) is_open[use.half_edge / 3] = 1;
        }
    });
    std::vector<std::uint8_t> is_open_part(count, 0);
    for (std::size_t t = 0; t < count; ++t) {
        const bool is_bad = is_open[t] || uses[t] != 3 || (!is_sheet.empty() && is_sheet[t]);
        if (is_bad) is_open_part[sets.of(static_cast<std::int32_t>(t))] = 1;
    }
    std::vector<std::uint8_t> is_solid(count);
    for (std::size_t t = 0; t < count; ++t) {
        is_solid[t] = !is_open_part[sets.of(static_cast<std::int32_t>(t))];
    }
    return is_solid;
}

Result<CutMesh> cut_cells(const TriMesh& mesh, const CellPattern& pattern,
                          const CutOptions& options, std::span<const std::uint8_t> is_sheet) {
    if (Status status = check_cut_mesh(mesh); !status) return status.error();
    if (Status status = check_cut_pattern(pattern); !status) return status.error();
    std::vector<std::uint8_t> is_solid = solid_triangles(mesh, is_sheet);
    const auto open = std::count(is_solid.begin(), is_solid.end(), 0);
    const bool crosses = options.looks_for_crossings &&
                         open < static_cast<std::ptrdiff_t>(is_solid.size()) &&
                         count_self_crossings(mesh.points, mesh.triangles) > 0;
    if (crosses) std::fill(is_solid.begin(), is_solid.end(), 0);
    CellComplex complex(mesh, is_solid, options.snap * bounds(mesh.points).diagonal());
    if (!pattern.sites.empty()) {
        complex.cut_by_sites(pattern.sites, pattern.metric);
    } else {
        for (const CutPlane& plane : pattern.planes) complex.cut_by_plane(plane);
    }
    complex.finish();
    CutMesh cut = PieceMaker(complex, pattern, options, mesh.points.size()).run();
    measure_joints(is_solid, options.thickness, cut);
    cut.open_triangles = static_cast<std::int32_t>(open);
    cut.crosses_itself = crosses;
    return cut;
}

PieceSurface piece_surface(const CutMesh& cut, std::span<const std::int32_t> pieces) {
    std::vector<std::uint8_t> is_in(cut.pieces.size() + 1, 0);
    for (const std::int32_t p : pieces) is_in[p] = 1;
    PieceSurface surface;
    std::vector<std::int32_t> number(cut.points.size(), -1);
    for (std::size_t f = 0; f < cut.faces.size(); ++f) {
        const CutFace& face = cut.faces[f];
        const bool has_behind = is_in[face.behind],
                   has_front = face.front >= 0 && is_in[face.front];
        if (has_behind == has_front) continue;
        Triangle t = face.corners;
        if (has_front) std::swap(t[1], t[2]);
        for (std::int32_t& p : t) {
            if (number[p] < 0) {
                number[p] = static_cast<std::int32_t>(surface.points.size());
                surface.points.push_back(p);
                surface.mesh.points.push_back(cut.points[p]);
            }
            p = number[p];
        }
        surface.mesh.triangles.push_back(t);
        surface.faces.push_back(static_cast<std::int32_t>(f));
    }
    return surface;
}

}  // namespace ductile
