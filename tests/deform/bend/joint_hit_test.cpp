// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/bend/bend_deformer.h>
#include <ductile/deform/bend/bend_options.h>
#include <ductile/deform/bend/joint_hit.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/joint_skin.h>
#include <ductile/deform/journal_io.h>
#include <ductile/deform/mesh_revision.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> jointed_bar(const BendOptions& options = {}) {
    const auto layer = make_layer(options, LayerFiles{});
    REQUIRE(layer.ok());
    const auto shape =
        make_body_shape(solid(SolidKind::Box, {1.0, 0.04, 0.06}, 0.03), {}, {layer.value()});
    if (!shape) FAIL(shape.error().text());
    return shape.value();
}

JointHit turned_at(double along, const Vec3& turn) {
    JointHit hit;
    hit.joints.push_back({{-1, 0, along, 0.1}, {{0.0, 0.5 * turn}, {0.1, turn}}});
    return hit;
}

std::int64_t add_impact(Journal& journal, double time, const JointHit& hit) {
    return journal.add(time, hit.last_time(), hit, HitGrowth::Recorded);
}

}  // namespace

TEST_CASE("a joint record turns what lies beyond it, as its keys say, and nothing before it") {
    const auto shape = jointed_bar();
    const auto* data = shape->data<BendData>();
    REQUIRE(data != nullptr);
    CHECK((data->skeleton().bones[0].from - Vec3(-0.5, 0, 0)).norm() < 1e-9);
    Journal journal;
    add_impact(journal, 1.0, turned_at(0.5, {0, 0, 0.8}));
    const std::vector<Vec3> rest(shape->rest().begin(), shape->rest().end());
    CHECK(shape_at(*shape, journal, 0.99) == rest);
    for (const auto& [time, angle] : {std::pair(1.05, 0.4), std::pair(1.1, 0.8), {9.0, 0.8}}) {
        const std::vector<Vec3> points = shape_at(*shape, journal, time);
        const Eigen::AngleAxisd turn(angle, Vec3::UnitZ());
        for (std::size_t v = 0; v < rest.size(); ++v) {
            if (rest[v].x() < -0.06) CHECK(points[v] == rest[v]);
            if (rest[v].x() > 0.06) CHECK((points[v] - turn * rest[v]).norm() < 1e-12);
        }
    }
}

TEST_CASE("impacts on one joint add up, on several they carry each other along, in any order") {
    const auto shape = jointed_bar();
    Journal near_first, far_first;
    const JointHit near = turned_at(0.3, {0, 0.3, 0.5}), far = turned_at(0.7, {0, -0.4, 0.2});
    add_impact(near_first, 0.0, near);
    add_impact(near_first, 0.0, far);
    add_impact(far_first, 0.0, far);
    add_impact(far_first, 0.0, near);
    const auto a = shape_at(*shape, near_first, 1.0), b = shape_at(*shape, far_first, 1.0);
    for (std::size_t v = 0; v < a.size(); ++v) CHECK((a[v] - b[v]).norm() < 1e-12);

    Journal twice, once;
    add_impact(twice, 0.0, turned_at(0.5, {0, 0, 0.3}));
    add_impact(twice, 0.5, turned_at(0.5, {0, 0, 0.4}));
    add_impact(once, 0.0, turned_at(0.5, {0, 0, 0.7}));
    const auto c = shape_at(*shape, twice, 1.0), d = shape_at(*shape, once, 1.0);
    for (std::size_t v = 0; v < c.size(); ++v) CHECK((c[v] - d[v]).norm() < 1e-12);
}

TEST_CASE("a joint record slides what lies beyond it, impacts add up, and files keep every bit") {
    const auto shape = jointed_bar();
    JointHit first, second;
    first.joints.push_back(
        {{-1, 0, 0.5, 0.1},
         {{0.0, Vec3::Zero(), Vec3(-0.01, 0, 0)}, {0.1, Vec3::Zero(), Vec3(-0.04, 0, 0)}}});
    second.joints.push_back({{-1, 0, 0.5, 0.1}, {{0.0, Vec3::Zero(), Vec3(0.01, 0, 0)}}});
    Journal journal;
    add_impact(journal, 1.0, first);
    add_impact(journal, 2.0, second);
    const std::vector<Vec3> rest(shape->rest().begin(), shape->rest().end());
    for (const auto& [time, slide] :
         {std::pair(1.05, -0.01), std::pair(1.1, -0.04), {2.0, -0.03}}) {
        const std::vector<Vec3> points = shape_at(*shape, journal, time);
        for (std::size_t v = 0; v < rest.size(); ++v) {
            if (rest[v].x() < -0.06) CHECK(points[v] == rest[v]);
            if (rest[v].x() > 0.06) {
                CHECK((points[v] - rest[v] - Vec3(slide, 0, 0)).norm() < 1e-12);
            }
        }
    }
    CHECK(record_mark(HitRecord(first)).unit == "m");
    CHECK(test::near(record_mark(HitRecord(first)).size, 0.04));
    std::vector<Error> errors;
    const Journal again = journal_from_json(journal_to_json(journal), "", errors);
    CHECK(errors.empty());
    CHECK(shape_at(*shape, again, 3.0) == shape_at(*shape, journal, 3.0));
    REQUIRE(journal.remove(journal.hits()[0].id));
    REQUIRE(journal.remove(journal.hits()[0].id));
    CHECK(shape_at(*shape, journal, 3.0) == rest);
}

