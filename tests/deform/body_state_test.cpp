// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/body_state.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/bodies.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

using namespace ductile;
using namespace ductile::test;

namespace {

// A barrel, where asked with a band of points that keep their form.
std::shared_ptr<const BodyShape> some_barrel(bool has_rigid_band) {
    auto asset = std::make_shared<SurfaceAsset>(
        *solid(SolidKind::Barrel, Vec3(0.585, 0.88, 0.585), kIsSanitized ? 0.05 : 0.02));
    if (has_rigid_band) {
        for (const Vec3& p : asset->surface.points) {
            asset->is_rigid.push_back(std::abs(p.y() - 0.1) < 0.05);
        }
    }
    return dentable(std::move(asset), 0.0012, find_material("steel").value());
}

// From outside inwards, at any slant; narrow, wide, deep or with several starts.
DentHit random_dent(Rng& rng) {
    DentHit hit;
    hit.position_b = random_vec(rng, 0.5);
    hit.direction_b = (-hit.position_b + random_vec(rng, 0.3)).normalized();
    hit.depth = rng.uniform(0.0, 0.05);
    hit.radius = rng.uniform() < 0.2 ? rng.uniform(0.2, 0.6) : rng.uniform(0.01, 0.15);
    hit.fade = rng.uniform() < 0.5 ? 0.0 : rng.uniform(0.02, 0.3);
    hit.total_limit = rng.uniform() < 0.5 ? 1e9 : 0.1;
    if (rng.uniform() < 0.3) hit.attenuation = Attenuation::None;
    if (rng.uniform() < 0.3) {
        for (int i = 0; i < 4; ++i) {
            hit.starts.push_back({hit.position_b + random_vec(rng, 0.2)});
        }
    }
    return hit;
}

// Anywhere, about any axis, gently enough to stay within a few metres.
BendHit random_bend(Rng& rng) {
    BendHit hit;
    hit.position_b = random_vec(rng, 0.4);
    hit.along_b = random_vec(rng, 1.0) + Vec3(0, 0.1, 0);
    hit.axis_b = random_vec(rng, 1.0) + Vec3(0.1, 0, 0);
    hit.angle_deg = rng.uniform(-60, 60);
    hit.length = rng.uniform(0.05, 0.5);
    REQUIRE(check_bend(hit).ok());
    return hit;
}

DentHit dent_to_nowhere() {
    DentHit hit;
    hit.position_b = Vec3(0.29, 0, 0);
    hit.direction_b = Vec3(-1, 0, 0);
    hit.depth = kInfinity;
    hit.total_limit = kInfinity;
    return hit;
}

// To the bit: -0 is not 0.
bool equal(std::span<const Vec3> a, std::span<const Vec3> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

void check_boxes(const BodyState& state) {
    const PointTree& tree = state.boxes().tree();
    const PointBoxes anew(std::make_shared<const PointTree>(tree), state.points());
    for (std::size_t n = 0; n < tree.nodes().size(); ++n) {
        const auto node = static_cast<std::int32_t>(n);
        REQUIRE(state.boxes().box(node).lower == anew.box(node).lower);
        REQUIRE(state.boxes().box(node).upper == anew.box(node).upper);
    }
}

}  // namespace

TEST_CASE("whatever happens to a journal, the state is the shape from scratch, bit for bit") {
    for (const int variant : {0, 1, 2, 3}) {
        const bool has_rigid_band = variant % 2 == 1, has_bends = variant >= 2;
        const auto shape = some_barrel(has_rigid_band);
        Rng rng(has_rigid_band ? 11 : 12);
        BodyState state(shape);
        Journal journal;
        int updates_that_moved = 0;
        for (int round = 0; round < (kIsSanitized ? 60 : 300); ++round) {
            const double t = 0.01 * round;
            const double what = rng.uniform();
            if (what < 0.5) {
                const double duration = rng.uniform() < 0.5 ? 0.0 : rng.uniform(0.0, 0.1);
                const bool is_bend = has_bends && rng.uniform() < 0.3;
                journal.add(t, duration,
                            is_bend ? HitRecord(random_bend(rng)) : HitRecord(random_dent(rng)));
            } else if (what < 0.55) {
                journal.repair({t, rng.uniform(0.0, 0.08), rng.uniform()});
            } else if (what < 0.65 && !journal.is_empty()) {
                const auto at = static_cast<std::size_t>(
                    rng.uniform() * static_cast<double>(journal.hits().size()));
                journal.remove(journal.hits()[at].id);
            } else if (what < 0.67) {
                while (!journal.is_empty()) journal.remove(journal.hits().back().id);
            }
            const std::vector<Vec3> before(state.points().begin(), state.points().end());
            const std::uint64_t revision = state.revision();
            const Result<bool> moved = state.update(journal, t);
            REQUIRE(moved.ok());
            REQUIRE(equal(state.points(), shape_at(*shape, journal, t)));

            std::vector<std::int32_t> differ;
            for (std::size_t v = 0; v < before.size(); ++v) {
                if (!equal({&before[v], 1}, {&state.points()[v], 1}))
                    differ.push_back(static_cast<std::int32_t>(v));
            }
            REQUIRE(moved.value() == !differ.empty());
            REQUIRE(state.revision() == revision + (moved.value() ? 1 : 0));
            if (!moved.value()) continue;
            ++updates_that_moved;
            REQUIRE(std::equal(differ.begin(), differ.end(), state.touched().begin(),
                               state.touched().end()));
            REQUIRE(state.dirty().first == static_cast<std::size_t>(differ.front()));
            REQUIRE(state.dirty().last == static_cast<std::size_t>(differ.back()) + 1);
            check_boxes(state);
        }
        CHECK(updates_that_moved > 30);
        CHECK(state.frames().empty() == !has_bends);
    }
}

TEST_CASE("how a surface ends up is known ahead, bit for bit, and what moved since it was asked") {
    for (const bool has_rigid_band : {false, true}) {
        const auto shape = some_barrel(has_rigid_band);
        Rng rng(has_rigid_band ? 31 : 32);
        BodyState state(shape);
        Journal journal;
        std::vector<Vec3> before(shape->rest().begin(), shape->rest().end());
        for (int round = 0; round < (kIsSanitized ? 30 : 120); ++round) {
            const double t = 0.01 * round;
            journal.add(t, rng.uniform(0.0, 0.1), random_dent(rng));
            if (round % 20 == 11) journal.repair({t, 0.05, 0.5});
            if (round % 20 == 17) journal.remove(journal.hits()[rng.next() % 8].id);
            if (round % 50 == 49) state.restart();
            // Asked before the surface knows of the newest hit, as often as after.
            if (round % 2 == 0) REQUIRE(state.update(journal, t).ok());
            const std::vector<Vec3> now(state.points().begin(), state.points().end());
            const std::optional<BodyState::Settled> ends = state.settle(journal);
            REQUIRE(ends);
            REQUIRE(equal(ends->points, unskinned_at(*shape, journal, kInfinity)));
            REQUIRE(equal(state.points(), now));
            std::vector<std::int32_t> differ;
            for (std::size_t v = 0; v < before.size(); ++v) {
                if (!equal({&before[v], 1}, ends->points.subspan(v, 1)))
                    differ.push_back(static_cast<std::int32_t>(v));
            }
            REQUIRE(std::equal(differ.begin(), differ.end(), ends->touched.begin(),
                               ends->touched.end()));
            before.assign(ends->points.begin(), ends->points.end());
        }
        REQUIRE(state.update(journal, 1e6).ok());
        CHECK(state.is_settled(journal));
        CHECK(equal(state.points(), before));
        journal.add(1e6, 0.0, dent_to_nowhere());
        CHECK_FALSE(state.settle(journal));
        journal.remove(journal.hits().back().id);
        REQUIRE(state.settle(journal));
        CHECK(equal(state.settle(journal)->points, before));
    }
}

TEST_CASE("a state with zeros of both signs is the shape from scratch, bit for bit") {
    auto asset =
        std::make_shared<SurfaceAsset>(*solid(SolidKind::Barrel, Vec3(0.585, 0.88, 0.585)));
    Rng rng(21);
    for (Vec3& p : asset->surface.points) {
        for (int k = 0; k < 3; ++k) {
            if (std::abs(p[k]) < 0.03) p[k] = rng.uniform() < 0.5 ? -0.0 : 0.0;
        }
    }
    const auto shape = dentable(std::move(asset), 0.0012, find_material("steel").value());
    BodyState state(shape);
    Journal journal;
    for (int round = 0; round < 40; ++round) {
        DentHit hit = random_dent(rng);
        if (round % 2 == 0) hit.direction_b = Vec3::Unit(round / 2 % 3);
        if (round % 5 == 0) hit.depth = 1e-300;
        journal.add(0.01 * round, round % 3 == 0 ? 0.02 : 0.0, hit);
        REQUIRE(state.update(journal, 0.01 * round).ok());
        REQUIRE(equal(state.points(), shape_at(*shape, journal, 0.01 * round)));
    }
}

TEST_CASE("a hit whose duration is lost in the digits of its time is made at once") {
    Journal journal;
    journal.add(1.0, 1e-18, DentHit{});
    CHECK(journal.amount(0, 1.0) == 1.0);
    CHECK(journal.is_settled(1.0));
    journal.repair({2.0, 1e-18, 1.0});
    CHECK(journal.amount(0, 2.0) == 0.0);
}

TEST_CASE("a skin moves each rigid part as one, and a body without a skin has none") {
    const auto shape = some_barrel(true);
    BodyState state(shape);
    CHECK(state.frames().empty());
    CHECK(state.points().data() == state.unskinned().data());
    Journal journal;
    BendHit bend;
    bend.position_b = Vec3(0, -0.1, 0);
    bend.angle_deg = 50;
    bend.length = 0.5;
    journal.add(0.0, 0.0, bend);
    REQUIRE(state.update(journal, 0.0).ok());
    const std::int32_t first = shape->rigid_points.front();
    const SkinFrame frame = state.frames()[first];
    CHECK_FALSE(frame == SkinFrame{});
    for (const std::int32_t v : shape->rigid_points) {
        REQUIRE(state.frames()[v] == frame);
        REQUIRE(state.points()[v] == frame.point(shape->rest()[v]));
    }
}

TEST_CASE("bends nest by where they lie, whichever came first") {
    const auto shape = some_barrel(false);
    std::vector<BendHit> bends(3);
    for (std::size_t i = 0; i < bends.size(); ++i) {
        bends[i].position_b = Vec3(0, -0.3 + 0.2 * static_cast<double>(i), 0);
        bends[i].axis_b = i == 1 ? Vec3::UnitX() : Vec3::UnitZ();
        bends[i].angle_deg = 30;
        bends[i].length = 0.15;
    }
    std::vector<std::size_t> order = {0, 1, 2};
    std::vector<Vec3> first;
    do {
        Journal journal;
        BodyState state(shape);
        for (std::size_t k = 0; k < order.size(); ++k) {
            const double time = 0.1 * static_cast<double>(k);
            journal.add(time, k == 1 ? 0.25 : 0.0, bends[order[k]]);
            REQUIRE(state.update(journal, time).ok());
        }
        REQUIRE(state.update(journal, 1.0).ok());
        const std::span<const Vec3> points = state.points();
        if (first.empty()) first.assign(points.begin(), points.end());
        CHECK(std::equal(first.begin(), first.end(), points.begin()));
        CHECK(std::ranges::equal(shape_at(*shape, journal, 1.0), points));
    } while (std::next_permutation(order.begin(), order.end()));
    // What lies before the last of them was moved as if that were not there.
    Journal two;
    for (const std::size_t i : {1, 0}) two.add(0.0, 0.0, bends[i]);
    const std::vector<Vec3> without = shape_at(*shape, two, 1.0);
    for (std::size_t v = 0; v < without.size(); ++v) {
        if (shape->rest()[v].y() < 0.1) REQUIRE(without[v] == first[v]);
    }
}

TEST_CASE("what lies on a bent surface is taken back to where it was before the bend") {
    const auto shape = some_barrel(false);
    BodyState state(shape);
    Journal journal;
    Rng rng(9);
    for (int i = 0; i < 3; ++i) journal.add(0.0, 0.0, random_dent(rng));
    BendHit bend;
    bend.position_b = Vec3(0, -0.2, 0);
    bend.angle_deg = 70;
    bend.length = 0.2;
    journal.add(0.0, 0.0, bend);
    REQUIRE(state.update(journal, 0.0).ok());
    const SurfaceQuery bent(state.points(), shape->triangles());
    for (int i = 0; i < 200; ++i) {
        const SurfacePoint place = bent.closest_point(random_vec(rng, 1.0));
        const Transform back = pull_back(state, place);
        const Triangle& corners = shape->triangles()[place.triangle];
        Vec3 expected = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            expected += place.barycentric[k] * state.unskinned()[corners[k]];
        }
        CHECK((back.point(place.position) - expected).norm() < 1e-12);
        // Beyond the bend all has turned as one: normals come back to the last digits.
        if (shape->rest()[corners[0]].y() < 0.05 || shape->rest()[corners[1]].y() < 0.05 ||
            shape->rest()[corners[2]].y() < 0.05) {
            continue;
        }
        const Vec3 now = area_vector(state.points(), corners);
        const Vec3 before = area_vector(state.unskinned(), corners);
        CHECK((back.direction(now) - before).norm() < 1e-9);
    }
    CHECK(pull_back(BodyState(shape), bent.closest_point(Vec3::Zero())).translation.isZero());
    // What lies on an edge is of two triangles, and is taken back the same way by either.
    std::map<std::pair<std::int32_t, std::int32_t>, Transform> known;
    std::size_t shared = 0;
    for (std::size_t t = 0; t < shape->triangles().size(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const Triangle& corners = shape->triangles()[t];
            const std::int32_t a = corners[k], b = corners[(k + 1) % 3];
            SurfacePoint place;
            place.triangle = static_cast<std::int32_t>(t);
            place.barycentric = Vec3::Zero();
            place.barycentric[k] = a < b ? 0.3 : 0.7;
            place.barycentric[(k + 1) % 3] = 1.0 - place.barycentric[k];
            place.position = place.barycentric[k] * state.points()[a] +
                             place.barycentric[(k + 1) % 3] * state.points()[b];
            const Transform back = pull_back(state, place);
            const auto [twin, is_new] = known.try_emplace(std::minmax({a, b}), back);
            if (is_new) continue;
            ++shared;
            REQUIRE((back.translation - twin->second.translation).norm() < 1e-12);
            REQUIRE(back.rotation.angularDistance(twin->second.rotation) < 1e-7);
        }
    }
    CHECK(shared > 100);
}

