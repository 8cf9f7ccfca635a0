// SPDX-License-Identifier: MIT
#include <ductile/record/film_set.h>

namespace ductile {

Transform looking_pose(const Vec3& from_w, const Vec3& to_w) {
    const Vec3 back = (from_w - to_w).normalized();
    const Vec3 up = std::abs(back.y()) < 0.9999 ? Vec3::UnitY() : Vec3::UnitZ();
    Mat3 axes;
    axes.col(0) = up.cross(back).normalized();
    axes.col(1) = back.cross(axes.col(0));
    axes.col(2) = back;
    return {Quat(axes).normalized(), from_w};
}

}  // namespace ductile
