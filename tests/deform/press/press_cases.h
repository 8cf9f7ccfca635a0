// SPDX-License-Identifier: MIT
// Pairs of own shapes that overlap in the ways that a mapping has to cope with.
#pragma once

#include <ductile/deform/press/mapping/press_mapping.h>
#include <ductile/deform/press/overlap/press_overlap.h>
#include <ductile/deform/press/press.h>
#include <ductile/solids/solids.h>

#include <geom/test_meshes.h>

#include <memory>

namespace ductile::test {

inline TriMesh solid_mesh(SolidKind kind, const Vec3& size, double resolution, const Vec3& at) {
    SolidOptions options{.kind = kind, .size = size, .resolution = resolution};
    options.tube = 0.15;
    return placed(make_solid(options).value().surface, {Quat::Identity(), at});
}

/// A ball of diameter 1, its centre this high.
inline TriMesh ball_at(double height, int levels = 4) {
    return placed(sphere_mesh(0.5, levels), {Quat::Identity(), Vec3(0, height, 0)});
}
/// A slab with its top at y = 0.
inline TriMesh ground() { return box_mesh({-2, -1, -2}, {2, 0, 2}); }

/// `press_soft`, which must not fail.
inline Pressed press(const TriMesh& soft, const TriMesh& rigid, const PressOptions& options = {},
                     const PaintedMaps& maps = {}) {
    return press_soft(soft, rigid, {options, maps}).value();
}

/// Two surfaces with all that the stages ask of them.
struct PressPair {
    PressPair(TriMesh soft_mesh, TriMesh rigid_mesh)
        : soft_rest(std::make_unique<RestSurface>(std::move(soft_mesh))),
          rigid_rest(std::make_unique<RestSurface>(std::move(rigid_mesh))),
          soft(*soft_rest, soft_rest->mesh().points),
          rigid(*rigid_rest, rigid_rest->mesh().points),
          found(find_overlaps(soft, rigid, SurfaceQuery(rigid.points, rigid.triangles))) {}

    std::unique_ptr<RestSurface> soft_rest, rigid_rest;
    PressSurface soft, rigid;
    PressOverlaps found;
};

/// A soft ball of diameter 1 whose lowest place is `depth` below the top of a slab at y = 0.
inline PressPair ball_on_slab(double depth, double resolution = 0.05) {
    return {solid_mesh(SolidKind::Sphere, Vec3::Ones(), resolution, Vec3(0.01, 0.5 - depth, 0.02)),
            box_mesh({-2, -1, -2}, {2, 0, 2})};
}
/// A rigid ball, half as large, on it.
inline PressPair ball_on_ball(double depth, double resolution = 0.04) {
    return {solid_mesh(SolidKind::Sphere, Vec3::Ones(), resolution, Vec3::Zero()),
            solid_mesh(SolidKind::Sphere, Vec3::Constant(0.5), resolution,
                       Vec3(0.013, 0.75 - depth, 0.007))};
}
/// A soft block whose top, at y = 0, a rigid ring is pressed into.
inline PressPair ring_in_block(double depth) {
    return {solid_mesh(SolidKind::Box, Vec3(1.6, 0.4, 1.6), 0.04, Vec3(0, -0.2, 0)),
            solid_mesh(SolidKind::Torus, Vec3(1, 0.3, 1), 0.05, Vec3(0.003, 0.15 - depth, 0.004))};
}
/// The same top with a rigid capsule driven in upright.
inline PressPair post_in_block(double depth) {
    return {
        solid_mesh(SolidKind::Box, Vec3(1.6, 1.4, 1.6), 0.05, Vec3(0, -0.7, 0)),
        solid_mesh(SolidKind::Capsule, Vec3(0.5, 1.4, 0.5), 0.05, Vec3(0.003, 0.7 - depth, 0.004))};
}
/// A soft ring that lies on a slab.
inline PressPair soft_ring_on_slab() {
    return {solid_mesh(SolidKind::Torus, Vec3(1, 0.3, 1), 0.05, Vec3(0.003, 0.11, 0.004)),
            box_mesh({-2, -1, -2}, {2, 0, 2})};
}
/// A soft upright capsule, 1.2 high, that went `depth` below the top of a pane at y = 0.
inline PressPair finger_through_pane(double depth, double thickness) {
    return {
        solid_mesh(SolidKind::Capsule, Vec3(0.4, 1.2, 0.4), 0.04, Vec3(0.003, 0.6 - depth, 0.004)),
        box_mesh({-1, -thickness, -1}, {1, 0, 1})};
}

}  // namespace ductile::test