TEST_CASE("a hit to nowhere changes nothing, and the state goes on as if it had not been") {
    const auto shape = some_barrel(false);
    Rng rng(4);
    BodyState state(shape);
    Journal journal;
    journal.add(0.0, 0.0, random_dent(rng));
    journal.add(0.0, 0.5, random_dent(rng));
    REQUIRE(state.update(journal, 0.2).ok());
    const std::vector<Vec3> good(state.points().begin(), state.points().end());
    const std::uint64_t revision = state.revision();

    const std::int64_t bad = journal.add(0.3, 0.0, dent_to_nowhere());
    for (int again = 0; again < 2; ++again) {
        CHECK_FALSE(state.update(journal, 0.4).ok());
        CHECK(equal(state.points(), good));
        CHECK(state.revision() == revision);
        check_boxes(state);
    }
    SUBCASE("it is taken back") {
        journal.remove(bad);
        REQUIRE(state.update(journal, 0.4).ok());
        CHECK(equal(state.points(), shape_at(*shape, journal, 0.4)));
        check_boxes(state);
    }
    SUBCASE("all hits are taken back") {
        while (!journal.is_empty()) journal.remove(journal.hits().back().id);
        REQUIRE(state.update(journal, 0.4).ok());
        CHECK(equal(state.points(), shape->rest()));
    }
}

