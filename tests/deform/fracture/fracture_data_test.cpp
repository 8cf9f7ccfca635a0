// SPDX-License-Identifier: MIT
#include <ductile/deform/body_state.h>
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/fracture/fracture_deformer.h>
#include <ductile/deform/fracture/fracture_hit.h>
#include <ductile/deform/fracture/fracture_options.h>
#include <ductile/deform/layers.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>
#include <support/reason.h>

#include <cmath>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> breakable_slab() {
    LayerOptions layers;
    layers.dent.emplace();
    FractureOptions& options = layers.fracture.emplace();
    options.pattern.kind = PatternKind::Planes;
    options.pattern.planes = {{Vec3::UnitX(), -0.5}, {Vec3::UnitX(), 0.0}, {Vec3::UnitX(), 0.5}};
    options.anchored = {{Vec3(-9, -9, -9), Vec3(-0.6, 9, 9)}};
    const auto rules = make_layers(layers);
    REQUIRE(rules);
    Material stone;
    stone.density = 2000.0;
    auto made = make_body_shape(solid(SolidKind::Box, Vec3(2, 1, 0.2), 0.25), {.material = stone},
                                rules.value());
    INFO(reason(made));
    REQUIRE(made);
    return made.value();
}

/// Of the slab's three, from left to right.
FractureHit broken_joint(const BodyShape& slab, int place) {
    FractureHit hit;
    hit.radius = 0.0;
    const std::vector<CutJoint>& joints = slab.data<FractureData>()->score().cut().joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const bool is_it = std::abs(joints[j].centre.x() - 0.5 * (place - 1)) < 0.1;
        if (is_it) hit.joints.push_back(static_cast<std::int32_t>(j));
    }
    REQUIRE(hit.joints.size() == 1);
    return hit;
}

}  // namespace

TEST_CASE("a journal says when a body fell apart, and into what") {
    const auto slab = breakable_slab();
    const auto* data = slab->data<FractureData>();
    REQUIRE(data);
    REQUIRE(data->pieces().size() == 4);
    REQUIRE(data->score().cut().joints.size() == 3);
    CHECK(data->is_held());
    Journal journal;
    CHECK_FALSE(data->division(journal, 10.0));
    FractureHit second = broken_joint(*slab, 1);
    second.first_part = 5;
    journal.add(2.0, 0.0, second);
    CHECK_FALSE(data->division(journal, 1.9));
    const auto halves = data->division(journal, 2.0);
    REQUIRE(halves);
    CHECK(halves->time == 2.0);
    CHECK(halves->first_part == 5);
    REQUIRE(halves->parts.size() == 2);
    CHECK(halves->parts[0].size() + halves->parts[1].size() == 4);
    // All that breaks at one time counts.
    journal.add(2.0, 0.0, broken_joint(*slab, 0));
    CHECK(data->division(journal, 2.0)->parts.size() == 3);
    CHECK(data->division(journal, 2.0)->first_part == 5);
}

TEST_CASE("parts know their pieces, share the frame, weigh what the whole does, and break on") {
    const auto slab = breakable_slab();
    const auto* data = slab->data<FractureData>();
    Journal journal;
    journal.add(0.0, 0.0, broken_joint(*slab, 1));
    const auto halves = data->division(journal, 0.0);
    REQUIRE(halves);
    double mass = 0.0;
    int held = 0;
    std::set<std::int32_t> seen;
    for (const auto& pieces : halves->parts) {
        const auto made = data->part_shape(pieces, slab);
        INFO(reason(made));
        REQUIRE(made);
        const BodyShape& part = *made.value();
        const auto* own = part.data<FractureData>();
        REQUIRE(own);
        seen.insert(own->pieces().begin(), own->pieces().end());
        mass += part.mass.mass;
        held += own->is_held();
        CHECK(part.layers.size() == slab->layers.size());
        CHECK(&own->score() == &data->score());
        CHECK(test::near(own->share_of_whole(part), 0.5));
        // What divided the whole does not divide a part; what is left of it may.
        CHECK_FALSE(own->division(journal, 1.0));
        Journal further = journal;
        further.add(1.0, 0.0, broken_joint(*slab, 0));
        further.add(1.0, 0.0, broken_joint(*slab, 2));
        const auto quarters = own->division(further, 1.0);
        REQUIRE(quarters);
        CHECK(quarters->parts.size() == 2);
        const auto quarter = own->part_shape(quarters->parts[0], made.value());
        REQUIRE(quarter);
        CHECK(quarter.value()->data<FractureData>()->is_last());
        CHECK(test::near(quarter.value()->mass.mass, 0.25 * slab->mass.mass));
    }
    CHECK(seen.size() == 4);
    CHECK(held == 1);
    CHECK(test::near(mass, slab->mass.mass, 1e-12));
}

TEST_CASE("breaking moves no point, and glue is found by its place") {
    const auto slab = breakable_slab();
    const auto* data = slab->data<FractureData>();
    Journal journal;
    journal.add(0.0, 0.0, broken_joint(*slab, 2));
    const std::vector<Vec3> points = shape_at(*slab, journal, 1.0);
    CHECK(std::equal(points.begin(), points.end(), slab->rest().begin()));
    const std::vector<std::uint8_t> none(3, 0);
    CHECK(data->glue_near(Vec3::Zero(), 0.2, none).size() == 1);
    CHECK(data->glue_near(Vec3::Zero(), 0.7, none).size() == 3);
    CHECK(data->glue_near(Vec3::Zero(), 0.7, data->broken_glue(journal, 0.0)).size() == 2);
    CHECK(data->glue_near(Vec3(5, 0, 0), 0.7, none).empty());
}

TEST_CASE("a record of breaking fits the body that has such pieces only") {
    const auto slab = breakable_slab();
    HitRecord record = broken_joint(*slab, 2);
    CHECK(record_fits(record, *slab));
    FractureHit unknown = broken_joint(*slab, 2);
    unknown.joints = {3};
    record = unknown;
    CHECK_FALSE(record_fits(record, *slab));
    const auto plain = dentable(solid(SolidKind::Box, Vec3(1, 1, 1), 0.5), 0.0, Material{});
    CHECK(record_fits(record, *plain).error().what == "the body cannot break");
    FractureHit nothing;
    nothing.radius = 0.0;
    record = nothing;
    CHECK_FALSE(check_record(record));
    Journal journal;
    CHECK_FALSE(has_vanished(journal, 1.0));
    nothing.vanishes = true;
    journal.add(0.5, 0.0, nothing);
    CHECK_FALSE(has_vanished(journal, 0.4));
    CHECK(has_vanished(journal, 0.5));
}
