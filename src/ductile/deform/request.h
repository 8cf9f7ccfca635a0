// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

namespace ductile {

// What a layer wants of the engine, beside the records it writes. Carried out in one place
// (sim/simulation_requests.cpp), in the order of the impacts, after the journals are written: a hit
// that waits in the queue has no effect before it is written.

/// What went into the shape does not come back: the rebound of the impact is lowered.
struct LowerRebound {
    double share = 1.0;  ///< Of the restitution that is left, in [0, 1].
};

/// While a shape gives way the body bounces less, from whatever strikes it: its restitution falls
/// to a share of its own at once and comes back evenly.
struct LowerRestitution {
    double share = 1.0;     ///< In [0, 1].
    double recovery = 0.5;  ///< What comes back per second [1/s], >= 0.
};

/// Both bodies go on towards each other, into the room that the shape gives up, as it gives it up:
/// at the speed of the impact first, evenly slowed down to rest. Each by its share of the mass, so
/// that their common centre goes on as it did; what is held stays.
struct FollowShape {
    double distance = 0.0;  ///< Along the normal of the impact [m], >= 0.
};

/// A tie between two parts of a split body that gives way above its limits.
struct PartJoint {
    std::int32_t a = 0, b = 1;  ///< Which parts.
    Vec3 position_b = Vec3::Zero();
    double force_limit = std::numeric_limits<double>::infinity();   ///< Per axis [N].
    double moment_limit = std::numeric_limits<double>::infinity();  ///< Per axis [N m].
};

/// Lets the body move as several: every surface point belongs to a part, and each part becomes a
/// body of the engine. Together they stay one object, with one journal and one surface. A body that
/// is split already is joined first.
struct SplitBody {
    std::vector<std::int32_t> part_of_point;  ///< Per surface point, in [0, parts).
    std::vector<PartJoint> joints;
};

/// Makes the parts of a split body one again, with the sum of their momenta.
struct MergeBody {};

/// One list of what can be asked for.
using Request = std::variant<LowerRebound, LowerRestitution, FollowShape, SplitBody, MergeBody>;

}  // namespace ductile
