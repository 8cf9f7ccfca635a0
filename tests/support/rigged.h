// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/deform/example/example_deformer.h>
#include <ductile/skin/bounded_weights.h>

#include <doctest/doctest.h>
#include <support/bodies.h>

#include <memory>
#include <utility>
#include <vector>

namespace ductile::test {

/// A post of 2 m with three handles. Poses: "bent" leans its top over along +x, "pushed" presses it
/// down, "turned" turns the whole about z by `turn_deg`.
inline std::shared_ptr<const ExampleRig> post_rig(const SurfaceAsset& asset,
                                                  double turn_deg = 90.0) {
    auto out = std::make_shared<ExampleRig>();
    const TriMesh& surface = asset.surface;
    const SurfaceQuery query(surface.points, surface.triangles);
    out->lattice = std::make_shared<const TetLattice>(TetLattice::make(query, 0.15).value());
    const double heights[] = {-0.9, 0.0, 0.9};
    for (const double y : heights) {
        Handle handle;
        handle.name = "at " + std::to_string(y);
        handle.place = {0, y, 0};
        out->rig.handles.push_back(handle);
    }
    const auto weights = bounded_weights(*out->lattice, out->rig.handles);
    REQUIRE(weights.ok());
    out->node_weights = weights.value().nodes;
    out->rig.weights = carry_weights(*out->lattice, out->node_weights, surface.points, 0.001);
    out->points = surface.points;
    out->box = bounds(surface.points);
    RigPose bent{"bent", std::vector<Transform>(3)}, pushed{"pushed", std::vector<Transform>(3)};
    bent.moves[2].translation = {0.5, -0.2, 0};
    bent.moves[2].rotation = Quat(Eigen::AngleAxisd(-0.9, Vec3::UnitZ()));
    pushed.moves[1].translation = {0, -0.2, 0};
    pushed.moves[2].translation = {0, -0.6, 0};
    RigPose turned{"turned", {}};
    const Quat turn(Eigen::AngleAxisd(turn_deg * kPi / 180.0, Vec3::UnitZ()));
    for (const Handle& handle : out->rig.handles) {
        turned.moves.push_back({turn, turn * handle.place - handle.place});
    }
    out->rig.poses = {bent, pushed, turned};
    return out;
}

/// The post as a body that takes these poses, and dents where it is wished.
inline std::shared_ptr<const BodyShape> rigged_post(const ExampleOptions& options = {},
                                                    bool has_dents = false, double turn_deg = 90.0,
                                                    double resolution = 0.08) {
    const auto asset = solid(SolidKind::Cylinder, Vec3(0.4, 2.0, 0.4), resolution);
    std::vector<std::shared_ptr<const Deformer>> rules;
    if (has_dents) rules.push_back(make_dent_deformer({}));
    rules.push_back(make_example_deformer(options, post_rig(*asset, turn_deg)));
    auto shape = make_body_shape(
        asset, {.material = find_material("steel").value(), .thickness = 0.003}, std::move(rules));
    REQUIRE(shape.ok());
    return std::move(shape).value();
}

inline ExampleHit example_hit(const Vec3& place, std::vector<PoseChange> changes,
                              double radius = 0.8) {
    ExampleHit hit;
    hit.position_b = place;
    hit.changes = std::move(changes);
    hit.radius = radius;
    return hit;
}

}  // namespace ductile::test
