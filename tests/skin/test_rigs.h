// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/rig.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ductile::test {

/// Weights that fall off smoothly with the distance from each handle, all above 0: any number of
/// handles a point.
inline SkinWeights smooth_weights(std::span<const Vec3> points, std::span<const Handle> handles,
                                  double reach) {
    SkinWeights out;
    for (const Vec3& p : points) {
        std::vector<double> row;
        double sum = 0.0;
        for (const Handle& handle : handles) {
            row.push_back(std::exp(-(p - handle.place).squaredNorm() / (reach * reach)));
            sum += row.back();
        }
        for (std::size_t b = 0; b < row.size(); ++b) {
            if (!(row[b] > 1e-6 * sum)) continue;
            out.handle.push_back(static_cast<std::int32_t>(b));
            out.weight.push_back(row[b]);
        }
        double kept = 0.0;
        for (std::size_t k = static_cast<std::size_t>(out.start.back()); k < out.weight.size(); ++k)
            kept += out.weight[k];
        for (std::size_t k = static_cast<std::size_t>(out.start.back()); k < out.weight.size(); ++k)
            out.weight[k] /= kept;
        out.start.push_back(static_cast<std::int32_t>(out.handle.size()));
    }
    return out;
}

inline std::vector<Handle> handles_at(const std::vector<Vec3>& places) {
    std::vector<Handle> out;
    for (const Vec3& place : places) {
        Handle& handle = out.emplace_back();
        handle.name = "h" + std::to_string(out.size());
        handle.place = place;
    }
    return out;
}

inline Quat turn_about(const Vec3& axis, double angle_deg) {
    return Quat(Eigen::AngleAxisd(angle_deg * kPi / 180.0, axis.normalized()));
}

/// What a rigid motion does to a handle.
inline Transform handle_motion(const Transform& motion, const Vec3& place) {
    return {motion.rotation, motion.point(place) - place};
}

}  // namespace ductile::test
