// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bend_hit.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/deform/mesh_revision.h>
#include <ductile/deform/shell/shell_deformer.h>
#include <ductile/deform/shell/shell_hit.h>
#include <ductile/deform/shell/shell_rig.h>

#include <deform/shell/shell_sheet.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <cstring>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const SurfaceAsset> sheet_asset(int cells, double height = 0.0) {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = sheet_mesh(2.0, cells);
    for (Vec3& p : asset->surface.points) p.y() = height;
    return asset;
}

std::shared_ptr<const BodyShape> shell_body(const ShellOptions& options, int cells = 24,
                                            double height = 0.0) {
    auto shape = make_body_shape(
        sheet_asset(cells, height),
        {.material = find_material("steel").value(), .thickness = 0.0015, .mass = 40.0},
        {make_shell_deformer(options)});
    REQUIRE(shape.ok());
    return shape.value();
}

BodyImpact strike(const ShellSheet& with, double speed, const Vec3& place = Vec3(0.1, 0, 0.05)) {
    BodyImpact impact = with.impact(place, Vec3(0, -speed, 0));
    impact.approach_speed = speed;
    impact.effective_mass = 28.6;
    impact.restitution = 0.2;
    impact.damage_impulse = impact.effective_mass * speed * 1.2;
    impact.other_size = 0.87;
    impact.other_edge = 0.05;
    return impact;
}

Response answer(const BodyShape& shape, const BodyImpact& impact,
                const SurfaceQuery* on = nullptr) {
    Response response;
    const Layer& layer = shape.layers[0];
    layer.rule->respond(impact, {shape, on ? *on : *shape.rest_surface, layer.data.get()},
                        response);
    return response;
}

double follow_distance(const Response& response) {
    double way = 0.0;
    for (const Request& r : response.requests) {
        if (const auto* f = std::get_if<FollowShape>(&r)) way += f->distance;
    }
    return way;
}

double deepest_move(const BodyShape& shape, const Journal& journal) {
    double most = 0.0;
    for (const double d : displacement(shape_at(shape, journal, 10.0), shape.rest())) {
        most = std::max(most, d);
    }
    return most;
}

}  // namespace

TEST_CASE("an impact on a shell writes one record, followed by what struck it") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40});
    double before = 0.0;
    for (const double speed : {2.0, 5.0, 10.0, 20.0}) {
        const Response response = answer(*shape, strike(with, speed));
        REQUIRE(response.records.size() == 1);
        const auto& hit = std::get<ShellHit>(response.records[0]);
        CHECK(hit.depth > before);
        CHECK(test::near(follow_distance(response), hit.depth));
        CHECK(response.work <= 0.5 * 28.6 * speed * speed);
        before = hit.depth;
        Journal journal;
        journal.add(0.0, 0.0, response.records[0]);
        CHECK(test::near(deepest_move(*shape, journal), hit.depth, 0.15));
    }
}

TEST_CASE("two equal impacts of one step are no deeper than one of their sum") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40});
    const BodyImpact one = strike(with, 8.0);
    const std::vector<BodyImpact> both = {one, one};
    std::vector<Response> responses(2);
    shape->layers[0].rule->respond_all(
        both, {*shape, *shape->rest_surface, shape->layers[0].data.get()}, responses);
    Journal two, sum;
    for (const Response& r : responses) {
        for (const HitRecord& record : r.records) two.add(0.0, 0.0, record);
    }
    CHECK(two.hits().size() == 1);
    BodyImpact strong = one;
    strong.damage_impulse *= std::sqrt(2.0);
    sum.add(0.0, 0.0, answer(*shape, strong).records[0]);
    CHECK(deepest_move(*shape, two) <= 1.02 * deepest_move(*shape, sum));
}

TEST_CASE("last digits of a place on an edge or a corner change nothing") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40});
    const std::span<const Vec3> points = shape->rest();
    const Triangle& under = shape->triangles()[shape->triangles().size() / 2];
    for (const Vec3& at : {points[under[0]], Vec3(0.5 * (points[under[0]] + points[under[1]]))}) {
        std::vector<ShellHit> hits;
        for (const Vec3& by : {Vec3(0, 0, 0), Vec3(1, 0, 0.3), Vec3(-1, 0, 0.4), Vec3(0.2, 0, -1),
                               Vec3(-0.3, 0, -1)}) {
            BodyImpact impact = strike(with, 10.0, at);
            impact.point_b = at + 1e-13 * by;
            impact.starts_b = {impact.point_b};
            hits.push_back(std::get<ShellHit>(answer(*shape, impact).records.at(0)));
        }
        for (const ShellHit& hit : hits) {
            CHECK(test::near(hit.depth, hits[0].depth, 1e-9));
            REQUIRE(hit.moves.size() == hits[0].moves.size());
            for (std::size_t i = 0; i < hit.moves.size(); ++i) {
                REQUIRE((hit.moves[i].shift_b - hits[0].moves[i].shift_b).norm() < 1e-9);
            }
        }
    }
}

TEST_CASE("an impact that grows over steps is as deep as it is at once") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40});
    Journal grown;
    BodyImpact impact = strike(with, 10.0);
    const double whole = impact.damage_impulse;
    SurfaceQuery surface = *shape->rest_surface;
    for (const double share : {0.5, 0.8, 1.0}) {
        impact.previous_damage_impulse = share > 0.5 ? impact.damage_impulse : 0.0;
        impact.damage_impulse = share * whole;
        const Response response = answer(*shape, impact, &surface);
        for (const HitRecord& r : response.records) grown.add(0.0, 0.0, r);
        surface.refit(shape_at(*shape, grown, 1.0));
    }
    Journal once;
    once.add(0.0, 0.0, answer(*shape, strike(with, 10.0)).records[0]);
    CHECK(test::near(deepest_move(*shape, grown), deepest_move(*shape, once), 0.1));
}

