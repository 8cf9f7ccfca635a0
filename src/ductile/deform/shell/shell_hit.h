// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/record_kind.h>

#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// A control point that moved.
struct ShellMove {
    Vec3 rest_b = Vec3::Zero();   ///< Its rest place [m]: by which it is found.
    Vec3 shift_b = Vec3::Zero();  ///< [m]
};
template <class Visitor>
void visit_fields(ShellMove& m, Visitor&& field) {
    field(place_field("rest", "the rest place of a control point, by which it is found"), m.rest_b);
    field(Field{"shift", "m", -kMostRecordLength, kMostRecordLength, "by which it moved"},
          m.shift_b);
}

/// What an impact did to a metal shell: how its control points moved. Every point of the surface
/// follows by its weights (deform/shell/shell_rig.h), linearly: no solver is needed to replay it.
struct ShellHit {
    Vec3 position_b = Vec3::Zero();  ///< Where it was struck [m].
    double depth = 0.0;              ///< How far the striker went in [m].
    std::vector<ShellMove> moves{};  ///< Without any it fits no body.
};
template <class Visitor>
void visit_fields(ShellHit& h, Visitor&& field) {
    field(place_field("position", "where the shell was struck"), h.position_b);
    field(Field{"depth", "m", 0.0, kMostRecordLength, "how far the striker went in"}, h.depth);
    field(Field{"moves", "", 0, 0, "control points that moved"}, h.moves);
}

template <>
struct RecordKind<ShellHit> {
    static constexpr std::string_view name = "shell";
    static constexpr std::string_view help = "how control points of a metal shell moved";
    static constexpr Stage stage = Stage::Offset;
    static Status check(ShellHit& hit);
    /// Error: a control point that the body does not have, or a body without the layer.
    static Status fits(const ShellHit& hit, const BodyShape& shape);
    /// Lessened until no edge gets longer than the layer's limit allows.
    static void guard(ShellHit& hit, const SurfaceQuery& surface, const BodyShape& shape);
    static RecordMark mark(const ShellHit& hit) { return {hit.position_b, hit.depth, "m"}; }
    /// Which points follow is told by their weights, not by where they are: any box may hold one.
    static RecordReach reach(const ShellHit&) {
        return [](const Box&) { return true; };
    }
    /// Points without a share in what moved keep every bit.
    static void apply(const ShellHit& hit, const RecordPoints& at, double amount,
                      std::span<Vec3> points);
};

}  // namespace ductile
