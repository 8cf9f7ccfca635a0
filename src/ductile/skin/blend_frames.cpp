// SPDX-License-Identifier: MIT
// Jones et al. 2016, "Example-Based Plastic Deformation of Rigid Bodies", section 3.1. Numbers are
// written out: as products of small matrices the same takes four times as long.
#include <ductile/core/assert.h>
#include <ductile/core/simd.h>
#include <ductile/skin/blend_frames.h>

#include <algorithm>
#include <limits>

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

// A number is a double, or one for each of two points that are reckoned side by side: the same
// bits.
double larger(double x, double y) { return std::max(x, y); }

/// A pose that has a share.
template <class Number>
struct LivePose {
    std::size_t pose;
    Number share;
};

template <class Number>
struct LivePoses {
    std::span<const LivePose<Number>> all() const { return std::span(poses).first(count); }

    std::array<LivePose<Number>, Rig::kMostPoses> poses;
    std::size_t count = 0;
};

LivePoses<double> live_poses(std::span<const double> shares) {
    LivePoses<double> live;
    for (std::size_t e = 0; e < shares.size(); ++e) {
        live.poses[live.count] = {e, shares[e]};
        live.count += shares[e] != 0.0 ? 1 : 0;
    }
    return live;
}

/// Those that have one at either of two points.
LivePoses<simd::Doubles> live_poses(std::span<const double> a, std::span<const double> b) {
    LivePoses<simd::Doubles> live;
    for (std::size_t e = 0; e < a.size(); ++e) {
        live.poses[live.count] = {e, simd::Doubles(a[e], b[e])};
        live.count += a[e] != 0.0 || b[e] != 0.0 ? 1 : 0;
    }
    return live;
}

/// The frame of a point, or of two. What has no share or weight at one of two adds zeros there.
template <class Number>
class FrameSum {
public:
    EIGEN_ALWAYS_INLINE void add_move(const Number& x, const Number& y, const Number& z) {
        move_[0] += x;
        move_[1] += y;
        move_[2] += z;
    }
    /// Adds what one handle does that turns about `place`. `turns`: its own, pose by pose.
    EIGEN_ALWAYS_INLINE void add_turn(std::span<const LivePose<Number>> live,
                                      const std::array<double, 4>* turns, const Vec3& place,
                                      const Number& weight) {
        Number w = 1.0, x = 0.0, y = 0.0, z = 0.0;
        for (const LivePose<Number>& l : live) {
            const std::array<double, 4>& t = turns[l.pose];
            w += l.share * Number(t[0]);
            x += l.share * Number(t[1]);
            y += l.share * Number(t[2]);
            z += l.share * Number(t[3]);
        }
        const Number xx = x * x, yy = y * y, zz = z * z;
        const Number factor = weight * Number(2.0) / larger(w * w + xx + yy + zz, Number(kNoTurn));
        const Number xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
        const Number t00 = factor * -(yy + zz), t01 = factor * (xy - wz), t02 = factor * (xz + wy);
        const Number t10 = factor * (xy + wz), t11 = factor * -(xx + zz), t12 = factor * (yz - wx);
        const Number t20 = factor * (xz - wy), t21 = factor * (yz + wx), t22 = factor * -(xx + yy);
        linear_[0] += t00;
        linear_[1] += t10;
        linear_[2] += t20;
        linear_[3] += t01;
        linear_[4] += t11;
        linear_[5] += t21;
        linear_[6] += t02;
        linear_[7] += t12;
        linear_[8] += t22;
        const Number px = place[0], py = place[1], pz = place[2];
        move_[0] -= t00 * px + t01 * py + t02 * pz;
        move_[1] -= t10 * px + t11 * py + t12 * pz;
        move_[2] -= t20 * px + t21 * py + t22 * pz;
    }
    /// `number_of` picks one of two.
    template <class Pick>
    SkinFrame frame(Pick&& number_of) const {
        SkinFrame frame;
        for (std::size_t i = 0; i < 9; ++i) frame.linear.data()[i] = number_of(linear_[i]);
        for (std::size_t i = 0; i < 3; ++i) frame.move[Eigen::Index(i)] = number_of(move_[i]);
        return frame;
    }

private:
    std::array<Number, 9> linear_ = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};  // by columns
    std::array<Number, 3> move_ = {0.0, 0.0, 0.0};
};

SkinFrame frame_of(const FrameSum<double>& sum) {
    return sum.frame([](double x) { return x; });
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
    const LivePoses<double> live = live_poses(shares);
    FrameSum<double> sum;
    for (const LivePose<double>& l : live.all()) {
        const Vec3 move = l.share * summed_move(rig, point, l.pose);
        sum.add_move(move[0], move[1], move[2]);
    }
    const auto handles = rig.weights.handles_of(point);
    for (std::size_t k = 0; k < handles.size(); ++k) {
        std::array<std::array<double, 4>, Rig::kMostPoses> turns;
        for (const LivePose<double>& l : live.all()) {
            turns[l.pose] = turn_of(rig.poses[l.pose].moves[handles[k]]);
        }
        sum.add_turn(live.all(), turns.data(), rig.handles[handles[k]].place,
                     rig.weights.weights_of(point)[k]);
    }
    return frame_of(sum);
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
    const LivePoses<double> live = live_poses(shares);
    FrameSum<double> sum;
    for (const LivePose<double>& l : live.all()) {
        const Vec3& move = moves_[point * pose_count_ + l.pose];
        sum.add_move(l.share * move[0], l.share * move[1], l.share * move[2]);
    }
    for (std::int32_t i = start_[point]; i < start_[point + 1]; ++i) {
        const Turning& t = turning_[i];
        sum.add_turn(live.all(), turns_of(t.handle), places_[t.handle], t.weight);
    }
    return frame_of(sum);
}

std::pair<SkinFrame, SkinFrame> BlendFrames::two_frames(const PointShares& a,
                                                        const PointShares& b) const {
    check_shares(pose_count_, start_.size() - 1, a.point, a.shares);
    check_shares(pose_count_, start_.size() - 1, b.point, b.shares);
    const LivePoses<simd::Doubles> live = live_poses(a.shares, b.shares);
    FrameSum<simd::Doubles> sum;
    for (const LivePose<simd::Doubles>& l : live.all()) {
        const Vec3& at_a = moves_[a.point * pose_count_ + l.pose];
        const Vec3& at_b = moves_[b.point * pose_count_ + l.pose];
        sum.add_move(l.share * simd::Doubles(at_a[0], at_b[0]),
                     l.share * simd::Doubles(at_a[1], at_b[1]),
                     l.share * simd::Doubles(at_a[2], at_b[2]));
    }
    constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
    std::int32_t i = start_[a.point], k = start_[b.point];
    const std::int32_t i_end = start_[a.point + 1], k_end = start_[b.point + 1];
    while (i < i_end || k < k_end) {
        const std::int32_t at_a = i < i_end ? turning_[i].handle : kNone;
        const std::int32_t at_b = k < k_end ? turning_[k].handle : kNone;
        const std::int32_t handle = std::min(at_a, at_b);
        const simd::Doubles weight(at_a == handle ? turning_[i++].weight : 0.0,
                                   at_b == handle ? turning_[k++].weight : 0.0);
        sum.add_turn(live.all(), turns_of(handle), places_[handle], weight);
    }
    return {sum.frame([](const simd::Doubles& x) { return x[0]; }),
            sum.frame([](const simd::Doubles& x) { return x[1]; })};
}

}  // namespace ductile
