// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/zone/ball_obstacles.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;

namespace {

RestingBall ball_on(const Vec3& position, const Vec3& normal, double radius) {
    RestingBall ball;
    ball.at = {position, normal};
    ball.centre = position + radius * normal;
    ball.lift = 1e-3;
    ball.radius = radius;
    return ball;
}

/// Balls on a wavy ground at y = 0, some of them below others' reach, under a cloud of vertices.
struct Cloud {
    Cloud() {
        Rng rng(12);
        for (int i = 0; i < 900; ++i) {
            vertices.push_back(1000 + i);
            places.push_back(Vec3{rng.uniform(-1, 1), rng.uniform(0.1, 0.4), rng.uniform(-1, 1)});
        }
        for (int i = 0; i < 700; ++i) {
            const Vec3 at{rng.uniform(-1, 1), 0.0, rng.uniform(-1, 1)};
            const Vec3 normal = Vec3(0.2 * test::random_vec(rng) + Vec3::UnitY()).normalized();
            balls.push_back(ball_on(at, normal, 0.03 + 0.06 * rng.uniform()));
        }
    }
    std::vector<std::int32_t> vertices;
    std::vector<Vec3> places;
    std::vector<RestingBall> balls;
};

}  // namespace

TEST_CASE("a ball has a blocker exactly if a look at every vertex finds one") {
    const Cloud cloud;
    const BallObstacles obstacles(cloud.vertices, cloud.places);
    std::vector<BallObstacles::BallAtVertex> balls;
    for (std::size_t i = 0; i < cloud.balls.size(); ++i) {
        balls.push_back({&cloud.balls[i], static_cast<std::int32_t>(1000 + i)});
    }
    const std::vector<std::int32_t> found = obstacles.find_blockers(balls);
    int free = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const RollingBall ball(*balls[i].ball, *balls[i].ball);
        const auto is_in = [&](std::size_t k) {
            return cloud.vertices[k] != balls[i].vertex && ball.holds(cloud.places[k]);
        };
        bool is_blocked = false;
        for (std::size_t k = 0; k < cloud.places.size(); ++k) is_blocked = is_blocked || is_in(k);
        CHECK((found[i] != BallObstacles::kNone) == is_blocked);
        if (found[i] != BallObstacles::kNone) CHECK(is_in(found[i]));
        free += !is_blocked;
    }
    CHECK(free > 50);
    CHECK(free < 650);
    const ThreadLimit two(2);
    CHECK(obstacles.find_blockers(balls) == found);
}

TEST_CASE("a slide ends where a look at every vertex ends it") {
    const Cloud cloud;
    const BallObstacles obstacles(cloud.vertices, cloud.places);
    std::vector<BallObstacles::Slide> slides;
    for (std::size_t i = 0; i + 1 < cloud.balls.size(); ++i) {
        slides.push_back(
            {&cloud.balls[i], &cloud.balls[i + 1], {1000, 1001}, BallObstacles::kNone, 0.9});
        if (i % 3 == 0) slides.back().known = static_cast<std::int32_t>(i);
    }
    std::vector<BallObstacles::Slide> asked = slides;
    obstacles.shorten(asked);
    int shortened = 0;
    for (std::size_t i = 0; i < slides.size(); ++i) {
        const RollingBall ball(*slides[i].from, *slides[i].to);
        double along = slides[i].along;
        for (std::size_t k = 2; k < cloud.places.size(); ++k) {
            along = ball.first_touch(cloud.places[k], along);
        }
        CHECK(asked[i].along == along);
        shortened += along > 0 && along < 0.9;
    }
    CHECK(shortened > 100);
}

TEST_CASE("vertices beside a slide do not end it, others do") {
    const RestingBall from = ball_on(Vec3::Zero(), Vec3::UnitY(), 1.0),
                      to = ball_on(Vec3(4, 0, 0), Vec3::UnitY(), 1.0);
    const BallObstacles obstacles({5, 6}, {Vec3(2, 1, 0), Vec3(3, 1, 0)});
    const std::vector<std::int32_t> beside = {5, 7};
    std::vector<BallObstacles::Slide> slides(2, {&from, &to, {1, 2}, 0, 1.0});
    slides[1].beside = beside;
    obstacles.shorten(slides);
    CHECK(test::near(slides[0].along, 0.25, 1e-6));
    CHECK(slides[0].met_beside == kInfinity);
    CHECK(test::near(slides[1].along, 0.5, 1e-6));
    CHECK(test::near(slides[1].met_beside, 0.25, 1e-6));
}

TEST_CASE("the share of the radius that is said to fit does, and is nearly the largest") {
    // One vertex straight above each of two balls, of radius 1: one may keep 0.4 of it.
    const std::vector<RestingBall> balls = {ball_on(Vec3::Zero(), Vec3::UnitY(), 1.0),
                                            ball_on(Vec3(10, 0, 0), Vec3::UnitY(), 1.0)};
    const BallObstacles obstacles({5, 6}, {Vec3(0, 0.5, 0), Vec3(10, 0.8, 0)});
    const std::vector<BallObstacles::BallAtVertex> at_vertices = {{&balls[0], 1}, {&balls[1], 2}};
    CHECK(test::near(obstacles.fitting_share(at_vertices), 0.4));
}
