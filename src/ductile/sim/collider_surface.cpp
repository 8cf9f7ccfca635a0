// SPDX-License-Identifier: MIT
#include <ductile/sim/collider_surface.h>
#include <ductile/solids/solids.h>

namespace ductile {
namespace {

// Half the side of the square that stands for an endless floor [m].
constexpr double kFar = 1e5;
// Edges of a ball's mesh: its facets lie within 0.05 % of the radius below the ball.
constexpr double kBallEdge = 1.0 / 16.0;

TriMesh surface_of(const SphereCollider& ball) {
    SolidOptions options;
    options.kind = SolidKind::Sphere;
    options.size = Vec3::Constant(2.0 * ball.radius);
    options.resolution = kBallEdge * ball.radius;
    Result<SurfaceAsset> made = make_solid(options);
    return made ? std::move(made).value().surface : TriMesh{};
}

TriMesh surface_of(const BoxCollider& box) {
    TriMesh mesh;
    for (int k = 0; k < 8; ++k) {
        mesh.points.push_back(0.5 * Vec3((k & 1) ? box.size.x() : -box.size.x(),
                                         (k & 2) ? box.size.y() : -box.size.y(),
                                         (k & 4) ? box.size.z() : -box.size.z()));
    }
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return mesh;
}

TriMesh surface_of(const CapsuleCollider& capsule) {
    const double width = 2.0 * capsule.radius;
    SolidOptions options;
    options.kind = SolidKind::Capsule;
    options.size = Vec3(width, width + capsule.length, width);
    options.resolution = kBallEdge * capsule.radius;
    Result<SurfaceAsset> made = make_solid(options);
    return made ? std::move(made).value().surface : TriMesh{};
}

TriMesh surface_of(const HalfSpaceCollider&) {
    TriMesh mesh;
    mesh.points = {{-kFar, 0, -kFar}, {-kFar, 0, kFar}, {kFar, 0, kFar}, {kFar, 0, -kFar}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

TriMesh surface_of(const PieceCollider&) { return {}; }

}  // namespace

std::shared_ptr<const SurfaceQuery> collider_surface(const Collider& collider) {
    const TriMesh mesh = std::visit([](const auto& kind) { return surface_of(kind); }, collider);
    if (mesh.triangles.empty()) return nullptr;
    return std::make_shared<const SurfaceQuery>(mesh.points, mesh.triangles);
}

}  // namespace ductile
