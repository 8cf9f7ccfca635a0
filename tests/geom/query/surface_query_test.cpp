// SPDX-License-Identifier: MIT
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/triangle.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

Corners corners_of(const TriMesh& m, const Triangle& t) {
    return {m.points[t[0]], m.points[t[1]], m.points[t[2]]};
}

SurfacePoint closest_by_force(const TriMesh& m, const Vec3& p, double reach = kInfinity) {
    SurfacePoint best;
    double best_sq = kInfinity;
    for (std::size_t i = 0; i < m.triangles.size(); ++i) {
        const TrianglePoint q = closest_on_triangle(p, corners_of(m, m.triangles[i]));
        if (q.distance_sq > reach * reach || !(q.distance_sq < best_sq)) continue;
        best_sq = q.distance_sq;
        best = {static_cast<std::int32_t>(i), q.barycentric, q.position, std::sqrt(best_sq)};
    }
    return best;
}

SurfacePoint hit_by_force(const TriMesh& m, const Vec3& origin, const Vec3& d) {
    SurfacePoint best;
    const Ray ray(origin, d);
    for (std::size_t i = 0; i < m.triangles.size(); ++i) {
        const Ray::Hit hit = ray.meet(corners_of(m, m.triangles[i]));
        if (!(hit.distance >= 0 && hit.distance < best.distance)) continue;
        best.triangle = static_cast<std::int32_t>(i);
        best.distance = hit.distance;
    }
    return best;
}

double winding_by_force(const TriMesh& m, const Vec3& p) {
    double sum = 0.0;
    for (const Triangle& t : m.triangles) sum += solid_angle(p, corners_of(m, t));
    return sum / (4 * std::numbers::pi);
}

bool overlap_by_force(const TriMesh& a, const TriMesh& b, const Transform& pose) {
    const TriMesh moved = placed(b, pose);
    for (const Triangle& s : a.triangles) {
        for (const Triangle& t : moved.triangles) {
            if (triangles_meet(corners_of(a, s), corners_of(moved, t), 1e-14)) return true;
        }
    }
    return false;
}

bool same(const SurfacePoint& a, const SurfacePoint& b) {
    return a.triangle == b.triangle && a.distance == b.distance;
}

SurfaceQuery query_of(const TriMesh& m) { return {m.points, m.triangles}; }

// Sound surfaces, and soups with triangles that are lines, points and copies of each other.
std::vector<TriMesh> surfaces() {
    Rng rng(99);
    TriMesh soup = soup_mesh(rng, 400, 0.3);
    TriMesh hostile = soup_mesh(rng, 200, 0.5);
    for (std::size_t i = 0; i < 60; ++i) {
        hostile.triangles.push_back(hostile.triangles[i]);
        const Triangle& t = hostile.triangles[i];
        hostile.triangles.push_back({t[0], t[0], t[1]});
        hostile.triangles.push_back({t[0], t[0], t[0]});
    }
    TriMesh sliver{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-13, 0}}, {{0, 1, 2}}};
    return {sphere_mesh(0.8, 3),
            torus_mesh(0.7, 0.25, 24, 12),
            box_mesh(-Vec3::Ones(), Vec3::Ones()),
            soup,
            hostile,
            sliver};
}

}  // namespace

TEST_CASE("the closest point is the one that brute force finds, bit for bit") {
    Rng rng(1);
    for (const TriMesh& mesh : surfaces()) {
        const SurfaceQuery query = query_of(mesh);
        for (int i = 0; i < 60; ++i) {
            const Vec3 p = random_vec(rng, i % 2 ? 1.2 : 30.0);
            const SurfacePoint found = query.closest_point(p), expected = closest_by_force(mesh, p);
            CHECK(same(found, expected));
            CHECK(found.position == expected.position);
            CHECK(found.barycentric == expected.barycentric);
        }
    }
}

