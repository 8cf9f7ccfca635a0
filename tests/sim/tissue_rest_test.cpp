// SPDX-License-Identifier: MIT
// Which soft bodies rest while others move.
#include <ductile/deform/tissue/soft_coat.h>
#include <ductile/deform/tissue/tissue_world.h>
#include <ductile/solids/solids.h>

#include "soft_world.h"
#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

Transform at(double x, double y, double z = 0.0) { return {Quat::Identity(), Vec3(x, y, z)}; }

/// Until a coat rests, at most so long [s].
bool comes_to_rest(SoftWorld& w, std::size_t coat, double seconds) {
    for (int i = 0; i < 60 * seconds; ++i) {
        w.sim->step(1.0 / 60);
        if (w.coats->world().is_coat_resting(coat)) return true;
    }
    return false;
}

std::vector<Vec3> places_of(const SoftWorld& w, std::size_t coat) {
    std::vector<Vec3> out;
    for (const OrientedParticle& p : w.coats->world().coat(coat).particles()) {
        out.push_back(p.position);
    }
    return out;
}

}  // namespace

TEST_CASE("a soft body rests while another one far away still moves") {
    SoftWorld w;
    w.add_ground(0.7);
    w.add_soft(at(0, 0.021), 0.7);
    const ObjectId moving = w.add_soft(at(1, 0.021), 0.7, true);
    w.drives->add({.body = w.sim->body(moving),
                   .options = {.phases = {{.time = 0.0, .velocity = Vec3(0, 0.05, 0)}}}},
                  *w.engine);
    w.start();
    REQUIRE(comes_to_rest(w, 0, 3.0));
    const std::vector<Vec3> places = places_of(w, 0);
    const std::uint64_t revision = w.coats->world().revision(0);
    const std::uint64_t moved = w.coats->world().revision(1);
    const double height = w.sim->motion(moving).pose_w.translation.y();
    for (int i = 0; i < 30; ++i) w.sim->step(1.0 / 60);
    CHECK(w.coats->world().is_coat_resting(0));
    CHECK(places_of(w, 0) == places);
    CHECK(w.coats->world().revision(0) == revision);
    CHECK(w.coats->world().revision(1) > moved);
    CHECK(w.sim->motion(moving).pose_w.translation.y() > height + 0.02);
    CHECK(std::isfinite(w.coats->longest_part()));
}

TEST_CASE("soft bodies near each other rest together and wake together") {
    SoftWorld w;
    w.add_ground(0.7);
    const ObjectId first = w.add_soft(at(0, 0.021), 0.7);
    w.add_soft(at(0.041, 0.021), 0.7);
    w.add_soft(at(0.5, 0.021), 0.7);
    w.start();
    const auto rests = [&](std::size_t coat) { return w.coats->world().is_coat_resting(coat); };
    for (int i = 0; i < 600 && std::isfinite(w.coats->longest_part()); ++i) {
        w.sim->step(1.0 / 60);
        CHECK(rests(0) == rests(1));
    }
    REQUIRE_FALSE(std::isfinite(w.coats->longest_part()));
    w.engine->apply_impulse(w.sim->body(first), Vec3(0.3, 0, 0), Vec3(0, 0.02, 0));
    w.sim->step(1.0 / 60);
    CHECK_FALSE(rests(0));
    CHECK_FALSE(rests(1));
    CHECK(rests(2));
}

TEST_CASE("a soft body at rest wakes before what flies at it arrives") {
    for (const double speed : {2.0, 8.0}) {
        CAPTURE(speed);
        SoftWorld w;
        w.add_ground(0.7);
        const ObjectId soft = w.add_soft(at(0, 0.021), 0.7);
        const ObjectId ball = w.add_box(Vec3::Constant(0.03), 0.05, at(-3, 0.5), 0.5);
        w.engine->set_motion(w.sim->body(ball), at(-3, 0.5), Vec3::Zero(), Vec3::Zero());
        w.start();
        REQUIRE(comes_to_rest(w, 0, 3.0));
        // Along the ground, from where it is two and a half steps away.
        const double start = -0.035 - 2.5 * speed / 60;
        w.engine->set_motion(w.sim->body(ball), at(start, 0.02), Vec3(speed, 0.2, 0), Vec3::Zero());
        double deepest = -kInfinity;
        for (int i = 0; i < 30; ++i) {
            w.sim->step(1.0 / 60);
            const double x = w.sim->motion(ball).pose_w.translation.x();
            deepest =
                std::max(deepest, x + 0.015 - (w.sim->motion(soft).pose_w.translation.x() - 0.01));
        }
        CHECK_FALSE(w.coats->world().is_coat_resting(0));
        CHECK(deepest < 0.005);  // It never got far into the bone, let alone through it.
        CHECK(w.sim->motion(soft).pose_w.translation.x() > 1e-4);
    }
}

