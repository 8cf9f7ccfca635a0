// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/bend/skeleton.h>
#include <ductile/geom/rig.h>
#include <ductile/geom/tet_lattice.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ductile {

/// How much each point of a surface follows each bone: bounded biharmonic weights on the lattice
/// (skin/bounded_weights.h). A bone holds the nodes along it and those within its radius; of those
/// near several, the nearest bone has it, and bones as near share it: where they meet. A ball comes
/// first within its radius. A bone outside the lattice holds the node nearest to its middle. One
/// bone alone has all of every point.
/// Error: a bone that holds no node for itself, or as `bounded_weights`.
Result<SkinWeights> bone_weights(const TetLattice& lattice, const Skeleton& skeleton,
                                 std::span<const Vec3> points);

/// All of every point for the first bone.
SkinWeights weights_of_one_bone(std::size_t point_count);

/// The weights after `split_bone` made `joint`: what a point has of the split bone is shared out
/// between its halves by a smooth step along it, over a length `blend` [m] about the joint. All
/// other entries stay, bit for bit. Requires: points at rest, a row each; blend > 0. O(weights).
SkinWeights split_weights(const SkinWeights& weights, std::span<const Vec3> points,
                          const Skeleton& skeleton, std::int32_t joint, double blend);

}  // namespace ductile
