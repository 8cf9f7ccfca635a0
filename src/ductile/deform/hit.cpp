// SPDX-License-Identifier: MIT
#include <ductile/deform/hit.h>

#include <algorithm>

namespace ductile {

double eased(double share) {
    const double s = std::clamp(share, 0.0, 1.0);
    return s * s * (3.0 - 2.0 * s);
}

double Hit::amount(double t) const {
    if (t < time) return 0.0;
    // A duration that is lost in the time's last digits is none.
    return t < time + duration ? eased((t - time) / duration) : 1.0;
}

}  // namespace ductile
