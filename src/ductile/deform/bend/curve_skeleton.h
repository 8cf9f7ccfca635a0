// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/deform/bend/skeleton.h>
#include <ductile/geom/tet_lattice.h>

namespace ductile {

/// How a skeleton is found.
struct CurveSkeletonOptions {
    /// A branch shorter than this share of the body's length is no bone of its own.
    double least_branch = 0.12;
    /// Bones stay within this share of the body's length of its middle line.
    double straightness = 0.06;
};

/// A skeleton along the middle of a body: its lattice is cut into slices of equal distance from one
/// of its ends, through the body, and the middles of connected slices are strung together; short
/// branches go, and what is nearly straight becomes one bone. A bar is one bone, a ring a loop of
/// them. Bones are called `bone1`, `bone2` ... from the end that is furthest from all others.
/// Of several parts of a lattice, the largest counts. Same input, same bits. O(nodes log nodes).
/// Error: a lattice too coarse to tell a line.
Result<Skeleton> curve_skeleton(const TetLattice& lattice,
                                const CurveSkeletonOptions& options = {});

}  // namespace ductile
