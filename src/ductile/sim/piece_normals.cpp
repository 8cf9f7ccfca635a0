// SPDX-License-Identifier: MIT
#include <ductile/sim/piece_normals.h>

namespace ductile {

namespace {

// A point of a piece this far from the surface is the one behind it, as a share of the piece's
// size.
constexpr double kBehindShare = 0.02;

std::int32_t nearest_corner(const Triangle& t, const Vec3& barycentric) {
    int most = 0;
    for (int k = 1; k < 3; ++k) {
        if (barycentric[k] > barycentric[most]) most = k;
    }
    return t[static_cast<std::size_t>(most)];
}

}  // namespace

void append_face_normals(std::span<const Vec3> points, std::span<const Triangle> triangles,
                         std::span<const std::int32_t> faces, std::vector<Vec3>& normals) {
    for (const std::int32_t f : faces) {
        const Triangle& t = triangles[f];
        const Vec3 area = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
        const double size = area.norm();
        if (size > 0) normals.push_back(area / size);
    }
}

std::shared_ptr<const PieceNormals> PieceNormals::make(const Collider& collider,
                                                       const SurfaceQuery* surface) {
    const auto* pieces = std::get_if<PieceCollider>(&collider);
    if (!pieces || !surface || !is_closed(surface->triangles())) return nullptr;
    const VertexFaces around = vertex_faces(surface->points().size(), surface->triangles());
    auto out = std::make_shared<PieceNormals>();
    for (const ColliderPiece& piece : pieces->pieces) {
        Box box;
        for (const Vec3& p : piece.points) box.add(p);
        auto& normals = out->by_piece_[piece.id];
        for (const Vec3& p : piece.points) {
            std::vector<Vec3>& here = normals.emplace_back();
            const SurfacePoint near = surface->closest_point(p, kBehindShare * box.diagonal());
            if (near.triangle < 0) continue;
            const std::int32_t v =
                nearest_corner(surface->triangles()[near.triangle], near.barycentric);
            append_face_normals(surface->points(), surface->triangles(), around[v], here);
        }
    }
    return out;
}

void PieceNormals::append(std::int32_t piece, std::size_t point, std::vector<Vec3>& normals) const {
    const auto at = by_piece_.find(piece);
    if (at == by_piece_.end() || point >= at->second.size()) return;
    const std::vector<Vec3>& here = at->second[point];
    normals.insert(normals.end(), here.begin(), here.end());
}

}  // namespace ductile
