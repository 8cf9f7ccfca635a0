// SPDX-License-Identifier: MIT
// Section 3.1 of Brunel et al. 2020, "A Time-independent Deformer for Elastic-rigid Contacts".
#include <ductile/deform/press/press_overlap.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

/// A rigid edge's place as one in a triangle that has it; triangle -1 if there is none.
CurvePoint on_rigid_edge(const PressSurface& rigid, const EdgeCrossing& c) {
    CurvePoint point;
    point.rigid_triangle = -1;
    for (const std::int32_t f : rigid.faces.of(c.low)) {
        const Triangle& t = rigid.triangles[f];
        Vec3 weights = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            if (t[k] == c.low) weights[k] = 1.0 - c.along;
            if (t[k] == c.high) weights[k] = c.along;
        }
        if (std::abs(weights.sum() - 1.0) > 1e-9) continue;
        point.rigid_triangle = f;
        point.rigid_weights = weights;
        break;
    }
    return point;
}

void add_soft_edges(const MeshCrossings& crossings, std::span<const std::int32_t> part,
                    PressOverlaps& found) {
    for (const EdgeCrossing& c : crossings.of_first) {
        // The end that the crossing itself calls inside owns it.
        const std::int32_t owner = part[c.goes_in ? c.high : c.low];
        if (owner < 0) continue;
        CurvePoint point;
        point.soft = {{c.low, c.high, c.low}, {1.0 - c.along, c.along, 0.0}};
        point.rigid_triangle = c.triangle;
        point.rigid_weights = c.barycentric;
        found.overlaps[owner].curve.push_back(point);
    }
}

void add_rigid_edges(const PressSurface& soft, const PressSurface& rigid,
                     const MeshCrossings& crossings, std::span<const std::int32_t> part,
                     PressOverlaps& found) {
    for (const EdgeCrossing& c : crossings.of_second) {
        const Triangle& t = soft.triangles[c.triangle];
        std::int32_t owner = -1;
        for (const std::int32_t v : t) owner = std::max(owner, part[v]);
        if (owner < 0) continue;
        CurvePoint point = on_rigid_edge(rigid, c);
        if (point.rigid_triangle < 0) continue;
        point.soft = {{t[0], t[1], t[2]}, {c.barycentric[0], c.barycentric[1], c.barycentric[2]}};
        found.overlaps[owner].curve.push_back(point);
    }
}

// A part that no edge of either crosses may still lie within the other body whole.
void note_swallowed(const PressSurface& inner, const PressSurface& outer,
                    std::span<const EdgeCrossing> crossings,
                    std::span<const EdgeCrossing> crossings_of_other, const char* what,
                    std::vector<std::string>& notes) {
    if (!is_closed(outer.triangles)) return;
    const std::vector<std::uint8_t> all(inner.points.size(), 1);
    const VertexParts parts = vertex_parts(inner.graph, all);
    std::vector<std::uint8_t> is_met(parts.count, 0), is_tried(parts.count, 0);
    for (const EdgeCrossing& c : crossings) is_met[parts.part[c.low]] = 1;
    for (const EdgeCrossing& c : crossings_of_other) {
        is_met[parts.part[inner.triangles[c.triangle][0]]] = 1;
    }
    int count = 0;
    for (std::size_t v = 0; v < inner.points.size(); ++v) {
        const std::int32_t part = parts.part[v];
        if (is_met[part] || is_tried[part] || inner.graph.of(v).empty()) continue;
        is_tried[part] = 1;
        count += outer.query.is_inside(inner.points[v]);
    }
    if (count > 0) {
        notes.push_back(fmt::format(
            "{} {} wholly inside: there is no curve of contact to press along", count, what));
    }
}

}  // namespace

PressSurface::PressSurface(const TriMesh& mesh)
    : points(mesh.points),
      triangles(mesh.triangles),
      query(mesh.points, mesh.triangles),
      graph(vertex_graph(mesh.points.size(), mesh.triangles)),
      faces(vertex_faces(mesh.points.size(), mesh.triangles)),
      normals(vertex_normals(mesh.points, mesh.triangles)),
      size(bounds(mesh.points).diagonal() / std::sqrt(3.0)),
      edge(mean_edge(mesh.points, mesh.triangles)) {}

PressOverlaps find_overlaps(const PressSurface& soft, const PressSurface& rigid) {
    PressOverlaps found;
    found.crossings = find_crossings(soft.query, rigid.query);
    const MeshCrossings& crossings = found.crossings;
    const InsideMarks soft_marks = inside_marks(soft.graph, crossings.of_first);
    const InsideMarks rigid_marks = inside_marks(rigid.graph, crossings.of_second);
    found.rigid_is_inside = rigid_marks.is_inside;
    note_swallowed(soft, rigid, crossings.of_first, crossings.of_second,
                   "part(s) of the soft body lie", found.notes);
    note_swallowed(rigid, soft, crossings.of_second, crossings.of_first,
                   "part(s) of the rigid body lie", found.notes);
    if (soft_marks.conflicts > 0) {
        found.notes.push_back(fmt::format(
            "{} edges have one end inside and one outside but cross nothing: is a surface open, or "
            "inside out?",
            soft_marks.conflicts));
    }
    const VertexParts parts = vertex_parts(soft.graph, soft_marks.is_inside);
    found.overlaps.resize(parts.count);
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        if (parts.part[v] >= 0) {
            found.overlaps[parts.part[v]].inside.push_back(static_cast<std::int32_t>(v));
        }
    }
    add_soft_edges(crossings, parts.part, found);
    add_rigid_edges(soft, rigid, crossings, parts.part, found);
    if (parts.count == 0 && !(crossings.of_first.empty() && crossings.of_second.empty())) {
        found.notes.push_back(
            "the surfaces meet, but no vertex of the soft one is inside: the mesh "
            "is too coarse for so small an overlap");
    }
    return found;
}

}  // namespace ductile
