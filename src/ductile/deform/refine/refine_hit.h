// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/record_kind.h>
#include <ductile/geom/render_mesh.h>
#include <ductile/geom/repair/split_edges.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ductile {

class SurfaceQuery;

/// Makes a body's mesh finer around a place of its rest shape, so that it can show what happens
/// there. The shape itself stays what it was.
struct RefineHit {
    Vec3 position_b = Vec3::Zero();  ///< In the rest frame [m].
    double radius = 0.1;             ///< Edges of triangles that come this near are split [m], > 0.
    double longest_edge = 0.01;      ///< Until none of them is longer than this [m], > 0.
    /// Points that the body's whole mesh may have by then, the longest edges first; 0: as many as
    /// it takes.
    std::int32_t point_limit = 0;
};
template <class Visitor>
void visit_fields(RefineHit& h, Visitor&& field) {
    field(place_field("position", "around which the mesh is made finer"), h.position_b);
    field(length_field("radius", "how far around"), h.radius);
    field(length_field("longest_edge", "edges there are halved until none is longer"),
          h.longest_edge);
    field(Field{"point_limit", "", 0, 1e9,
                "points that the whole mesh may have by then; 0: as many as it takes"},
          h.point_limit);
}

template <>
struct RecordKind<RefineHit> {
    static constexpr std::string_view name = "refine";
    static constexpr std::string_view help = "a finer mesh around a place of the rest shape";
    static constexpr Stage stage = Stage::Mesh;
    static Status check(RefineHit&) { return {}; }
    static void guard(RefineHit&, const SurfaceQuery&, const BodyShape&) {}
    static RecordMark mark(const RefineHit& hit) { return {hit.position_b, hit.radius, "m"}; }
    static void move(RefineHit& hit, const Transform& by) {
        hit.position_b = by.point(hit.position_b);
    }
    /// Edges of rigid parts stay whole: nothing happens there. Beyond the radius they may be the
    /// longer the further they are away, so that no small triangle has a large neighbour.
    static std::vector<MeshEdge> marked_edges(const RefineHit& hit, const SurfaceAsset& asset);
};

}  // namespace ductile
