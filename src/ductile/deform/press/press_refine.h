// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/deform/press/press.h>
#include <ductile/geom/split_edges.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Where and how far a soft mesh is made finer before it is pressed for good: a deep pit stretches
/// few triangles over much surface (the seed's Figure 11). Plain data.
struct PressRefineOptions {
    double edge = 1.5;        ///< Stretched edges are split above so many mean edges of the mesh.
    std::int32_t rounds = 3;  ///< Presses at most so many times to look where.
    double growth = 4.0;      ///< The mesh gets at most so many times its points.
};
template <class Visitor>
void visit_fields(PressRefineOptions& o, Visitor&& field) {
    field(Field{"edge", "", 0.1, 100.0, "stretched edges are split above so many mean edges"},
          o.edge);
    field(Field{"rounds", "", 0, 8, "presses at most so many times to look where"}, o.rounds);
    field(Field{"growth", "", 1.0, 100.0, "the mesh gets at most so many times its points"},
          o.growth);
}

/// Edges that a press made longer than `bound` [m] and stretched by a fifth or more: ascending, the
/// longest `most` of them. `pressed`: a place per point.
std::vector<MeshEdge> stretched_edges(const TriMesh& soft, std::span<const Vec3> pressed,
                                      double bound, std::size_t most);

/// A soft mesh made finer where it is stretched, and pressed. Maps grow with the mesh: a new vertex
/// has the mean of its edge. 0 rounds: `press_soft`, bit for bit.
struct RefinedPress {
    SurfaceAsset asset;  ///< At rest. Its `surface` is what was pressed.
    Pressed pressed;
    std::int32_t rounds = 0;  ///< In which something was split.
};
/// Error: as `press_soft`; refine options out of range.
Result<RefinedPress> press_refined(SurfaceAsset soft, const TriMesh& rigid,
                                   const PressOptions& options, const PressRefineOptions& refine,
                                   PressMaps maps = {});

}  // namespace ductile
