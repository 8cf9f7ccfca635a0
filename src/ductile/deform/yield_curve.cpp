// SPDX-License-Identifier: MIT
#include <ductile/deform/yield_curve.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr int kBisections = 50;
// Power of the force where a curve has one point only: that of a ball in a solid.
constexpr double kSolidPower = 2.0;

}  // namespace

double YieldCurve::energy(double force) const {
    if (points.empty() || !(force > 0)) return 0.0;
    auto upper = std::lower_bound(points.begin(), points.end(), force,
                                  [](const Point& p, double f) { return p.force < f; });
    if (points.size() == 1) {
        return points[0].energy * std::pow(force / points[0].force, kSolidPower);
    }
    upper = std::clamp(upper, points.begin() + 1, points.end() - 1);
    const Point &a = *(upper - 1), &b = *upper;
    const double power = std::log(b.energy / a.energy) / std::log(b.force / a.force);
    return a.energy * std::pow(force / a.force, power);
}

double share_of_energy(const YieldCurve& own, const YieldCurve& other, double energy) {
    if (own.points.empty()) return 0.0;
    if (other.points.empty() || !(energy > 0)) return 1.0;
    // Below the lower of the two forces both take up less than there is, above their sum more.
    double low = std::log(std::min(own.points.front().force, other.points.front().force)) - 30.0;
    double high = std::log(std::max(own.points.back().force, other.points.back().force)) + 30.0;
    for (int k = 0; k < kBisections; ++k) {
        const double middle = 0.5 * (low + high);
        const double force = std::exp(middle);
        (own.energy(force) + other.energy(force) < energy ? low : high) = middle;
    }
    const double force = std::exp(0.5 * (low + high));
    const double first = own.energy(force), second = other.energy(force);
    // Where a body gives way under a force that hardly rises, rounding decides: as much as there
    // is.
    return first + second > 0 ? first / (first + second) : 0.5;
}

}  // namespace ductile
