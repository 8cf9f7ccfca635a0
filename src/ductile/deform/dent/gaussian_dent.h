// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// How the push of a dent fades with the depth z below the struck surface.
enum class Attenuation {
    Logistic,  ///< 2 / (1 + exp(z / fade)): the back bulges a little (Patkar et al. 2014).
    None,      ///< Everything behind the surface moves alike.
};
inline std::span<const std::string_view> enum_names(Attenuation) {
    static constexpr std::string_view names[] = {"logistic", "none"};
    return names;
}

/// How the dent layer answers hits. Plain data; every default is usable as it stands.
struct DentOptions {
    double radius = 0.0;       ///< Reach of a dent [m]; 0: from the sizes of both bodies.
    double depth_limit = 0.0;  ///< Deepest push of one hit [m]; 0: half the radius.
    double total_limit =
        0.0;                ///< Furthest any point may move in all [m]; 0: from the body's extent.
    double duration = 0.0;  ///< Time over which a dent is pressed in [s].
    Attenuation attenuation = Attenuation::Logistic;
};
template <class Visitor>
void visit_fields(DentOptions& o, Visitor&& field) {
    field(Field{"radius", "m", 0.0, 100.0, "how far a dent reaches; 0 takes it from both bodies"},
          o.radius);
    field(Field{"depth_limit", "m", 0.0, 100.0, "deepest push of one hit; 0: half the radius"},
          o.depth_limit);
    field(Field{"total_limit", "m", 0.0, 100.0, "furthest any point moves in all; 0: automatic"},
          o.total_limit);
    field(Field{"duration", "s", 0.0, 60.0, "time over which a dent is pressed in"}, o.duration);
    field(Field{"attenuation", "", 0, 0, "how the push fades below the surface"}, o.attenuation);
}

/// A further place where the same hit touched.
struct DentStart {
    Vec3 position_b = Vec3::Zero();  ///< [m]
};
template <class Visitor>
void visit_fields(DentStart& s, Visitor&& field) {
    field(Field{"position", "m", -1e6, 1e6, "a further place that was struck"}, s.position_b);
}

/// The record of one dent, in the body's rest frame: all that `press_dent` needs.
struct DentHit {
    Vec3 position_b = Vec3::Zero();     ///< Where it was struck [m]; z is measured from here.
    Vec3 direction_b = Vec3(0, -1, 0);  ///< Unit; the way the surface is pushed (inward).
    std::vector<DentStart> starts;      ///< Where several points touched at once; may be empty.
    double depth = 0.01;                ///< Deepest displacement [m], >= 0.
    double radius = 0.1;       ///< Beyond this distance from the axis nothing moves [m], > 0.
    double fade = 0.0;         ///< Length over which the push fades inward [m]; 0: radius.
    double total_limit = 1e9;  ///< No point ends further than this from its rest place [m].
    Attenuation attenuation = Attenuation::Logistic;
};
template <class Visitor>
void visit_fields(DentHit& h, Visitor&& field) {
    field(Field{"position", "m", -1e6, 1e6, "where it is struck, in the body's rest frame"},
          h.position_b);
    field(Field{"direction", "", -1.0, 1.0, "the way the surface is pushed"}, h.direction_b);
    field(Field{"starts", "", 0, 0, "further places that were struck at once"}, h.starts);
    field(Field{"depth", "m", 0.0, 100.0, "deepest displacement"}, h.depth);
    field(Field{"radius", "m", 1e-6, 100.0, "beyond this nothing moves"}, h.radius);
    field(Field{"fade", "m", 0.0, 100.0, "length over which the push fades inward; 0: radius"},
          h.fade);
    field(Field{"total_limit", "m", 0.0, 1e9, "no point ends further from its rest place"},
          h.total_limit);
    field(Field{"attenuation", "", 0, 0, "how the push fades below the surface"}, h.attenuation);
}

/// Profile of the dent at a distance from its axis: 1 in the middle, 0 from `radius` on, a Gaussian
/// of width radius / 3 between, lowered so that it ends without a step.
double gaussian_profile(double distance, double radius);

/// Moves `points` by the dent, `amount` of it (in [0, 1]). `rest` holds their rest places.
///
/// The push is weaker the nearer a point already is to total_limit: metal hardens.
/// Guarantees: every point moves along direction_b, so that a triangle facing the hit still faces
/// it; no point moves further than depth; none ends further than total_limit from its rest place
/// (one that already is further stays). With Logistic and fade >= depth the undamped map is
/// one-to-one: front never passes back. O(points x starts), allocates nothing.
void press_dent(std::span<Vec3> points, std::span<const Vec3> rest, const DentHit& hit,
                double amount);

/// Error: a number that is not finite or out of range, a direction of no length. A direction that
/// is not of unit length is made so.
Status check_dent(DentHit& hit);

/// How many dents' worth of ground the starts cover: 1 for one (or many at one place), n for n
/// far apart, continuous between. The energy of a hit spreads over that many.
double footprint_count(std::span<const Vec3> starts, double radius);

}  // namespace ductile
