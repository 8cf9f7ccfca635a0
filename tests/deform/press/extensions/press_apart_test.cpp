// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_apart.h>
#include <ductile/deform/press/press.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

using namespace ductile;

namespace {

/// Two soft balls as one body, `gap` from each other.
TriMesh two_balls(double gap) {
    TriMesh both = test::ball_at(0.38);
    const auto first = static_cast<std::int32_t>(both.points.size());
    const TriMesh ball = both;
    for (const Vec3& p : ball.points) both.points.push_back(p + Vec3(1.0 + gap, 0.003, 0.002));
    for (const Triangle& t : ball.triangles) {
        both.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    return both;
}

}  // namespace

TEST_CASE("parts that bulge into each other are stopped where they meet") {
    const TriMesh soft = two_balls(0.012);
    Pressed pressed = test::press(soft, test::ground());
    CHECK(count_self_crossings(pressed.points, soft.triangles) > 0);
    const std::vector<Vec3> free = pressed.points;
    CHECK(keep_parts_apart(soft.points, soft.triangles, pressed.zone, pressed.points) > 0);
    CHECK(count_self_crossings(pressed.points, soft.triangles) == 0);
    for (std::size_t v = 0; v < free.size(); ++v) {
        const double way = (free[v] - soft.points[v]).norm();
        CHECK((pressed.points[v] - soft.points[v]).norm() <= way * (1 + 1e-9));
        if (pressed.zone[v] >= 0) CHECK(pressed.points[v] == free[v]);
    }
}

TEST_CASE("parts that do not meet keep every bit") {
    const TriMesh soft = two_balls(0.2);
    Pressed pressed = test::press(soft, test::ground());
    const std::vector<Vec3> free = pressed.points;
    CHECK(keep_parts_apart(soft.points, soft.triangles, pressed.zone, pressed.points) == 0);
    CHECK(pressed.points == free);
}

TEST_CASE("what went through the body before is not stopped") {
    // An eye in a head, and both go the same way.
    TriMesh eye = test::ball_at(0.0);
    for (Vec3& p : eye.points) p = 0.2 * p + Vec3(0.3, 0.05, 0.02);
    const TriMesh soft = test::together(test::ball_at(0.38), eye);
    REQUIRE(count_self_crossings(soft.points, soft.triangles) > 0);
    std::vector<Vec3> moved;
    for (const Vec3& p : soft.points) moved.push_back(p - Vec3(0, 0.01, 0));
    const std::vector<Vec3> free = moved;
    const std::vector<std::int32_t> zone(soft.points.size(), -1);
    CHECK(keep_parts_apart(soft.points, soft.triangles, zone, moved) == 0);
    CHECK(moved == free);
}
