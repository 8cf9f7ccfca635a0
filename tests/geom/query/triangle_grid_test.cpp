// SPDX-License-Identifier: MIT
#include <ductile/geom/query/triangle_grid.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

// How many of the points had an answer; each must be the tree's, bit for bit.
int compare(const TriMesh& mesh, std::span<const Vec3> points) {
    const TriangleGrid grid(mesh.points, mesh.triangles);
    const SurfaceQuery tree(mesh.points, mesh.triangles);
    int answers = 0;
    std::int32_t guess = -1;
    for (const Vec3& p : points) {
        const SurfacePoint expected = tree.closest_point(p);
        for (const std::int32_t g : {-1, guess}) {
            const std::optional<SurfacePoint> found = grid.closest_point(p, g);
            if (!found) continue;
            ++answers;
            REQUIRE(found->triangle == expected.triangle);
            REQUIRE(found->barycentric == expected.barycentric);
            REQUIRE(found->position == expected.position);
            REQUIRE(found->distance == expected.distance);
        }
        guess = expected.triangle;
    }
    return answers / 2;
}

// Points of the surface itself, corners and edges among them, and next to it.
std::vector<Vec3> points_near(const TriMesh& mesh, double spread, Rng& rng) {
    std::vector<Vec3> points = mesh.points;
    for (const Triangle& t : mesh.triangles) {
        const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
        points.push_back(0.5 * (a + b));
        points.push_back((a + b + c) / 3.0);
        points.push_back(0.3 * a + 0.1 * b + 0.6 * c + random_vec(rng, spread));
    }
    return points;
}

}  // namespace

TEST_CASE("near a surface a grid answers as a tree does, bit for bit") {
    Rng rng(1);
    const TriMesh torus = torus_mesh(1.0, 0.3, 40, 20);
    for (const double spread : {0.0, 1e-9, 1e-3}) {
        const std::vector<Vec3> points = points_near(torus, spread, rng);
        CHECK(compare(torus, points) == std::ssize(points));
    }
    const std::vector<Vec3> points = points_near(torus, 0.05, rng);
    CHECK(compare(torus, points) > 0.99 * static_cast<double>(points.size()));
    // Two sheets closer than a cell is wide, far from the origin.
    TriMesh wall = box_mesh({1000, 0, 0}, {1001, 1e-3, 1});
    compare(wall, points_near(wall, 1e-3, rng));
}

TEST_CASE("needles, flat faces and faces of very different size do not mislead a grid") {
    Rng rng(2);
    TriMesh soup;
    for (int i = 0; i < 400; ++i) {
        const Vec3 at = random_vec(rng, 1.0);
        const double size = std::pow(10.0, -4.0 * rng.uniform());
        const auto first = static_cast<std::int32_t>(soup.points.size());
        const Vec3 along = random_vec(rng, size);
        soup.points.insert(
            soup.points.end(),
            {at, at + along,
             i % 3 == 0 ? Vec3(at + 2.0 * along)
                        : Vec3(at + (i % 3 == 1 ? 1e-5 * size : size) * random_vec(rng, 1.0))});
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    const std::vector<Vec3> points = points_near(soup, 0.01, rng);
    CHECK(compare(soup, points) > std::ssize(points) / 2);
}

TEST_CASE("a grid visits all that overlaps a box, or says that it would be too much") {
    Rng rng(3);
    const TriMesh torus = torus_mesh(1.0, 0.3, 40, 20);
    const TriangleGrid grid(torus.points, torus.triangles);
    const SurfaceQuery tree(torus.points, torus.triangles);
    for (int i = 0; i < 100; ++i) {
        const Vec3 at = torus.points[7 * i];
        const Vec3 half = Vec3::Constant(0.03) + random_vec(rng, 0.02);
        std::set<std::int32_t> seen;
        const Box box{at - half, at + half};
        REQUIRE(grid.visit_near(box, [&](std::int32_t t) { seen.insert(t); }));
        for (const std::int32_t t : tree.overlapping(box)) REQUIRE(seen.count(t) == 1);
    }
    const Box all{Vec3::Constant(-9), Vec3::Constant(9)};
    CHECK_FALSE(grid.visit_near(all, [](std::int32_t) { FAIL("no call"); }));
}

TEST_CASE("a grid of nothing, and of one point, has no trouble") {
    CHECK_FALSE(TriangleGrid({}, {}).closest_point(Vec3(1, 2, 3)).has_value());
    const TriMesh dot{{Vec3(1, 1, 1)}, {{0, 0, 0}}};
    const TriangleGrid grid(dot.points, dot.triangles);
    CHECK(grid.closest_point(Vec3(1, 1, 3))->distance == 2.0);
}
