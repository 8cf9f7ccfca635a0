// SPDX-License-Identifier: MIT

#include <ductile/geom/pieces/clusters.h>

#include <doctest/doctest.h>
#include <geom/common_areas.h>
#include <geom/cut_in_four.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

// A plate bent by `fold` [rad] along its middle line.
TriMesh folded_plate(double fold) {
    return grid_mesh(8, 8, false, false, [&](int i, int j) {
        const double x = i - 4.0, z = 8.0 - j;
        if (x <= 0.0) return Vec3(x, 0.0, z);
        return Vec3(x * std::cos(fold), x * std::sin(fold), z);
    });
}

bool is_connected(const TriMesh& m, const Clusters& c, std::int32_t cluster) {
    const std::vector<Triangle> next = face_neighbours(m.triangles);
    std::set<std::int32_t> left;
    for (std::size_t f = 0; f < c.of_face.size(); ++f) {
        if (c.of_face[f] == cluster) left.insert(static_cast<std::int32_t>(f));
    }
    std::vector<std::int32_t> stack = {c.representatives[cluster]};
    left.erase(stack[0]);
    while (!stack.empty()) {
        const std::int32_t f = stack.back();
        stack.pop_back();
        for (const std::int32_t g : next[f]) {
            if (g >= 0 && left.erase(g) > 0) stack.push_back(g);
        }
    }
    return left.empty();
}

void check_partition(const TriMesh& m, const Clusters& c) {
    REQUIRE(c.of_face.size() == m.triangles.size());
    const auto count = static_cast<std::int32_t>(c.representatives.size());
    for (const std::int32_t of : c.of_face) CHECK((of >= 0 && of < count));
    for (std::int32_t k = 0; k < count; ++k) {
        CHECK(c.of_face[c.representatives[k]] == k);
        CHECK(is_connected(m, c, k));
    }
}

bool is_same(const Clusters& a, const Clusters& b) {
    return a.of_face == b.of_face && a.representatives == b.representatives &&
           a.objective == b.objective;
}

}  // namespace

TEST_CASE("clusters are connected, none is empty, and there are as many as asked for") {
    for (const TriMesh& m : {sphere_mesh(1.0, 3), torus_mesh(1.0, 0.3, 30, 12),
                             box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3)), folded_plate(2.0)}) {
        for (const std::int32_t count : {1, 2, 7, 12}) {
            for (const Election election : {Election::Centre, Election::Medoid}) {
                const Clusters c = cluster_faces(m.points, m.triangles, {},
                                                 {.count = count, .election = election});
                CHECK(c.representatives.size() == static_cast<std::size_t>(count));
                check_partition(m, c);
            }
        }
    }
}

TEST_CASE("electing medoids never raises the objective, round by round") {
    for (const TriMesh& m : {sphere_mesh(1.0, 3), torus_mesh(1.0, 0.3, 40, 16), folded_plate(1.0),
                             sphere_mesh(1.0, 4)}) {
        double before = std::numeric_limits<double>::infinity();
        for (std::int32_t rounds = 0; rounds < 8; ++rounds) {
            const Clusters c =
                cluster_faces(m.points, m.triangles, {},
                              {.count = 5, .iterations = rounds, .election = Election::Medoid});
            CHECK(c.objective <= before);
            // Best of all rounds is the last one: the returned faces are those of the last
            // election.
            CHECK(c.rounds <= rounds);
            before = c.objective;
        }
    }
}

TEST_CASE("the exact medoid beats every other face of its cluster") {
    const TriMesh m = folded_plate(0.7);
    const Clusters c =
        cluster_faces(m.points, m.triangles, {}, {.count = 1, .election = Election::Medoid});
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < m.triangles.size(); ++f) {
        // A single cluster without re-election from every face in turn: list that face's mesh
        // first.
        std::vector<std::int32_t> order(m.triangles.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
        std::swap(order[0], order[f]);
        const Clusters other =
            cluster_faces(m.points, m.triangles, order, {.count = 1, .election = Election::Medoid});
        least = std::min(least, other.objective);
    }
    CHECK(test::near(c.objective, least));
    const Clusters centre = cluster_faces(m.points, m.triangles, {}, {.count = 1});
    CHECK(c.objective <= centre.objective);
}

