// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/kinds.h>

#include <cstdint>

namespace ductile {

inline constexpr Field kHitTimeField{"time", "s", -1e9, 1e9, "from when on it acts"};
inline constexpr Field kHitDurationField{"duration", "s", 0.0, 1e9,
                                         "how long it takes to come to its full amount"};

/// One entry of a body's damage journal.
struct Hit {
    std::int64_t id = 0;    ///< Unique within a journal, ascending.
    double time = 0.0;      ///< From when on it acts [s].
    double duration = 0.0;  ///< How long it takes to come to its full amount [s], >= 0.
    HitRecord record;

    /// How much of it acts at time t, in [0, 1]: never falls with time.
    double amount(double t) const;
};

/// Whether a journal can hold the hit, so that what is written can be read; brings its directions
/// to unit length. Error: what lies outside its range or has no sense.
Status check_hit(Hit& hit);

}  // namespace ductile
