// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bone_weights.h>
#include <ductile/deform/bend/curve_skeleton.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/reason.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

TriMesh box_at(const Vec3& size, const Vec3& centre) {
    Result<SurfaceAsset> made =
        make_solid({.kind = SolidKind::Box, .size = size, .resolution = 0.2});
    REQUIRE(made.ok());
    TriMesh out = std::move(made).value().surface;
    for (Vec3& p : out.points) p += centre;
    return out;
}

TriMesh joined(std::initializer_list<TriMesh> parts) {
    TriMesh out;
    for (const TriMesh& part : parts) {
        const auto first = static_cast<std::int32_t>(out.points.size());
        out.points.insert(out.points.end(), part.points.begin(), part.points.end());
        for (const Triangle& t : part.triangles) {
            out.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
    }
    return out;
}

Skeleton skeleton_in(const TriMesh& mesh, double cell) {
    const SurfaceQuery query(mesh.points, mesh.triangles);
    const auto lattice = TetLattice::make(query, cell);
    REQUIRE(lattice.ok());
    const auto made = curve_skeleton(lattice.value());
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    // Good enough to be bent by.
    CHECK(bone_weights(lattice.value(), made.value(), mesh.points).ok());
    return made.value();
}

double least_end_distance(const Skeleton& s, const Vec3& p) {
    double least = kInfinity;
    for (const Bone& b : s.bones) {
        least = std::min({least, (b.from - p).norm(), (b.to - p).norm()});
    }
    return least;
}

}  // namespace

TEST_CASE("a bar of any proportions is one bone from end to end") {
    for (const double width : {0.1, 0.3, 0.5}) {
        const Skeleton s = skeleton_in(box_at({2.0, width, 0.1}, {0, 0, 0}), 0.05);
        REQUIRE(s.bones.size() == 1);
        CHECK(s.joints.empty());
        CAPTURE(width);
        CHECK(least_end_distance(s, {1, 0, 0}) < 0.06);
        CHECK(least_end_distance(s, {-1, 0, 0}) < 0.06);
    }
}

TEST_CASE("an L is two bones that meet in its corner, a T three") {
    const TriMesh ell =
        joined({box_at({2.0, 0.2, 0.2}, {0, 0, 0}), box_at({0.2, 1.5, 0.2}, {0.9, 0.85, 0})});
    const Skeleton l = skeleton_in(ell, 0.05);
    CHECK(l.bones.size() == 2);
    CHECK(l.joints.size() == 1);
    CHECK(least_end_distance(l, {-1, 0, 0}) < 0.15);
    CHECK(least_end_distance(l, {0.9, 1.6, 0}) < 0.15);
    CHECK(least_end_distance(l, {0.9, 0, 0}) < 0.2);
    const TriMesh tee =
        joined({box_at({2.0, 0.2, 0.2}, {0, 0, 0}), box_at({0.2, 1.5, 0.2}, {0.0, 0.85, 0})});
    const Skeleton t = skeleton_in(tee, 0.05);
    CHECK(t.bones.size() == 3);
    CHECK(t.joints.size() == 2);
    CHECK(least_end_distance(t, {-1, 0, 0}) < 0.15);
    CHECK(least_end_distance(t, {1, 0, 0}) < 0.15);
    CHECK(least_end_distance(t, {0, 1.6, 0}) < 0.15);
}

TEST_CASE("a frame around a hole is a loop of bones") {
    const TriMesh frame =
        joined({box_at({2.0, 0.2, 0.2}, {0, -0.7, 0}), box_at({2.0, 0.2, 0.2}, {0, 0.7, 0}),
                box_at({0.2, 1.6, 0.2}, {0.9, 0, 0}), box_at({0.2, 1.6, 0.2}, {-0.9, 0, 0})});
    const Skeleton s = skeleton_in(frame, 0.05);
    CHECK(s.bones.size() >= 3);
    CHECK(s.bones.size() <= 8);
    const std::vector<std::int32_t> loops = joint_loops(s);
    CHECK(std::count(loops.begin(), loops.end(), 0) >= 3);
}