TEST_CASE("ties between triangles go to the lower index") {
    for (const TriMesh& mesh : surfaces()) {
        const SurfaceQuery query = query_of(mesh);
        for (std::size_t i = 0; i < mesh.points.size(); i += 19) {
            const Vec3& p = mesh.points[i];  // Every corner belongs to several triangles.
            const SurfacePoint found = query.closest_point(p);
            CHECK(same(found, closest_by_force(mesh, p)));
            CHECK(found.distance == 0.0);
        }
        for (std::size_t i = 0; i < mesh.triangles.size(); i += 19) {
            const Triangle& t = mesh.triangles[i];
            const Vec3 p = 0.5 * (mesh.points[t[0]] + mesh.points[t[1]]);
            CHECK(same(query.closest_point(p), closest_by_force(mesh, p)));
        }
        CHECK(same(query.closest_point(Vec3::Zero()), closest_by_force(mesh, Vec3::Zero())));
    }
}

TEST_CASE("nothing is found beyond the reach, and what lies exactly at it is") {
    const TriMesh box = box_mesh(-Vec3::Ones(), Vec3::Ones());
    const SurfaceQuery query = query_of(box);
    CHECK(query.closest_point(Vec3(3, 0.2, 0), 1.99).triangle == -1);
    CHECK(query.closest_point(Vec3(3, 0.2, 0), 2.0).distance == 2.0);
    CHECK(query.closest_point(box.points[3], 0.0).triangle >= 0);
    CHECK(query.first_hit(Vec3(3, 0.2, 0.3), -Vec3::UnitX(), 1.99).triangle == -1);
    CHECK(query.first_hit(Vec3(3, 0.2, 0.3), -Vec3::UnitX(), 2.0).distance == 2.0);
    Rng rng(2);
    const TriMesh soup = soup_mesh(rng, 300, 0.2);
    const SurfaceQuery soup_query = query_of(soup);
    for (int i = 0; i < 150; ++i) {
        const Vec3 p = random_vec(rng, 1.5);
        const double reach = rng.uniform(0, 0.3);
        CHECK(same(soup_query.closest_point(p, reach), closest_by_force(soup, p, reach)));
    }
}

TEST_CASE("a ray's first hit is the one that brute force finds") {
    Rng rng(3);
    for (const TriMesh& mesh : surfaces()) {
        const SurfaceQuery query = query_of(mesh);
        for (int i = 0; i < 300; ++i) {
            const Vec3 origin = random_vec(rng, i % 3 ? 1.5 : 50.0);
            const Vec3 target = random_vec(rng, 0.9);
            const Vec3 d = (target - origin).normalized();
            const SurfacePoint found = query.first_hit(origin, d);
            CHECK(same(found, hit_by_force(mesh, origin, d)));
            if (found.triangle < 0) continue;
            CHECK((found.position - (origin + found.distance * d)).norm() < 1e-11);
        }
    }
}

TEST_CASE("all hits of a ray are those that brute force finds, by distance") {
    Rng rng(13);
    for (const TriMesh& mesh : surfaces()) {
        const SurfaceQuery query = query_of(mesh);
        for (int i = 0; i < 200; ++i) {
            const Vec3 origin = random_vec(rng, 1.5);
            const Vec3 d = (random_vec(rng, 0.9) - origin).normalized();
            const double reach = i % 2 ? 1.2 : std::numeric_limits<double>::infinity();
            std::vector<std::pair<double, std::int32_t>> expected;
            const Ray ray(origin, d);
            for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
                const double at = ray.meet(corners_of(mesh, mesh.triangles[t])).distance;
                if (at >= 0 && at <= reach && at < std::numeric_limits<double>::infinity()) {
                    expected.emplace_back(at, static_cast<std::int32_t>(t));
                }
            }
            std::sort(expected.begin(), expected.end());
            const std::vector<SurfacePoint> found = query.all_hits(origin, d, reach);
            REQUIRE(found.size() == expected.size());
            for (std::size_t k = 0; k < found.size(); ++k) {
                CHECK(std::pair(found[k].distance, found[k].triangle) == expected[k]);
            }
        }
    }
}

TEST_CASE("rays along axes, through corners and along edges equal brute force") {
    for (const TriMesh& mesh : surfaces()) {
        const SurfaceQuery query = query_of(mesh);
        for (std::size_t i = 0; i < mesh.points.size(); i += 23) {
            for (int axis = 0; axis < 6; ++axis) {
                const Vec3 d = (axis < 3 ? 1.0 : -1.0) * Vec3::Unit(axis % 3);
                const Vec3 origin = mesh.points[i] - 2.0 * d;
                CHECK(same(query.first_hit(origin, d), hit_by_force(mesh, origin, d)));
                CHECK(same(query.first_hit(mesh.points[i], d),
                           hit_by_force(mesh, mesh.points[i], d)));
            }
        }
    }
}

