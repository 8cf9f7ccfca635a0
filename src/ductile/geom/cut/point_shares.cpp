// SPDX-License-Identifier: MIT
// Points within a body get what the surface around them has: Franke and Nielson 1980, "Smooth
// interpolation of large sets of scattered data", equation 8 (weights of Franke and Little).
#include <ductile/geom/cut/point_shares.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ductile {
namespace {

// Points of the mesh that one within it lies between.
constexpr std::size_t kNearestPoints = 16;

using ShareRow = std::map<std::int32_t, double>;

ShareRow inner_shares(const Vec3& place, std::span<const Vec3> mesh_points) {
    std::vector<std::pair<double, std::int32_t>> near;
    for (std::size_t v = 0; v < mesh_points.size(); ++v) {
        near.emplace_back((mesh_points[v] - place).norm(), static_cast<std::int32_t>(v));
    }
    const std::size_t count = std::min(kNearestPoints, near.size() - 1);
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count) + 1,
                      near.end());
    if (!(near[0].first > 0)) return {{near[0].second, 1.0}};
    // None of these has a share at the distance of the next one.
    const double reach = near[count].first;
    ShareRow row;
    double sum = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
        const double part = (reach - near[k].first) / (reach * near[k].first);
        if (!(part > 0)) break;
        row[near[k].second] = part * part;
        sum += part * part;
    }
    if (!(sum > 0)) return {{near[0].second, 1.0}};
    for (auto& [point, share] : row) share /= sum;
    return row;
}

ShareRow shares_of_anchor(const SurfaceAnchor& anchor) {
    ShareRow row;
    for (int k = 0; k < 3; ++k) {
        if (anchor.weights[k] > 0.0) row[anchor.points[k]] += anchor.weights[k];
    }
    return row;
}

}  // namespace

std::int32_t PointShares::main_point(std::size_t i) const {
    const std::span<const double> shares = shares_of(i);
    return points_of(i)[static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) -
                                                 shares.begin())];
}

PointShares point_shares(const CutMesh& cut, std::span<const Vec3> mesh_points,
                         std::span<const std::int32_t> points) {
    PointShares out;
    for (const std::int32_t p : points) {
        ShareRow row = shares_of_anchor(cut.anchors[p]);
        if (row.empty()) row = inner_shares(cut.points[p], mesh_points);
        for (const auto& [point, share] : row) {
            out.point.push_back(point);
            out.share.push_back(share);
        }
        out.start.push_back(static_cast<std::int32_t>(out.point.size()));
    }
    return out;
}

SkinWeights shared_weights(const SkinWeights& weights, const PointShares& shares) {
    SkinWeights out;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        ShareRow row;
        for (std::size_t k = 0; k < shares.points_of(i).size(); ++k) {
            const auto v = static_cast<std::size_t>(shares.points_of(i)[k]);
            for (std::size_t n = 0; n < weights.handles_of(v).size(); ++n) {
                row[weights.handles_of(v)[n]] += shares.shares_of(i)[k] * weights.weights_of(v)[n];
            }
        }
        for (const auto& [handle, weight] : row) {
            out.handle.push_back(handle);
            out.weight.push_back(weight);
        }
        out.start.push_back(static_cast<std::int32_t>(out.handle.size()));
    }
    return out;
}

}  // namespace ductile
