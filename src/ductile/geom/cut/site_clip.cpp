// SPDX-License-Identifier: MIT
// A triangle is clipped by the cells that it meets, from one to its neighbours (Yan et al. 2009,
// "Isotropic Remeshing with Fast and Exact Computation of Restricted Voronoi Diagram"). Walls are
// not computed: their rims are the lines on the surface and those parts of the lines between three
// cells that lie within, which begin and end where those lines go through the surface.
#include <ductile/geom/cut/site_clip.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ductile {
namespace {

class SiteClipper {
public:
    SiteClipper(const TriMesh& mesh, const SiteClipOptions& options)
        : mesh_(mesh),
          options_(options),
          cells_(*options.cells),
          mesh_points_(static_cast<std::int32_t>(mesh.points.size())) {}

    bool run() {
        find_point_cells();
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
            const Triangle& c = mesh_.triangles[t];
            const std::int32_t cell = out.point_cells[c[0]];
            if (cell == out.point_cells[c[1]] && cell == out.point_cells[c[2]]) continue;
            if (!clip_triangle(static_cast<std::int32_t>(t))) return false;
        }
        return edges_agree() && find_inner_lines() && make_walls();
    }

    SiteClip out;

private:
    /// A corner of a triangle's part on its way. Sides of the triangle are -1, -2, -3, those
    /// towards other cells have their number.
    struct Corner {
        Vec3 weights;
        std::int32_t side;  ///< That begins here.
        bool is_in;
    };
    /// A point within a triangle or on an edge of it, between cells.
    struct TrianglePoint {
        std::array<std::int32_t, 3> cells;
        std::int32_t point, uses;
    };
    struct EdgePoint {
        std::array<std::int32_t, 2> cells;
        std::int32_t point, uses, next;
    };
    struct CutEdge {
        std::int32_t triangles = 0, first = -1;
    };
    struct Segment {
        std::int32_t cell, other, from, to;
    };
    /// Where a line between three cells goes through the surface.
    struct Crossing {
        std::int32_t line;
        double along;
        std::int32_t point;
        bool is_way_out;
    };
    struct RimEdge {
        std::int32_t slot, from, to;
    };

    void find_point_cells() {
        std::int32_t cell = 0;
        while (cell + 1 < cells_.count() && cells_.neighbours(cell).empty()) ++cell;
        mapped_.reserve(mesh_.points.size());
        out.point_cells.reserve(mesh_.points.size());
        for (const Vec3& p : mesh_.points) {
            mapped_.push_back(options_.metric * (p - options_.middle));
            cell = cells_.cell_of(mapped_.back(), cell);
            out.point_cells.push_back(cell);
        }
    }

    Vec3 heights(std::int32_t site) const {
        return {cells_.height(site, mapped_[triangle_[0]]),
                cells_.height(site, mapped_[triangle_[1]]),
                cells_.height(site, mapped_[triangle_[2]])};
    }

