// SPDX-License-Identifier: MIT
// Section 5.1 of Brunel et al. 2020: "artistic fine-tuning is not limited to such modulations".
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/bulge/press_relief.h>

#include <algorithm>
#include <cmath>

namespace ductile {

PressRelief::PressRelief(const PressOptions& options) : curve_(options.curve) {
    if (options.relief.empty()) return;
    if (Result<Expression> read = parse_expression(options.relief, kReliefVariables)) {
        formula_ = std::move(read.value());
    }
}

double PressRelief::drawn(double u) const {
    if (curve_.empty()) return 0.0;
    const double at = u * static_cast<double>(curve_.size() - 1);
    const auto before = std::min(static_cast<std::size_t>(at), curve_.size() - 1);
    const std::size_t after = std::min(before + 1, curve_.size() - 1);
    const double share = smooth_step(at - static_cast<double>(before));
    return (1.0 - share) * curve_[before] + share * curve_[after];
}

double PressRelief::at(double u, const Vec3& rest) const {
    if (!(u > 0) || !(u < 1)) return 0.0;
    double height = drawn(u);
    if (formula_) {
        const std::array<double, 4> values = {u, rest.x(), rest.y(), rest.z()};
        const double value = (*formula_)(values);
        if (std::isfinite(value)) height += std::clamp(value, -kMostRelief, kMostRelief);
    }
    return 16.0 * u * u * (1.0 - u) * (1.0 - u) * height;
}

}  // namespace ductile
