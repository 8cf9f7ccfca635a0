// SPDX-License-Identifier: MIT
// ductile inside a Bullet game: the world, the floor and the ball are the game's own; the barrel
// is ductile's. One call per frame steps the world, dents what was hit and moves its collider
// along.
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/simulation.h>
#include <ductile/skin/render_skin.h>
#include <ductile/solids/solids.h>

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

int main() {
    // The game's world, as any Bullet game makes it.
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity({0, btScalar(-9.81), 0});
    btStaticPlaneShape floor_shape({0, 1, 0}, 0);
    btRigidBody floor(0, nullptr, &floor_shape);
    btSphereShape ball_shape(btScalar(0.3));
    btVector3 ball_inertia;
    ball_shape.calculateLocalInertia(200, ball_inertia);
    btRigidBody ball(200, nullptr, &ball_shape, ball_inertia);
    ball.setWorldTransform(btTransform(btQuaternion::getIdentity(), {3, btScalar(0.6), 0}));
    ball.setLinearVelocity({-12, 1, 0});
    world.addRigidBody(&floor);
    world.addRigidBody(&ball);

    // ductile moves in: it adds an action and the bodies it is asked for, and claims nothing else.
    const auto engine = ductile::BulletEngine::attach(world);
    ductile::Simulation simulation(*engine, {});

    // A steel drum that dents. Prepared once; a hundred drums would share it.
    ductile::Result<ductile::SurfaceAsset> solid =
        ductile::make_solid({.kind = ductile::SolidKind::Barrel});
    if (!solid) return fmt::print(stderr, "{}\n", solid.error().text()), 1;
    const auto asset = std::make_shared<const ductile::SurfaceAsset>(std::move(solid).value());
    const ductile::Material steel = ductile::find_material("steel").value();
    const auto shape = ductile::make_body_shape(asset, {.material = steel, .thickness = 0.0012},
                                                {ductile::make_dent_deformer({})});
    if (!shape) return fmt::print(stderr, "{}\n", shape.error().text()), 1;
    ductile::DeformableDesc desc;
    desc.pose_w.translation = {0, 0.445, 0};
    const ductile::ObjectId barrel = simulation.add_deformable(desc, shape.value()).value();

    // The game loop: draw what changed.
    ductile::PosedSkin skin(asset);
    std::uint64_t drawn = 0;
    for (int frame = 0; frame < 120; ++frame) {
        simulation.step(1.0 / 60.0);  // in place of world.stepSimulation(1.0 / 60.0)
        const ductile::BodyState& state = simulation.state(barrel);
        if (state.revision() == drawn) continue;
        drawn = state.revision();
        skin.update(state.points());
        const auto changed =
            skin.changed();  // of skin.points() and normals(): to the vertex buffer
        fmt::print("frame {:3}: {} of {} vertices changed\n", frame, changed.size(),
                   skin.points().size());
    }

    const ductile::SimReport& report = simulation.report();
    fmt::print("{} hits, {} collider updates\n", report.hits, report.reshapes);
    return report.hits > 0 ? 0 : 1;  // the tests run this: a ball of 200 kg must leave a mark
}
