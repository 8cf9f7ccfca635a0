// SPDX-License-Identifier: MIT
// Jones et al. 2016, "Example-Based Plastic Deformation of Rigid Bodies", section 3.1. Where we
// differ: turns are about each handle's own place, since turns about an origin far away would not
// blend; and moves, which blend linearly, are summed over the handles once, when the skin is made.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/core/simd.h>
#include <ductile/geom/query/point_blocks.h>
#include <ductile/skin/blend_skin.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ductile {
namespace {

using simd::Floats;

// Below this the squared length of a blended quaternion has no direction: turns that cancel.
constexpr double kNoTurn = 1e-12;
// Below this determinant a frame cannot be taken back.
constexpr double kFlat = 1e-3;
// A normal that is this short after the turn has no direction in single precision.
constexpr double kNoNormal = 1e-6;

/// Of two quaternions that mean the same the one nearer to no turn.
Eigen::Vector4d nearer_turn(const Quat& q) {
    const Eigen::Vector4d turn(q.w(), q.x(), q.y(), q.z());
    return q.w() < 0.0 ? Eigen::Vector4d(-turn) : turn;
}

/// The sum of a handle's weighted quaternions, w first.
Eigen::Vector4d summed_turns(const Rig& rig, std::int32_t handle, std::span<const double> shares) {
    Eigen::Vector4d sum = Eigen::Vector4d::UnitX();
    for (std::size_t e = 0; e < shares.size(); ++e) {
        if (shares[e] == 0.0) continue;
        sum += shares[e] *
               (nearer_turn(rig.poses[e].moves[handle].rotation) - Eigen::Vector4d::UnitX());
    }
    return sum;
}

/// How (R - I) v changes, for the turn R of a quaternion of any length, when that goes along `d`.
/// Cross products over the squared length need no root.
Vec3 turn_derivative(const Eigen::Vector4d& q, const Eigen::Vector4d& d, const Vec3& v) {
    const double length_sq = std::max(q.squaredNorm(), kNoTurn);
    const Vec3 axis = q.tail<3>(), change = d.tail<3>();
    const Vec3 once = axis.cross(v), once_change = change.cross(v);
    const Vec3 sum = q[0] * once + axis.cross(once);
    const Vec3 sum_change =
        d[0] * once + q[0] * once_change + change.cross(once) + axis.cross(once_change);
    return 2.0 / length_sq * (sum_change - 2.0 * q.dot(d) / length_sq * sum);
}

void check_shares(const Rig& rig, std::size_t point, std::span<const double> shares) {
    DUCTILE_ASSERT(shares.size() == rig.poses.size(), "a share per pose");
    DUCTILE_ASSERT(point < rig.weights.size(), "a point of the rig");
}

}  // namespace

Eigen::Matrix3Xd blend_jacobian(const Rig& rig, std::size_t point, const Vec3& u,
                                std::span<const double> shares) {
    check_shares(rig, point, shares);
    Eigen::Matrix3Xd jacobian = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(shares.size()));
    const auto handles = rig.weights.handles_of(point);
    for (std::size_t k = 0; k < handles.size(); ++k) {
        const double weight = rig.weights.weights_of(point)[k];
        const Eigen::Vector4d q = summed_turns(rig, handles[k], shares);
        const Vec3 v = u - rig.handles[handles[k]].place;
        for (std::size_t e = 0; e < shares.size(); ++e) {
            const Transform& move = rig.poses[e].moves[handles[k]];
            const Eigen::Vector4d change = nearer_turn(move.rotation) - Eigen::Vector4d::UnitX();
            jacobian.col(static_cast<Eigen::Index>(e)) +=
                weight * (turn_derivative(q, change, v) + move.translation);
        }
    }
    return jacobian;
}

FrameInverse inverse_linear(const SkinFrame& frame) {
    const double determinant = frame.linear.determinant();
    if (determinant >= kFlat && std::isfinite(determinant)) return {frame.linear.inverse(), true};
    return {nearest_rotation(frame.linear).transpose(), false};
}

Vec3 turned_normal(const SkinFrame& frame, const Vec3& normal) {
    const Mat3& a = frame.linear;
    Mat3 cofactors;
    for (int k = 0; k < 3; ++k) cofactors.col(k) = a.col((k + 1) % 3).cross(a.col((k + 2) % 3));
    const Vec3 turned = cofactors * normal;
    const double length = turned.norm();
    return length > kNoTurn && std::isfinite(length) ? Vec3(turned / length) : normal;
}

