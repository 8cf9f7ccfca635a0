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

TEST_CASE(
    "distances along edges are those of a plain relaxation, bit for bit, reached ones alone") {
    Rng rng(11);
    TriMesh m = test::torus_mesh(1.0, 0.4, 40, 16);
    // Edges from a hair to half the body.
    for (Vec3& p : m.points) p += 0.2 * std::pow(rng.uniform(0, 1), 6.0) * test::random_vec(rng);
    const VertexGraph graph = vertex_graph(m.points.size(), m.triangles);
    const std::vector<std::int32_t> seeds = {5, 17, 400};
    for (const double reach : {0.0, 0.3, 1.0, kInfinity}) {
        std::vector<double> plain(m.points.size(), kInfinity);
        for (const std::int32_t s : seeds) plain[s] = 0.0;
        for (bool is_moving = true; is_moving;) {
            is_moving = false;
            for (std::size_t v = 0; v < m.points.size(); ++v) {
                for (const std::int32_t w : graph.of(v)) {
                    const double at = plain[v] + (m.points[w] - m.points[v]).norm();
                    if (!(at <= reach) || !(at < plain[w])) continue;
                    plain[w] = at;
                    is_moving = true;
                }
            }
        }
        CHECK(edge_distances(m.points, graph, seeds, reach) == plain);
        const EdgeReach reached = edge_reach(m.points, graph, seeds, reach);
        std::vector<double> back(m.points.size(), kInfinity);
        for (std::size_t i = 0; i < reached.vertices.size(); ++i) {
            if (i > 0) CHECK(reached.vertices[i - 1] < reached.vertices[i]);
            back[reached.vertices[i]] = reached.distance[i];
        }
        CHECK(back == plain);
    }
}
