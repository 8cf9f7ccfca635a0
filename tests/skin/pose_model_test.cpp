// SPDX-License-Identifier: MIT
#include <ductile/asset/flatten_model.h>
#include <ductile/geom/model.h>
#include <ductile/skin/pose_model.h>

#include <doctest/doctest.h>

using namespace ductile;
using Target = ModelChannel::Target;

namespace {

// A triangle at the end of an arm: node 0 turns, node 1 hangs one metre along its x.
Model arm() {
    Model model;
    model.nodes.resize(2);
    model.nodes[0].name = "root";
    model.nodes[1].parent = 0;
    model.nodes[1].mesh = 0;
    model.nodes[1].to_parent.topRightCorner<3, 1>() = Vec3(1, 0, 0);
    ModelMesh& mesh = model.meshes.emplace_back();
    mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    mesh.triangles = {{0, 1, 2}};
    model.animations.emplace_back();
    return model;
}

void add(Model& model, std::int32_t node, Target target, std::vector<double> times,
         std::vector<double> values, const char* interpolation = "LINEAR") {
    model.animations[0].channels.push_back(
        {node, target, interpolation, std::move(times), std::move(values)});
}

std::vector<Vec3> points_at(const Model& model, double time) {
    const Result<Model> posed = posed_model(model, 0, time);
    REQUIRE(posed.ok());
    const Result<FlatModel> flat = flatten_model(posed.value(), {});
    REQUIRE(flat.ok());
    return flat.value().render.points;
}

bool is_near(const Vec3& a, const Vec3& b) { return (a - b).norm() < 1e-12; }

}  // namespace

TEST_CASE("nodes go where their channels put them, children along, and rest beyond the keys") {
    Model model = arm();
    const double h = std::sqrt(0.5);
    add(model, 0, Target::Rotation, {1, 2}, {0, 0, 0, 1, 0, 0, h, h});  // a quarter turn about z
    add(model, 0, Target::Translation, {1, 3}, {0, 0, 0, 0, 0, 4});
    CHECK(is_near(points_at(model, 0)[0], Vec3(1, 0, 0)));
    CHECK(is_near(points_at(model, 1.5)[0], Vec3(h, h, 1)));
    CHECK(is_near(points_at(model, 2)[1], Vec3(0, 2, 2)));
    CHECK(is_near(points_at(model, 9)[0], Vec3(0, 1, 4)));
    const AnimationSpan span = animation_span(model.animations[0]);
    CHECK(span.begin == 1);
    CHECK(span.end == 3);
}

TEST_CASE("steps hold, cubics pass their keys with their slopes") {
    Model model = arm();
    add(model, 0, Target::Translation, {0, 1}, {0, 0, 0, 8, 0, 0}, "STEP");
    CHECK(is_near(points_at(model, 0.99)[0], Vec3(1, 0, 0)));
    CHECK(is_near(points_at(model, 1)[0], Vec3(9, 0, 0)));
    Model cubic = arm();
    // Per key: slope in, value, slope out. x = t^2 has slopes 0 and 2.
    add(cubic, 0, Target::Translation, {0, 1},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0}, "CUBICSPLINE");
    for (const double t : {0.0, 0.3, 0.5, 1.0})
        CHECK(is_near(points_at(cubic, t)[0], Vec3(1 + t * t, 0, 0)));
}

TEST_CASE("a scaled and mirrored node keeps what no channel moves") {
    Model model = arm();
    model.nodes[0].to_parent.topLeftCorner<3, 3>() = Vec3(-2, 3, 0.5).asDiagonal();
    const std::vector<Vec3> before = points_at(model, 0);
    add(model, 0, Target::Translation, {0}, {0, 0, 5});
    const std::vector<Vec3> after = points_at(model, 0);
    for (std::size_t i = 0; i < before.size(); ++i) {
        CHECK(is_near(after[i], before[i] + Vec3(0, 0, 5)));
    }
}

TEST_CASE("a skinned mesh is where its joints are, whatever its own node says") {
    Model model = arm();
    model.nodes.emplace_back().name = "joint";
    model.nodes[1].skin = 0;
    ModelSkin& skin = model.skins.emplace_back();
    skin.joints = {2, 0};
    skin.inverse_binds = {Mat4::Identity(), Mat4::Identity()};
    ModelMesh& mesh = model.meshes[0];
    mesh.joints.assign(3, {0, 1, 0, 0});
    mesh.joint_weights = {Vec4(1, 0, 0, 0), Vec4(0.5, 0.5, 0, 0), Vec4(0, 1, 0, 0)};
    add(model, 2, Target::Translation, {0, 1}, {0, 0, 0, 0, 0, 2});
    const std::vector<Vec3> points = points_at(model, 1);
    CHECK(is_near(points[0], Vec3(0, 0, 2)));
    CHECK(is_near(points[1], Vec3(1, 0, 1)));
    CHECK(is_near(points[2], Vec3(0, 1, 0)));
    mesh.joints[0] = {7, 0, 0, 0};
    CHECK(!posed_model(model, 0, 0).ok());
}

TEST_CASE("morphs come as far as their channel weighs them, before the skin") {
    Model model = arm();
    ModelMesh& mesh = model.meshes[0];
    mesh.morphs = {{"up", {Vec3(0, 1, 0), Vec3(0, 2, 0), Vec3(0, 0, 0)}},
                   {"out", {Vec3(0, 0, 1), Vec3(0, 0, 1), Vec3(0, 0, 1)}}};
    add(model, 1, Target::Weights, {0, 1}, {0, 0, 1, 0.5});
    CHECK(is_near(points_at(model, 0)[0], Vec3(1, 0, 0)));
    CHECK(is_near(points_at(model, 0.5)[0], Vec3(1, 0.5, 0.25)));
    CHECK(is_near(points_at(model, 1)[1], Vec3(2, 2, 0.5)));
}

TEST_CASE("nodes' places at a time are those that the posed model shows") {
    Model model = arm();
    const double h = std::sqrt(0.5);
    add(model, 0, Target::Rotation, {0, 1}, {0, 0, 0, 1, 0, 0, h, h});
    const Result<std::vector<Mat4>> places = posed_places(model, 0, 1.0);
    REQUIRE(places.ok());
    const Vec3 tip = (places.value()[1] * Vec4(1, 0, 0, 1)).head<3>();
    CHECK(is_near(tip, points_at(model, 1.0)[1]));
}

TEST_CASE("channels that do not fit are refused with a message") {
    Model weights = arm();
    add(weights, 1, Target::Weights, {0, 1}, {0, 1});  // it has no morphs
    REQUIRE(!posed_model(weights, 0, 0).ok());
    CHECK(posed_model(weights, 0, 0).error().what.find("morphs") != std::string::npos);
    Model few = arm();
    add(few, 0, Target::Translation, {0, 1}, {0, 0, 0});
    CHECK(!posed_model(few, 0, 0).ok());
    Model nobody = arm();
    add(nobody, 5, Target::Translation, {0}, {0, 0, 0});
    CHECK(!posed_model(nobody, 0, 0).ok());
    Model back = arm();
    add(back, 0, Target::Translation, {1, 0}, {0, 0, 0, 0, 0, 0});
    CHECK(!posed_model(back, 0, 0).ok());
}
