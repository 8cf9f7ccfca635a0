// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/overlap/press_overlap.h>

#include <array>
#include <cstdint>
#include <vector>

namespace ductile {

/// A connected piece of the curve in which two surfaces meet, in order along it.
struct MeetingCurve {
    /// Crossings: c < of_first.size() is of_first[c], the others are those of of_second.
    std::vector<std::int32_t> crossings;
    bool is_closed = false;  ///< The last is followed by the first.
};

/// A straight piece of that curve: it lies in one triangle of either surface.
struct CurvePiece {
    std::int32_t soft_triangle = 0, rigid_triangle = 0;
    std::array<std::int32_t, 2> ends{};  ///< Crossings, numbered as above; the lower first.
};

/// All of them, by their triangles. Two triangles meet in one piece at most. A piece one of whose
/// ends is beyond a surface's border is left out. O(crossings log crossings).
std::vector<CurvePiece> curve_pieces(const PressSurface& soft, const PressSurface& rigid,
                                     const MeshCrossings& crossings);

/// Chains the crossings of two surfaces to curves, by their triangles alone: each piece of curve
/// lies in one triangle of either and ends where it leaves one of them. Closed but where a surface
/// has a border or more than two triangles share an edge. O(crossings log crossings).
std::vector<MeetingCurve> chain_crossings(const PressSurface& soft, const PressSurface& rigid,
                                          const MeshCrossings& crossings);

/// What curves and whole vertices bound together on one surface: parts of it that lie within, or
/// outside of, the other one. Parts smaller than a triangle count, too.
struct SideParts {
    std::vector<std::int32_t> of_curve;   ///< Per curve: the part that it bounds; -1 for none.
    std::vector<std::int32_t> of_vertex;  ///< Per vertex; -1 on the other side, or not reached.
    std::int32_t count = 0;
};

/// The parts of a surface that lie inside (or outside) and touch a curve. `crossings` are those of
/// its own edges, `curve_of` says on which curve each lies. O(vertices reached).
SideParts side_parts(const PressSurface& surface, std::span<const EdgeCrossing> crossings,
                     std::span<const std::int32_t> curve_of, std::int32_t curve_count,
                     std::span<const std::uint8_t> is_inside, bool wants_inside);

}  // namespace ductile
