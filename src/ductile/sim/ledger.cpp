// SPDX-License-Identifier: MIT
#include <ductile/sim/ledger.h>

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

}  // namespace ductile
