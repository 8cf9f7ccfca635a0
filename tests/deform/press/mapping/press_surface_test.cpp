// SPDX-License-Identifier: MIT
#include <ductile/deform/press/mapping/press_surface.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <limits>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("normals are exact on a sphere, however uneven its triangles") {
    TriMesh ball = sphere_mesh(0.7, 3);
    // Points drawn together at one side stay on it.
    for (Vec3& p : ball.points) p = 0.7 * (p + Vec3(0.4, 0, 0)).normalized();
    const RestSurface rest(ball);
    for (std::size_t v = 0; v < ball.points.size(); ++v) {
        const Vec3 n =
            vertex_normal(ball.points, ball.triangles, rest.faces(), static_cast<std::int32_t>(v));
        CHECK((n - ball.points[v].normalized()).norm() < 1e-9);
    }
}

TEST_CASE("a surface knows whether it is closed and in how many parts") {
    TriMesh two = sphere_mesh(0.5, 2);
    const TriMesh one = two;
    const auto offset = static_cast<std::int32_t>(one.points.size());
    for (const Vec3& p : one.points) two.points.push_back(p + Vec3(3, 0, 0));
    for (const Triangle& t : one.triangles) {
        two.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    }
    const RestSurface closed(two);
    CHECK(closed.is_closed());
    CHECK(closed.parts().count == 2);
    two.triangles.pop_back();
    CHECK_FALSE(RestSurface(two).is_closed());
}

TEST_CASE("a surface that is placed elsewhere is at rest, one that is bent is not") {
    const TriMesh ball = sphere_mesh(0.5, 2);
    const RestSurface rest(ball);
    const Transform pose{Quat(Eigen::AngleAxisd(0.8, Vec3(1, 2, 0).normalized())), Vec3(4, 5, 6)};
    std::vector<Vec3> placed;
    for (const Vec3& p : ball.points) placed.push_back(pose.inverse_point(p));
    const PressSurface there(rest, placed, ball.points, pose);
    CHECK(there.is_at_rest);
    for (const std::int32_t v : {0, 7, 30}) {
        const Vec3 middle = pose.inverse_point(Vec3::Zero());
        const Vec3 out = (placed[static_cast<std::size_t>(v)] - middle).normalized();
        CHECK((there.turn * there.unturned_normal(v) - out).norm() < 1e-9);
    }
    std::vector<Vec3> bent = ball.points;
    bent[3] *= 1.1;
    CHECK_FALSE(PressSurface(rest, bent).is_at_rest);
}

TEST_CASE("a value is found in an ascending list or it is not") {
    const std::vector<std::int32_t> list = {2, 5, 9};
    CHECK(index_in(list, 2) == 0);
    CHECK(index_in(list, 9) == 2);
    for (const std::int32_t missing : {-1, 3, 10}) CHECK(index_in(list, missing) == -1);
    CHECK(index_in({}, 3) == -1);
}

TEST_CASE("meshes that cannot be pressed are refused by their names") {
    TriMesh ball = sphere_mesh(0.5, 1);
    CHECK(check_surface(ball, "soft"));
    TriMesh lacking = ball;
    lacking.triangles[0][1] = 1000;
    CHECK(check_surface(lacking, "rigid").error().text().find("rigid") != std::string::npos);
    CHECK_FALSE(check_surface(TriMesh{ball.points, {}}, "soft"));
    ball.points[2].z() = std::numeric_limits<double>::infinity();
    CHECK_FALSE(check_surface(ball, "soft"));
    CHECK_FALSE(check_points(ball.points, "soft"));
}
