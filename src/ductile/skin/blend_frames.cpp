// SPDX-License-Identifier: MIT
// Jones et al. 2016, "Example-Based Plastic Deformation of Rigid Bodies", section 3.1. Numbers are
// written out: as products of small matrices the same takes four times as long.
#include <ductile/core/assert.h>
#include <ductile/skin/blend_frames.h>

#include <algorithm>

namespace ductile {
namespace {

// Below this the squared length of a blended quaternion has no direction: turns that cancel.
constexpr double kNoTurn = 1e-12;

/// A unit quaternion, w first, of the sign nearer to no turn, less that of no turn.
std::array<double, 4> turn_of(const Transform& move) {
    const Quat& q = move.rotation;
    const double sign = q.w() < 0.0 ? -1.0 : 1.0;
    return {sign * q.w() - 1.0, sign * q.x(), sign * q.y(), sign * q.z()};
}

/// A pose that has a share.
struct LivePose {
    std::size_t pose = 0;
    double share = 0.0;
};

struct LivePoses {
    explicit LivePoses(std::span<const double> shares) {
        for (std::size_t e = 0; e < shares.size(); ++e) {
            if (shares[e] != 0.0) poses[count++] = {e, shares[e]};
        }
    }
    std::span<const LivePose> all() const { return std::span(poses).first(count); }

    std::array<LivePose, Rig::kMostPoses> poses;
    std::size_t count = 0;
};

/// Adds what one handle does that turns about `place`. `turns`: its own, pose by pose.
EIGEN_ALWAYS_INLINE void add_turn(std::span<const LivePose> live,
                                  const std::array<double, 4>* turns, const Vec3& place,
                                  double weight, SkinFrame& frame) {
    double w = 1.0, x = 0.0, y = 0.0, z = 0.0;
    for (const LivePose& l : live) {
        const std::array<double, 4>& t = turns[l.pose];
        w += l.share * t[0];
        x += l.share * t[1];
        y += l.share * t[2];
        z += l.share * t[3];
    }
    if (x == 0.0 && y == 0.0 && z == 0.0) return;
    const double xx = x * x, yy = y * y, zz = z * z;
    const double factor = weight * 2.0 / std::max(w * w + xx + yy + zz, kNoTurn);
    const double xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
    const double t00 = factor * -(yy + zz), t01 = factor * (xy - wz), t02 = factor * (xz + wy);
    const double t10 = factor * (xy + wz), t11 = factor * -(xx + zz), t12 = factor * (yz - wx);
    const double t20 = factor * (xz - wy), t21 = factor * (yz + wx), t22 = factor * -(xx + yy);
    double* const linear = frame.linear.data();  // column by column
    linear[0] += t00;
    linear[1] += t10;
    linear[2] += t20;
    linear[3] += t01;
    linear[4] += t11;
    linear[5] += t21;
    linear[6] += t02;
    linear[7] += t12;
    linear[8] += t22;
    double* const move = frame.move.data();
    move[0] -= t00 * place[0] + t01 * place[1] + t02 * place[2];
    move[1] -= t10 * place[0] + t11 * place[1] + t12 * place[2];
    move[2] -= t20 * place[0] + t21 * place[1] + t22 * place[2];
}

/// What the moves of a pose come to at a point.
Vec3 summed_move(const Rig& rig, std::size_t point, std::size_t pose) {
    const auto handles = rig.weights.handles_of(point);
    const auto weights = rig.weights.weights_of(point);
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < handles.size(); ++k) {
        sum += weights[k] * rig.poses[pose].moves[handles[k]].translation;
    }
    return sum;
}

bool turns_at_all(const Rig& rig, std::int32_t handle) {
    return std::any_of(rig.poses.begin(), rig.poses.end(), [&](const RigPose& pose) {
        return !pose.moves[handle].rotation.vec().isZero(0.0);
    });
}

void check_shares(std::size_t poses, std::size_t points, std::size_t point,
                  std::span<const double> shares) {
    DUCTILE_ASSERT(shares.size() == poses, "a share per pose");
    DUCTILE_ASSERT(point < points, "a point of the rig");
}

}  // namespace

SkinFrame blend_frame(const Rig& rig, std::size_t point, std::span<const double> shares) {
    check_shares(rig.poses.size(), rig.weights.size(), point, shares);
    const LivePoses live(shares);
    SkinFrame frame;
    for (const LivePose& l : live.all()) frame.move += l.share * summed_move(rig, point, l.pose);
    const auto handles = rig.weights.handles_of(point);
    for (std::size_t k = 0; k < handles.size(); ++k) {
        std::array<std::array<double, 4>, Rig::kMostPoses> turns;
        for (const LivePose& l : live.all()) {
            turns[l.pose] = turn_of(rig.poses[l.pose].moves[handles[k]]);
        }
        add_turn(live.all(), turns.data(), rig.handles[handles[k]].place,
                 rig.weights.weights_of(point)[k], frame);
    }
    return frame;
}

BlendFrames::BlendFrames(const Rig& rig) : pose_count_(rig.poses.size()) {
    std::vector<std::uint8_t> is_turning;
    for (std::size_t h = 0; h < rig.handles.size(); ++h) {
        places_.push_back(rig.handles[h].place);
        is_turning.push_back(turns_at_all(rig, static_cast<std::int32_t>(h)) ? 1 : 0);
        for (const RigPose& pose : rig.poses) turns_.push_back(turn_of(pose.moves[h]));
    }
    for (std::size_t point = 0; point < rig.weights.size(); ++point) {
        for (std::size_t e = 0; e < pose_count_; ++e) moves_.push_back(summed_move(rig, point, e));
        const auto handles = rig.weights.handles_of(point);
        for (std::size_t k = 0; k < handles.size(); ++k) {
            if (is_turning[handles[k]] == 0) continue;
            turning_.push_back({handles[k], rig.weights.weights_of(point)[k]});
        }
        start_.push_back(static_cast<std::int32_t>(turning_.size()));
    }
}

SkinFrame BlendFrames::frame(std::size_t point, std::span<const double> shares) const {
    check_shares(pose_count_, start_.size() - 1, point, shares);
    const LivePoses live(shares);
    SkinFrame frame;
    for (const LivePose& l : live.all()) {
        frame.move += l.share * moves_[point * pose_count_ + l.pose];
    }
    for (std::int32_t i = start_[point]; i < start_[point + 1]; ++i) {
        const Turning& t = turning_[i];
        add_turn(live.all(), &turns_[static_cast<std::size_t>(t.handle) * pose_count_],
                 places_[t.handle], t.weight, frame);
    }
    return frame;
}

}  // namespace ductile
