// SPDX-License-Identifier: MIT
#include <ductile/deform/fracture/score.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/reason.h>

#include <numeric>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> scorable_box(const Vec3& size, double thickness = 0.0) {
    SolidOptions solid;
    solid.size = size;
    solid.resolution = 0.5;
    auto asset = std::make_shared<const SurfaceAsset>(make_solid(solid).value());
    BodyShapeOptions options;
    options.thickness = thickness;
    options.material.density = 2000.0;
    return make_body_shape(asset, options, {}).value();
}

}  // namespace

TEST_CASE("groups of a score are bodies whose masses sum to the whole's") {
    const auto box = scorable_box(Vec3(2, 1, 0.2));
    FractureOptions options;
    options.pattern.cells = 12;
    const auto score = Score::make(*box, options, Vec3::Zero());
    INFO(reason(score));
    REQUIRE(score);
    const auto count = static_cast<std::int32_t>(score.value()->cut().pieces.size());
    REQUIRE(count >= 8);
    std::vector<std::int32_t> some(3), rest(static_cast<std::size_t>(count - 3));
    std::iota(some.begin(), some.end(), 0);
    std::iota(rest.begin(), rest.end(), 3);
    const auto first = score.value()->group_shape(some, *box);
    const auto second = score.value()->group_shape(rest, *box);
    REQUIRE(first);
    REQUIRE(second);
    const MassProperties &a = first.value()->mass, &b = second.value()->mass;
    CHECK(test::near(a.mass + b.mass, box->mass.mass, 1e-12));
    const Vec3 centre = (a.mass * a.centre_b + b.mass * b.centre_b) / (a.mass + b.mass);
    CHECK((centre - box->mass.centre_b).norm() < 1e-12);
    // One cloud per piece, none of which reaches beyond the box.
    CHECK(first.value()->pieces.top.size() == 3);
    std::vector<Vec3> cloud;
    for (const Piece& piece : second.value()->pieces.pieces) {
        piece_points(piece, second.value()->rest(), cloud);
        for (const Vec3& p : cloud) CHECK(box->box.distance_sq(p) < 1e-18);
    }
}

TEST_CASE("a place belongs to the nearest piece of those asked for") {
    const auto box = scorable_box(Vec3(2, 1, 0.2));
    FractureOptions options;
    options.pattern.kind = PatternKind::Planes;
    options.pattern.planes = {{Vec3(1, 0, 0), -0.5}, {Vec3(1, 0, 0), 0.0}, {Vec3(1, 0, 0), 0.5}};
    const auto score = Score::make(*box, options, Vec3::Zero(),
                                   [](const Vec3& middle) { return middle.x() < -0.5; });
    REQUIRE(score);
    const Score& s = *score.value();
    std::vector<std::int32_t> all(4);
    std::iota(all.begin(), all.end(), 0);
    const auto centre_of = [&](std::int32_t p) { return s.cut().pieces[p].centre.x(); };
    const std::int32_t left = s.nearest_piece(Vec3(-0.9, 0.6, 0), all);
    CHECK(test::near(centre_of(left), -0.75));
    CHECK(s.solver().pieces()[left].is_held);
    std::erase(all, left);
    CHECK(test::near(centre_of(s.nearest_piece(Vec3(-0.9, 0.6, 0), all)), -0.25));
}

TEST_CASE("a sheet breaks along edges as long as its cracks, and weighs what it did") {
    const auto box = scorable_box(Vec3(1, 1, 1), 0.01);
    FractureOptions options;
    options.pattern.kind = PatternKind::Planes;
    options.pattern.planes = {{Vec3(1, 0, 0), 0.1}};
    const auto made = Score::make(*box, options, Vec3::Zero());
    INFO(reason(made));
    REQUIRE(made);
    const Score& score = *made.value();
    CHECK_FALSE(score.is_shell());
    REQUIRE(score.cut().pieces.size() == 2);
    REQUIRE(score.cut().joints.size() == 1);
    const CutJoint& joint = score.cut().joints[0];
    CHECK(test::near(joint.area, 4 * 0.01));
    CHECK((joint.centre - Vec3(0.1, 0, 0)).norm() < 1e-12);
    CHECK(test::near(std::abs(joint.normal.x()), 1.0));
    // Four strips about the middle: two of height 1 at 0.5 from it, two lying across.
    CHECK(test::near(joint.second_moment(1, 1), 2 * (0.01 / 12 + 0.01 * 0.25 + 1e-6 / 12), 1e-3));
    double sum = 0.0;
    for (const std::int32_t p : {0, 1}) {
        const auto part = score.group_shape(std::span(&p, 1), *box);
        INFO(reason(part));
        REQUIRE(part);
        sum += part.value()->mass.mass;
        CHECK(part.value()->mass_model.thickness == 0.01);
    }
    CHECK(test::near(sum, box->mass.mass, 1e-12));
}

TEST_CASE("what crosses itself breaks as a shell that is as heavy") {
    const SurfaceAsset one = make_solid({.kind = SolidKind::Box, .resolution = 0.5}).value();
    SurfaceAsset two = one;
    const auto shift = static_cast<std::int32_t>(one.surface.points.size());
    for (const Vec3& p : one.surface.points) {
        two.surface.points.push_back(p + Vec3(0.5, 0.3, 0.4));
    }
    for (Triangle t : one.surface.triangles) {
        for (std::int32_t& v : t) v += shift;
        two.surface.triangles.push_back(t);
    }
    two.render = {};
    BodyShapeOptions body;
    const auto shape =
        make_body_shape(std::make_shared<const SurfaceAsset>(std::move(two)), body, {}).value();
    FractureOptions options;
    options.pattern.cells = 6;
    const auto made = Score::make(*shape, options, shape->box.centre());
    INFO(reason(made));
    REQUIRE(made);
    CHECK(made.value()->is_shell());
    double sum = 0.0;
    for (const GluePiece& piece : made.value()->solver().pieces()) sum += piece.mass;
    CHECK(test::near(sum, shape->mass.mass, 1e-12));
    std::int32_t groups = 0;  // Two boxes, and what they fall into: all of it hangs together.
    made.value()->solver().groups_of(
        std::vector<std::uint8_t>(made.value()->cut().joints.size(), 0), groups);
    CHECK(groups == 1);
}

TEST_CASE("what cannot break is refused with a message") {
    FractureOptions options;
    options.pattern.cells = 1;
    CHECK_FALSE(Score::make(*scorable_box(Vec3(1, 1, 1)), options, Vec3::Zero()));
    options.pattern.cells = 60;
    options.most = 10;
    CHECK_FALSE(Score::make(*scorable_box(Vec3(1, 1, 1)), options, Vec3::Zero()));
}
