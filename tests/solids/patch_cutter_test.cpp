// SPDX-License-Identifier: MIT
#include <ductile/solids/patch_cutter.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace ductile;

namespace {

std::vector<double> line(int parts) {
    std::vector<double> knots;
    for (int i = 0; i <= parts; ++i) knots.push_back(2.0 * i / parts - 1.0);
    return knots;
}

// The unit sphere, as the image of a cube.
PatchCutter sphere(int parts) {
    const std::vector<double> knots[3] = {line(parts), line(parts), line(parts)};
    return PatchCutter(knots, [](const Vec3& p) { return Vec3(p.normalized()); });
}

std::vector<Triangle> triangles_of(const PatchCutter& patch) {
    std::vector<Triangle> list;
    for (const PatchCutter::Face& face : patch.faces()) list.push_back(face.corners);
    return list;
}

double area(const PatchCutter& patch) {
    double sum = 0.0;
    for (const Triangle& t : triangles_of(patch)) {
        sum += 0.5 * area_vector(patch.points(), t).norm();
    }
    return sum;
}

double polar_cap(const Vec3& p) { return std::acos(std::clamp(p.y(), -1.0, 1.0)) - 0.7; }
double strip(const Vec3& p) { return p.x() + 0.31 * p.z() - 0.2; }

}  // namespace

TEST_CASE("a cut surface stays closed, outward and on the shape") {
    PatchCutter patch = sphere(12);
    patch.refine(polar_cap, 0.13);
    CHECK(is_closed(triangles_of(patch)));
    patch.cut(polar_cap);
    patch.cut(strip);
    CHECK(is_closed(triangles_of(patch)));
    for (const Vec3& p : patch.points()) CHECK(test::near(p.norm(), 1.0));
    for (const Triangle& t : triangles_of(patch)) {
        CHECK(area_vector(patch.points(), t).dot(patch.points()[t[0]]) > 0.0);
    }
}

TEST_CASE("after a cut no face lies on both sides of the line") {
    PatchCutter patch = sphere(10);
    patch.cut(polar_cap);
    patch.cut(strip);
    for (const auto& outline : {polar_cap, strip}) {
        for (const Triangle& t : triangles_of(patch)) {
            double low = 0.0, high = 0.0;
            for (std::int32_t v : t) {
                low = std::min(low, outline(patch.points()[v]));
                high = std::max(high, outline(patch.points()[v]));
            }
            // A vertex on the first line may count as on the second within 0.08 of an edge.
            CHECK(std::min(-low, high) < 0.02);
        }
    }
}

TEST_CASE("what is removed is what lies inside the outline") {
    PatchCutter patch = sphere(24);
    patch.cut(polar_cap);
    const double whole = area(patch);
    patch.remove(polar_cap);
    CHECK(!is_closed(triangles_of(patch)));
    const double cap = 2 * std::numbers::pi * (1 - std::cos(0.7));
    CHECK(test::near(whole - area(patch), cap, 0.01));
    std::vector<int> used(patch.points().size(), 0);
    for (const Triangle& t : triangles_of(patch)) {
        for (std::int32_t v : t) used[v] = 1;
    }
    CHECK(std::count(used.begin(), used.end(), 0) == 0);
}
