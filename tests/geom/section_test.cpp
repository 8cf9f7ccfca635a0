// SPDX-License-Identifier: MIT
#include <ductile/geom/section.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/reason.h>

#include <cmath>

using namespace ductile;

namespace {

TriMesh section_mesh(SolidKind kind, const Vec3& size, double resolution) {
    Result<SurfaceAsset> made = make_solid({.kind = kind, .size = size, .resolution = resolution});
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    return std::move(made).value().surface;
}

PlasticSection section_of(const TriMesh& mesh, const SectionPlane& plane, double thickness = 0.0) {
    const auto made = plastic_section(mesh.points, mesh.triangles, plane, thickness);
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    return made.value();
}

void add_mesh(TriMesh& to, const TriMesh& from, bool is_flipped, const Vec3& by) {
    const auto first = static_cast<std::int32_t>(to.points.size());
    for (const Vec3& p : from.points) to.points.push_back(p + by);
    for (const Triangle& t : from.triangles) {
        const Triangle moved = {t[0] + first, t[1] + first, t[2] + first};
        to.triangles.push_back(is_flipped ? Triangle{moved[0], moved[2], moved[1]} : moved);
    }
}

}  // namespace

TEST_CASE("a box yields at a quarter of width times height squared, whichever way it lies") {
    TriMesh box = section_mesh(SolidKind::Box, {0.3, 2.0, 0.1}, 0.07);
    const Quat turn = Quat(0.7, 0.3, -0.5, 0.2).normalized();
    for (Vec3& p : box.points) p = turn * p + Vec3(3, -2, 1);
    const SectionPlane plane{turn * Vec3(0.01, 0.237, 0.02) + Vec3(3, -2, 1), turn * Vec3(0, 1, 0)};
    const PlasticSection s = section_of(box, plane);
    CHECK(test::near(s.area, 0.03, 1e-10));
    CHECK(test::near(s.weak_modulus, 0.3 * 0.1 * 0.1 / 4, 1e-6));
    CHECK(test::near(s.strong_modulus, 0.1 * 0.3 * 0.3 / 4, 1e-6));
    CHECK(std::abs(s.weak_axis.dot(turn * Vec3(1, 0, 0))) > 1.0 - 1e-6);
    CHECK(std::abs(s.strong_axis.dot(turn * Vec3(0, 0, 1))) > 1.0 - 1e-6);
    CHECK((s.centre - (turn * Vec3(0, 0.237, 0) + Vec3(3, -2, 1))).norm() < 1e-10);
}

TEST_CASE("a rod yields at four thirds of its radius cubed, a tube at what is left of that") {
    const double radius = 0.2, hole = 0.15;
    const TriMesh rod = section_mesh(SolidKind::Cylinder, {2 * radius, 1.0, 2 * radius}, 0.02);
    const PlasticSection s = section_of(rod, {Vec3(0, 0.11, 0), Vec3(0, 1, 0)});
    CHECK(test::near(s.area, kPi * radius * radius, 0.02));
    CHECK(test::near(s.weak_modulus, 4.0 / 3.0 * std::pow(radius, 3), 0.02));
    CHECK(test::near(s.strong_modulus, s.weak_modulus, 0.01));
    // A cavity: its surface looks inwards.
    TriMesh tube = rod;
    add_mesh(tube, section_mesh(SolidKind::Cylinder, {2 * hole, 0.9, 2 * hole}, 0.02), true,
             Vec3::Zero());
    const PlasticSection t = section_of(tube, {Vec3(0, 0.11, 0), Vec3(0, 1, 0)});
    const double closed = 4.0 / 3.0 * (std::pow(radius, 3) - std::pow(hole, 3));
    CHECK(test::near(t.weak_modulus, closed, 0.03));
}

