// SPDX-License-Identifier: MIT
#include <ductile/deform/press/overlap/meeting_curve.h>
#include <ductile/deform/press/overlap/unite_parts.h>
#include <ductile/geom/cut/fill_loops.h>
#include <ductile/geom/mass.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace ductile {
namespace {

using FillEdge = LoopFiller::Edge;

/// One of two surfaces that are united.
struct UnitedSide {
    explicit UnitedSide(const TriMesh& mesh) : rest(mesh), surface(rest, rest.mesh().points) {}

    RestSurface rest;
    PressSurface surface;
    std::span<const EdgeCrossing> crossings;  ///< Of its own edges.
    std::vector<std::uint8_t> is_inside;      ///< Per vertex: within the other one.
    std::int32_t first_point = 0;             ///< Of the united points.
    std::int32_t first_crossing = 0;
};

/// Whether a part that no curve parts lies inside is asked once, at its first vertex.
bool mark_inside(const SurfaceQuery& other, UnitedSide& side) {
    InsideMarks marks = inside_marks(side.rest.graph(), side.crossings);
    if (marks.conflicts > 0) return false;
    side.is_inside = std::move(marks.is_inside);
    const VertexComponents& parts = side.rest.parts();
    std::vector<std::int8_t> known(parts.count, -1);
    for (const EdgeCrossing& c : side.crossings) known[parts.component[c.low]] = 2;
    for (std::size_t v = 0; v < side.is_inside.size(); ++v) {
        std::int8_t& part = known[parts.component[v]];
        if (part < 0) part = other.is_inside(side.surface.points[v]) ? 1 : 0;
        if (part < 2) side.is_inside[v] = static_cast<std::uint8_t>(part);
    }
    return true;
}

class SurfaceUniter {
public:
    SurfaceUniter(const TriMesh& a, const TriMesh& b) : sides_{UnitedSide(a), UnitedSide(b)} {
        const SurfaceQuery query_a(a.points, a.triangles), query_b(b.points, b.triangles);
        crossings_ = find_crossings(a.points, a.triangles, query_b);
        sides_[0].crossings = crossings_.of_first;
        sides_[1].crossings = crossings_.of_second;
        sides_[1].first_point = static_cast<std::int32_t>(a.points.size());
        sides_[1].first_crossing = static_cast<std::int32_t>(crossings_.of_first.size());
        is_fine_ = mark_inside(query_b, sides_[0]) && mark_inside(query_a, sides_[1]);
    }

    std::optional<TriMesh> unite() {
        if (!is_fine_ || (crossings_.of_first.empty() && crossings_.of_second.empty())) return {};
        gather_points();
        if (!gather_cuts()) return {};
        for (int side = 0; side < 2; ++side) take_triangles(side);
        if (!is_fine_ || !is_closed(united_.triangles)) return {};
        drop_unused();
        return std::move(united_);
    }

private:
    void gather_points() {
        for (const UnitedSide& side : sides_) {
            united_.points.insert(united_.points.end(), side.surface.points.begin(),
                                  side.surface.points.end());
        }
        first_cut_ = static_cast<std::int32_t>(united_.points.size());
        for (const UnitedSide& side : sides_) {
            for (const EdgeCrossing& c : side.crossings) united_.points.push_back(c.position);
        }
    }

    /// Whether a piece of curve in a triangle of a side, whose edge ends it in this crossing,
    /// begins there: the rest of the triangle that is kept lies to its left. What is kept of an
    /// edge that goes in ends at the crossing, and the curve goes on from there.
    bool begins_at(const UnitedSide& side, std::int32_t triangle, const EdgeCrossing& c) const {
        const Triangle& t = side.surface.triangles[triangle];
        int k = 0;
        while (k < 3 && t[k] != c.low) ++k;
        const bool runs_up = t[(k + 1) % 3] == c.high;
        return c.goes_in == runs_up;
    }

    /// The way of a piece on the first surface, from one crossing to the other; none where its two
    /// ends do not agree. On the second surface it runs the other way.
    std::optional<FillEdge> directed(const CurvePiece& piece) const {
        std::array<bool, 2> begins{};
        for (int e = 0; e < 2; ++e) {
            const std::int32_t x = piece.ends[e] - sides_[1].first_crossing;
            begins[e] =
                x < 0
                    ? begins_at(sides_[0], piece.soft_triangle, crossings_.of_first[piece.ends[e]])
                    : !begins_at(sides_[1], piece.rigid_triangle, crossings_.of_second[x]);
        }
        if (begins[0] == begins[1]) return {};
        const std::int32_t from = piece.ends[begins[0] ? 0 : 1], to = piece.ends[begins[0] ? 1 : 0];
        return FillEdge{first_cut_ + from, first_cut_ + to};
    }

