// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/bullet/ordered_solver.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A plank of `count` pieces side by side along x.
BodyDesc plank_desc(int count, const Vec3& size) {
    BodyDesc desc = piece_desc(size, 1000, Vec3::Zero());
    auto& pieces = std::get<PieceCollider>(desc.collider).pieces;
    pieces.clear();
    const double length = size.x() / count;
    for (int i = 0; i < count; ++i) {
        const Vec3 centre((i + 0.5) * length - 0.5 * size.x(), 0, 0);
        pieces.push_back({i, box_points({length, size.y(), size.z()}, centre)});
    }
    return desc;
}

/// How a plank leaves a slab that it strikes with a spin, having come there along its length.
BodyMotion strike(double came_from) {
    const auto engine = weightless();
    // Askew in its own frame, so that its box meets boxes of pieces long before they touch.
    const Quat slope(Eigen::AngleAxisd(0.6, Vec3::UnitZ()));
    BodyDesc slab = piece_desc({1.0, 0.2, 1.0}, 1000, Vec3::Zero());
    for (Vec3& p : std::get<PieceCollider>(slab.collider).pieces[0].points) p = slope * p;
    slab.motion = Motion::Static;
    REQUIRE(engine->add(slab).ok());
    const BodyId plank = engine->add(plank_desc(5, {1.0, 0.1, 0.2})).value();
    const auto place = [&](double along, double gap, double speed, const Vec3& spin) {
        const Vec3 centre = slope * Vec3(along, 0.15 + gap, 0.0);
        engine->set_motion(plank, {slope, centre}, slope * Vec3(0, -speed, 0), spin);
        engine->step(1.0 / 240);
    };
    for (int i = 8; i >= 0; --i) place(0.25 * i * came_from, 0.05, 0.0, Vec3::Zero());
    place(0.0, -0.001, 2.0, {0.5, 0.3, 2.0});
    return engine->motion(plank);
}

}  // namespace

TEST_CASE("how pieces came to touch has no say in how their contacts are solved") {
    const BodyMotion one = strike(1.0), other = strike(-1.0);
    CHECK(one.velocity_w.norm() > 0.01);
    CHECK(one.velocity_w == other.velocity_w);
    CHECK(one.spin_w == other.spin_w);
}

TEST_CASE("how far from the ground a step begins has no say in how high a ball bounces") {
    constexpr double kSpeed = 2.0, kDt = 1.0 / 1200, kRadius = 0.8;
    const double rounding = kBulletPrecisionHere == BulletPrecision::Double ? 1e-9 : 1e-5;
    for (const double restitution : {1.0, 0.5, 0.1}) {
        for (int phase = 0; phase < 24; ++phase) {
            CAPTURE(restitution);
            CAPTURE(phase);
            const double above = (2.0 + phase / 24.0) * kSpeed * kDt;
            const auto engine = weightless();
            BodyDesc slab = piece_desc({4.0, 0.8, 4.0}, 1000, {0, -0.4, 0});
            slab.motion = Motion::Static;
            slab.restitution = 1.0;
            std::get<PieceCollider>(slab.collider).margin = 0.0;
            REQUIRE(engine->add(slab).ok());
            BodyDesc ball = ball_desc(kRadius, 1000, {0.03, kRadius + above, 0.02});
            ball.velocity_w = {0.3, -kSpeed, 0.0};
            ball.restitution = restitution * restitution;  // the pair's is the root of the product
            ball.friction = 0.0;
            const BodyId id = engine->add(ball).value();
            for (int i = 0; i < 8; ++i) engine->step(kDt);
            const BodyMotion left = engine->motion(id);
            CHECK(test::near(left.velocity_w.y(), restitution * kSpeed, rounding));
            // It was at the ground when it should have been.
            const double since = 8 * kDt - above / kSpeed;
            const double height = left.centre_w.y() - kRadius;
            CHECK(std::abs(height - restitution * kSpeed * since) < rounding);
            CHECK(std::abs(left.centre_w.x() - (0.03 + 8 * kDt * 0.3)) < rounding);
        }
    }
}
