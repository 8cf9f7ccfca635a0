// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/kinds.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace ductile {

inline constexpr Field kHitTimeField{"time", "s", -1e9, 1e9, "from when on it acts"};
inline constexpr Field kHitDurationField{"duration", "s", 0.0, 1e9,
                                         "how long it takes to come to its full amount"};

/// How a hit comes to its full amount.
enum class HitGrowth {
    Smooth,    ///< Without a jerk at either end.
    Stopping,  ///< At full speed from the start, evenly slowed down to rest: as what strikes.
    Fading,    ///< Fast at first, then ever slower (exponentially), in eighths: a body is made anew
               ///< so many times at most.
    Recorded,  ///< All of it at once: what its record says of every moment until it is over.
};
inline std::span<const std::string_view> enum_names(HitGrowth) {
    static constexpr std::string_view names[] = {"smooth", "stopping", "fading", "recorded"};
    return names;
}
inline constexpr Field kHitGrowthField{"growth", "", 0, 0, "how it comes to its full amount"};

/// Share of its way that what is evenly slowed down to rest has gone after a share of the time.
inline double stopping_share(double time_share) {
    const double left = std::clamp(1.0 - time_share, 0.0, 1.0);
    return 1.0 - left * left;
}

/// Share that has come of what fades in exponentially, all but a thousandth of it within the time;
/// rounded to eighths.
double fading_share(double time_share);

/// One entry of a body's damage journal.
struct Hit {
    std::int64_t id = 0;    ///< Unique within a journal, ascending.
    double time = 0.0;      ///< From when on it acts [s].
    double duration = 0.0;  ///< How long it takes to come to its full amount [s], >= 0.
    HitRecord record;
    HitGrowth growth = HitGrowth::Smooth;

    /// How much of it acts at time t, in [0, 1]: never falls with time.
    double amount(double t) const;
};

/// Whether a journal can hold the hit, so that what is written can be read; brings its directions
/// to unit length. Error: what lies outside its range or has no sense.
Status check_hit(Hit& hit);

}  // namespace ductile
