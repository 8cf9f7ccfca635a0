// SPDX-License-Identifier: MIT
#include <ductile/deform/body_state.h>
#include <ductile/deform/example/example_deformer.h>
#include <ductile/deform/example/example_paint.h>
#include <ductile/deform/example/example_rig.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/rigged.h>

using namespace ductile;
using namespace ductile::test;

namespace {

std::shared_ptr<const BodyShape> painted_post(const ExamplePaint& paint) {
    ExampleOptions options;
    options.paint = paint;
    return rigged_post(options);
}

ExampleMap paint_by(const std::string& formula) { return {.formula = formula}; }

// An impact from the left at height y; 3 kg m/s per kg of the post.
Response painted_answer(const BodyShape& shape, double y, double per_mass = 3.0) {
    BodyImpact impact;
    impact.point_b = {-0.2, y, 0};
    impact.normal_b = {-1, 0, 0};
    impact.starts_b = {impact.point_b};
    impact.damage_impulse = per_mass * shape.mass.mass;
    impact.effective_mass = 10.0;
    impact.restitution = 0.2;
    Response response;
    const Layer& layer = shape.layers.back();
    layer.rule->respond(impact, {shape, *shape.rest_surface, layer.data.get()}, response);
    return response;
}

const ExampleHit* hit_of(const Response& response) {
    return response.records.empty() ? nullptr : std::get_if<ExampleHit>(&response.records[0]);
}

double change_of(const ExampleHit& hit, std::string_view pose) {
    for (const PoseChange& c : hit.changes) {
        if (c.pose == pose) return c.change;
    }
    return 0.0;
}

}  // namespace

TEST_CASE("paint of 1 everywhere changes nothing, to the bit") {
    const auto plain = rigged_post();
    const auto painted = painted_post(
        {.yield = paint_by("1"), .radius = paint_by("1"), .poses = {{"bent", paint_by("1")}}});
    const Response a = painted_answer(*plain, 0.8), b = painted_answer(*painted, 0.8);
    REQUIRE(hit_of(a));
    REQUIRE(hit_of(b));
    CHECK(hit_of(a)->radius == hit_of(b)->radius);
    REQUIRE(hit_of(a)->changes.size() == hit_of(b)->changes.size());
    for (std::size_t i = 0; i < hit_of(a)->changes.size(); ++i) {
        CHECK(hit_of(a)->changes[i].change == hit_of(b)->changes[i].change);
    }
    Journal journal;
    journal.add(0.0, 0.0, a.records[0]);
    const auto one = shape_at(*plain, journal, 1.0), two = shape_at(*painted, journal, 1.0);
    CHECK(std::equal(one.begin(), one.end(), two.begin(), two.end()));
}

TEST_CASE("where paint says so a body yields later, and impacts reach further") {
    const auto shape = painted_post(
        {.yield = paint_by("1 + 9 * (y > 0)"), .radius = paint_by("1 + 0.5 * (y < 0)")});
    CHECK_FALSE(hit_of(painted_answer(*shape, 0.8)));
    const Response below = painted_answer(*shape, -0.8);
    REQUIRE(hit_of(below));
    const auto plain = rigged_post();
    CHECK(test::near(hit_of(below)->radius, 1.5 * hit_of(painted_answer(*plain, -0.8))->radius));
    // What is painted soft lets the body be asked about slower approaches.
    const auto soft = painted_post({.yield = paint_by("0.1 + 0.9 * (y > 0)")});
    CHECK(test::near(soft->yield_speed(), 0.1 * plain->yield_speed()));
}

TEST_CASE("a pose that is painted away is neither chosen nor spread") {
    const auto plain = rigged_post(), shape = painted_post({.poses = {{"bent", paint_by("0")}}});
    const Response a = painted_answer(*plain, 0.8), b = painted_answer(*shape, 0.8);
    REQUIRE(hit_of(a));
    CHECK(change_of(*hit_of(a), "bent") > 0.0);
    if (hit_of(b)) CHECK(change_of(*hit_of(b), "bent") == 0.0);
    // A record by hand takes the pose where paint lets it, and by as much.
    const auto upper = painted_post({.poses = {{"bent", paint_by("0.5 * (y > 0.3)")}}});
    Journal journal;
    journal.add(0.0, 0.0, example_hit({0, 0.3, 0}, {{"bent", 0.6}}, 1.2));
    const auto whole = rows_at(*plain, journal, 1.0), part = rows_at(*upper, journal, 1.0);
    for (std::size_t v = 0; v < whole.size(); ++v) {
        const double factor = plain->rest()[v].y() > 0.3 ? 0.5 : 0.0;
        CHECK(test::near(part[v].shares[0], factor * whole[v].shares[0]));
        CHECK(part[v].rest_share() >= -1e-12);
    }
}

TEST_CASE("vertex colours paint as formulas do") {
    auto asset =
        std::make_shared<SurfaceAsset>(*solid(SolidKind::Cylinder, Vec3(0.4, 2.0, 0.4), 0.08));
    for (const Vec3& p : asset->render.points) {
        asset->render.colours.push_back(Vec4(p.y() > 0.2 ? 1.0 : 0.0, 0, 0, 1));
    }
    const auto rig = post_rig(*asset);
    const ExamplePaint paint{
        .poses = {{"pushed", {.colour = PaintChannel::Red, .black = 0.25, .white = 2.0}}}};
    const Result<ExampleFactors> factors = example_factors(paint, rig->rig, *asset);
    REQUIRE(factors.ok());
    for (std::size_t v = 0; v < asset->surface.points.size(); ++v) {
        const double y = asset->surface.points[v].y();
        CHECK(factors.value().of_pose(0, v) == 1.0);
        if (std::abs(y - 0.2) < 1e-9) continue;
        CHECK(test::near(factors.value().of_pose(1, v), y > 0.2 ? 2.0 : 0.25));
    }
}

TEST_CASE("paint without sense is refused by the name of its field") {
    const auto asset = solid(SolidKind::Cylinder, Vec3(0.4, 2.0, 0.4), 0.2);
    const auto rig = post_rig(*asset);
    const auto where = [&](const ExamplePaint& paint) {
        const Result<ExampleFactors> made = example_factors(paint, rig->rig, *asset);
        REQUIRE_FALSE(made.ok());
        return made.error().where;
    };
    CHECK(where({.yield = ExampleMap{}}) == "/yield");
    CHECK(where({.yield = ExampleMap{.formula = "1", .colour = PaintChannel::Red}}) == "/yield");
    CHECK(where({.yield = paint_by("1 +")}) == "/yield/formula");
    CHECK(where({.yield = paint_by("-1")}) == "/yield");
    CHECK(where({.radius = paint_by("0")}) == "/radius");
    CHECK(where({.radius = paint_by("1 / (x - x)")}) == "/radius");
    CHECK(where({.radius = ExampleMap{.colour = PaintChannel::Red}}) == "/radius");
    CHECK(where({.poses = {{"flat", paint_by("1")}}}) == "/poses/flat");
    CHECK(where({.poses = {{"bent", paint_by("11")}}}) == "/poses/bent");
}
