// SPDX-License-Identifier: MIT
// What the rule of dents decides about one impact: laws, without an engine.
#include <ductile/deform/dent/dent_deformer.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

constexpr double kSide = 0.4;  // of the cube [m]
constexpr double kStrikerMass = 2.0;

std::shared_ptr<const BodyShape> cube(const DentOptions& options = {}, double thickness = 0.0) {
    return test::dentable(test::solid(SolidKind::Box, Vec3::Constant(kSide), 0.02), thickness,
                          find_material("lead").value(), options);
}

/// A striker without a surface of its own comes down on the middle of the top, `sideways` as fast
/// along x.
BodyImpact fall(double speed, double sideways = 0.0) {
    BodyImpact impact;
    impact.point_b = {0, 0.5 * kSide, 0};
    impact.normal_b = Vec3::UnitY();
    impact.velocity_b = {sideways, -speed, 0};
    impact.approach_speed = speed;
    impact.effective_mass = kStrikerMass;
    impact.restitution = 0.5;
    impact.damage_impulse = 1.5 * kStrikerMass * speed;
    impact.other_size = 0.2;
    return impact;
}

Response answer(const BodyShape& shape, const BodyImpact& impact) {
    Response response;
    const Layer& layer = shape.layers.front();
    layer.rule->respond(impact, {shape, *shape.rest_surface, layer.data.get()}, response);
    return response;
}

const DentHit* dent_of(const Response& response) {
    return response.records.empty() ? nullptr : std::get_if<DentHit>(&response.records[0]);
}

double depth(const BodyShape& shape, const BodyImpact& impact) {
    const Response response = answer(shape, impact);
    const DentHit* hit = dent_of(response);
    return hit ? hit->depth : 0.0;
}

template <class Wanted>
const Wanted* request_of(const Response& response) {
    for (const Request& request : response.requests) {
        if (const auto* found = std::get_if<Wanted>(&request)) return found;
    }
    return nullptr;
}

}  // namespace

TEST_CASE("a dent lies where it was struck, goes inward, and leans as the striker came") {
    const auto shape = cube();
    for (const double degrees : {0.0, 20.0, 50.0}) {
        const Response response = answer(*shape, fall(8.0, 8.0 * std::tan(degrees * kPi / 180.0)));
        const DentHit* hit = dent_of(response);
        REQUIRE(hit);
        CHECK(hit->direction_b == Vec3(0, -1, 0));
        CHECK(test::within(hit->slant_deg, degrees, 1e-9));
        CHECK((hit->position_b - Vec3(0, 0.5 * kSide, 0)).norm() < 1e-9);
        CHECK(test::near(hit->from_b.norm(), 1.0, 1e-12));
        CHECK(std::abs(hit->from_b.dot(hit->direction_b)) < 1e-12);
        if (degrees > 0) CHECK((hit->from_b - Vec3(-1, 0, 0)).norm() < 1e-12);
    }
}

TEST_CASE("half the energy is half the energy: by speed, by mass or by share") {
    const auto shape = cube();
    const BodyImpact whole = fall(8.0);
    BodyImpact shared = whole, slower = fall(8.0 / std::sqrt(2.0)), lighter = whole;
    shared.own_share = 0.5;
    lighter.effective_mass *= 0.5;
    lighter.damage_impulse *= 0.5;
    const double half = depth(*shape, slower);
    REQUIRE(half > 0);
    CHECK(test::near(depth(*shape, shared), half, 1e-6));
    CHECK(test::near(depth(*shape, lighter), half, 1e-6));
    CHECK(depth(*shape, whole) > 1.2 * half);
    const double energy = 0.5 * kStrikerMass * 64.0;
    const double work = answer(*shape, whole).work;
    CHECK(work > 0.5 * energy);
    CHECK(work < energy);
    CHECK(test::near(answer(*shape, slower).work, 0.5 * work, 0.05));
}

TEST_CASE("an impact told of in parts goes as deep as one told of at once") {
    for (const double share : {1.0, 0.6}) {
        const auto shape = cube();
        BodyImpact whole = fall(8.0);
        whole.own_share = share;
        BodyImpact first = whole, rest = whole;
        first.damage_impulse = rest.previous_damage_impulse = 0.7 * whole.damage_impulse;
        const double one = depth(*shape, first), other = depth(*shape, rest);
        CHECK(one > 0);
        CHECK(other > 0);
        CHECK(test::near(one + other, depth(*shape, whole), 1e-9));
        CHECK(test::near(answer(*shape, first).work + answer(*shape, rest).work,
                         answer(*shape, whole).work, 1e-9));
    }
}

TEST_CASE("what is too soft to see leaves no record, but takes from the rebound") {
    const auto shape = cube();
    const Response response = answer(*shape, fall(0.01));
    CHECK(response.records.empty());
    CHECK(response.work == 0.0);
    CHECK_FALSE(request_of<FollowShape>(response));
}

