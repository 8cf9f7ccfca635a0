// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/deform/dent/dent_map.h>

#include <vector>

namespace ductile {

/// How a striker's footprint grows at a depth, as far as stresses go by it.
struct PressForm {
    double power = 1.0;   ///< Of the depth, that the volume grows with: a face 1, a lying
                          ///< cylinder 1.5, a ball or an edge 2, a corner 3.
    double aspect = 1.0;  ///< Of the footprint, length over width, >= 1.
    double slope = 0.0;   ///< Of the flank at the footprint's border: a / R of a ball.
    double strain = 0.0;  ///< The same as far as strains go by it: more towards a point.

    /// 0: as long as wide; towards 1: far longer, as under an edge.
    double longness() const { return 1.0 - 1.0 / (aspect * aspect); }
};

/// How the area and the volume that a striker takes up grow as it goes in: of any shape, from the
/// picture that is taken of it anyway.
class PressCurve {
public:
    /// Of what a striker presses in when it has come `distance` [m] beyond a plane; `profile` is
    /// its bare map. Its mesh has `facets` that are off the smooth surface by so much [m]: what
    /// they lie below it by is added, and from `trusted_from` on downwards the volume goes on as
    /// the power of the depth that it has there (1 for a face, 2 for a ball or an edge, 3 for a
    /// corner).
    PressCurve(const DentMap& profile, double distance, double facets);
    /// Of a stamp, which takes up `area` [m^2] times the depth, however deep.
    explicit PressCurve(double area);

    /// The same striker in a hollow that it fits: it has pressed in the first `depth` [m] already,
    /// and goes on from there.
    PressCurve in_hollow(double depth) const;

    /// The depth from which on facets of a height can be trusted [m].
    static double trusted_from(double facets);

    bool is_stamp() const { return volumes_.empty(); }
    double hollow() const { return hollow_; }  ///< How deep it stood before [m].
    double distance() const { return distance_ - hollow_; }
    /// Within the plane, `depth` being at most `distance()` [m^2].
    double area(double depth) const { return whole_area(hollow_ + depth); }
    double volume(double depth) const;  ///< What is new of it [m^3].
    /// The depth at which it takes up that area, or `distance()` if it does not.
    double depth_of_area(double area) const;
    /// How its footprint grows there.
    PressForm form(double depth) const;

private:
    double whole_area(double depth) const;
    double whole_volume(double depth) const;
    double aspect(double depth) const;
    void continue_to_tip(double facets);
    /// Where facets are not to be trusted, at a share of that depth.
    double tip_area(double share) const;
    double depth_near_tip(double area) const;

    double distance_ = kInfinity;
    double hollow_ = 0.0;
    double step_ = 0.0;
    std::vector<double> volumes_;  ///< At multiples of `step_`; empty for a stamp.
    std::vector<double> aspects_;  ///< Of the footprints at these depths, length over width.
    double late_ = 0.0;  ///< How much later facets come than the surface they stand for [m].
    double smooth_from_ = 0.0, exponent_ = 1.0, volume_there_ = 0.0;
    double fuller_ = 0.0;  ///< Towards the tip, than the power alone.
    double stamp_area_ = 0.0;
};

}  // namespace ductile
