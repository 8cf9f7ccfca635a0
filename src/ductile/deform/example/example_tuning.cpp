// SPDX-License-Identifier: MIT
// Jones et al. 2016, section 4: alpha and beta are tuned by a run's largest impulses.
#include <ductile/deform/example/example_tuning.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace ductile {
namespace {

// Slower impacts are rest and rattle [m/s].
constexpr double kLeastImpact = 0.05;
// Half of the impacts stay without effect, but never those above this share of the hardest.
constexpr double kMostYield = 0.2;

}  // namespace

ExampleTuning suggest_tuning(std::span<const double> speeds, double reference_time) {
    std::vector<double> impacts;
    for (const double speed : speeds) {
        if (speed > kLeastImpact && std::isfinite(speed)) impacts.push_back(speed);
    }
    ExampleTuning out;
    if (impacts.empty()) return out;
    std::sort(impacts.begin(), impacts.end());
    out.impacts = impacts.size();
    out.hardest = impacts.back();
    out.yield_speed = std::min(impacts[(impacts.size() - 1) / 2], kMostYield * out.hardest);
    // A pose gains 1 where the rest pose loses 1: a change of length sqrt(2).
    out.softness = std::numbers::sqrt2 / (reference_time * (out.hardest - out.yield_speed));
    return out;
}

}  // namespace ductile
