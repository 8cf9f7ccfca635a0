// SPDX-License-Identifier: MIT

#include <ductile/geom/pieces/face_graph.h>
#include <ductile/geom/pieces/face_units.h>

#include <doctest/doctest.h>
#include <geom/cut_in_four.h>
#include <geom/test_meshes.h>

#include <algorithm>

using namespace ductile;
using namespace ductile::test;

namespace {

FaceUnits units_of(const TriMesh& m, int count, double reach) {
    const FaceGraph graph = make_face_graph(m.points, m.triangles,
                                            {.count = count, .scale = ClusterScale::ClusterSize});
    return make_face_units(m.points, m.triangles, graph, Vec3(-3, -3, -3), reach * graph.scale);
}

}  // namespace

TEST_CASE("units of faces are the same bits when triangles are cut in four") {
    for (const TriMesh& m : {sphere_mesh(1.0, 3), torus_mesh(1.0, 0.3, 40, 16),
                             box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3))}) {
        const FaceUnits before = units_of(m, 6, 1.5), after = units_of(cut_in_four(m).mesh, 6, 1.5);
        REQUIRE(before.size() == after.size());
        CHECK(before.centre == after.centre);
        CHECK(before.normal == after.normal);
        CHECK(before.area == after.area);
        for (std::size_t u = 0; u < before.size(); ++u) {
            CHECK(4 * before.faces[u].size() == after.faces[u].size());
            REQUIRE(before.links[u].size() == after.links[u].size());
            for (std::size_t i = 0; i < before.links[u].size(); ++i) {
                CHECK(before.links[u][i].unit == after.links[u][i].unit);
                CHECK(before.links[u][i].border == after.links[u][i].border);
            }
        }
    }
}

TEST_CASE("every face is in one unit, and links of units go both ways") {
    const TriMesh m = torus_mesh(1.0, 0.3, 40, 16);
    const FaceUnits units = units_of(m, 20, 1.0);
    CHECK(units.size() == m.triangles.size() / 2);  // flat squares
    std::vector<std::int32_t> seen(m.triangles.size(), 0);
    for (std::size_t u = 0; u < units.size(); ++u) {
        for (const std::int32_t f : units.faces[u]) {
            ++seen[f];
            CHECK(units.of_face[f] == static_cast<std::int32_t>(u));
        }
        for (const FaceUnits::Link& link : units.links[u]) {
            const auto& back = units.links[link.unit];
            CHECK(std::any_of(back.begin(), back.end(), [&](const FaceUnits::Link& l) {
                return l.unit == static_cast<std::int32_t>(u) && l.border == link.border;
            }));
        }
    }
    CHECK(std::all_of(seen.begin(), seen.end(), [](std::int32_t n) { return n == 1; }));
}

TEST_CASE("a large flat is cut into its faces where they are short, and stays whole elsewhere") {
    const auto sheet = [](int cells) {
        return grid_mesh(cells, cells, false, false, [&](int i, int j) {
            return Vec3(double(i) / cells, 0.0, -double(j) / cells);
        });
    };
    CHECK(units_of(sheet(20), 1, 1.0).size() == 1);     // small against clusters
    CHECK(units_of(sheet(20), 25, 0.9).size() == 800);  // faces of 0.35 of a cluster
    CHECK(units_of(sheet(5), 25, 0.9).size() == 1);     // of 1.4
    CHECK(units_of(sheet(5), 25, 0.0).size() == 50);
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3));
    CHECK(units_of(box, 100, 0.9).size() == 6);
    CHECK(units_of(box, 6, 0.0).size() == 12);
}

TEST_CASE("faces without an area or folded back are units of their own") {
    TriMesh m = box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3));
    m.triangles.push_back({4, 4, 4});
    const FaceUnits units = units_of(m, 6, 2.0);
    CHECK(units.size() == 7);
    const TriMesh folded = grid_mesh(
        2, 1, false, false, [](int i, int j) { return Vec3(i == 1 ? 1.0 : 0.0, 0.0, -double(j)); });
    CHECK(units_of(folded, 1, 2.0).size() == 2);
}
