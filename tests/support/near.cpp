// SPDX-License-Identifier: MIT
#include "near.h"

#include <cmath>
#include <limits>
#include <ostream>

namespace ductile::test {

Closeness::operator bool() const {
    return std::isfinite(allowed) && std::abs(value - reference) <= allowed;
}

std::ostream& operator<<(std::ostream& out, const Closeness& closeness) {
    const auto digits = out.precision(std::numeric_limits<double>::max_digits10);
    out << closeness.value << " to be " << closeness.reference << " +- ";
    out.precision(3);
    out << closeness.allowed << ", is off by " << std::abs(closeness.value - closeness.reference);
    out.precision(digits);
    return out;
}

Closeness near(double value, double reference, double relative) {
    const double allowed =
        relative < 1.0 ? relative * std::abs(reference) : std::numeric_limits<double>::quiet_NaN();
    return {value, reference, allowed};
}

Closeness within(double value, double reference, double allowed) {
    return {value, reference, allowed};
}

}  // namespace ductile::test
