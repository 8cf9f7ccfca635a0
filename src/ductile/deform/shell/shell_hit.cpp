// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/shell/shell_hit.h>
#include <ductile/deform/shell/shell_limits.h>
#include <ductile/deform/shell/shell_rig.h>

namespace ductile {
namespace {

// Per control point; nothing: one of the moves is of no control point of this body.
std::optional<std::vector<Vec3>> shifts_of(const ShellHit& hit, const ShellRig& rig) {
    std::vector<Vec3> shift(rig.control_rest.size(), Vec3::Zero());
    std::vector<std::uint8_t> taken(shift.size(), 0);
    for (const ShellMove& move : hit.moves) {
        const std::int32_t control = rig.find_control(move.rest_b, taken);
        if (control < 0) return std::nullopt;
        taken[std::size_t(control)] = 1;
        shift[std::size_t(control)] = move.shift_b;
    }
    return shift;
}

}  // namespace

using ShellKind = RecordKind<ShellHit>;

// Without moves it makes sense, but fits no body.
Status ShellKind::check(ShellHit&) { return {}; }

Status ShellKind::fits(const ShellHit& hit, const BodyShape& shape) {
    const auto* rig = shape.data<ShellRig>();
    if (!rig) {
        return Error{"a shell's record needs a body with the layer `shell`", "",
                     "give the body that layer, as it had when the record was made"};
    }
    if (hit.moves.empty()) {
        return Error{"a shell's record needs at least one control point that moved", "/moves", ""};
    }
    if (shifts_of(hit, *rig)) return {};
    return Error{"a control point of the record is none of the body's", "/moves",
                 "the body must be cut into sub-shells as when the record was made: the same mesh, "
                 "sub_shells and distance_weight"};
}

void ShellKind::guard(ShellHit& hit, const SurfaceQuery& surface, const BodyShape& shape) {
    const auto* rig = shape.data<ShellRig>();
    const auto shift = rig ? shifts_of(hit, *rig) : std::nullopt;
    if (!shift) return;
    const double share = allowed_share(*rig, {surface.points(), shape.rest()}, *shift);
    if (!(share < 1.0)) return;
    for (ShellMove& move : hit.moves) move.shift_b *= share;
    hit.depth *= share;
}

void ShellKind::apply(const ShellHit& hit, const RecordPoints& at, double amount,
                      std::span<Vec3> points) {
    const auto* rig = at.shape.data<ShellRig>();
    const auto shift = rig ? shifts_of(hit, *rig) : std::nullopt;
    if (!shift) return;
    std::vector<std::uint8_t> is_moved(shift->size(), 0);
    for (std::size_t c = 0; c < shift->size(); ++c) is_moved[c] = !(*shift)[c].isZero(0.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto row = rig->rows[std::size_t(at.indices[i])];
        Vec3 sum = Vec3::Zero();
        bool is_any = false;
        for (const ControlWeight& w : row) {
            if (!is_moved[std::size_t(w.control)]) continue;
            sum += w.weight * (*shift)[std::size_t(w.control)];
            is_any = true;
        }
        if (is_any) points[i] += amount * sum;
    }
}

}  // namespace ductile
