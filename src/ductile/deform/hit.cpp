// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_guard.h>
#include <ductile/deform/hit.h>

#include <algorithm>

namespace ductile {

double eased(double share) {
    const double s = std::clamp(share, 0.0, 1.0);
    return s * s * (3.0 - 2.0 * s);
}

double Hit::amount(double t) const {
    if (t < time) return 0.0;
    return duration > 0 ? eased((t - time) / duration) : 1.0;
}

void apply_record(const HitRecord& record, std::span<const Vec3> rest, double amount,
                  std::span<Vec3> points) {
    std::visit([&](const DentHit& dent) { press_dent(points, rest, dent, amount); }, record);
}

void guard_record(HitRecord& record, const SurfaceQuery& surface, std::span<const Vec3> rest) {
    std::visit(
        [&](DentHit& dent) {
            dent.lean = std::min(dent.lean, foldless_lean(dent));
            guard_dent(dent, surface, rest);
        },
        record);
}

std::function<bool(const Box&)> reach_of(const HitRecord& record) {
    return std::visit(
        [](const DentHit& dent) -> std::function<bool(const Box&)> {
            return [press = DentPress(dent, 1.0)](const Box& box) { return press.may_move(box); };
        },
        record);
}

Status check_record(HitRecord& record) {
    return std::visit([](DentHit& dent) { return check_dent(dent); }, record);
}

}  // namespace ductile
