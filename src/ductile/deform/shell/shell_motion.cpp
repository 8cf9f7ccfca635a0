// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_motion.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace ductile {

SampleMass sample_mass(std::span<const Vec3> points, std::span<const std::int32_t> samples) {
    SampleMass mass;
    for (const std::int32_t v : samples) mass.middle += points[std::size_t(v)];
    mass.mass = double(samples.size());
    mass.middle /= std::max(1.0, mass.mass);
    Mat3 inertia = Mat3::Zero();
    for (const std::int32_t v : samples) {
        const Vec3 r = points[std::size_t(v)] - mass.middle;
        inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
    }
    const double scale = inertia.trace();
    // A row of points has no inertia about itself, and nothing turns it that way.
    if (scale > 0) mass.inverse_inertia = (inertia + 1e-6 * scale * Mat3::Identity()).inverse();
    return mass;
}

void follow_rotation(const Mat3& moment, Quat& rotation) {
    for (int k = 0; k < 4; ++k) {
        const Mat3 r = rotation.toRotationMatrix();
        Vec3 turn = Vec3::Zero();
        double sum = 0.0;
        for (int i = 0; i < 3; ++i) {
            turn += r.col(i).cross(moment.col(i));
            sum += r.col(i).dot(moment.col(i));
        }
        turn /= std::abs(sum) + 1e-300;
        const double angle = turn.norm();
        if (!(angle > 1e-10) || !std::isfinite(angle)) return;
        rotation = Quat(Eigen::AngleAxisd(std::min(angle, 1.0), turn / angle)) * rotation;
        rotation.normalize();
    }
}

}  // namespace ductile
