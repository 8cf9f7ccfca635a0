// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/point_attribute.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ductile {

const PointAttribute* find_attribute(const SurfaceAsset& asset, std::string_view name) {
    const auto at = std::find_if(asset.attributes.begin(), asset.attributes.end(),
                                 [&](const PointAttribute& a) { return a.name == name; });
    return at == asset.attributes.end() ? nullptr : &*at;
}

std::vector<double> carry_to_surface(const SurfaceAsset& asset, std::span<const double> values) {
    DUCTILE_ASSERT(values.size() == asset.anchors.size(), "a number per render vertex");
    std::vector<double> sum(asset.surface.points.size(), 0.0), weight(sum.size(), 0.0);
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (std::isnan(values[v])) continue;
        for (int k = 0; k < 3; ++k) {
            const double share = asset.anchors[v].weights[k];
            if (!(share > 0)) continue;
            sum[asset.anchors[v].points[k]] += share * values[v];
            weight[asset.anchors[v].points[k]] += share;
        }
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] = weight[i] > 0 ? sum[i] / weight[i] : std::numeric_limits<double>::quiet_NaN();
    }
    return sum;
}

void fill_from_neighbours(const TriMesh& surface, std::vector<double>& values) {
    for (bool has_filled = true; has_filled;) {
        has_filled = false;
        std::vector<double> sum(values.size(), 0.0), count(values.size(), 0.0);
        for (const Triangle& corners : surface.triangles) {
            for (const std::int32_t to : corners) {
                if (!std::isnan(values[to])) continue;
                for (const std::int32_t from : corners) {
                    if (std::isnan(values[from])) continue;
                    sum[to] += values[from];
                    count[to] += 1.0;
                }
            }
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!(count[i] > 0)) continue;
            values[i] = sum[i] / count[i];
            has_filled = true;
        }
    }
    for (double& value : values) {
        if (std::isnan(value)) value = 0.0;
    }
}

void add_attribute(SurfaceAsset& asset, std::string_view name, std::span<const double> values) {
    PointAttribute attribute{std::string(name), carry_to_surface(asset, values)};
    fill_from_neighbours(asset.surface, attribute.values);
    std::erase_if(asset.attributes, [&](const PointAttribute& a) { return a.name == name; });
    asset.attributes.push_back(std::move(attribute));
}

}  // namespace ductile
