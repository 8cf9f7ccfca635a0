// SPDX-License-Identifier: MIT
#include <ductile/core/smooth_step.h>
#include <ductile/deform/hit.h>

namespace ductile {

double Hit::amount(double t) const {
    if (t < time) return 0.0;
    // A duration that is lost in the time's last digits is none.
    return t < time + duration ? smooth_step((t - time) / duration) : 1.0;
}

}  // namespace ductile