TEST_CASE("no point moves in a box that a dent says it does not reach") {
    Rng rng(9);
    int ruled_out = 0, reached = 0;
    for (int round = 0; round < 20'000; ++round) {
        DentHit hit = random_dent(rng);
        if (round % 5 == 0) hit.direction_b *= 1.0 + 1e-12;
        hit.depth = 0.1;
        hit.total_limit = 1e9;
        Box box;
        // Near the rim; now and then so far along the axis that rounding counts.
        const double along = rng.uniform(-1.0, 1.0) * (round % 3 == 0 ? 1000.0 : 0.5);
        const Vec3 on_axis = hit.position_b + along * hit.direction_b;
        if (round % 4 == 0) {
            const Vec3 out = any_perpendicular(hit.direction_b);
            box.add(Vec3(on_axis + hit.radius * rng.uniform(0.9999, 1.0001) * out));
        } else {
            box.add(Vec3(on_axis + random_vec(rng, 1.5 * hit.radius)));
            box.add(Vec3(box.lower + random_vec(rng, rng.uniform() < 0.5 ? 0.3 : 0.01)));
        }
        std::vector<Vec3> points;
        for (int i = 0; i < 8; ++i) {
            points.emplace_back((i & 1 ? box.upper : box.lower).x(),
                                (i & 2 ? box.upper : box.lower).y(),
                                (i & 4 ? box.upper : box.lower).z());
        }
        for (int i = 0; i < 8; ++i) {
            const Vec3 share{rng.uniform(), rng.uniform(), rng.uniform()};
            points.push_back(
                (box.lower + share.cwiseProduct(box.upper - box.lower)).cwiseMin(box.upper));
        }
        const std::vector<Vec3> before = points;
        press_dent(points, before, hit, 1.0);
        if (DentPress(hit, 1.0).may_move(box)) {
            reached += points != before ? 1 : 0;
        } else {
            ++ruled_out;
            REQUIRE(points == before);
        }
    }
    CHECK(ruled_out > 2'000);
    CHECK(reached > 2'000);
}

TEST_CASE("a dent is asked about few leaves of a large body") {
    const auto shape = some_barrel(false);
    DentHit hit;
    hit.position_b = Vec3(0.29, 0, 0);
    hit.direction_b = Vec3(-1, 0, 0);
    hit.radius = 0.03;
    const HitRecord record = hit;
    std::size_t points = 0, moved = 0;
    shape->rest_boxes->visit(record_reach(record), [&](std::int32_t leaf) {
        points += shape->rest_boxes->tree().points_of(leaf).size();
    });
    std::vector<Vec3> pressed(shape->rest().begin(), shape->rest().end());
    press_dent(pressed, shape->rest(), hit, 1.0);
    for (std::size_t v = 0; v < pressed.size(); ++v) moved += pressed[v] != shape->rest()[v];
    CHECK(moved > 0);
    // Leaves straddle the rim: some are wasted, not most of the body.
    CHECK(points <= 6 * moved + 8 * PointTree::kLeafSize);
}
