// SPDX-License-Identifier: MIT
#include <ductile/sim/ledger.h>

#include <algorithm>

namespace ductile {

void EnergyLedger::book(const EnergyMarks& marks, bool is_first) {
    if (is_first) {
        start = marks.before;
    } else {
        outside += marks.before - now;
    }
    forces += marks.forces;
    gained += marks.gained;
    dissipated += marks.gained - marks.contacts;
    integration += marks.integration;
    now = marks.after;
}

void EnergyLedger::add_layer(std::string_view layer, double energy, double work) {
    const auto known = std::find_if(layers.begin(), layers.end(),
                                    [&](const LayerEnergy& l) { return l.layer == layer; });
    if (known != layers.end()) {
        known->energy += energy;
        known->work += work;
    } else {
        layers.push_back({std::string(layer), energy, work});
    }
}

}  // namespace ductile
