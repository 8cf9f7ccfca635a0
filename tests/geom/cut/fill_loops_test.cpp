// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/fill_loops.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

using LoopEdges = std::vector<LoopFiller::Edge>;

// A ring of points with edges around it, or back.
void add_ring(std::vector<Vec3>& points, LoopEdges& edges, const Vec3& centre, double radius,
              int count, bool is_hole) {
    const auto first = static_cast<std::int32_t>(points.size());
    for (int k = 0; k < count; ++k) {
        const double turn = 2 * kPi * k / count;
        points.push_back(centre + radius * Vec3(std::cos(turn), std::sin(turn), 0));
        const std::int32_t a = first + k, b = first + (k + 1) % count;
        edges.push_back(is_hole ? LoopFiller::Edge{b, a} : LoopFiller::Edge{a, b});
    }
}

double filled_area(const std::vector<Vec3>& points, const LoopEdges& edges) {
    LoopFiller filler;
    std::vector<Triangle> triangles;
    filler.fill(points, edges, Vec3::UnitZ(), triangles);
    double sum = 0.0;
    for (const Triangle& t : triangles) {
        const double twice = area_vector(points, t).z();
        CHECK(twice > 0);
        sum += 0.5 * twice;
    }
    return sum;
}

double ring_area(double radius, int count) {
    return 0.5 * count * radius * radius * std::sin(2 * kPi / count);
}

}  // namespace

TEST_CASE("outlines with holes are filled once, islands in holes too") {
    std::vector<Vec3> points;
    LoopEdges edges;
    add_ring(points, edges, Vec3::Zero(), 4.0, 24, false);
    double area = ring_area(4.0, 24);
    CHECK(test::near(filled_area(points, edges), area));
    for (const Vec3& centre : {Vec3(1.5, 1, 0), Vec3(-1.5, 1, 0), Vec3(0.1, -2, 0)}) {
        add_ring(points, edges, centre, 1.0, 11, true);
        area -= ring_area(1.0, 11);
        CHECK(test::near(filled_area(points, edges), area));
    }
    add_ring(points, edges, Vec3(1.5, 1, 0), 0.5, 7, false);
    area += ring_area(0.5, 7);
    CHECK(test::near(filled_area(points, edges), area));
    LoopFiller filler;
    CHECK(filler.outlines(points, edges, Vec3::UnitZ()).size() == 2);
}

TEST_CASE("corners on a straight line make no triangle without area") {
    std::vector<Vec3> points;
    LoopEdges edges;
    for (int k = 0; k < 20; ++k) points.emplace_back(k, 0, 0);
    points.emplace_back(19, 1, 0);
    points.emplace_back(0, 1, 0);
    for (std::int32_t k = 0; k < 22; ++k) edges.push_back({k, (k + 1) % 22});
    CHECK(test::near(filled_area(points, edges), 19.0));
}
