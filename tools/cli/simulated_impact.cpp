// SPDX-License-Identifier: MIT
#include "simulated_impact.h"

#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/simulation.h>
#include <ductile/solids/solids.h>

#include <algorithm>
#include <cmath>

namespace ductile::cli {
namespace {

constexpr double kStepRate = 240.0;
constexpr double kBallDensity = 7850.0;
// The block's width and height, the edges of its mesh and how far above it the ball starts, in
// radii.
constexpr double kBlockWidth = 3.0, kBlockHeight = 2.0, kBlockEdge = 0.1, kAbove = 0.2;
// Long enough to come and to go.
constexpr int kSteps = 30;

Result<std::shared_ptr<const BodyShape>> block_of(const BallImpact& impact) {
    SolidOptions box;
    box.kind = SolidKind::Box;
    box.size = impact.radius * Vec3(kBlockWidth, kBlockHeight, kBlockWidth);
    box.resolution = kBlockEdge * impact.radius;
    Result<SurfaceAsset> asset = make_solid(box);
    if (!asset) return asset.error();
    return make_body_shape(std::make_shared<const SurfaceAsset>(std::move(asset).value()),
                           {.material = impact.material, .thickness = impact.thickness},
                           {make_dent_deformer(impact.options)});
}

}  // namespace

Result<BallImpactResult> simulate(const BallImpact& impact) {
    Result<std::shared_ptr<const BodyShape>> shape = block_of(impact);
    if (!shape) return shape.error();
    BulletOptions weightless;
    weightless.gravity = Vec3::Zero();
    const auto engine = BulletEngine::make(weightless);
    Simulation sim(*engine, {});
    DeformableDesc block;
    block.name = "block";
    block.motion = Motion::Static;
    block.restitution = 1.0;
    block.margin = 0.0;
    const Result<ObjectId> struck = sim.add_deformable(block, std::move(shape).value());
    if (!struck) return struck.error();
    const double radius = impact.radius;
    BodyDesc ball;
    ball.name = "ball";
    ball.collider = SphereCollider{radius};
    ball.mass = sphere_mass(radius, kBallDensity);
    ball.restitution = 1.0;
    ball.pose_w.translation = {0, (0.5 * kBlockHeight + 1.0 + kAbove) * radius, 0};
    const double speed = std::sqrt(2.0 * impact.energy / ball.mass.mass);
    ball.velocity_w = {0, -speed, 0};
    const Result<ObjectId> striker = sim.add_rigid(ball, 2.0 * std::sqrt(3.0) * radius);
    if (!striker) return striker.error();
    const int steps = kSteps + static_cast<int>(kStepRate * kAbove * radius / speed);
    for (int i = 0; i < steps; ++i) sim.step(1.0 / kStepRate);
    BallImpactResult out;
    for (const Hit& hit : sim.journal(struck.value()).hits()) {
        if (const auto* dent = std::get_if<DentHit>(&hit.record)) out.depth += dent->depth;
    }
    out.rebound = sim.motion(striker.value()).velocity_w.y() / speed;
    if (!sim.ledger().layers.empty()) out.work = sim.ledger().layers[0].work / impact.energy;
    return out;
}

}  // namespace ductile::cli
