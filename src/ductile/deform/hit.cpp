// SPDX-License-Identifier: MIT
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

bool may_move(const HitRecord& record, const Box& box) {
    return std::visit([&](const auto& r) { return may_move(r, box); }, record);
}

Status check_record(HitRecord& record) {
    return std::visit([](DentHit& dent) { return check_dent(dent); }, record);
}

}  // namespace ductile