BlendSkin::BlendSkin(const Rig& rig, std::span<const Vec3> rest)
    : point_count_(rest.size()), pose_count_(rig.poses.size()), index_(morton_order(rest)) {
    DUCTILE_ASSERT(rig.weights.size() == rest.size(), "a rig of these points");
    const Box box = bounds(rest);
    if (!box.is_empty()) middle_ = box.centre();
    for (const Handle& handle : rig.handles) {
        const Eigen::Vector3f place = (handle.place - middle_).cast<float>();
        place_.push_back({place.x(), place.y(), place.z()});
    }
    for (std::size_t h = 0; h < rig.handles.size(); ++h) {
        for (const RigPose& pose : rig.poses) {
            const Eigen::Vector4f q =
                (nearer_turn(pose.moves[h].rotation) - Eigen::Vector4d::UnitX()).cast<float>();
            turns_.push_back({q[0], q[1], q[2], q[3]});
        }
    }
    while (index_.size() % kLanes != 0) index_.push_back(index_.back());
    moves_.resize(pose_count_ * block_count());
    for (std::size_t b = 0; b < block_count(); ++b) add_block(rig, b);
    blocks_.push_back({static_cast<std::int32_t>(parts_.size()), 0});
    parts_.push_back({});
}

std::vector<std::int32_t> BlendSkin::block_handles(const SkinWeights& weights,
                                                   std::size_t block) const {
    std::vector<std::int32_t> handles;
    for (std::int32_t k = 0; k < blocks_[block].points; ++k) {
        const auto own = weights.handles_of(index_[block * kLanes + k]);
        handles.insert(handles.end(), own.begin(), own.end());
    }
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    return handles;
}

void BlendSkin::add_block(const Rig& rig, std::size_t block) {
    const std::size_t first = block * kLanes;
    blocks_.push_back(
        {static_cast<std::int32_t>(parts_.size()),
         static_cast<std::int32_t>(std::min<std::size_t>(kLanes, point_count_ - first))});
    const std::vector<std::int32_t> handles = block_handles(rig.weights, block);
    const std::size_t first_part = parts_.size();
    for (const std::int32_t h : handles) parts_.push_back({h, {}});
    for (std::int32_t k = 0; k < blocks_[block].points; ++k) {
        const std::int32_t point = index_[first + k];
        const auto own = rig.weights.handles_of(point);
        const auto weights = rig.weights.weights_of(point);
        for (std::size_t i = 0; i < own.size(); ++i) {
            const auto at = std::lower_bound(handles.begin(), handles.end(), own[i]);
            parts_[first_part + (at - handles.begin())].twice_weight[k] =
                static_cast<float>(2.0 * weights[i]);
        }
        for (std::size_t e = 0; e < pose_count_; ++e) {
            Vec3 move = Vec3::Zero();
            for (std::size_t i = 0; i < own.size(); ++i) {
                move += weights[i] * rig.poses[e].moves[own[i]].translation;
            }
            auto& lanes = moves_[block * pose_count_ + e];
            for (int a = 0; a < 3; ++a) lanes[a][k] = static_cast<float>(move[a]);
        }
    }
}

double BlendSkin::mean_block_handles() const {
    if (block_count() == 0) return 0.0;
    return static_cast<double>(parts_.size() - 1) / static_cast<double>(block_count());
}

