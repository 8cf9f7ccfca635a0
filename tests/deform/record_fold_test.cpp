// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/record_fold.h>

#include <doctest/doctest.h>
#include <support/bodies.h>

#include <algorithm>
#include <numeric>

using namespace ductile;

namespace {

/// Every record of the stage executed on all points, one after the other.
template <class Row>
std::vector<Row> rows_from_scratch(const BodyShape& shape, const Journal& journal, double t) {
    std::vector<std::int32_t> all(shape.rest().size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<Row> rows(all.size());
    if constexpr (std::is_same_v<Row, Vec3>) rows.assign(shape.rest().begin(), shape.rest().end());
    for (const std::size_t i : hits_of_stage(journal, kStageOf<Row>)) {
        apply_record(journal.hits()[i].record, {shape, all, shape.rest()}, journal.amount(i, t),
                     std::span<Row>(rows));
    }
    return rows;
}

template <class Row>
bool all_same_bits(std::span<const Row> a, std::span<const Row> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), has_same_bits<Row>);
}

/// From the side at a height, inwards.
DentHit side_dent(double height, double angle, double depth = 0.03) {
    DentHit hit;
    const Vec3 out(std::cos(angle), 0, std::sin(angle));
    hit.position_b = 0.29 * out + Vec3(0, height, 0);
    hit.direction_b = -out;
    hit.depth = depth;
    hit.radius = 0.1;
    return hit;
}

BendHit bend_at(double height, double angle_deg) {
    BendHit hit;
    hit.position_b = Vec3(0, height, 0);
    hit.angle_deg = angle_deg;
    return hit;
}

}  // namespace

TEST_CASE("a fold's rows are those of all records on all points, and it names what changed") {
    const auto shape = test::barrel({}, 0.05);
    RecordFold<Vec3> fold(shape);
    Journal journal;
    Rng rng(17);
    for (int round = 0; round < 40; ++round) {
        const double t = 0.02 * round;
        const double duration = round % 3 == 0 ? 0.0 : 0.05;
        journal.add(t, duration, side_dent(rng.uniform(-0.4, 0.4), rng.uniform(0, 6)));
        if (round == 20) journal.repair({t, 0.1, 0.5});
        if (round % 7 == 6) journal.remove(journal.hits()[rng.next() % 5].id);
        const std::vector<Vec3> before(fold.rows().begin(), fold.rows().end());
        CHECK_FALSE(fold.is_current(journal, t));
        REQUIRE(fold.update(journal, t));
        CHECK(fold.is_current(journal, t));
        REQUIRE(all_same_bits<Vec3>(fold.rows(), rows_from_scratch<Vec3>(*shape, journal, t)));
        std::vector<std::int32_t> changed;
        for (std::size_t v = 0; v < before.size(); ++v) {
            if (!has_same_bits(before[v], fold.rows()[v])) {
                changed.push_back(static_cast<std::int32_t>(v));
            }
        }
        CHECK(std::equal(changed.begin(), changed.end(), fold.touched().begin(),
                         fold.touched().end()));
    }
    CHECK_FALSE(fold.is_settled(journal));  // The last ones are still under way.
    REQUIRE(fold.update(journal, 100.0));
    CHECK(fold.is_settled(journal));
}

TEST_CASE("rows of some points can be foreseen without making them, while settled hits hold") {
    const auto shape = test::barrel({}, 0.05);
    RecordFold<SkinFrame> fold(shape);
    Journal journal;
    journal.add(0.0, 0.0, bend_at(-0.1, 20));
    journal.add(0.1, 0.4, bend_at(0.1, 40));
    REQUIRE(fold.update(journal, 0.2));
    std::vector<std::int32_t> points;
    for (std::int32_t v = 0; v < std::ssize(shape->rest()); v += 7) points.push_back(v);
    std::vector<SkinFrame> foreseen;
    REQUIRE(fold.peek(journal, 0.35, points, foreseen));
    REQUIRE(
        all_same_bits<SkinFrame>(fold.rows(), rows_from_scratch<SkinFrame>(*shape, journal, 0.2)));
    REQUIRE(fold.update(journal, 0.35));
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(has_same_bits(foreseen[i], fold.rows()[points[i]]));
    }
    // Hits that the fold has not seen, one of them where nothing was bent, one that is gone again.
    const std::int64_t gone = journal.add(0.36, 0.2, bend_at(0.2, 15));
    REQUIRE(fold.update(journal, 0.37));
    journal.add(0.38, 0.0, bend_at(0.3, 10));
    journal.add(0.38, 0.3, bend_at(0.4, 25));
    journal.remove(gone);
    REQUIRE(fold.peek(journal, 0.4, points, foreseen));
    REQUIRE(fold.update(journal, 0.4));
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(has_same_bits(foreseen[i], fold.rows()[points[i]]));
    }
    REQUIRE(
        all_same_bits<SkinFrame>(fold.rows(), rows_from_scratch<SkinFrame>(*shape, journal, 0.4)));
    journal.remove(journal.hits()[0].id);
    CHECK_FALSE(fold.peek(journal, 0.45, points, foreseen));
}

TEST_CASE("an update that is taken back leaves the rows as they were, and the next is right") {
    const auto shape = test::barrel({}, 0.05);
    RecordFold<Vec3> fold(shape);
    Journal journal;
    journal.add(0.0, 0.0, side_dent(0.0, 1.0));
    journal.add(0.0, 1.0, side_dent(0.1, 1.2));
    REQUIRE(fold.update(journal, 0.5));
    const std::vector<Vec3> before(fold.rows().begin(), fold.rows().end());
    DentHit endless = side_dent(0.0, 1.1, kInfinity);
    endless.total_limit = kInfinity;
    const std::int64_t bad = journal.add(0.5, 0.0, endless);
    CHECK_FALSE(fold.update(journal, 0.6));
    fold.take_back();
    CHECK(all_same_bits<Vec3>(fold.rows(), before));
    journal.remove(bad);
    REQUIRE(fold.update(journal, 0.7));
    CHECK(all_same_bits<Vec3>(fold.rows(), rows_from_scratch<Vec3>(*shape, journal, 0.7)));
    // Another journal with the same ids.
    Journal other;
    other.add(0.0, 0.0, side_dent(-0.2, 3.0));
    fold.restart();
    REQUIRE(fold.update(other, 0.7));
    CHECK(all_same_bits<Vec3>(fold.rows(), rows_from_scratch<Vec3>(*shape, other, 0.7)));
}

TEST_CASE("hits act as they came, but a bend after those that carry it along") {
    Journal journal;
    journal.add(0.0, 0.0, bend_at(0.3, 10));
    journal.add(0.1, 0.0, side_dent(0.0, 0.0));
    journal.add(0.2, 0.0, bend_at(-0.2, 20));
    journal.add(0.3, 0.0, bend_at(0.1, 30));
    journal.add(0.4, 0.0, side_dent(0.1, 0.0));
    CHECK(hits_of_stage(journal, Stage::Offset) == std::vector<std::size_t>{1, 4});
    CHECK(hits_of_stage(journal, Stage::Skin) == std::vector<std::size_t>{2, 3, 0});
}
