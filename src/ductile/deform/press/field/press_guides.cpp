// SPDX-License-Identifier: MIT
// Section 4.3 of Brunel et al. 2020. As printed, the border's point moves by +a_j d_ij; directions
// point outward, so it must be a minus. There the fields are given at the vertices outside the
// border and at the extent; here they share the radial parameter's factor: constraints on the
// border, no condition at the extent. Spurious values where one vertex has several constraints,
// which the paper warns of, come of constraints that contradict each other; ours are averaged
// first.
#include <ductile/deform/press/field/border_fields.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Below this radial parameter a slope is taken as if there: the paper warns of 1e-4.
constexpr double kLeastRadial = 1e-4;
// Directions meet the rigid surface at least this steeply when slopes are found.
constexpr double kLeastCosine = 0.1;
// Of the border's mean way: over a much shorter one no slope can be found.
constexpr double kShortWay = 0.5;

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

/// A slope is a rise over a way; over a way of nearly nothing it is noise. There the mean of what
/// the border's other crossings of the same inner vertex say counts, by how short the way is.
std::vector<double> trusted_slopes(const PressRegion& region, std::span<const double> radial,
                                   std::vector<double> slopes) {
    double mean = 0.0;
    for (const ZoneCrossing& c : region.border) mean += std::max(radial[c.outer], kLeastRadial);
    const double least = kShortWay * mean / static_cast<double>(region.border.size());
    const auto trust = [&](const ZoneCrossing& c) {
        const double way = std::max(radial[c.outer], kLeastRadial);
        return way * way / (way * way + least * least);
    };
    std::vector<double> sum(region.points.size(), 0.0), weight(region.points.size(), 0.0);
    for (std::size_t k = 0; k < slopes.size(); ++k) {
        const double w = trust(region.border[k]);
        sum[region.border[k].inner] += w * slopes[k];
        weight[region.border[k].inner] += w;
    }
    for (std::size_t k = 0; k < slopes.size(); ++k) {
        const ZoneCrossing& c = region.border[k];
        const double w = trust(c);
        slopes[k] = w * slopes[k] + (1.0 - w) * sum[c.inner] / weight[c.inner];
    }
    return slopes;
}

}  // namespace

Result<PressGuides> press_guides(const PressRegion& region, const BorderFields& borders,
                                 std::span<const double> radial, std::span<const Vec3> directions) {
    std::vector<double> slopes;
    for (const ZoneCrossing& c : region.border) {
        slopes.push_back(border_slope(region, c, radial[c.outer], borders.depth.at_vertex[c.outer],
                                      directions[c.outer]));
    }
    const BorderMeans slope(region, trusted_slopes(region, radial, std::move(slopes)));
    PressGuides guides{borders.amplitude, spread_from_border(region, slope)};
    bool is_finite = true;
    for (std::size_t i = 0; i < guides.slope.size(); ++i) {
        is_finite =
            is_finite && std::isfinite(guides.amplitude[i]) && std::isfinite(guides.slope[i]);
        guides.amplitude[i] = std::max(guides.amplitude[i], 0.0);
    }
    if (!is_finite) {
        return Error{"the depth around the contact is not finite", "", "repair the soft mesh"};
    }
    return guides;
}

}  // namespace ductile
