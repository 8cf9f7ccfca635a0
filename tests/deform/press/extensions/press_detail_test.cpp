// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_detail.h>
#include <ductile/geom/mass.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("detail comes back beside the contact and is gone in it") {
    const TriMesh base = ball_at(0.4);
    std::vector<double> heights;
    for (const Vec3& p : base.points) {
        heights.push_back(0.01 * std::sin(40 * p.x()) * std::sin(40 * p.z()));
    }
    const PressDetail detail = detail_over(base, heights);
    const Pressed pressed = press(detail.base, ground(), {.extent = 0.6});
    const std::vector<Vec3> points = restore_detail(detail, pressed);
    double in_contact = 0.0, off = 0.0;
    std::size_t kept = 0;
    for (std::size_t v = 0; v < points.size(); ++v) {
        const double height = (points[v] - pressed.points[v]).norm();
        if (pressed.zone[v] >= 0) test::raise_to(in_contact, height);
        if (pressed.zone[v] < 0 && pressed.radial[v] >= 0.3) {
            test::raise_to(off, std::abs(height - std::abs(heights[v])));
        }
        kept += points[v] == detail.points[v];
    }
    CHECK(in_contact == 0.0);
    CHECK(off < 1e-12);
    CHECK(kept > points.size() / 4);
    SUBCASE("without an overlap it is the surface at rest, bit for bit") {
        const TriMesh above = test::placed(ground(), {Quat::Identity(), Vec3(0, -1, 0)});
        CHECK(restore_detail(detail, press(detail.base, above)) == detail.points);
    }
    SUBCASE("what is split off a surface and laid over it again is the surface") {
        const TriMesh rough{detail.points, base.triangles};
        const PressDetail split = split_detail(rough);
        CHECK(restore_detail(split, press(split.base, ground(), {.extent = 0.01})).size() ==
              rough.points.size());
        double rest = 0.0, size = 0.0;
        for (std::size_t v = 0; v < rough.points.size(); ++v) {
            test::raise_to(rest,
                           (split.base.points[v] + split.offsets[v] - rough.points[v]).norm());
            test::raise_to(size, split.offsets[v].norm());
        }
        CHECK(rest < 1e-15);
        CHECK(size > 0.004);  // the waves are in the offsets
        CHECK(std::abs(volume(split.base.points, base.triangles) /
                           volume(rough.points, rough.triangles) -
                       1.0) < 0.01);
    }
}
