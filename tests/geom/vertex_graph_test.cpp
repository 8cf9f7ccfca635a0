// SPDX-License-Identifier: MIT
#include <ductile/geom/vertex_graph.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

using namespace ductile;

TEST_CASE("neighbours are mutual, ascending and each once") {
    const TriMesh m = test::torus_mesh(1.0, 0.3, 12, 8);
    const VertexGraph graph = vertex_graph(m.points.size(), m.triangles);
    for (std::size_t v = 0; v < graph.size(); ++v) {
        const auto of = graph.of(v);
        CHECK(of.size() == 6);  // a regular torus
        CHECK(std::is_sorted(of.begin(), of.end(), std::less_equal<>()));
        for (const std::int32_t w : of) {
            const auto back = graph.of(w);
            CHECK(std::binary_search(back.begin(), back.end(), static_cast<std::int32_t>(v)));
        }
    }
}

TEST_CASE("distances along edges bound those along a sphere from above, and come close to them") {
    const TriMesh m = test::sphere_mesh(1.0, 4);
    const VertexGraph graph = vertex_graph(m.points.size(), m.triangles);
    const std::vector<std::int32_t> seeds = {0};
    const std::vector<double> found = edge_distances(m.points, graph, seeds, 1.5);
    for (std::size_t v = 1; v < m.points.size(); ++v) {
        const double angle = std::acos(std::clamp(m.points[v].dot(m.points[0]), -1.0, 1.0));
        if (found[v] == kInfinity) {
            CHECK(angle > 1.5 / 1.42);
        } else {
            CHECK(found[v] > 0.995 * angle);         // chords are shorter than arcs
            CHECK(found[v] < 1.42 * angle + 1e-12);  // the way around a square
            CHECK(found[v] <= 1.5);
        }
    }
}

TEST_CASE("parts are what cannot be reached from each other") {
    const TriMesh two =
        test::together(test::sphere_mesh(1.0, 1),
                       test::placed(test::sphere_mesh(1.0, 1), {Quat::Identity(), Vec3(5, 0, 0)}));
    const VertexGraph graph = vertex_graph(two.points.size(), two.triangles);
    std::vector<std::uint8_t> is_in(two.points.size(), 1);
    CHECK(vertex_parts(graph, is_in).count == 2);
    is_in.assign(two.points.size(), 0);
    is_in[0] = is_in[3] = 1;  // opposite ends of one ball
    const VertexParts parts = vertex_parts(graph, is_in);
    CHECK(parts.count == 2);
    CHECK(parts.part[0] == 0);
    CHECK(parts.part[3] == 1);
    CHECK(parts.part[1] == -1);
}
