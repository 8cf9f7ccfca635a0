// SPDX-License-Identifier: MIT
// The ball that touches at a vertex v with outward normal n and goes through p has the radius
// |p - v|^2 / (2 n . (v - p)); the least over all p on the far side is the largest that fits (Ma,
// Bae and Choi 2012, "3D medial axis point approximation using nearest neighbors and the normal
// field").
#include <ductile/deform/press/zone/press_stiffness.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ductile {
namespace {

constexpr double kOfSize = 0.25;  // Figure 8's ball.
constexpr double kOfFitting = 0.5;
// An elastic ball that is pressed in by d touches over a radius a^2 = R d + 0.74 d^2, whatever
// Poisson's ratio (validation/soft_shapes.csv); a fitting ball of radius s has a^2 = 2 (R - s) d -
// d^2.
constexpr double kPerDepth = 0.87, kLeastOfRest = 0.2;
// A vertex is inside a ball below this share of its radius squared: those of a round body all lie
// on it, and rounding must not choose among them.
constexpr double kInside = 1.0 - 1e-6;
// A ball that samples this share of its radius apart leave is too large by 1 % at most: the nearest
// is half as far beside the farthest place, 2 radii away.
constexpr double kDenseSamples = 0.4;
constexpr std::size_t kTouched = 33, kFarSide = 1024;  // Vertices.

struct Sample {
    Vec3 point, normal;
};

/// Twice the area of the faces around all vertices before each, and around all [m^2].
std::vector<double> areas_before(const RestSurface& surface) {
    const TriMesh& rest = surface.mesh();
    std::vector<double> before(rest.points.size() + 1, 0.0);
    for (const Triangle& t : rest.triangles) {
        const double area = area_vector(rest.points, t).norm();
        for (const std::int32_t v : t) before[v + 1] += area;
    }
    for (std::size_t v = 0; v < rest.points.size(); ++v) before[v + 1] += before[v];
    return before;
}

/// At most `most` vertices of faces: all, or as many for equal shares of the area. By their number
/// a figure's fingers and face, which are modelled finely, would stand for its trunk.
std::vector<Sample> samples(const RestSurface& surface, std::span<const double> area_before,
                            std::size_t most) {
    const TriMesh& rest = surface.mesh();
    const auto sample_at = [&](std::int32_t v) {
        return Sample{rest.points[v],
                      vertex_normal(rest.points, rest.triangles, surface.faces(), v)};
    };
    const double all = area_before.back();
    std::vector<Sample> found;
    if (most >= rest.points.size() || !(all > 0)) {
        for (std::size_t v = 0; v < rest.points.size(); ++v) {
            if (surface.faces()[static_cast<std::int32_t>(v)].empty()) continue;
            found.push_back(sample_at(static_cast<std::int32_t>(v)));
        }
        return found;
    }
    for (std::size_t i = 0; i < most; ++i) {
        const double before = all * static_cast<double>(i) / static_cast<double>(most);
        const auto at = std::upper_bound(area_before.begin() + 1, area_before.end() - 1, before);
        found.push_back(sample_at(static_cast<std::int32_t>(at - area_before.begin() - 1)));
    }
    return found;
}

/// Of a ball that touches at `at`; infinity if nothing faces it. What faces the same way is no far
/// side but a bump beside it.
double largest_fitting(const Sample& at, std::span<const Sample> others) {
    double square = kInfinity, twice_depth = 1.0;
    for (const Sample& p : others) {
        const Vec3 way = at.point - p.point;
        const double depth = 2.0 * way.dot(at.normal);
        const double way_sq = way.squaredNorm();
        // Few are nearer than the nearest so far, and of these alone it matters where they face.
        if (!(way_sq * twice_depth < square * depth) || !(p.normal.dot(at.normal) < 0)) continue;
        square = way_sq;
        twice_depth = depth;
    }
    return square / twice_depth;
}

/// The same among all vertices of faces, for a ball known to be no smaller, where samples that are
/// `spacing` apart may have missed it: those of a wide sheet lie further apart than it is thick.
double shrunk(const RestSurface& surface, const Sample& at, double spacing, double radius) {
    const TriMesh& rest = surface.mesh();
    if (!(radius < kInfinity) || spacing < kDenseSamples * radius) return radius;
    Vec3 centre = at.point - radius * at.normal;
    double inside_sq = kInside * radius * radius;
    for (std::size_t v = 0; v < rest.points.size(); ++v) {
        if (!((rest.points[v] - centre).squaredNorm() < inside_sq)) continue;
        const auto vertex = static_cast<std::int32_t>(v);
        if (surface.faces()[vertex].empty()) continue;
        const Sample one{rest.points[v],
                         vertex_normal(rest.points, rest.triangles, surface.faces(), vertex)};
        radius = std::min(radius, largest_fitting(at, {&one, 1}));
        centre = at.point - radius * at.normal;
        inside_sq = kInside * radius * radius;
    }
    return radius;
}

}  // namespace

double default_stiffness(const RestSurface& surface) {
    const std::vector<double> area_before = areas_before(surface);
    const std::vector<Sample> others = samples(surface, area_before, kFarSide);
    const double area = area_before.back() / 6.0;  // twice, around three corners
    const double spacing = std::sqrt(area / static_cast<double>(kFarSide));
    std::vector<double> radii;
    for (const Sample& at : samples(surface, area_before, kTouched)) {
        radii.push_back(shrunk(surface, at, spacing, largest_fitting(at, others)));
    }
    const double most = kOfSize * surface.size();
    if (radii.empty()) return most;
    const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
    std::nth_element(radii.begin(), middle, radii.end());
    return std::min(most, kOfFitting * *middle);
}

double stiffness_at_depth(double at_rest, double depth) {
    return std::max(kLeastOfRest * at_rest, at_rest - kPerDepth * depth);
}

}  // namespace ductile
