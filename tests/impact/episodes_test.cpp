// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/impact/episodes.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

class Sizes final : public ImpactSurfaces {
public:
    double size(BodyId id) const override { return 2.0 - id.value; }
    double yield_speed(BodyId) const override { return 0.0; }
    std::optional<Footprint> footprint(const Touching&) const override { return {}; }
};

/// The body (id 1) stands on a ring of radius 0.3 under its origin; the floor's surface is not
/// known.
class Ring final : public ImpactSurfaces {
public:
    double size(BodyId) const override { return 1.0; }
    double yield_speed(BodyId) const override { return 0.0; }
    std::optional<Footprint> footprint(const Touching& t) const override {
        if (t.body != BodyId{1}) return {};
        Footprint ring;
        for (int i = 0; i < 8; ++i) {
            const double angle = 2 * 3.14159265358979 * i / 8;
            ring.starts_b.push_back(0.3 * Vec3(std::cos(angle), 0, std::sin(angle)));
        }
        ring.normal_b = {0, -1, 0};
        return ring;
    }
};

constexpr double kMass = 5.0;

/// A floor (id 0) and a body (id 1) of 5 kg above it, falling with `speed`.
ContactBatch falling(double speed, double dt, double time) {
    ContactBatch batch;
    batch.dt = dt;
    batch.time = time;
    BodyMoment floor, body;
    floor.id = {0};
    body.id = {1};
    body.centre_w = {0, 0.3, 0};
    body.velocity_w = {0, -speed, 0};
    body.inverse_mass = 1 / kMass;
    body.inverse_inertia_w = Mat3::Identity() * 2.0;
    batch.bodies = {floor, body};
    return batch;
}

Contact touching(const Vec3& at, double gap, double impulse) {
    Contact c;
    c.a = 0;
    c.b = 1;
    c.point_a_w = at;
    c.point_b_w = at + Vec3(0, gap, 0);
    c.gap = gap;
    c.normal_impulse = impulse;
    c.restitution = 0.2;
    return c;
}

std::vector<Impact> update(EpisodeTracker& tracker, const ContactBatch& batch) {
    return tracker.update(std::span(&batch, 1), Sizes());
}

}  // namespace

TEST_CASE("an impact's damage impulse is (1 + e) m v, whatever the solver applied") {
    for (double applied : {0.0, 3.0, 30.0}) {
        EpisodeTracker tracker{ImpactOptions{}};
        ContactBatch batch = falling(3.0, 1.0 / 240, 1.0);
        batch.contacts = {touching(Vec3::Zero(), 0.0, applied)};
        const std::vector<Impact> impacts = update(tracker, batch);
        REQUIRE(impacts.size() == 1);
        CHECK(test::near(impacts[0].damage_impulse, 1.2 * kMass * 3.0, 1e-12));
        CHECK(impacts[0].previous_damage_impulse == 0.0);
        CHECK(test::near(impacts[0].approach_speed, 3.0));
        CHECK(test::near(impacts[0].effective_mass, kMass));
        CHECK(impacts[0].sides[0].size == 2.0);
        CHECK(impacts[0].sides[1].size == 1.0);
    }
}

TEST_CASE("an off-centre impact counts spin and the lever arm") {
    EpisodeTracker tracker{ImpactOptions{}};
    ContactBatch batch = falling(3.0, 1.0 / 240, 1.0);
    batch.bodies[1].spin_w = {0, 0, -4};  // the point at +x goes down by 4 * 0.2
    batch.contacts = {touching(Vec3(0.2, 0, 0), 0.0, 1.0)};
    const std::vector<Impact> impacts = update(tracker, batch);
    REQUIRE(impacts.size() == 1);
    CHECK(test::near(impacts[0].approach_speed, 3.8));
    CHECK(test::near(impacts[0].effective_mass, 1.0 / (1 / kMass + 2.0 * 0.04)));
}

TEST_CASE("an impact spread over many sub-steps is told of once, with its peak") {
    EpisodeTracker tracker{ImpactOptions{}};
    double reported = 0.0;
    int count = 0;
    for (int i = 0; i < 10; ++i) {
        ContactBatch batch = falling(3.0 - 0.3 * i, 0.001, 1.0 + 0.001 * i);
        batch.contacts = {touching(Vec3(0.001 * i, 0, 0), -0.001, 2.0)};
        for (const Impact& impact : update(tracker, batch)) {
            reported += impact.damage_impulse - impact.previous_damage_impulse;
            ++count;
        }
    }
    CHECK(count == 1);
    CHECK(test::near(reported, 1.2 * kMass * 3.0));
}

