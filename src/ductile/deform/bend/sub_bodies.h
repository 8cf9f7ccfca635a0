// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/pieces/pieces.h>
#include <ductile/geom/rig.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// The bone that each triangle belongs to: that of the largest weight, summed over its corners; the
/// lowest of several. Requires: a row per point. O(weights).
std::vector<std::int32_t> triangle_bones(std::span<const Triangle> triangles,
                                         const SkinWeights& weights);

/// A place where two groups are held together, as the body lies now.
struct SeamJoint {
    Vec3 place = Vec3::Zero();  ///< [m], the body's frame.
    std::int32_t a = 0, b = 0;  ///< The groups.
};

/// A body that falls into groups of triangles, as it lies now.
struct GroupedSurface {
    std::span<const Vec3> points;  ///< [m], the body's frame.
    std::span<const Triangle> triangles;
    std::span<const Triangle> neighbours;  ///< `face_neighbours(triangles)`, made once.
    std::span<const std::int32_t> group;   ///< Per triangle.
    std::int32_t group_count = 0;
    MassModel model{};
    std::span<const std::uint8_t> is_sheet = {};  ///< Per triangle, as `mass_properties` has it.
    std::span<const SeamJoint> joints = {};
};

/// Masses of all groups of a body. They sum up to the whole's: mass, centre and inertia, to
/// rounding.
struct GroupMasses {
    std::vector<MassProperties> groups;
    MassProperties whole;
    /// How much of every group's mass was taken from the whole's, spread alike over all by area,
    /// since a group was no body without; 0: nothing was.
    double mixed = 0.0;
    std::vector<std::string> notes;  ///< What did not go as it should, in words.
};

/// Solid groups are closed by fans: each connected seam between groups has one point, the nearest
/// joint of two groups that meet there (without one its middle), from which triangles reach its
/// edges. What a fan adds to one group it takes from the other, however the body is bent. Sheets
/// need none. A group that is no body so (negative, or its centre outside of it) gets seams closed
/// at their middles; if that is not enough, shares of the whole are mixed in, as few as it takes.
/// Error: a group without a triangle, or a whole that has no mass (`mass_properties`). O(triangles)
Result<GroupMasses> group_masses(const GroupedSurface& surface);

/// The pieces that each group collides with: those of the cut, and where one is astride, what it
/// falls into down the tree; a leaf that still is goes to the group with most of its area, the
/// lowest of several. Per group, ascending; a small group may have none.
/// Requires: points and triangles of the tree's mesh. O(faces x depth of the tree).
std::vector<std::vector<std::int32_t>> group_pieces(const PieceTree& tree, const PieceCut& cut,
                                                    const GroupedSurface& surface);

}  // namespace ductile
