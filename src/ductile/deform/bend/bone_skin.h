// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/geom/rig.h>
#include <ductile/geom/skin_frame.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// How motions of bones are blended.
enum class BoneBlend : std::uint8_t {
    Linear,           ///< Of matrices: a sharp bend gets thin on its inner side.
    DualQuaternions,  ///< Of screw motions: keeps the thickness, bulges on the outer side.
};
inline std::span<const std::string_view> enum_names(BoneBlend) {
    static constexpr std::string_view names[] = {"linear", "dual_quaternions"};
    return names;
}

/// Motions of all bones of a skeleton (`bone_turns`), made ready to move a surface.
class BoneSkin {
public:
    /// Requires: unit rotations.
    BoneSkin(std::span<const Transform> turns, BoneBlend blend);

    /// Where the surroundings of a point go that follows the bones so: exactly as a bone does for
    /// what follows it alone, or where all bones of the point move alike, bit for bit.
    /// Requires: bones in range; a row of weights.
    SkinFrame frame(std::span<const std::int32_t> bones, std::span<const double> weights) const;

    /// Of every point. The same bits at any number of threads. O(weights).
    void frames(const SkinWeights& weights, std::span<SkinFrame> out) const;
    /// The same where only the places are asked for: `out[i]` is where `points[i]` goes.
    void points(const SkinWeights& weights, std::span<const Vec3> points,
                std::span<Vec3> out) const;

private:
    using Dual = Eigen::Matrix<double, 8, 1>;  ///< x, y, z, w of the real part, then of the other.
    bool is_moved_as_one(std::span<const std::int32_t> bones) const;
    SkinFrame linear(std::span<const std::int32_t> bones, std::span<const double> weights) const;
    SkinFrame screw(std::span<const std::int32_t> bones, std::span<const double> weights) const;

    BoneBlend blend_;
    std::vector<SkinFrame> frames_;
    std::vector<Dual> duals_;
    std::vector<std::int32_t> alike_;  ///< Per bone: the lowest that moves as it does.
};

}  // namespace ductile