TEST_CASE("the same surface gives the same clusters") {
    const TriMesh m = torus_mesh(1.0, 0.3, 40, 16);
    CHECK(is_same(cluster_faces(m.points, m.triangles, {}, {}),
                  cluster_faces(m.points, m.triangles, {}, {})));
}

TEST_CASE("a mirrored surface has mirrored clusters") {
    for (TriMesh m : {sphere_mesh(1.0, 3), torus_mesh(1.0, 0.3, 40, 16), folded_plate(2.5)}) {
        const ClusterOptions options{.count = 9, .convex_weight = 0.3};
        const Clusters before = cluster_faces(m.points, m.triangles, {}, options);
        for (Vec3& p : m.points) p.x() = -p.x();
        const Clusters after = cluster_faces(m.points, inside_out(m).triangles, {}, options);
        CHECK(is_same(before, after));
    }
}

TEST_CASE("scaling a surface changes no cluster") {
    TriMesh m = torus_mesh(1.0, 0.3, 40, 16);
    const Clusters before = cluster_faces(m.points, m.triangles, {}, {});
    for (Vec3& p : m.points) p *= 1024.0;  // a power of two: not even rounding changes
    CHECK(is_same(before, cluster_faces(m.points, m.triangles, {}, {})));
}

TEST_CASE("two clusters part a folded plate along its fold, even when folded flat") {
    for (const double fold : {0.5, 1.5, 3.0, 3.14159265358979}) {
        const TriMesh m = folded_plate(fold);
        const Clusters c =
            cluster_faces(m.points, m.triangles, {}, {.count = 2, .distance_weight = 0.05});
        for (std::size_t f = 0; f < m.triangles.size(); ++f) {
            const bool is_left = (f / 2) % 8 < 4;
            const bool first_left = (c.representatives[0] / 2) % 8 < 4;
            CHECK((c.of_face[f] == 0) == (is_left == first_left));
        }
    }
}

TEST_CASE("an edge convex_weight of 0 lets clusters lap over convex edges only") {
    const ClusterOptions options{.count = 2, .distance_weight = 0.0, .convex_weight = 0.0};
    const TriMesh ridge = folded_plate(-1.0), valley = folded_plate(1.0);
    CHECK(cluster_faces(ridge.points, ridge.triangles, {}, options).objective < 1e-12);
    const Clusters one = cluster_faces(valley.points, valley.triangles, {},
                                       {.count = 1, .distance_weight = 0.0, .convex_weight = 0.0});
    CHECK(one.objective > 1.0);
}

TEST_CASE("only faces of the subset are clustered, over ways within it") {
    const TriMesh m = sphere_mesh(1.0, 3);
    std::vector<std::int32_t> subset;
    for (std::size_t f = 0; f < m.triangles.size(); ++f) {
        if (m.points[m.triangles[f][0]].y() > 0.2) subset.push_back(static_cast<std::int32_t>(f));
    }
    const Clusters c = cluster_faces(m.points, m.triangles, subset, {.count = 4});
    std::size_t covered = 0;
    for (std::size_t f = 0; f < m.triangles.size(); ++f) {
        const bool is_asked = std::binary_search(subset.begin(), subset.end(), int(f));
        CHECK((c.of_face[f] >= 0) == is_asked);
        covered += c.of_face[f] >= 0;
    }
    CHECK(covered == subset.size());
}

