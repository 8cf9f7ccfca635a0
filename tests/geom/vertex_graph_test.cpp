// SPDX-License-Identifier: MIT
#include <ductile/geom/vertex_graph.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

using namespace ductile;

TEST_CASE("neighbours are mutual, ascending and each once") {
    const TriMesh m = test::torus_mesh(1.0, 0.3, 12, 8);
    const VertexGraph graph = vertex_graph(m.points.size(), m.triangles);
    for (std::size_t v = 0; v < graph.size(); ++v) {
        const auto of = graph[v];
        CHECK(of.size() == 6);  // a regular torus
        CHECK(std::is_sorted(of.begin(), of.end(), std::less_equal<>()));
        for (const std::int32_t w : of) {
            const auto back = graph[w];
            CHECK(std::binary_search(back.begin(), back.end(), static_cast<std::int32_t>(v)));
        }
    }
}

TEST_CASE("distances over a few edges at once come close to those along a sphere") {
    const TriMesh m = test::sphere_mesh(1.0, 4);
    const VertexGraph graph = vertex_graph(m.points.size(), m.triangles);
    const std::vector<std::int32_t> seeds = {0};
    const std::vector<double> found = edge_distances(m.points, graph, seeds, 1.5);
    for (std::size_t v = 1; v < m.points.size(); ++v) {
        const double angle = std::acos(std::clamp(m.points[v].dot(m.points[0]), -1.0, 1.0));
        if (found[v] == kInfinity) {
            CHECK(angle > 1.5 / 1.05);
        } else {
            CHECK(found[v] > 0.985 * angle);  // chords are shorter than arcs
            CHECK(found[v] < 1.05 * angle);
            CHECK(found[v] <= 1.5);
        }
    }
}

TEST_CASE("distances on a grid of halved squares are the same in all directions to 8 percent") {
    const TriMesh m = test::grid_mesh(60, 60, false, false,
                                      [](int i, int j) { return Vec3(i - 30.0, 0.0, 30.0 - j); });
    const VertexGraph graph = vertex_graph(m.points.size(), m.triangles);
    const auto middle = static_cast<std::int32_t>(m.points.size() / 2);
    const std::vector<std::int32_t> seeds = {middle};
    const EdgeReach found = edge_reach(m.points, graph, seeds, 28.0);
    for (std::size_t i = 0; i < found.vertices.size(); ++i) {
        const double straight = (m.points[found.vertices[i]] - m.points[middle]).norm();
        CHECK(found.distance[i] < 1.08 * straight + 1e-12);
    }
}

TEST_CASE("parts are what cannot be reached from each other") {
    const TriMesh two =
        test::together(test::sphere_mesh(1.0, 1),
                       test::placed(test::sphere_mesh(1.0, 1), {Quat::Identity(), Vec3(5, 0, 0)}));
    const VertexGraph graph = vertex_graph(two.points.size(), two.triangles);
    std::vector<std::uint8_t> is_in(two.points.size(), 1);
    CHECK(vertex_components(graph, is_in).count == 2);
    is_in.assign(two.points.size(), 0);
    is_in[0] = is_in[3] = 1;  // opposite ends of one ball
    const VertexComponents parts = vertex_components(graph, is_in);
    CHECK(parts.count == 2);
    CHECK(parts.component[0] == 0);
    CHECK(parts.component[3] == 1);
    CHECK(parts.component[1] == -1);
}

TEST_CASE("a distance lies between the straight one and the shortest along edges") {
    Rng rng(11);
    TriMesh m = test::torus_mesh(1.0, 0.4, 40, 16);
    // Edges from a hair to half the body.
    for (Vec3& p : m.points) {
        const double length = 0.2 * std::pow(rng.uniform(0, 1), 6.0);
        p += length * test::random_vec(rng);
    }
    const VertexGraph graph = vertex_graph(m.points.size(), m.triangles);
    const std::vector<std::int32_t> seeds = {5, 17, 400};
    std::vector<double> plain(m.points.size(), kInfinity);
    for (const std::int32_t s : seeds) plain[s] = 0.0;
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        for (std::size_t v = 0; v < m.points.size(); ++v) {
            for (const std::int32_t w : graph[v]) {
                const double at = plain[v] + (m.points[w] - m.points[v]).norm();
                if (!(at < plain[w])) continue;
                plain[w] = at;
                is_moving = true;
            }
        }
    }
    for (const double reach : {0.0, 0.3, 1.0, kInfinity}) {
        const std::vector<double> found = edge_distances(m.points, graph, seeds, reach);
        for (std::size_t v = 0; v < m.points.size(); ++v) {
            double straight = kInfinity;
            for (const std::int32_t s : seeds) {
                straight = std::min(straight, (m.points[v] - m.points[s]).norm());
            }
            if (plain[v] <= reach) CHECK(found[v] <= plain[v] * (1 + 1e-12));
            if (found[v] < kInfinity) CHECK(found[v] >= straight * (1 - 1e-12));
            CHECK((found[v] <= reach || found[v] == kInfinity));
        }
        const EdgeReach reached = edge_reach(m.points, graph, seeds, reach);
        std::vector<double> back(m.points.size(), kInfinity);
        for (std::size_t i = 0; i < reached.vertices.size(); ++i) {
            if (i > 0) CHECK(reached.vertices[i - 1] < reached.vertices[i]);
            back[reached.vertices[i]] = reached.distance[i];
        }
        CHECK(back == found);
    }
}
