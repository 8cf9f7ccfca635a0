// SPDX-License-Identifier: MIT
#include <ductile/geom/mass.h>
#include <ductile/geom/repair/check_asset.h>
#include <ductile/geom/repair/split_edges.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/repair/split_laws.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("split edges leave the shape closed, its area and volume what they were") {
    const TriMesh mesh = test::sphere_mesh(1.0, 2);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::vector<MeshEdge> edges = some_edges(mesh, seed);
        const SplitMesh split = split_edges(mesh, edges);
        CHECK(is_closed(split.mesh.triangles));
        CHECK(split.mesh.points.size() == mesh.points.size() + edges.size());
        CHECK(split.mesh.triangles.size() == mesh.triangles.size() + 2 * edges.size());
        CHECK(test::near(volume(split.mesh.points, split.mesh.triangles),
                         volume(mesh.points, mesh.triangles), 1e-13));
        for (std::size_t f = 0; f < split.sources.size(); ++f) {
            const Vec3 whole = area_vector(mesh.points, mesh.triangles[split.sources[f]]);
            const Vec3 part = area_vector(split.mesh.points, split.mesh.triangles[f]);
            CHECK(part.normalized().dot(whole.normalized()) > 1 - 1e-12);
        }
    }
}

TEST_CASE("no marked edge leaves a mesh as it was") {
    const TriMesh mesh = test::sphere_mesh(1.0, 1);
    const SplitMesh split = split_edges(mesh, {});
    CHECK(split.mesh.points == mesh.points);
    CHECK(split.mesh.triangles == mesh.triangles);
}

TEST_CASE("a split asset is whole, and what is drawn stays where it was") {
    for (const SolidKind kind : {SolidKind::Sphere, SolidKind::Box, SolidKind::Barrel}) {
        const SurfaceAsset asset = make_solid({.kind = kind}).value();
        const SurfaceAsset split = split_edges(asset, some_edges(asset.surface, 7));
        CHECK(check_asset(split).ok());
        CHECK(split.render.triangles.size() > asset.render.triangles.size());
        CHECK(split.render.looks.size() == asset.render.looks.size());
        CHECK(test::near(volume(split.render.points, split.render.triangles),
                         volume(asset.render.points, asset.render.triangles), 1e-12));
        for (std::size_t v = 0; v < split.anchors.size(); ++v) {
            Vec3 at = Vec3::Zero();
            for (int k = 0; k < 3; ++k) {
                at +=
                    split.anchors[v].weights[k] * split.surface.points[split.anchors[v].points[k]];
            }
            CHECK((at - split.render.points[v]).norm() < 1e-12);
        }
    }
}

TEST_CASE("an asset without texture coordinates splits like any other") {
    SurfaceAsset asset = make_solid({.kind = SolidKind::Sphere}).value();
    const std::vector<MeshEdge> edges = some_edges(asset.surface, 3);
    const SurfaceAsset expected = split_edges(asset, edges);
    asset.render.uvs.clear();
    const SurfaceAsset split = split_edges(asset, edges);
    CHECK(check_asset(split).ok());
    CHECK(split.render.uvs.empty());
    CHECK(split.render.points == expected.render.points);
    CHECK(split.render.triangles == expected.render.triangles);
}

TEST_CASE("a split mesh has whole seams, no gap, and the light it had" *
          doctest::test_suite("long")) {
    for (const SolidKind kind :
         {SolidKind::Barrel, SolidKind::Sphere, SolidKind::Box, SolidKind::Beam}) {
        SurfaceAsset asset = make_solid({.kind = kind}).value();
        REQUIRE(!asset.render.uvs.empty());
        REQUIRE(loose_edges(asset) == 0);
        const ShadingWitness light(asset);
        std::size_t on_seams = 0;
        for (std::uint64_t round = 0; round < 4; ++round) {
            on_seams += check_split(asset, some_edges(asset.surface, round));
        }
        CHECK(on_seams > 10);
        CHECK(light.most_turned_deg(asset) < 1e-6);
    }
}
