// SPDX-License-Identifier: MIT

#include <ductile/geom/pieces/split_nodes.h>
#include <ductile/geom/pieces/surface_cells.h>

#include <doctest/doctest.h>
#include <geom/cut_in_four.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <numeric>

using namespace ductile;
using namespace ductile::test;

namespace {

SurfaceCells cells_of(const TriMesh& m, double scale, int count) {
    const std::vector<Triangle> next = face_neighbours(m.triangles);
    auto cells = make_surface_cells(m.points, m.triangles, next, scale, {.count = count});
    REQUIRE(cells.has_value());
    return std::move(*cells);
}

}  // namespace

TEST_CASE("cells of a surface are the same bits when its triangles are cut in four") {
    for (const TriMesh& m : {sphere_mesh(1.0, 3), torus_mesh(1.0, 0.3, 40, 16),
                             box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3))}) {
        const SurfaceCells before = cells_of(m, 0.7, 20);
        const SurfaceCells after = cells_of(cut_in_four(m).mesh, 0.7, 20);
        REQUIRE(before.graph.size() == after.graph.size());
        CHECK(before.graph.centre == after.graph.centre);
        CHECK(before.graph.normal == after.graph.normal);
        CHECK(before.graph.area == after.graph.area);
        REQUIRE(before.graph.first_link == after.graph.first_link);
        for (std::size_t i = 0; i < before.graph.links.size(); ++i) {
            CHECK(before.graph.links[i].node == after.graph.links[i].node);
            CHECK(before.graph.links[i].length == after.graph.links[i].length);
        }
    }
}

TEST_CASE("cells cover a surface once, and their links go both ways") {
    const TriMesh m = torus_mesh(1.0, 0.3, 40, 16);
    double area = 0.0;
    for (const Triangle& t : m.triangles) area += 0.5 * area_vector(m.points, t).norm();
    const double scale = 0.5;
    const SurfaceCells cells = cells_of(m, scale, 20);
    const auto& areas = cells.graph.area;
    CHECK(test::near(scale * scale * std::accumulate(areas.begin(), areas.end(), 0.0), area, 1e-3));
    for (std::size_t f = 0; f < m.triangles.size(); ++f) CHECK(!cells.cells_of(f).empty());
    for (std::size_t n = 0; n < cells.graph.size(); ++n) {
        for (const ClusterGraph::Link& link : cells.graph.links_of(std::int32_t(n))) {
            const auto back = cells.graph.links_of(link.node);
            CHECK(std::any_of(back.begin(), back.end(), [&](const ClusterGraph::Link& l) {
                return l.node == std::int32_t(n) && l.length == link.length;
            }));
        }
    }
}

TEST_CASE("no cell lies on both sides of a crease") {
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3));
    for (const Vec3& n : cells_of(box, 1.0, 22).graph.normal) {
        CHECK(n.cwiseAbs().maxCoeff() == 1.0);
    }
}

TEST_CASE("groups that are split in two are as many as asked for, and hold every node once") {
    const SurfaceCells cells = cells_of(torus_mesh(1.0, 0.3, 40, 16), 0.5, 20);
    std::vector<std::int32_t> all(cells.graph.size());
    std::iota(all.begin(), all.end(), 0);
    for (const std::size_t count : {1u, 2u, 7u, 20u, 100u}) {
        const auto groups = split_nodes(cells.graph, {all}, count, 0.5);
        CHECK(groups.size() == count);
        std::vector<std::int32_t> seen;
        for (const auto& group : groups) {
            CHECK(!group.empty());
            seen.insert(seen.end(), group.begin(), group.end());
        }
        std::sort(seen.begin(), seen.end());
        CHECK(seen == all);
    }
}

TEST_CASE("equal nodes at one place are not split, and clusters of them are not empty") {
    ClusterGraph graph;
    for (int n = 0; n < 4; ++n) {
        graph.centre.push_back(Vec3::Zero());
        graph.normal.push_back(Vec3::UnitY());
        graph.area.push_back(1.0);
        graph.weight.push_back(1.0);
        if (n > 0) graph.links.push_back({n - 1, 0.0});
        if (n < 3) graph.links.push_back({n + 1, 0.0});
        graph.first_link.push_back(std::int32_t(graph.links.size()));
    }
    CHECK(split_nodes(graph, {{0, 1, 2, 3}}, 3, 0.5).size() == 1);
    const GraphClusters c = cluster_nodes(graph, {.count = 3});
    CHECK(c.representatives.size() == 1);
    CHECK(c.of_node == std::vector<std::int32_t>(4, 0));
}
