// SPDX-License-Identifier: MIT
// Edges and corners of rigid bodies press as round things do: at once, evenly, without a jump.
#include <ductile/deform/press/press.h>

#include <deform/press/sharp_shapes.h>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <algorithm>

using namespace ductile;

namespace {

constexpr double kSharpStep = 1e-3;  // Of bodies about half a metre across.

double farthest_apart(std::span<const Vec3> a, std::span<const Vec3> b) {
    double most = 0.0;
    for (std::size_t v = 0; v < a.size(); ++v) test::raise_to(most, (a[v] - b[v]).norm());
    return most;
}

}  // namespace

TEST_CASE("edges and corners press from the first vertex on, and a small step moves nothing far" *
          doctest::test_suite("long")) {
    const TriMesh soft =
        make_solid({.kind = SolidKind::Sphere, .size = Vec3::Ones(), .resolution = 0.08})
            .value()
            .surface;
    double most = 0.0;
    int unpressed_frames = 0, frames = 0;
    for (const test::SharpShape& shape : test::sharp_shapes()) {
        const PressRigid by = PressRigid::make(shape.mesh).value();
        for (const double stiffness : {0.05, 0.1, 0.25}) {
            const Presser presser =
                Presser::make(soft, {.options = {.stiffness = stiffness, .extent = 0.35}}).value();
            for (const int from : {60, 110, 150}) {
                Pressed last;
                for (int i = 0; i < 4; ++i) {
                    const Transform pose = shape.pressed_in(0.5, kSharpStep * (from + i));
                    Pressed now = presser.press(soft.points, by, pose).value();
                    ++frames;
                    unpressed_frames += now.report.overlaps > 0 && now.report.zones == 0;
                    const bool is_same = i > 0 && now.report.zones == last.report.zones &&
                                         now.report.overlaps == last.report.overlaps;
                    if (is_same) test::raise_to(most, farthest_apart(now.points, last.points));
                    last = std::move(now);
                }
            }
        }
    }
    CHECK(most < 50 * kSharpStep);
    CHECK(unpressed_frames < 0.02 * frames);
    MESSAGE("largest move over the rigid body's: ", most / kSharpStep,
            ", frames without a zone: ", unpressed_frames, " of ", frames);
}

TEST_CASE(
    "a small step moves nothing far where a blade is as wide as an edge or teeth end in a bar") {
    struct Frames {
        std::string name;
        double stiffness;
        int from, to;
    };
    const TriMesh soft =
        make_solid({.kind = SolidKind::Sphere, .size = Vec3::Ones(), .resolution = 0.05})
            .value()
            .surface;
    double most = 0.0;
    for (const Frames& frames : {Frames{"blade", 0.05, 121, 134},
                                 {"octahedron on an edge", 0.25, 165, 170},
                                 {"comb of three teeth", 0.1, 189, 190},
                                 {"comb of three teeth", 0.25, 189, 190}}) {
        const std::vector<test::SharpShape> shapes = test::sharp_shapes();
        const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                        [&](const auto& s) { return s.name == frames.name; });
        REQUIRE(shape != shapes.end());
        const PressRigid by = PressRigid::make(shape->mesh).value();
        const Presser presser =
            Presser::make(soft, {.options = {.stiffness = frames.stiffness, .extent = 0.35}})
                .value();
        Pressed last;
        for (int i = frames.from; i <= frames.to; ++i) {
            Pressed now =
                presser.press(soft.points, by, shape->pressed_in(0.5, kSharpStep * i)).value();
            if (i > frames.from) {
                CHECK(now.report.zones == last.report.zones);
                test::raise_to(most, farthest_apart(now.points, last.points));
            }
            last = std::move(now);
        }
    }
    CHECK(most < 50 * kSharpStep);
}

TEST_CASE("a symmetric edge presses a symmetric trench into a symmetric sheet") {
    constexpr int kHalf = 16;
    TriMesh sheet;
    for (int j = -kHalf; j <= kHalf; ++j) {
        for (int i = -kHalf; i <= kHalf; ++i) {
            sheet.points.emplace_back(0.75 * i / kHalf, 0.0, -0.75 * j / kHalf);
        }
    }
    const auto index = [](int i, int j) { return j * (2 * kHalf + 1) + i; };
    for (int j = 0; j < 2 * kHalf; ++j) {
        for (int i = 0; i < 2 * kHalf; ++i) {
            const int a = index(i, j), b = index(i + 1, j), c = index(i + 1, j + 1),
                      d = index(i, j + 1);
            // Diagonals are mirrored, too.
            if (i < kHalf) {
                sheet.triangles.insert(sheet.triangles.end(), {{a, b, c}, {a, c, d}});
            } else {
                sheet.triangles.insert(sheet.triangles.end(), {{a, b, d}, {b, c, d}});
            }
        }
    }
    const TriMesh beam =
        make_solid({.kind = SolidKind::Box, .size = Vec3(0.4, 0.4, 0.9), .resolution = 0.05})
            .value()
            .surface;
    const Quat on_edge(Eigen::AngleAxisd(kPi / 4, Vec3::UnitZ()));
    for (const double stiffness : {0.05, 0.25}) {
        for (const double depth : {0.03, 0.06, 0.12}) {
            const TriMesh edge =
                test::placed(beam, {on_edge, Vec3(1e-7, 0.2 * std::sqrt(2.0) - depth, 0)});
            const Pressed p =
                press_soft(sheet, edge, {.options = {.stiffness = stiffness, .extent = 0.35}})
                    .value();
            REQUIRE(p.report.zones == 1);
            double off = 0.0, lowest = 0.0;
            for (int j = 0; j <= 2 * kHalf; ++j) {
                for (int i = 0; i <= 2 * kHalf; ++i) {
                    const Vec3& one = p.points[index(i, j)];
                    Vec3 other = p.points[index(2 * kHalf - i, j)];
                    other.x() = -other.x();
                    test::raise_to(off, (one - other).norm());
                    lowest = std::min(lowest, one.y());
                }
            }
            CHECK(off < 2e-4);
            // The middle row of vertices lies on the edge itself.
            CHECK(lowest < -0.9 * depth);
        }
    }
}

TEST_CASE("an octahedron of eight triangles presses a ball as soon as a vertex is inside") {
    const TriMesh soft = test::sphere_mesh(0.5, 4), corner = test::sphere_mesh(0.5, 0);
    for (const double depth : {0.02, 0.1, 0.2}) {
        const TriMesh rigid =
            test::placed(corner, {Quat::Identity(), Vec3(0.001, 1.0 - depth, 0.002)});
        const Pressed p = press_soft(soft, rigid).value();
        REQUIRE(p.report.zones == 1);
        CHECK(p.report.fallbacks == 0);
        // The corner's own place is reached, and the volume kept.
        double lowest = kInfinity;
        for (std::size_t v = 0; v < p.points.size(); ++v) {
            if (p.zone[v] >= 0) lowest = std::min(lowest, p.points[v].y());
        }
        CHECK(lowest < 0.5 - 0.6 * depth);
        CHECK(std::abs(p.report.volume_change) < 0.02 * p.report.displaced_volume);
    }
}
