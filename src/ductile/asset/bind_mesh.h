// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/render_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Which surface triangles a render vertex may follow.
struct BindParts {
    std::span<const std::int32_t> of_vertex;    ///< Per render vertex; empty: one part.
    std::span<const std::int32_t> of_triangle;  ///< Per surface triangle; empty: one part.
};

/// Lets every render vertex follow the nearest place of the surface that looks its way.
///
/// Of the surface's triangles of the vertex's own part (of all, where its part has none) the
/// nearest counts whose normal is within a right angle of the vertex's, so that the outside of a
/// thin wall does not follow its inside; where there is none such within `kBindReach` times the
/// distance of the nearest of all, or that one is far off, that one. Exact nearest places; on
/// several threads, same bytes. Requires: surface with triangles; finite points; unit normals.
std::vector<SurfaceAnchor> bind_mesh(std::span<const Vec3> points, std::span<const Vec3> normals,
                                     const TriMesh& surface, const BindParts& parts = {});
inline constexpr double kBindReach = 8.0;

/// Where an anchor lies on a surface.
inline Vec3 anchored_place(const SurfaceAnchor& anchor, std::span<const Vec3> surface_points) {
    Vec3 at = Vec3::Zero();
    for (int k = 0; k < 3; ++k) at += anchor.weights[k] * surface_points[anchor.points[k]];
    return at;
}

/// The surface points that carry a part of the drawn mesh: those nearest to its vertices, the
/// nearer the heavier. Never empty. Requires: vertices and a surface with triangles.
Rider make_rider(std::int32_t part, std::span<const Vec3> vertices, const SurfaceQuery& surface);

}  // namespace ductile