/// x, y, z of eight points. Inlined by order: in a call they would go through memory.
struct BlendSkin::Floats3 {
    simd::Floats x, y, z;
    EIGEN_ALWAYS_INLINE static Floats3 load(const std::array<Lanes, 3>& lanes) {
        return {Floats::load(lanes[0].data()), Floats::load(lanes[1].data()),
                Floats::load(lanes[2].data())};
    }
    std::array<Lanes, 3> stored() const {
        std::array<Lanes, 3> lanes;
        x.store(lanes[0].data());
        y.store(lanes[1].data());
        z.store(lanes[2].data());
        return lanes;
    }
    friend EIGEN_ALWAYS_INLINE Floats3 operator-(const Floats3& a, const Floats3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    EIGEN_ALWAYS_INLINE void add(const Floats& factor, const Floats3& v) {
        x += factor * v.x;
        y += factor * v.y;
        z += factor * v.z;
    }
    friend EIGEN_ALWAYS_INLINE Floats3 cross(const Floats3& a, const Floats3& b) {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
};

/// The eight points' A = I + sum of W_b (R_b - I), column by column, and normals by its cofactors.
struct BlendSkin::TurnSum {
    std::array<Floats3, 3> column = {{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};

    EIGEN_ALWAYS_INLINE void add(const Floats& factor, const Floats& w, const Floats3& q) {
        const Floats xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
        const Floats xy = q.x * q.y, yz = q.y * q.z, zx = q.z * q.x;
        const Floats wx = w * q.x, wy = w * q.y, wz = w * q.z, none = 0.0f;
        column[0].add(factor, {none - (yy + zz), xy + wz, zx - wy});
        column[1].add(factor, {xy - wz, none - (xx + zz), yz + wx});
        column[2].add(factor, {zx + wy, yz - wx, none - (xx + yy)});
    }
    Floats3 turned(const Floats3& n) const {
        Floats3 sum{0.0f, 0.0f, 0.0f};
        sum.add(n.x, cross(column[1], column[2]));
        sum.add(n.y, cross(column[2], column[0]));
        sum.add(n.z, cross(column[0], column[1]));
        return sum;
    }
};

/// Those of eight points, less `from`.
EIGEN_ALWAYS_INLINE BlendSkin::Floats3 BlendSkin::load_places(const std::int32_t* index,
                                                              std::span<const Vec3> points,
                                                              const Vec3& from) {
    const Vec3* p = points.data();
    const std::array<Floats, 3> xyz = Floats::load_places(
        {p[index[0]].data(), p[index[1]].data(), p[index[2]].data(), p[index[3]].data(),
         p[index[4]].data(), p[index[5]].data(), p[index[6]].data(), p[index[7]].data()},
        from.data());
    return {xyz[0], xyz[1], xyz[2]};
}

struct BlendSkin::Job {
    std::span<const Vec3> points, normals;
    std::span<const float> shares;
    std::span<Vec3> out, out_normals;
};

/// The poses that any of a block's points has a share of.
struct BlendSkin::LivePoses {
    std::array<Floats, kMostPoses> share;
    std::array<std::int32_t, kMostPoses> pose;
    int count = 0;

    EIGEN_ALWAYS_INLINE LivePoses(std::span<const float> shares, int poses,
                                  const std::int32_t* index) {
        const auto row = [&](int k) { return shares.data() + std::ptrdiff_t(index[k]) * poses; };
        const Floats::Rows rows = {row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)};
        int live = 0, e = 0;
        for (; e + kAtOnce <= poses; e += kAtOnce) {
            live = added(live, Floats::load_rows(rows, e), e, e);
        }
        if (e < poses && poses >= kAtOnce) {  // The last ones, with some before them once more.
            live = added(live, Floats::load_rows(rows, poses - kAtOnce), poses - kAtOnce, e);
            e = poses;
        }
        for (; e < poses; ++e) live = added(live, Floats::gathered(rows, e), e);
        count = live;
    }

private:
    static constexpr int kAtOnce = 4;
    /// How many are live with this one, too.
    EIGEN_ALWAYS_INLINE int added(int live, const Floats& shares, int e) {
        share[live] = shares;
        pose[live] = e;
        return live + (shares.is_zero() ? 0 : 1);
    }
    EIGEN_ALWAYS_INLINE int added(int live, const std::array<Floats, kAtOnce>& some, int e,
                                  int from) {
        if (e >= from) live = added(live, some[0], e);
        if (e + 1 >= from) live = added(live, some[1], e + 1);
        if (e + 2 >= from) live = added(live, some[2], e + 2);
        return added(live, some[3], e + 3);
    }
};

/// What is added to the eight points; their turns, too, where somebody asks for these.
template <bool kNormals>
BlendSkin::Floats3 BlendSkin::offsets(std::size_t block, const LivePoses& live, const Floats3& u,
                                      TurnSum& turns) const {
    Floats3 offset{0.0f, 0.0f, 0.0f};
    for (int i = 0; i < live.count; ++i) {
        const auto& move = moves_[block * pose_count_ + live.pose[i]];
        offset.add(live.share[i], Floats3::load(move));
    }
    // What a handle's numbers stand at is found out while those of the handle before it are worked
    // on: a part is more than a processor looks ahead by itself.
    const Part* part = parts_.data() + blocks_[block].first_part;
    const Part* const end = parts_.data() + blocks_[block + 1].first_part;
    const auto turns_at = [this](const Part& p) { return &turns_[p.handle * pose_count_]; };
    const auto place_at = [this](const Part& p) { return place_[p.handle].data(); };
    const std::array<float, 4>* next_turns = turns_at(*part);
    const float* next_place = place_at(*part);
    for (; part != end; ++part) {
        const std::array<float, 4>* const pose_turns = next_turns;
        const float* const place = next_place;
        next_turns = turns_at(part[1]);
        next_place = place_at(part[1]);
        // Summed up from the first pose, not from 0: the sign of a zero, which may differ, is lost
        // in `offset`.
        const std::array<float, 4>& first = pose_turns[live.pose[0]];
        Floats w = 1.0f + live.share[0] * first[0];
        Floats3 q = {live.share[0] * first[1], live.share[0] * first[2], live.share[0] * first[3]};
        for (int i = 1; i < live.count; ++i) {
            const std::array<float, 4>& turn = pose_turns[live.pose[i]];
            const Floats share = live.share[i];
            w += share * turn[0];
            q.add(share, {turn[1], turn[2], turn[3]});
        }
        const Floats length_sq = w * w + q.x * q.x + (q.y * q.y + q.z * q.z);
        const Floats factor = Floats::load(part->twice_weight.data()) /
                              larger(length_sq, static_cast<float>(kNoTurn));
        const Floats3 once = cross(q, u - Floats3{place[0], place[1], place[2]});
        const Floats3 twice = cross(q, once);
        offset.add(factor, {w * once.x + twice.x, w * once.y + twice.y, w * once.z + twice.z});
        if constexpr (kNormals) turns.add(factor, w, q);
    }
    return offset;
}

template <bool kNormals>
void BlendSkin::pose_block(std::size_t block, const Job& job) const {
    const std::int32_t* index = index_.data() + block * kLanes;
    const int count = blocks_[block].points;
    const LivePoses live(job.shares, static_cast<int>(pose_count_), index);
    if (live.count == 0) {
        for (int k = 0; k < count; ++k) job.out[index[k]] = job.points[index[k]];
        for (int k = 0; kNormals && k < count; ++k) {
            job.out_normals[index[k]] = job.normals[index[k]];
        }
        return;
    }
    TurnSum turns;
    const Floats3 u = load_places(index, job.points, middle_);
    const std::array<Lanes, 3> lanes = offsets<kNormals>(block, live, u, turns).stored();
    for (int k = 0; k < count; ++k) {
        const Vec3& p = job.points[index[k]];
        job.out[index[k]] = {p.x() + lanes[0][k], p.y() + lanes[1][k], p.z() + lanes[2][k]};
    }
    if constexpr (kNormals) {
        const std::array<Lanes, 3> turned =
            turns.turned(load_places(index, job.normals, Vec3::Zero())).stored();
        for (int k = 0; k < count; ++k) {
            const Vec3 n(turned[0][k], turned[1][k], turned[2][k]);
            const double length = n.norm();
            const bool is_left = length > kNoNormal && std::isfinite(length);
            job.out_normals[index[k]] = is_left ? Vec3(n / length) : job.normals[index[k]];
        }
    }
}

// What a block asks for lies anywhere: its numbers are on their way while those before it are
// posed.
void BlendSkin::prefetch(std::size_t block, const Job& job) const {
    const std::int32_t* index = index_.data() + block * kLanes;
    const float* shares = job.shares.data();
    const Vec3 *points = job.points.data(), *out = job.out.data();
    const auto width = static_cast<std::ptrdiff_t>(pose_count_);
    for (int k = 0; k < kLanes; ++k) {
        simd::prefetch(shares + index[k] * width);
        simd::prefetch(points + index[k]);
        simd::prefetch(out + index[k]);
    }
}

template <bool kNormals>
void BlendSkin::pose_blocks(const Job& job) const {
    constexpr std::size_t kTask = 64, kAhead = 4;
    const std::size_t count = block_count();
    parallel_for((count + kTask - 1) / kTask, 1, [&](std::size_t task) {
        const std::size_t end = std::min(count, (task + 1) * kTask);
        for (std::size_t b = task * kTask; b < end; ++b) {
            if (b + kAhead < count) prefetch(b + kAhead, job);
            pose_block<kNormals>(b, job);
        }
    });
}

void BlendSkin::pose(std::span<const Vec3> points, std::span<const float> shares,
                     std::span<Vec3> out) const {
    DUCTILE_ASSERT(points.size() == point_count() && out.size() == points.size(),
                   "as many points as the skin has");
    DUCTILE_ASSERT(shares.size() == points.size() * pose_count_, "a row of shares per point");
    const Job job{points, {}, shares, out, {}};
    pose_blocks<false>(job);
}

void BlendSkin::pose(std::span<const Vec3> points, std::span<const Vec3> normals,
                     std::span<const float> shares, std::span<Vec3> out,
                     std::span<Vec3> out_normals) const {
    DUCTILE_ASSERT(points.size() == point_count() && out.size() == points.size(),
                   "as many points as the skin has");
    DUCTILE_ASSERT(normals.size() == points.size() && out_normals.size() == points.size(),
                   "a normal per point");
    DUCTILE_ASSERT(shares.size() == points.size() * pose_count_, "a row of shares per point");
    const Job job{points, normals, shares, out, out_normals};
    pose_blocks<true>(job);
}

}  // namespace ductile
