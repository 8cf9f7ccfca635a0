// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// Appends the unit normals of the faces around a vertex; faces without area have none.
void append_face_normals(std::span<const Vec3> points, std::span<const Triangle> triangles,
                         std::span<const std::int32_t> faces, std::vector<Vec3>& normals);

/// What the surface of a rigid body of pieces is like around each of their points.
class PieceNormals {
public:
    /// Null for what has no pieces or whose surface is open: it can be touched from behind.
    static std::shared_ptr<const PieceNormals> make(const Collider& collider,
                                                    const SurfaceQuery* surface);
    void append(std::int32_t piece, std::size_t point, std::vector<Vec3>& normals) const;

private:
    std::map<std::int32_t, std::vector<std::vector<Vec3>>> by_piece_;
};

}  // namespace ductile
