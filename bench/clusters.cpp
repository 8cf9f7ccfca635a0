// SPDX-License-Identifier: MIT
// Whether a mesh four times as fine falls into the same clusters, as the share of its area on which
// both cuts agree, clusters matched one to one: each triangle cut into four, and smooth shapes in
// another triangulation; and what a cut costs.
//
//     bench_clusters [count] [file ...]
#include <ductile/geom/pieces/clusters.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/vertex_graph.h>
#include <ductile/io/load_asset.h>

#include <fmt/format.h>
#include <geom/common_areas.h>
#include <geom/cut_in_four.h>
#include <geom/test_meshes.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

namespace {

using namespace ductile;
using namespace ductile::test;

// As a shell does, without parts below a quarter of a cluster.
std::vector<std::int32_t> faces_that_bend(const TriMesh& m, std::int32_t count) {
    const std::vector<std::uint8_t> all(m.points.size(), 1);
    const VertexComponents parts =
        vertex_components(vertex_graph(m.points.size(), m.triangles), all);
    std::vector<double> part_area(std::size_t(parts.count), 0.0);
    double whole = 0.0;
    for (const Triangle& t : m.triangles) {
        const double area = 0.5 * area_vector(m.points, t).norm();
        part_area[std::size_t(parts.component[t[0]])] += area;
        whole += area;
    }
    std::vector<std::int32_t> faces;
    for (std::size_t f = 0; f < m.triangles.size(); ++f) {
        const auto part = std::size_t(parts.component[m.triangles[f][0]]);
        if (part_area[part] >= 0.25 * whole / count) faces.push_back(std::int32_t(f));
    }
    return faces;
}

void compare_cut_in_four(const std::string& name, const TriMesh& mesh, std::int32_t count) {
    const ClusterOptions options{.count = count, .scale = ClusterScale::ClusterSize};
    const SplitMesh fine = cut_in_four(mesh);
    const std::vector<std::int32_t> bending = faces_that_bend(mesh, count);
    std::vector<std::int32_t> fine_bending;
    for (std::size_t f = 0; f < fine.sources.size(); ++f) {
        if (std::binary_search(bending.begin(), bending.end(), fine.sources[f])) {
            fine_bending.push_back(std::int32_t(f));
        }
    }
    const auto start = std::chrono::steady_clock::now();
    const Clusters a = cluster_faces(mesh.points, mesh.triangles, bending, options);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const Clusters b = cluster_faces(fine.mesh.points, fine.mesh.triangles, fine_bending, options);
    CommonAreas common;
    for (const std::int32_t f : fine_bending) {
        common[{a.of_face[std::size_t(fine.sources[std::size_t(f)])], b.of_face[std::size_t(f)]}] +=
            area_vector(fine.mesh.points, fine.mesh.triangles[std::size_t(f)]).norm();
    }
    fmt::print("{:28} {:6} faces in {:3}: {:6.2f} %, {:5.1f} searches, {:3.0f} ms\n", name,
               mesh.triangles.size(), a.representatives.size(), 100.0 * matched_share(common),
               a.searches, 1e3 * took.count());
}

// Each fine face counts where the point of the coarse surface next to its centre is.
void compare_smooth(const std::string& name, const TriMesh& coarse, const TriMesh& fine,
                    std::int32_t count) {
    const ClusterOptions options{.count = count, .scale = ClusterScale::ClusterSize};
    const Clusters a = cluster_faces(coarse.points, coarse.triangles, {}, options);
    const Clusters b = cluster_faces(fine.points, fine.triangles, {}, options);
    const SurfaceQuery query(coarse.points, coarse.triangles);
    CommonAreas common;
    for (std::size_t f = 0; f < fine.triangles.size(); ++f) {
        const Triangle& t = fine.triangles[f];
        const Vec3 centre = (fine.points[t[0]] + fine.points[t[1]] + fine.points[t[2]]) / 3.0;
        const auto nearest = std::size_t(query.closest_point(centre).triangle);
        common[{a.of_face[nearest], b.of_face[f]}] += area_vector(fine.points, t).norm();
    }
    fmt::print("smooth {:21} {:6} and {:6} faces in {:3}: {:6.2f} %\n", name,
               coarse.triangles.size(), fine.triangles.size(), a.representatives.size(),
               100.0 * matched_share(common));
}

TriMesh wavy_sheet(int cells) {
    return grid_mesh(2 * cells, cells, false, false, [&](int i, int j) {
        const double x = double(i) / cells, z = double(j) / cells;
        return Vec3(x, 0.1 * std::sin(4 * x) * std::cos(3 * z), -z);
    });
}

TriMesh flat_sheet(int cells) {
    return grid_mesh(cells, cells, false, false, [&](int i, int j) {
        return Vec3(double(i) / cells, 0.0, -double(j) / cells);
    });
}

// A bar of 2 by 0.7 by 1 with round edges.
TriMesh round_bar(int levels) {
    TriMesh m = sphere_mesh(1.0, levels);
    for (Vec3& p : m.points) {
        p /= std::pow(p.array().abs().pow(6.0).sum(), 1.0 / 6.0);
        p = p.cwiseProduct(Vec3(2.0, 0.7, 1.0));
    }
    return m;
}

}  // namespace

int main(int argc, char** argv) {
    const int count = argc > 1 ? std::atoi(argv[1]) : 128;
    if (count < 1) return 2;
    for (int i = 2; i < argc; ++i) {
        const Result<PreparedAsset> read = load_asset(argv[i], AssetOptions{});
        const std::string name = std::filesystem::path(argv[i]).filename().string();
        if (read) {
            compare_cut_in_four(name, read.value().asset.surface, count);
        } else {
            fmt::print("{}: {}\n", name, read.error().what);
        }
    }
    if (argc > 2) return 0;
    compare_cut_in_four("flat sheet", flat_sheet(98), count);
    compare_cut_in_four("wavy sheet", wavy_sheet(72), count);
    compare_cut_in_four("sphere", sphere_mesh(1.0, 5), count);
    compare_cut_in_four("torus", torus_mesh(1.0, 0.3, 180, 72), count);
    compare_cut_in_four("round bar", round_bar(5), count);
    compare_smooth("flat sheet", flat_sheet(98), flat_sheet(196), count);
    compare_smooth("wavy sheet", wavy_sheet(72), wavy_sheet(144), count);
    compare_smooth("sphere", sphere_mesh(1.0, 6), sphere_mesh(1.0, 7), count);
    compare_smooth("torus", torus_mesh(1.0, 0.3, 180, 72), torus_mesh(1.0, 0.3, 360, 144), count);
    compare_smooth("round bar", round_bar(6), round_bar(7), count);
}