TEST_CASE("no ray from inside leaves a closed surface unseen, at edges and corners either") {
    const TriMesh sphere = placed(
        sphere_mesh(1.0, 3), {Quat(Eigen::AngleAxisd(0.3, Vec3::UnitX())), Vec3(0.1, 20.0, 0)});
    const SurfaceQuery query = query_of(sphere);
    const Vec3 inside(0.2, 20.1, -0.1);
    int missed = 0;
    for (const Triangle& t : sphere.triangles) {
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = sphere.points[t[k]], b = sphere.points[t[(k + 1) % 3]];
            for (const double s : {0.0, 0.25, 0.5, 0.7}) {
                const Vec3 target = (1 - s) * a + s * b;
                missed += query.first_hit(inside, (target - inside).normalized()).triangle < 0;
            }
        }
    }
    CHECK(missed == 0);
}

TEST_CASE("a closed surface winds once around what is inside and not around what is outside") {
    Rng rng(4);
    const SurfaceQuery sphere = query_of(sphere_mesh(1.0, 4));
    const SurfaceQuery torus = query_of(torus_mesh(1.0, 0.3, 48, 24));
    double worst = 0.0;
    for (int i = 0; i < 500; ++i) {
        const Vec3 p = random_vec(rng, 1.6);
        const double r = p.norm();
        if (std::abs(r - 1.0) > 0.02) {
            raise_to(worst, std::abs(sphere.winding_number(p) - (r < 1.0 ? 1.0 : 0.0)));
            CHECK(sphere.is_inside(p) == (r < 1.0));
        }
        const double tube = std::hypot(std::hypot(p.x(), p.z()) - 1.0, p.y());
        if (std::abs(tube - 0.3) > 0.02) {
            raise_to(worst, std::abs(torus.winding_number(p) - (tube < 0.3 ? 1.0 : 0.0)));
        }
    }
    CHECK(worst < 1e-3);
}

TEST_CASE(
    "the winding number is within a thousandth of the exact sum, open surfaces and soups too") {
    Rng rng(5);
    double worst = 0.0;
    for (TriMesh mesh : surfaces()) {
        for (int half = 0; half < 2; ++half) {
            const SurfaceQuery query = query_of(mesh);
            for (int i = 0; i < 80; ++i) {
                const Vec3 p = random_vec(rng, i % 4 ? 1.3 : 4.0);
                raise_to(worst, std::abs(query.winding_number(p) - winding_by_force(mesh, p)));
            }
            mesh.triangles.resize((mesh.triangles.size() + 1) / 2);
        }
    }
    CHECK(worst < 1e-3);
}

TEST_CASE("an open hemisphere winds by half around the middle of its rim") {
    TriMesh half = sphere_mesh(1.0, 4);
    std::erase_if(half.triangles, [&](const Triangle& t) {
        return (half.points[t[0]] + half.points[t[1]] + half.points[t[2]]).y() < 0;
    });
    const SurfaceQuery query = query_of(half);
    CHECK(test::near(query.winding_number(Vec3::Zero()), 0.5, 1e-3));
    CHECK(query.winding_number(Vec3(0, 0.5, 0)) > 0.6);
    CHECK(query.winding_number(Vec3(0, -0.5, 0)) < 0.4);
    CHECK(std::abs(query.winding_number(Vec3(0, 1.5, 0))) < 0.2);
}

TEST_CASE("a surface inside out winds the other way and never holds NaN at its own points") {
    const TriMesh sphere = sphere_mesh(1.0, 2);
    const SurfaceQuery query = query_of(inside_out(sphere));
    CHECK(test::near(query.winding_number(Vec3(0.1, 0.2, 0)), -1.0, 1e-3));
    for (const Vec3& p : sphere.points) CHECK(std::isfinite(query.winding_number(p)));
}

