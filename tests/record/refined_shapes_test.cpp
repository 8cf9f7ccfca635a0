// SPDX-License-Identifier: MIT
#include <ductile/geom/repair/split_edges.h>
#include <ductile/record/refined_shapes.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

using namespace ductile;

namespace {

std::shared_ptr<const SurfaceAsset> asset_of(TriMesh mesh) {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = std::move(mesh);
    return asset;
}

/// A ball that took two more shapes: stretched, and stretched and moved.
RecordedBody deformed_ball() {
    RecordedBody body;
    body.asset = asset_of(test::sphere_mesh(1.0, 2));
    body.shapes.assign(3, body.asset->surface.points);
    for (Vec3& p : body.shapes[1]) p.y() *= 0.5;
    for (Vec3& p : body.shapes[2]) p = Vec3(p.x(), 0.25 * p.y(), p.z() + 1.0);
    return body;
}

}  // namespace

TEST_CASE("every shape of a refined body has the points of its mesh, the old ones unmoved") {
    RecordedBody body = deformed_ball();
    const RecordedBody before = body;
    const Triangle& t = body.asset->surface.triangles[7];
    const MeshEdge edge = {std::min(t[0], t[1]), std::max(t[0], t[1])};
    const SplitMesh split = split_edges(body.asset->surface, std::span(&edge, 1));
    const auto asset = asset_of(split.mesh);
    const PointParents parents[] = {{edge}};
    refine_shapes(asset, parents, body);
    CHECK(body.asset == asset);
    CHECK(body.shapes[0] == asset->surface.points);
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
        REQUIRE(body.shapes[s].size() == before.shapes[s].size() + 1);
        CHECK(std::equal(before.shapes[s].begin(), before.shapes[s].end(), body.shapes[s].begin()));
        const Vec3 middle = 0.5 * (before.shapes[s][edge[0]] + before.shapes[s][edge[1]]);
        CHECK(body.shapes[s].back() == middle);
    }
}

TEST_CASE("shapes before a skin bent them get the new points, too") {
    RecordedBody body = deformed_ball();
    body.unskinned = {{}, body.shapes[0]};
    std::vector<Vec3> points = body.asset->surface.points;
    const PointParents parents[] = {{{3, 5}, 0.25}};
    add_points_between(parents, points);
    refine_shapes(asset_of({points, body.asset->surface.triangles}), parents, body);
    CHECK(body.unskinned[0].empty());
    CHECK(body.unskinned_shape(1) == points);
    CHECK(body.unskinned_shape(2).size() == points.size());
}

TEST_CASE("a new point lies at its share of the way, and may have new points as parents") {
    std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(8, 0, 4)};
    const PointParents parents[] = {{{0, 1}, 0.25}, {{2, 1}, 0.5}, {{0, 1}, 1.0}};
    add_points_between(parents, points);
    REQUIRE(points.size() == 5);
    CHECK(points[2] == Vec3(2, 0, 1));
    CHECK(points[3] == Vec3(5, 0, 2.5));
    CHECK(points[4] == points[1]);
}

TEST_CASE("a body that took no shape of its own stays without one") {
    RecordedBody body;
    body.asset = asset_of(test::sphere_mesh(1.0, 1));
    std::vector<Vec3> points = body.asset->surface.points;
    const PointParents parents[] = {{{0, 1}}};
    add_points_between(parents, points);
    refine_shapes(asset_of({points, body.asset->surface.triangles}), parents, body);
    CHECK(body.shapes.empty());
    CHECK(body.asset->surface.points.size() == points.size());
}
