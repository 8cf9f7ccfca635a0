// SPDX-License-Identifier: MIT
#include <ductile/geom/tri_mesh.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <limits>
#include <numeric>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

// Symmetric, along a common edge, never with itself.
bool is_consistent(std::span<const Triangle> triangles, std::span<const Triangle> neighbours) {
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = neighbours[f][k];
            if (g < 0) continue;
            const std::int32_t a = triangles[f][k], b = triangles[f][(k + 1) % 3];
            int back = 0;
            for (int n = 0; n < 3; ++n) {
                const std::int32_t c = triangles[g][n], d = triangles[g][(n + 1) % 3];
                const bool shared = (a == c && b == d) || (a == d && b == c);
                back += shared && neighbours[g][n] == static_cast<std::int32_t>(f);
            }
            if (back != 1 || g == static_cast<std::int32_t>(f)) return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("the box around points holds them tightly and is empty for none") {
    const std::vector<Vec3> points{{1, -2, 3}, {-1, 5, 0}, {0, 0, 9}};
    const Box box = bounds(points);
    CHECK(box.lower == Vec3(-1, -2, 0));
    CHECK(box.upper == Vec3(1, 5, 9));
    CHECK(bounds({}).is_empty());
}

TEST_CASE("normals of a cube's corners are its diagonals, however its faces are cut") {
    const TriMesh cube = box_mesh(Vec3(-1, -1, -1), Vec3(1, 1, 1));
    const std::vector<Vec3> normals = vertex_normals(cube.points, cube.triangles);
    for (std::size_t i = 0; i < normals.size(); ++i) {
        CHECK((normals[i] - cube.points[i].normalized()).norm() < 1e-15);
    }
}

TEST_CASE("normals of a fine sphere are its radii and turn with it") {
    const TriMesh sphere = sphere_mesh(2.0, 4);
    const std::vector<Vec3> normals = vertex_normals(sphere.points, sphere.triangles);
    Rng rng(1);
    const Transform pose{random_rotation(rng), Vec3(3, -7, 1)};
    const TriMesh turned = placed(sphere, pose);
    const std::vector<Vec3> turned_normals = vertex_normals(turned.points, turned.triangles);
    double worst = 0.0, worst_turned = 0.0;
    for (std::size_t i = 0; i < normals.size(); ++i) {
        raise_to(worst, (normals[i] - sphere.points[i] / 2.0).norm());
        raise_to(worst_turned, (turned_normals[i] - pose.direction(normals[i])).norm());
    }
    CHECK(worst < 0.02);
    CHECK(worst_turned < 1e-13);
}

TEST_CASE("a vertex without a usable face has a normal of unit length all the same") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0},   {2, 0, 0},
                                   {0, 0, 1}, {nan, 0, 0}, {9, 9, 9}};
    const std::vector<Triangle> triangles{
        {0, 1, 2},
        {0, 0, 1},
        {0, 1, 4},
        {0, 1, 3},
        {0, 3, 1}};  // a line, a double, NaN, a sheet seen from both sides
    for (const Vec3& n : vertex_normals(points, triangles)) CHECK(n == Vec3::UnitY());
}

TEST_CASE("vertex areas sum to the surface's area") {
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3));
    const std::vector<double> areas = vertex_areas(box.points, box.triangles);
    CHECK(test::near(std::accumulate(areas.begin(), areas.end(), 0.0), 22.0, 1e-14));
    CHECK(vertex_areas(box.points, std::span(box.triangles).first(1))[7] == 0.0);
}

TEST_CASE("the faces of a vertex are those that name it, each once, ascending") {
    TriMesh mesh = torus_mesh(1.0, 0.3, 9, 7);
    mesh.triangles.push_back({4, 4, 5});
    mesh.triangles.push_back({6, 4, 6});
    mesh.points.push_back(Vec3::Zero());  // named by nobody
    const VertexFaces around = vertex_faces(mesh.points.size(), mesh.triangles);
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        std::vector<std::int32_t> expected;
        for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
            const Triangle& t = mesh.triangles[f];
            if (std::find(t.begin(), t.end(), static_cast<std::int32_t>(v)) != t.end()) {
                expected.push_back(static_cast<std::int32_t>(f));
            }
        }
        const auto found = around[v];
        CHECK(std::vector(found.begin(), found.end()) == expected);
    }
}

TEST_CASE("on a closed surface every face has three neighbours, over the common edges") {
    for (const TriMesh& mesh : {box_mesh(Vec3::Zero(), Vec3::Ones()), sphere_mesh(1, 3),
                                torus_mesh(1, 0.2, 12, 5), prism_mesh(1, 1, 11)}) {
        const std::vector<Triangle> neighbours = face_neighbours(mesh.triangles);
        CHECK(is_consistent(mesh.triangles, neighbours));
        int borders = 0;
        for (const Triangle& n : neighbours) borders += std::count(n.begin(), n.end(), -1);
        CHECK(borders == 0);
        CHECK(is_closed(mesh.triangles));
    }
}

