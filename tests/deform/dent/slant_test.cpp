// SPDX-License-Identifier: MIT
// Dents that come in at an angle, attenuation and rims, on points alone.
#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent.h>
#include <ductile/deform/kinds.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

// A dent into the xz plane from above; the impact came from +x.
DentHit slanted(double degrees) {
    DentHit hit;
    hit.depth = 0.04;
    hit.radius = 0.1;
    hit.direction_b = Vec3(0, -1, 0);
    hit.from_b = Vec3(1, 0, 0);
    hit.slant_deg = degrees;
    REQUIRE(check_dent(hit).ok());
    return hit;
}

std::vector<Vec3> cloud(std::uint64_t seed, double size) {
    Rng rng(seed);
    std::vector<Vec3> points;
    for (int k = 0; k < 2000; ++k) {
        points.push_back(
            {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)});
    }
    return points;
}

std::vector<Vec3> pressed(const std::vector<Vec3>& rest, const DentHit& hit) {
    std::vector<Vec3> points = rest;
    press_dent(points, rest, hit, 1.0);
    return points;
}

double furthest_apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
    return most;
}

}  // namespace

TEST_CASE("a slanted dent leans the way the projectile travelled") {
    const std::vector<Vec3> middle = {Vec3::Zero()};
    for (const double degrees : {10.0, 30.0, 60.0, 75.0}) {
        const Vec3 moved = pressed(middle, slanted(degrees))[0];
        const double t = degrees * kPi / 180.0;
        CHECK(test::near(moved.x(), -0.04 * std::sin(t)));  // it came from +x
        CHECK(test::near(moved.y(), -0.04 * std::cos(t)));
        CHECK(test::within(moved.z(), 0.0, 1e-12 * 0.04));
    }
}

TEST_CASE("a footprint is stretched by 1 / cos along the slant, not across it") {
    const DentHit hit = slanted(60.0);
    const DentPress press(hit, 1.0);
    CHECK(press.share(0.199, 0.0) > 0.0);
    CHECK(press.share(0.201, 0.0) == 0.0);
    CHECK(press.share(0.0, 0.099) > 0.0);
    CHECK(press.share(0.0, 0.101) == 0.0);
    CHECK(test::near(press.share(0.1, 0.0), gaussian_profile(0.05, 0.1)));
}

TEST_CASE("a dent is continuous in its angle and comes to nothing at 90 degrees") {
    const std::vector<Vec3> rest = cloud(3, 0.15);
    std::vector<Vec3> last = pressed(rest, slanted(0.0));
    for (double degrees = 0.25; degrees <= 90.0; degrees += 0.25) {
        const std::vector<Vec3> now = pressed(rest, slanted(degrees));
        CHECK(furthest_apart(last, now) < 0.08 * 0.04);
        last = now;
    }
    CHECK(last == rest);
}

TEST_CASE("turning a dent turns what it does") {
    const std::vector<Vec3> rest = cloud(4, 0.15);
    DentHit hit = slanted(40.0);
    hit.widening = 0.5;
    hit.rim = 3.0;
    hit.starts = {{{0.01, 0, 0.02}}, {{-0.05, 0.01, 0.0}}};
    const Quat turn(Eigen::AngleAxisd(1.1, Vec3(0.3, -0.5, 0.8).normalized()));
    const std::vector<Vec3> plain = pressed(rest, hit);
    std::vector<Vec3> turned_rest;
    for (const Vec3& p : rest) turned_rest.push_back(turn * p);
    DentHit turned = hit;
    turned.direction_b = turn * hit.direction_b;
    turned.from_b = turn * hit.from_b;
    for (DentStart& s : turned.starts) s.position_b = turn * s.position_b;
    const std::vector<Vec3> out = pressed(turned_rest, turned);
    double worst = 0.0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        worst = std::max(worst, (out[i] - turn * plain[i]).norm());
    }
    CHECK(worst < 1e-14);
}

