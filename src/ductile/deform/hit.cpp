// SPDX-License-Identifier: MIT
#include <ductile/core/field_ranges.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/hit.h>

#include <string>

namespace ductile {

double Hit::amount(double t) const {
    if (t < time) return 0.0;
    // A duration that is lost in the time's last digits is none.
    if (!(t < time + duration)) return 1.0;
    const double share = (t - time) / duration;
    return growth == HitGrowth::Stopping ? stopping_share(share) : smooth_step(share);
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