TEST_CASE("sheet yields at its thickness: a thin tube at 4 r^2 t, a flat strip at b t^2 / 4") {
    const double r = 0.2, t = 0.002;
    const TriMesh tube = section_mesh(SolidKind::Cylinder, {2 * r, 1.0, 2 * r}, 0.02);
    const PlasticSection s = section_of(tube, {Vec3(0, 0.11, 0), Vec3(0, 1, 0)}, t);
    CHECK(test::near(s.area, 2 * kPi * r * t, 0.01));
    CHECK(test::near(s.weak_modulus, 4 * r * r * t, 0.02));
    TriMesh strip;
    strip.points = {{0, 0, 0}, {0.3, 0, 0}, {0.3, 2, 0}, {0, 2, 0}};
    strip.triangles = {{0, 1, 2}, {0, 2, 3}};
    const PlasticSection flat = section_of(strip, {Vec3(0.1, 1.1, 0), Vec3(0, 1, 0)}, t);
    CHECK(test::near(flat.area, 0.3 * t));
    CHECK(test::near(flat.weak_modulus, 0.3 * t * t / 4, 1e-6));
    CHECK(test::near(flat.strong_modulus, t * 0.3 * 0.3 / 4, 1e-6));
    CHECK(std::abs(flat.weak_axis.x()) > 1.0 - 1e-6);
}

TEST_CASE("the neutral axis halves the area: a T yields at its closed form") {
    // A flange of 0.2 x 0.02 above a web of 0.02 x 0.1, extruded.
    const Vec2 corners[] = {{-0.01, 0},  {0.01, 0},    {0.01, 0.1}, {0.1, 0.1},
                            {0.1, 0.12}, {-0.1, 0.12}, {-0.1, 0.1}, {-0.01, 0.1}};
    TriMesh bar;
    constexpr int kCorners = 8;
    for (const double z : {0.0, 1.0}) {
        for (const Vec2& c : corners) bar.points.push_back({c.x(), c.y(), z});
    }
    for (int k = 0; k < kCorners; ++k) {
        const int next = (k + 1) % kCorners;
        bar.triangles.push_back({k, next, next + kCorners});
        bar.triangles.push_back({k, next + kCorners, k + kCorners});
    }
    const PlasticSection s = section_of(bar, {Vec3(0, 0.11, 0.5), Vec3(0, 0, 1)});
    // Half of the area is 0.015 of the flange's height: the axis lies 0.005 above its lower side.
    CHECK(test::near(s.area, 0.006));
    const double closed = 0.2 * 0.015 * 0.0075 + 0.2 * 0.005 * 0.0025 + 0.002 * (0.005 + 0.05);
    CHECK(test::near(s.strong_modulus, 0.02 * 0.2 * 0.2 / 4 + 0.1 * 0.02 * 0.02 / 4));
    CHECK(test::near(s.weak_modulus, closed, 1e-6));
}

TEST_CASE("of several outlines the nearest counts, and bad sections are reported with a message") {
    TriMesh two = section_mesh(SolidKind::Box, {0.3, 1.0, 0.1}, 0.1);
    add_mesh(two, section_mesh(SolidKind::Box, {0.1, 1.0, 0.1}, 0.1), false, Vec3(1, 0, 0));
    const PlasticSection far = section_of(two, {Vec3(0.9, 0.02, 0), Vec3(0, 1, 0)});
    CHECK(test::near(far.area, 0.01));
    const PlasticSection near = section_of(two, {Vec3(0, 0.02, 0), Vec3(0, 1, 0)});
    CHECK(test::near(near.area, 0.03));
    const SectionPlane beside{Vec3(0, 3, 0), Vec3(0, 1, 0)};
    CHECK(!plastic_section(two.points, two.triangles, beside, 0.0).ok());
    TriMesh open;
    open.points = {{0, 0, 0}, {0.3, 0, 0}, {0.3, 2, 0}, {0, 2, 0}};
    open.triangles = {{0, 1, 2}, {0, 2, 3}};
    const SectionPlane across{Vec3(0, 1, 0), Vec3(0, 1, 0)};
    CHECK(!plastic_section(open.points, open.triangles, across, 0.0).ok());
}
