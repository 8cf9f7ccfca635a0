// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <algorithm>
#include <set>
#include <utility>

using namespace ductile;

namespace {

SurfaceQuery query(const TriMesh& m) { return {m.points, m.triangles}; }

InsideMarks marks_of(const TriMesh& a, const TriMesh& b) {
    const MeshCrossings c = find_crossings(a.points, a.triangles, query(b));
    return inside_marks(vertex_graph(a.points.size(), a.triangles), c.of_first);
}

}  // namespace

TEST_CASE("every crossing lies on its edge and on its triangle") {
    const TriMesh ball = test::sphere_mesh(1.0, 3);
    Rng rng(3);
    const TriMesh other = test::placed(test::torus_mesh(0.8, 0.3, 40, 16),
                                       {test::random_rotation(rng), Vec3(0.3, 0.2, -0.1)});
    const MeshCrossings found = find_crossings(ball.points, ball.triangles, query(other));
    REQUIRE(found.of_first.size() > 20);
    REQUIRE(found.of_second.size() > 20);
    double worst = 0.0;
    for (const EdgeCrossing& c : found.of_first) {
        const Triangle& t = other.triangles[c.triangle];
        Vec3 on = Vec3::Zero();
        for (int k = 0; k < 3; ++k) on += c.barycentric[k] * other.points[t[k]];
        test::raise_to(worst, (on - c.position).norm());
        const Vec3 at = (1 - c.along) * ball.points[c.low] + c.along * ball.points[c.high];
        test::raise_to(worst, (at - c.position).norm());
    }
    CHECK(worst < 1e-12);
}

