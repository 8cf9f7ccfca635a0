// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/cell_complex.h>
#include <ductile/geom/cut/cut_cells.h>
#include <ductile/geom/cut/cut_faces.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/cut/cut_laws.h>
#include <geom/test_meshes.h>
#include <support/near.h>
#include <support/reason.h>

#include <algorithm>
#include <map>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("pieces of any pattern are closed and sum to the whole") {
    SolidOptions barrel;
    barrel.kind = SolidKind::Barrel;
    barrel.resolution = 0.08;
    const auto made = make_solid(barrel);
    REQUIRE(made);
    const std::vector<TriMesh> meshes = {box_mesh(Vec3(-1, -2, -0.5), Vec3(1, 1, 0.5)),
                                         sphere_mesh(0.7, 3), torus_mesh(1.0, 0.3, 24, 12),
                                         made.value().surface};
    for (const TriMesh& mesh : meshes) {
        for (const PatternKind kind : {PatternKind::Uniform, PatternKind::Clustered,
                                       PatternKind::Splinters, PatternKind::Rings}) {
            for (const int cells : {8, 64}) {
                check_pieces(mesh, cut_by(mesh, pattern_of(kind, cells)));
            }
        }
    }
    check_pieces(meshes[2], cut_by(meshes[2], pattern_of(PatternKind::Uniform, 512)));
}

TEST_CASE("planes exactly through corners, edges and faces of a box cut it cleanly") {
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    PatternOptions options;
    options.kind = PatternKind::Planes;
    const auto count = [&](std::vector<CutPlane> planes) {
        options.planes = std::move(planes);
        const CutMesh cut = cut_by(box, options);
        check_pieces(box, cut);
        return cut.pieces.size();
    };
    CHECK(count({{Vec3(1, 0, 0), 0.0}}) == 1);                   // a face
    CHECK(count({{Vec3(1, 0, 0), 1.0}}) == 1);                   // the other
    CHECK(count({{Vec3(1, -1, 0), 0.0}}) == 2);                  // two edges
    CHECK(count({{Vec3(1, 1, 0), 0.0}}) == 1);                   // one edge, from outside
    CHECK(count({{Vec3(1, 1, 1), 0.0}}) == 1);                   // a corner, from outside
    CHECK(count({{Vec3(1, 1, 1), 1.0 / std::sqrt(3.0)}}) == 2);  // three corners
    CHECK(count({{Vec3(1, -1, 0), 0.0}, {Vec3(1, 1, 0), std::sqrt(0.5)}}) == 4);  // crossing
    CHECK(count({{Vec3(1, 0, 0), 0.5}, {Vec3(0, 1, 0), 0.5}, {Vec3(0, 0, 1), 0.5}}) == 8);
}

TEST_CASE("sites in a lattice, where eight cells meet in a point, give a box of boxes") {
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    CellPattern pattern;
    for (int k = 0; k < 27; ++k) {
        pattern.sites.emplace_back((k % 3 + 0.5) / 3, (k / 3 % 3 + 0.5) / 3, (k / 9 + 0.5) / 3);
    }
    const auto cut = cut_cells(box, pattern);
    REQUIRE(cut);
    check_pieces(box, cut.value());
    CHECK(cut.value().pieces.size() == 27);
    CHECK(cut.value().joints.size() == 54);
    for (const CutPiece& piece : cut.value().pieces) {
        CHECK(test::near(piece.volume, 1.0 / 27, 1e-9));
        CHECK((piece.centre - pattern.sites[piece.cell]).norm() < 1e-9);
    }
    for (const CutJoint& joint : cut.value().joints) {
        CHECK(test::near(joint.area, 1.0 / 9, 1e-9));
        // Of a square with side a: a^4 / 12 both ways along it, nothing across.
        CHECK(test::near(joint.second_moment.trace(), 2.0 / (81 * 12), 1e-6));
        CHECK(std::abs(joint.normal.dot(joint.second_moment * joint.normal)) < 1e-12);
    }
}

TEST_CASE("bricks lie in courses, every other one shifted, and fill the wall") {
    const TriMesh wall = box_mesh(Vec3(0, 0, 0), Vec3(2.0, 0.4, 0.12));
    PatternOptions options;
    options.kind = PatternKind::Bricks;
    options.brick = Vec3(0.5, 0.1, 0.12);
    const CutMesh cut = cut_by(wall, options);
    check_pieces(wall, cut);
    // Four whole ones in two courses, three and two halves in the others.
    CHECK(cut.pieces.size() == 18);
    for (const CutPiece& piece : cut.pieces) {
        const double share = piece.volume / (0.5 * 0.1 * 0.12);
        CHECK((std::abs(share - 1) < 1e-9 || std::abs(share - 0.5) < 1e-9));
    }
    CHECK(cut.joined == 0);
}

