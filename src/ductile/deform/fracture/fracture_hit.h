// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/record_kind.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ductile {

class SurfaceQuery;

/// Glue between pieces of a body that gives way. The parts that hang together afterwards follow
/// from all of a journal's such records (deform/fracture/fracture_data.h).
struct FractureHit {
    Vec3 position_b = Vec3::Zero();      ///< Where it was struck, in the rest frame [m].
    double radius = 0.1;                 ///< By hand: all glue this near gives way [m]; 0: none.
    std::vector<std::int32_t> joints{};  ///< That gave way, by the numbers of the body's score.
    double area = 0.0;                   ///< Of those [m^2].
    /// The number of the first of the parts that it left; the others follow. 0: it is still whole.
    std::int32_t first_part = 0;
    bool vanishes = false;  ///< The body is no longer there at all.
    /// Of the pattern, where that lies about the place at which the body first broke [m]; all
    /// breaks of a body have the same.
    Vec3 centre_b = Vec3::Zero();
};
template <class Visitor>
void visit_fields(FractureHit& h, Visitor&& field) {
    field(place_field("position", "where it was struck"), h.position_b);
    field(Field{"radius", "m", 0.0, kMostRecordLength, "all that holds it together so near breaks"},
          h.radius);
    field(Field{"joints", "", 0, 1e9, "what broke, by number"}, h.joints);
    field(Field{"area", "m^2", 0.0, 1e12, "of what broke"}, h.area);
    field(Field{"first_part", "", 0, 1e9, "number of the first part that it left; 0: none"},
          h.first_part);
    field(Field{"vanishes", "", 0, 0, "the body is gone from then on"}, h.vanishes);
    field(place_field("centre", "of a pattern about the place where the body first broke"),
          h.centre_b);
}

template <>
struct RecordKind<FractureHit> {
    static constexpr std::string_view name = "fracture";
    static constexpr std::string_view help = "what holds the body together breaks around a place";
    static constexpr Stage stage = Stage::Parts;
    /// Error: it breaks nothing.
    static Status check(FractureHit& hit);
    /// Whether the body is in pieces of which these are joints.
    static Status fits(const FractureHit& hit, const BodyShape& shape);
    static void guard(FractureHit&, const SurfaceQuery&, const BodyShape&) {}
    static RecordMark mark(const FractureHit& hit) { return {hit.position_b, hit.area, "m^2"}; }
    static void move(FractureHit& hit, const Transform& by) {
        hit.position_b = by.point(hit.position_b);
    }
};

}  // namespace ductile
