// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/sweeping_world.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr double kDt = 1.0 / 240;

Vec3 direction(Rng& rng) {
    const double up = rng.uniform(-1, 1), turn = rng.uniform(0, 2 * kPi),
                 out = std::sqrt(1 - up * up);
    return {out * std::cos(turn), up, out * std::sin(turn)};
}

BodyDesc small_box(const Vec3& size, const Vec3& centre) {
    BodyDesc d = ball_desc(0.01, 1000, centre);
    d.collider = BoxCollider{size};
    d.mass = box_mass(size, 1000);
    return d;
}

/// Two small bodies, balls, boxes, boxes of pieces or plates, that fly at each other.
std::vector<BodyDesc> small_pair(Rng& rng) {
    std::vector<BodyDesc> out;
    const Vec3 way = direction(rng);
    for (const double side : {-1.0, 1.0}) {
        const double size = rng.uniform(0.01, 0.05);
        const Vec3 centre = side * rng.uniform(0.1, 0.4) * way + 0.3 * size * direction(rng);
        BodyDesc d = ball_desc(0.5 * size, 2000, centre);
        switch (rng.next() % 4) {
            case 0:
                break;
            case 1:
                d = small_box(size * Vec3(1, 1.2, 1.5), centre);
                break;
            case 2:
                d = piece_desc(size * Vec3(2, 1, 1.6), 3000, centre);
                break;
            default:
                d = piece_desc(Vec3(0.2, 0.01, 0.15), 3000, centre);
                break;
        }
        d.pose_w.rotation = Quat(Eigen::AngleAxisd(rng.uniform(0, 3), direction(rng)));
        d.velocity_w = -side * rng.uniform(5, 60) * way + 2 * direction(rng);
        out.push_back(d);
    }
    return out;
}

struct Outcome {
    std::vector<BodyMotion> motions;
    int contacts = 0;
};

Outcome fly(std::vector<BodyDesc> bodies, const Vec3& drift, int steps) {
    const auto engine = weightless();
    std::vector<BodyId> ids;
    for (BodyDesc& d : bodies) {
        d.velocity_w += drift;
        ids.push_back(engine->add(d).value());
    }
    Outcome out;
    for (int i = 0; i < steps; ++i) {
        engine->step(kDt);
        for (const ContactBatch& batch : engine->batches()) {
            for (const Contact& c : batch.contacts) out.contacts += c.normal_impulse > 0 ? 1 : 0;
        }
    }
    for (const BodyId id : ids) {
        BodyMotion m = engine->motion(id);
        m.pose_w.translation -= drift * (steps * kDt);
        m.velocity_w -= drift;
        out.motions.push_back(m);
    }
    return out;
}

}  // namespace

TEST_CASE("small fast bodies meet in the same way whatever they all drift with") {
    constexpr int kPairs = 200;
    int met = 0, alike = 0;
    for (int seed = 1; seed <= kPairs; ++seed) {
        Rng rng(seed);
        const std::vector<BodyDesc> bodies = small_pair(rng);
        const Outcome still = fly(bodies, Vec3::Zero(), 30);
        const Outcome drifting = fly(bodies, {70, -40, 60}, 30);
        met += still.contacts > 0 ? 1 : 0;
        double apart = 0.0;  // [m/s]
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const BodyMotion &a = still.motions[i], &b = drifting.motions[i];
            apart = std::max(apart, (a.velocity_w - b.velocity_w).norm());
        }
        alike += apart <= tolerance(1e-6, 0.1) ? 1 : 0;
    }
    CHECK(met > 0.6 * kPairs);
    // Single precision places them within a hundredth of a millimetre: some that graze do not.
    CHECK(alike >= tolerance(0.99, 0.8) * kPairs);
}

TEST_CASE("what flies along with a small body does not stop it") {
    // Each goes several times its size in a step, one behind, beside and across the other's wake.
    const Outcome out = fly(
        [] {
            std::vector<BodyDesc> bodies{ball_desc(0.005, 1000, {0, 0, 0}),
                                         small_box({0.02, 0.02, 0.02}, {0.05, 0, 0}),
                                         piece_desc({0.05, 0.05, 0.05}, 1000, {0.2, 0.01, 0}),
                                         ball_desc(0.01, 1000, {0.1, 0.09, 0})};
            for (BodyDesc& d : bodies) d.velocity_w = {50, 0, 0};
            return bodies;
        }(),
        Vec3::Zero(), 20);
    CHECK(out.contacts == 0);
    for (const BodyMotion& m : out.motions) CHECK(m.velocity_w == Vec3(50, 0, 0));
}

TEST_CASE("two small bodies that meet keep their momentum and part as their restitutions say") {
    for (const double ratio : {1.0, 3.0}) {
        for (const double speed : {8.0, 40.0, 200.0}) {
            CAPTURE(ratio);
            CAPTURE(speed);
            const auto engine = weightless();
            BodyDesc a = ball_desc(0.01, 1000, {-0.3, 0, 0});
            BodyDesc b = ball_desc(0.01 * ratio, 1000, {0.3, 0, 0});
            a.velocity_w = {speed, 0, 0};
            b.velocity_w = {-speed, 0, 0};
            a.restitution = b.restitution = 0.5;
            const BodyId ids[] = {engine->add(a).value(), engine->add(b).value()};
            const Momentum before = momentum(*engine, ids);
            double nearest = kInfinity;
            for (int i = 0; i < 30; ++i) {
                engine->step(kDt);
                nearest = std::min(
                    nearest,
                    (engine->motion(ids[1]).centre_w - engine->motion(ids[0]).centre_w).x());
            }
            const Momentum after = momentum(*engine, ids);
            CHECK((after.linear - before.linear).norm() <= tolerance(1e-12, 1e-5) * before.scale);
            CHECK(nearest > 0.97 * 0.01 * (1 + ratio));
            const double parting =
                engine->motion(ids[1]).velocity_w.x() - engine->motion(ids[0]).velocity_w.x();
            CHECK(test::near(parting, 0.5 * 2 * speed, 0.02));
        }
    }
}
