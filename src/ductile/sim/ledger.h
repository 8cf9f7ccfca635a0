// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>
#include <ductile/record/energy_balance.h>

namespace ductile {

/// The energy balance as the simulation keeps it.
struct EnergyLedger : EnergyBalance {
    /// Books one step of the engine.
    void book(const EnergyMarks& marks, bool is_first);
};

}  // namespace ductile
