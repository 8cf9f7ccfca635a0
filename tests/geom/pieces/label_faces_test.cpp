// SPDX-License-Identifier: MIT

#include <ductile/geom/pieces/cluster_graph.h>
#include <ductile/geom/pieces/label_faces.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

// Labels for clusters of cells that `iterations` rounds found.
FaceLabels labels_of(const TriMesh& m, const ClusterOptions& options) {
    const FaceGraph graph = make_face_graph(m.points, m.triangles, options);
    const auto cells = make_surface_cells(m.points, m.triangles, graph.next, graph.scale, options);
    REQUIRE(cells.has_value());
    return label_faces(m.points, m.triangles, graph, *cells, cluster_nodes(cells->graph, options),
                       options);
}

}  // namespace

TEST_CASE("a flat facet goes to one cluster as a whole") {
    const TriMesh m = torus_mesh(1.0, 0.3, 40, 16);  // squares of two faces
    const FaceLabels labels = labels_of(m, {.count = 20, .scale = ClusterScale::ClusterSize});
    for (std::size_t f = 0; f + 1 < m.triangles.size(); f += 2) {
        CHECK(labels.of_face[f] == labels.of_face[f + 1]);
    }
}

TEST_CASE("faces larger than clusters are as many clusters as they can be") {
    // A bar of four long sides: most clusters of cells have no face that is nearest to them.
    const TriMesh bar = box_mesh(Vec3(0, 0, 0), Vec3(0.1, 0.1, 4));
    for (const std::int32_t count : {1, 3, 6, 7, 10, 12, 50}) {
        const FaceLabels labels =
            labels_of(bar, {.count = count, .scale = ClusterScale::ClusterSize});
        CHECK(labels.representatives.size() == std::size_t(std::min(count, 12)));
        const std::set<std::int32_t> used(labels.of_face.begin(), labels.of_face.end());
        CHECK(used.size() == labels.representatives.size());
        for (std::size_t c = 0; c < labels.representatives.size(); ++c) {
            CHECK(labels.of_face[labels.representatives[c]] == static_cast<std::int32_t>(c));
        }
    }
}

TEST_CASE("a part without an area is a cluster of its own") {
    TriMesh m = sphere_mesh(1.0, 2);
    const auto first = static_cast<std::int32_t>(m.points.size());
    for (int i = 0; i < 3; ++i) m.points.push_back(Vec3(2, 0, 0));
    m.triangles.push_back({first, first + 1, first + 2});
    const FaceLabels labels = labels_of(m, {.count = 5, .scale = ClusterScale::ClusterSize});
    CHECK(labels.representatives.size() == 6);
    CHECK(labels.of_face.back() == 5);
}
