// SPDX-License-Identifier: MIT
// Drops a heavy ball on a steel drum in a Bullet world and prints the deepest dent. Outside of
// ductile's own build: it sees what is installed and nothing else. Without CMake:
//   g++ drop_ball.cpp $(pkg-config --cflags --libs ductile) -o drop_ball
#include <ductile/ductile.h>

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <algorithm>

using namespace ductile;

namespace {

int fail(const Error& error) {
    fmt::print(stderr, "{}\n", error.text());
    return 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity({0, btScalar(-9.81), 0});
    btStaticPlaneShape floor_shape({0, 1, 0}, 0);
    btRigidBody floor(0, nullptr, &floor_shape);
    btSphereShape ball_shape(btScalar(0.2));
    btRigidBody ball(150, nullptr, &ball_shape, {1, 1, 1});
    ball.setWorldTransform(btTransform(btQuaternion::getIdentity(), {0, 3, 0}));
    world.addRigidBody(&floor);
    world.addRigidBody(&ball);

    const auto engine = BulletEngine::attach(world);
    Simulation simulation(*engine, {});
    // A file named on the command line is used instead of the drum.
    std::shared_ptr<const SurfaceAsset> asset;
    if (argument_count > 1) {
        Result<PreparedAsset> loaded = load_asset(arguments[1]);
        if (!loaded) return fail(loaded.error());
        asset = std::make_shared<const SurfaceAsset>(std::move(loaded.value().asset));
    } else {
        Result<SurfaceAsset> solid = make_solid({.kind = SolidKind::Barrel});
        if (!solid) return fail(solid.error());
        asset = std::make_shared<const SurfaceAsset>(std::move(solid).value());
    }
    const auto shape =
        make_body_shape(asset, {.material = find_material("steel").value(), .thickness = 0.0012},
                        {make_dent_deformer({})});
    if (!shape) return fail(shape.error());
    DeformableDesc desc;
    desc.pose_w.translation.y() = -bounds(asset->surface.points).lower.y();
    const Result<ObjectId> body = simulation.add_deformable(desc, shape.value());
    if (!body) return fail(body.error());

    Recorder recorder(60.0);
    recorder.watch(body.value(), "barrel", asset, false);
    for (int frame = 0; frame < 60; ++frame) {
        simulation.step(1.0 / 60.0);
        recorder.capture(simulation);
    }
    const Recording recording = std::move(recorder).finish(simulation);
    if (Result<std::string> glb = glb_bytes(recording); !glb) return fail(glb.error());
    if (Result<Renderer> renderer = Renderer::make(recording); !renderer) {
        return fail(renderer.error());
    }

    const BodyState& state = simulation.state(body.value());
    const std::vector<double> moved = displacement(state.points(), state.shape().rest());
    const double deepest = *std::max_element(moved.begin(), moved.end());
    fmt::print("deepest dent: {:.3f} mm\n", 1000.0 * deepest);
    return deepest > 0.0 ? 0 : 1;
}
