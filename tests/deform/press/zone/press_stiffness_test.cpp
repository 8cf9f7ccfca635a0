// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press.h>
#include <ductile/deform/press/zone/press_stiffness.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <cstdlib>

using namespace ductile;

namespace {

double stiffness_of(SolidKind kind, const Vec3& size, double resolution) {
    return default_stiffness(RestSurface(test::solid_mesh(kind, size, resolution, Vec3(1, 2, 3))));
}

/// Of diameter 0.4, along y.
TriMesh rod() {
    return test::solid_mesh(SolidKind::Capsule, Vec3(0.4, 1.4, 0.4), 0.04, Vec3::Zero());
}
/// Along x, 0.08 deep in the first.
TriMesh rod_across() {
    TriMesh mesh = rod();
    for (Vec3& p : mesh.points) p = Vec3(p.y(), -p.x(), p.z() + 0.32);
    return mesh;
}
TriMesh rod_beside() {
    TriMesh mesh = rod();
    for (Vec3& p : mesh.points) p += Vec3(0.32, 0.02, 0.01);
    return mesh;
}

}  // namespace

TEST_CASE("the stiffness that a body gets by itself is a quarter of its thickness") {
    CHECK(test::near(stiffness_of(SolidKind::Sphere, Vec3::Ones(), 0.05), 0.25, 0.01));
    CHECK(test::near(stiffness_of(SolidKind::Capsule, Vec3(0.4, 1.4, 0.4), 0.05), 0.1, 0.03));
    CHECK(test::near(stiffness_of(SolidKind::Box, Vec3(1, 0.1, 1), 0.02), 0.025, 0.05));
    // A sheet has none: it gets a quarter of its size, as a ball does.
    const TriMesh sheet = test::grid_mesh(8, 8, false, false,
                                          [](int i, int j) { return Vec3(0.1 * i, 0.0, 0.1 * j); });
    CHECK(
        test::near(default_stiffness(RestSurface(sheet)), 0.25 * 0.8 * std::sqrt(2.0 / 3.0), 1e-9));
}

TEST_CASE("bumps on a body's surface change its own stiffness little") {
    TriMesh ball = test::solid_mesh(SolidKind::Sphere, Vec3::Ones(), 0.04, Vec3::Zero());
    Rng rng(4);
    for (Vec3& p : ball.points) p *= 1.0 + 0.005 * rng.uniform(-1, 1);
    CHECK(test::near(default_stiffness(RestSurface(ball)), 0.25, 0.1));
}

TEST_CASE("a small part that is meshed finely does not stand for the whole body") {
    const TriMesh ball = test::solid_mesh(SolidKind::Sphere, Vec3::Ones(), 0.1, Vec3::Zero());
    TriMesh both = ball;
    const TriMesh bead =
        test::solid_mesh(SolidKind::Sphere, Vec3::Constant(0.05), 0.002, Vec3(0, 0.45, 0));
    REQUIRE(bead.points.size() > 3 * ball.points.size());
    const auto first = static_cast<std::int32_t>(both.points.size());
    both.points.insert(both.points.end(), bead.points.begin(), bead.points.end());
    for (const Triangle& t : bead.triangles) {
        both.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    CHECK(test::near(default_stiffness(RestSurface(both)), default_stiffness(RestSurface(ball)),
                     0.05));
}

TEST_CASE("thin bodies are pressed without a word about stiffness") {
    const TriMesh slab =
        test::solid_mesh(SolidKind::Box, Vec3(1, 0.1, 1), 0.025, Vec3(0, -0.05, 0));
    const TriMesh ball =
        test::solid_mesh(SolidKind::Sphere, Vec3::Constant(0.3), 0.03, Vec3(0.013, 0.13, 0.007));
    for (const auto& [soft, rigid] :
         {std::pair(rod(), rod_across()), std::pair(rod(), rod_beside()), std::pair(slab, ball)}) {
        const Pressed p = press_soft(soft, rigid).value();
        CHECK(p.report.zones == 1);
        CHECK(p.report.fallbacks == 0);
        CHECK(p.report.contact_points > 3);
    }
}

TEST_CASE("where a ball fits nowhere, a stiffness that would do is named") {
    const auto press = [](double stiffness) {
        return press_soft(rod(), rod_across(), {{.stiffness = stiffness}}).value();
    };
    const Pressed none = press(0.3);
    REQUIRE(none.report.zones == 0);
    REQUIRE(none.report.notes.size() == 1);
    const std::string& note = none.report.notes[0];
    const std::string start = "a stiffness below ";
    const std::size_t at = note.find(start);
    REQUIRE(at != std::string::npos);
    const double named = std::atof(note.c_str() + at + start.size());
    CHECK(named > 0.1);
    CHECK(named < 0.21);
    CHECK(press(0.95 * named).report.zones >= 1);
}

TEST_CASE("a wide thin sheet is as thick as it is, however few of its points are looked at first") {
    for (const double resolution : {0.1, 0.04, 0.02}) {
        const RestSurface sheet(
            test::solid_mesh(SolidKind::Box, Vec3(2, 0.04, 2), resolution, Vec3::Zero()));
        // Half the radius of a ball of its thickness.
        CHECK(test::near(default_stiffness(sheet), 0.01, 0.01));
    }
}
