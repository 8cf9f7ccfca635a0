// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/dent/dent_grid.h>
#include <ductile/deform/record_kind.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// How the push of a dent fades with the depth z below the struck surface; in front of it (z < 0)
/// everything moves in full.
enum class Attenuation {
    Logistic,     ///< 2 / (1 + exp(z / fade)): the back bulges a little (Patkar et al. 2014).
    None,         ///< Everything behind the surface moves alike.
    Linear,       ///< 1 - z / fade: nothing moves from `fade` on.
    Exponential,  ///< exp(-z / fade)
};
inline std::span<const std::string_view> enum_names(Attenuation) {
    static constexpr std::string_view names[] = {"logistic", "none", "linear", "exponential"};
    return names;
}
/// What is left of the push at depth z. Those that would never end are lowered by a thousandth, so
/// that they do. Requires: fade > 0.
double attenuation(Attenuation kind, double z, double fade);
/// From this depth on nothing is left of it.
double attenuation_reach(Attenuation kind, double fade);
/// The shortest fade with which a push of `depth` keeps the order of what lies behind each other,
/// however near: `depth` times the steepest fall stays below 0.9.
double safe_fade(Attenuation kind, double depth);

/// A round dent given by a formula: share of the depth at a share of the radius.
enum class DentProfile {
    Gaussian,  ///< Of width radius / 3, lowered so that it ends at the radius.
    Cosine,    ///< Half a wave.
    Cap,       ///< What a ball leaves: round below, with an edge.
};
inline std::span<const std::string_view> enum_names(DentProfile) {
    static constexpr std::string_view names[] = {"gaussian", "cosine", "cap"};
    return names;
}

/// Cosine of the flattest slant, 80 degrees: beyond it a footprint is not stretched further, and
/// the dent goes to nothing instead.
inline constexpr double kLeastDentCosine = 0.17;

/// A further place where the same hit touched.
struct DentStart {
    Vec3 position_b = Vec3::Zero();  ///< [m]
};
template <class Visitor>
void visit_fields(DentStart& s, Visitor&& field) {
    field(place_field("position", "a further place that was struck"), s.position_b);
}

/// The record of one dent, in the body's rest frame: all that pressing it needs.
///
/// In the dent's own frame z is `direction_b`, x is `from_b`, and the struck place is the origin. A
/// impact that came in at an angle t from z travelled along (-sin t, 0, cos t). A point at (x, y,
/// z) moves by
///
///     depth a(z) q(x', y) (-lean sin t w(x'), 0, cos t),   w = 2 / (1 + exp(widening x' / radius))
///
/// where x' is its x carried to z = 0 along that way, q the profile (or the map), stretched by
/// 1 / cos t along x, and a the attenuation (Patkar et al. 2014, section 3; its figures 8 and 9). A
/// vector map adds depth a(z) lean (qx, qy, 0).
struct DentHit {
    Vec3 position_b = Vec3::Zero();     ///< Where it was struck [m]; z is measured from here.
    Vec3 direction_b = Vec3(0, -1, 0);  ///< Unit; the inward normal of the struck surface.
    Vec3 from_b = Vec3::Zero();  ///< The side that the impact came from, across the surface; x of
                                 ///< the map. Unit and perpendicular; 0: any.
    double slant_deg = 0.0;      ///< How far the impact came in from the normal, in [0, 90].
    std::vector<DentStart> starts{};  ///< Where several points touched at once; may be empty.
    DentProfile profile = DentProfile::Gaussian;
    std::optional<DentGrid> map{};  ///< A shape of its own instead of a profile.
    double depth = 0.01;    ///< Furthest displacement, along the way of the impact [m], >= 0.
    double radius = 0.1;    ///< Beyond this, across the way of the impact, nothing moves [m], > 0.
    double fade = 0.0;      ///< Length over which the push fades inward [m]; 0: radius.
    double lean = 1.0;      ///< Share of the slant, and of what a map goes sideways, in [0, 1].
    double widening = 0.0;  ///< Leans the front of a slanted dent more, its back less; >= 0.
    double rim = 0.0;       ///< How high the edge is raised: 5 gives back a Gaussian's volume.
    double total_limit = 1e9;  ///< No point ends further than this from its rest place [m].
    Attenuation attenuation = Attenuation::Logistic;
};
template <class Visitor>
void visit_fields(DentHit& h, Visitor&& field) {
    field(place_field("position", "where it is struck, in the body's rest frame"), h.position_b);
    field(direction_field("direction", "the way in: against the surface's normal"), h.direction_b);
    field(direction_field("from", "the side it comes from, across the surface; x of a map; 0: any"),
          h.from_b);
    field(Field{"slant_deg", "deg", 0.0, 90.0, "how far from the way in it comes"}, h.slant_deg);
    field(Field{"starts", "", 0, 0, "further places that were struck at once"}, h.starts);
    field(Field{"profile", "", 0, 0, "a round dent by formula"}, h.profile);
    field(Field{"map", "", 0, 0, "a shape of its own instead, as a journal writes it"}, h.map);
    field(Field{"depth", "m", 0.0, kMostRecordLength, "furthest displacement"}, h.depth);
    field(length_field("radius", "beyond this nothing moves"), h.radius);
    field(Field{"fade", "m", 0.0, kMostRecordLength,
                "length over which the push fades inward; 0: radius"},
          h.fade);
    field(Field{"lean", "", 0.0, 1.0,
                "share of the slant that the dent shows, and of a vector map's sideways"},
          h.lean);
    field(Field{"widening", "", 0.0, 100.0, "leans the front of a slanted dent more"}, h.widening);
    field(Field{"rim", "", 0.0, 100.0, "how high the edge is raised; 5: a Gaussian's volume"},
          h.rim);
    field(Field{"total_limit", "m", 0.0, 1e9, "no point ends further from its rest place"},
          h.total_limit);
    field(Field{"attenuation", "", 0, 0, "how the push fades below the surface"}, h.attenuation);
}