TEST_CASE("a driven soft body wakes those that it comes near, and no others") {
    SoftWorld w;
    w.add_ground(0.7);
    w.add_soft(at(0, 0.021), 0.7);
    w.add_soft(at(0.3, 0.021), 0.7);
    const ObjectId hand = w.add_soft(at(-0.2, 0.04), 0.7, true);
    w.drives->add({.body = w.sim->body(hand),
                   .options = {.phases = {{.time = 0.0, .velocity = Vec3::Zero()},
                                          {.time = 2.0, .velocity = Vec3(0.2, 0, 0)},
                                          {.time = 2.85, .velocity = Vec3::Zero()}}}},
                  *w.engine);
    w.start();
    for (int i = 0; i < 115; ++i) w.sim->step(1.0 / 60);
    REQUIRE(w.coats->world().is_coat_resting(0));
    REQUIRE(w.coats->world().is_coat_resting(1));
    const std::vector<Vec3> near = places_of(w, 0), far = places_of(w, 1);
    for (int i = 0; i < 60; ++i) w.sim->step(1.0 / 60);
    CHECK_FALSE(w.coats->world().is_coat_resting(0));
    CHECK(w.coats->world().is_coat_resting(1));
    CHECK(places_of(w, 1) == far);
    double moved = 0.0;
    for (std::size_t i = 0; i < near.size(); ++i) {
        moved = std::max(moved, (places_of(w, 0)[i] - near[i]).norm());
    }
    CHECK(moved > 0.002);
}

TEST_CASE("a saved state tells which soft bodies rest, and goes on with the same bits") {
    SoftWorld w;
    w.add_ground(0.7);
    w.add_soft(at(0, 0.021), 0.7);
    w.add_soft(at(1, 0.021), 0.7);
    w.start();
    REQUIRE(comes_to_rest(w, 0, 3.0));
    const std::string saved = w.coats->save();
    SoftWorld other;
    other.add_ground(0.7);
    other.add_soft(at(0, 0.021), 0.7);
    other.add_soft(at(1, 0.021), 0.7);
    other.start();
    CHECK_FALSE(other.coats->world().is_coat_resting(0));
    REQUIRE(other.coats->load(saved));
    CHECK(other.coats->world().is_coat_resting(0));
    CHECK(other.coats->save() == saved);
    CHECK(places_of(other, 0) == places_of(w, 0));
    CHECK_FALSE(other.coats->load("tissue 5\n" + saved.substr(9)));
}

TEST_CASE("soft bodies on top of each other come to rest where they lie") {
    for (const double beside : {0.0, 0.001, 0.002}) {
        CAPTURE(beside);
        SoftWorld w;
        w.add_ground(0.7);
        w.add_soft(at(0, 0.021), 0.7);
        const ObjectId upper = w.add_soft(at(beside, 0.0605, 0.3 * beside), 0.7);
        w.start();
        for (int i = 0; i < 30; ++i) w.sim->step(1.0 / 60);
        const Vec3 place = w.sim->motion(upper).pose_w.translation;
        CHECK(comes_to_rest(w, 1, 3.0));
        CHECK_FALSE(std::isfinite(w.coats->longest_part()));
        CHECK((w.sim->motion(upper).pose_w.translation - place).norm() < 0.001);
    }
}

TEST_CASE("a soft cube lies flat on the ground, where its skin says, and does not crawl") {
    const Vec3 size = Vec3::Constant(0.06);
    const TriMesh bone = make_solid({.kind = SolidKind::Box, .size = size}).value().surface;
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        for (const double stiffness : {5e4, 1e6}) {
            CAPTURE(seed);
            CAPTURE(stiffness);
            SoftWorld w;
            w.add_ground(0.7);
            TissueOptions options;
            options.thickness = 0.015;
            options.stiffness = stiffness;
            options.seed = seed;
            const ObjectId id = w.add_box(size, 0.2, at(0, 0.0455), 0.7);
            w.coats->add(make_soft_coat(bone, options, 0.2).value(), w.sim->body(id));
            w.start();
            CHECK(comes_to_rest(w, 0, 3.0));
            const Transform pose = w.sim->motion(id).pose_w;
            CHECK(test::near(pose.translation.y(), 0.045, 0.02));
            CHECK(std::hypot(pose.translation.x(), pose.translation.z()) < 0.002);
            CHECK(pose.direction(Vec3::UnitY()).y() > std::cos(0.03));
        }
    }
}

TEST_CASE("a nearly rigid coat of three layers stays where it lies") {
    for (const double stiffness : {1e8, 1e10, 1e12}) {
        CAPTURE(stiffness);
        SoftWorld w;
        w.add_ground(0.7);
        TissueOptions options;
        options.thickness = 0.03;
        options.layers = 3;
        options.stiffness = stiffness;
        const Vec3 size = Vec3::Constant(0.05);
        const TriMesh bone = make_solid({.kind = SolidKind::Box, .size = size}).value().surface;
        const ObjectId id = w.add_box(size, 0.13, at(0, 0.0555), 0.7);
        w.coats->add(make_soft_coat(bone, options, 0.13).value(), w.sim->body(id));
        w.start();
        for (int i = 0; i < 180; ++i) w.sim->step(1.0 / 60);
        const BodyMotion motion = w.sim->motion(id);
        CHECK((motion.pose_w.translation - Vec3(0, 0.055, 0)).norm() < 0.003);
        CHECK(motion.spin_w.norm() < 0.3);
    }
}
