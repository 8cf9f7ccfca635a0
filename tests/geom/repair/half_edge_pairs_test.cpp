// SPDX-License-Identifier: MIT
#include <ductile/geom/flatten/rigid_fit.h>
#include <ductile/geom/pieces/pieces.h>
#include <ductile/geom/query/collider_probe.h>
#include <ductile/geom/repair/half_edge_pairs.h>
#include <ductile/geom/solve/laplacian.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <set>

using namespace ductile;

TEST_CASE("on a closed surface every side meets one of opposite sense, and no point is split") {
    const TriMesh mesh = test::sphere_mesh(1.0, 2);
    const std::vector<std::uint8_t> all(mesh.triangles.size(), 1);
    HalfEdgePairs pairs = pair_half_edges(mesh.points, mesh.triangles, all);
    REQUIRE(pairs.across.size() == 3 * mesh.triangles.size());
    for (std::size_t s = 0; s < pairs.across.size(); ++s) {
        const HalfEdge side = static_cast<HalfEdge>(s), other = pairs.across[s];
        REQUIRE(other >= 0);
        CHECK(pairs.across[other] == side);
        CHECK(start_of(mesh.triangles, side) == end_of(mesh.triangles, other));
    }
    CHECK(pairs.patch_count == 1);
    CHECK(pairs.crowded.empty());
    const Fans fans = split_fans(mesh.points.size(), mesh.triangles, all, pairs);
    CHECK(fans.copy_of.empty());
    for (std::size_t s = 0; s < pairs.across.size(); ++s) {
        CHECK(fans.corner_points[s] == start_of(mesh.triangles, static_cast<HalfEdge>(s)));
    }
}

TEST_CASE("a face wound the wrong way round is flipped to fit the others") {
    TriMesh mesh = test::sphere_mesh(1.0, 1);
    std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
    const std::vector<std::uint8_t> all(mesh.triangles.size(), 1);
    const HalfEdgePairs pairs = pair_half_edges(mesh.points, mesh.triangles, all);
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        CHECK(int(pairs.is_flipped[f]) == (f == 5 ? 1 : 0));
    }
}

TEST_CASE("two sheets that touch in a point each get a point of their own") {
    const std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0),
                                      Vec3(0, -1, 0)};
    const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 3, 4}};
    const std::vector<std::uint8_t> all(2, 1);
    HalfEdgePairs pairs = pair_half_edges(points, triangles, all);
    CHECK(pairs.patch_count == 2);
    const Fans fans = split_fans(points.size(), triangles, all, pairs);
    CHECK(fans.copy_of == std::vector<std::int32_t>{0});
    CHECK(fans.corner_points[0] == 0);
    CHECK(fans.corner_points[3] == 5);
}

TEST_CASE("a flat mesh that is only turned asks the Laplacian for just where it is") {
    const TriMesh mesh =
        test::grid_mesh(4, 3, false, false, [](int i, int j) { return Vec3(i + 0.1 * j, j, 0); });
    const std::vector<Vec3> cotangents = half_cotangents(mesh.points, mesh.triangles);
    const RigidFit fit(mesh.points, mesh.triangles, cotangents);
    const Eigen::Rotation2Dd turn(0.7);
    std::vector<Vec2> flat, wanted(mesh.points.size(), Vec2::Zero()), right(mesh.points.size());
    for (const Vec3& p : mesh.points) flat.push_back(turn * Vec2(p.head<2>()) + Vec2(3, 4));
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            // Entry k belongs to the edge across from corner k.
            const std::int32_t a = mesh.triangles[f][(k + 1) % 3],
                               b = mesh.triangles[f][(k + 2) % 3];
            wanted[a] += cotangents[f][k] * (flat[a] - flat[b]);
            wanted[b] += cotangents[f][k] * (flat[b] - flat[a]);
        }
    }
    fit.pull(flat, 1.0, right);
    for (std::size_t v = 0; v < right.size(); ++v) CHECK((right[v] - wanted[v]).norm() < 1e-12);
}

TEST_CASE("samples of a collider are points and face centres, each with its face's side out") {
    const TriMesh mesh = test::sphere_mesh(1.0, 2);
    const SurfaceQuery surface(mesh.points, mesh.triangles);
    const std::vector<ColliderSample> all = collider_samples(surface, 0, 1);
    CHECK(all.size() == mesh.points.size() + mesh.triangles.size());
    for (const ColliderSample& s : all) {
        CHECK(s.normal.dot(s.position.normalized()) > 0.9);
        CHECK(s.face >= 0);
    }
    CHECK(collider_samples(surface, 1, 2).size() == all.size() / 2);
}
