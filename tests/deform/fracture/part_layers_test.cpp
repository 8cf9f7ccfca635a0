// SPDX-License-Identifier: MIT
// What other layers did to a body that breaks: its parts have it, point by point.
#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/deform/fracture/fracture_deformer.h>
#include <ductile/deform/layers.h>
#include <ductile/deform/mesh_revision.h>
#include <ductile/deform/shell/shell_deformer.h>
#include <ductile/deform/shell/shell_rig.h>

#include <doctest/doctest.h>
#include <support/reason.h>
#include <support/rigged.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace ductile;
using namespace ductile::test;

namespace {

FractureOptions cells_of_parts(int cells) {
    FractureOptions options;
    options.pattern.cells = cells;
    return options;
}

std::shared_ptr<const BodyShape> bendable_bar(bool is_anchored, int cells = 12) {
    LayerOptions layers;
    layers.dent.emplace();
    BendOptions& bend = layers.bend.emplace();
    bend.bones = {{"foot", Vec3(-1, 0, 0), Vec3(-0.4, 0, 0), 0.0, is_anchored},
                  {"arm", Vec3(-0.4, 0, 0), Vec3(1, 0, 0)}};
    layers.fracture = cells_of_parts(cells);
    const auto rules = make_layers(layers);
    REQUIRE(rules);
    auto made = make_body_shape(solid(SolidKind::Box, Vec3(2, 0.2, 0.2), 0.05),
                                {.material = find_material("steel").value()}, rules.value());
    INFO(reason(made));
    REQUIRE(made);
    return made.value();
}

// A dent, a turn of the joint that is there, and one of a joint that the impact made.
Journal bent_journal() {
    Journal journal;
    DentHit dent;
    dent.position_b = Vec3(0.2, 0.1, 0);
    dent.direction_b = -Vec3::UnitY();
    dent.radius = 0.3;
    dent.depth = 0.02;
    journal.add(0.0, 0.0, dent);
    JointHit turns;
    turns.joints = {{{0, 0, 0.5, 0.1}, {{0.0, Vec3(0, 0, 0.6)}}},
                    {{-1, 1, 0.5, 0.3}, {{0.0, Vec3(0, 0.3, -0.5)}}}};
    journal.add(0.0, 0.0, turns, HitGrowth::Recorded);
    return journal;
}

using PlaceKey = std::array<double, 3>;
PlaceKey key_of(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

/// Checks of every piece alone, and of all but the first: points of the whole are where the whole
/// has them, bit for bit; others within `tolerance` of its surface, or of what it encloses.
void check_parts(const std::shared_ptr<const BodyShape>& whole, const Journal& journal,
                 double tolerance) {
    const auto* data = whole->data<FractureData>();
    REQUIRE(data);
    const std::vector<Vec3> now = shape_at(*whole, journal, 1.0);
    std::map<PlaceKey, Vec3> place;
    for (std::size_t v = 0; v < now.size(); ++v) place[key_of(whole->rest()[v])] = now[v];
    SurfaceQuery surface(now, whole->triangles());
    const auto count = static_cast<std::int32_t>(data->pieces().size());
    double moved = 0.0;
    std::size_t same = 0, between = 0;
    std::map<PlaceKey, Vec3> made_at;  // both sides of a wall are in one place
    for (std::int32_t p = 0; p <= count; ++p) {
        std::vector<std::int32_t> pieces = {p};
        if (p == count) pieces.assign(data->pieces().begin() + 1, data->pieces().end());
        const auto part = data->part_shape(pieces, whole);
        INFO(reason(part));
        REQUIRE(part);
        REQUIRE(check_journal_fits(journal, *part.value()));
        CHECK(part.value()->layers.size() == whole->layers.size());
        const std::vector<Vec3> points = shape_at(*part.value(), journal, 1.0);
        const std::span<const Vec3> rest = part.value()->rest();
        for (std::size_t v = 0; v < points.size(); ++v) {
            moved = std::max(moved, (points[v] - rest[v]).norm());
            const auto at = place.find(key_of(rest[v]));
            if (at != place.end()) {
                CHECK(points[v] == at->second);
                ++same;
                continue;
            }
            const auto [known, is_new] = made_at.try_emplace(key_of(rest[v]), points[v]);
            CHECK(known->second == points[v]);
            if (whole->rest_surface->closest_point(rest[v]).distance > 1e-9) continue;
            CHECK(surface.closest_point(points[v]).distance < tolerance);
            ++between;
        }
    }
    CHECK(moved > 0.1);
    CHECK(same > 100);
    CHECK(between > 50);
}

}  // namespace

TEST_CASE("parts of a bent body have its bends and dents where it had them") {
    check_parts(bendable_bar(false), bent_journal(), 2e-3);
    check_parts(bendable_bar(true), bent_journal(), 2e-3);
}

TEST_CASE("what is cut off a post that stands fast is anchored nowhere, and the rest stays so") {
    const auto post = bendable_bar(true);
    const auto* data = post->data<FractureData>();
    CHECK(data->is_held());  // by the bone, without a box
    int held = 0;
    for (const std::int32_t p : data->pieces()) {
        const auto part = data->part_shape(std::span(&p, 1), post);
        REQUIRE(part);
        const auto* bend = part.value()->data<BendData>();
        REQUIRE(bend);
        CHECK(bend->is_of_part());
        const bool is_held = part.value()->data<FractureData>()->is_held();
        CHECK(bend->is_anchored() == is_held);
        held += is_held;
        const bool is_foot = part.value()->mass.centre_b.x() < -0.4;
        CHECK(is_held == is_foot);
    }
    CHECK(held > 0);
}

TEST_CASE("parts of a body with example poses have their shares of them") {
    const auto asset = solid(SolidKind::Cylinder, Vec3(0.4, 2.0, 0.4), 0.08);
    for (const bool has_own_weights : {false, true}) {
        CAPTURE(has_own_weights);
        auto rig = std::make_shared<ExampleRig>(*post_rig(*asset));
        if (has_own_weights) rig->node_weights.resize(0, 0);
        const auto fracture = make_layer(cells_of_parts(10), LayerFiles{});
        REQUIRE(fracture);
        const auto post = make_body_shape(
            asset, {.material = find_material("steel").value(), .thickness = 0.003},
            {make_dent_deformer({}), make_example_deformer({}, rig), fracture.value()});
        REQUIRE(post);
        Journal journal;
        journal.add(0.0, 0.0,
                    example_hit(Vec3(0.2, 0.7, 0), {{"bent", 0.8}, {"pushed", 0.3}}, 1.5));
        check_parts(post.value(), journal, 6e-3);
        // A part takes finer meshes, too.
        const auto* data = post.value()->data<FractureData>();
        const std::int32_t first = 0;
        const auto part = data->part_shape(std::span(&first, 1), post.value());
        REQUIRE(part);
        RefineHit finer;
        finer.position_b = part.value()->mass.centre_b;
        finer.radius = 0.5;
        finer.longest_edge = 0.03;
        journal.add(0.0, 0.0, finer);
        const auto refined = refined_shape(part.value(), journal);
        INFO(reason(refined));
        REQUIRE(refined);
        CHECK(refined.value()->rest().size() > part.value()->rest().size());
        const std::vector<Vec3> coarse = shape_at(*part.value(), journal, 1.0);
        const std::vector<Vec3> fine = shape_at(*refined.value(), journal, 1.0);
        CHECK(std::equal(coarse.begin(), coarse.end(), fine.begin()));
    }
}

TEST_CASE("parts of a crumpled shell keep their creases, and crumple no more") {
    const auto shell = make_layer(ShellOptions{}, LayerFiles{});
    const auto fracture = make_layer(cells_of_parts(8), LayerFiles{});
    REQUIRE(shell);
    REQUIRE(fracture);
    const auto box =
        make_body_shape(solid(SolidKind::Box, Vec3(1, 1, 1), 0.1),
                        {.material = find_material("steel").value(), .thickness = 0.001},
                        {shell.value(), fracture.value()});
    INFO(reason(box));
    REQUIRE(box);
    const auto* rig = box.value()->data<ShellRig>();
    ShellHit crush;
    crush.depth = 0.2;
    for (const Vec3& rest : rig->control_rest) {
        if (rest.y() < 0.2) continue;
        crush.moves.push_back({rest, Vec3(0.03, -0.2, 0.05 * rest.x())});
    }
    REQUIRE(crush.moves.size() > 4);
    Journal journal;
    journal.add(0.0, 0.0, crush);
    check_parts(box.value(), journal, 1e-9);
    const auto* data = box.value()->data<FractureData>();
    const std::int32_t first = 0;
    const auto part = data->part_shape(std::span(&first, 1), box.value());
    REQUIRE(part);
    const Layer& layer = part.value()->layers[0];
    BodyImpact impact;
    impact.point_b = part.value()->rest()[0];
    impact.normal_b = Vec3::UnitY();
    impact.damage_impulse = 1e4;
    impact.approach_speed = 30.0;
    impact.effective_mass = 100.0;
    const StruckBody body{*part.value(), *part.value()->rest_surface, layer.data.get()};
    CHECK(layer.rule->wanted_share(impact, body) == 0.0);
    Response response;
    layer.rule->respond(impact, body, response);
    CHECK(response.records.empty());
}

TEST_CASE("a layer that breaks takes nothing from example poses beside it") {
    const auto asset = solid(SolidKind::Cylinder, Vec3(0.4, 2.0, 0.4), 0.1);
    const auto rule = make_example_deformer({}, post_rig(*asset));
    const auto fracture = make_layer(cells_of_parts(6), LayerFiles{});
    REQUIRE(fracture);
    const BodyShapeOptions options{.material = find_material("steel").value(), .thickness = 0.003};
    const auto plain = make_body_shape(asset, options, {rule});
    const auto scored = make_body_shape(asset, options, {rule, fracture.value()});
    const auto dented = make_body_shape(asset, options, {make_dent_deformer({}), rule});
    REQUIRE((plain && scored && dented));
    const auto share = [&](const BodyShape& shape, std::size_t k) {
        return rule->wanted_share(BodyImpact{},
                                  {shape, *shape.rest_surface, shape.layers[k].data.get()});
    };
    CHECK(share(*plain.value(), 0) == 1.0);
    CHECK(share(*scored.value(), 0) == 1.0);
    CHECK(share(*dented.value(), 1) < 1.0);
}
