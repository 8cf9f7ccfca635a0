// SPDX-License-Identifier: MIT
#include <ductile/deform/press/zone/rolling_ball.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

using namespace ductile;

namespace {

constexpr double kBallRadius = 0.3;

RestingBall resting_ball(const Vec3& position, const Vec3& normal, double lift,
                         double radius = kBallRadius) {
    RestingBall ball;
    ball.at = {position, normal};
    ball.centre = position + radius * normal;
    ball.lift = lift;
    ball.radius = radius;
    return ball;
}

/// By how much p is in the ball and above its plane at a share of the way; negative if it is not.
double depth_at(const RestingBall& from, const RestingBall& to, double x, const Vec3& p) {
    const Vec3 centre = (1 - x) * from.centre + x * to.centre;
    const Vec3 low = (1 - x) * (from.at.position + from.lift * from.at.normal) +
                     x * (to.at.position + to.lift * to.at.normal);
    const Vec3 normal = (1 - x) * from.at.normal + x * to.at.normal;
    const double radius = (1 - x) * from.radius + x * to.radius;
    return std::min(radius - (p - centre).norm(), (p - low).dot(normal));
}

}  // namespace

TEST_CASE("a rolling ball meets a point where small steps along its way find it, and not before") {
    Rng rng(9);
    const Vec3 far(50, -20, 10);
    int met = 0;
    for (int round = 0; round < 60; ++round) {
        const Vec3 n0 = Vec3(0.3 * test::random_vec(rng) + Vec3::UnitY()).normalized();
        const Vec3 n1 = Vec3(0.1 * test::random_vec(rng) + n0).normalized();
        const RestingBall from = resting_ball(far, n0, 0.02 * rng.uniform());
        const Vec3 way = 0.1 * test::random_vec(rng);
        // Every other ball changes its size on the way, as painted stiffness makes it.
        const double growth = round % 2 == 0 ? 0.0 : 0.3 * way.norm() * rng.uniform(-1, 1);
        const RestingBall to =
            resting_ball(far + way, n1, 0.02 * rng.uniform(), kBallRadius + growth);
        const RollingBall ball(from, to);
        std::vector<Vec3> points(64);
        for (Vec3& p : points) p = from.centre + kBallRadius * 1.2 * test::random_vec(rng);
        const PointBlocks blocks(points);
        std::vector<std::uint8_t> may_meet(points.size(), 0);
        const RollingBall back(to, from);
        const std::array<RollingBall, 2> both = {ball, back};
        std::vector<std::int32_t> near;
        blocks.collect(RollingBall::BoxCull(both, std::array{1.0, 1.0}, blocks), near);
        const RollingBall::PointCull cull(ball, 1.0, blocks);
        for (const std::int32_t b : near) {
            for (unsigned left = cull(blocks.block(b)); left != 0; left &= left - 1) {
                may_meet[blocks.index(b, std::countr_zero(left))] = 1;
            }
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double found = ball.first_touch(points[i], 1.0);
            CHECK(ball.holds(points[i]) == (depth_at(from, to, 0.0, points[i]) > 0));
            double deepest = -kInfinity;
            for (double x = 0.0; x < found; x += 0.005) {
                test::raise_to(deepest, depth_at(from, to, x, points[i]));
            }
            CHECK(deepest <= 1e-8);
            if (!(found < 1.0)) continue;
            CHECK(depth_at(from, to, found, points[i]) > -1e-8);
            CHECK(may_meet[i] == 1);
            CHECK(ball.first_touch(points[i], 0.5 * found) == 0.5 * found);
            ++met;
        }
    }
    CHECK(met > 300);
}

TEST_CASE("on a plane no point of the plane is in a ball's way, rounding or not") {
    Rng rng(10);
    const Vec3 normal = Vec3(1, 2, 3).normalized(), side = any_perpendicular(normal);
    const Vec3 origin(3, -7, 11);
    const RestingBall from = resting_ball(origin, normal, 0.0);
    const RestingBall to = resting_ball(origin + 0.05 * side, normal, 0.0);
    const RollingBall ball(from, to);
    for (int i = 0; i < 200; ++i) {
        const double along = 0.2 * rng.uniform(-1, 1), across = 0.2 * rng.uniform();
        const Vec3 way = along * side + across * normal.cross(side);
        CHECK(ball.first_touch(origin + way, 1.0) == 1.0);
    }
}