TEST_CASE("hostile surfaces are clustered all the same") {
    CHECK(cluster_faces({}, {}, {}, {}).of_face.empty());
    Rng rng(5);
    const TriMesh soup = soup_mesh(rng, 60, 0.1);
    CHECK(cluster_faces(soup.points, soup.triangles, {}, {.count = 8}).representatives.size() ==
          60);
    TriMesh broken = sphere_mesh(1.0, 2);
    broken.points[3].y() = std::numeric_limits<double>::quiet_NaN();
    broken.triangles.push_back({4, 4, 4});
    broken.triangles.push_back({0, 1, 2});
    const Clusters c = cluster_faces(broken.points, broken.triangles, {}, {.count = 6});
    CHECK(std::isfinite(c.objective));
    for (const std::int32_t of : c.of_face) CHECK(of >= 0);
    std::vector<Vec3> heap(9, Vec3(1, 1, 1));
    const std::vector<Triangle> same = {{0, 1, 2}, {2, 1, 3}, {3, 4, 5}, {6, 7, 8}};
    const Clusters d = cluster_faces(heap, same, {}, {.count = 4, .distance_weight = 0.0});
    CHECK(d.representatives.size() == 4);
    CHECK(std::isfinite(d.objective));
}

namespace {

// The unit cube with `cells` squares along each edge, and which side each triangle is of.
struct CubeMesh {
    TriMesh mesh;
    std::vector<int> side;
};
CubeMesh cube_of_cells(int cells) {
    CubeMesh cube;
    std::map<std::array<int, 3>, std::int32_t> index;
    const auto point = [&](const std::array<int, 3>& at) {
        const auto [found, is_new] =
            index.try_emplace(at, static_cast<std::int32_t>(cube.mesh.points.size()));
        if (is_new) {
            cube.mesh.points.push_back(Vec3(at[0], at[1], at[2]) / double(cells));
        }
        return found->second;
    };
    for (int axis = 0; axis < 3; ++axis) {
        for (const int end : {0, cells}) {
            for (int i = 0; i < cells; ++i) {
                for (int j = 0; j < cells; ++j) {
                    const auto corner = [&](int a, int b) {
                        std::array<int, 3> at = {0, 0, 0};
                        at[axis] = end;
                        at[(axis + 1) % 3] = i + a;
                        at[(axis + 2) % 3] = j + b;
                        return point(at);
                    };
                    Triangle one = {corner(0, 0), corner(1, 0), corner(1, 1)};
                    Triangle two = {corner(0, 0), corner(1, 1), corner(0, 1)};
                    if (end == 0) std::swap(one[1], one[2]);
                    if (end == 0) std::swap(two[1], two[2]);
                    for (const Triangle& t : {one, two}) {
                        cube.mesh.triangles.push_back(t);
                        cube.side.push_back(2 * axis + (end > 0));
                    }
                }
            }
        }
    }
    return cube;
}

double common_area(const TriMesh& fine, std::span<const std::int32_t> of_source,
                   std::span<const std::int32_t> source, std::span<const std::int32_t> of_fine) {
    CommonAreas common;
    for (std::size_t f = 0; f < fine.triangles.size(); ++f) {
        common[{of_source[static_cast<std::size_t>(source[f])], of_fine[f]}] +=
            area_vector(fine.points, fine.triangles[f]).norm();
    }
    return matched_share(common);
}

// The same for two triangulations of one smooth surface: each face of the fine one counts where the
// coarse one has its nearest centre.
double common_area_nearby(const TriMesh& coarse, const Clusters& of_coarse, const TriMesh& fine,
                          const Clusters& of_fine) {
    const auto centre = [](const TriMesh& m, std::size_t f) {
        const Triangle& t = m.triangles[f];
        return Vec3((m.points[t[0]] + m.points[t[1]] + m.points[t[2]]) / 3.0);
    };
    CommonAreas common;
    for (std::size_t f = 0; f < fine.triangles.size(); ++f) {
        std::size_t nearest = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t g = 0; g < coarse.triangles.size(); ++g) {
            const double distance_sq = (centre(coarse, g) - centre(fine, f)).squaredNorm();
            if (distance_sq < least) {
                least = distance_sq;
                nearest = g;
            }
        }
        common[{of_coarse.of_face[nearest], of_fine.of_face[f]}] +=
            area_vector(fine.points, fine.triangles[f]).norm();
    }
    return matched_share(common);
}

