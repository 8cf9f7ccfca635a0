// SPDX-License-Identifier: MIT
// A skeleton that wakes and condenses, called by hand.
#include <ductile/deform/bend/bend_deformer.h>
#include <ductile/sim/articulation.h>
#include <ductile/sim/simulation.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>
#include <support/refusing_engine.h>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A bar of four bones along x, tumbling on its own.
BendOptions four_bones() {
    BendOptions options;
    options.makes_joints = false;
    options.strength = 100.0;
    const char* names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; ++i) {
        options.bones.push_back({names[i], {-1.0 + 0.5 * i, 0, 0}, {-0.5 + 0.5 * i, 0, 0}});
    }
    return options;
}

struct TumblingBar {
    RefusingEngine engine{BulletEngine::make()};
    Simulation sim{engine, {}};
    std::shared_ptr<const BodyShape> shape;
    ObjectId bar;
    BodyDesc desc;
    Articulation bend;
    double time = 0.0;

    explicit TumblingBar(const BendOptions& options) {
        const auto layer = make_layer(options, LayerFiles{});
        REQUIRE(layer.ok());
        const auto made = make_body_shape(
            solid(SolidKind::Box, {2.0, 0.06, 0.1}, 0.05),
            {.material = find_material("steel").value(), .mass = 20.0}, {layer.value()});
        if (!made) FAIL(made.error().text());
        shape = made.value();
        DeformableDesc wanted = body_desc("bar", {}, {0.3, -0.2, 0.1});
        wanted.spin_w = {0.2, -0.4, 0.7};
        bar = sim.add_deformable(wanted, shape).value();
        desc.name = "bar";
    }
    BentBody body() {
        return {engine, sim.body(bar), *shape, sim.state(bar), sim.cut(bar), sim.journal(bar),
                desc,   0.001,         time};
    }
    Result<bool> strike(double x) { return bend.wake(body(), {{x, 0.03, 0}, Vec3::UnitY()}); }
    std::vector<BodyId> bodies() const {
        return bend.is_awake() ? bend.bodies() : std::vector<BodyId>{sim.body(bar)};
    }
};

struct KnownBodies {
    std::vector<BodyId> ids;
    std::vector<BodyMotion> motions;
    std::vector<MassProperties> masses;
    int joints = 0;

    explicit KnownBodies(const TumblingBar& b) : ids(b.bodies()), joints(b.engine.joint_count) {
        for (const BodyId id : ids) {
            motions.push_back(b.engine.motion(id));
            masses.push_back(b.engine.mass(id));
        }
    }
};

void check_unchanged(const KnownBodies& before, const TumblingBar& b) {
    const KnownBodies now(b);
    REQUIRE(now.ids == before.ids);
    CHECK(now.joints == before.joints);
    for (std::size_t i = 0; i < now.ids.size(); ++i) {
        const BodyMotion &m = before.motions[i], &n = now.motions[i];
        CHECK((n.pose_w.translation - m.pose_w.translation).norm() < 1e-12);
        CHECK((n.velocity_w - m.velocity_w).norm() < 1e-12);
        CHECK((n.spin_w - m.spin_w).norm() < 1e-12);
        CHECK(test::near(now.masses[i].mass, before.masses[i].mass, 1e-12));
        CHECK((now.masses[i].inertia_b - before.masses[i].inertia_b).norm() < 1e-12);
    }
    // No body that came is left over.
    for (std::int32_t id = 0; id < 64; ++id) {
        const bool is_known =
            std::find(now.ids.begin(), now.ids.end(), BodyId{id}) != now.ids.end();
        CHECK(b.engine.has(BodyId{id}) == is_known);
    }
}

}  // namespace

TEST_CASE("a waking that the engine refuses changes nothing, whatever it refuses") {
    BendOptions options = four_bones();
    options.wakes_all = true;
    for (int allowed = 0; allowed < 3; ++allowed) {
        for (const int what : {0, 1, 2}) {
            if (what == 2 && allowed > 0) continue;  // one reshape is all that it takes
            TumblingBar b(options);
            const KnownBodies before(b);
            (what == 0   ? b.engine.joints_left
             : what == 1 ? b.engine.bodies_left
                         : b.engine.reshapes_left) = allowed;
            CHECK(!b.strike(0.1).ok());
            check_unchanged(before, b);
            CHECK(!b.bend.is_awake());
            b.engine.joints_left = b.engine.bodies_left = 100;
            CHECK(b.strike(0.1).value());
            CHECK(b.bend.bodies().size() == 4);
        }
    }
}

TEST_CASE("a second waking that is refused leaves the first as it was") {
    TumblingBar b(four_bones());
    REQUIRE(b.strike(-0.9).value());
    REQUIRE(b.bend.bodies().size() == 2);
    const KnownBodies before(b);
    b.engine.joints_left = 0;
    CHECK(!b.strike(0.2).ok());
    check_unchanged(before, b);
    b.engine.joints_left = 100;
    REQUIRE(b.strike(0.2).value());
    CHECK(b.bend.bodies().size() == 4);
    CHECK(b.engine.joint_count == 3);
}

TEST_CASE("what cannot be one body again stays tied, and is tried later") {
    TumblingBar b(four_bones());
    REQUIRE(b.strike(0.2).value());
    b.bend.note(b.body(), 0.2);
    REQUIRE(b.bend.is_calm());
    const KnownBodies before(b);
    b.engine.reshapes_left = 0;
    CHECK(!b.bend.condense(b.body(), b.shape->mass).ok());
    check_unchanged(before, b);
    CHECK(!b.bend.is_calm());
    CHECK(b.bend.condense(b.body(), b.shape->mass).ok());
    CHECK(!b.bend.is_awake());
}

TEST_CASE("bones that wake together do so, and others stay asleep") {
    BendOptions options = four_bones();
    TumblingBar alone(options);
    REQUIRE(alone.strike(-0.9).value());
    CHECK(alone.bend.bodies().size() == 2);
    options.bones[0].wakes_with = options.bones[2].wakes_with = "arm";
    TumblingBar together(options);
    REQUIRE(together.strike(-0.9).value());
    CHECK(together.bend.bodies().size() == 4);
    TumblingBar other(options);
    REQUIRE(other.strike(0.9).value());
    CHECK(other.bend.bodies().size() == 2);
}

TEST_CASE("a note tells of every change of the record, also of one at the same time") {
    BendOptions options = four_bones();
    options.stiffness = 100.0;
    TumblingBar b(options);
    REQUIRE(b.strike(-0.9).value());
    const BodyId end = b.bend.bodies()[1];
    b.time = 0.01;
    const auto turn_end = [&](double by) {
        const BodyMotion m = b.engine.motion(end);
        const Quat turn(Eigen::AngleAxisd(by, Vec3::UnitZ()));
        b.engine.set_motion(end, {turn * m.pose_w.rotation, m.pose_w.translation}, m.velocity_w,
                            {0, 0, 5});
    };
    turn_end(0.1);
    CHECK(b.bend.note(b.body(), 0.01));
    turn_end(0.1);
    CHECK(b.bend.note(b.body(), 0.0));
    REQUIRE(b.bend.record().joints.size() == 1);
    const auto& keys = b.bend.record().joints[0].keys;
    CHECK(keys.size() == 1);
    CHECK(test::near(keys[0].turn.norm(), 0.2));
    CHECK(!b.bend.note(b.body(), 0.0));
}