TEST_CASE("a surface with a hole, a flipped face, a fin or nothing at all is not closed") {
    const TriMesh sphere = sphere_mesh(1, 2);
    std::vector<Triangle> holed = sphere.triangles;
    holed.pop_back();
    CHECK_FALSE(is_closed(holed));
    int borders = 0;
    for (const Triangle& n : face_neighbours(holed)) borders += std::count(n.begin(), n.end(), -1);
    CHECK(borders == 3);

    std::vector<Triangle> flipped = sphere.triangles;
    std::swap(flipped[5][0], flipped[5][1]);
    CHECK_FALSE(is_closed(flipped));
    std::vector<Triangle> doubled = sphere.triangles;
    doubled.push_back({1, 1, 2});
    CHECK_FALSE(is_closed(doubled));
    CHECK_FALSE(is_closed({}));
    CHECK(is_closed(together(sphere, sphere_mesh(0.5, 1)).triangles));
}

TEST_CASE("two faces at an edge are neighbours even when their windings disagree") {
    const std::vector<Triangle> bent{{0, 1, 2}, {0, 1, 3}};
    const std::vector<Triangle> neighbours = face_neighbours(bent);
    CHECK(neighbours[0] == Triangle{1, -1, -1});
    CHECK(neighbours[1] == Triangle{0, -1, -1});
}

TEST_CASE("faces that share an edge by threes and fours pair with opposite windings") {
    const std::vector<Triangle> fin{{0, 1, 2}, {0, 1, 3}, {1, 0, 4}};
    CHECK(face_neighbours(fin)[0][0] == 2);
    CHECK(face_neighbours(fin)[1][0] == -1);
    const std::vector<Triangle> cross{{0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {1, 0, 5}};
    CHECK(face_neighbours(cross)[0][0] == 2);
    CHECK(face_neighbours(cross)[1][0] == 3);
    const std::vector<Triangle> fan{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
    for (const Triangle& n : face_neighbours(fan)) CHECK(n == Triangle{-1, -1, -1});
}

TEST_CASE("neighbourhood stays symmetric on random faces with doubles and fans") {
    Rng rng(7);
    std::vector<Triangle> faces;
    for (int i = 0; i < 400; ++i) {
        const auto pick = [&] { return static_cast<std::int32_t>(rng.next() % 12); };
        faces.push_back({pick(), pick(), pick()});
    }
    CHECK(is_consistent(faces, face_neighbours(faces)));
}

TEST_CASE("an index below zero or past the points is not valid") {
    CHECK(has_valid_indices(3, std::vector<Triangle>{{0, 1, 2}}));
    CHECK_FALSE(has_valid_indices(3, std::vector<Triangle>{{0, 1, 3}}));
    CHECK_FALSE(has_valid_indices(3, std::vector<Triangle>{{0, -1, 2}}));
    CHECK(has_valid_indices(0, {}));
}

TEST_CASE("normals brought up to date in places are those of all, bit for bit") {
    Rng rng(21);
    TriMesh mesh = together(sphere_mesh(1.0, 3), soup_mesh(rng, 40, 0.2));
    mesh.triangles.push_back({5, 5, 7});   // of no use
    mesh.points.push_back(Vec3(1, 2, 3));  // of no face
    const VertexFaces around = vertex_faces(mesh.points.size(), mesh.triangles);
    std::vector<Vec3> normals = vertex_normals(mesh.points, mesh.triangles);
    for (int round = 0; round < 40; ++round) {
        std::set<std::int32_t> turned;
        for (int i = 0; i < 5; ++i) {
            const auto v =
                static_cast<std::size_t>(rng.uniform() * static_cast<double>(mesh.points.size()));
            mesh.points[v] += random_vec(rng, 0.05);
            turned.insert(static_cast<std::int32_t>(v));
            for (const std::int32_t f : around[v]) {
                turned.insert(mesh.triangles[f].begin(), mesh.triangles[f].end());
            }
        }
        update_normals(mesh.points, mesh.triangles, around,
                       std::vector<std::int32_t>(turned.begin(), turned.end()), normals);
        CHECK(normals == vertex_normals(mesh.points, mesh.triangles));
    }
}

TEST_CASE("facets are as far off the ball as their middles, and flat ones not at all") {
    for (const double radius : {0.01, 3.0}) {
        const TriMesh ball = test::sphere_mesh(radius, 3);
        double mean = 0.0;
        for (const Triangle& t : ball.triangles) {
            const Vec3 middle = (ball.points[t[0]] + ball.points[t[1]] + ball.points[t[2]]) / 3.0;
            mean += (radius - middle.norm()) / static_cast<double>(ball.triangles.size());
        }
        CHECK(test::near(facet_height(ball.points, ball.triangles), mean, 0.3));
    }
    const TriMesh sheet =
        test::grid_mesh(4, 4, false, false, [](int i, int j) { return Vec3(i, 0.0, j); });
    CHECK(facet_height(sheet.points, sheet.triangles) < 1e-9);
    // Edges that are meant are none.
    const TriMesh box = test::box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    CHECK(facet_height(box.points, box.triangles) < 1e-9);
}
