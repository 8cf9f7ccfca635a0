// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/cut_parts.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

CellPattern parts_within(double touch) {
    CellPattern pattern;
    pattern.touch = touch;
    return pattern;
}

SurfaceAsset asset_of(const TriMesh& mesh) {
    SurfaceAsset asset;
    asset.surface = mesh;
    return asset;
}

}  // namespace

TEST_CASE("two boxes that share a face are glued over its area") {
    // The upper one is smaller and stands on the middle of the lower one's lid.
    const SurfaceAsset asset = asset_of(together(box_mesh(Vec3(0, 0, 0), Vec3(2, 1, 2)),
                                                 box_mesh(Vec3(0.5, 1, 0.25), Vec3(1.5, 2, 1.75))));
    const auto cut = cut_by_pattern(asset, parts_within(1e-6), {});
    REQUIRE(cut);
    const CutMesh& made = cut.value();
    CHECK(made.points == asset.surface.points);
    REQUIRE(made.pieces.size() == 2);
    CHECK(test::near(made.pieces[0].volume, 4.0));
    CHECK(test::near(made.pieces[1].volume, 1.5));
    CHECK((made.pieces[1].centre - Vec3(1, 1.5, 1)).norm() < 1e-12);
    REQUIRE(made.joints.size() == 1);
    const CutJoint& joint = made.joints[0];
    CHECK(test::near(joint.area, 1.5, 1e-12));
    CHECK((joint.centre - Vec3(1, 1, 1)).norm() < 1e-12);
    CHECK((joint.normal - Vec3::UnitY()).norm() < 1e-12);
    // Of a rectangle: width times height^3 over 12.
    CHECK(test::near(joint.second_moment(0, 0), 1.5 / 12));
    CHECK(test::near(joint.second_moment(2, 2), 1.5 * 1.5 * 1.5 / 12));
    CHECK(std::abs(joint.second_moment(1, 1)) < 1e-12);
}

TEST_CASE("parts a little apart are glued over what faces each other, within the touch") {
    const SurfaceAsset asset = asset_of(together(box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1)),
                                                 box_mesh(Vec3(1.01, 0.5, 0), Vec3(2, 1.5, 1))));
    const auto near = cut_by_pattern(asset, parts_within(0.02), {});
    REQUIRE(near);
    REQUIRE(near.value().joints.size() == 1);
    CHECK(test::near(near.value().joints[0].area, 0.5));
    CHECK(test::near(near.value().joints[0].centre.x(), 1.005));
    const auto far = cut_by_pattern(asset, parts_within(0.005), {});
    REQUIRE_FALSE(far);
    CHECK(far.error().what == "no two parts of the mesh touch");
    const auto one =
        cut_by_pattern(asset_of(box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1))), parts_within(1), {});
    REQUIRE_FALSE(one);
    CHECK(one.error().what == "the mesh is a single part");
}

TEST_CASE("parts that touch in an edge only are tied there") {
    const SurfaceAsset asset = asset_of(
        together(box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1)), box_mesh(Vec3(1, 1, 0), Vec3(2, 2, 1))));
    const auto cut = cut_by_pattern(asset, parts_within(1e-6), {});
    REQUIRE(cut);
    REQUIRE(cut.value().joints.size() == 1);
    CHECK(cut.value().joints[0].area > 0);
    CHECK((cut.value().joints[0].centre.head<2>() - Vec2(1, 1)).norm() < 1e-6);
}

TEST_CASE("loose parts of one name are one piece") {
    // Three boxes in a row; the outer two have one name.
    SurfaceAsset asset = asset_of(together(
        together(box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1)), box_mesh(Vec3(2, 0, 0), Vec3(3, 1, 1))),
        box_mesh(Vec3(1, 0, 0), Vec3(2, 1, 1))));
    const auto count = static_cast<std::int32_t>(asset.surface.points.size());
    const auto faces = static_cast<std::int32_t>(asset.surface.triangles.size());
    asset.render.points = asset.surface.points;
    asset.render.triangles = asset.surface.triangles;
    for (std::int32_t p = 0; p < count; ++p) asset.anchors.push_back(SurfaceAnchor::on_point(p));
    CHECK(cut_by_pattern(asset, parts_within(1e-6), {}).value().pieces.size() == 3);
    asset.render.parts = {{"ends", -1, 0, 2 * faces / 3, 0, 2 * count / 3},
                          {"middle", -1, 2 * faces / 3, faces / 3, 2 * count / 3, count / 3}};
    const auto cut = cut_by_pattern(asset, parts_within(1e-6), {});
    REQUIRE(cut);
    REQUIRE(cut.value().pieces.size() == 2);
    CHECK(test::near(cut.value().pieces[0].volume, 2.0));
    REQUIRE(cut.value().joints.size() == 1);
    CHECK(test::near(cut.value().joints[0].area, 2.0));
}

TEST_CASE("patterns of cells cut an asset as they cut its surface") {
    const SurfaceAsset asset = asset_of(sphere_mesh(1.0, 2));
    CellPattern halves;
    halves.planes = {{Vec3::UnitX(), 0.1}};
    const auto cut = cut_by_pattern(asset, halves, {});
    REQUIRE(cut);
    CHECK(cut.value().pieces.size() == 2);
    CHECK_FALSE(cut_by_pattern({}, parts_within(1), {}));
}
