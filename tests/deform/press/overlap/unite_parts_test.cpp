// SPDX-License-Identifier: MIT
#include <ductile/deform/press/overlap/unite_parts.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/mesh_crossings.h>
#include <ductile/geom/query/surface_query.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

TriMesh beside(const TriMesh& a, const TriMesh& b) {
    TriMesh both = a;
    const auto first = static_cast<std::int32_t>(a.points.size());
    both.points.insert(both.points.end(), b.points.begin(), b.points.end());
    for (const Triangle& t : b.triangles) {
        both.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    return both;
}

TriMesh ball_of(double radius, const Vec3& at, int levels = 3) {
    return test::placed(test::sphere_mesh(radius, levels), {Quat::Identity(), at});
}

double volume_of(const TriMesh& mesh) { return volume(mesh.points, mesh.triangles); }

/// A surface is the union of two if it is closed and winds around what either does.
void check_union(const TriMesh& united, const TriMesh& a, const TriMesh& b) {
    CHECK(is_closed(united.triangles));
    const SurfaceQuery all(united.points, united.triangles), one(a.points, a.triangles),
        other(b.points, b.triangles);
    const Box box = all.box();
    for (int i = 0; i < 9; ++i) {
        for (int j = 0; j < 9; ++j) {
            for (int k = 0; k < 9; ++k) {
                const Vec3 share((i + 0.37) / 9, (j + 0.53) / 9, (k + 0.71) / 9);
                const Vec3 p = box.lower + share.cwiseProduct(box.upper - box.lower);
                CHECK(all.is_inside(p) == (one.is_inside(p) || other.is_inside(p)));
            }
        }
    }
}

}  // namespace

TEST_CASE("two balls that go through each other become one surface with their union's volume") {
    const TriMesh a = ball_of(0.5, Vec3::Zero(), 4), b = ball_of(0.4, Vec3(0.52, 0.03, 0.02), 4);
    const std::optional<TriMesh> united = unite_parts(beside(a, b));
    REQUIRE(united);
    check_union(*united, a, b);
    // Of two caps, by the distance of the plane that they meet in.
    const double d = Vec3(0.52, 0.03, 0.02).norm(), r = 0.5, s = 0.4;
    const double lens =
        kPi * std::pow(r + s - d, 2) * (d * d + 2 * d * (r + s) - 3 * (r - s) * (r - s)) / (12 * d);
    const double exact = 4.0 / 3.0 * kPi * (r * r * r + s * s * s) - lens;
    CHECK(test::near(volume_of(*united), exact, 0.02));
    CHECK(count_self_crossings(united->points, united->triangles) == 0);
}

TEST_CASE("boxes, rods through plates and parts that meet in planes unite exactly") {
    const TriMesh plate = test::box_mesh({-1, -0.1, -1}, {1, 0.1, 1});
    const TriMesh rod = test::box_mesh({-0.2, -1, -0.2}, {0.3, 1, 0.3});
    const std::optional<TriMesh> cross = unite_parts(beside(plate, rod));
    REQUIRE(cross);
    check_union(*cross, plate, rod);
    CHECK(test::near(volume_of(*cross), 0.8 + 0.5 - 0.05));
    const TriMesh step = test::box_mesh({-0.5, -0.1, -1}, {0.5, 0.4, 1});  // Shares three planes.
    if (const std::optional<TriMesh> stair = unite_parts(beside(plate, step))) {
        CHECK(is_closed(stair->triangles));
        CHECK(test::near(volume_of(*stair), 0.8 + 0.6));
    }
}

TEST_CASE("three parts unite in any order to the same body") {
    const TriMesh a = ball_of(0.5, Vec3::Zero()), b = ball_of(0.4, Vec3(0.5, 0.02, 0.1)),
                  c = ball_of(0.35, Vec3(0.25, 0.45, -0.03));
    const std::optional<TriMesh> one = unite_parts(beside(beside(a, b), c));
    const std::optional<TriMesh> two = unite_parts(beside(beside(c, a), b));
    REQUIRE(one);
    REQUIRE(two);
    CHECK(is_closed(one->triangles));
    CHECK(test::near(volume_of(*one), volume_of(*two), 1e-9));
}

TEST_CASE("parts apart, hollows and bodies within hollows stay as they are") {
    const TriMesh ball = ball_of(0.5, Vec3::Zero());
    CHECK_FALSE(unite_parts(ball));
    CHECK_FALSE(unite_parts(beside(ball, ball_of(0.3, Vec3(2, 0, 0)))));
    const TriMesh shell = beside(ball_of(0.6, Vec3::Zero()), test::inside_out(ball));
    CHECK_FALSE(unite_parts(shell));
    CHECK_FALSE(unite_parts(beside(shell, ball_of(0.1, Vec3::Zero()))));
}

TEST_CASE("what lies within another part is left out") {
    const TriMesh ball = ball_of(0.5, Vec3::Zero());
    const std::optional<TriMesh> left = unite_parts(beside(ball_of(0.1, Vec3::Zero()), ball));
    REQUIRE(left);
    CHECK(test::near(volume_of(*left), volume_of(ball)));
    CHECK(left->triangles.size() == ball.triangles.size());
}

TEST_CASE("open or inverted parts that go through others are not united") {
    const TriMesh ball = ball_of(0.5, Vec3::Zero());
    const TriMesh other = ball_of(0.4, Vec3(0.5, 0, 0));
    CHECK_FALSE(unite_parts(beside(ball, test::inside_out(other))));
    const TriMesh sheet = test::grid_mesh(
        4, 4, false, false, [](int i, int j) { return Vec3(0.3 * i - 0.7, 0.11, 0.3 * j - 0.71); });
    CHECK_FALSE(unite_parts(beside(ball, sheet)));
}

TEST_CASE("a soft body is pressed by parts that go through each other as by one") {
    const TriMesh soft =
        test::solid_mesh(SolidKind::Box, Vec3(1.6, 0.6, 1.6), 0.05, Vec3(0, -0.3, 0));
    const TriMesh left = ball_of(0.3, Vec3(-0.15, 0.22, 0.003), 4),
                  right = ball_of(0.3, Vec3(0.17, 0.22, 0.004), 4);
    const Presser presser = Presser::make(soft, {.options = {.stiffness = 0.06}}).value();
    const PressRigid rigid = PressRigid::make(beside(left, right)).value();
    Pressed pressed = presser.press(soft.points, rigid).value();
    CHECK(pressed.report.fallbacks == 0);
    CHECK(pressed.report.overlaps == 1);
    CHECK(pressed.report.zones >= 1);
    CHECK(pressed.report.notes.empty());
    presser.measure(soft.points, rigid, {}, pressed);
    CHECK(pressed.report.left->depth_left < 0.01);
    CHECK(rigid.mesh().points.size() == left.points.size() + right.points.size());
    // Moved apart and back, it answers as one made anew.
    TriMesh apart = beside(left, test::placed(right, {Quat::Identity(), Vec3(2, 0, 0)}));
    const PressRigid away = rigid.with_points(apart.points).value();
    const PressRigid back = away.with_points(beside(left, right).points).value();
    CHECK(presser.press(soft.points, back).value().points == pressed.points);
}
