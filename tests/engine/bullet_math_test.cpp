// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/engine/bullet/bullet_math.h>

#include <doctest/doctest.h>

using namespace ductile;

TEST_CASE("what goes to Bullet and back is the same") {
    Rng rng(1);
    for (int i = 0; i < 50; ++i) {
        const Vec3 p{rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9)};
        const Quat q =
            Quat{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), 0.3}.normalized();
        CHECK((from_bt(to_bt(p)) - p).norm() < 1e-6);
        const Transform pose{q, p};
        const Transform back = from_bt(to_bt(pose));
        const Vec3 x(1, 2, 3);
        CHECK((back.point(x) - pose.point(x)).norm() < 1e-5);
    }
}
