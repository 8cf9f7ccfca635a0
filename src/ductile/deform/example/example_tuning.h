// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace ductile {

/// What a run's impulses say about how soft a body should be.
struct ExampleTuning {
    std::size_t impacts = 0;    ///< How many there were.
    double hardest = 0.0;       ///< Impulse over mass of the hardest [m/s].
    double yield_speed = 0.75;  ///< For ExampleOptions: most impacts stay below it [m/s].
    double softness = 18.0;     ///< For ExampleOptions: the hardest comes to a whole pose [1/m].
};

/// From the impulse over mass of every impact [m/s], in any order. Without an impact that could do
/// anything: the usual options. `reference_time` as in ExampleOptions.
ExampleTuning suggest_tuning(std::span<const double> speeds, double reference_time);

}  // namespace ductile
