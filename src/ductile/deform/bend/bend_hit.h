// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/record_kind.h>

#include <span>
#include <string_view>

namespace ductile {

class SurfaceQuery;

/// A bend placed by hand, in the body's rest frame: what lies beyond a place turns about an axis,
/// and what lies between follows an arc, so that lengths along the middle stay.
///
/// With s how far a point's rest place lies along `along_b` from `position_b`, the cross-section
/// there turns by angle * clamp(s / length, 0, 1) and sits at the end of an arc of that turn.
/// Several bends nest by where they lie: each happens at rest, and those nearer to the part that
/// stays carry it along, whichever came first.
struct BendHit {
    Vec3 position_b = Vec3::Zero();  ///< Where the bend begins, on the middle of the body [m].
    Vec3 along_b = Vec3(0, 1, 0);    ///< Unit; along the body, towards the part that turns.
    Vec3 axis_b = Vec3(0, 0, 1);     ///< Unit, across `along_b`; about which it turns.
    double angle_deg = 30.0;         ///< How far the far part turns.
    double length = 0.1;             ///< Over which the bend is spread [m], > 0.
};
template <class Visitor>
void visit_fields(BendHit& h, Visitor&& field) {
    field(place_field("position", "where the bend begins, on the middle of the body"),
          h.position_b);
    field(direction_field("along", "along the body, towards the part that turns"), h.along_b);
    field(direction_field("axis", "about which it turns, across the way along"), h.axis_b);
    field(Field{"angle_deg", "deg", -720.0, 720.0, "how far the far part turns"}, h.angle_deg);
    field(length_field("length", "over which the bend is spread"), h.length);
}

/// What the ranges of its fields do not say. Error: a direction of no length, an axis along the
/// body. Brings `along_b` and `axis_b` to unit length and the latter across the former; a second
/// time changes no bit.
Status check_bend(BendHit& hit);

/// Where `amount` (in [0, 1]) of the bend takes the surroundings of a rest place.
SkinFrame bend_frame(const BendHit& hit, const Vec3& rest, double amount);

/// The shortest length with which no point of `rest` within the bend lies beyond the middle of its
/// arc, at least the hit's own: the inner side is not folded. O(points).
double foldless_length(const BendHit& hit, std::span<const Vec3> rest);

template <>
struct RecordKind<BendHit> {
    static constexpr std::string_view name = "bend";
    static constexpr std::string_view help = "a bend, in the body's rest frame";
    static constexpr Stage stage = Stage::Skin;
    static Status check(BendHit& hit) { return check_bend(hit); }
    static void guard(BendHit& hit, const SurfaceQuery& surface, const BodyShape& shape);
    static RecordMark mark(const BendHit& hit) { return {hit.position_b, hit.angle_deg, "deg"}; }
    static void move(BendHit& hit, const Transform& by) {
        hit.position_b = by.point(hit.position_b);
        hit.along_b = by.direction(hit.along_b);
        hit.axis_b = by.direction(hit.axis_b);
    }
    static RecordReach reach(const BendHit& hit);
    static bool carries(const BendHit& hit, const Vec3& rest) {
        return hit.along_b.dot(rest - hit.position_b) > 0;
    }
    static void apply(const BendHit& hit, const RecordPoints& at, double amount,
                      std::span<SkinFrame> frames);
};

}  // namespace ductile