TEST_CASE("depths are scaled by both exaggerations") {
    const double plain = depth(*cube(), fall(4.0));
    DentOptions tripled;
    tripled.exaggerate = 3.0;
    BodyImpact doubled = fall(4.0);
    doubled.exaggerate = 2.0;
    CHECK(test::near(depth(*cube(), doubled), 2.0 * plain, 1e-9));
    CHECK(test::near(depth(*cube(tripled), fall(4.0)), 3.0 * plain, 1e-9));
    CHECK(test::near(depth(*cube(tripled), doubled), 6.0 * plain, 1e-9));
}

TEST_CASE("no dent is deeper than its limit, and a limit that decides is told of") {
    const double free = depth(*cube(), fall(8.0));
    DentOptions options;
    options.depth_limit = 0.5 * free;
    Response response = answer(*cube(options), fall(8.0));
    REQUIRE(dent_of(response));
    CHECK(test::near(dent_of(response)->depth, 0.5 * free));
    CHECK(dent_of(response)->total_limit == 0.5 * free);
    CHECK(response.is_limited);
    options.depth_limit = 2.0 * free;
    options.total_limit = 3.0 * free;
    response = answer(*cube(options), fall(8.0));
    REQUIRE(dent_of(response));
    CHECK(dent_of(response)->depth == free);
    CHECK(dent_of(response)->total_limit == 3.0 * free);
    CHECK_FALSE(response.is_limited);

    // Without one, a share of the body's smallest extent.
    const auto shape = cube();
    const BodyImpact huge = fall(1000.0);
    CHECK(test::near(depth(*shape, huge), 0.35 * kSide, 1e-9));
    CHECK(answer(*shape, huge).is_limited);
}

TEST_CASE("what pressed a dent is slowed and follows, as the options say") {
    for (const AfterDent after : {AfterDent::Leave, AfterDent::Slow, AfterDent::Move}) {
        DentOptions options;
        options.after = after;
        const Response response = answer(*cube(options), fall(8.0));
        REQUIRE(dent_of(response));
        const auto* rebound = request_of<LowerRebound>(response);
        const auto* follow = request_of<FollowShape>(response);
        CHECK((rebound != nullptr) == (after != AfterDent::Leave));
        if (rebound) CHECK((rebound->share >= 0 && rebound->share < 1));
        CHECK((follow != nullptr) == (after == AfterDent::Move));
        if (follow) CHECK(test::near(follow->distance, dent_of(response)->depth));
    }
}

TEST_CASE("a dent reaches as far as the smaller body lets it, or as it is told") {
    const auto shape = cube();
    const Response small = answer(*shape, fall(8.0));
    REQUIRE(dent_of(small));
    CHECK(test::near(dent_of(small)->radius, 0.2 / 6));
    BodyImpact wide = fall(40.0);
    wide.other_size = 100.0;
    const Response large = answer(*shape, wide);
    REQUIRE(dent_of(large));
    CHECK(test::near(dent_of(large)->radius, kSide * std::sqrt(3.0) / 6));
    DentOptions options;
    options.radius = 0.07;
    options.duration = 0.02;
    options.attenuation = Attenuation::None;
    options.widening = 1.5;
    const Response told = answer(*cube(options), fall(8.0));
    REQUIRE(dent_of(told));
    CHECK(dent_of(told)->radius == 0.07);
    CHECK(told.duration == 0.02);
    CHECK(dent_of(told)->attenuation == Attenuation::None);
    CHECK(dent_of(told)->widening == 1.5);
}

TEST_CASE("a sheet gives more than a solid, and more the farther it is held") {
    const BodyImpact impact = fall(4.0);
    const double as_solid = depth(*cube(), impact);
    DentOptions near_held, far_held;
    near_held.span = 0.05;
    far_held.span = 0.15;
    const double near_depth = depth(*cube(near_held, 0.004), impact);
    const double far_depth = depth(*cube(far_held, 0.004), impact);
    CHECK(near_depth > as_solid);
    CHECK(far_depth > near_depth);
    CHECK(depth(*cube({}, 0.004), impact) > as_solid);
    CHECK(depth(*cube({}, 0.002), impact) > depth(*cube({}, 0.004), impact));
}

TEST_CASE("several places that touch share a dent's energy") {
    const auto shape = cube();
    BodyImpact two = fall(8.0);
    two.starts_b = {{-0.12, 0.5 * kSide, 0}, {0.12, 0.5 * kSide, 0}};
    const Response response = answer(*shape, two);
    REQUIRE(dent_of(response));
    CHECK(dent_of(response)->starts.size() == 2);
    CHECK(dent_of(response)->position_b == two.point_b);
    const double alone = depth(*shape, fall(8.0));
    CHECK(dent_of(response)->depth < 0.9 * alone);
    CHECK(dent_of(response)->depth > 0.4 * alone);
}