    bool clip_triangle(std::int32_t t) {
        triangle_ = mesh_.triangles[t];
        triangle_number_ = t;
        here_.clear();
        segments_.clear();
        within_.clear();
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = triangle_[k], b = triangle_[(k + 1) % 3];
            meet_cell(out.point_cells[a]);
            cut_edge_[k] = -1;
            if (out.point_cells[a] == out.point_cells[b]) continue;
            const auto low = static_cast<std::uint64_t>(std::min(a, b));
            const std::uint64_t key = low << 32 | static_cast<std::uint64_t>(std::max(a, b));
            const auto next = static_cast<std::int32_t>(edges_.size());
            const auto [found, is_new] = edge_numbers_.try_emplace(key, next);
            if (is_new) edges_.emplace_back();
            cut_edge_[k] = found->second;
            ++edges_[cut_edge_[k]].triangles;
        }
        for (std::size_t k = 0; k < here_.size(); ++k) {
            if (!clip_cell(here_[k]) || !add_part(here_[k])) return false;
        }
        return parts_agree();
    }

    void meet_cell(std::int32_t cell) {
        if (std::find(here_.begin(), here_.end(), cell) == here_.end()) here_.push_back(cell);
    }

    bool clip_cell(std::int32_t cell) {
        part_.clear();
        for (int k = 0; k < 3; ++k) part_.push_back({Vec3::Unit(k), -1 - k, true});
        const Vec3 own = heights(cell);
        for (const std::int32_t other : cells_.neighbours(cell)) {
            const Vec3 beyond = own - heights(other);  // Above 0 where the other is nearer.
            if (beyond.maxCoeff() < 0) continue;
            if (!clip_by(beyond, cell < other, other)) return false;
        }
        return true;
    }

    bool clip_by(const Vec3& beyond, bool has_ties, std::int32_t other) {
        int changes = 0;
        for (std::size_t k = 0; k < part_.size(); ++k) {
            const double at = beyond.dot(part_[k].weights);
            part_[k].is_in = at < 0 || (at == 0 && has_ties);
            if (k > 0 && part_[k].is_in != part_[k - 1].is_in) ++changes;
        }
        if (changes == 0) return part_[0].is_in;  // What meets the triangle keeps some of it.
        if (changes > 2) return false;
        next_part_.clear();
        for (std::size_t k = 0; k < part_.size(); ++k) {
            const Corner &from = part_[k], &to = part_[(k + 1) % part_.size()];
            if (from.is_in) next_part_.push_back(from);
            if (from.is_in == to.is_in) continue;
            const double at_from = beyond.dot(from.weights), at_to = beyond.dot(to.weights);
            const double share = at_from / (at_from - at_to);
            next_part_.push_back({from.weights + share * (to.weights - from.weights),
                                  from.is_in ? other : from.side, true});
        }
        part_.swap(next_part_);
        return part_.size() >= 3;
    }

    bool add_part(std::int32_t cell) {
        SiteClip::Part part{triangle_number_, cell, static_cast<std::int32_t>(out.corners.size()),
                            0};
        numbers_.clear();
        for (std::size_t k = 0; k < part_.size(); ++k) {
            const std::int32_t before = part_[(k + part_.size() - 1) % part_.size()].side;
            const std::int32_t point = point_of(cell, before, part_[k].side);
            if (point < 0) return false;
            numbers_.push_back(point);
        }
        for (std::size_t k = 0; k < part_.size(); ++k) {
            const std::int32_t from = numbers_[k], to = numbers_[(k + 1) % numbers_.size()];
            if (from != to) out.corners.push_back(from);
            const std::int32_t side = part_[k].side;
            if (side < 0) continue;
            meet_cell(side);
            segments_.push_back({cell, side, from, to});
        }
        part.count = static_cast<std::int32_t>(out.corners.size()) - part.first;
        if (part.count < 3) {
            out.corners.resize(static_cast<std::size_t>(part.first));
        } else {
            out.parts.push_back(part);
        }
        return true;
    }

    // Between the sides of a part.
    std::int32_t point_of(std::int32_t cell, std::int32_t before, std::int32_t after) {
        if (before >= 0 && after >= 0) return point_within(cell, before, after);
        if (before >= 0) return point_on_edge(-1 - after, cell, before);
        if (after >= 0) return point_on_edge(-1 - before, cell, after);
        const std::int32_t point = triangle_[-1 - after];
        return out.point_cells[point] == cell ? point : -1;
    }

    std::int32_t add_point(const Vec3& place, const SurfaceAnchor& anchor) {
        out.points.push_back(place);
        out.anchors.push_back(anchor);
        return mesh_points_ + static_cast<std::int32_t>(out.points.size()) - 1;
    }

    std::int32_t point_on_edge(int side, std::int32_t cell, std::int32_t other) {
        if (cut_edge_[side] < 0) return -1;
        const std::array<std::int32_t, 2> pair = {std::min(cell, other), std::max(cell, other)};
        CutEdge& edge = edges_[cut_edge_[side]];
        for (std::int32_t at = edge.first; at >= 0; at = edge_points_[at].next) {
            if (edge_points_[at].cells != pair) continue;
            ++edge_points_[at].uses;
            return edge_points_[at].point;
        }
        const std::int32_t a = triangle_[side], b = triangle_[(side + 1) % 3];
        const std::int32_t point = make_on_edge(std::min(a, b), std::max(a, b), pair);
        edge_points_.push_back({pair, point, 1, edge.first});
        edge.first = static_cast<std::int32_t>(edge_points_.size()) - 1;
        return point;
    }

    std::int32_t make_on_edge(std::int32_t a, std::int32_t b,
                              const std::array<std::int32_t, 2>& pair) {
        const auto beyond = [&](std::int32_t p) {
            return cells_.height(pair[0], mapped_[p]) - cells_.height(pair[1], mapped_[p]);
        };
        const double at_a = beyond(a), at_b = beyond(b);
        const double apart = (cells_.sites()[pair[0]] - cells_.sites()[pair[1]]).norm();
        if (std::min(std::abs(at_a), std::abs(at_b)) <= 2.0 * options_.snap * apart) {
            return std::abs(at_a) <= std::abs(at_b) ? a : b;
        }
        const double share = std::clamp(at_a / (at_a - at_b), 0.0, 1.0);
        const Vec3 &p = mesh_.points[a], &q = mesh_.points[b];
        return add_point(p + share * (q - p), {{a, b, a}, Vec3(1.0 - share, share, 0.0)});
    }

    std::int32_t point_within(std::int32_t cell, std::int32_t before, std::int32_t after) {
        std::array<std::int32_t, 3> cells = {cell, before, after};
        std::sort(cells.begin(), cells.end());
        for (TrianglePoint& known : within_) {
            if (known.cells != cells) continue;
            ++known.uses;
            return known.point;
        }
        const Vec3 base = heights(cells[0]);
        const Vec3 across = (base - heights(cells[1])).cross(base - heights(cells[2]));
        Vec3 weights = (across / across.sum()).cwiseMax(0.0);
        weights /= weights.sum();
        const std::int32_t line = cells_.find_line(cells);
        if (!is_finite(weights) || line < 0) return -1;
        const Vec3& p = mesh_.points[triangle_[0]];
        const Vec3 place = p + weights[1] * (mesh_.points[triangle_[1]] - p) +
                           weights[2] * (mesh_.points[triangle_[2]] - p);
        const std::int32_t point = add_point(place, {triangle_, weights});
        within_.push_back({cells, point, 1});
        if (!options_.is_solid[triangle_number_]) return point;
        Vec3 mapped = Vec3::Zero();
        for (int k = 0; k < 3; ++k) mapped += weights[k] * mapped_[triangle_[k]];
        const Vec3& s = cells_.sites()[cells[0]];
        const Vec3 way = (cells_.sites()[cells[1]] - s).cross(cells_.sites()[cells[2]] - s);
        // Counter-clockwise about the point, seen from outside, lie the cell, the one before and
        // the one after; the line goes outward where that is their ascending order.
        const bool is_way_out = (cell < before) + (before < after) + (after < cell) == 2;
        crossings_.push_back({line, way.dot(mapped), point, is_way_out});
        return point;
    }

    // Both cells of a line within the triangle have it, all three of a point.
    bool parts_agree() {
        for (const TrianglePoint& p : within_) {
            if (p.uses != 3) return false;
        }
        const bool is_solid = options_.is_solid[triangle_number_] != 0;
        for (const Segment& s : segments_) {
            const bool is_met =
                std::any_of(segments_.begin(), segments_.end(), [&](const Segment& o) {
                    return o.cell == s.other && o.other == s.cell && o.from == s.to &&
                           o.to == s.from;
                });
            if (!is_met) return false;
            // A wall runs against the faces of what is behind it.
            if (!is_solid || s.cell > s.other || s.from == s.to) continue;
            rims_.push_back({cells_.slot(s.cell, s.other), s.to, s.from});
        }
        return true;
    }

    // All triangles at an edge cut it alike, each for both cells.
    bool edges_agree() const {
        for (const CutEdge& edge : edges_) {
            for (std::int32_t at = edge.first; at >= 0; at = edge_points_[at].next) {
                if (edge_points_[at].uses != 2 * edge.triangles) return false;
            }
        }
        return true;
    }

    bool find_inner_lines() {
        std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& a, const Crossing& b) {
            return std::tie(a.line, a.along, a.point) < std::tie(b.line, b.along, b.point);
        });
        const std::span<const SiteCells::Line> lines = cells_.lines();
        std::vector<std::size_t> first(lines.size() + 1, 0);
        for (const Crossing& c : crossings_) ++first[c.line + 1];
        for (std::size_t l = 0; l < lines.size(); ++l) first[l + 1] += first[l];
        const auto of_line = [&](std::size_t l) {
            return std::span(crossings_).subspan(first[l], first[l + 1] - first[l]);
        };
        for (std::size_t l = 0; l < lines.size(); ++l) {
            const std::span<const Crossing> on = of_line(l);
            for (std::size_t k = 1; k < on.size(); ++k) {
                if (on[k].is_way_out == on[k - 1].is_way_out) return false;
            }
        }
        if (!find_inner_corners(of_line)) return false;
        for (std::size_t l = 0; l < lines.size(); ++l) {
            const auto corner = [&](int end) {
                const std::int32_t c = lines[l].ends[end];
                return c < 0 ? -1 : corner_points_[c];
            };
            std::int32_t from = corner(0);
            for (const Crossing& c : of_line(l)) {
                if (c.is_way_out) add_inner_edge(lines[l].sites, from, c.point);
                from = c.is_way_out ? -1 : c.point;
            }
            if (from >= 0) add_inner_edge(lines[l].sites, from, corner(1));
        }
        return true;
    }

    // From where lines leave the box, all along them.
    template <class OfLine>
    bool find_inner_corners(const OfLine& of_line) {
        const std::span<const SiteCells::Line> lines = cells_.lines();
        std::vector<std::vector<std::int32_t>> at_corner(cells_.corners().size());
        std::vector<std::int8_t> state(cells_.corners().size(), -1);
        std::vector<std::int32_t> left;
        const auto mark = [&](std::int32_t corner, bool is_inside) {
            if (corner < 0) return !is_inside;
            if (state[corner] < 0) {
                state[corner] = is_inside;
                left.push_back(corner);
            }
            return state[corner] == static_cast<std::int8_t>(is_inside);
        };
        for (std::size_t l = 0; l < lines.size(); ++l) {
            const auto& ends = lines[l].ends;
            const std::span<const Crossing> on = of_line(l);
            for (const std::int32_t end : ends) {
                if (end >= 0 && on.empty()) at_corner[end].push_back(static_cast<std::int32_t>(l));
            }
            if (!on.empty()) {
                if (!mark(ends[0], on.front().is_way_out)) return false;
                if (!mark(ends[1], !on.back().is_way_out)) return false;
            } else if (ends[0] < 0 || ends[1] < 0) {
                if (!mark(ends[0], false) || !mark(ends[1], false)) return false;
            }
        }
        while (!left.empty()) {
            const std::int32_t corner = left.back();
            left.pop_back();
            for (const std::int32_t l : at_corner[corner]) {
                for (const std::int32_t end : lines[l].ends) {
                    if (!mark(end, state[corner] == 1)) return false;
                }
            }
        }
        const Mat3 back = options_.metric.inverse();
        corner_points_.assign(state.size(), -1);
        for (std::size_t c = 0; c < state.size(); ++c) {
            if (state[c] < 0) return false;
            if (state[c] == 0) continue;
            const Vec3 place = back * cells_.corners()[c].place + options_.middle;
            if (!is_finite(place)) return false;
            corner_points_[c] = add_point(place, {{-1, -1, -1}, Vec3::Zero()});
        }
        return true;
    }

    // Along the line of three cells: walls of the outer two run against it.
    void add_inner_edge(const std::array<std::int32_t, 3>& sites, std::int32_t from,
                        std::int32_t to) {
        if (from == to) return;
        rims_.push_back({cells_.slot(sites[0], sites[1]), from, to});
        rims_.push_back({cells_.slot(sites[0], sites[2]), to, from});
        rims_.push_back({cells_.slot(sites[1], sites[2]), from, to});
    }

    bool make_walls() {
        std::stable_sort(rims_.begin(), rims_.end(),
                         [](const RimEdge& a, const RimEdge& b) { return a.slot < b.slot; });
        std::vector<std::int32_t> open(mesh_.points.size() + out.points.size(), 0);
        std::size_t k = 0;
        std::vector<CellEdge> rim;
        for (std::int32_t cell = 0; cell < cells_.count(); ++cell) {
            for (const std::int32_t other : cells_.neighbours(cell)) {
                const std::int32_t slot = cells_.slot(cell, other);
                rim.clear();
                for (; k < rims_.size() && rims_[k].slot <= slot; ++k) {
                    if (rims_[k].slot < 0 || rims_[k].from < 0 || rims_[k].to < 0) return false;
                    rim.push_back({rims_[k].from, rims_[k].to});
                }
                for (const CellEdge& e : rim) {
                    ++open[e[0]];
                    --open[e[1]];
                }
                for (const CellEdge& e : rim) {
                    if (open[e[0]] != 0 || open[e[1]] != 0) return false;
                }
                cancel_opposites(rim);
                if (rim.empty()) continue;
                out.walls.push_back({{cell, other},
                                     static_cast<std::int32_t>(out.rims.size()),
                                     static_cast<std::int32_t>(rim.size())});
                out.rims.insert(out.rims.end(), rim.begin(), rim.end());
            }
        }
        return k == rims_.size();
    }

    const TriMesh& mesh_;
    const SiteClipOptions& options_;
    const SiteCells& cells_;
    std::int32_t mesh_points_;
    std::vector<Vec3> mapped_;  ///< The mesh's points where the sites are.

    // Of the triangle that is being clipped.
    Triangle triangle_{};
    std::int32_t triangle_number_ = 0;
    std::array<std::int32_t, 3> cut_edge_{};  ///< Per side; -1: within one cell.
    std::vector<std::int32_t> here_;          ///< Cells that it meets.
    std::vector<Corner> part_, next_part_;
    std::vector<std::int32_t> numbers_;
    std::vector<TrianglePoint> within_;
    std::vector<Segment> segments_;

    std::unordered_map<std::uint64_t, std::int32_t> edge_numbers_;
    std::vector<CutEdge> edges_;
    std::vector<EdgePoint> edge_points_;
    std::vector<Crossing> crossings_;
    std::vector<std::int32_t> corner_points_;  ///< Per corner of the cells; -1: outside.
    std::vector<RimEdge> rims_;
};

}  // namespace

std::optional<SiteClip> clip_by_sites(const TriMesh& mesh, const SiteClipOptions& options) {
    SiteClipper clipper(mesh, options);
    if (!clipper.run()) return std::nullopt;
    return std::move(clipper.out);
}

}  // namespace ductile
