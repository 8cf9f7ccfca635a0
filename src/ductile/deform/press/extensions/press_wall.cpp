// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/extensions/press_wall.h>
#include <ductile/geom/query/surface_query.h>

#include <cstdint>

namespace ductile {
namespace {

// Up to this share of the wall points go along whole.
constexpr double kWhole = 0.5;

}  // namespace

std::vector<Triangle> marked_triangles(std::span<const Triangle> triangles,
                                       std::span<const double> map) {
    if (map.empty()) return {triangles.begin(), triangles.end()};
    std::vector<Triangle> marked;
    for (const Triangle& t : triangles) {
        if (map[t[0]] >= 0.5 && map[t[1]] >= 0.5 && map[t[2]] >= 0.5) marked.push_back(t);
    }
    return marked;
}

void carry_wall(std::span<const Vec3> before, std::span<const Triangle> marked, double wall,
                std::span<Vec3> pressed) {
    if (marked.empty() || !(wall > 0)) return;
    std::vector<std::uint8_t> is_marked(before.size(), 0);
    for (const Triangle& t : marked) {
        for (const std::int32_t v : t) is_marked[v] = 1;
    }
    const SurfaceQuery front(before, marked);
    const std::vector<Vec3> moved(pressed.begin(), pressed.end());
    parallel_for(before.size(), 64, [&](std::size_t v) {
        if (is_marked[v]) return;
        const SurfacePoint near = front.closest_point(before[v], wall);
        if (near.triangle < 0) return;
        const Triangle& t = marked[near.triangle];
        Vec3 way = Vec3::Zero();
        for (int k = 0; k < 3; ++k) way += near.barycentric[k] * (moved[t[k]] - before[t[k]]);
        const double share = smooth_step((1.0 - near.distance / wall) / (1.0 - kWhole));
        pressed[v] = before[v] + share * way;
    });
}

}  // namespace ductile
