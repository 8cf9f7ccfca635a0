// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/record/example_colours.h>
#include <ductile/render/damage_measure.h>
#include <ductile/skin/carry_damage.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr std::size_t kOneInMany = 50;  // values that may lie beyond an extent

/// What all but a few of these values stay within; 0 for none. Reorders them.
double usual_most(std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const std::size_t beyond = (values.size() - 1) / kOneInMany;
    const auto place = values.end() - 1 - static_cast<std::ptrdiff_t>(beyond);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

DamageExtent extent_of(const DamageMap& map, ColourBy by) {
    std::vector<double> above, below;
    const auto sort_in = [&](double v) {
        if (v > 0.0) above.push_back(v);
        if (v < 0.0) below.push_back(-v);
    };
    if (by == ColourBy::Depth) std::for_each(map.depth.begin(), map.depth.end(), sort_in);
    if (by == ColourBy::Strain) std::for_each(map.strain.begin(), map.strain.end(), sort_in);
    if (by == ColourBy::Scratch) {
        for (const Vec3& s : map.scratch) sort_in(s.norm());
    }
    return {usual_most(above), -usual_most(below)};
}

void join(const DamageExtent& other, DamageExtent& extent) {
    extent.most = std::max(extent.most, other.most);
    extent.least = std::min(extent.least, other.least);
}

}  // namespace

std::vector<Vec3f> measure_damage(const SurfaceAsset& asset, std::span<const Vec3> surface,
                                  ColourBy by) {
    DUCTILE_ASSERT(by != ColourBy::None && by != ColourBy::Example, "damage is measured");
    const DamageMap map =
        carry_damage(asset, damage_map(asset.surface.points, surface, asset.surface.triangles));
    std::vector<Vec3f> measures(map.depth.size(), Vec3f::Zero());
    for (std::size_t i = 0; i < measures.size(); ++i) {
        if (by == ColourBy::Depth) measures[i].x() = static_cast<float>(map.depth[i]);
        if (by == ColourBy::Strain) measures[i].x() = static_cast<float>(map.strain[i]);
        if (by == ColourBy::Scratch) measures[i] = map.scratch[i].cast<float>();
    }
    return measures;
}

std::vector<Vec3f> measure_examples(const RecordedBody& body, std::size_t shape) {
    std::vector<Vec3f> measures;
    for (const Vec3& tint : carry_vectors(*body.asset, example_tints(body, shape))) {
        measures.push_back(tint.cast<float>());
    }
    return measures;
}

DamageExtent damage_extent(const Recording& recording, ColourBy by) {
    if (by == ColourBy::Example) return {1.0, 0.0};
    std::vector<DamageExtent> extents(recording.bodies.size());
    parallel_for(extents.size(), 1, [&](std::size_t b) {
        const RecordedBody& body = recording.bodies[b];
        if (!body.asset) return;
        const TriMesh& rest = body.asset->surface;
        for (std::size_t s = 0; s < body.shapes.size(); ++s) {
            const std::vector<Vec3>& points = body.unskinned_shape(s);
            if (points.size() != rest.points.size() || points == rest.points ||
                !std::all_of(points.begin(), points.end(),
                             [](const Vec3& p) { return is_finite(p); })) {
                continue;
            }
            join(extent_of(damage_map(rest.points, points, rest.triangles), by), extents[b]);
        }
    });
    DamageExtent all;
    for (const DamageExtent& extent : extents) join(extent, all);
    return all;
}

double round_up(double value) {
    DUCTILE_ASSERT(value > 0.0 && std::isfinite(value), "a number to round");
    // One power too low, in case the logarithm was rounded: the loop then takes the next.
    for (double power = std::pow(10.0, std::floor(std::log10(value)) - 1.0);; power *= 10.0) {
        for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
            // A range that is read back as 0.05 is not to become 0.1 by its last bit.
            if (step * power >= value * (1.0 - 1e-9)) return step * power;
        }
    }
}

}  // namespace ductile
