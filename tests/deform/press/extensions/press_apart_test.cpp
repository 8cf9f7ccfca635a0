// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_apart.h>
#include <ductile/deform/press/press.h>
#include <ductile/deform/press/press_residuals.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

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

/// A capsule of radius 0.1 m bent so that its halves stand beside each other, 2 cm apart.
TriMesh letter_u(double edge = 0.03) {
    constexpr double kBend = 0.11;  // radius of its middle line
    TriMesh u = test::solid_mesh(SolidKind::Capsule, Vec3(0.2, 1.4, 0.2), edge, Vec3::Zero());
    for (Vec3& p : u.points) {
        const double angle = std::clamp(p.y() / kBend, -0.5 * kPi, 0.5 * kPi);
        const double straight = p.y() - kBend * angle, out = kBend + p.x();
        p = Vec3(out * std::sin(angle), std::abs(straight) - out * std::cos(angle), p.z());
    }
    return u;
}

/// How many edges are longer than they were pressed freely, and than twice their length at rest.
int torn_edges(const TriMesh& rest, std::span<const Vec3> free, std::span<const Vec3> pressed) {
    int torn = 0;
    for (const Triangle& t : rest.triangles) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            const auto length = [&](std::span<const Vec3> p) { return (p[a] - p[b]).norm(); };
            torn += length(pressed) > 1.001 * std::max(length(free), 2.0 * length(rest.points));
        }
    }
    return torn;
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

TEST_CASE("the hole of a ring closes up to its axis, whatever bulges into it from all sides") {
    const TriMesh soft =
        test::placed(test::torus_mesh(0.3, 0.26, 48, 32), {Quat::Identity(), Vec3(0, 0.17, 0)});
    for (const double bulge : {1.0, 2.0, 3.0}) {
        CAPTURE(bulge);
        Pressed pressed = test::press(soft, test::ground(), {.bulge = bulge});
        const auto beyond_axis = [&] {
            int count = 0;
            for (std::size_t v = 0; v < soft.points.size(); ++v) {
                const Vec3 &p = soft.points[v], &q = pressed.points[v];
                count += p.x() * q.x() + p.z() * q.z() < 0;
            }
            return count;
        };
        CHECK(beyond_axis() > 0);
        CHECK(keep_parts_apart(soft.points, soft.triangles, pressed.zone, pressed.points) > 0);
        CHECK(beyond_axis() == 0);
        const PressResiduals left =
            press_residuals(soft.points, pressed.points, soft.triangles, pressed.zone,
                            SurfaceQuery(test::ground().points, test::ground().triangles), true);
        CHECK(left.self_crossings == 0);
        CHECK(left.folds == 0);
    }
}

