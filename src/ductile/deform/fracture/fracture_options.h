// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/geom/cut/cell_pattern.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// A box in which a body is fixed to what does not move.
struct AnchorBox {
    Vec3 lower = Vec3::Constant(-1e3);  ///< From the middle of the body's box at rest [m].
    Vec3 upper = Vec3::Constant(1e3);   ///< [m]
};
template <class Visitor>
void visit_fields(AnchorBox& b, Visitor&& field) {
    field(Field{"lower", "m", -1e6, 1e6, "its lower corner, from the middle of the body's box"},
          b.lower);
    field(Field{"upper", "m", -1e6, 1e6, "its upper corner"}, b.upper);
}

/// Where a body's pattern lies.
enum class PatternPlace {
    Body,    ///< About a place of the body, known at rest.
    Impact,  ///< About the place at which it first breaks.
};
inline std::span<const std::string_view> enum_names(PatternPlace) {
    static constexpr std::string_view names[] = {"body", "impact"};
    return names;
}

/// How a body breaks. What it takes to break it is in its material; here is by how much it differs.
struct FractureOptions {
    PatternOptions pattern{};                 ///< Where it can break.
    PatternPlace about = PatternPlace::Body;  ///< Where the pattern's centre lies.
    /// Of the pattern, from the middle of the body's box [m]; about an impact, of that which has to
    /// do where no pattern fits the struck place.
    Vec3 centre = Vec3::Zero();
    double strength = 1.0;         ///< Tension or shear that it bears [of its material's], > 0.
    Vec3 grain = Vec3::Zero();     ///< The way of fibres in the body's frame; 0: there are none.
    double along_grain = 1.0;      ///< How many times stronger it is where fibres must be torn.
    double fracture_energy = 1.0;  ///< That a broken face takes [of its material's], >= 0.
    double impact_time =
        1e-3;  ///< Over which an impact pushes: its force is its impulse over this [s].
    /// Share of an impact's force that goes on to the neighbours of what it knocked out, in [0, 1]:
    /// 0 punches a hole, 1 shatters.
    double handed_on = 0.5;
    /// With a layer `bend`: a joint that has been turned by more than this in all breaks there; 0:
    /// none does.
    double snap_angle_deg = 0.0;
    double speed = 0.5;                 ///< Impacts slower than this are not looked at [m/s], >= 0.
    std::vector<AnchorBox> anchored{};  ///< Pieces with their middle in one stay where they are.
    double smallest = 0.02;   ///< Smaller pieces join a neighbour [share of the mean one].
    std::int32_t most = 512;  ///< Pieces at most: more are refused.
    /// Parts lighter than this share of the whole vanish once they have slept long enough.
    double vanish_share = 0.0;
    double vanish_time = 1.0;                  ///< That they must have slept [s], >= 0.
    Vec3 inner_colour = Vec3(0.5, 0.45, 0.4);  ///< Of walls that breaking lays bare, linear RGB.
};
template <class Visitor>
void visit_fields(FractureOptions& o, Visitor&& field) {
    field(Field{"pattern", "", 0, 0, "where it can break"}, o.pattern);
    field(Field{"about", "", 0, 0, "where it lies: about `centre`, or where the body first breaks"},
          o.about);
    field(Field{"centre", "m", -1e6, 1e6, "of the pattern, from the middle of the body's box"},
          o.centre);
    field(Field{"strength", "", 1e-9, 1e9, "tension that it bears, times its material's"},
          o.strength);
    field(Field{"grain", "", -1e6, 1e6, "the way of fibres; 0, 0, 0: there are none"}, o.grain);
    field(Field{"along_grain", "", 1e-3, 1e3,
                "how many times stronger it is where fibres must be torn"},
          o.along_grain);
    field(Field{"fracture_energy", "", 0.0, 1e9, "what a broken face takes, times its material's"},
          o.fracture_energy);
    field(Field{"impact_time", "s", 1e-6, 1.0, "over which an impact pushes"}, o.impact_time);
    field(Field{"handed_on", "", 0.0, 1.0,
                "share of an impact's force on the neighbours of what it knocked out: 0 punches a "
                "hole, 1 shatters"},
          o.handed_on);
    field(Field{"snap_angle_deg", "deg", 0.0, 180.0,
                "a joint of its layer `bend` that was turned further in all breaks; 0: none does"},
          o.snap_angle_deg);
    field(Field{"speed", "m/s", 0.0, 1e3, "impacts slower than this break nothing"}, o.speed);
    field(Field{"anchored", "", 0, 0, "boxes in which it is fixed; only of a static body"},
          o.anchored);
    field(Field{"smallest", "", 0.0, 0.9, "smaller pieces join a neighbour, in shares of the mean"},
          o.smallest);
    field(Field{"most", "", 2, 1e4, "pieces at most"}, o.most);
    field(Field{"vanish_share", "", 0.0, 1.0,
                "parts lighter than this share of the whole vanish in the end; 0: none does"},
          o.vanish_share);
    field(Field{"vanish_time", "s", 0.0, 1e5, "that they must have slept before they vanish"},
          o.vanish_time);
    field(Field{"inner_colour", "", 0.0, 1.0, "of walls that breaking lays bare, linear RGB"},
          o.inner_colour);
}

}  // namespace ductile
