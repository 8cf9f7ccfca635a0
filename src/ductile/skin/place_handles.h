// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/rig.h>
#include <ductile/geom/tet_lattice.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ductile {

/// Points that are spread over a lattice's surface, added to those that are given until there are
/// `count` in all: of the boundary's nodes, one of the closest pair goes again and again; of two,
/// the one further inside the lattice's box, given ones never (Jones et al. 2016, section 4). They
/// are called `auto1`, `auto2` ... and sit on nodes. Given ones are returned first, as they are.
/// Error: given handles that are not right, or more asked for than there are free nodes.
/// O(boundary nodes squared).
Result<std::vector<Handle>> add_automatic_handles(const TetLattice& lattice,
                                                  std::vector<Handle> given, std::size_t count,
                                                  std::span<const Triangle> cage_faces = {});

/// A node whose weights are given, and by which handles: one with weight 1, the two bones that meet
/// there, or the corners of a cage's face.
struct HeldNode {
    std::int32_t node = 0;
    std::vector<std::pair<std::int32_t, double>> weights;  ///< Handle and weight > 0; sum 1.
};

/// Which nodes handles hold, ascending by node. A point or cage corner holds the node nearest to
/// it; a bone the nodes along it, sharing the one where it meets another; a cage's face those next
/// to it, its corners' weights as its plane has them. Parts of a bone or face further than a cell
/// from the lattice hold nothing.
/// Error: two handles on one node (bones that meet apart), in words with both names.
Result<std::vector<HeldNode>> held_nodes(const TetLattice& lattice, std::span<const Handle> handles,
                                         std::span<const Triangle> cage_faces = {});

}  // namespace ductile