TEST_CASE("legs of a U are stopped at each other, and nothing is torn beside") {
    const TriMesh soft = letter_u();
    const TriMesh wall = test::box_mesh({-1, -1, 0.05}, {1, 1, 0.35});
    for (const double bulge : {1.0, 2.0}) {
        CAPTURE(bulge);
        Pressed pressed = test::press(soft, wall, {.bulge = bulge});
        const std::vector<Vec3> free = pressed.points;
        CHECK(count_self_crossings(free, soft.triangles) > 0);
        CHECK(keep_parts_apart(soft.points, soft.triangles, pressed.zone, pressed.points) > 0);
        CHECK(count_self_crossings(pressed.points, soft.triangles) == 0);
        CHECK(torn_edges(soft, free, pressed.points) == 0);
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

TEST_CASE("what still crosses goes back by tenths, and out of the rigid body") {
    // A tip goes up through a contact that faces away from it, by a twentieth of its way.
    TriMesh soft;
    soft.points = {{-1, 1, -1},       {1, 1, -1},     {0, 1, 1}, {-0.1, -1.5, -0.1},
                   {0.1, -1.5, -0.1}, {0, -1.5, 0.1}, {0, -1, 0}};
    soft.triangles = {{0, 2, 1}, {3, 6, 4}, {4, 6, 5}, {5, 6, 3}, {3, 4, 5}};
    const std::vector<std::int32_t> zone = {0, 0, 0, -1, -1, -1, -1};
    const auto parted = [&](const NearestOutside& outside) {
        std::vector<Vec3> pressed = soft.points;
        for (int v = 0; v < 3; ++v) pressed[v].y() = 0.0;
        pressed[6].y() = 0.05;
        CHECK(keep_parts_apart(soft.points, soft.triangles, zone, pressed, outside) == 1);
        CHECK(pressed[0] == Vec3(-1, 0, -1));
        return pressed[6];
    };
    const Vec3 tip = parted({});
    CHECK(tip.y() < 0.0);
    CHECK(tip.y() > -0.105);
    const auto out_of = [](double low, double high) {
        return [=](const Vec3& p) {
            return p.y() < low || p.y() > high ? p : Vec3(0.3, p.y(), p.z());
        };
    };
    CHECK(parted(out_of(-1.0, 0.0)) == Vec3(0.3, tip.y(), 0));
    CHECK(parted(out_of(-1.0, 1.0)) == tip);  // It lay as deep before.
}

TEST_CASE("legs of a U that lie far in a wall are stopped at each other, and out of the wall") {
    const TriMesh soft = letter_u(0.02);
    const Presser presser = Presser::make(soft).value();
    for (const double deep : {0.08, 0.1}) {
        CAPTURE(deep);
        const TriMesh wall = test::box_mesh({-1, -1, 0.1 - deep}, {1, 1, 1.1 - deep});
        const PressRigid rigid = PressRigid::make(wall).value();
        Pressed pressed = presser.press(soft.points, rigid).value();
        Pressed free = pressed;
        presser.measure(soft.points, rigid, {}, free);
        measure_apart(presser, soft.points, rigid, {}, pressed);
        CHECK(free.report.left->self_crossings > 500);
        CHECK(pressed.report.left->self_crossings < 0.05 * free.report.left->self_crossings);
        CHECK(pressed.report.left->folds <= free.report.left->folds);
        CHECK(pressed.report.left->worst_stretch < free.report.left->worst_stretch);
        CHECK(pressed.report.left->depth_left < 1e-6);
    }
}

TEST_CASE("a U that is pressed at its bend is stopped in its crook, too") {
    const TriMesh soft = letter_u(0.02);
    const TriMesh box = test::solid_mesh(SolidKind::Box, Vec3::Constant(0.2), 0.02, {0, -0.2, 0});
    Pressed pressed = test::press(soft, box, {});
    CHECK(count_self_crossings(pressed.points, soft.triangles) > 100);
    CHECK(keep_parts_apart(soft.points, soft.triangles, pressed.zone, pressed.points) > 0);
    CHECK(count_self_crossings(pressed.points, soft.triangles) == 0);
}

TEST_CASE("what is parted is measured as it then is, with a note and the volume that it takes") {
    const TriMesh soft = two_balls(0.012);
    const Presser presser = Presser::make(soft).value();
    const PressRigid ground = PressRigid::make(test::ground()).value();
    Pressed pressed = presser.press(soft.points, ground).value();
    const double change = pressed.report.volume_change;
    const double free = volume(pressed.points, soft.triangles);
    measure_apart(presser, soft.points, ground, {}, pressed);
    REQUIRE(pressed.report.left);
    CHECK(pressed.report.left->self_crossings == 0);
    const double taken = volume(pressed.points, soft.triangles) - free;
    CHECK(taken < 0.0);
    CHECK(std::abs(pressed.report.volume_change - change - taken) < 1e-12);
    CHECK(std::count_if(pressed.report.notes.begin(), pressed.report.notes.end(), [](auto& note) {
              return note.find("points are stopped") != std::string::npos;
          }) == 1);
}

namespace {

/// Two balls that were lifted, one into the other: on their way they meet below 0.57 m.
struct Lifted {
    TriMesh soft = two_balls(0.012);
    Presser presser = Presser::make(soft).value();
    Pressed pressed = presser.press(soft.points, PressRigid::make(test::ground()).value()).value();
    Lifted() {
        const std::size_t half = soft.points.size() / 2;
        for (std::size_t v = 0; v < soft.points.size(); ++v) {
            pressed.points[v] = soft.points[v] + Vec3(v < half ? 0.0 : -0.05, 0.7, 0);
            pressed.zone[v] = -1;
        }
    }
};

}  // namespace

TEST_CASE("what parting would put into the rigid body comes to lie on it") {
    const PressRigid ground = PressRigid::make(test::ground()).value();
    const Transform raised{Quat::Identity(), Vec3(0, 0.57, 0)};
    Lifted lifted;
    const std::vector<Vec3> free = lifted.pressed.points;
    measure_apart(lifted.presser, lifted.soft.points, ground, raised, lifted.pressed);
    int on_ground = 0;
    for (std::size_t v = 0; v < free.size(); ++v) {
        const double y = lifted.pressed.points[v].y();
        CHECK(y > 0.57 - 1e-9);
        on_ground += std::abs(y - 0.57) < 1e-9;
    }
    CHECK(on_ground > 10);
    CHECK(lifted.pressed.report.left->depth_left < 1e-6);
    CHECK(lifted.pressed.report.left->self_crossings <
          count_self_crossings(free, lifted.soft.triangles));
}

TEST_CASE("parts stay in each other where edges between them would cut through the rigid body") {
    // Out of a ridge points go down its two sides.
    const TriMesh bar = test::box_mesh({-0.05, -0.05, -2}, {0.05, 0.05, 2});
    const PressRigid ridge = PressRigid::make(bar).value();
    const Transform pose{Quat(Eigen::AngleAxisd(0.25 * kPi, Vec3::UnitZ())),
                         Vec3(0.5, 0.65 - std::sqrt(0.005), 0)};
    Lifted lifted;
    const std::vector<Vec3> free = lifted.pressed.points;
    measure_apart(lifted.presser, lifted.soft.points, ridge, pose, lifted.pressed);
    CHECK(lifted.pressed.report.left->self_crossings > 0);
    CHECK(lifted.pressed.points == free);
}
