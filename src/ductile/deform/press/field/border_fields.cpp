// SPDX-License-Identifier: MIT
// Fields of sections 4.1 to 4.3 of Brunel et al. 2020 that share one matrix.
#include <ductile/deform/press/field/border_fields.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// Keeps a mean defined where the border runs through its inner ends.
constexpr double kLeastWeight = 1e-6;

BorderDirection border_direction(const PressRegion& region, const ZoneCrossing& c) {
    const Vec3 normal =
        ((1.0 - c.along) * region.normals[c.inner] + c.along * region.normals[c.outer]);
    BorderDirection border;
    border.frame =
        tangent_frame(normal.norm() > 0 ? Vec3(normal.normalized()) : region.normals[c.inner]);
    const Vec3 way = c.rest - c.touching.position;
    const double length = way.norm();
    if (!(length > 0)) return border;
    border.part = tangent_part(border.frame, way / length);
    // Pressed further along the surface than into it: the lean is all that can be kept.
    const double lean = way.dot(border.frame.normal) > 0 ? std::abs(border.part) : 1.0;
    if (lean > kMostLean) border.part *= kMostLean / std::max(std::abs(border.part), 1e-12);
    return border;
}

/// A column per field, a row per soft vertex, set where the region has one.
Eigen::MatrixXd blank_fields(const PressRegion& region, Eigen::Index count) {
    Eigen::MatrixXd fields(region.laplacian->diagonal.size(), count);
    for (const std::int32_t v : region.vertices) fields.row(v).setZero();
    return fields;
}

void constrain(const PressRegion& region, const BorderMeans& values, Eigen::Index column,
               Eigen::MatrixXd& fields) {
    for (const ZoneCrossing& c : region.border) {
        const double constrained = region.constraint_weight * values.at_border(c);
        fields(region.vertices[c.inner], column) += (1.0 - c.along) * constrained;
        fields(region.vertices[c.outer], column) += c.along * constrained;
    }
}

std::vector<double> field_at(const PressRegion& region, const Eigen::MatrixXd& fields,
                             Eigen::Index column) {
    std::vector<double> field;
    field.reserve(region.vertices.size());
    for (const std::int32_t v : region.vertices) field.push_back(fields(v, column));
    return field;
}

}  // namespace

BorderMeans::BorderMeans(const PressRegion& region, std::span<const double> values)
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
    for (const ZoneCrossing& c : region.border) {
        for (const std::int32_t i : {c.inner, c.outer}) {
            at_vertex[i] /= weight[i];
            weight[i] = 1.0;  // Once: several crossings share it.
        }
    }
}

Result<BorderFields> spread_from_borders(const PressRegion& region, double extent) {
    if (!region.smooth) {
        return Error{"the distance around the contact has no unique solution", "",
                     "some part of the region has no border with a zone"};
    }
    BorderFields out;
    std::vector<double> depths, leans, sideways;
    double most = 0.0;
    out.directions.reserve(region.border.size());
    for (const ZoneCrossing& c : region.border) {
        out.directions.push_back(border_direction(region, c));
        depths.push_back((c.rest - c.touching.position).norm());
        leans.push_back(std::abs(out.directions.back().part));
        sideways.push_back(depths.back() * leans.back() / extent);
        most = std::max(most, sideways.back());
    }
    const bool goes_sideways = most > kSidewaysFrom;
    out.depth = BorderMeans(region, depths);
    Eigen::MatrixXd fields = blank_fields(region, goes_sideways ? 4 : 2);
    for (std::size_t i = 0; i < region.vertices.size(); ++i) {
        fields(region.vertices[i], 0) = region.outflow[i];
    }
    constrain(region, out.depth, 1, fields);
    if (goes_sideways) {
        constrain(region, BorderMeans(region, leans), 2, fields);
        constrain(region, BorderMeans(region, sideways), 3, fields);
    }
    region.smooth->solve(fields);
    out.flow = field_at(region, fields, 0);
    out.amplitude = field_at(region, fields, 1);
    if (goes_sideways) {
        out.lean = field_at(region, fields, 2);
        out.sideways = field_at(region, fields, 3);
    }
    return out;
}

std::vector<double> spread_from_border(const PressRegion& region, const BorderMeans& values) {
    Eigen::MatrixXd fields = blank_fields(region, 1);
    constrain(region, values, 0, fields);
    region.smooth->solve(fields);
    return field_at(region, fields, 0);
}

}  // namespace ductile
