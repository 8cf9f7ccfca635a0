// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/cut_joints.h>

#include <doctest/doctest.h>
#include <geom/cut/cut_laws.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <map>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("joints of a sheet are as long as its cracks, and all of it hangs together") {
    const TriMesh sheet =
        grid_mesh(8, 8, false, false, [](int i, int j) { return Vec3(i, 0.0, j); });
    CutOptions how;
    how.thickness = 0.05;
    how.smallest = 0.0;
    CutMesh cut = cut_by(sheet, pattern_of(PatternKind::Uniform, 6), how);
    REQUIRE(cut.pieces.size() >= 4);
    std::map<std::array<std::int32_t, 2>, std::int32_t> uses;
    for (const CutFace& face : cut.faces) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = face.corners[k], b = face.corners[(k + 1) % 3];
            auto [it, is_new] = uses.try_emplace({std::min(a, b), std::max(a, b)}, face.behind);
            if (!is_new && it->second != face.behind) it->second = -1;
        }
    }
    double cracks = 0.0, joints = 0.0;
    for (const auto& [edge, piece] : uses) {
        if (piece < 0) cracks += (cut.points[edge[1]] - cut.points[edge[0]]).norm();
    }
    for (const CutJoint& joint : cut.joints) {
        joints += joint.area;
        CHECK(std::abs(joint.normal.y()) < 1e-12);
        const Vec3 apart = cut.pieces[joint.pieces[1]].centre - cut.pieces[joint.pieces[0]].centre;
        CHECK(joint.normal.dot(apart) > 0);
        CHECK(test::near(joint.second_moment(1, 1), joint.area * 0.05 * 0.05 / 12));
    }
    CHECK(test::near(joints, 0.05 * cracks, 1e-9));
    CHECK(tie_loose_parts(cut) == 0);
}

TEST_CASE("small parts of a sheet join a neighbour, or the nearest part of their cell") {
    const TriMesh sheet =
        grid_mesh(8, 8, false, false, [](int i, int j) { return Vec3(i, 0.0, j); });
    const TriMesh speck = grid_mesh(
        1, 1, false, false, [](int i, int j) { return Vec3(2 + 0.1 * i, 0.3, 2 + 0.1 * j); });
    CutOptions how;
    how.thickness = 0.05;
    PatternOptions planes;
    planes.kind = PatternKind::Planes;
    planes.planes = {{Vec3(1, 0, 0), 4.0}, {Vec3(1, 0, 0), 4.03}};
    const CutMesh cut = cut_by(together(sheet, speck), planes, how);
    CHECK(cut.pieces.size() == 2);
    CHECK(cut.joined == 2);
}

TEST_CASE("parts that lie apart are tied where they are nearest") {
    const TriMesh one = box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    const TriMesh pair = together(one, box_mesh(Vec3(1.2, 0, 0), Vec3(2.2, 1, 1)));
    CutMesh cut = cut_by(together(pair, box_mesh(Vec3(0, 5, 0), Vec3(1, 6, 1))),
                         pattern_of(PatternKind::Uniform, 3));
    const std::size_t before = cut.joints.size();
    CHECK(tie_loose_parts(cut) >= 1);
    CHECK(cut.joints.size() > before);
    CHECK(tie_loose_parts(cut) == 0);
    for (const CutJoint& joint : cut.joints) {
        CHECK(joint.pieces[0] < joint.pieces[1]);
        CHECK(joint.area > 0);
        CHECK(test::near(joint.normal.norm(), 1.0));
    }
}

TEST_CASE("boxes are as far apart as their nearest places") {
    const Box a{Vec3(0, 0, 0), Vec3(1, 1, 1)};
    CHECK(test::near(gap_sq(a, {Vec3(4, 0.5, 5), Vec3(6, 2, 6)}), 9 + 16));
    CHECK(gap_sq(a, {Vec3(0.5, 0.5, 0.5), Vec3(6, 2, 6)}) == 0.0);
}
