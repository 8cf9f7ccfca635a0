// SPDX-License-Identifier: MIT
#include <ductile/scene/body_keys.h>

#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

namespace {

Quat about_z(double degrees) { return Quat(Eigen::AngleAxisd(degrees * kPi / 180, Vec3::UnitZ())); }

double angle_between(const Quat& a, const Quat& b) { return a.angularDistance(b); }

}  // namespace

TEST_CASE("a body with keys is at each of them at its time, and rests before and after") {
    const std::vector<BodyKey> keys = {{1.0, Vec3(0, 1, 0), about_z(0)},
                                       {2.0, Vec3(1, 3, 0), about_z(100)},
                                       {2.5, Vec3(2, -1, 0), about_z(250)}};
    for (const BodyKey& key : keys) {
        const Transform at = pose_at(keys, key.time);
        CHECK((at.translation - key.position).norm() < 1e-12);
        CHECK(angle_between(at.rotation, key.rotation) < 1e-6);
        CHECK(test::near(at.rotation.norm(), 1));
    }
    CHECK(pose_at(keys, 0).translation == keys[0].position);
    CHECK(pose_at(keys, 9).translation == keys[2].position);
}

TEST_CASE("a body told to stay stays, and no coordinate goes beyond the keys around it") {
    const std::vector<BodyKey> keys = {{0, Vec3(0, 5, 0)}, {1, Vec3(0, 1, 2)}, {2, Vec3(0, 1, 0)}};
    for (int i = 0; i <= 100; ++i) {
        const double time = 0.02 * i;
        const Vec3 p = pose_at(keys, time).translation;
        CHECK(p.x() == 0.0);
        CHECK(p.y() <= 5.0 + 1e-12);
        CHECK(p.y() >= 1.0 - 1e-12);
        if (time >= 1) CHECK(test::near(p.y(), 1.0, 1e-12));
    }
}

TEST_CASE("the way through keys is smooth: its speed has no jumps") {
    const std::vector<BodyKey> keys = {{0, Vec3(0, 0, 0), about_z(0)},
                                       {1, Vec3(1, 4, 0), about_z(80)},
                                       {3, Vec3(2, 5, 0), about_z(140)}};
    const double h = 1e-6;
    for (const double time : {0.0, 1.0, 3.0}) {
        const auto speed = [&](double t) {
            return Vec3((pose_at(keys, t + h).translation - pose_at(keys, t).translation) / h);
        };
        CHECK((speed(time) - speed(time - h)).norm() < 1e-4);
    }
}

TEST_CASE("turns take the shorter way whatever the signs of the quaternions") {
    BodyKey from{0, Vec3::Zero(), about_z(-10)}, to{1, Vec3::Zero(), about_z(10)};
    to.rotation.coeffs() = -to.rotation.coeffs();
    const std::vector<BodyKey> keys = {from, to};
    CHECK(angle_between(pose_at(keys, 0.5).rotation, Quat::Identity()) < 1e-6);
}
