// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/simplify.h>

#include <meshoptimizer.h>

#include <algorithm>

namespace ductile {
namespace {

// The simplifier counts in floats, whose 7 digits are best spent near the origin.
std::vector<float> unit_floats(std::span<const Vec3> points, const Box& box) {
    const double extent = (box.upper - box.lower).maxCoeff();
    const double scale = extent > 0 ? 1.0 / extent : 1.0;
    std::vector<float> out;
    out.reserve(3 * points.size());
    for (const Vec3& p : points) {
        const Vec3 q = (p - box.centre()) * scale;
        for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(q[k]));
    }
    return out;
}

}  // namespace

Simplified simplify_surface(std::span<const Vec3> points, std::span<const Triangle> triangles,
                            const SimplifyOptions& options) {
    DUCTILE_ASSERT(options.points > 0, "at least one point");
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    Simplified out;
    if (triangles.empty()) return out;
    const Box box = bounds(points);
    const std::vector<float> positions = unit_floats(points, box);
    std::vector<unsigned int> indices;
    indices.reserve(3 * triangles.size());
    for (const Triangle& t : triangles) indices.insert(indices.end(), t.begin(), t.end());
    const double share =
        std::min(1.0, static_cast<double>(options.points) / static_cast<double>(points.size()));
    const auto target = static_cast<std::size_t>(share * static_cast<double>(triangles.size()));
    std::vector<unsigned int> kept(indices.size());
    float error = 0.0F;
    kept.resize(meshopt_simplify(kept.data(), indices.data(), indices.size(), positions.data(),
                                 points.size(), 3 * sizeof(float), 3 * target,
                                 static_cast<float>(options.error_limit), 0, &error));
    out.error = static_cast<double>(error) * (box.upper - box.lower).maxCoeff();

    std::vector<std::int32_t> number(points.size(), -1);
    for (const unsigned int i : kept) number[i] = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (number[i] < 0) continue;
        number[i] = static_cast<std::int32_t>(out.surface.points.size());
        out.surface.points.push_back(points[i]);
        out.point_source.push_back(static_cast<std::int32_t>(i));
    }
    for (std::size_t i = 0; i + 2 < kept.size(); i += 3) {
        out.surface.triangles.push_back(
            {number[kept[i]], number[kept[i + 1]], number[kept[i + 2]]});
    }
    return out;
}

}  // namespace ductile