TEST_CASE(
    "a shell's record is linear, leaves no trace when it is removed, and is the same in text") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40, .reach = 0.5});
    Journal journal;
    journal.add(0.0, 0.0, answer(*shape, strike(with, 6.0)).records[0]);
    const std::int64_t second =
        journal.add(0.0, 0.0, answer(*shape, strike(with, 6.0, Vec3(-0.4, 0, 0.2))).records[0]);
    const std::vector<Vec3> both = shape_at(*shape, journal, 1.0);
    Journal first = journal;
    CHECK(first.remove(second));
    const std::vector<Vec3> one = shape_at(*shape, first, 1.0);
    const auto& hit = std::get<ShellHit>(journal.hits()[1].record);
    // Half the amount is half the way.
    std::vector<std::int32_t> indices(shape->rest().size());
    for (std::size_t v = 0; v < indices.size(); ++v) indices[v] = std::int32_t(v);
    std::vector<Vec3> half = one, full = one;
    const RecordPoints at{*shape, indices, shape->rest()};
    apply_record(hit, at, 0.5, half);
    apply_record(hit, at, 1.0, full);
    std::size_t still = 0;
    for (std::size_t v = 0; v < full.size(); ++v) {
        CHECK((2.0 * (half[v] - one[v]) - (full[v] - one[v])).norm() < 1e-12);
        CHECK(std::memcmp(&full[v], &both[v], sizeof(Vec3)) == 0);
        still += std::memcmp(&full[v], &one[v], sizeof(Vec3)) == 0;
    }
    CHECK(still > full.size() / 10);
    CHECK(first.remove(first.hits()[0].id));
    const std::vector<Vec3> none = shape_at(*shape, first, 1.0);
    CHECK(std::memcmp(none.data(), shape->rest().data(), none.size() * sizeof(Vec3)) == 0);
}

TEST_CASE("a bent shell's record that has only begun is the shape from scratch, bit for bit") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40}, 24, -0.0);
    ShellHit up = std::get<ShellHit>(answer(*shape, strike(with, 6.0)).records[0]);
    for (auto& move : up.moves) move.shift_b = -move.shift_b;
    BodyState state(shape);
    Journal journal;
    journal.add(0.0, 0.0, BendHit{.position_b = Vec3(0.5, 0, 0), .along_b = Vec3(1, 0, 0)});
    REQUIRE(state.update(journal, 0.0).ok());
    journal.add(0.1, 0.05, up);
    for (const double t : {0.1, 0.12, 0.2}) {
        REQUIRE(state.update(journal, t).ok());
        const std::vector<Vec3> scratch = shape_at(*shape, journal, t);
        CHECK(std::memcmp(state.points().data(), scratch.data(), state.points().size_bytes()) == 0);
    }
}

TEST_CASE("records that a body cannot take are refused with a message") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40});
    HitRecord record = answer(*shape, strike(with, 6.0)).records[0];
    CHECK(record_fits(record, *shape).ok());
    CHECK(!record_fits(record, *shell_body({.sub_shells = 20})).ok());
    CHECK(!record_fits(record, make_replay_shape(sheet_asset(24))).ok());
    CHECK(!record_fits(ShellHit{}, *shape).ok());
    Journal journal;
    journal.add(0.0, 0.0, record);
    CHECK(check_journal_fits(journal, *shape).ok());
    CHECK(!check_journal_fits(journal, make_replay_shape(sheet_asset(24))).ok());
    // A solid is no shell.
    CHECK(!make_body_shape(sheet_asset(8), {.material = find_material("steel").value()},
                           {make_shell_deformer({})})
               .ok());
}

TEST_CASE("a shell's record acts on a finer mesh of its body, too") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40});
    Journal journal;
    journal.add(0.0, 0.0, answer(*shape, strike(with, 6.0)).records[0]);
    const std::vector<Vec3> coarse = shape_at(*shape, journal, 1.0);
    journal.add(0.0, 0.0, RefineHit{Vec3(0.1, 0, 0.05), 0.3, 0.05});
    const auto finer = refined_shape(shape, journal);
    REQUIRE(finer.ok());
    CHECK(check_journal_fits(journal, *finer.value()).ok());
    const std::vector<Vec3> fine = shape_at(*finer.value(), journal, 1.0);
    REQUIRE(fine.size() > coarse.size());
    for (std::size_t v = 0; v < coarse.size(); ++v) {
        CHECK(std::memcmp(&fine[v], &coarse[v], sizeof(Vec3)) == 0);
    }
}

TEST_CASE("a guard lessens a shell's record until no edge is over the limit") {
    const ShellSheet with(8);
    const auto shape = shell_body({.sub_shells = 40});
    HitRecord record = answer(*shape, strike(with, 12.0)).records[0];
    auto& hit = std::get<ShellHit>(record);
    const double depth = hit.depth;
    guard_record(record, *shape->rest_surface, *shape);
    CHECK(hit.depth == depth);
    for (ShellMove& move : hit.moves) move.shift_b *= 6.0;
    guard_record(record, *shape->rest_surface, *shape);
    CHECK(hit.depth < depth);
    Journal journal;
    journal.add(0.0, 0.0, record);
    const std::vector<Vec3> now = shape_at(*shape, journal, 1.0);
    const auto& rig = *shape->data<ShellRig>();
    double most = 0.0;
    for (const MeshEdge& e : rig.edges) {
        const double rest = (shape->rest()[e[0]] - shape->rest()[e[1]]).norm();
        most = std::max(most, (now[e[0]] - now[e[1]]).norm() / rest - 1.0);
    }
    CHECK(most <= 1.5 * rig.stretch_limit + 1e-9);
}
