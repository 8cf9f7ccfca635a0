// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/rig.h>
#include <ductile/geom/skin_frame.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// Shares that a point has of a rig's poses: one each, >= 0, their sum <= 1. What is left to 1 is
/// the share of the rest pose, so that all zero is at rest. Seed 001's matrix E without its first
/// column.

/// Where the surroundings of a rig's point go: x = u + sum over b of W_b ((R_b - I) (u - c_b) +
/// t_b), with c_b the place of handle b, t_b its moves blended linearly, R_b its turns blended by
/// QLERP: unit quaternions, each of the sign nearer to no turn, added up and normalised (Kavan and
/// Zara 2005). In double precision; exactly the identity at rest. Requires: a share per pose.
SkinFrame blend_frame(const Rig& rig, std::size_t point, std::span<const double> shares);

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

    std::size_t point_count() const { return index_.size(); }
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

private:
    using Lanes = std::array<float, kLanes>;
    /// Eight points: their handles are entries first .. end of `handle_` and `weight_`.
    struct Block {
        std::int32_t first = 0, end = 0;
    };
    /// What a pose does to a handle: a quaternion less the identity's, and a move.
    struct HandleMove {
        std::array<float, 4> turn;
        std::array<float, 3> move;
    };
    struct BlockWork;
    template <bool kNormals>
    void pose_block(std::size_t block, const BlockWork& work) const;

    std::size_t pose_count_ = 0;
    Vec3 middle_ = Vec3::Zero();
    std::vector<std::int32_t> index_;  ///< The points, eight by eight; the last block may be short.
    std::vector<Block> blocks_;
    std::vector<std::int32_t> handle_;
    std::vector<Lanes> weight_;
    std::vector<std::array<float, 3>> place_;  ///< Of each handle, from `middle_`.
    std::vector<HandleMove> moves_;            ///< Handle by handle, a row of poses each.
};

}  // namespace ductile