TEST_CASE("with its foldless lean a slanted dent keeps the order of a flat surface") {
    for (const double degrees : {5.0, 30.0, 60.0, 75.0, 85.0}) {
        for (const double depth : {0.01, 0.05, 0.2}) {
            for (const double widening : {0.0, 1.0, 4.0}) {
                for (const DentProfile profile :
                     {DentProfile::Gaussian, DentProfile::Cosine, DentProfile::Cap}) {
                    // Half a ball stands upright at its edge: no lean is small enough.
                    if (profile == DentProfile::Cap && depth > 0.1) continue;
                    DentHit hit = slanted(degrees);
                    hit.depth = depth;
                    hit.widening = widening;
                    hit.profile = profile;
                    hit.lean = foldless_lean(hit);
                    CHECK(hit.lean > 0.0);
                    const DentPress press(hit, 1.0);
                    double last = -1e9;
                    for (double x = -0.65; x < 0.65; x += 1e-3) {
                        const Vec3 p(x, 0, 0.013);
                        const double now = press(p, p).x();
                        // A cap ends in an edge: only its order can be kept there.
                        CHECK(now - last >= (profile == DentProfile::Cap ? 0.0 : 0.09e-3));
                        last = now;
                    }
                }
            }
        }
    }
    DentHit shallow = slanted(20.0);
    shallow.depth = 0.005;
    CHECK(foldless_lean(shallow) == 1.0);
}

TEST_CASE("what lies behind keeps behind, for every attenuation from its safe fade on") {
    for (const Attenuation kind : {Attenuation::Logistic, Attenuation::Linear,
                                   Attenuation::Exponential, Attenuation::None}) {
        DentHit hit = slanted(0.0);
        hit.attenuation = kind;
        hit.fade = std::max(1e-6, safe_fade(kind, hit.depth));
        const DentPress press(hit, 1.0);
        double last = 1e9;
        for (double y = 0.1; y > -0.3; y -= 1e-4) {
            const Vec3 p(0.002, y, 0.001);
            const double now = press(p, p).y();
            CHECK(now < last);
            last = now;
        }
        CHECK(attenuation(kind, 0.0, 0.1) == 1.0);
        CHECK(attenuation(kind, -1.0, 0.1) == 1.0);
        CHECK(attenuation(kind, 0.05, 0.1) >= attenuation(kind, 0.06, 0.1));
    }
    CHECK(attenuation(Attenuation::Linear, 0.2, 0.1) == 0.0);
}

TEST_CASE("a box that may not move has no point that moves") {
    Rng rng(11);
    DentHit hit = slanted(50.0);
    hit.starts = {{{0.3, 0, 0.1}}, {{-0.2, 0.1, 0}}};
    const DentPress press(hit, 1.0);
    int far = 0;
    for (int k = 0; k < 3000; ++k) {
        Box box;
        const Vec3 at{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        box.add(at);
        box.add(at + Vec3{rng.uniform(0, 0.2), rng.uniform(0, 0.2), rng.uniform(0, 0.2)});
        if (press.may_move(box)) continue;
        ++far;
        for (int i = 0; i < 20; ++i) {
            const Vec3 p =
                box.lower + (box.upper - box.lower)
                                .cwiseProduct(Vec3{rng.uniform(), rng.uniform(), rng.uniform()});
            CHECK(press(p, p) == p);
        }
    }
    CHECK(far > 300);
}

TEST_CASE("directions of a dent are made sense of, or refused") {
    DentHit hit = slanted(10.0);
    hit.from_b = Vec3(3, 2, 0);
    REQUIRE(check_dent(hit).ok());
    CHECK((hit.from_b - Vec3(1, 0, 0)).norm() < 1e-15);
    hit.from_b = Vec3(0, 2, 0);
    CHECK_FALSE(check_dent(hit).ok());
    hit = slanted(10.0);
    for (const double angle : {91.0, std::nan("")}) {
        hit.slant_deg = angle;
        HitRecord record = hit;
        CHECK(check_record(record).error().where == "/slant_deg");
    }
}
