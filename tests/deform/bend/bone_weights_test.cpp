// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bone_skin.h>
#include <ductile/deform/bend/bone_weights.h>
#include <ductile/geom/query/mesh_crossings.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/reason.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

TriMesh bar_mesh(const Vec3& size, double resolution) {
    Result<SurfaceAsset> made =
        make_solid({.kind = SolidKind::Box, .size = size, .resolution = resolution});
    REQUIRE(made.ok());
    return std::move(made).value().surface;
}

TetLattice lattice_around(const TriMesh& mesh, double cell) {
    const SurfaceQuery query(mesh.points, mesh.triangles);
    return TetLattice::make(query, cell).value();
}

double weight_of(const SkinWeights& w, std::size_t point, std::int32_t bone) {
    const auto bones = w.handles_of(point);
    const auto at = std::find(bones.begin(), bones.end(), bone);
    return at == bones.end() ? 0.0 : w.weights_of(point)[at - bones.begin()];
}

Skeleton bones_along_x(std::initializer_list<double> ends) {
    std::vector<Bone> bones;
    double last = *ends.begin();
    for (const double x : ends) {
        if (x != last)
            bones.push_back({"b" + std::to_string(bones.size()), {last, 0, 0}, {x, 0, 0}});
        last = x;
    }
    return skeleton_of_bones(bones, 1e-9).value();
}

void check_rows(const SkinWeights& w, std::size_t points) {
    REQUIRE(w.size() == points);
    for (std::size_t i = 0; i < points; ++i) {
        double sum = 0.0;
        for (const double x : w.weights_of(i)) {
            CHECK(x > 0.0);
            sum += x;
        }
        CHECK(std::abs(sum - 1.0) < 1e-12);
        const auto bones = w.handles_of(i);
        CHECK(std::is_sorted(bones.begin(), bones.end()));
    }
}

}  // namespace

TEST_CASE("points follow the bone beside them, more of it the nearer they are") {
    const TriMesh bar = bar_mesh({2.0, 0.2, 0.2}, 0.05);
    // The last one pokes out of the bar.
    const Skeleton s = bones_along_x({-1.0, -0.2, 0.4, 1.3});
    const auto made = bone_weights(lattice_around(bar, 0.06), s, bar.points);
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    const SkinWeights& w = made.value();
    check_rows(w, bar.points.size());
    for (std::size_t i = 0; i < bar.points.size(); ++i) {
        const double x = bar.points[i].x();
        CAPTURE(x);
        if (x < -0.5) CHECK(weight_of(w, i, 0) > 0.9);
        if (std::abs(x - 0.1) < 0.1) CHECK(weight_of(w, i, 1) > 0.7);
        if (x > 0.7) CHECK(weight_of(w, i, 2) > 0.9);
        if (x < -0.25) CHECK(weight_of(w, i, 0) > weight_of(w, i, 1));
    }
}

TEST_CASE("one bone has all of every point and needs no lattice to say so") {
    const TriMesh bar = bar_mesh({1.0, 0.2, 0.2}, 0.2);
    const Skeleton s = bones_along_x({-0.5, 0.5});
    const auto w = bone_weights(lattice_around(bar, 0.2), s, bar.points);
    REQUIRE(w.ok());
    check_rows(w.value(), bar.points.size());
    for (std::size_t i = 0; i < bar.points.size(); ++i) CHECK(weight_of(w.value(), i, 0) == 1.0);
}

TEST_CASE("a ball has what lies within its radius, before the bars that end in it") {
    const TriMesh bar = bar_mesh({2.0, 0.3, 0.3}, 0.05);
    const auto skeleton = skeleton_of_bones({{"ball", {0, 0, 0}, {0, 0, 0}, 0.25},
                                             {"left", {-1, 0, 0}, {0, 0, 0}},
                                             {"right", {0.25, 0, 0}, {1, 0, 0}}},
                                            1e-6);
    REQUIRE_MESSAGE(skeleton.ok(), test::reason(skeleton));
    const auto w = bone_weights(lattice_around(bar, 0.08), skeleton.value(), bar.points);
    REQUIRE_MESSAGE(w.ok(), test::reason(w));
    for (std::size_t i = 0; i < bar.points.size(); ++i) {
        const double x = bar.points[i].x();
        CAPTURE(x);
        if (bar.points[i].norm() < 0.16) CHECK(weight_of(w.value(), i, 0) > 0.99);
        if (x < -0.5) CHECK(weight_of(w.value(), i, 1) > 0.95);
        if (x > 0.5) CHECK(weight_of(w.value(), i, 2) > 0.95);
    }
}

