// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/cut_asset.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/cut/cut_laws.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("pieces of a body's shape have its texture coordinates, normals and attributes") {
    SolidOptions options;
    options.kind = SolidKind::Cylinder;
    options.resolution = 0.15;
    SurfaceAsset asset = make_solid(options).value();
    asset.attributes.push_back({"height", {}});
    for (const Vec3& p : asset.surface.points) asset.attributes[0].values.push_back(p.y());
    const CutMesh cut = cut_by(asset.surface, pattern_of(PatternKind::Uniform, 12));
    Look inner;
    inner.name = "inside";
    const AssetCutter cutter(asset, cut, inner);
    CHECK(cutter.left_out() == 0);
    double drawn_area = 0.0;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(cut.pieces.size()); ++p) {
        const SurfaceAsset piece = cutter.make(std::span(&p, 1));
        CHECK(is_closed(piece.surface.triangles));
        REQUIRE(piece.render.normals.size() == piece.render.points.size());
        REQUIRE(piece.render.uvs.size() == piece.render.points.size());
        REQUIRE(piece.anchors.size() == piece.render.points.size());
        REQUIRE(piece.attributes[0].values.size() == piece.surface.points.size());
        const auto wall = static_cast<std::int32_t>(piece.render.looks.size()) - 1;
        CHECK(piece.render.looks[wall].name == "inside");
        std::vector<std::uint8_t> is_outside(piece.surface.points.size(), 0);
        for (std::size_t t = 0; t < piece.render.triangles.size(); ++t) {
            const Triangle& c = piece.render.triangles[t];
            const Vec3 vector = area_vector(piece.render.points, c);
            for (const std::int32_t v : c) {
                CHECK(test::near(piece.render.normals[v].norm(), 1.0));
                CHECK(piece.render.normals[v].dot(vector) > 0);
                if (piece.render.triangle_looks[t] != wall) {
                    is_outside[piece.anchors[v].points[0]] = 1;
                }
            }
            if (piece.render.triangle_looks[t] != wall) drawn_area += 0.5 * vector.norm();
        }
        for (std::size_t v = 0; v < is_outside.size(); ++v) {
            if (!is_outside[v]) continue;
            CHECK(test::within(piece.attributes[0].values[v], piece.surface.points[v].y(), 1e-12));
        }
    }
    double whole = 0.0;
    for (const Triangle& t : asset.render.triangles) {
        whole += 0.5 * area_vector(asset.render.points, t).norm();
    }
    CHECK(test::near(drawn_area, whole, 1e-9));
}

TEST_CASE("every look covers as much of the pieces as it did of the whole") {
    SolidOptions options;
    options.kind = SolidKind::Cylinder;
    options.resolution = 0.15;
    SurfaceAsset asset = make_solid(options).value();
    const std::size_t looks = 3;
    asset.render.looks.resize(looks);
    std::vector<double> whole(looks, 0.0), kept(looks + 1, 0.0);
    for (std::size_t t = 0; t < asset.render.triangles.size(); ++t) {
        const std::size_t look = looks - 1 - t % looks;  // the first triangle has the last one
        asset.render.triangle_looks[t] = static_cast<std::int32_t>(look);
        whole[look] += 0.5 * area_vector(asset.render.points, asset.render.triangles[t]).norm();
    }
    const CutMesh cut = cut_by(asset.surface, pattern_of(PatternKind::Uniform, 6));
    const AssetCutter cutter(asset, cut, Look{});
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(cut.pieces.size()); ++p) {
        const RenderMesh piece = cutter.make(std::span(&p, 1)).render;
        for (std::size_t t = 0; t < piece.triangles.size(); ++t) {
            kept[static_cast<std::size_t>(piece.triangle_looks[t])] +=
                0.5 * area_vector(piece.points, piece.triangles[t]).norm();
        }
    }
    for (std::size_t look = 0; look < looks; ++look) {
        CHECK(test::near(kept[look], whole[look], 1e-9));
    }
}
