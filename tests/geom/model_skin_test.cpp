// SPDX-License-Identifier: MIT
#include <ductile/geom/model_skin.h>

#include <doctest/doctest.h>

using namespace ductile;

namespace {

Mat4 moved(const Vec3& by) {
    Mat4 m = Mat4::Identity();
    m.topRightCorner<3, 1>() = by;
    return m;
}

}  // namespace

TEST_CASE("a child's place is its parent's and its own") {
    Model model;
    model.nodes.resize(2);
    model.nodes[0].to_parent = moved(Vec3(1, 0, 0));
    model.nodes[1].to_parent = moved(Vec3(0, 2, 0));
    model.nodes[1].parent = 0;
    const Result<std::vector<Mat4>> places = node_places(model);
    REQUIRE(places.ok());
    CHECK(places.value()[1] == moved(Vec3(1, 2, 0)));
    model.nodes[0].parent = 1;
    CHECK(!node_places(model).ok());
}

TEST_CASE("all sets of joints bend a mesh, weights of any sum, and morphs turn along") {
    ModelMesh mesh;
    mesh.points = {Vec3(1, 0, 0), Vec3(2, 0, 0)};
    mesh.joints = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    mesh.joint_weights = {Vec4(1, 0, 0, 0), Vec4::Zero(), Vec4(3, 0, 0, 0), Vec4::Zero()};
    mesh.morphs = {{"m", {Vec3(1, 0, 0), Vec3(1, 0, 0)}}};
    CHECK(mesh.joint_sets() == 2);
    Mat4 turn = Mat4::Identity();  // a quarter about z
    turn.topLeftCorner<2, 2>() << 0, -1, 1, 0;
    const Result<ModelMesh> bent = bent_mesh(mesh, std::vector<Mat4>{Mat4::Identity(), turn});
    REQUIRE(bent.ok());
    CHECK((bent.value().points[0] - Vec3(0.25, 0.75, 0)).norm() < 1e-15);
    CHECK((bent.value().morphs[0].moves[0] - Vec3(0.25, 0.75, 0)).norm() < 1e-15);
    CHECK(bent.value().points[1] == mesh.points[1]);  // hangs on nothing
    CHECK(bent.value().joints.empty());
    CHECK(!bent_mesh(mesh, std::vector<Mat4>{turn}).ok());
    mesh.joints.pop_back();
    CHECK(!bent_mesh(mesh, std::vector<Mat4>{turn, turn}).ok());
}

TEST_CASE("a skin without a matrix per joint, or of nodes that are not there, is refused") {
    ModelSkin skin;
    skin.joints = {0};
    CHECK(!joint_carries(skin, std::vector<Mat4>{Mat4::Identity()}).ok());
    skin.inverse_binds = {Mat4::Identity()};
    CHECK(joint_carries(skin, std::vector<Mat4>{Mat4::Identity()}).ok());
    skin.joints = {1};
    CHECK(!joint_carries(skin, std::vector<Mat4>{Mat4::Identity()}).ok());
}
