// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_proxy.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/surface_query.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("a proxy brings a swallowed body's surface out") {
    const TriMesh soft = test::sphere_mesh(0.5, 5);
    const TriMesh rigid =
        test::placed(test::sphere_mesh(0.08, 3), {Quat::Identity(), Vec3(0.01, 0.35, 0.02)});
    CHECK(press(soft, rigid).report.zones == 0);
    for (const Vec3& direction : {Vec3(Vec3::Zero()), Vec3(0, 1, 0), Vec3(0.2, 1, 0)}) {
        const TriMesh proxy = press_proxy(soft, rigid, {direction}).value();
        CHECK(proxy.triangles == rigid.triangles);
        const Pressed p = press(soft, proxy, {.stiffness = 0.05, .extent = 0.3});
        CHECK(p.report.zones == 1);
        CHECK(p.report.fallbacks == 0);
        double lowest = kInfinity;
        for (std::size_t v = 0; v < p.points.size(); ++v) {
            if (p.zone[v] >= 0) lowest = std::min(lowest, p.points[v].y());
        }
        CHECK(lowest < (direction == Vec3::UnitY()
                            ? 0.31
                            : 0.37));  // it is pressed down to the body's far end
        std::size_t kept = 0;
        for (std::size_t v = 0; v < rigid.points.size(); ++v) {
            kept += proxy.points[v] == rigid.points[v];
        }
        CHECK(kept * 3 > rigid.points.size());
    }
    CHECK(press_proxy(soft, ground()).value().points == ground().points);
    CHECK_FALSE(press_proxy(soft, rigid, {Vec3(std::nan(""), 0, 0)}));
    CHECK_FALSE(press_proxy(soft, TriMesh{}));
}

TEST_CASE("with a direction nothing jumps when the last of a body goes in") {
    const TriMesh soft = test::sphere_mesh(0.5, 5);
    const auto pressed = [&](double height) {
        const TriMesh rigid =
            test::placed(test::sphere_mesh(0.08, 3), {Quat::Identity(), Vec3(0.01, height, 0.02)});
        const TriMesh proxy = press_proxy(soft, rigid, {Vec3::UnitY()}).value();
        return press(soft, proxy, {.stiffness = 0.05, .extent = 0.3});
    };
    // The body's top is at the surface where its centre is 0.08 below it.
    const double step = 1e-4, touch = 0.4194;
    for (int i = -3; i < 3; ++i) {
        const Pressed before = pressed(touch - i * step), after = pressed(touch - (i + 1) * step);
        double most = 0.0;
        for (std::size_t v = 0; v < soft.points.size(); ++v) {
            test::raise_to(most, (after.points[v] - before.points[v]).norm());
        }
        CHECK(before.report.zones == 1);
        CHECK(most < 50 * step);
    }
}

TEST_CASE("each part of a rigid surface has a proxy of its own, and apart nothing is drawn out") {
    const TriMesh soft = test::sphere_mesh(0.5, 5);
    const TriMesh one =
        test::placed(test::sphere_mesh(0.08, 3), {Quat::Identity(), Vec3(0, 0.35, 0)});
    const TriMesh other =
        test::placed(test::sphere_mesh(0.08, 3), {Quat::Identity(), Vec3(0.35, 0, 0)});
    TriMesh both = one;
    for (const Vec3& p : other.points) both.points.push_back(p);
    const auto first = static_cast<std::int32_t>(one.points.size());
    for (const Triangle& t : other.triangles) {
        both.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    const TriMesh drawn = press_proxy(soft, both).value();
    const std::vector<Vec3> alone = press_proxy(soft, one).value().points;
    const std::vector<Vec3> beside = press_proxy(soft, other).value().points;
    CHECK(std::equal(alone.begin(), alone.end(), drawn.points.begin()));
    CHECK(std::equal(beside.begin(), beside.end(), drawn.points.begin() + first));
    const TriMesh away = test::placed(one, {Quat::Identity(), Vec3(0, 3, 0)});
    CHECK(press_proxy(soft, away, {Vec3::UnitY()}).value().points == away.points);
}