TriMesh wavy_sheet(int cells) {
    return grid_mesh(2 * cells, cells, false, false, [&](int i, int j) {
        const double x = double(i) / cells, z = double(j) / cells;
        return Vec3(x, 0.1 * std::sin(4 * x) * std::cos(3 * z), -z);
    });
}

// Balls, rings and bars of many sizes, turned any way, none of which touches another.
TriMesh loose_parts() {
    TriMesh all;
    Rng rng(11);
    for (int i = 0; i < 36; ++i) {
        const double size = rng.uniform(0.1, 0.5);
        const TriMesh part = i % 3 == 0   ? sphere_mesh(size, 3)
                             : i % 3 == 1 ? torus_mesh(size, 0.4 * size, 24, 10)
                                          : prism_mesh(0.5 * size, 2.0 * size, 7);
        const Transform pose{random_rotation(rng), Vec3(2.0 * (i % 6), 2.0 * (i / 6), 0.0)};
        all = together(std::move(all), placed(part, pose));
    }
    return all;
}

}  // namespace

TEST_CASE("a cube falls into its six sides however fine it is") {
    for (const int cells : {1, 2, 3, 10, 14, 40, 129}) {
        const CubeMesh cube = cube_of_cells(cells);
        const Clusters c = cluster_faces(cube.mesh.points, cube.mesh.triangles, {},
                                         {.count = 6, .scale = ClusterScale::ClusterSize});
        REQUIRE(c.representatives.size() == 6);
        std::map<std::int32_t, int> side_of;
        std::size_t wrong = 0;
        for (std::size_t f = 0; f < cube.side.size(); ++f) {
            const int side = side_of.try_emplace(c.of_face[f], cube.side[f]).first->second;
            wrong += side != cube.side[f];
        }
        CHECK_MESSAGE(wrong == 0, "cells: ", cells, " wrong: ", wrong);
    }
}

TEST_CASE("clusters sized by their area stay where they are when the mesh gets finer" *
          doctest::test_suite("long")) {
    const CubeMesh cube = cube_of_cells(12);
    const TriMesh plate = grid_mesh(48, 30, false, false, [](int i, int j) {
        const double x = i / 24.0, fold = x > 1.0 ? 0.6 * (x - 1.0) : 0.0;
        return Vec3(x, fold, -j / 24.0);
    });
    const TriMesh sheet = grid_mesh(64, 64, false, false,
                                    [](int i, int j) { return Vec3(i / 64.0, 0.0, -j / 64.0); });
    for (const auto& [mesh, count, least] :
         {std::tuple(cube.mesh, 6, 1.0), std::tuple(plate, 2, 1.0), std::tuple(plate, 16, 0.95),
          std::tuple(sheet, 40, 0.95), std::tuple(sphere_mesh(1.0, 4), 12, 1.0),
          std::tuple(sphere_mesh(1.0, 4), 128, 1.0), std::tuple(wavy_sheet(48), 64, 1.0),
          std::tuple(torus_mesh(1.0, 0.3, 90, 36), 32, 1.0), std::tuple(loose_parts(), 48, 1.0),
          std::tuple(loose_parts(), 128, 0.95),
          std::tuple(box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 9)), 6, 1.0)}) {
        const ClusterOptions options{.count = count, .scale = ClusterScale::ClusterSize};
        const SplitMesh split = cut_in_four(mesh);
        const TriMesh& fine = split.mesh;
        const Clusters before = cluster_faces(mesh.points, mesh.triangles, {}, options);
        const Clusters after = cluster_faces(fine.points, fine.triangles, {}, options);
        const double common = common_area(fine, before.of_face, split.sources, after.of_face);
        // Clang 14 captures no structured bindings, which doctest's messages do.
        const std::size_t faces = mesh.triangles.size();
        CHECK_MESSAGE(common > least - 1e-9, options.count, " clusters of ", faces,
                      " faces agree on ", common);
        check_partition(mesh, before);
        check_partition(fine, after);
    }
}

