// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/example/example_row.h>
#include <ductile/deform/record_kind.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

class SurfaceQuery;

/// How much a hit changes the share of one example pose.
struct PoseChange {
    std::string pose{};   ///< Its name in the rig.
    double change = 0.0;  ///< Where it was struck; the rest pose loses what the others gain.
};
inline std::string& key_of(PoseChange& change) { return change.pose; }
template <class Visitor>
void visit_fields(PoseChange& c, Visitor&& field) {
    field(Field{"change", "", -100.0, 100.0, "of the share where it was struck"}, c.change);
}

/// A further place where the same hit touched.
struct ExampleStart {
    Vec3 position_b = Vec3::Zero();  ///< [m]
};
template <class Visitor>
void visit_fields(ExampleStart& s, Visitor&& field) {
    field(place_field("position", "a further place that was struck"), s.position_b);
}

/// The record of an impact that turns a body towards its rig's example poses, in its rest frame. It
/// spreads through the body from all of its starts and fades out with the cubic kernel.
struct ExampleHit {
    Vec3 position_b = Vec3::Zero();      ///< Where it was struck [m].
    std::vector<ExampleStart> starts{};  ///< All places that touched; none: `position_b`.
    std::vector<PoseChange> changes{};   ///< At least one, or it does nothing.
    double radius = 0.3;                 ///< How far it reaches through the body [m], > 0.
};
template <class Visitor>
void visit_fields(ExampleHit& h, Visitor&& field) {
    field(place_field("position", "where it was struck"), h.position_b);
    field(Field{"starts", "", 0, 0, "all places that touched; none: the position"}, h.starts);
    field(Field{"changes", "", 0, 0, "of the shares of example poses, by their names"}, h.changes);
    field(length_field("radius", "how far it reaches through the body"), h.radius);
}

/// The places that it spreads from.
std::vector<Vec3> example_starts(const ExampleHit& hit);

template <>
struct RecordKind<ExampleHit> {
    static constexpr std::string_view name = "example";
    static constexpr std::string_view help = "a turn towards example poses of the body's rig";
    static constexpr Stage stage = Stage::Blend;
    static Status check(ExampleHit& hit);
    /// Whether it names poses, and the body has them.
    static Status fits(const ExampleHit& hit, const BodyShape& shape);
    static void guard(ExampleHit&, const SurfaceQuery&, const BodyShape&) {}
    static RecordMark mark(const ExampleHit& hit);
    static void move(ExampleHit& hit, const Transform& by);
    static RecordReach reach(const ExampleHit& hit);
    static void apply(const ExampleHit& hit, const RecordPoints& at, double amount,
                      std::span<ExampleRow> rows);
};

}  // namespace ductile