/// A dent made ready to press points: what all of them share is worked out once.
class DentPress {
public:
    /// `amount` of the hit, in [0, 1]: what it has pressed in when it has come that share of its
    /// way, so that no place is ahead of what presses (Patkar et al. 2014, Figure 3). Requires: a
    /// hit that check_dent has passed, which outlives this.
    DentPress(const DentHit& hit, double amount);
    DentPress(DentHit&& hit, double amount) = delete;  // would be gone

    /// Where a point goes that is at `p` and was at `rest` before any damage.
    ///
    /// The push is weaker the nearer a point already is to total_limit: metal hardens.
    /// Guarantees: no point moves further than depth (widening 0, no vector map), none ends further
    /// than total_limit from its rest place (one that already is further stays). With lean 0 every
    /// point moves along direction_b, so that a triangle facing the hit still faces it. With
    /// fade >= safe_fade(depth), widening 0 and no vector map the undamped map is one-to-one.
    Vec3 operator()(const Vec3& p, const Vec3& rest) const;

    /// Share of the depth at a place of the dent's plane [m], rim included: what a flat surface
    /// shows.
    double share(double x, double y) const;
    /// What goes across the way in there, along x and y [shares of the depth], of a vector map. Of
    /// several starts each counts by how far it moves the place.
    Vec2 aside(double x, double y) const;

    /// Whether a point of the box may move: false only if none does.
    bool may_move(const Box& box) const;

private:
    Vec3 by_vectors(const Vec3& by, const Vec2& aside, double faded, double room) const;
    double profile(double x, double y) const;  ///< q, of one start.

    const DentHit& hit_;
    double amount_ = 1.0;
    Vec3 x_, y_;
    double depth_ = 0.0;    ///< What moves, at most [m].
    double sine_ = 0.0;     ///< Of the slant, the share that shows.
    double cosine_ = 1.0;   ///< Of the slant.
    double squeeze_ = 1.0;  ///< From the plane to across the way of the impact: cosine, clamped.
    double drift_ = 0.0;    ///< How far x' runs per z.
    Vec3 along_ = Vec3::UnitX();  ///< How far x' runs per step along each axis.
    double fade_ = 1.0;
    double fade_reach_ = kInfinity;  ///< Beyond this z nothing moves [m].
    double per_cell_ = 0.0;          ///< Cells per metre of the map.
    double ball_ = 0.0;              ///< Of a cap, in units of its depth.
    std::vector<Vec2> starts_;
};

/// Presses `amount` (in [0, 1]) of the dent into points. `rest` holds their rest places.
/// O(points x starts).
void press_dent(std::span<Vec3> points, std::span<const Vec3> rest, const DentHit& hit,
                double amount);

/// What the ranges of its fields do not say. Error: a direction of no length, a map without
/// samples. Brings `direction_b` to unit length and `from_b` across it; a second time changes no
/// bit.
Status check_dent(DentHit& hit);

/// Profile of a Gaussian dent at a distance from its axis: 1 in the middle, 0 from `radius` on.
double gaussian_profile(double distance, double radius);

/// How many dents' worth of ground the starts cover: 1 for one (or many at one place), n for n
/// far apart, continuous between. The energy of a hit spreads over that many.
double footprint_count(std::span<const Vec3> starts, double radius);

/// The largest lean in [0, 1] with which a flat surface under the dent does not fold over itself:
/// places along the slant keep their order and at least a tenth of their distance; under a vector
/// map every part keeps its side and at least a tenth of its area.
double foldless_lean(const DentHit& hit);

}  // namespace ductile