TEST_CASE("a state follows a journal of impacts to the bit, also when one is taken back") {
    const auto shape = jointed_bar();
    Journal journal;
    BodyState state(shape);
    const auto check = [&](double t) {
        REQUIRE(state.update(journal, t).ok());
        const auto points = state.points();
        CHECK(std::vector<Vec3>(points.begin(), points.end()) == shape_at(*shape, journal, t));
    };
    const std::int64_t first = add_impact(journal, 0.0, turned_at(0.5, {0, 0, 0.6}));
    check(0.05);
    check(0.2);
    add_impact(journal, 0.3, turned_at(0.25, {0, 0.5, 0}));
    DentHit dent;
    dent.position_b = {0.3, 0.02, 0};
    dent.direction_b = {0, -1, 0};
    dent.radius = 0.08;
    dent.depth = 0.01;
    journal.add(0.4, 0.0, dent);
    check(0.35);
    check(0.5);
    JointHit longer = turned_at(0.25, {0, 0.5, 0});
    longer.joints[0].keys.push_back({0.4, {0, 0.7, 0}});
    journal.continue_hit(journal.hits()[1].id, longer.last_time(), longer);
    check(0.8);
    REQUIRE(journal.remove(first));
    check(0.9);
    journal.repair({1.0, 0.5, 1.0});
    check(1.2);
    journal.remove(journal.hits()[1].id);
    check(2.0);
    CHECK(std::equal(shape->rest().begin(), shape->rest().end(), state.points().begin()));
}

TEST_CASE("records that a body cannot take are refused with a message") {
    const auto shape = jointed_bar();
    HitRecord fine = turned_at(0.5, {0, 0, 0.5});
    CHECK(record_fits(fine, *shape).ok());
    CHECK(!record_fits(fine, make_replay_shape(shape->asset)).ok());
    JointHit bad = turned_at(0.5, {0, 0, 0.5});
    bad.joints[0].name.bone = 3;
    CHECK(!record_fits(HitRecord(bad), *shape).ok());
    bad = turned_at(0.5, {0, 0, 0.5});
    bad.joints[0].keys[1].time = 0.0;
    HitRecord backward = bad;
    CHECK(!check_record(backward).ok());
}

TEST_CASE("skeletons without sense are refused with the bone's name") {
    const auto refused = [](const BendOptions& options) {
        const auto layer = make_layer(options, LayerFiles{});
        if (!layer) return layer.error().text();
        const auto shape =
            make_body_shape(solid(SolidKind::Box, {1.0, 0.04, 0.06}, 0.03), {}, {layer.value()});
        REQUIRE(!shape.ok());
        return shape.error().text();
    };
    BendOptions options;
    options.makes_joints = false;
    CHECK(refused(options).find("without joints") != std::string::npos);
    options = {};
    options.spring_damping = 1.0;
    CHECK(refused(options).find("stiffness") != std::string::npos);
    options = {};
    options.bones = {{"dot", Vec3::Zero(), Vec3::Zero(), 0.0, false}};
    CHECK(refused(options).find("dot") != std::string::npos);
}

TEST_CASE("a finer mesh bends as the coarse one did") {
    const auto shape = jointed_bar();
    Journal journal;
    add_impact(journal, 0.0, turned_at(0.5, {0, 0, 0.6}));
    const std::vector<Vec3> coarse = shape_at(*shape, journal, 1.0);
    RefineHit refine;
    refine.position_b = {0, 0.02, 0};
    refine.radius = 0.1;
    refine.longest_edge = 0.015;
    journal.add(0.0, 0.0, refine);
    const auto finer = refined_shape(shape, journal);
    REQUIRE(finer.ok());
    const std::vector<Vec3> fine = shape_at(*finer.value(), journal, 1.0);
    REQUIRE(fine.size() > coarse.size());
    for (std::size_t v = 0; v < coarse.size(); ++v) CHECK(fine[v] == coarse[v]);
}
