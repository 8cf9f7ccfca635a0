// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/rig.h>
#include <ductile/geom/skin_frame.h>

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ductile {

/// Where the surroundings of a rig's point go: x = u + sum over b of W_b ((R_b - I) (u - c_b) +
/// t_b), with c_b the place of handle b, t_b its moves blended linearly, R_b its turns blended by
/// QLERP: unit quaternions, each of the sign nearer to no turn, added up and normalised (Kavan and
/// Zara 2005). `shares` has one per pose, >= 0, their sum <= 1; what is left to 1 is the rest
/// pose's, so that all zero is at rest: a row of Jones et al.'s E without its first column. In
/// double precision; exactly the identity at rest.
SkinFrame blend_frame(const Rig& rig, std::size_t point, std::span<const double> shares);

/// `blend_frame` for a rig that is asked about many points again and again: the same bits. What
/// does not hang on the shares is kept: the turns, and what each pose's moves come to at each
/// point. Handles that turn in no pose cost nothing.
class BlendFrames {
public:
    BlendFrames() = default;
    /// O(weights x poses).
    explicit BlendFrames(const Rig& rig);

    SkinFrame frame(std::size_t point, std::span<const double> shares) const;

    struct PointShares {
        std::size_t point = 0;
        std::span<const double> shares;
    };
    /// `frame` of two points side by side: the same bits, in half the time where points follow the
    /// same handles.
    std::pair<SkinFrame, SkinFrame> two_frames(const PointShares& a, const PointShares& b) const;

private:
    /// A handle that a point follows and that turns in some pose.
    struct Turning {
        std::int32_t handle = 0;
        double weight = 0.0;
    };
    const std::array<double, 4>* turns_of(std::int32_t handle) const {
        return &turns_[static_cast<std::size_t>(handle) * pose_count_];
    }

    std::size_t pose_count_ = 0;
    std::vector<Vec3> places_;                  ///< Of the handles.
    std::vector<std::array<double, 4>> turns_;  ///< Handle by handle, pose by pose.
    std::vector<Vec3> moves_;                   ///< Point by point, pose by pose.
    std::vector<std::int32_t> start_ = {0};     ///< Of each point's in `turning_`.
    std::vector<Turning> turning_;
};

}  // namespace ductile
