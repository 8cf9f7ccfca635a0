// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/language.h>

namespace ductile {

/// Where the kinetic energy went [J]. Each entry is measured on its own; that they add up to what
/// the bodies have now is a check, not a definition.
struct EnergyBalance {
    double start = 0.0;        ///< When the first step began.
    double forces = 0.0;       ///< Work of gravity and other forces, damping included.
    double dissipated = 0.0;   ///< Lost in contacts and joints, >= 0.
    double gained = 0.0;       ///< Made by the solver out of nothing (it happens), >= 0.
    double integration = 0.0;  ///< Made or lost by turning bodies at constant spin.
    double reshape = 0.0;      ///< By changed inertia at constant momentum.
    double outside = 0.0;  ///< Between steps: bodies added, removed, pushed, woken or put to sleep.
    double now = 0.0;      ///< Measured when the last step ended, reshapes included.

    /// now minus what the other entries say it should be.
    double gap() const {
        return now - (start + forces - dissipated + gained + integration + reshape + outside);
    }
};

/// Calls visit(name, value) for each entry, in the order above: reports and tables name them so.
template <class Visitor>
void visit_entries(const EnergyBalance& balance, Visitor&& visit) {
    visit("start", balance.start);
    visit("forces", balance.forces);
    visit("dissipated", balance.dissipated);
    visit("gained", balance.gained);
    visit("integration", balance.integration);
    visit("reshape", balance.reshape);
    visit("outside", balance.outside);
    visit("now", balance.now);
    visit("gap", balance.gap());
}

}  // namespace ductile