TEST_CASE("a growing impact is told of in parts that sum to its peak") {
    EpisodeTracker tracker{ImpactOptions{}};
    double reported = 0.0;
    for (int i = 0; i < 10; ++i) {
        ContactBatch batch = falling(1.0 + 0.5 * i, 0.001, 1.0 + 0.001 * i);
        batch.contacts = {touching(Vec3::Zero(), -0.001, 0.0)};
        for (const Impact& impact : update(tracker, batch)) {
            CHECK(test::near(impact.previous_damage_impulse, reported));
            reported += impact.damage_impulse - impact.previous_damage_impulse;
        }
    }
    CHECK(test::near(reported, 1.2 * kMass * 5.5));
}

TEST_CASE("the next impact, later or elsewhere, is an impact of its own") {
    EpisodeTracker tracker{ImpactOptions{}};
    ContactBatch batch = falling(3.0, 0.01, 1.0);
    batch.contacts = {touching(Vec3::Zero(), 0.0, 0.0)};
    CHECK(update(tracker, batch).size() == 1);
    ContactBatch elsewhere = falling(2.0, 0.01, 1.01);
    elsewhere.contacts = {touching(Vec3(0.4, 0, 0), 0.0, 0.0)};
    CHECK(update(tracker, elsewhere).size() == 1);
    ContactBatch later = falling(2.0, 0.01, 1.5);
    later.contacts = {touching(Vec3::Zero(), 0.0, 0.0)};
    CHECK(update(tracker, later).size() == 1);
    CHECK(tracker.open_episodes() == 1);
}

TEST_CASE("a flat landing is one impact with several starts, in any order of contacts") {
    std::vector<Contact> contacts;
    for (int i = 0; i < 24; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 24;
        contacts.push_back(touching(0.3 * Vec3(std::cos(angle), 0, std::sin(angle)), 0.0, 1.0));
    }
    Rng rng(3);
    std::vector<Impact> first;
    for (int k = 0; k < 5; ++k) {
        EpisodeTracker tracker{ImpactOptions{}};
        ContactBatch batch = falling(3.0, 0.01, 1.0);
        batch.contacts = contacts;
        const std::vector<Impact> impacts = tracker.update(std::span(&batch, 1), Ring());
        REQUIRE(impacts.size() == 1);
        CHECK(impacts[0].sides[1].starts_b.size() == 8);
        CHECK(impacts[0].sides[0].starts_b.size() == 8);
        CHECK(test::near(impacts[0].damage_impulse, 1.2 * kMass * 3.0));
        if (k == 0) first = impacts;
        CHECK(impacts[0].sides[1].starts_b == first[0].sides[1].starts_b);
        CHECK(impacts[0].damage_impulse == first[0].damage_impulse);
        for (std::size_t i = contacts.size() - 1; i > 0; --i) {
            std::swap(contacts[i], contacts[rng.next() % (i + 1)]);
        }
    }
}

TEST_CASE("the touch is found wherever in the step the engine saw it") {
    // A body moving down and sideways; the engine looks before, at, or after the touch.
    for (double delay : {-0.008, -0.003, 0.0, 0.004, 0.009}) {
        EpisodeTracker tracker{ImpactOptions{}};
        ContactBatch batch = falling(3.0, 0.01, 1.0);
        batch.bodies[1].velocity_w.x() = 2.0;
        const Vec3 body_now(-2.0 * delay, 3.0 * delay, 0);  // will be, or was, at the origin
        Contact c = touching(Vec3(body_now.x(), 0, 0), body_now.y(), 0.0);
        batch.contacts = {c};
        const std::vector<Impact> impacts = update(tracker, batch);
        REQUIRE(impacts.size() == 1);
        CHECK(impacts[0].sides[0].point_b.norm() < 1e-12);
    }
}

TEST_CASE("rest is no impact, at any rate, and a strong push is one") {
    for (double rate : {60.0, 240.0, 1000.0}) {
        EpisodeTracker tracker{ImpactOptions{}};
        const double dt = 1 / rate;
        std::size_t reported = 0;
        double pressed = 0.0;
        const auto lie = [&](double force, int steps, double from) {
            for (int i = 0; i < steps; ++i) {
                ContactBatch batch = falling(9.81 * dt, dt, from + i * dt);
                batch.bodies[1].force_gain_w = {0, -9.81 * dt, 0};
                batch.contacts = {touching(Vec3::Zero(), -0.0005, force * dt)};
                for (const Impact& impact : update(tracker, batch)) {
                    ++reported;
                    pressed = impact.damage_impulse;
                }
            }
        };
        lie(kMass * 9.81, static_cast<int>(rate), 0.0);
        CHECK(reported == 0);
        lie(100 * kMass * 9.81, static_cast<int>(rate), 1.0);
        CHECK(reported > 0);
        CHECK(test::near(pressed, 90 * kMass * 9.81 / 30, 0.3));
    }
}

