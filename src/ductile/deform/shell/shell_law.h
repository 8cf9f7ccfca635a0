// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/dent/dent_law.h>

#include <span>
#include <vector>

namespace ductile {

/// A place of a sheet on a striker's way.
struct SweptPlace {
    double gap = 0.0;     ///< How far the striker has to go until it meets it [m].
    double facing = 0.0;  ///< Area around it, seen along the way [m^2].
    double along = 0.0;   ///< Area around it that lies along the way [m^2].
};

/// What a sheet costs that is crushed.
struct CrushStrength {
    SheetStrength sheet;      ///< Thickness, yield stress, span between supports.
    double panel = 0.5;       ///< Width of the panels that fold [m], > 0.
    double smoothing = 0.01;  ///< Way over which a place comes to be crushed [m], > 0.
};

/// Energy that a sheet takes up per area crushed along itself [J/m^2]: creases one behind the other
/// in panels of a width (Abramowicz and Wierzbicki 1989: a square tube of width b crushes under
/// 13.06 s t^2 (b/t)^(1/3), over its four panels).
double fold_energy(double yield_stress, double thickness, double panel);

/// What pressing a striker in costs, and how deep a given energy takes it.
struct CrushDepth {
    double depth = 0.0;       ///< What stays [m].
    double work = 0.0;        ///< What that took [J].
    bool is_limited = false;  ///< The limit, not the energy, decided.
};

/// The sheet bends where it faces the striker, as long as it is wider than what presses on it, and
/// folds where it lies along the way. Continuous and never falling in the energy.
CrushDepth crush_depth(std::span<const SweptPlace> places, const CrushStrength& strength,
                       double energy, double limit);

}  // namespace ductile
