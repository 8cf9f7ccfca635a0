// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent_kind.h>
#include <ductile/deform/layer_files.h>
#include <ductile/deform/record_kind.h>
#include <ductile/deform/request.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

using namespace ductile;
using Kind = RecordKind<DentHit>;

namespace {

DentHit dent() {
    DentHit hit;
    hit.position_b = Vec3(0, 0.5, 0);
    hit.direction_b = Vec3(0, -2, 0);
    hit.depth = 0.05;
    hit.radius = 0.2;
    REQUIRE(Kind::check(hit).ok());
    return hit;
}

}  // namespace

TEST_CASE("a record is brought to unit directions, and marked where it acts") {
    const DentHit hit = dent();
    CHECK(test::near(hit.direction_b.norm(), 1.0));
    const RecordMark mark = Kind::mark(hit);
    CHECK(mark.position_b == hit.position_b);
    CHECK(mark.size == 0.05);
    CHECK(mark.unit == "m");
}

TEST_CASE("no point moves in a box that a record does not reach, nor any by an amount of nothing") {
    const auto shape =
        test::dentable(test::solid(SolidKind::Sphere, Vec3::Ones()), 0.001, Material{});
    const DentHit hit = dent();
    const RecordReach reach = Kind::reach(hit);
    std::vector<std::int32_t> indices(shape->rest().size());
    for (std::size_t v = 0; v < indices.size(); ++v) indices[v] = static_cast<std::int32_t>(v);
    const RecordPoints all{*shape, indices, shape->rest()};
    std::vector<Vec3> points(shape->rest().begin(), shape->rest().end());
    Kind::apply(hit, all, 0.0, points);
    CHECK(std::equal(points.begin(), points.end(), shape->rest().begin()));
    Kind::apply(hit, all, 1.0, points);
    int moved = 0;
    for (std::size_t v = 0; v < points.size(); ++v) {
        Box own;
        own.add(shape->rest()[v]);
        if (points[v] == shape->rest()[v]) continue;
        ++moved;
        CHECK(reach(own));
        // Alone it goes where it went among the others.
        std::vector<Vec3> alone = {shape->rest()[v]};
        Kind::apply(hit, {*shape, std::span(indices).subspan(v, 1), shape->rest().subspan(v, 1)},
                    1.0, alone);
        CHECK(alone[0] == points[v]);
    }
    CHECK(moved > 0);
}

TEST_CASE("what is asked of the engine changes nothing by its defaults") {
    CHECK(LowerRebound{}.share == 1.0);
    CHECK(FollowShape{}.distance == 0.0);
    CHECK(std::isinf(PartJoint{}.force_limit));
    CHECK(std::holds_alternative<LowerRebound>(Request{}));
    CHECK_FALSE(LayerFiles{}.relief);
}