    bool gather_cuts() {
        for (int s = 0; s < 2; ++s) cuts_[s].resize(sides_[s].surface.triangles.size());
        for (const CurvePiece& piece :
             curve_pieces(sides_[0].surface, sides_[1].surface, crossings_)) {
            const std::optional<FillEdge> way = directed(piece);
            if (!way) return false;
            cuts_[0][piece.soft_triangle].push_back(*way);
            cuts_[1][piece.rigid_triangle].push_back({(*way)[1], (*way)[0]});
        }
        return true;
    }

    /// Adds the pieces of the side of a triangle from one corner to the next that lie outside.
    void add_kept(const UnitedSide& side, std::int32_t from, std::int32_t to,
                  std::vector<FillEdge>& edges) const {
        const std::pair edge(std::min(from, to), std::max(from, to));
        const auto first = std::lower_bound(
            side.crossings.begin(), side.crossings.end(), edge,
            [](const EdgeCrossing& c, const auto& e) { return std::pair(c.low, c.high) < e; });
        std::vector<std::int32_t> stops;
        for (auto c = first; c != side.crossings.end() && std::pair(c->low, c->high) == edge; ++c) {
            stops.push_back(first_cut_ + side.first_crossing +
                            static_cast<std::int32_t>(c - side.crossings.begin()));
        }
        if (from > to) std::reverse(stops.begin(), stops.end());
        stops.insert(stops.begin(), side.first_point + from);
        stops.push_back(side.first_point + to);
        bool is_out = !side.is_inside[from];
        for (std::size_t i = 0; i + 1 < stops.size(); ++i, is_out = !is_out) {
            if (is_out) edges.push_back({stops[i], stops[i + 1]});
        }
    }

    void take_triangles(int number) {
        const UnitedSide& side = sides_[number];
        std::vector<FillEdge> edges;
        for (std::size_t f = 0; f < side.surface.triangles.size(); ++f) {
            const Triangle& t = side.surface.triangles[f];
            const std::vector<FillEdge>& cuts = cuts_[number][f];
            if (cuts.empty()) {
                if (!side.is_inside[t[0]]) {
                    united_.triangles.push_back({side.first_point + t[0], side.first_point + t[1],
                                                 side.first_point + t[2]});
                }
                continue;
            }
            edges = cuts;
            for (int k = 0; k < 3; ++k) add_kept(side, t[k], t[(k + 1) % 3], edges);
            fill(edges, area_vector(side.surface.points, t));
        }
    }

    void fill(const std::vector<FillEdge>& edges, const Vec3& normal) {
        std::vector<std::int32_t> starts, ends;
        for (const FillEdge& e : edges) {
            starts.push_back(e[0]);
            ends.push_back(e[1]);
        }
        std::sort(starts.begin(), starts.end());
        std::sort(ends.begin(), ends.end());
        is_fine_ = is_fine_ && starts == ends && normal.norm() > 0;
        if (is_fine_) {
            filler_.fill(united_.points, edges, normal.normalized(), united_.triangles);
        }
    }

    void drop_unused() {
        std::vector<std::int32_t> number(united_.points.size(), -1);
        for (const Triangle& t : united_.triangles) {
            for (const std::int32_t v : t) number[v] = 0;
        }
        std::size_t kept = 0;
        for (std::size_t v = 0; v < number.size(); ++v) {
            if (number[v] < 0) continue;
            number[v] = static_cast<std::int32_t>(kept);
            united_.points[kept++] = united_.points[v];
        }
        united_.points.resize(kept);
        for (Triangle& t : united_.triangles) {
            for (std::int32_t& v : t) v = number[v];
        }
    }

