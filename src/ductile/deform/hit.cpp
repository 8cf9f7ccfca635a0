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
    return duration > 0 ? eased((t - time) / duration) : 1.0;
}

}  // namespace ductile
