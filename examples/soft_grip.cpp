// SPDX-License-Identifier: MIT
// Soft fingers in a Bullet game: the world, the floor, the block and the fingers' bones are the
// game's own bodies; ductile puts soft coats on the bones and moves them. They squeeze the block,
// lift it by 20 cm and hold it there.
#include <ductile/deform/tissue/soft_coat.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/sim/drive.h>
#include <ductile/sim/simulation.h>
#include <ductile/sim/tissue_layer.h>
#include <ductile/solids/solids.h>

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <cmath>

namespace {

/// One of the game's own; without mass it never moves.
struct GameBox {
    btBoxShape shape;
    btRigidBody body;

    GameBox(const btVector3& half, btScalar mass, const btVector3& at)
        : shape(half), body(mass, nullptr, &shape, inertia(mass)) {
        body.setWorldTransform(btTransform(btQuaternion::getIdentity(), at));
        body.setFriction(btScalar(0.7));  // Bullet multiplies: 0.49 between two of them
    }
    btVector3 inertia(btScalar mass) const {
        btVector3 out(0, 0, 0);
        if (mass > 0) shape.calculateLocalInertia(mass, out);
        return out;
    }
};

}  // namespace

int main() {
    // The game's world, as any Bullet game makes it.
    GameBox floor({1, btScalar(0.1), 1}, 0, {0, btScalar(-0.1), 0});
    GameBox block({btScalar(0.01), btScalar(0.03), btScalar(0.01)}, btScalar(0.1),
                  {0, btScalar(0.03), 0});
    const btVector3 bone_half(btScalar(0.01), btScalar(0.01), btScalar(0.01));
    GameBox left(bone_half, btScalar(0.3), {btScalar(-0.031), btScalar(0.03), 0});
    GameBox right(bone_half, btScalar(0.3), {btScalar(0.031), btScalar(0.03), 0});
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity({0, btScalar(-9.81), 0});
    for (GameBox* box : {&floor, &block, &left, &right}) world.addRigidBody(&box->body);

    const auto engine = ductile::BulletEngine::attach(world);
    ductile::Simulation simulation(*engine, {});
    const ductile::Vec3 gravity(0, -9.81, 0);
    // A coat of 1 cm around a bone of 2 cm. Made once; all fingers share it.
    ductile::Result<ductile::SurfaceAsset> bone = ductile::make_solid(
        {.kind = ductile::SolidKind::Box, .size = {0.02, 0.02, 0.02}, .resolution = 0.002});
    if (!bone) return fmt::print(stderr, "{}\n", bone.error().text()), 1;
    const ductile::Result<ductile::SoftCoat> coat = ductile::make_soft_coat(
        bone.value().surface, {.thickness = 0.01, .stiffness = 5e4}, /*bone_mass=*/0.3);
    if (!coat) return fmt::print(stderr, "{}\n", coat.error().text()), 1;

    // Each pushes with 20 N, goes up from 0.2 s to 0.6 s, and holds; the right one keeps in step.
    const auto drives = std::make_shared<ductile::DriveLayer>(gravity);
    const auto coats =
        std::make_shared<ductile::TissueLayer>(ductile::TissueSolverOptions{}, gravity, *engine);
    ductile::BodyId leader;
    for (const btRigidBody* finger : {&left.body, &right.body}) {
        const ductile::Vec3 push(finger == &left.body ? 20 : -20, 0, 0);
        ductile::DriveDesc drive;
        drive.body = engine->id_of(*finger);
        drive.options.never_back = true;
        drive.options.phases = {{.time = 0.0, .force = push},
                                {.time = 0.2, .velocity = {0, 0.5, 0}, .force = push},
                                {.time = 0.6, .force = push}};
        drive.in_step_with = leader;
        drives->add(drive, *engine);
        coats->add(coat.value(), drive.body, /*is_driven=*/true);
        leader = drive.body;
    }
    simulation.add_live_layer(drives);
    simulation.add_live_layer(coats);

    // The game loop. The skin's points, in the frame of its bone, go to the vertex buffer.
    const ductile::TissueWorld& soft = coats->world();
    for (int frame = 0; frame < 90; ++frame) {
        simulation.step(1.0 / 60.0);  // in place of world.stepSimulation(1.0 / 60.0)
        const std::vector<ductile::Vec3> points =
            coat.value().skin->points(soft.coat(0), engine->motion(soft.bone(0)).pose_w);
        if (frame % 10 > 0) continue;
        fmt::print("{:.2f} s: the block is {:.1f} cm high ({} points to draw a finger)\n",
                   (frame + 1) / 60.0, 100 * block.body.getWorldTransform().getOrigin().y(),
                   points.size());
    }
    const double lifted = block.body.getWorldTransform().getOrigin().y() - 0.03;
    return std::abs(lifted - 0.2) < 0.005 ? 0 : 1;  // the tests run this: it must not slip
}