TEST_CASE("bones too close for the lattice are reported with a message") {
    const TriMesh bar = bar_mesh({2.0, 0.2, 0.2}, 0.2);
    const Skeleton s = bones_along_x({-1.0, 0.0, 0.004, 0.008, 1.0});
    const auto w = bone_weights(lattice_around(bar, 0.2), s, bar.points);
    REQUIRE(!w.ok());
    CHECK(w.error().what.find("is too near to another one for the lattice") != std::string::npos);
}

TEST_CASE("a split bone's weight is shared out along it and all others stay, bit for bit") {
    const TriMesh bar = bar_mesh({2.0, 0.2, 0.2}, 0.05);
    Skeleton s = bones_along_x({-1.0, 0.2, 1.0});
    const SkinWeights before = bone_weights(lattice_around(bar, 0.08), s, bar.points).value();
    const auto joint = split_bone(s, nearest_bone(s, {-0.4, 0.1, 0}), 0.1);
    REQUIRE(joint.ok());
    const SkinWeights after = split_weights(before, bar.points, s, joint.value(), 0.3);
    check_rows(after, bar.points.size());
    for (std::size_t i = 0; i < bar.points.size(); ++i) {
        CHECK(weight_of(after, i, 1) == weight_of(before, i, 1));
        const double left = weight_of(after, i, 0), right = weight_of(after, i, 2);
        CHECK(std::abs(left + right - weight_of(before, i, 0)) < 1e-15);
        const double x = bar.points[i].x();
        if (x < -0.56) CHECK(right == 0.0);
        if (x > -0.24) CHECK(left == 0.0);
    }
}

TEST_CASE("what moves as one keeps its form, bit for bit, however bones are blended") {
    const TriMesh bar = bar_mesh({2.0, 0.2, 0.2}, 0.1);
    const Skeleton s = bones_along_x({-1.0, -0.3, 0.3, 1.0});
    const SkinWeights w = bone_weights(lattice_around(bar, 0.1), s, bar.points).value();
    const Transform turn{Quat(0.3, -0.8, 0.1, 0.4).normalized(), Vec3(3, -1, 0.7)};
    for (const BoneBlend blend : {BoneBlend::Linear, BoneBlend::DualQuaternions}) {
        const std::vector<Transform> alike(3, turn);
        std::vector<SkinFrame> frames(bar.points.size());
        const BoneSkin skin(alike, blend);
        skin.frames(w, frames);
        for (const SkinFrame& frame : frames) {
            CHECK(frame.linear == turn.rotation.toRotationMatrix());
            CHECK(frame.move == turn.translation);
        }
        const std::vector<Transform> rest(3);
        BoneSkin(rest, blend).frames(w, frames);
        for (const SkinFrame& frame : frames) CHECK(frame == SkinFrame{});
    }
}

TEST_CASE("a bent bar keeps its ends; screws keep its thickness where matrices thin it") {
    const TriMesh bar = bar_mesh({2.0, 0.2, 0.2}, 0.05);
    Skeleton s = bones_along_x({-1.0, 1.0});
    const SkinWeights whole = bone_weights(lattice_around(bar, 0.1), s, bar.points).value();
    const std::int32_t joint = split_bone(s, nearest_bone(s, {0, 0.1, 0}), 0.1).value();
    const SkinWeights w = split_weights(whole, bar.points, s, joint, 0.3);
    const JointMotion turns[] = {{Quat(Eigen::AngleAxisd(1.5, Vec3::UnitZ()))}};
    const std::vector<Transform> moved = bone_turns(s, turns, 0);
    double thinnest[2] = {1.0, 1.0};
    for (const BoneBlend blend : {BoneBlend::Linear, BoneBlend::DualQuaternions}) {
        const BoneSkin skin(moved, blend);
        std::vector<Vec3> bent(bar.points.size());
        skin.points(w, bar.points, bent);
        for (std::size_t i = 0; i < bent.size(); ++i) {
            const Vec3& rest = bar.points[i];
            if (rest.x() < -0.16) CHECK(bent[i] == rest);
            if (rest.x() > 0.16) CHECK((bent[i] - moved[1].point(rest)).norm() < 1e-14);
            if (std::abs(rest.x()) < 0.01) {
                double& least = thinnest[blend == BoneBlend::Linear ? 0 : 1];
                least = std::min(least, bent[i].norm() / rest.norm());
            }
        }
        CHECK(count_self_crossings(bent, bar.triangles) == 0);
    }
    CHECK(thinnest[0] < 0.9);
    CHECK(thinnest[1] > 0.999);
    // Folded over, its two halves go through each other, and the count says so.
    const JointMotion folded[] = {{Quat(Eigen::AngleAxisd(3.1, Vec3::UnitZ()))}};
    std::vector<Vec3> bent(bar.points.size());
    const std::vector<Transform> over = bone_turns(s, folded, 0);
    BoneSkin(over, BoneBlend::Linear).points(w, bar.points, bent);
    CHECK(count_self_crossings(bent, bar.triangles) > 0);
}
