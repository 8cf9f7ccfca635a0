// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/sim/simulation_object.h>

#include <doctest/doctest.h>
#include <support/bodies.h>

#include <algorithm>

using namespace ductile;

namespace {

/// From the side, 5 cm deep.
DentHit dent_from(double angle) {
    DentHit hit;
    const Vec3 out(std::cos(angle), 0, std::sin(angle));
    hit.position_b = 0.29 * out;
    hit.direction_b = -out;
    hit.depth = 0.05;
    hit.radius = 0.12;
    return hit;
}

/// A barrel as the simulation keeps it, without an engine.
struct LoneObject {
    LoneObject() { object.set_shape(test::barrel({}, 0.05), 0.001); }

    std::int64_t dent(double time, double duration, double angle) {
        return object.journal.add(time, duration, dent_from(angle));
    }
    void update(double time) {
        REQUIRE(object.state->update(object.journal, time).ok());
        object.note_moved();
    }

    SimulationObject object;
};

bool has_points(const SurfaceQuery& query, std::span<const Vec3> points) {
    return std::equal(points.begin(), points.end(), query.points().begin(), query.points().end());
}

/// The nearest place, as a query finds it and one made anew of the same points.
void check_refitted(const SurfaceQuery& query, const BodyShape& shape) {
    const SurfaceQuery anew(query.points(), shape.triangles());
    for (const Vec3& from : {Vec3(0.5, 0, 0), Vec3(0.1, 0.2, 0.4), Vec3(0, -1, 0)}) {
        CHECK(query.closest_point(from).distance == anew.closest_point(from).distance);
    }
}

}  // namespace

TEST_CASE("the surface of an object is where its points are, late or not") {
    LoneObject lone;
    SimulationObject& o = lone.object;
    CHECK(&o.surface() == o.shape->rest_surface.get());
    lone.dent(0.0, 0.0, 0.0);
    lone.update(0.0);
    CHECK(has_points(o.surface(), o.state->points()));
    CHECK_FALSE(has_points(o.surface(), o.shape->rest()));
    check_refitted(o.surface(), *o.shape);
    // One that nobody has asked for yet is made when somebody does.
    lone.dent(0.1, 0.0, 2.0);
    o.late_shape = 0.1;
    const std::vector<Vec3> later = shape_at(*o.shape, o.journal, 0.1);
    CHECK(has_points(o.surface(), later));
    CHECK_FALSE(o.late_shape.has_value());
    CHECK(o.has_moved_early);
    // Without a skin both are one.
    CHECK(&o.unskinned_surface() == &o.surface());
}

TEST_CASE("surfaces can be asked for as they will be, and as they were before an impact") {
    LoneObject lone;
    SimulationObject& o = lone.object;
    lone.dent(0.0, 0.0, 0.0);
    const std::int64_t growing = lone.dent(0.0, 1.0, 0.3);
    lone.update(0.5);
    CHECK(has_points(o.settled_surface(), shape_at(*o.shape, o.journal, 2.0)));
    o.impact_hits = {{.episode = 7, .hit = growing}};
    Journal earlier = o.journal;
    earlier.remove(growing);
    const auto before = o.surface_before(7, 0.5);
    REQUIRE(before);
    CHECK(has_points(*before, shape_at(*o.shape, earlier, 0.5)));
    CHECK_FALSE(o.surface_before(8, 0.5));
    while (o.journal.hits().size() <= SimulationObject::kRecalledHits) lone.dent(0.6, 0.0, 1.0);
    CHECK_FALSE(o.surface_before(7, 0.5));
    CHECK(o.note_levels(0.5));
    CHECK_FALSE(o.note_levels(0.5));
    CHECK(o.note_levels(0.6));
}

TEST_CASE("points beyond a plane in a box are found as by looking at all of them") {
    LoneObject lone;
    SimulationObject& o = lone.object;
    lone.dent(0.0, 0.0, 0.0);
    lone.update(0.0);
    Rng rng(9);
    std::size_t found = 0;
    for (int round = 0; round < 50; ++round) {
        const auto number = [&] { return rng.uniform(-0.5, 0.5); };
        const Vec3 direction = Vec3(number(), number(), number()).normalized();
        Box region;
        region.add(Vec3(number(), number(), number()));
        region.add(Vec3(number(), number(), number()));
        const double height = number();
        std::vector<std::int32_t> exact;
        for (std::size_t v = 0; v < o.state->points().size(); ++v) {
            const Vec3& p = o.state->points()[v];
            if (direction.dot(p) >= height && region.distance_sq(p) == 0.0) {
                exact.push_back(static_cast<std::int32_t>(v));
            }
        }
        CHECK(o.points_beyond(direction, height, region) == exact);
        found += exact.size();
    }
    CHECK(found > 0);
}

TEST_CASE("the follower hears of points that went far enough, and weighing tells it of all") {
    LoneObject lone;
    SimulationObject& o = lone.object;
    lone.dent(0.0, 0.0, 0.0);
    lone.update(0.0);
    constexpr double least = 0.02;
    std::vector<std::int32_t> far, all;
    for (std::size_t v = 0; v < o.shape->rest().size(); ++v) {
        const double way = (o.state->points()[v] - o.shape->rest()[v]).norm();
        if (way > least) far.push_back(static_cast<std::int32_t>(v));
        if (way > 0) all.push_back(static_cast<std::int32_t>(v));
    }
    REQUIRE(!far.empty());
    REQUIRE(far.size() < all.size());
    o.follow(least);
    CHECK(o.follower->moved() == far);
    const Result<MassProperties> mass = o.weigh();
    REQUIRE(mass.ok());
    CHECK(o.follower->moved() == all);
    CHECK(o.unfollowed.is_empty());
    CHECK(mass.value().centre_b == o.shape->mass_of(o.state->points()).value().centre_b);
}

TEST_CASE("the collider hangs on the points of its pieces, and moves with them") {
    LoneObject lone;
    SimulationObject& o = lone.object;
    REQUIRE(!o.cut.active.empty());
    std::vector<std::int32_t> exact;
    for (const std::int32_t piece : o.cut.active) {
        const auto& own = o.shape->pieces.pieces[piece].tracked;
        exact.insert(exact.end(), own.begin(), own.end());
    }
    std::sort(exact.begin(), exact.end());
    exact.erase(std::unique(exact.begin(), exact.end()), exact.end());
    CHECK(o.tracked_points() == exact);
    const std::int32_t one = exact[exact.size() / 2];
    const std::vector<std::int32_t> asked = {one};
    for (const std::int32_t piece : o.cut.active) {
        const auto& own = o.shape->pieces.pieces[piece].tracked;
        const std::vector<std::int32_t> spanned = o.pieces_tracking(asked);
        CHECK((std::find(own.begin(), own.end(), one) != own.end()) ==
              std::binary_search(spanned.begin(), spanned.end(), piece));
    }
    lone.dent(0.0, 0.0, 0.0);
    lone.update(0.0);
    const std::int32_t piece = o.cut.active[0];
    const ColliderPiece cloud = o.cloud(piece);
    const auto& own = o.shape->pieces.pieces[piece].tracked;
    CHECK(cloud.id == piece);
    REQUIRE(cloud.points.size() >= own.size());
    for (std::size_t k = 0; k < own.size(); ++k) {
        CHECK(cloud.points[k] == o.state->points()[own[k]]);
    }
}