TEST_CASE("a refitted tree answers as a new one does") {
    Rng rng(6);
    for (TriMesh mesh : surfaces()) {
        SurfaceQuery refitted = query_of(mesh);
        for (Vec3& p : mesh.points) p = 1.7 * Vec3(p.y(), -p.x(), p.z()) + random_vec(rng, 0.3);
        refitted.refit(mesh.points);
        const SurfaceQuery fresh = query_of(mesh);
        const SurfaceQuery probe = query_of(sphere_mesh(0.3, 1));
        for (int i = 0; i < 40; ++i) {
            const Vec3 p = random_vec(rng, 2.0), d = random_vec(rng).normalized();
            CHECK(same(refitted.closest_point(p), fresh.closest_point(p)));
            CHECK(refitted.closest_point(p).position == fresh.closest_point(p).position);
            CHECK(same(refitted.first_hit(p, d), fresh.first_hit(p, d)));
            CHECK(std::abs(refitted.winding_number(p) - fresh.winding_number(p)) < 2e-3);
            Box box;
            box.add(p);
            box.add(Vec3(p + random_vec(rng, 0.5)));
            CHECK(refitted.overlapping(box) == fresh.overlapping(box));
            const Transform pose{random_rotation(rng), p};
            CHECK(refitted.overlaps(probe, pose) == fresh.overlaps(probe, pose));
        }
    }
}

TEST_CASE("a tree refitted in places answers as a new one does") {
    Rng rng(16);
    for (TriMesh mesh : surfaces()) {
        SurfaceQuery refitted = query_of(mesh);
        const VertexFaces around = vertex_faces(mesh.points.size(), mesh.triangles);
        for (int round = 0; round < 8; ++round) {
            std::vector<std::int32_t> touched;
            for (int i = 0; i < 3; ++i) {
                const auto v = static_cast<std::size_t>(rng.uniform() *
                                                        static_cast<double>(mesh.points.size()));
                if (around[v].empty()) continue;
                mesh.points[v] += random_vec(rng, 0.4);
                touched.insert(touched.end(), around[v].begin(), around[v].end());
            }
            refitted.refit(mesh.points, touched);
            CHECK(std::equal(mesh.points.begin(), mesh.points.end(), refitted.points().begin()));
            const SurfaceQuery fresh = query_of(mesh);
            for (int i = 0; i < 20; ++i) {
                const Vec3 p = random_vec(rng, 2.0), d = random_vec(rng).normalized();
                CHECK(same(refitted.closest_point(p), fresh.closest_point(p)));
                CHECK(same(refitted.first_hit(p, d), fresh.first_hit(p, d)));
                CHECK(std::abs(refitted.winding_number(p) - fresh.winding_number(p)) < 2e-3);
                Box box;
                box.add(p);
                box.add(Vec3(p + random_vec(rng, 0.5)));
                CHECK(refitted.overlapping(box) == fresh.overlapping(box));
            }
        }
    }
}

TEST_CASE("a copy keeps its answers when the original moves on") {
    const TriMesh sphere = sphere_mesh(1.0, 2);
    SurfaceQuery query = query_of(sphere);
    const SurfaceQuery before_asking = query;
    const Vec3 p(0.3, 0.2, 0.1), shift(5, 0, 0);
    const double inside = query.winding_number(p);
    const SurfaceQuery after_asking = query;
    query.refit(placed(sphere, {Quat::Identity(), shift}).points);
    CHECK(std::abs(query.winding_number(p)) < 1e-3);
    CHECK(test::near(query.winding_number(p + shift), inside, 1e-9));
    for (const SurfaceQuery* copy : {&before_asking, &after_asking}) {
        CHECK(copy->winding_number(p) == inside);
        CHECK(copy->closest_point(p).distance < 1.0);
    }
}

TEST_CASE("the triangles in a box are those whose own boxes touch it, ascending") {
    Rng rng(7);
    for (const TriMesh& mesh : surfaces()) {
        const SurfaceQuery query = query_of(mesh);
        for (int i = 0; i < 60; ++i) {
            Box box;
            box.add(random_vec(rng));
            box.add(random_vec(rng));
            std::vector<std::int32_t> expected;
            for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
                const Corners c = corners_of(mesh, mesh.triangles[t]);
                if (bounds(c).overlaps(box)) expected.push_back(static_cast<std::int32_t>(t));
            }
            CHECK(query.overlapping(box) == expected);
        }
    }
}

