// SPDX-License-Identifier: MIT
#include <ductile/deform/press/mapping/crease_cone.h>
#include <ductile/deform/press/mapping/finer_rigid.h>
#include <ductile/deform/press/mapping/rigid_plane.h>
#include <ductile/geom/mass.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;

TEST_CASE("a disc shares with a triangle what geometry says") {
    const std::array<Vec2, 3> wide = {Vec2(-9, -9), Vec2(9, -9), Vec2(0, 9)};
    CHECK(test::near(disc_overlap(wide, 0.5), kPi * 0.25));
    const std::array<Vec2, 3> small = {Vec2(0.1, 0.1), Vec2(0.3, 0.1), Vec2(0.1, 0.2)};
    CHECK(test::near(disc_overlap(small, 1.0), 0.01));
    const std::array<Vec2, 3> half = {Vec2(0, -9), Vec2(9, 0), Vec2(0, 9)};
    CHECK(test::near(disc_overlap(half, 0.5), kPi * 0.125));
    CHECK(disc_overlap({half[0], half[2], half[1]}, 0.5) == 0.0);
    const std::array<Vec2, 3> far = {Vec2(2, 2), Vec2(3, 2), Vec2(2, 3)};
    CHECK(test::within(disc_overlap(far, 1.0), 0.0, 1e-9));
}

TEST_CASE("parts of a triangle share with a disc what the whole does") {
    Rng rng(3);
    for (int round = 0; round < 50; ++round) {
        const auto random = [&] { return Vec2(rng.uniform(-1, 1), rng.uniform(-1, 1)); };
        std::array<Vec2, 3> t = {random(), random(), random()};
        const Vec2 ab = t[1] - t[0], ac = t[2] - t[0];
        if (ab.x() * ac.y() - ab.y() * ac.x() < 0) std::swap(t[1], t[2]);
        const Vec2 m = 0.3 * t[0] + 0.2 * t[1] + 0.5 * t[2];
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) sum += disc_overlap({t[k], t[(k + 1) % 3], m}, 0.6);
        CHECK(test::within(sum, disc_overlap(t, 0.6), 1e-9 * 0.36));
    }
}

TEST_CASE("at an edge a ball rests along any normal between its faces, away from it along one") {
    const Vec3 left = Vec3(-1, 1, 0).normalized(), right = Vec3(1, 1, 0).normalized();
    NormalCone cone;
    cone.add(left, 0.5);
    cone.add(right, 0.3);
    cone.add(right, 0.2);  // Another triangle of the same face.
    CHECK((cone.nearest(Vec3::UnitY(), left) - Vec3::UnitY()).norm() < 1e-9);
    CHECK((cone.nearest(left, right) - left).norm() < 1e-9);
    // What lies beyond the cone is held at its side.
    CHECK((cone.nearest(-Vec3::UnitX(), right) - left).norm() < 1e-9);
    NormalCone face;
    face.add(left, 1.0);
    CHECK((face.nearest(right, left) - left).norm() < 1e-9);
    // The less of the neighbourhood the other face has, the less a ball turns to it.
    double last = 1.0;
    for (const double other : {0.2, 0.1, 0.05, 0.01}) {
        NormalCone near;
        near.add(left, 1.0 - other);
        near.add(right, other);
        const double turned = near.nearest(right, left).dot(right);
        CHECK(turned < last);
        last = turned;
    }
    CHECK(last < 0.1);
    CHECK(NormalCone{}.nearest(right, left) == left);
}

TEST_CASE("a coarse body with edges is made finer where they take part, and stays the same body") {
    const TriMesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
    const auto rigid = prepare_rigid(box);
    FinerRigids kept;
    const auto finer = kept.find_or_make(*rigid, 0.3);
    CHECK(finer->rest->mesh().points.size() > 200);
    CHECK(kept.find_or_make(*rigid, 0.35) == finer);
    CHECK(test::near(volume(finer->rest->mesh().points, finer->rest->mesh().triangles), 8.0));
    // A ball on the middle of a face, and one over its edge.
    const auto meets = [&](double x) {
        const test::PressPair pair(
            test::placed(test::sphere_mesh(0.3, 3), {Quat::Identity(), Vec3(x, 1.2, 0.01)}), box);
        return has_coarse_creases(pair.soft, pair.rigid, pair.found, 0.1);
    };
    CHECK_FALSE(meets(0.02));
    CHECK(meets(0.9));
}

TEST_CASE("a ball on a step turns to the top across its edge, not to the floor it stands in") {
    // A floor that falls to the foot of a wall, the wall, and its top, as cut across z.
    const std::vector<Vec3> profile = {Vec3(-1, 0.5, 0), Vec3(0, 0, 0), Vec3(0, 0.3, 0),
                                       Vec3(1, 0.3, 0)};
    constexpr int kRows = 4;
    TriMesh step;
    for (int row = 0; row <= kRows; ++row) {
        for (const Vec3& p : profile) {
            step.points.push_back(p + Vec3(0, 0, static_cast<double>(row) / kRows - 0.5));
        }
    }
    for (int row = 0; row < kRows; ++row) {
        for (int i = 0; i < 3; ++i) {
            const int a = 4 * row + i, b = a + 1, c = b + 4, d = a + 4;
            step.triangles.insert(step.triangles.end(), {{a, d, b}, {b, d, c}});
        }
    }
    const RestSurface rest(step);
    const PressSurface surface(rest, rest.mesh().points);
    std::vector<std::int32_t> all(step.triangles.size());
    for (std::size_t f = 0; f < all.size(); ++f) all[f] = static_cast<std::int32_t>(f);
    const auto plane = RigidPlane::make(surface, all, true).value();
    REQUIRE(plane->has_creases());
    const Vec3 floor = Vec3(0.5, 1, 0).normalized();
    const Vec2 on_wall = plane->flat(plane->find(6 * (kRows / 2) + 2), Vec3(0.5, 0, 0.5));
    RigidPlace place = plane->lift(on_wall);
    REQUIRE((place.normal + Vec3::UnitX()).norm() < 1e-9);
    CHECK(test::near(place.position.y(), 0.15));
    plane->turn_to(floor, on_wall, 0.35, place);
    CHECK(place.is_at_crease);
    CHECK((place.normal - Vec3::UnitY()).norm() < 1e-6);
}
