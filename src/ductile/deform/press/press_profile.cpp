// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/math.h>
#include <ductile/deform/press/press_profile.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr std::array<double, 10> kKnots = {0, 0, 0, 0, 1.0 / 3.0, 2.0 / 3.0, 1, 1, 1, 1};
// How long the leg from control point 0 to 1 is, in a canonical profile of amplitude 1: the seed's.
constexpr double kLeg = 0.2;

}  // namespace

Status check(const PressOptions& options) {
    PressOptions copy = options;
    Status status;
    visit_fields(copy, [&](const Field& field, double value) {
        if (status.ok() && !(value >= field.min && value <= field.max)) {
            status = Error{"the value is out of range", std::string(field.name), ""};
        }
    });
    if (!status) return status;
    if (!(options.v2 <= options.v3)) return Error{"v3 must be at least v2", "v3", ""};
    if (!(options.v3 <= options.v4)) return Error{"v4 must be at least v3", "v4", ""};
    return {};
}

std::array<double, 6> spline_basis(double t) {
    t = std::clamp(t, 0.0, 1.0);
    const int span = t < kKnots[4] ? 3 : t < kKnots[5] ? 4 : 5;
    // Cox and de Boor's triangle: only four functions are not zero, from span - 3 on.
    std::array<double, 4> n = {1, 0, 0, 0};
    for (int degree = 1; degree <= 3; ++degree) {
        double carried = 0.0;
        for (int r = 0; r < degree; ++r) {
            const double right = kKnots[span + 1 + r] - t, left = t - kKnots[span + 1 - degree + r];
            const double part = n[r] / (right + left);
            n[r] = carried + right * part;
            carried = left * part;
        }
        n[degree] = carried;
    }
    std::array<double, 6> basis = {};
    for (int r = 0; r < 4; ++r) basis[span - 3 + r] = n[r];
    return basis;
}

PressProfile::PressProfile(double amplitude, double slope, const PressOptions& options) {
    DUCTILE_ASSERT(amplitude >= 0 && std::isfinite(slope), "an amplitude >= 0, a finite slope");
    // atan2, not atan of the ratio: an amplitude of 0 then has its limit, not a NaN.
    const double angle = amplitude > 0 || slope != 0 ? std::atan2(slope, amplitude) : 0.0;
    x_ = {0, kLeg * std::max(std::cos(angle), 0.0), options.v2, options.v3, options.v4, 1};
    y_ = {-amplitude, amplitude * (kLeg * std::sin(angle) - 1.0), 0, 0, 0, 0};
}

double PressProfile::abscissa(double t) const {
    const std::array<double, 6> basis = spline_basis(t);
    double x = 0.0;
    for (int k = 0; k < 6; ++k) x += basis[k] * x_[k];
    return x;
}

double PressProfile::parameter_at(double u) const {
    if (!(u > 0)) return 0.0;
    if (!(u < 1)) return 1.0;
    // False position, with a bisection wherever it stalls: cannot leave the bracket.
    double low = 0.0, high = 1.0, below = -u, above = 1.0 - u;
    for (int i = 0; i < 200 && high - low > 1e-16; ++i) {
        double t = low - below * (high - low) / (above - below);
        if (i % 2 == 1 || !(t > low && t < high)) t = 0.5 * (low + high);
        const double error = abscissa(t) - u;
        if (std::abs(error) < 1e-14) return t;
        (error < 0 ? low : high) = t;
        (error < 0 ? below : above) = error;
    }
    return 0.5 * (low + high);
}

PressProfile::Displacement PressProfile::at(double u) const {
    const std::array<double, 6> basis = spline_basis(parameter_at(u));
    Displacement d;
    for (int k = 0; k < 6; ++k) d.still += basis[k] * y_[k];
    d.bulging = basis[2];
    return d;
}

}  // namespace ductile