TEST_CASE("vertices are inside where the winding number says so") {
    Rng rng(7);
    for (int round = 0; round < 8; ++round) {
        const TriMesh ball = test::sphere_mesh(1.0, 3);
        const TriMesh other = test::placed(test::torus_mesh(0.7, 0.35, 24, 12),
                                           {test::random_rotation(rng), test::random_vec(rng)});
        const SurfaceQuery around = query(other);
        const InsideMarks marks = marks_of(ball, other);
        CHECK(marks.conflicts == 0);
        std::size_t wrong = 0;
        for (std::size_t v = 0; v < ball.points.size(); ++v) {
            wrong += (marks.is_inside[v] != 0) != around.is_inside(ball.points[v]);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("exact touches lose no crossing and count none twice") {
    // A regular grid against a box whose sides run exactly through its vertices and edges.
    const TriMesh sheet = test::grid_mesh(
        8, 8, false, false, [](int i, int j) { return Vec3(0.25 * i - 1.0, 0.0, 1.0 - 0.25 * j); });
    const TriMesh box = test::box_mesh({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    const InsideMarks marks = marks_of(sheet, box);
    CHECK(marks.conflicts == 0);
    for (std::size_t v = 0; v < sheet.points.size(); ++v) {
        const Vec3& p = sheet.points[v];
        const double most = std::max(std::abs(p.x()), std::abs(p.z()));
        if (most < 0.49) CHECK(marks.is_inside[v] == 1);
        if (most > 0.51) CHECK(marks.is_inside[v] == 0);
    }
}

TEST_CASE("twin balls side by side meet in one plane, whatever rounding makes of their twins") {
    // Edge meets mirrored edge all around; which is before which is noise in the last place.
    const TriMesh ball = test::sphere_mesh(0.45, 4);
    for (const Vec3& way : {Vec3(0.72, 0, 0), Vec3(0, 0.74, 0), Vec3(0.1, 0.1, 0.7)}) {
        const TriMesh twin = test::placed(ball, {Quat::Identity(), way});
        for (const bool is_first : {true, false}) {
            const InsideMarks marks = is_first ? marks_of(ball, twin) : marks_of(twin, ball);
            CHECK(marks.conflicts == 0);
            const std::vector<Vec3>& points = is_first ? ball.points : twin.points;
            const SurfaceQuery other = query(is_first ? twin : ball);
            std::size_t wrong = 0;
            for (std::size_t v = 0; v < points.size(); ++v) {
                if (other.closest_point(points[v]).distance < 1e-9) continue;
                wrong += (marks.is_inside[v] != 0) != other.is_inside(points[v]);
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("surfaces that do not meet have no crossings and nothing inside") {
    const TriMesh ball = test::sphere_mesh(1.0, 2);
    const TriMesh far = test::placed(ball, {Quat::Identity(), Vec3(3, 0, 0)});
    const MeshCrossings found = find_crossings(ball.points, ball.triangles, query(far));
    CHECK(found.of_first.empty());
    CHECK(found.of_second.empty());
    CHECK(find_crossings(ball.points, ball.triangles, query(TriMesh{})).of_first.empty());
}

TEST_CASE("an open ground tells above from below") {
    const TriMesh ball = test::sphere_mesh(1.0, 3);
    TriMesh ground = test::grid_mesh(
        1, 1, false, false, [](int i, int j) { return Vec3(8.0 * i - 4.0, -0.7, 4.0 - 8.0 * j); });
    const InsideMarks marks = marks_of(ball, ground);
    for (std::size_t v = 0; v < ball.points.size(); ++v) {
        CHECK((marks.is_inside[v] != 0) == (ball.points[v].y() < -0.7));
    }
}

TEST_CASE("crossings are the same bits at any number of threads") {
    const TriMesh ball = test::sphere_mesh(1.0, 4);
    const TriMesh other = test::placed(ball, {Quat::Identity(), Vec3(0.71, 0.33, 0.17)});
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return find_crossings(ball.points, ball.triangles, query(other));
    };
    const MeshCrossings one = run(1), many = run(5);
    REQUIRE(one.of_first.size() == many.of_first.size());
    bool is_same = true;
    for (std::size_t i = 0; i < one.of_first.size(); ++i) {
        is_same = is_same && one.of_first[i].low == many.of_first[i].low &&
                  one.of_first[i].high == many.of_first[i].high &&
                  one.of_first[i].position == many.of_first[i].position;
    }
    CHECK(is_same);
}

TEST_CASE("a surface crosses itself only where two of its parts overlap") {
    TriMesh two;
    const auto add_box = [&](double shift) {
        const auto first = static_cast<std::int32_t>(two.points.size());
        for (int k = 0; k < 8; ++k) {
            two.points.emplace_back(shift + (k & 1), shift + ((k >> 1) & 1), shift + (k >> 2));
        }
        constexpr int faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                      {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                      {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
        for (const auto& f : faces) {
            two.triangles.push_back({first + f[0], first + f[1], first + f[2]});
        }
    };
    add_box(0.0);
    CHECK(count_self_crossings(two.points, two.triangles) == 0);
    add_box(1.5);
    CHECK(count_self_crossings(two.points, two.triangles) == 0);
    add_box(0.4);
    CHECK(count_self_crossings(two.points, two.triangles) > 0);
}

TEST_CASE("crossings of a part are those of the whole in which it has an edge or a triangle") {
    Rng rng(5);
    const TriMesh both = test::together(
        test::sphere_mesh(1.0, 3), test::placed(test::torus_mesh(0.8, 0.3, 40, 16),
                                                {test::random_rotation(rng), Vec3(0.3, 0.2, 0.1)}));
    const std::vector<SelfCrossing> all =
        self_crossings_of(both.points, both.triangles, both.triangles);
    CHECK(all.size() == count_self_crossings(both.points, both.triangles));
    std::vector<Triangle> part;
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
    for (std::size_t f = 0; f < both.triangles.size(); f += 7) {
        const Triangle& t = both.triangles[f];
        part.push_back(t);
        for (int k = 0; k < 3; ++k) {
            edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
        }
    }
    std::vector<SelfCrossing> expected;
    for (const SelfCrossing& c : all) {
        if (edges.contains({c.low, c.high}) ||
            std::find(part.begin(), part.end(), c.triangle) != part.end()) {
            expected.push_back(c);
        }
    }
    const std::vector<SelfCrossing> found = self_crossings_of(both.points, part, both.triangles);
    CHECK(found == expected);
    CHECK(found.size() > 10);
    CHECK(found.size() < all.size());
}
