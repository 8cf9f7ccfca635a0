// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/bend/sub_bodies.h>
#include <ductile/sim/articulation.h>

#include <string>
#include <vector>

namespace ductile {

/// The bodies that a skeleton falls into where its awake joints part it.
struct BodyDivision {
    BoneGroups bones;                     ///< All bones that stand fast are in one group.
    std::vector<std::int32_t> triangles;  ///< Group of each.
    std::vector<MassProperties> masses;   ///< In the frame of the object as it fell awake.
    std::vector<std::vector<std::int32_t>> pieces;
    std::vector<std::string> notes;  ///< What did not go as it should, in words.
};

/// An object as it lay when it fell awake.
struct WokenBody {
    std::span<const Vec3> points;  ///< Of its surface.
    std::vector<Transform> turns;  ///< Of each bone.
};

/// Divides an object as it lies now. Masses are those of the surface that it fell awake with: a
/// skin that is bent further has another volume, while what each group is made of stays.
/// Error: as `group_masses`.
Result<BodyDivision> divide_body(const BentBody& body, const JointedBody& skeleton,
                                 std::span<const std::uint8_t> is_awake, const WokenBody& woken);

/// A group's collider, in the frame that `by` takes the object's to. One without a piece of its own
/// gets all of its points.
std::vector<ColliderPiece> part_colliders(const BentBody& body, const BodyDivision& parts,
                                          std::int32_t group, const Transform& by);

/// The collider of all of it, in its own frame.
std::vector<ColliderPiece> whole_colliders(const BentBody& body);

std::vector<std::int32_t> piece_ids(std::span<const ColliderPiece> pieces);

}  // namespace ductile
