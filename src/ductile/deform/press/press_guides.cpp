// SPDX-License-Identifier: MIT
// Section 4.3 of Brunel et al. 2020. As printed, the border's point moves by +a_j d_ij; directions
// point outward, so it must be a minus.
#include <ductile/deform/press/press_region.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Below this radial parameter a slope is taken as if there: the seed warns of 1e-4.
constexpr double kLeastRadial = 1e-4;
// Directions meet the rigid surface at least this steeply when slopes are found.
constexpr double kLeastCosine = 0.1;
// Keeps a mean defined where the border runs through its inner ends.
constexpr double kLeastWeight = 1e-6;

/// Means over the border edges of each outer vertex, weighted by how near the border comes.
std::vector<double> mean_at_outer(const PressRegion& region, std::span<const double> values) {
    std::vector<double> sum(region.points.size(), 0.0), weight(region.points.size(), 0.0);
    for (std::size_t c = 0; c < region.border.size(); ++c) {
        const double share = region.border[c].along + kLeastWeight;
        sum[region.border[c].outer] += share * values[c];
        weight[region.border[c].outer] += share;
    }
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = weight[i] > 0 ? sum[i] / weight[i] : 0.0;
    return sum;
}

double mean_over_border(const PressRegion& region, std::span<const double> at_outer) {
    std::vector<std::uint8_t> is_outer(region.points.size(), 0);
    for (const ZoneCrossing& c : region.border) is_outer[c.outer] = 1;
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < is_outer.size(); ++i) {
        if (!is_outer[i]) continue;
        sum += at_outer[i];
        count += 1.0;
    }
    return count > 0 ? sum / count : 0.0;
}

double border_slope(const PressRegion& region, const ZoneCrossing& c, double radial,
                    double amplitude, const Vec3& direction) {
    const Vec3 way = c.rest - c.touching.position;
    const Vec3 at_border = way.norm() > 0 ? Vec3(way.normalized()) : direction;
    const Vec3 target = c.rest - amplitude * at_border;
    // The direction leaves the soft body, so it goes against the rigid surface's normal.
    const double cosine = std::min(direction.dot(c.touching.normal), -kLeastCosine);
    const double moved = (target - region.points[c.outer]).dot(c.touching.normal) / cosine;
    return (moved + amplitude) / std::max(radial, kLeastRadial);
}

}  // namespace

Result<PressGuides> press_guides(const PressRegion& region, std::span<const double> radial,
                                 std::span<const Vec3> directions) {
    const std::size_t n = region.points.size();
    std::vector<double> depths, slopes;
    for (const ZoneCrossing& c : region.border) {
        depths.push_back((c.rest - c.touching.position).norm());
    }
    const std::vector<double> amplitude = mean_at_outer(region, depths);
    for (const ZoneCrossing& c : region.border) {
        slopes.push_back(
            border_slope(region, c, radial[c.outer], amplitude[c.outer], directions[c.outer]));
    }
    const std::vector<double> slope = mean_at_outer(region, slopes);

    std::vector<std::uint8_t> is_given(n, 0);
    Eigen::MatrixXd given(static_cast<Eigen::Index>(n), 2);
    const Eigen::RowVector2d means(mean_over_border(region, amplitude),
                                   mean_over_border(region, slope));
    for (std::size_t i = 0; i < n; ++i) {
        is_given[i] = region.is_contact[i] || !(radial[i] < 1.0);
        given.row(static_cast<Eigen::Index>(i)) = means;
    }
    for (const ZoneCrossing& c : region.border) {
        is_given[c.outer] = 1;
        given.row(c.outer) << amplitude[c.outer], slope[c.outer];
    }
    const auto laplacian = cotangent_laplacian(n, region.triangles, region.cotangents);
    const auto solver = SmoothSolver<double>::make(laplacian, is_given, {}, 0.0);
    if (!solver) return solver.error();
    const Eigen::MatrixXd fields = solver.value().solve(given, Eigen::MatrixXd(0, 2));
    if (!fields.allFinite()) {
        return Error{"the depth around the contact is not finite", "", "mend the soft mesh"};
    }
    PressGuides guides;
    for (std::size_t i = 0; i < n; ++i) {
        guides.amplitude.push_back(std::max(fields(static_cast<Eigen::Index>(i), 0), 0.0));
        guides.slope.push_back(fields(static_cast<Eigen::Index>(i), 1));
    }
    return guides;
}

}  // namespace ductile
