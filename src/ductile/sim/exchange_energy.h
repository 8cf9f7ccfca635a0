// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>
#include <ductile/sim/ledger.h>

#include <span>

namespace ductile {

/// Kinetic energy of some bodies together [J]; immovable ones have none.
double kinetic_energy(const Engine& engine, std::span<const BodyId> bodies);

/// Slows bodies that were exchanged for others until they have no more kinetic energy than `before`
/// [J]: all that moves against their common centre, which goes on as it did, by one share. Momentum
/// stays; of angular momentum as much goes as was too much energy. Returns what was taken [J]: 0
/// where they gained nothing beyond rounding.
double take_back_gain(Engine& engine, std::span<const BodyId> bodies, double before);

/// Books what an exchange of an object's bodies did to their energy, having taken back what it
/// added; true if that was more than masses of parts that are only about right.
bool book_exchange(Engine& engine, std::span<const BodyId> bodies, double before,
                   EnergyLedger& ledger);

}  // namespace ductile