TEST_CASE("surfaces overlap exactly when two of their triangles meet") {
    Rng rng(8);
    const TriMesh torus = torus_mesh(0.7, 0.2, 14, 7), ball = sphere_mesh(0.35, 1);
    const TriMesh soup = soup_mesh(rng, 40, 0.2);
    const SurfaceQuery torus_query = query_of(torus), ball_query = query_of(ball);
    const SurfaceQuery soup_query = query_of(soup);
    int met = 0;
    for (int i = 0; i < 24; ++i) {
        const Transform pose{random_rotation(rng), random_vec(rng, 0.9)};
        const bool expected = overlap_by_force(torus, ball, pose);
        met += expected;
        CHECK(torus_query.overlaps(ball_query, pose) == expected);
        CHECK(ball_query.overlaps(torus_query, pose.inverse()) == expected);
        CHECK(soup_query.overlaps(ball_query, pose) == overlap_by_force(soup, ball, pose));
    }
    CHECK(met > 4);
    CHECK(met < 22);
}

TEST_CASE("a surface overlaps itself in place, its touching copy, but not one inside or away") {
    const TriMesh box = box_mesh(-Vec3::Ones(), Vec3::Ones());
    const SurfaceQuery query = query_of(box);
    const auto at = [](double x) { return Transform{Quat::Identity(), Vec3(x, 0, 0)}; };
    CHECK(query.overlaps(query, at(0.0)));
    CHECK(query.overlaps(query, at(2.0)));
    CHECK(query.overlaps(query, at(-1.7)));
    CHECK_FALSE(query.overlaps(query, at(2.0 + 1e-9)));
    const SurfaceQuery small = query_of(box_mesh(Vec3::Constant(-0.1), Vec3::Constant(0.1)));
    CHECK_FALSE(query.overlaps(small, at(0.0)));
    CHECK(query.is_inside(Vec3::Zero()));
}

TEST_CASE("a surface without triangles answers that there is nothing") {
    const SurfaceQuery none({}, {});
    CHECK(none.closest_point(Vec3::Zero()).triangle == -1);
    CHECK(none.first_hit(Vec3::Zero(), Vec3::UnitX()).triangle == -1);
    CHECK(none.winding_number(Vec3::Zero()) == 0.0);
    CHECK(none.overlapping({Vec3::Zero(), Vec3::Ones()}).empty());
    const SurfaceQuery box = query_of(box_mesh(-Vec3::Ones(), Vec3::Ones()));
    CHECK_FALSE(none.overlaps(box, {}));
    CHECK_FALSE(box.overlaps(none, {}));
}

TEST_CASE("a thousand triangles at one place, or on a widening line, do not upset the tree") {
    TriMesh pile, line;
    for (std::int32_t i = 0; i < 1000; ++i) {
        for (TriMesh* m : {&pile, &line}) m->triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
        const double x =
            std::pow(1.5, i % 300) * 1e-12;  // Each bin but one stays empty, many times.
        for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}) {
            pile.points.push_back(p);
            line.points.push_back(x * Vec3(p + Vec3(1, 0, 0)));
        }
    }
    CHECK(query_of(pile).closest_point(Vec3(0.2, 0.2, 5)).triangle == 0);
    const SurfaceQuery query = query_of(line);
    for (std::size_t i = 0; i < line.points.size(); i += 100) {
        CHECK(same(query.closest_point(line.points[i]), closest_by_force(line, line.points[i])));
    }
}

TEST_CASE("a tree made quickly answers as one made with care, bit for bit") {
    TriMesh heap;  // All in one place of any curve.
    for (int i = 0; i < 300; ++i) {
        heap.points.insert(heap.points.end(), {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)});
        heap.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    Rng rng(31);
    for (const TriMesh& mesh : {sphere_mesh(0.5, 4), box_mesh({-1, 0, -1}, {1, 0.2, 1}), heap}) {
        const SurfaceQuery careful(mesh.points, mesh.triangles);
        const SurfaceQuery quick(mesh.points, mesh.triangles, TreeBuild::Quick);
        for (int i = 0; i < 200; ++i) {
            const Vec3 p = random_vec(rng), d = random_vec(rng).normalized();
            CHECK(same(quick.closest_point(p), careful.closest_point(p)));
            CHECK(same(quick.first_hit(p, d), careful.first_hit(p, d)));
            const Box box{p, p + Vec3::Constant(0.3)};
            CHECK(quick.overlapping(box) == careful.overlapping(box));
            CHECK(test::within(quick.winding_number(p), careful.winding_number(p), 2e-3));
        }
    }
}
