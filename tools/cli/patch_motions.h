// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/recording.h>

#include "filmed_body.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ductile::cli {

/// How a patch of a metal shell moved in its body: the rigid motion that fits its points best
/// (figure 2 of Dong et al. 2011).
struct PatchMotion {
    std::int32_t patch = 0;
    Vec3 middle_b = Vec3::Zero();  ///< At rest [m].
    Vec3 shift_b = Vec3::Zero();   ///< Of its middle [m].
    Vec3 turn_b = Vec3::Zero();    ///< Axis times angle [rad].
    bool has_moved = false;        ///< By more than can be seen.
};

/// Of all patches, by the last frame. Error: a body without the layer `shell`.
Result<std::vector<PatchMotion>> patch_motions(const FilmedBody& filmed);

/// The body as it ended, standing on the ground: patches that moved in colours of their own, the
/// others, and where those that moved were, of glass; an arrow per shift, an arc per turn.
/// Requires: motions of this body.
Recording draw_patch_motions(const FilmedBody& filmed, std::span<const PatchMotion> motions);

}  // namespace ductile::cli
