// SPDX-License-Identifier: MIT
// A soft ball between two planes, with every default but Poisson's ratio.
#include <ductile/deform/press/bulge/press_bulge.h>
#include <ductile/deform/press/press.h>
#include <ductile/deform/press/zone/press_stiffness.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

struct SquashedBall {
    double widest = 0.0, height = 0.0;  ///< And where that is, from the equator.
    double contact = 0.0, lost = 0.0;   ///< The volume as a share of the ball's.
};

/// Of radius 1, each plane `depth` in.
SquashedBall squash(double depth, double poissons_ratio) {
    const TriMesh ball = test::solid_mesh(SolidKind::Sphere, Vec3::Constant(2), 0.08, Vec3::Zero());
    TriMesh planes;
    for (const double side : {-1.0, 1.0}) {
        const TriMesh slab = test::box_mesh(Vec3(-3, side < 0 ? -3.0 : 1.0 - depth, -3),
                                            Vec3(3, side < 0 ? depth - 1.0 : 3.0, 3));
        const auto first = static_cast<std::int32_t>(planes.points.size());
        for (const Vec3& p : slab.points) planes.points.push_back(p + Vec3(0.013, 0, 0.007));
        for (const Triangle& t : slab.triangles) {
            planes.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
    }
    const Pressed pressed = test::press(ball, planes, {.poissons_ratio = poissons_ratio});
    CHECK(pressed.report.zones == 2);
    SquashedBall out;
    for (std::size_t i = 0; i < ball.points.size(); ++i) {
        const Vec3& p = pressed.points[i];
        const double r = std::hypot(p.x(), p.z());
        if (r > out.widest) out.height = std::abs(p.y());
        out.widest = std::max(out.widest, r);
        if (pressed.zone[i] >= 0) out.contact = std::max(out.contact, r);
    }
    out.lost = -pressed.report.volume_change / (4.0 / 3.0 * kPi);
    return out;
}

}  // namespace

TEST_CASE("a squashed ball is as wide, touches as far and loses as much as an elastic one") {
    // Rows of validation/soft_shapes.csv.
    struct Row {
        double poissons_ratio, depth, widest, contact, lost;
    };
    for (const Row& row :
         {Row{0.3, 0.2, 1.0278, 0.476, 0.0292}, Row{0.3, 0.4, 1.0954, 0.711, 0.0911},
          Row{0.45, 0.1, 1.0120, 0.329, 0.0028}, Row{0.49, 0.3, 1.0818, 0.625, 0.0036},
          Row{0.49, 0.4, 1.1405, 0.771, 0.0062}}) {
        CAPTURE(row.poissons_ratio);
        CAPTURE(row.depth);
        const SquashedBall ball = squash(row.depth, row.poissons_ratio);
        CHECK(test::near(ball.widest, row.widest, 0.0105));
        CHECK(test::near(ball.contact, row.contact, 0.1));
        CHECK(std::abs(ball.lost - row.lost) < 0.005);
        CHECK(ball.height < 0.08);
    }
}

TEST_CASE("a ratio of a half keeps the volume, less loses more of it") {
    CHECK(bulge_of({}) == 1.0);
    CHECK(bulge_of({.bulge = 2.0}) == 2.0);
    double before = 1.0;
    for (const double ratio : {0.49, 0.45, 0.3, 0.1, 0.0}) {
        const double share = bulge_of({.poissons_ratio = ratio});
        CHECK(share < before);
        CHECK(share > 0);
        before = share;
    }
    CHECK(std::abs(squash(0.2, 0.5).lost) < 1e-4);
}

TEST_CASE("the deeper a body is pressed, the smaller the ball that must fit, down to a limit") {
    CHECK(stiffness_at_depth(0.25, 0.0) == 0.25);
    CHECK(stiffness_at_depth(0.25, 0.1) < 0.25);
    CHECK(test::near(stiffness_at_depth(0.25, 10.0), 0.05));
}
