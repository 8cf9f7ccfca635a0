// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/impact/episodes.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <array>
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

/// Surfaces that answer what they are given, and keep what they were asked.
class Given final : public ImpactSurfaces {
public:
    double size(BodyId) const override { return 1.0; }
    double yield_speed(BodyId) const override { return yield; }
    std::int32_t owner(BodyId id) const override { return owners[id.value]; }
    std::optional<Footprint> footprint(const Touching& t) const override {
        asked[t.body.value] = t;
        return answers[t.body.value];
    }
    double yield = 0.0;
    std::array<std::int32_t, 2> owners = {0, 1};
    std::array<std::optional<Footprint>, 2> answers;
    mutable std::array<Touching, 2> asked;
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
        CHECK(impacts[0].friction_w == Vec3::Zero());
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

TEST_CASE("surfaces are asked about the moment of touch, each from its own side") {
    constexpr double kDelay = 0.004;
    EpisodeTracker tracker{ImpactOptions{}};
    ContactBatch batch = falling(3.0, 0.01, 1.0);
    batch.bodies[1].velocity_w.x() = 2.0;
    batch.bodies[1].pose_w.translation = {0, 0.3, 0};
    batch.contacts = {touching(Vec3(0.1, 0, 0), 3.0 * kDelay, 0.0)};
    Given surfaces;
    surfaces.answers[1] = {{{0.2, -0.3, 0}, {-0.2, -0.3, 0}}, {0, -0.3, 0}, {0, -1, 0}};
    const std::vector<Impact> impacts = tracker.update(std::span(&batch, 1), surfaces);
    REQUIRE(impacts.size() == 1);
    const Vec3 moved = kDelay * Vec3(2, -3, 0);  // of the body, until they touch
    for (int k = 0; k < 2; ++k) {
        const ImpactSurfaces::Touching& asked = surfaces.asked[k];
        const Vec3 on_it = k == 0 ? batch.contacts[0].point_a_w : batch.contacts[0].point_b_w;
        CHECK(asked.other == BodyId{1 - k});
        CHECK(asked.facing_w == (k == 0 ? Vec3(0, 1, 0) : Vec3(0, -1, 0)));
        CHECK((asked.shift_w - (k == 0 ? Vec3(-moved) : moved)).norm() < 1e-12);
        // The other stays where it stood.
        const Vec3 touch = k == 0 ? batch.contacts[0].point_b_w : batch.contacts[0].point_a_w;
        CHECK((asked.point_w - touch).norm() <= (on_it - touch).norm());
        CHECK(test::near(asked.radius, 0.1));
        CHECK(test::near(asked.window, 0.025 * 0.2));
    }
    // What does not know its surface has the places of the other, as they will be.
    REQUIRE(impacts[0].sides[0].starts_b.size() == 2);
    CHECK((impacts[0].sides[0].starts_b[0] - (Vec3(0.2, 0, 0) + moved)).norm() < 1e-12);
    CHECK((impacts[0].sides[1].starts_b[1] - Vec3(-0.2, -0.3, 0)).norm() < 1e-12);
}

TEST_CASE("the place lies between both footprints, the normal between engine and surfaces") {
    EpisodeTracker tracker{ImpactOptions{}};
    ContactBatch batch = falling(3.0, 0.01, 1.0);
    batch.bodies[1].spin_w = {0, 1, -4};
    batch.contacts = {touching(Vec3::Zero(), 0.0, 0.0)};
    const Vec3 slope = Vec3(1, 1, 0).normalized();
    Given surfaces;
    surfaces.answers[0] = {{{0.1, 0, 0}}, {0.1, 0, 0}, {0, 1, 0}};
    surfaces.answers[1] = {{{0.3, 0, 0.2}}, {0.3, 0, 0.2}, -slope};
    const std::vector<Impact> impacts = tracker.update(std::span(&batch, 1), surfaces);
    REQUIRE(impacts.size() == 1);
    const Impact& impact = impacts[0];
    const Vec3 normal = (Vec3(0, 2, 0) + slope).normalized(), place(0.2, 0, 0.1);
    const BodyMoment& body = batch.bodies[1];
    CHECK((impact.sides[0].normal_b - normal).norm() < 1e-12);
    CHECK((impact.sides[1].normal_b + normal).norm() < 1e-12);
    CHECK(impact.sides[0].point_b == Vec3(0.1, 0, 0));
    CHECK(impact.sides[1].point_b == Vec3(0.3, 0, 0.2));
    CHECK((impact.velocity_w + body.velocity_at(place)).norm() < 1e-12);
    CHECK(test::near(impact.approach_speed, -body.velocity_at(place).dot(normal)));
    CHECK(test::near(impact.effective_mass, 1 / body.response(place, normal)));
    CHECK(test::near(impact.damage_impulse, 1.2 * impact.effective_mass * impact.approach_speed));
}

TEST_CASE("a contact at any place that touches belongs to the impact") {
    ContactBatch batch = falling(3.0, 0.01, 1.0);
    for (int i = 0; i < 8; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 8;
        batch.contacts.push_back(
            touching(0.3 * Vec3(std::cos(angle), 0, std::sin(angle)), 0.0, 1.0));
        batch.contacts.back().friction_impulse_w = {0, 0, 0.5 * i};
    }
    EpisodeTracker tracker{ImpactOptions{}};
    const std::vector<Impact> impacts = tracker.update(std::span(&batch, 1), Ring());
    REQUIRE(impacts.size() == 1);
    CHECK((impacts[0].friction_w - Vec3(0, 0, 14.0 / 8)).norm() < 1e-12);
}

TEST_CASE("a push is what loads leave beyond impacts, their solver's excess and ten weights") {
    const double weights = 10 * kMass * 9.81 / 30;  // over the memory
    EpisodeTracker tracker{ImpactOptions{}};
    ContactBatch batch = falling(3.0, 0.01, 1.0);
    batch.contacts = {touching(Vec3::Zero(), 0.0, 1000.0)};
    std::vector<Impact> impacts = update(tracker, batch);
    REQUIRE(impacts.size() == 1);
    CHECK(test::near(impacts[0].damage_impulse, 1000 - 1.5 * 1.2 * kMass * 3.0 - weights));

    // Pushes fade, and what is added shows as growth.
    EpisodeTracker pressed{ImpactOptions{}};
    batch = falling(0.0, 0.01, 1.0);
    batch.contacts = {touching(Vec3::Zero(), 0.0, 100.0)};
    impacts = update(pressed, batch);
    REQUIRE(impacts.size() == 1);
    CHECK(test::near(impacts[0].damage_impulse, 100 - weights));
    batch.time += batch.dt;
    impacts = update(pressed, batch);
    REQUIRE(impacts.size() == 1);
    CHECK(test::near(impacts[0].previous_damage_impulse, 100 - weights));
    CHECK(test::near(impacts[0].damage_impulse, 100 * std::exp(-0.3) + 100 - weights));
}

TEST_CASE("loads while an impact that was told of goes on count once it is a press") {
    const double weights = 10 * kMass * 9.81 / 30, kept = std::exp(-0.3);
    EpisodeTracker tracker{ImpactOptions{}};
    const std::pair<double, double> steps[] = {{3.0, 0.0}, {2.9, 1000.0}, {0.0, 6.0}};
    double time = 1.0, pressed = 0.0;
    for (const auto& [speed, applied] : steps) {
        ContactBatch batch = falling(speed, 0.01, time += 0.01);
        batch.contacts = {touching(Vec3::Zero(), 0.0, applied)};
        for (const Impact& impact : update(tracker, batch)) pressed = impact.damage_impulse;
    }
    CHECK(test::near(pressed, 1000 * kept + 6 - 1.5 * 18 * kept * kept - weights));
}

TEST_CASE("an episode is forgotten after twice the memory") {
    for (const double pause : {0.06, 0.075}) {
        EpisodeTracker tracker{ImpactOptions{}};
        ContactBatch batch = falling(3.0, 0.01, 1.0);
        batch.contacts = {touching(Vec3::Zero(), 0.0, 0.0)};
        CHECK(update(tracker, batch).size() == 1);
        ContactBatch later = falling(2.0, 0.01, 1.01 + pause);
        later.contacts = batch.contacts;
        CHECK(update(tracker, later).size() == (pause > 2.0 / 30 ? 1 : 0));
    }
}

TEST_CASE("an impact goes on with the nearest episode of its pair") {
    for (const double at : {0.14, 0.16}) {
        EpisodeTracker tracker{ImpactOptions{}};
        std::vector<std::int64_t> known;
        for (const double x : {0.0, 0.3}) {
            ContactBatch batch = falling(1.0 + x, 0.001, 1.0 + 0.01 * x);
            batch.contacts = {touching(Vec3(x, 0, 0), 0.0, 0.0)};
            const std::vector<Impact> impacts = update(tracker, batch);
            REQUIRE(impacts.size() == 1);
            known.push_back(impacts[0].episode);
        }
        CHECK(known[0] < known[1]);
        ContactBatch batch = falling(5.0, 0.001, 1.005);
        batch.contacts = {touching(Vec3(at, 0, 0), 0.0, 0.0)};
        const std::vector<Impact> impacts = update(tracker, batch);
        REQUIRE(impacts.size() == 1);
        CHECK(impacts[0].episode == known[at > 0.15 ? 1 : 0]);
        CHECK(impacts[0].previous_damage_impulse > 0);
    }
}

TEST_CASE("episodes stay with the owner that comes first, and owners do not strike themselves") {
    // The body slides on with what touches; only in its own frame it is one place.
    for (const std::array<std::int32_t, 2> owners : {std::array{0, 1}, {5, 3}, {2, 2}}) {
        EpisodeTracker tracker{ImpactOptions{}};
        Given surfaces;
        surfaces.owners = owners;
        std::size_t reported = 0;
        for (int i = 0; i < 2; ++i) {
            ContactBatch batch = falling(3.0, 0.001, 1.0 + 0.001 * i);
            batch.bodies[1].pose_w.translation = {0.4 * i, 0, 0};
            batch.contacts = {touching(Vec3(0.4 * i, 0, 0), 0.0, 0.0)};
            reported += tracker.update(std::span(&batch, 1), surfaces).size();
        }
        CHECK(reported == (owners[0] == owners[1] ? 0 : owners[0] < owners[1] ? 2 : 1));
    }
}

TEST_CASE("what neither body can yield to is no impact") {
    for (const double yield : {2.9, 3.1, kInfinity}) {
        EpisodeTracker tracker{ImpactOptions{}}, pressed{ImpactOptions{}};
        ContactBatch batch = falling(3.0, 0.01, 1.0);
        batch.contacts = {touching(Vec3::Zero(), 0.0, 0.0)};
        Given surfaces;
        surfaces.yield = yield;
        CHECK(tracker.update(std::span(&batch, 1), surfaces).size() == (yield < 3.0 ? 1 : 0));
        batch.contacts[0].normal_impulse = 1e6;  // a press counts, unless both are rigid
        CHECK(pressed.update(std::span(&batch, 1), surfaces).size() == (yield < kInfinity ? 1 : 0));
    }
}

TEST_CASE("a turned world has turned impacts, one after the other as before") {
    const Quat turn(Eigen::AngleAxisd(2.1, Vec3(0.3, -0.5, 0.8).normalized()));
    for (const double mass : {0.001, 5.0}) {
        ContactBatch batch = falling(3.0, 0.02, 1.0);
        batch.bodies[1].inverse_mass = 1 / mass;
        batch.bodies[1].inverse_inertia_w = Vec3(30, 20, 40).asDiagonal() * (0.5 / mass);
        batch.contacts = {touching(Vec3(-0.45, 0, 0), -0.03, 0.0),
                          touching(Vec3(0.45, 0, 0.1), -0.01, 0.0)};
        ContactBatch turned = batch;
        for (BodyMoment& body : turned.bodies) {
            body.pose_w.rotation = turn * body.pose_w.rotation;
            body.centre_w = turn * body.centre_w;
            body.velocity_w = turn * body.velocity_w;
            const Mat3 r = turn.toRotationMatrix();
            body.inverse_inertia_w = r * body.inverse_inertia_w * r.transpose();
        }
        for (Contact& c : turned.contacts) {
            c.point_a_w = turn * c.point_a_w;
            c.point_b_w = turn * c.point_b_w;
            c.normal_w = turn * c.normal_w;
        }
        EpisodeTracker tracker{ImpactOptions{}}, other{ImpactOptions{}};
        const std::vector<Impact> plain = update(tracker, batch), same = update(other, turned);
        REQUIRE(plain.size() == 2);
        REQUIRE(same.size() == 2);
        for (std::size_t i = 0; i < 2; ++i) {
            CHECK(test::near(same[i].approach_speed, plain[i].approach_speed));
            CHECK(test::near(same[i].damage_impulse, plain[i].damage_impulse));
            CHECK((same[i].velocity_w - turn * plain[i].velocity_w).norm() < 1e-9);
            // Nothing but the approach made them.
            CHECK(test::near(plain[i].damage_impulse,
                             1.2 * plain[i].effective_mass * plain[i].approach_speed));
        }
        CHECK(plain[1].approach_speed > 3.0);
    }
}