TEST_CASE("the walls of a slot that a body is wedged in push nothing") {
    EpisodeTracker tracker{ImpactOptions{}};
    for (int i = 1; i <= 40; ++i) {
        ContactBatch batch = falling(0.0, 0.01, 0.01 * i);
        for (const double side : {-1.0, 1.0}) {
            Contact wall = touching({0.1 * side, 0, 0}, 0.0, 1000.0);
            wall.normal_w = {side, 0, 0};
            batch.contacts.push_back(wall);
        }
        CHECK(update(tracker, batch).empty());
    }
}

TEST_CASE("what a first impact stops is no second impact, what it turns in is one") {
    // A plank lands on one end; the other end comes down later in the same long step.
    ContactBatch batch = falling(3.0, 0.02, 1.0);
    batch.bodies[1].inverse_inertia_w = Mat3::Identity() * 2.0;  // a far end speeds up
    batch.contacts = {touching(Vec3(-0.45, 0, 0), -0.03, 0.0),
                      touching(Vec3(0.45, 0, 0), -0.01, 0.0)};
    EpisodeTracker tracker{ImpactOptions{}};
    const std::vector<Impact> slap = update(tracker, batch);
    REQUIRE(slap.size() == 2);
    CHECK(slap[1].approach_speed > 3.0);

    batch.bodies[1].inverse_inertia_w = Mat3::Identity() * 1e-6;  // all of it stops
    EpisodeTracker other{ImpactOptions{}};
    CHECK(update(other, batch).size() == 1);
}

TEST_CASE("forces of a sub-step count by how much of it was over at touch") {
    for (const double delay : {-0.05, 0.0, 0.025, 0.05}) {
        EpisodeTracker tracker{ImpactOptions{}};
        ContactBatch batch = falling(3.0, 0.1, 1.0);
        batch.bodies[1].force_gain_w = {0, -1, 0};  // of the 3 m/s
        batch.contacts = {touching(Vec3::Zero(), 3.0 * delay, 0.0)};
        const std::vector<Impact> impacts = update(tracker, batch);
        REQUIRE(impacts.size() == 1);
        CHECK(test::near(impacts[0].approach_speed, 2.0 + delay / 0.1));
        CHECK(test::within(impacts[0].delay, delay, 1e-12));
    }
}

TEST_CASE("friction is told by impulse along the normal, moment about the place") {
    ContactBatch batch = falling(3.0, 0.01, 1.0);
    batch.contacts = {touching(Vec3(-0.05, 0, 0), 0.0, 1.0),
                      touching(Vec3(0.05, 0, 0.03), 0.0, 3.0),
                      touching(Vec3(0.6, 0, 0), 0.0, 7.0)};  // elsewhere: no part of it
    batch.contacts[0].friction_impulse_w = {0.2, 0, 0};
    batch.contacts[1].friction_impulse_w = {0.6, 0.5, 0.4};
    batch.contacts[2].friction_impulse_w = {5, 5, 5};
    EpisodeTracker tracker{ImpactOptions{}};
    const std::vector<Impact> impacts = update(tracker, batch);
    REQUIRE(!impacts.empty());
    CHECK((impacts[0].friction_w - Vec3(0.8, 0, 0.4) / 4).norm() < 1e-12);
    CHECK((impacts[0].moment_w - Vec3(-0.09, 0, 0.3)).norm() < 1e-12);
}

TEST_CASE("places are spread out from the first, no nearer than the spacing") {
    using Chosen = std::vector<std::size_t>;
    std::vector<Vec3> places;
    for (int i = 0; i <= 10; ++i) places.push_back({0.1 * i, 0, 0});
    CHECK(spread_out(places, 0, 0.3, 3) == Chosen{0, 10, 5});
    CHECK(spread_out(places, 0, 0.6, 3) == Chosen{0, 10});
    CHECK(spread_out(places, 4, 0.1, 2) == Chosen{4, 10});
    CHECK(spread_out(places, 4, 0.0, 1) == Chosen{4});
    CHECK(spread_out(places, 0, 2.0, 9) == Chosen{0});
}
