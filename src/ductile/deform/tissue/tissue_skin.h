// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/tissue_body.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A surface carried by the particles of a coat, by their positions and orientations.
class TissueSkin {
public:
    /// Binds points, at rest in the bone's frame, to the particles nearest to each.
    TissueSkin(std::span<const Vec3> points, const TissueRig& rig);

    /// Where the points are, in the frame of the bone at `bone_pose`. At rest they are where they
    /// were bound, to rounding.
    std::vector<Vec3> points(const TissueBody& coat, const Transform& bone_pose) const;

private:
    static constexpr std::size_t kCarriers = 8;
    struct Binding {
        std::array<std::int32_t, kCarriers> particles{};
        std::array<double, kCarriers> shares{};  ///< Sum to one.
    };
    std::vector<Vec3> rest_;
    std::vector<Binding> bindings_;
};

/// How far particles are from their own bone at rest, and how deep they reach into it: `bone_ways`
/// and `bone_gaps` of the rig.
void set_bone_gaps(const RigidQueries& bodies, BodyId bone, TissueRig& rig);

}  // namespace ductile
