// SPDX-License-Identifier: MIT
#include <ductile/deform/body_state.h>
#include <ductile/deform/example/example_deformer.h>
#include <ductile/deform/example/example_hit.h>
#include <ductile/deform/example/example_options.h>
#include <ductile/deform/example/example_rig.h>
#include <ductile/deform/journal_io.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/rigged.h>

#include <algorithm>

using namespace ductile;
using namespace ductile::test;

namespace {

bool same_bits(std::span<const Vec3> a, std::span<const Vec3> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

BodyImpact side_impact(double impulse, const Vec3& place = {-0.2, 0.8, 0},
                       const Vec3& normal = {-1, 0, 0}) {
    BodyImpact impact;
    impact.point_b = place;
    impact.normal_b = normal;
    impact.starts_b = {place};
    impact.damage_impulse = impulse;
    impact.effective_mass = 10.0;
    impact.restitution = 0.2;
    return impact;
}

Response answer_of(const BodyShape& shape, const BodyImpact& impact) {
    Response response;
    const Layer& layer = shape.layers.back();
    layer.rule->respond(impact, {shape, *shape.rest_surface, layer.data.get()}, response);
    return response;
}

Journal two_hits(HitGrowth growth, double duration) {
    Journal journal;
    journal.add(0.0, duration, example_hit({-0.2, 0.8, 0}, {{"bent", 0.7}}), growth);
    journal.add(0.05, duration, example_hit({0, 1.0, 0}, {{"pushed", 0.6}, {"bent", -0.2}}, 1.2),
                growth);
    return journal;
}

}  // namespace

TEST_CASE("a change spreads through the body and ends at its radius") {
    const auto shape = rigged_post();
    const auto* data = shape->data<ExampleData>();
    REQUIRE(data);
    const Vec3 start(-0.2, 0.5, 0);
    const auto spread = data->spread(std::span(&start, 1), 0.5);
    double nearest = kInfinity, at_nearest = 0.0;
    for (std::size_t v = 0; v < spread->size(); ++v) {
        const double distance = (shape->rest()[v] - start).norm();
        if (distance >= 0.5) CHECK((*spread)[v] == 0.0);
        CHECK((*spread)[v] >= 0.0);
        CHECK((*spread)[v] <= example_kernel(distance / 0.5) + 1e-12);
        if (distance >= nearest) continue;
        nearest = distance;
        at_nearest = (*spread)[v];
    }
    CHECK(at_nearest > 0.9);
    // The whole body counts for one.
    CHECK(test::near(data->area_mean(std::vector<double>(spread->size(), 1.0)), 1.0));
}

TEST_CASE("a body of another size takes the same rig, one of another form does not") {
    const auto asset = solid(SolidKind::Cylinder, Vec3(0.4, 2.0, 0.4), 0.08);
    const auto rig = post_rig(*asset);
    const BodyShapeOptions options{.material = find_material("steel").value(), .thickness = 0.003};
    const auto large = make_body_shape(solid(SolidKind::Cylinder, Vec3(0.8, 4.0, 0.8), 0.2),
                                       options, {make_example_deformer({}, rig)});
    REQUIRE(large.ok());
    const auto* data = large.value()->data<ExampleData>();
    CHECK((data->rig().handles[2].place - Vec3(0, 1.8, 0)).norm() < 0.02);
    CHECK(check_rig(data->rig(), large.value()->rest().size()).ok());
    const auto other = make_body_shape(solid(SolidKind::Box, Vec3(1, 1, 1), 0.2), options,
                                       {make_example_deformer({}, rig)});
    REQUIRE_FALSE(other.ok());
    CHECK(other.error().what.find("another form") != std::string::npos);
}

TEST_CASE("the surface of example poses is a function of journal and time alone") {
    const auto shape = rigged_post({}, true);
    Journal journal = two_hits(HitGrowth::Fading, 0.2);
    journal.add(0.1, 0.0, DentHit{.position_b = {-0.2, 0.3, 0}, .direction_b = {1, 0, 0}});
    journal.add(0.15, 0.1, BendHit{.position_b = {0, -0.5, 0}, .angle_deg = 20, .length = 0.3});
    BodyState state(shape);
    for (int i = 0; i < 30; ++i) {
        const double t = 0.013 * i;
        REQUIRE(state.update(journal, t).ok());
        REQUIRE(same_bits(state.points(), shape_at(*shape, journal, t)));
        for (const ExampleRow& row : state.rows()) {
            double sum = row.rest_share();
            for (const double s : row.shares) sum += s;
            REQUIRE(std::abs(sum - 1.0) <= 1e-12);
        }
    }
    // Taking the bend's and the dent's back leaves the blend, to the bit.
    journal.remove(4);
    journal.remove(3);
    REQUIRE(state.update(journal, 1.0).ok());
    CHECK(same_bits(state.points(), shape_at(*shape, two_hits(HitGrowth::Fading, 0.2), 1.0)));
}

TEST_CASE("a look at some points finds them where an update brings them, to the bit") {
    const auto shape = rigged_post();
    Journal journal = two_hits(HitGrowth::Fading, 0.3);
    BodyState state(shape);
    BodyState::Peeked peeked;
    std::vector<std::int32_t> some;
    for (std::size_t v = 0; v < shape->rest().size(); v += 3) {
        some.push_back(static_cast<std::int32_t>(v));
    }
    CHECK_FALSE(state.peek(journal, 0.1, some, peeked));  // nothing is known of its hits yet
    REQUIRE(state.update(journal, 0.06).ok());
    std::size_t away = 0;
    for (double t = 0.06; t < 0.5; t += 0.01) {
        if (t > 0.2 && t < 0.22) REQUIRE(state.update(journal, t).ok());
        const std::uint64_t before = state.hash();
        REQUIRE(state.peek(journal, t, some, peeked));
        CHECK(state.hash() == before);
        const std::vector<Vec3> expected = shape_at(*shape, journal, t);
        const std::vector<ExampleRow> rows = rows_at(*shape, journal, t);
        for (std::size_t i = 0; i < some.size(); ++i) {
            REQUIRE(peeked.points[i] == expected[some[i]]);
            REQUIRE(peeked.rows[i] == rows[some[i]]);
            if (!(peeked.points[i] == state.points()[some[i]])) ++away;
        }
    }
    CHECK(away > some.size());
    REQUIRE(state.update(journal, 0.5).ok());
    REQUIRE(state.peek(journal, 0.5, some, peeked));
    for (std::size_t i = 0; i < some.size(); ++i) {
        CHECK(peeked.frames[i] == state.frames()[some[i]]);
    }
    // A hit that came since the update is foreseen, too; that a settled one went is not.
    journal.add(0.5, 0.3, example_hit({0, 1.0, 0}, {{"bent", 0.2}}), HitGrowth::Fading);
    REQUIRE(state.peek(journal, 0.55, some, peeked));
    const std::vector<Vec3> expected = shape_at(*shape, journal, 0.55);
    for (std::size_t i = 0; i < some.size(); ++i) {
        REQUIRE(peeked.points[i] == expected[some[i]]);
    }
    REQUIRE(state.update(journal, 0.5).ok());
    CHECK(state.peek(journal, 0.55, some, peeked));
    journal.remove(1);
    CHECK_FALSE(state.peek(journal, 0.6, some, peeked));
}

TEST_CASE("how long an impact takes to come leaves no trace in the end") {
    const auto shape = rigged_post();
    const auto final_shape = shape_at(*shape, two_hits(HitGrowth::Smooth, 0.0), 10.0);
    for (const double duration : {0.01, 0.3, 2.0}) {
        for (const HitGrowth growth : {HitGrowth::Smooth, HitGrowth::Fading}) {
            CHECK(same_bits(shape_at(*shape, two_hits(growth, duration), 10.0), final_shape));
        }
    }
}

TEST_CASE("a fade takes eight updates of the body at most") {
    const auto shape = rigged_post();
    const Journal journal = two_hits(HitGrowth::Fading, 0.28);
    BodyState state(shape);
    for (int i = 0; i <= 400; ++i) REQUIRE(state.update(journal, 0.001 * i).ok());
    CHECK(state.revision() <= 16);
    CHECK(same_bits(state.points(), shape_at(*shape, journal, 10.0)));
}

TEST_CASE("without the first of two impacts the second is what it would have been alone") {
    const auto shape = rigged_post();
    Journal both = two_hits(HitGrowth::Fading, 0.1);
    BodyState state(shape);
    REQUIRE(state.update(both, 1.0).ok());
    Journal second;
    const Hit& hit = both.hits()[1];
    second.add(hit.time, hit.duration, hit.record, hit.growth);
    REQUIRE(both.remove(1));
    REQUIRE(state.update(both, 1.0).ok());
    CHECK(same_bits(state.points(), shape_at(*shape, second, 1.0)));
    // A repair of all leaves the rest shape, to the bit.
    both.repair({1.0, 0.1, 1.0});
    REQUIRE(state.update(both, 2.0).ok());
    CHECK(same_bits(state.points(), shape->rest()));
}

TEST_CASE("a journal with example poses is read back as it was written") {
    std::vector<Error> errors;
    const Journal journal = two_hits(HitGrowth::Fading, 0.2);
    const Journal again = journal_from_json(journal_to_json(journal), "", errors);
    REQUIRE(errors.empty());
    const auto shape = rigged_post();
    CHECK(same_bits(shape_at(*shape, again, 0.1), shape_at(*shape, journal, 0.1)));
    CHECK(check_journal_fits(again, *shape).ok());
    CHECK_FALSE(check_journal_fits(again, *barrel()).ok());
    Journal other;
    other.add(0.0, 0.0, example_hit({0, 1, 0}, {{"bend", 0.5}}));
    const Status fits = check_journal_fits(other, *shape);
    REQUIRE_FALSE(fits.ok());
    CHECK(fits.error().hint.find("bent") != std::string::npos);
    CHECK_FALSE(record_fits(example_hit({0, 1, 0}, {}), *shape).ok());
}

TEST_CASE("an impact turns the post the way it pushes") {
    const auto shape = rigged_post();
    const double mass = shape->mass.mass;
    const Response response = answer_of(*shape, side_impact(4.0 * mass));
    REQUIRE(response.records.size() == 1);
    const auto& hit = std::get<ExampleHit>(response.records[0]);
    Journal journal;
    journal.add(0.0, 0.0, hit);
    const std::vector<Vec3> points = shape_at(*shape, journal, 1.0);
    double moved = 0.0;
    for (std::size_t v = 0; v < points.size(); ++v) {
        if ((shape->rest()[v] - Vec3(-0.2, 0.8, 0)).norm() < 0.1) {
            moved = std::max(moved, points[v].x() - shape->rest()[v].x());
        }
    }
    CHECK(moved > 0.03);
    // More impulse, more of it; what comes in two steps is what would come in one.
    const auto change_of = [&](const BodyImpact& impact) {
        const Response r = answer_of(*shape, impact);
        return r.records.empty() ? 0.0 : record_mark(r.records[0]).size;
    };
    BodyImpact rest_of_it = side_impact(4.0 * mass);
    rest_of_it.previous_damage_impulse = 3.0 * mass;
    CHECK(test::near(change_of(side_impact(3.0 * mass)) + change_of(rest_of_it),
                     change_of(side_impact(4.0 * mass))));
    // The rebound falls, and the more the larger the impact.
    REQUIRE(response.requests.size() == 2);
    CHECK(std::get<LowerRebound>(response.requests[0]).share < 1.0);
}

TEST_CASE("below its yield speed and across all poses an impact leaves nothing") {
    ExampleOptions options;
    options.yield_speed = 2.0;
    const auto shape = rigged_post(options);
    const double mass = shape->mass.mass;
    CHECK(answer_of(*shape, side_impact(1.99 * mass)).records.empty());
    CHECK(answer_of(*shape, side_impact(0.0)).records.empty());
    CHECK_FALSE(answer_of(*shape, side_impact(2.5 * mass)).records.empty());
    // All poses move it along x and y alone.
    for (const double side : {-1.0, 1.0}) {
        const Response across =
            answer_of(*shape, side_impact(9.0 * mass, {0, 0.8, 0}, {0, 0, side}));
        CHECK(across.records.empty());
        CHECK(across.requests.empty());
        CHECK(across.work == 0.0);
    }
}

TEST_CASE("a rig is needed, and poses that are left out must be its own") {
    CHECK_FALSE(make_layer(ExampleOptions{}, {}).ok());
    const auto asset = solid(SolidKind::Cylinder, Vec3(0.4, 2.0, 0.4), 0.08);
    LayerFiles files;
    files.rig = [&](const std::string&) -> Result<std::shared_ptr<const ExampleRig>> {
        return post_rig(*asset);
    };
    ExampleOptions options;
    options.rig = "post";
    options.left_out = {"turned"};
    CHECK(make_layer(options, files).ok());
    options.left_out = {"turnd"};
    const auto refused = make_layer(options, files);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where == "/left_out");
    CHECK(refused.error().hint.find("turned") != std::string::npos);
}
