// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <ductile/core/field.h>
#include <ductile/core/math.h>

namespace ductile {

/// How the push of a dent fades with the depth z below the struck surface.
enum class Attenuation {
    Logistic,  ///< 2 / (1 + exp(z / depth)): the back bulges a little (Patkar et al. 2014).
    None,      ///< Everything behind the surface moves alike.
};
inline std::span<const std::string_view> enum_names(Attenuation) {
    static constexpr std::string_view names[] = {"logistic", "none"};
    return names;
}

/// How the dent layer answers hits. Plain data; every default is usable as it stands.
struct DentOptions {
    double radius = 0.0;        ///< Reach of a dent [m]; 0: from the sizes of both bodies.
    double depth_limit = 0.0;   ///< Deepest push of one hit [m]; 0: a quarter of the radius.
    double total_limit = 0.0;   ///< Furthest any point may move in all [m]; 0: 0.3 of the body's smallest extent.
    double duration = 0.0;      ///< Time over which a dent is pressed in [s].
    Attenuation attenuation = Attenuation::Logistic;
};
template <class Visitor>
void visit_fields(DentOptions& o, Visitor&& field) {
    field(Field{"radius", "m", 0.0, 100.0, "how far a dent reaches; 0 takes it from both bodies"},
          o.radius);
    field(Field{"depth_limit", "m", 0.0, 100.0, "deepest push of one hit; 0: a quarter of radius"},
          o.depth_limit);
    field(Field{"total_limit", "m", 0.0, 100.0, "furthest any point moves in all; 0: automatic"},
          o.total_limit);
    field(Field{"duration", "s", 0.0, 60.0, "time over which a dent is pressed in"}, o.duration);
    field(Field{"attenuation", "", 0, 0, "how the push fades below the surface"}, o.attenuation);
}

/// The record of one dent, in the body's rest frame: all that `apply` needs.
struct DentHit {
    Vec3 position_b = Vec3::Zero();          ///< Where it was struck [m].
    Vec3 direction_b = Vec3(0, -1, 0);       ///< Unit; the way the surface is pushed (inward).
    double depth = 0.01;                     ///< Deepest displacement [m], >= 0.
    double radius = 0.1;                     ///< Beyond this distance from the axis nothing moves [m], > 0.
    double total_limit = 1e9;                ///< No point ends further than this from its rest place [m].
    Attenuation attenuation = Attenuation::Logistic;
};
template <class Visitor>
void visit_fields(DentHit& h, Visitor&& field) {
    field(Field{"position", "m", -1e6, 1e6, "where it is struck, in the body's rest frame"},
          h.position_b);
    field(Field{"direction", "", -1.0, 1.0, "the way the surface is pushed"}, h.direction_b);
    field(Field{"depth", "m", 0.0, 100.0, "deepest displacement"}, h.depth);
    field(Field{"radius", "m", 1e-6, 100.0, "beyond this nothing moves"}, h.radius);
    field(Field{"total_limit", "m", 0.0, 1e9, "no point ends further from its rest place"},
          h.total_limit);
    field(Field{"attenuation", "", 0, 0, "how the push fades below the surface"}, h.attenuation);
}

/// Profile of the dent at a distance from its axis: 1 in the middle, 0 from `radius` on, a Gaussian of
/// width radius / 3 between, lowered so that it ends without a step.
double gaussian_profile(double distance, double radius);

/// Moves `points` by the dent, `amount` of it (in [0, 1]). `rest` holds their rest places.
///
/// Guarantees: no point moves further than depth; none ends further than total_limit from its rest
/// place (a point that is already further stays); with Logistic the map is one-to-one, so that front never passes back.
/// Returns the largest displacement [m]. O(points), allocates nothing.
double press_dent(std::span<Vec3> points, std::span<const Vec3> rest, const DentHit& hit,
                  double amount);

}  // namespace ductile
