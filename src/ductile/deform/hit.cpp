// SPDX-License-Identifier: MIT
#include <ductile/core/field_ranges.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/hit.h>

#include <cmath>
#include <string>

namespace ductile {

double Hit::amount(double t) const {
    if (t < time) return 0.0;
    // A duration that is lost in the time's last digits is none.
    if (growth == HitGrowth::Recorded || !(t < time + duration)) return 1.0;
    const double share = (t - time) / duration;
    if (growth == HitGrowth::Fading) return fading_share(share);
    return growth == HitGrowth::Stopping ? stopping_share(share) : smooth_step(share);
}

double fading_share(double time_share) {
    constexpr double kTimes = 7.0;   // of the exponential's, until a thousandth is left
    constexpr double kLevels = 8.0;  // more would not be seen, and each costs an update of the body
    const double gone = -std::expm1(-kTimes * std::clamp(time_share, 0.0, 1.0));
    return std::round(kLevels * gone) / kLevels;
}

Status check_hit(Hit& hit) {
    if (Status fine = check_range(kHitTimeField, hit.time); !fine) return fine;
    if (Status fine = check_range(kHitDurationField, hit.duration); !fine) return fine;
    const Status fine = check_record(hit.record);
    if (fine) return {};
    const std::string kind(record_name(hit.record));
    return Error{fine.error().what, "/" + kind + fine.error().where, fine.error().hint};
}

}  // namespace ductile
