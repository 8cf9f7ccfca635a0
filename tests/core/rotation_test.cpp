// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/core/rotation.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("a turn comes back as the angle that made it, the shorter way round") {
    Rng rng(5);
    for (int i = 0; i < 200; ++i) {
        const Vec3 axis =
            Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)).normalized();
        for (const double angle : {0.0, 1e-12, 1e-3, 1.0, 3.1}) {
            const Vec3 turned = angle_of(turn_by(angle * axis));
            CHECK((turned - angle * axis).norm() < 1e-13);
        }
        const Vec3 beyond = angle_of(turn_by(4.0 * axis));
        CHECK((beyond - (4.0 - 2.0 * kPi) * axis).norm() < 1e-12);
    }
}
