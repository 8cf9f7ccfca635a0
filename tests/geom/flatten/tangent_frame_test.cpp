// SPDX-License-Identifier: MIT
#include <ductile/geom/flatten/tangent_frame.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;
using Complex = std::complex<double>;

TEST_CASE("transport on a flat patch keeps a vector as it is in space, whatever the frames") {
    Rng rng(1);
    for (int round = 0; round < 200; ++round) {
        const Vec3 normal = test::random_rotation(rng) * Vec3::UnitZ();
        const double turn = rng.uniform(-3, 3);
        const TangentFrame a = tangent_frame(normal);
        TangentFrame b = a;
        b.x = Eigen::AngleAxisd(turn, normal) * a.x;
        b.y = Eigen::AngleAxisd(turn, normal) * a.y;
        const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1);
        const Vec3 v = x * a.x + y * a.y;
        const Complex there = transport(a, b) * tangent_part(a, v);
        CHECK((there.real() * b.x + there.imag() * b.y - v).norm() < 1e-14);
    }
}

TEST_CASE("transport keeps lengths, and back again is where it began") {
    Rng rng(2);
    for (int round = 0; round < 200; ++round) {
        const TangentFrame a = tangent_frame(test::random_rotation(rng) * Vec3::UnitZ());
        const TangentFrame b = tangent_frame(test::random_rotation(rng) * Vec3::UnitZ());
        CHECK(std::abs(std::abs(transport(a, b)) - 1.0) < 1e-14);
        CHECK(std::abs(transport(a, b) * transport(b, a) - 1.0) < 1e-9);
    }
}

TEST_CASE("transport around a triangle on the sphere turns by its area") {
    // An octant: three right angles, area pi / 2.
    const TangentFrame x = tangent_frame(Vec3::UnitX()), y = tangent_frame(Vec3::UnitY()),
                       z = tangent_frame(Vec3::UnitZ());
    const Complex around = transport(z, x) * transport(y, z) * transport(x, y);
    CHECK(test::near(std::arg(around), 0.5 * kPi));
}

TEST_CASE("transport between opposite normals is defined") {
    const TangentFrame up = tangent_frame(Vec3::UnitZ()), down = tangent_frame(-Vec3::UnitZ());
    CHECK(transport(up, down) == Complex(1.0));
}
