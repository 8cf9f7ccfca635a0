// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/deform/dent/press_curve.h>
#include <ductile/deform/dent/sheet_edge.h>
#include <ductile/deform/yield_curve.h>

namespace ductile {

/// A contact, as far as its material decides about depth.
struct ContactStrength {
    double hardness = 750e6;  ///< Of what is indented, where it has just begun to flow [Pa], > 0.
    double modulus = 230e9;   ///< Contact modulus E* of both bodies [Pa], > 0.
    /// The power of the strain that its flow stress rises with (Swift's law), 0: not at all.
    double hardening = 0.0;
    double strain_scale = 0.0;  ///< Young's modulus over yield stress; asked for where it hardens.
};

/// A sheet between its supports.
struct SheetStrength {
    double yield_stress = 250e6;    ///< [Pa]
    double youngs_modulus = 210e9;  ///< [Pa]
    double poissons_ratio = 0.3;
    double thickness = 0.001;  ///< [m], > 0.
    double span = 0.1;         ///< From the middle of the dent to where it is held [m], > 0.
    SheetEdge edge = SheetEdge::Clamped;
    double bent_in = 0.0;  ///< What earlier impacts have left there [m].
};

/// What an impact of some energy does, beyond what was there.
struct DentDepth {
    double print = 0.0;        ///< How deep the striker's own shape stays pressed in [m].
    double flattening = 1.0;   ///< How much deeper the striker's shape is that it has the width of.
    double rim = 0.0;          ///< Height of the rim around it, over its depth.
    double basin = 0.0;        ///< How deep a sheet stays bent around it [m].
    double tip_radius = 0.0;   ///< Of a ball that is as blunt as the striker's tip [m].
    double work = 0.0;         ///< What that took [J].
    double restitution = 1.0;  ///< Share of the speed that comes back, in [0, 1].

    double depth() const { return print + basin; }
};

/// An impact on a solid. The plastic work is hardness times the volume pressed in, raised by the
/// rim that carries, too; the rest of the energy is stored in the contact and comes back (Johnson,
/// Contact Mechanics, 11.5: for a ball e falls as v^-1/4). Nothing is pressed in up to where Hertz'
/// contact yields, nor in a hollow up to where that has been loaded before. Never falling in the
/// energy, never more work than energy.
DentDepth solid_dent(const PressCurve& press, const ContactStrength& contact, double energy);

/// An impact on a sheet: the striker's print and the sheet between its supports act in series,
/// under the same force; the weaker gives. One that is bent in already goes on from there.
DentDepth sheet_dent(const PressCurve& press, const ContactStrength& contact,
                     const SheetStrength& sheet, double energy);

/// Force that bends a sheet in by `depth` [m] in its middle, where a striker touches it over
/// `print_radius` [N]. Rises with the depth.
double sheet_force(const SheetStrength& sheet, double depth, double print_radius);
/// What of that depth stays when the force is gone [m].
double sheet_depth_left(const SheetStrength& sheet, double depth, double print_radius);

/// Depth left of a sheet that took up some energy from a point [m].
double sheet_depth_of(const SheetStrength& sheet, double energy);

/// Of two prints under one force, that of the body of this hardness over what it would be in
/// something rigid: 1 for the softer one. The pressure is the softer one's hardness; under less
/// than its own a body is in the elastic-plastic transition, where the strain under the contact
/// falls by e for every 2/3 of the yield stress (Johnson, Contact Mechanics, eq. 6.33).
double print_share(double hardness, double other_hardness);
/// What bodies take up under a force from a ball of some radius [m], up to an energy [J]: a solid
/// F^2 / (4 pi R H) by the ball's print, of which it is given a share; a sheet that and what bends
/// it.
YieldCurve solid_yield_curve(double hardness, double print_share, double radius, double energy);
YieldCurve sheet_yield_curve(const SheetStrength& sheet, double hardness, double print_share,
                             double radius, double energy);

/// How a sheet lies around what bent it in: with rho the distance over the span, 1 - rho^power of
/// its depth where it is supported, the square of that where it is clamped.
struct BasinShape {
    double span = 0.1;  ///< [m]
    double power = 1.0;
    SheetEdge edge = SheetEdge::Clamped;

    /// Of the depth, at a distance from the middle: 1 to 0, nothing beyond the span.
    double share(double distance) const;
    /// The distance at which it has that share of the depth [m].
    double radius(double share) const;
};
BasinShape basin_shape(const SheetStrength& sheet, double depth, double tip_radius);

}  // namespace ductile
