// SPDX-License-Identifier: MIT
// Section 4.3 of Brunel et al. 2020. As printed, the border's point moves by +a_j d_ij; directions
// point outward, so it must be a minus. There the fields are given at the vertices outside the
// border and at the extent; here they share the radial parameter's factor: constraints on the
// border, no condition at the extent. Spurious values where one vertex has several constraints,
// which the paper warns of, come of constraints that contradict each other; ours are averaged
// first.
#include <ductile/deform/press/field/press_region.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace ductile {
namespace {

// Below this radial parameter a slope is taken as if there: the paper warns of 1e-4.
constexpr double kLeastRadial = 1e-4;
// Directions meet the rigid surface at least this steeply when slopes are found.
constexpr double kLeastCosine = 0.1;
// Of the border's mean way: over a much shorter one no slope can be found.
constexpr double kShortWay = 0.5;
// Keeps a mean defined where the border runs through its inner ends.
constexpr double kLeastWeight = 1e-6;

/// Means of values on the border at the vertices beside it, each weighted by how near it comes to
/// the vertex; then the border's values again, from these: neighbouring constraints agree.
struct BorderMeans {
    BorderMeans(const PressRegion& region, std::span<const double> values)
        : at_vertex(region.points.size(), 0.0) {
        std::vector<double> weight(region.points.size(), 0.0);
        const auto add = [&](std::int32_t i, double share, double value) {
            at_vertex[i] += (share + kLeastWeight) * value;
            weight[i] += share + kLeastWeight;
        };
        for (std::size_t k = 0; k < region.border.size(); ++k) {
            const ZoneCrossing& c = region.border[k];
            add(c.outer, c.along, values[k]);
            add(c.inner, 1.0 - c.along, values[k]);
        }
        for (std::size_t i = 0; i < weight.size(); ++i) {
            if (weight[i] > 0) at_vertex[i] /= weight[i];
        }
    }
    double at_border(const ZoneCrossing& c) const {
        return (1.0 - c.along) * at_vertex[c.inner] + c.along * at_vertex[c.outer];
    }

    std::vector<double> at_vertex;  ///< Per point; 0 away from the border.
};

/// Values on the border as smooth fields over the region: a column each, a row per soft vertex, set
/// where the region has one.
Eigen::MatrixXd spread_means(const PressRegion& region,
                             std::initializer_list<const BorderMeans*> values) {
    Eigen::MatrixXd fields(region.laplacian->diagonal.size(), values.size());
    for (const std::int32_t v : region.vertices) fields.row(v).setZero();
    Eigen::RowVectorXd constrained(values.size());
    for (const ZoneCrossing& c : region.border) {
        Eigen::Index column = 0;
        for (const BorderMeans* means : values) {
            constrained[column++] = region.constraint_weight * means->at_border(c);
        }
        fields.row(region.vertices[c.inner]) += (1.0 - c.along) * constrained;
        fields.row(region.vertices[c.outer]) += c.along * constrained;
    }
    region.smooth->solve(fields);
    return fields;
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

std::vector<Vec2> spread_from_border(const PressRegion& region, std::span<const double> first,
                                     std::span<const double> second) {
    const BorderMeans means_of_first(region, first), means_of_second(region, second);
    const Eigen::MatrixXd fields = spread_means(region, {&means_of_first, &means_of_second});
    std::vector<Vec2> spread_out;
    spread_out.reserve(region.vertices.size());
    for (const std::int32_t v : region.vertices)
        spread_out.emplace_back(fields(v, 0), fields(v, 1));
    return spread_out;
}

Result<PressGuides> press_guides(const PressRegion& region, std::span<const double> radial,
                                 std::span<const Vec3> directions) {
    std::vector<double> depths, slopes;
    for (const ZoneCrossing& c : region.border) {
        depths.push_back((c.rest - c.touching.position).norm());
    }
    const BorderMeans amplitude(region, depths);
    for (const ZoneCrossing& c : region.border) {
        slopes.push_back(border_slope(region, c, radial[c.outer], amplitude.at_vertex[c.outer],
                                      directions[c.outer]));
    }
    const BorderMeans slope(region, trusted_slopes(region, radial, std::move(slopes)));

    const Eigen::MatrixXd fields = spread_means(region, {&amplitude, &slope});
    PressGuides guides;
    guides.amplitude.reserve(region.points.size());
    guides.slope.reserve(region.points.size());
    bool is_finite = true;
    for (const std::int32_t v : region.vertices) {
        guides.amplitude.push_back(std::max(fields(v, 0), 0.0));
        guides.slope.push_back(fields(v, 1));
        is_finite = is_finite && std::isfinite(fields(v, 0)) && std::isfinite(fields(v, 1));
    }
    if (!is_finite) {
        return Error{"the depth around the contact is not finite", "", "repair the soft mesh"};
    }
    return guides;
}

}  // namespace ductile
