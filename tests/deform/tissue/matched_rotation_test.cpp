// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/lanes.h>
#include <ductile/deform/tissue/matched_rotation.h>

#include <Eigen/SVD>
#include <doctest/doctest.h>
#include <support/near.h>

#include <vector>

using namespace ductile;

namespace {

Vec3 random_arm(Rng& rng) { return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; }

Mat3 random_turn(Rng& rng, double most) {
    return Quat(Eigen::AngleAxisd(rng.uniform(0, most), random_arm(rng).normalized()))
        .toRotationMatrix();
}

/// Of ellipsoids at `places`, all turned by `turn` (4.22, 4.23).
Mat3 group_moment(const std::vector<Vec3>& places, const Mat3& turn) {
    const Mat3 shape = Vec3(0.09, 0.01, 0.09).asDiagonal();
    Vec3 centre = Vec3::Zero();
    for (const Vec3& p : places) centre += p / static_cast<double>(places.size());
    Mat3 moment = Mat3::Zero();
    for (const Vec3& p : places) {
        moment += 0.2 * turn * shape + turn * (p - centre) * (p - centre).transpose();
    }
    return moment;
}

double angle_between(const Mat3& a, const Mat3& b) {
    return Eigen::AngleAxisd(Mat3(a.transpose() * b)).angle();
}

Mat3 rotation_by_svd(const Mat3& moment) {
    const Eigen::JacobiSVD<Mat3> svd(moment, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 keep = Mat3::Identity();
    keep(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1.0 : 1.0;
    return svd.matrixU() * keep * svd.matrixV().transpose();
}

}  // namespace

TEST_CASE("matching returns the rotation of one particle, of two, of flat and of straight groups") {
    Rng rng(1);
    const std::vector<std::vector<Vec3>> groups = {
        {Vec3(3, 1, 2)},
        {Vec3(0, 0, 0), Vec3(0, 1, 0)},
        {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(-1, 0, 2)},
        {Vec3(-2, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 0), Vec3(1, 0, 0)},
        {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}};
    for (const auto& places : groups) {
        for (int i = 0; i < 50; ++i) {
            const Mat3 turn = random_turn(rng, kPi);
            // From near by as in a step, and from anywhere.
            for (const double off : {0.05, 3.1}) {
                const Mat3 guess = turn * random_turn(rng, off);
                const Mat3 found = matched_rotation(group_moment(places, turn), guess);
                CHECK(angle_between(found, turn) < 1e-9);
            }
        }
    }
}

TEST_CASE("matching agrees with the singular value decomposition on deformed groups") {
    Rng rng(2);
    for (int i = 0; i < 500; ++i) {
        Mat3 moment;
        for (int k = 0; k < 9; ++k) moment.data()[k] = rng.uniform(-1, 1);
        const Mat3 wanted = rotation_by_svd(moment);
        // Inverted ones too: of the proper rotations the nearest.
        const Eigen::JacobiSVD<Mat3> svd(moment);
        const Vec3 s = svd.singularValues();
        const double second = s[1] + (moment.determinant() < 0 ? -s[2] : s[2]);
        if (second < 1e-3) continue;  // two rotations are equally near
        CHECK(angle_between(matched_rotation(moment, random_turn(rng, kPi)), wanted) < 1e-8);
    }
}

TEST_CASE("two groups side by side have the rotations of each alone, whatever the other is") {
    Rng rng(5);
    std::vector<Mat3> moments, guesses;
    for (int i = 0; i < 100; ++i) {
        const Mat3 turn = random_turn(rng, kPi);
        moments.push_back(group_moment({random_arm(rng), random_arm(rng), random_arm(rng)}, turn));
        // Near by, far away, and groups that say nothing or lie inside out.
        guesses.push_back(turn * random_turn(rng, i % 3 == 0 ? 3.0 : 0.05));
        if (i % 10 == 7) moments.back().setZero();
        if (i % 10 == 9) moments.back() *= -1.0;
    }
    for (std::ptrdiff_t i = 0; i + 1 < 100; ++i) {
        const Pair33 found =
            matched_rotations(gather(moments.data(), i, i + 1), gather(guesses.data(), i, i + 1));
        for (int k = 0; k < 2; ++k) {
            const Mat3 alone = matched_rotation(moments[i + k], guesses[i + k]);
            CHECK(angle_between(matrix_of(found, k), alone) < 1e-9);
        }
    }
}

TEST_CASE("collapsed, inverted and senseless groups have a finite rotation") {
    Rng rng(3);
    const Mat3 guess = random_turn(rng, 1.0);
    const Vec3 a = random_arm(rng), b = random_arm(rng);
    const std::vector<Mat3> moments = {Mat3::Zero(),
                                       Mat3(-Mat3::Identity()),
                                       Mat3(a * b.transpose()),
                                       Mat3(-a * a.transpose()),
                                       Mat3(Vec3(1, 1, -1).asDiagonal()),
                                       Mat3(1e-200 * Mat3::Identity()),
                                       Mat3(1e200 * guess),
                                       Mat3::Constant(1.0),
                                       Mat3::Constant(NAN)};
    for (const Mat3& moment : moments) {
        const Mat3 r = matched_rotation(moment, guess);
        CHECK(r.allFinite());
        CHECK((r * r.transpose() - Mat3::Identity()).norm() < 1e-9);
        CHECK(r.determinant() > 0);
    }
    CHECK(matched_rotation(Mat3::Zero(), guess) == guess);
}

TEST_CASE("support points lie on the ellipsoid, with the normal asked for, the nearer one chosen") {
    Rng rng(4);
    for (int i = 0; i < 100; ++i) {
        const Mat3 turn = random_turn(rng, kPi);
        const Vec3 radii(rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(0.1, 1));
        const Mat3 shape = turn * radii.cwiseAbs2().asDiagonal() * turn.transpose();
        const Mat3 equation =
            turn * radii.cwiseAbs2().cwiseInverse().asDiagonal() * turn.transpose();
        const Vec3 n = random_arm(rng).normalized();
        const Vec3 at = ellipsoid_support(shape, n);
        CHECK(std::abs(at.dot(equation * at) - 1.0) < 1e-12);
        CHECK(((equation * at).normalized() - n).norm() < 1e-12);
        CHECK(std::abs(n.dot(at) - ellipsoid_reach(shape, n)) < 1e-12);
        // No sampled point of it lies further along n.
        for (int k = 0; k < 20; ++k) {
            const Vec3 on = turn * radii.cwiseProduct(random_arm(rng).normalized());
            CHECK(n.dot(on) <= n.dot(at) + 1e-12);
        }
    }
}

TEST_CASE("the gap between two ellipsoids is that of spheres, and never more than the true one") {
    const Mat3 ball = 0.04 * Mat3::Identity();
    const EllipsoidGap apart = ellipsoid_gap(ball, ball, Vec3(0, 0, 1));
    CHECK(test::near(apart.gap, 0.6, 1e-12));
    CHECK((apart.normal - Vec3::UnitZ()).norm() < 1e-12);
    CHECK(test::near(ellipsoid_gap(ball, ball, Vec3(0.1, 0, 0)).gap, -0.3));
    CHECK(std::isfinite(ellipsoid_gap(ball, ball, Vec3::Zero()).gap));
    // Two flat ones, shifted sideways: the points half-way between their middles are this far
    // apart, no two are much nearer.
    const double between = 0.05 - 0.02 * std::sqrt(1.0 - 1.0 / 36.0);
    const Mat3 flat = Vec3(0.09, 0.0001, 0.09).asDiagonal();
    const EllipsoidGap shifted = ellipsoid_gap(flat, flat, Vec3(0.1, 0.05, 0));
    CHECK(shifted.gap > 0.999 * between);
    CHECK(shifted.gap <= between + 1e-12);
}

TEST_CASE("gaps of ellipsoids measured side by side are those measured alone, bit for bit") {
    Rng rng(4);
    for (const double far : {0.25, kInfinity}) {
        std::vector<EllipsoidPair> pairs;
        for (int i = 0; i < 201; ++i) {
            const auto shape = [&] {
                const Mat3 turn =
                    Quat(Eigen::AngleAxisd(rng.uniform(0, 3), random_arm(rng).normalized()))
                        .toRotationMatrix();
                const Vec3 radii(rng.uniform(0.5, 1), rng.uniform(0.01, 0.6), rng.uniform(0.5, 1));
                return Mat3(turn * radii.cwiseAbs2().asDiagonal() * turn.transpose());
            };
            const double distance = i % 50 == 0 ? 0.0 : rng.uniform(0.1, 2.5);
            pairs.push_back({shape(), shape(), distance * random_arm(rng).normalized()});
        }
        std::vector<EllipsoidGap> gaps(pairs.size());
        ellipsoid_gaps(pairs, far, gaps);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const EllipsoidGap alone =
                ellipsoid_gap(pairs[i].first, pairs[i].second, pairs[i].apart, far);
            CHECK(gaps[i].gap == alone.gap);
            CHECK(gaps[i].normal == alone.normal);
        }
    }
}

TEST_CASE("no direction parts two ellipsoids better than the one found") {
    Rng rng(11);
    for (int i = 0; i < 200; ++i) {
        const auto shape = [&] {
            const Mat3 turn =
                Quat(Eigen::AngleAxisd(rng.uniform(0, 3), random_arm(rng).normalized()))
                    .toRotationMatrix();
            const Vec3 radii(rng.uniform(0.5, 1), rng.uniform(0.2, 0.6), rng.uniform(0.5, 1));
            return Mat3(turn * radii.cwiseAbs2().asDiagonal() * turn.transpose());
        };
        const Mat3 first = shape(), second = shape();
        const Vec3 apart = rng.uniform(1.0, 2.5) * random_arm(rng).normalized();
        const EllipsoidGap found = ellipsoid_gap(first, second, apart);
        const auto gap_along = [&](const Vec3& n) {
            return n.dot(apart) - ellipsoid_reach(first, n) - ellipsoid_reach(second, n);
        };
        CHECK(test::near(found.gap, gap_along(found.normal), 1e-12));
        double best = -kInfinity;
        for (int k = 0; k < 2000; ++k) {
            const Vec3 off = rng.uniform(0, 1) * random_arm(rng).normalized();
            best = std::max(best, gap_along((found.normal + off).normalized()));
        }
        if (found.gap > 0) CHECK(best <= found.gap + 1e-9);
        CHECK(best <= found.gap + 0.02);
    }
}