TEST_CASE("a smooth surface has the same clusters when it is cut into finer triangles") {
    const std::vector<std::tuple<TriMesh, TriMesh, int>> cases = {
        {sphere_mesh(1.0, 4), sphere_mesh(1.0, 5), 32}, {wavy_sheet(32), wavy_sheet(64), 24}};
    for (const auto& [coarse, fine, count] : cases) {
        const ClusterOptions options{.count = count, .scale = ClusterScale::ClusterSize};
        const Clusters before = cluster_faces(coarse.points, coarse.triangles, {}, options);
        const Clusters after = cluster_faces(fine.points, fine.triangles, {}, options);
        CHECK(common_area_nearby(coarse, before, fine, after) > 0.9);
    }
}

TEST_CASE("clusters sized by their area are whole on broken and on coarse surfaces, too" *
          doctest::test_suite("long")) {
    Rng rng(5);
    TriMesh broken = sphere_mesh(1.0, 2);
    broken.triangles.push_back({4, 4, 4});
    broken.triangles.push_back({0, 1, 2});
    TriMesh lost = sphere_mesh(1.0, 2);
    lost.points[3].y() = std::numeric_limits<double>::quiet_NaN();
    TriMesh needle = sphere_mesh(1.0, 2);
    for (Vec3& p : needle.points) p = Vec3(1e9 * p.x(), 1e-6 * p.y(), p.z());
    TriMesh inside = sphere_mesh(1.0, 3);
    for (std::size_t f = 0; f < inside.triangles.size(); f += 3) {
        std::swap(inside.triangles[f][0], inside.triangles[f][1]);
    }
    for (const TriMesh& m : {broken, lost, needle, inside, soup_mesh(rng, 60, 0.1),
                             box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3))}) {
        for (const std::int32_t count : {1, 6, 40, 1000}) {
            for (const Election election : {Election::Centre, Election::Medoid}) {
                const Clusters c = cluster_faces(
                    m.points, m.triangles, {},
                    {.count = count, .election = election, .scale = ClusterScale::ClusterSize});
                CHECK(std::isfinite(c.objective));
                CHECK(c.representatives.size() >=
                      std::min(m.triangles.size(), static_cast<std::size_t>(count)));
                check_partition(m, c);
            }
        }
    }
}

TEST_CASE("a reach makes as many clusters as it takes, and none that is wider") {
    const TriMesh plate = grid_mesh(40, 40, false, false,
                                    [](int i, int j) { return Vec3(i / 40.0, 0.0, -j / 40.0); });
    std::size_t before = 0;
    for (const double reach : {2.0, 0.5, 0.25, 0.125}) {
        const Clusters c =
            cluster_faces(plate.points, plate.triangles, {}, {.iterations = 0, .reach = reach});
        CHECK(c.representatives.size() > before);
        before = c.representatives.size();
        for (std::size_t f = 0; f < plate.triangles.size(); ++f) {
            const auto centre = [&](std::int32_t face) {
                const Triangle& t = plate.triangles[static_cast<std::size_t>(face)];
                return Vec3((plate.points[t[0]] + plate.points[t[1]] + plate.points[t[2]]) / 3.0);
            };
            const Vec3 middle = centre(c.representatives[static_cast<std::size_t>(c.of_face[f])]);
            CHECK((centre(static_cast<std::int32_t>(f)) - middle).norm() <= reach);
        }
    }
    CHECK(cluster_faces(plate.points, plate.triangles, {}, {.reach = 2.0}).representatives.size() ==
          1);
}

TEST_CASE("cutting 26,000 faces into 128 clusters takes at most 50 searches") {
    const TriMesh torus = torus_mesh(1.0, 0.3, 180, 72);
    const Clusters c = cluster_faces(torus.points, torus.triangles, {},
                                     {.count = 128, .scale = ClusterScale::ClusterSize});
    CHECK(c.representatives.size() == 128);
    CHECK(c.searches > 1.0);
    CHECK_MESSAGE(c.searches <= 50.0, "searches: ", c.searches);
}
