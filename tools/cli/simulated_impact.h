// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/dent/dent_options.h>
#include <ductile/material/material.h>

namespace ductile::cli {

/// A rigid ball that strikes a block, or a box of sheet, at 240 steps per second.
struct BallImpact {
    double radius = 0.05;    ///< [m]
    double energy = 100.0;   ///< [J]
    double thickness = 0.0;  ///< Of a box of sheet [m]; 0: a block.
    Material material{};     ///< Of what is struck.
    DentOptions options{};
};

/// What came of it.
struct BallImpactResult {
    double depth = 0.0;    ///< Of its dents in the journal [m].
    double rebound = 0.0;  ///< Share of the speed that came back.
    double work = 0.0;     ///< What the ledger charges to the dents, of the energy.
};

/// Runs it through Bullet, from end to end. Error: what a body of that shape may not be.
Result<BallImpactResult> simulate(const BallImpact& impact);

}  // namespace ductile::cli
