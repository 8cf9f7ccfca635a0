// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/rig.h>
#include <ductile/geom/skin_frame.h>
#include <ductile/skin/blend_frames.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// How the place x of u changes with the shares: a column per pose, what a pose gains the rest pose
/// loses. Exact. Requires: as above.
Eigen::Matrix3Xd blend_jacobian(const Rig& rig, std::size_t point, const Vec3& u,
                                std::span<const double> shares);

/// The inverse of a frame's linear part, to take what is decided on the skinned surface back; where
/// the skin has squashed it flat or turned it inside out (a determinant below 1e-3 or not finite),
/// the inverse of its nearest rotation, and false.
struct FrameInverse {
    Mat3 linear = Mat3::Identity();
    bool is_exact = true;
};
FrameInverse inverse_linear(const SkinFrame& frame);

/// Where a frame turns a unit normal: unit; as it was where the frame leaves nothing of it.
Vec3 turned_normal(const SkinFrame& frame, const Vec3& normal);

/// A rig made ready to pose all points of its surface at once: in blocks of eight neighbours that
/// share a list of handles, so that numbers of eight points lie side by side and no handle's are
/// gathered. Single precision for what is added to the points, which stay in double: errors are
/// below 1e-6 of the surface's size. Products and sums are never fused: the same bits on machines
/// with any width of registers and with any number of threads.
class BlendSkin {
public:
    /// Requires: a rig that fits the points (`check_rig`); finite points. O(weights).
    BlendSkin(const Rig& rig, std::span<const Vec3> rest);

    std::size_t point_count() const { return point_count_; }
    std::size_t pose_count() const { return pose_count_; }
    /// Handles of a block on average: what a point costs, beside its own number of handles.
    double mean_block_handles() const;

    /// Poses `points`, the rest points or what dents have made of them: `out[i]` is where point i
    /// goes under `shares`, a row of `pose_count` per point. Exactly `points[i]` for rows of zeros.
    /// Poses that have no share in a block cost nothing there. Requires: sizes that fit; finite.
    void pose(std::span<const Vec3> points, std::span<const float> shares,
              std::span<Vec3> out) const;

    /// The same with normals: `out_normals[i]` is `normals[i]`, of unit length, turned by the
    /// blend of the handles at i.
    void pose(std::span<const Vec3> points, std::span<const Vec3> normals,
              std::span<const float> shares, std::span<Vec3> out,
              std::span<Vec3> out_normals) const;

    static constexpr int kLanes = 8;
    static constexpr int kMostPoses = Rig::kMostPoses;

private:
    using Lanes = std::array<float, kLanes>;
    /// A handle of a block, and twice how much each of the eight points follows it: a turn is twice
    /// what its quaternion says.
    struct Part {
        std::int32_t handle = 0;
        Lanes twice_weight{};
    };
    /// Eight points: their handles are `parts_[first_part]` up to the next block's.
    struct Block {
        std::int32_t first_part = 0;
        std::int32_t points = kLanes;  ///< Fewer in the last.
    };
    struct Job;
    struct LivePoses;
    struct Floats3;
    struct TurnSum;
    std::size_t block_count() const { return index_.size() / kLanes; }
    std::vector<std::int32_t> block_handles(const SkinWeights& weights, std::size_t block) const;
    void add_block(const Rig& rig, std::size_t block);
    static Floats3 load_places(const std::int32_t* index, std::span<const Vec3> points,
                               const Vec3& from);
    template <bool kNormals>
    Floats3 offsets(std::size_t block, const LivePoses& live, const Floats3& u,
                    TurnSum& turns) const;
    template <bool kNormals>
    void pose_block(std::size_t block, const Job& job) const;
    void prefetch(std::size_t block, const Job& job) const;
    template <bool kNormals>
    void pose_blocks(const Job& job) const;

    std::size_t point_count_ = 0, pose_count_ = 0;
    Vec3 middle_ = Vec3::Zero();
    std::vector<std::int32_t> index_;  ///< The points, eight by eight; the last again, to fill up.
    std::vector<Block> blocks_;        ///< And one more, behind the last.
    std::vector<Part> parts_;          ///< And one more, behind the last: looked at, never used.
    std::vector<std::array<float, 3>> place_;  ///< Of each handle, from `middle_`.
    /// Handle by handle, pose by pose: a quaternion w, x, y, z, less that of no turn.
    std::vector<std::array<float, 4>> turns_;
    /// Block by block, pose by pose: x, y, z of what the handles' moves come to at each point.
    std::vector<std::array<Lanes, 3>> moves_;
};

}  // namespace ductile
