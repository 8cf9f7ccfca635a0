// SPDX-License-Identifier: MIT
#include <ductile/export/track/body_track.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/near.h>

#include <algorithm>

using namespace ductile;

namespace {

using Keys = std::vector<std::size_t>;

Quat turn(double angle, const Vec3& axis) { return Quat(Eigen::AngleAxisd(angle, axis)); }

// The pose that a reader makes of the kept keys.
Transform blended(const Recording& r, const BodyTrack& track, std::size_t f) {
    const auto between = [&](const Keys& keys, auto&& blend) {
        if (keys.empty()) return blend(0, 0, 0.0);
        if (f == keys.back()) return blend(f, f, 0.0);
        const std::size_t k = std::upper_bound(keys.begin(), keys.end(), f) - keys.begin();
        const std::size_t a = keys[k - 1], b = keys[k];
        return blend(a, b,
                     (r.frames[f].time - r.frames[a].time) / (r.frames[b].time - r.frames[a].time));
    };
    Transform out;
    out.translation = between(track.translation_keys, [&](std::size_t a, std::size_t b, double t) {
        return Vec3((1 - t) * track.poses[a].translation + t * track.poses[b].translation);
    });
    out.rotation = between(track.rotation_keys, [&](std::size_t a, std::size_t b, double t) {
        return track.poses[a].rotation.slerp(t, track.poses[b].rotation);
    });
    return out;
}

}  // namespace

TEST_CASE("steady motion needs two keys, a bounce one more, rest none") {
    Recording r = sample::still({sample::ball(2)}, 31);
    CHECK(track_body(r, 0, 1e-4).translation_keys.empty());
    CHECK(track_body(r, 0, 1e-4).rotation_keys.empty());
    for (int f = 0; f < 31; ++f) {
        r.frames[f].bodies[0].pose_w.translation = Vec3(f, f < 20 ? -f : f - 40, 0);
        r.frames[f].bodies[0].pose_w.rotation = turn(0.02 * f, Vec3::UnitZ());
    }
    const BodyTrack track = track_body(r, 0, 1e-4);
    CHECK(track.translation_keys == Keys{0, 20, 30});
    CHECK(track.rotation_keys.front() == 0);
    CHECK(track.rotation_keys.back() == 30);
    CHECK(track.rotation_keys.size() < 8);
    CHECK(track.presence_keys.empty());
}

TEST_CASE("uneven frame times are taken as they are") {
    Recording r = sample::still({sample::ball(2)}, 10);
    for (int f = 0; f < 10; ++f) {
        r.frames[f].time = f * f;
        r.frames[f].bodies[0].pose_w.translation = Vec3(3.0 * f * f, 0, 0);
    }
    CHECK(track_body(r, 0, 1e-6).translation_keys == Keys{0, 9});
}

TEST_CASE("neighbouring rotations lie in one hemisphere whatever signs came in") {
    Rng rng(11);
    Recording r = sample::still({sample::ball(2)}, 200);
    for (int f = 0; f < 200; ++f) {
        Quat& q = r.frames[f].bodies[0].pose_w.rotation;
        q = turn(0.3 * f, Vec3(1, 1, 0).normalized());
        if (rng.uniform() < 0.5) q.coeffs() *= -1.0;
    }
    const BodyTrack track = track_body(r, 0, 1e-3);
    for (int f = 0; f < 200; ++f) {
        const Quat& q = r.frames[f].bodies[0].pose_w.rotation;
        CHECK(test::near(std::abs(track.poses[f].rotation.dot(q)), 1.0, 1e-6));
        if (f > 0) CHECK(track.poses[f].rotation.dot(track.poses[f - 1].rotation) > 0.0);
    }
    for (std::size_t k = 1; k < track.rotation_keys.size(); ++k) {
        CHECK(track.poses[track.rotation_keys[k]].rotation.dot(
                  track.poses[track.rotation_keys[k - 1]].rotation) >= 0.0);
    }
}

TEST_CASE("no point of a tumbling body is off by more than the tolerance") {
    Rng rng(2);
    const auto asset = sample::ball(3);
    for (const double tolerance : {0.0, 1e-4, 1e-2, 0.3}) {
        Recording r = sample::still({asset}, 100);
        Vec3 velocity(0, 0, 0), axis = Vec3::UnitX();
        Transform pose;
        double spin = 0.0;
        for (Frame& frame : r.frames) {
            if (rng.uniform() < 0.1) {
                velocity = 5.0 * sample::random_direction(rng);
                axis = sample::random_direction(rng);
                spin = rng.uniform(0, 20);
            }
            velocity.y() -= 9.81 / 30;
            pose.translation += velocity / 30;
            pose.rotation = turn(spin / 30, axis) * pose.rotation;
            frame.bodies[0].pose_w = pose;
        }
        const BodyTrack track = track_body(r, 0, tolerance);
        double worst = 0.0;
        for (std::size_t f = 0; f < r.frames.size(); ++f) {
            const Transform seen = blended(r, track, f);
            for (const Vec3& p : asset->surface.points) {
                worst =
                    std::max(worst, (seen.point(p) - r.frames[f].bodies[0].pose_w.point(p)).norm());
            }
        }
        CAPTURE(tolerance);
        CHECK(worst <= tolerance + 1e-9);
        if (tolerance > 0.1) CHECK(track.translation_keys.size() < 70);
    }
}

TEST_CASE("an absent body keeps the last pose it had, or takes the first it will have") {
    Recording r = sample::still({sample::ball(2)}, 10);
    for (int f = 0; f < 10; ++f) {
        BodyFrame& at = r.frames[f].bodies[0];
        at.is_present = f == 3 || f == 4 || f == 8;
        at.pose_w.translation = Vec3(at.is_present ? f : std::nan(""), 0, 0);
    }
    const BodyTrack track = track_body(r, 0, 1e-4);
    CHECK(track.source == Keys{3, 3, 3, 3, 4, 4, 4, 4, 8, 8});
    CHECK(track.presence_keys == Keys{0, 3, 5, 8, 9});
    for (std::size_t f = 0; f < 10; ++f) {
        CHECK(track.poses[f].translation.x() == double(track.source[f]));
    }
    for (Frame& frame : r.frames) frame.bodies[0].is_present = false;
    const BodyTrack never = track_body(r, 0, 1e-4);
    CHECK(never.source.empty());
    CHECK(never.poses.empty());
}

TEST_CASE("a body without a surface is followed as well") {
    Recording r = sample::still({sample::ball(2)}, 20);
    r.bodies[0].asset = nullptr;
    r.bodies[0].shapes.clear();
    for (int f = 0; f < 20; ++f) {
        r.frames[f].bodies[0].pose_w.rotation = turn(0.05 * f * f, Vec3::UnitY());
    }
    CHECK(track_body(r, 0, 0.0).rotation_keys.size() == 20);
}
