// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/dent/dent.h>
#include <ductile/deform/record_kind.h>

#include <span>
#include <string_view>

namespace ductile {

class SurfaceQuery;

template <>
struct RecordKind<DentHit> {
    static constexpr std::string_view name = "dent";
    static constexpr std::string_view help = "a dent, in the body's rest frame";
    static constexpr Stage stage = Stage::Offset;
    static Status check(DentHit& hit) { return check_dent(hit); }
    static void guard(DentHit& hit, const SurfaceQuery& surface, const BodyShape& shape);
    static RecordMark mark(const DentHit& hit) { return {hit.position_b, hit.depth, "m"}; }
    static void move(DentHit& hit, const Transform& by) {
        hit.position_b = by.point(hit.position_b);
        hit.direction_b = by.direction(hit.direction_b);
        hit.from_b = by.direction(hit.from_b);
        for (DentStart& start : hit.starts) start.position_b = by.point(start.position_b);
    }
    static RecordReach reach(const DentHit& hit);
    static void apply(const DentHit& hit, const RecordPoints& at, double amount,
                      std::span<Vec3> points) {
        press_dent(points, at.rest, hit, amount);
    }
};

}  // namespace ductile
