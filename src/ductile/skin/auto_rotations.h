// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/rig.h>
#include <ductile/geom/vertex_graph.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// What an artist says of one handle of a pose; what is left out is found.
struct HandleGoal {
    std::optional<Vec3> move;  ///< From its place at rest [m].
    std::optional<Quat> turn;  ///< Unit length.
};

/// What is bent as stiffly as can be: points, which of them are neighbours, and the handles that
/// each follows. A lattice's nodes, or the points of a surface.
struct BentPoints {
    std::span<const Vec3> points;
    const VertexGraph& graph;
    const SkinWeights& weights;
};

/// How the search for rotations goes.
struct RotationOptions {
    std::int32_t groups_per_handle = 4;  ///< Points that turn as one, about so many per handle.
    std::int32_t most_iterations = 300;  ///< Of each of the two parts of the search.
    double change = 1e-6;  ///< It ends when no handle moves on by more, as a share of the size.
};

/// The turns (and where they are left open, moves) of all handles that bend a body least: as rigid
/// as possible, reduced to what its handles can do (fast automatic skinning transformations). What
/// the goals say is kept to the bit. Handles that follow no goal and nothing that moves stay.
/// Goals that are one rigid motion of all handles give that motion.
/// Error: a goal that is not finite, a number of goals other than handles'. Same input, same bits.
Result<RigPose> automatic_rotations(const BentPoints& bent, std::span<const Handle> handles,
                                    std::span<const HandleGoal> goals,
                                    const RotationOptions& options = {});

}  // namespace ductile