    std::array<UnitedSide, 2> sides_;
    MeshCrossings crossings_;
    bool is_fine_ = true;
    std::int32_t first_cut_ = 0;                              ///< Point of the first crossing.
    std::array<std::vector<std::vector<FillEdge>>, 2> cuts_;  ///< Per side and triangle.
    LoopFiller filler_;
    TriMesh united_;
};

/// A connected part, or what several became.
struct UnitedPart {
    TriMesh mesh;
    Box box;
    bool is_outward = false;  ///< Closed, too.
    bool is_changed = false;
};

UnitedPart measured_part(TriMesh mesh) {
    UnitedPart part{std::move(mesh), {}, false, false};
    part.box = bounds(part.mesh.points);
    part.is_outward =
        is_closed(part.mesh.triangles) && volume(part.mesh.points, part.mesh.triangles) > 0;
    return part;
}

std::vector<UnitedPart> split_parts(const TriMesh& mesh, const VertexComponents& components) {
    std::vector<TriMesh> meshes(components.count);
    std::vector<std::int32_t> local(mesh.points.size(), -1);
    for (const Triangle& t : mesh.triangles) {
        TriMesh& own = meshes[components.component[t[0]]];
        Triangle moved{};
        for (int k = 0; k < 3; ++k) {
            if (local[t[k]] < 0) {
                local[t[k]] = static_cast<std::int32_t>(own.points.size());
                own.points.push_back(mesh.points[t[k]]);
            }
            moved[k] = local[t[k]];
        }
        own.triangles.push_back(moved);
    }
    std::vector<UnitedPart> parts;
    for (TriMesh& own : meshes) {
        if (!own.triangles.empty()) parts.push_back(measured_part(std::move(own)));
    }
    return parts;
}

/// Whether any two components can have something to do with each other.
bool has_near_components(const TriMesh& mesh, const VertexComponents& components) {
    std::vector<Box> boxes(components.count);
    std::vector<std::int32_t> used;
    for (const Triangle& t : mesh.triangles) {
        const std::int32_t own = components.component[t[0]];
        if (boxes[own].is_empty()) used.push_back(own);
        for (const std::int32_t v : t) boxes[own].add(mesh.points[v]);
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (boxes[used[i]].overlaps(boxes[used[j]])) return true;
        }
    }
    return false;
}

bool goes_through(const UnitedPart& a, const UnitedPart& b) {
    if (!a.box.overlaps(b.box)) return false;
    const SurfaceQuery query(b.mesh.points, b.mesh.triangles);
    const MeshCrossings crossings = find_crossings(a.mesh.points, a.mesh.triangles, query);
    return !crossings.of_first.empty() || !crossings.of_second.empty();
}

/// Unites all that go through each other; false where that cannot be done.
bool unite_crossing(std::vector<UnitedPart>& parts) {
    std::vector<UnitedPart> done;
    for (UnitedPart& next : parts) {
        UnitedPart now = std::move(next);
        for (std::size_t i = 0; i < done.size();) {
            if (!goes_through(now, done[i])) {
                ++i;
                continue;
            }
            if (!now.is_outward || !done[i].is_outward) return false;
            std::optional<TriMesh> united = unite_surfaces(done[i].mesh, now.mesh);
            if (!united) return false;
            now = measured_part(std::move(*united));
            now.is_changed = true;
            done.erase(done.begin() + static_cast<std::ptrdiff_t>(i));
            i = 0;  // What it has become may reach those before.
        }
        done.push_back(std::move(now));
    }
    parts = std::move(done);
    return true;
}

/// How often those of the others that are kept wind around a part that none of them goes through.
double winding_of_others(std::span<const UnitedPart> parts,
                         std::span<const std::uint8_t> is_dropped, std::size_t own) {
    double winding = 0.0;
    const Vec3& place = parts[own].mesh.points[0];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i == own || is_dropped[i] || parts[i].box.distance_sq(place) > 0) continue;
        if (!is_closed(parts[i].mesh.triangles)) continue;
        winding +=
            SurfaceQuery(parts[i].mesh.points, parts[i].mesh.triangles).winding_number(place);
    }
    return winding;
}

TriMesh joined_parts(std::span<const UnitedPart> parts, std::span<const std::uint8_t> is_dropped) {
    TriMesh mesh;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (is_dropped[i]) continue;
        const auto first = static_cast<std::int32_t>(mesh.points.size());
        const TriMesh& own = parts[i].mesh;
        mesh.points.insert(mesh.points.end(), own.points.begin(), own.points.end());
        for (const Triangle& t : own.triangles) {
            mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
        }
    }
    return mesh;
}

}  // namespace

std::optional<TriMesh> unite_surfaces(const TriMesh& a, const TriMesh& b) {
    return SurfaceUniter(a, b).unite();
}

std::optional<TriMesh> unite_parts(const TriMesh& mesh) {
    const VertexGraph graph = vertex_graph(mesh.points.size(), mesh.triangles);
    const VertexComponents components =
        vertex_components(graph, std::vector<std::uint8_t>(graph.size(), 1));
    if (components.count < 2 || !has_near_components(mesh, components)) return {};
    std::vector<UnitedPart> parts = split_parts(mesh, components);
    if (!unite_crossing(parts)) return {};
    bool is_changed = false;
    std::vector<std::uint8_t> is_dropped(parts.size(), 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        is_dropped[i] = parts[i].is_outward && winding_of_others(parts, is_dropped, i) > 0.5;
        is_changed = is_changed || is_dropped[i] || parts[i].is_changed;
    }
    if (!is_changed) return {};
    return joined_parts(parts, is_dropped);
}

}  // namespace ductile
