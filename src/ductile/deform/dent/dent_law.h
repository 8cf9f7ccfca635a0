// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/deform/dent/dent_map.h>
#include <ductile/deform/yield_curve.h>

#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// How the area and the volume that a striker takes up grow as it goes in: of any shape, from the
/// picture that is taken of it anyway.
class PressCurve {
public:
    /// Of what a striker presses in when it has come `distance` [m] beyond a plane; `profile` is
    /// its bare map. From `smooth_from` [m] on downwards the facets of its mesh are not to be
    /// trusted: there the volume goes on as the power of the depth that it has at that depth (1 for
    /// a face, 2 for a ball or an edge, 3 for a corner).
    PressCurve(const DentMap& profile, double distance, double smooth_from);
    /// Of a stamp, which takes up `area` [m^2] times the depth, however deep.
    explicit PressCurve(double area);

    /// The same striker in a hollow that it fits: it has pressed in the first `depth` [m] already,
    /// and goes on from there.
    PressCurve in_hollow(double depth) const;

    bool is_stamp() const { return volumes_.empty(); }
    double hollow() const { return hollow_; }  ///< How deep it stood before [m].
    double distance() const { return distance_ - hollow_; }
    /// Within the plane, `depth` being at most `distance()` [m^2].
    double area(double depth) const { return whole_area(hollow_ + depth); }
    double volume(double depth) const;  ///< What is new of it [m^3].
    /// The depth at which it takes up that area, or `distance()` if it does not.
    double depth_of_area(double area) const;

private:
    double whole_area(double depth) const;
    double whole_volume(double depth) const;

    double distance_ = kInfinity;
    double hollow_ = 0.0;
    double step_ = 0.0;
    std::vector<double> volumes_;  ///< At multiples of `step_`; empty for a stamp.
    double smooth_from_ = 0.0, exponent_ = 1.0, volume_there_ = 0.0;
    double stamp_area_ = 0.0;
};

/// A contact, as far as its material decides about depth.
struct ContactStrength {
    double hardness = 750e6;  ///< Of what is indented [Pa], > 0.
    double modulus = 230e9;   ///< Contact modulus E* of both bodies [Pa], > 0.
};

/// How a sheet is held at the edge of the part that gives.
enum class SheetEdge {
    Clamped,    ///< It can neither move nor turn there, as at a fold or where it goes on.
    Supported,  ///< It is held at its height, free to turn and to slide in.
};
inline std::span<const std::string_view> enum_names(SheetEdge) {
    static constexpr std::string_view names[] = {"clamped", "supported"};
    return names;
}

/// A sheet between its supports.
struct SheetStrength {
    double yield_stress = 250e6;    ///< [Pa]
    double youngs_modulus = 210e9;  ///< [Pa]
    double poissons_ratio = 0.3;
    double thickness = 0.001;  ///< [m], > 0.
    double span = 0.1;         ///< From the middle of the dent to where it is held [m], > 0.
    SheetEdge edge = SheetEdge::Clamped;
    double bent_in = 0.0;  ///< What earlier blows have left there [m].
};

/// What a blow of some energy does, beyond what was there.
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

/// A blow on a solid. The plastic work is hardness times the volume pressed in, raised by the rim
/// that carries, too; the rest of the energy is stored in the contact and comes back (Johnson,
/// Contact Mechanics, 11.5: for a ball e falls as v^-1/4). Nothing is pressed in up to where Hertz'
/// contact yields, nor in a hollow up to where that has been loaded before. Never falling in the
/// energy, never more work than energy.
DentDepth solid_dent(const PressCurve& press, const ContactStrength& contact, double energy);

/// A blow on a sheet: the striker's print and the sheet between its supports act in series, under
/// the same force; the weaker gives. One that is bent in already goes on from there.
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
