// SPDX-License-Identifier: MIT
#include <ductile/record/film_set.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a camera looks along its -z, level, wherever it stands") {
    for (const Vec3& from : {Vec3(3, 2, 5), Vec3(-4, -1, 0.5), Vec3(0, 7, 0), Vec3(0.1, -6, 0)}) {
        const Vec3 to(0.2, 0.4, -0.3);
        const Transform pose = looking_pose(from, to);
        CHECK(pose.translation == from);
        CHECK(pose.direction(-Vec3::UnitZ()).isApprox((to - from).normalized(), 1e-12));
        CHECK(std::abs(pose.rotation.norm() - 1.0) < 1e-12);
        // Right is level, and up is not below.
        CHECK(std::abs(pose.direction(Vec3::UnitX()).y()) < 1e-12);
        CHECK(pose.direction(Vec3::UnitY()).y() > -1e-12);
    }
}
