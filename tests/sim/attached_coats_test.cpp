// SPDX-License-Identifier: MIT
// Soft coats among what a game has put into its own Bullet world.
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/soft_coat.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/sim/simulation.h>
#include <ductile/sim/tissue_layer.h>

#include <doctest/doctest.h>
#include <engine/game_world.h>
#include <engine/triangle_shapes.h>
#include <support/bullet_tolerance.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

const Vec3 kGravity(0, -9.81, 0);

TriMesh box_mesh(const Vec3& size, int count) {
    TriMesh mesh;
    for (const Corners& t : box_triangles(size, count)) {
        const auto first = static_cast<std::int32_t>(mesh.points.size());
        mesh.points.insert(mesh.points.end(), t.begin(), t.end());
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

/// A cube of 4 cm, half of its weight in a coat of 1 cm.
SoftCoat soft_cube() {
    TissueOptions options;
    options.layout = TissueLayout::Box;
    options.mass = 0.3;
    return make_soft_coat(box_mesh(Vec3::Constant(0.02), 4), options, 0.3).value();
}

std::unique_ptr<btRigidBody> rigid(btCollisionShape& shape, double mass, const Vec3& at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(btScalar(mass), inertia);
    auto body = std::make_unique<btRigidBody>(btScalar(mass), nullptr, &shape, inertia);
    body->setWorldTransform(to_bt(Transform{Quat::Identity(), at}));
    body->setFriction(btScalar(0.7));
    return body;
}

/// A game with a floor and a cube that becomes soft. All bodies are the game's own.
struct Game {
    btBoxShape bone_shape{btVector3(btScalar(0.01), btScalar(0.01), btScalar(0.01))};
    btBoxShape crate_shape{btVector3(btScalar(0.03), btScalar(0.01), btScalar(0.03))};
    std::unique_ptr<btRigidBody> floor, bone, crate;
    GameWorld game;
    std::unique_ptr<BulletEngine> engine;
    std::unique_ptr<Simulation> sim;
    std::shared_ptr<TissueLayer> coats;
    SoftCoat coat = soft_cube();

    Game(btCollisionShape& floor_shape, const Vec3& floor_at, const Vec3& at) {
        game.world.setGravity(to_bt(kGravity));
        floor = rigid(floor_shape, 0, floor_at);
        bone = rigid(bone_shape, 0.3, at);
        game.world.addRigidBody(floor.get());
        game.world.addRigidBody(bone.get());
        engine = BulletEngine::attach(game.world);
        sim = std::make_unique<Simulation>(*engine, SimOptions{});
        coats = std::make_shared<TissueLayer>(TissueSolverOptions{}, kGravity, *engine);
        coats->add(coat, engine->id_of(*bone));
        sim->add_live_layer(coats);
    }
    void add_crate(double mass, const Vec3& at) {
        crate = rigid(crate_shape, mass, at);
        game.world.addRigidBody(crate.get());
    }
    void run(double seconds) {
        for (double t = 0; t < seconds - 1e-9; t += 1.0 / 60) sim->step(1.0 / 60);
    }
    double height() const { return bone->getWorldTransform().getOrigin().y(); }
    /// Of the lowest place of all its particles.
    double lowest() const {
        double least = kInfinity;
        const TissueBody& body = coats->world().coat(0);
        for (const std::int32_t i : body.outer()) {
            const OrientedParticle& p = body.particles()[i];
            const Vec3 down = p.turn.conjugate() * Vec3(0, -1, 0);
            least = std::min(least, p.position.y() - ellipsoid_reach(body.rig().shapes[i], down));
        }
        return least;
    }
    /// Half of the smallest height that a particle has [m].
    double particle() const {
        double least = kInfinity;
        const TissueRig& rig = coats->world().coat(0).rig();
        for (std::size_t i = 0; i < rig.size(); ++i) {
            least = std::min(least, ellipsoid_reach(rig.shapes[i], Vec3::UnitY()));
        }
        return least;
    }
};

}  // namespace

TEST_CASE("on a game's mesh and field of heights a coat comes to rest as on its plane") {
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    Game on_plane(plane, Vec3::Zero(), Vec3(0.013, 0.08, -0.007));
    on_plane.run(3.0);
    const double expected = on_plane.height(), particle = on_plane.particle();
    CHECK(expected > 0.017);
    CHECK(expected < 0.0205);
    CHECK(std::abs(on_plane.lowest()) < 0.1 * particle);

    // Triangles as small as particles, as large as coats, and larger than all of it.
    for (const int count : {400, 50, 1}) {
        CAPTURE(count);
        TriangleShape level(floor_triangles(2.0, count));
        Game on_mesh(level.shape, Vec3(0, 0.5, 0), Vec3(0.013, 0.58, -0.007));
        on_mesh.run(3.0);
        CHECK(std::abs(on_mesh.height() - 0.5 - expected) < 0.1 * particle);
        CHECK(std::abs(on_mesh.lowest() - 0.5) < 0.1 * particle);
        CHECK_FALSE(std::isfinite(on_mesh.coats->longest_part()));
    }
    HeightField field(65, 0.02, [](double, double) { return 0.0; });
    Game on_field(field.shape, Vec3::Zero(), Vec3(0.013, 0.08, -0.007));
    on_field.run(3.0);
    CHECK(std::abs(on_field.height() - expected) < 0.1 * particle);
    CHECK(std::abs(on_field.lowest()) < 0.1 * particle);
}

TEST_CASE("a mesh with a margin carries a coat on its margin") {
    TriangleShape level(floor_triangles(2.0, 20));
    level.shape.setMargin(btScalar(0.01));
    Game game(level.shape, Vec3::Zero(), Vec3(0, 0.08, 0));
    game.run(3.0);
    CHECK(std::abs(game.lowest() - 0.01) < 0.1 * game.particle());
}

TEST_CASE("a game's own crate that falls on a coat is carried by it") {
    btBoxShape slab(btVector3(1, btScalar(0.1), 1));
    Game game(slab, Vec3(0, -0.1, 0), Vec3(0, 0.021, 0));
    game.add_crate(0.1, Vec3(0, 0.08, 0));
    game.run(3.0);
    // A crate 2 cm high on a cube 4 cm high; without the coat it would lie on the bone, 1.5 cm
    // lower.
    const double y = game.crate->getWorldTransform().getOrigin().y();
    CHECK(y > 0.045);
    CHECK(y < 0.0515);
    CHECK(game.crate->getLinearVelocity().length() < 0.01);
    // Its weight is on the coat: without it the cube stands higher.
    Game alone(slab, Vec3(0, -0.1, 0), Vec3(0, 0.021, 0));
    alone.run(3.0);
    CHECK(game.height() < alone.height());
}

TEST_CASE("a game may delete what a coat lies on, between any two steps") {
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    Game game(plane, Vec3::Zero(), Vec3(0, 0.1, 0));
    game.add_crate(0.0, Vec3(0, 0.02, 0));
    game.run(1.0);
    CHECK(game.height() > 0.045);
    game.game.world.removeRigidBody(game.crate.get());
    game.crate.reset();
    game.bone->activate(true);
    game.run(1.0);
    CHECK(game.height() < 0.0205);
    CHECK(game.height() > 0.017);
}

TEST_CASE("a coat and its bone fall as one in a world with a slower clock of its own") {
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    Game game(plane, Vec3::Zero(), Vec3(0, 2, 0));
    for (int i = 0; i < 20; ++i) {
        game.sim->step(1.0 / 60);
        const Vec3 bone = from_bt(game.bone->getWorldTransform().getOrigin());
        Vec3 middle = Vec3::Zero();
        const TissueBody& body = game.coats->world().coat(0);
        for (const std::int32_t k : body.outer()) middle += body.particles()[k].position;
        middle /= static_cast<double>(body.outer().size());
        CHECK((middle - bone).norm() < tolerance(1e-9, 1e-5));
    }
    const double time = 20.0 / 60;
    CHECK(test::near(game.height(), 2 - 0.5 * 9.81 * time * (time + 1.0 / 960),
                     tolerance(1e-9, 1e-5)));
}
