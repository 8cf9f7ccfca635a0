// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/bend/bend_hit.h>
#include <ductile/deform/kinds.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <limits>

using namespace ductile;

namespace {

BendHit bend(double angle_deg, double length) {
    BendHit hit;
    hit.position_b = {0.1, 0.2, -0.3};
    hit.along_b = Vec3(0.2, 1, 0.1);
    hit.axis_b = Vec3(0, 0.3, 1);
    hit.angle_deg = angle_deg;
    hit.length = length;
    REQUIRE(check_bend(hit).ok());
    return hit;
}

}  // namespace

TEST_CASE("a bend leaves what lies before it alone and turns what lies beyond as one") {
    const BendHit hit = bend(70, 0.4);
    CHECK(bend_frame(hit, hit.position_b - 0.3 * hit.along_b, 1.0) == SkinFrame{});
    const SkinFrame near = bend_frame(hit, hit.position_b + 0.41 * hit.along_b, 1.0);
    const SkinFrame far = bend_frame(hit, hit.position_b + 3.0 * hit.along_b, 1.0);
    CHECK(near.linear.isApprox(far.linear, 1e-12));
    CHECK(near.move.isApprox(far.move, 1e-12));
    const double angle = Eigen::AngleAxisd(far.linear).angle();
    CHECK(test::near(angle, 70 * kPi / 180, 1e-12));
}

TEST_CASE("lengths along the middle of a bend stay, for any angle") {
    for (const double angle : {1e-9, 0.01, 30.0, -120.0, 350.0}) {
        const BendHit hit = bend(angle, 0.5);
        double length = 0.0;
        Vec3 last = hit.position_b;
        constexpr int kSteps = 2000;
        for (int i = 1; i <= kSteps; ++i) {
            const Vec3 rest = hit.position_b + (0.8 * i / kSteps) * hit.along_b;
            const Vec3 now = bend_frame(hit, rest, 1.0).point(rest);
            length += (now - last).norm();
            last = now;
        }
        CHECK(test::near(length, 0.8, 1e-5));
    }
}

TEST_CASE("a bend is continuous in the place and in the amount") {
    const BendHit hit = bend(90, 0.3);
    Rng rng(3);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 rest(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        const double amount = rng.uniform(0, 1);
        const Vec3 here = bend_frame(hit, rest, amount).point(rest);
        const Vec3 step = 1e-6 * Vec3(1, 1, 1);
        const Vec3 beside = bend_frame(hit, rest + step, amount).point(rest + step);
        CHECK((beside - here).norm() < 2e-5);
        const Vec3 later = bend_frame(hit, rest, amount + 1e-6).point(rest);
        CHECK((later - here).norm() < 2e-5);
    }
}

TEST_CASE("a bend long enough does not fold its inner side") {
    BendHit hit = bend(120, 0.05);
    std::vector<Vec3> rest;
    Rng rng(5);
    for (int i = 0; i < 500; ++i) {
        rest.push_back(hit.position_b +
                       Vec3(rng.uniform(-0.1, 0.1), rng.uniform(-1, 1), rng.uniform(-0.1, 0.1)));
    }
    hit.length = foldless_length(hit, rest);
    CHECK(hit.length > 0.06);
    // Moving on along the body, no point goes backwards against its own cross-section.
    for (const Vec3& p : rest) {
        const SkinFrame frame = bend_frame(hit, p, 1.0);
        const Vec3 ahead = p + 1e-6 * hit.along_b;
        const Vec3 way = bend_frame(hit, ahead, 1.0).point(ahead) - frame.point(p);
        CHECK(way.dot(frame.linear * hit.along_b) > -1e-12);
    }
}

TEST_CASE("senseless bends are refused with their field, and checked ones keep their bits") {
    BendHit hit = bend(30, 0.2);
    const BendHit checked = hit;
    REQUIRE(check_bend(hit).ok());
    CHECK(hit.along_b == checked.along_b);
    CHECK(hit.axis_b == checked.axis_b);
    BendHit no_axis = hit;
    no_axis.axis_b = hit.along_b;
    CHECK(check_bend(no_axis).error().where == "/axis");
    BendHit no_way = hit;
    no_way.along_b = Vec3::Zero();
    CHECK(check_bend(no_way).error().where == "/along");
    BendHit no_length = hit;
    no_length.length = 0.0;
    HitRecord record = no_length;
    CHECK(check_record(record).error().where == "/length");
    BendHit bad = hit;
    bad.angle_deg = std::numeric_limits<double>::quiet_NaN();
    record = bad;
    CHECK(check_record(record).error().where == "/angle_deg");
}
