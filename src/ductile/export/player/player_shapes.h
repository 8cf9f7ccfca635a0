// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/export/player/player_mesh.h>
#include <ductile/record/recording.h>
#include <ductile/skin/render_skin.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ductile {

/// Every so many shapes one is told from rest; those between, from the one before. So any shape is
/// a short way from one that stands for itself.
inline constexpr std::size_t kPlayerKeyInterval = 16;

/// The shapes that one body shows, as the player reads them.
struct PlayerShapes {
    /// Frame from which on, and which of `codes` (-1: the asset at rest). Only changes.
    std::vector<std::pair<std::size_t, std::int32_t>> changes;
    std::vector<std::string> codes;  ///< In the order in which they are first shown.
    double step = 0.0;               ///< What a code's whole numbers count [m].
    double reach = 0.0;              ///< How far the furthest place is ever from rest [m].
};

/// Codes the moves from rest of a body's places, rounded to whole steps.
///
/// No place of any shape is further than `error` [m] from where the skin puts it, float rounding of
/// the rest shape aside; differences between shapes are whole numbers, so nothing adds up. A code:
/// the count of runs; of each run how many places are skipped and how many follow; then, for x, y
/// and z, the number of each place in a run less that of the place before it. Numbers as in
/// player_bytes.h; gaps that are shorter than a run costs are filled with zeros.
/// Requires: check_recording is content; the skin and places of the body's asset; error > 0.
/// Error: a place so far from rest that its steps fit into no 32 bits. O(shapes x vertices).
Result<PlayerShapes> code_shapes(const Recording& recording, std::size_t body,
                                 const RenderSkin& skin, const VertexPlaces& places, double error);

}  // namespace ductile
