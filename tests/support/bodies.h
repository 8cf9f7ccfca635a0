// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/engine/engine.h>
#include <ductile/sim/simulation.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/sanitized.h>

#include <memory>

namespace ductile::test {

inline std::shared_ptr<const SurfaceAsset> solid(SolidKind kind, const Vec3& size,
                                                 double resolution = 0.0) {
    Result<SurfaceAsset> asset = make_solid({.kind = kind, .size = size, .resolution = resolution});
    REQUIRE(asset.ok());
    return std::make_shared<const SurfaceAsset>(std::move(asset).value());
}

inline std::shared_ptr<const BodyShape> dentable(std::shared_ptr<const SurfaceAsset> asset,
                                                 double thickness, const Material& material,
                                                 const DentOptions& options = {}) {
    Result<std::shared_ptr<const BodyShape>> shape =
        make_body_shape(std::move(asset), {.material = material, .thickness = thickness},
                        {make_dent_deformer(options)});
    REQUIRE(shape.ok());
    return std::move(shape).value();
}

/// A steel drum of about 20 kg.
inline std::shared_ptr<const BodyShape> barrel(const DentOptions& options = {},
                                               double resolution = 0.0) {
    return dentable(solid(SolidKind::Barrel, Vec3(0.585, 0.88, 0.585), resolution), 0.0012,
                    find_material("steel").value(), options);
}

inline BodyDesc floor_desc() {
    BodyDesc desc;
    desc.name = "floor";
    desc.motion = Motion::Static;
    desc.collider = HalfSpaceCollider{};
    desc.restitution = 1.0;
    return desc;
}

inline BodyDesc ball_desc(double radius, double density, const Vec3& position,
                          const Vec3& velocity) {
    BodyDesc desc;
    desc.name = "ball";
    desc.collider = SphereCollider{radius};
    desc.mass = sphere_mass(radius, density);
    desc.pose_w.translation = position;
    desc.velocity_w = velocity;
    desc.restitution = 1.0;
    return desc;
}

/// With the floor and the ball, whose restitution is 1, it bounces with 0.2.
inline DeformableDesc body_desc(const char* name, const Transform& pose_w, const Vec3& velocity) {
    DeformableDesc desc;
    desc.name = name;
    desc.pose_w = pose_w;
    desc.velocity_w = velocity;
    desc.restitution = 0.04;
    return desc;
}

}  // namespace ductile::test
