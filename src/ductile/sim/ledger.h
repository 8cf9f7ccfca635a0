// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>
#include <ductile/record/energy_balance.h>

#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// What a layer was offered.
struct LayerEnergy {
    std::string layer;  ///< Its name.
    /// Energy of the approaches that it answered, by its share of each [J].
    double energy = 0.0;
    double work = 0.0;  ///< What of it the layer's records took [J].
};

/// The energy balance as the simulation keeps it.
struct EnergyLedger : EnergyBalance {
    std::vector<LayerEnergy> layers;  ///< In the order in which they first answered.
    /// What rebounds, moves, reshapes, splits, merges and live layers would have added and were not
    /// let [J], >= 0. No part of the balance: the bodies never had it.
    double withheld = 0.0;

    void add_layer(std::string_view layer, double energy, double work);
    /// Books one step of the engine.
    void book(const EnergyMarks& marks, bool is_first);
};

}  // namespace ductile