TEST_CASE("a hollow stays one, whatever cuts it") {
    const TriMesh hollow = together(box_mesh(Vec3(-1, -1, -1), Vec3(1, 1, 1)),
                                    inside_out(box_mesh(Vec3(-.5, -.5, -.5), Vec3(.5, .5, .5))));
    const double whole = volume(hollow.points, hollow.triangles);
    CHECK(test::near(whole, 7.0));
    for (const int cells : {2, 9, 40}) {
        const CutMesh cut = cut_by(hollow, pattern_of(PatternKind::Uniform, cells));
        check_pieces(hollow, cut);
    }
    // A cut that passes the hollow by leaves it within one piece.
    PatternOptions aside;
    aside.kind = PatternKind::Planes;
    aside.planes = {{Vec3(1, 0, 0), 0.8}};
    const CutMesh cut = cut_by(hollow, aside);
    REQUIRE(cut.pieces.size() == 2);
    CHECK(test::near(std::max(cut.pieces[0].volume, cut.pieces[1].volume), 6.2));
}

TEST_CASE("a cell with several parts gives several pieces") {
    // A plane across the axis of a ring goes through it twice.
    const TriMesh torus = torus_mesh(1.0, 0.25, 32, 16);
    PatternOptions half;
    half.kind = PatternKind::Planes;
    half.planes = {{Vec3(0, 0, 1), 0.9}};
    CHECK(cut_by(torus, half).pieces.size() == 2);
    half.planes = {{Vec3(1, 0, 0), 0.0}, {Vec3(0, 0, 1), 0.0}};
    CHECK(cut_by(torus, half).pieces.size() == 4);
    half.planes = {{Vec3(0, 0, 1), 0.0}, {Vec3(0, 0, 1), 0.1}};
    const CutMesh strips = cut_by(torus, half);
    check_pieces(torus, strips);
    CHECK(strips.pieces.size() == 4);  // two halves, and two parts of the slice between
}

TEST_CASE("pieces that are too small join their neighbour, and the count says so") {
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    PatternOptions options;
    options.kind = PatternKind::Planes;
    options.planes = {{Vec3(1, 0, 0), 0.5}, {Vec3(1, 0, 0), 0.503}};
    const CutMesh joined = cut_by(box, options);
    CHECK(joined.pieces.size() == 2);
    CHECK(joined.joined == 1);
    check_pieces(box, joined);
    CutOptions all;
    all.smallest = 0.0;
    CHECK(cut_by(box, options, all).pieces.size() == 3);
}

TEST_CASE("an open sheet is cut without walls, and so is what crosses itself") {
    const TriMesh sheet =
        grid_mesh(8, 8, false, false, [](int i, int j) { return Vec3(i, 0.1 * i * j, j); });
    const CutMesh cut = cut_by(sheet, pattern_of(PatternKind::Uniform, 6));
    CHECK(cut.open_triangles == 128);
    CHECK(cut.joints.empty());
    CHECK(cut.pieces.size() >= 4);
    double area = 0.0, whole = 0.0;
    for (const CutFace& f : cut.faces) area += area_vector(cut.points, f.corners).norm();
    for (const Triangle& t : sheet.triangles) whole += area_vector(sheet.points, t).norm();
    CHECK(test::near(area, whole, 1e-12));

    const TriMesh crossed = together(box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1)),
                                     box_mesh(Vec3(.5, .3, .4), Vec3(1.5, 1.3, 1.4)));
    const CutMesh without = cut_by(crossed, pattern_of(PatternKind::Uniform, 6));
    CHECK(without.crosses_itself);
    CHECK(without.joints.empty());
}

TEST_CASE("triangles within one cell are taken over, points of the mesh stay where they were") {
    const TriMesh sphere = sphere_mesh(1.0, 4);
    const CutMesh cut = cut_by(sphere, pattern_of(PatternKind::Uniform, 10));
    REQUIRE(cut.points.size() > sphere.points.size());
    CHECK(std::equal(sphere.points.begin(), sphere.points.end(), cut.points.begin()));
    std::map<std::int32_t, int> uses;
    for (const CutFace& face : cut.faces) ++uses[face.source];
    int whole = 0;
    for (const CutFace& face : cut.faces) {
        if (face.source < 0) continue;
        if (uses[face.source] == 1) {
            ++whole;
            Triangle was = sphere.triangles[face.source], is = face.corners;
            std::sort(was.begin(), was.end());
            std::sort(is.begin(), is.end());
            CHECK(was == is);
        }
    }
    CHECK(whole > static_cast<int>(sphere.triangles.size()) * 3 / 4);
    for (std::size_t p = sphere.points.size(); p < cut.points.size(); ++p) {
        const SurfaceAnchor& anchor = cut.anchors[p];
        if (anchor.weights == Vec3::Zero()) continue;
        Vec3 place = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            if (anchor.weights[k] != 0) place += anchor.weights[k] * cut.points[anchor.points[k]];
        }
        CHECK((place - cut.points[p]).norm() < 1e-12);
    }
}

TEST_CASE("what cannot be cut is refused with a message") {
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    CHECK(cut_cells({}, {{Vec3::Zero()}, {}, {}, {}}).error().what ==
          "there is nothing to cut: no triangles");
    CHECK(cut_cells(box, {}).error().what == "the pattern has no cells");
    TriMesh broken = box;
    broken.points[3].x() = std::nan("");
    CHECK_FALSE(cut_cells(broken, {{Vec3::Zero()}, {}, {}, {}}));
}
