// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/pieces/convex.h>
#include <ductile/geom/query/collider_probe.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace ductile {
namespace {

// Lengths below this share of the body's size are rounding.
constexpr double kTinyShare = 1e-7;

// Samples looked at together, before the worst of them sharpens the question.
constexpr std::size_t kBlock = 512;

// Ways out of a filled hollow beside the one straight up: six at 40 degrees from it, six at 75.
constexpr std::size_t kSteepWays = 6;
const std::array<Vec3, 12> kWaysOut = [] {
    std::array<Vec3, 12> ways;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const double tilt = (i < kSteepWays ? 40.0 : 75.0) * std::numbers::pi / 180.0;
        const double turn = (static_cast<double>(i) + 0.5) * std::numbers::pi / 3.0;
        ways[i] = {std::sin(tilt) * std::cos(turn), std::sin(tilt) * std::sin(turn),
                   std::cos(tilt)};
    }
    return ways;
}();

}  // namespace

std::vector<ColliderSample> collider_samples(const SurfaceQuery& surface, std::size_t first,
                                             std::size_t stride) {
    const std::span<const Vec3> points = surface.points();
    const std::span<const Triangle> triangles = surface.triangles();
    std::vector<std::int32_t> face_of(points.size(), -1);
    for (std::size_t f = triangles.size(); f-- > 0;) {
        if (!(area_vector(points, triangles[f]).norm() > 0.0)) continue;
        for (const std::int32_t v : triangles[f]) face_of[v] = static_cast<std::int32_t>(f);
    }
    const std::vector<Vec3> normals = vertex_normals(points, triangles);
    std::vector<ColliderSample> samples;
    for (std::size_t i = first; i < points.size() + triangles.size(); i += stride) {
        if (i < points.size()) {
            if (face_of[i] >= 0) samples.push_back({points[i], normals[i], face_of[i]});
            continue;
        }
        const std::size_t f = i - points.size();
        const Triangle& t = triangles[f];
        const Vec3 vector = area_vector(points, t);
        if (!(vector.norm() > 0.0)) continue;
        const Vec3 centre = (points[t[0]] + points[t[1]] + points[t[2]]) / 3.0;
        samples.push_back({centre, vector.normalized(), static_cast<std::int32_t>(f)});
    }
    return samples;
}

ColliderProbe::ColliderProbe(const SurfaceQuery& surface)
    : surface_(surface), tiny_(kTinyShare * bounds(surface.points()).diagonal()) {}

void ColliderProbe::add(const Piece& piece, std::span<const SkinFrame> frames) {
    Hull hull;
    piece_points(piece, surface_.points(), hull.cloud, frames);
    hull.box = bounds(hull.cloud);
    hulls_.push_back(std::move(hull));
}

double ColliderProbe::distance_outside(const Vec3& p, std::int32_t own, double care) const {
    double least = hull_distance(hulls_[own].cloud, p).distance;
    for (std::size_t i = 0; i < hulls_.size() && least > care; ++i) {
        if (static_cast<std::int32_t>(i) == own) continue;
        if (hulls_[i].box.distance_sq(p) >= least * least) continue;
        least = std::min(least, hull_distance(hulls_[i].cloud, p).distance);
    }
    return least > care ? least : 0.0;
}

ColliderProbe::Reach ColliderProbe::reach(const Vec3& p, const Vec3& direction,
                                          std::int32_t own) const {
    Reach reach;
    const double own_height = HullRoof(hulls_[own].cloud, direction).height(p);
    if (own_height > 0.0) reach = {own_height, own, false};
    for (bool is_growing = true; is_growing;) {
        is_growing = false;
        for (std::size_t i = 0; i < hulls_.size(); ++i) {
            if (static_cast<std::int32_t>(i) == own) continue;
            const Vec3 end = p + reach.length * direction;
            if (hulls_[i].box.distance_sq(end) > tiny_ * tiny_) continue;
            const double leave = HullRoof(hulls_[i].cloud, direction).height(p);
            if (leave <= reach.length + tiny_) continue;
            const double enter = -HullRoof(hulls_[i].cloud, -direction).height(p);
            if (enter > reach.length + tiny_) continue;
            reach = {leave, static_cast<std::int32_t>(i), false};
            is_growing = true;
        }
    }
    if (reach.length <= tiny_) return {};
    // Where the surface itself begins again, a piece covers nothing that was free.
    const SurfacePoint wall = surface_.first_hit(p + tiny_ * direction, direction, reach.length);
    if (wall.triangle >= 0) reach = {wall.distance, reach.piece, true};
    return reach;
}

ProbeAnswer ColliderProbe::ask(const ColliderSample& sample, std::int32_t own,
                               const ColliderError& care) const {
    const Vec3& n = sample.normal;
    Reach least = reach(sample.position, n, own);
    const Vec3 u = any_perpendicular(n), v = n.cross(u);
    for (std::size_t i = 0; i < kWaysOut.size() && least.length > care.covered; ++i) {
        const Vec3 way = kWaysOut[i].x() * u + kWaysOut[i].y() * v + kWaysOut[i].z() * n;
        const Reach other = reach(sample.position, way, own);
        // Nearly along the surface any hollow bars the way by its own curvature.
        if (other.is_barred && i >= kSteepWays) continue;
        if (other.length < least.length) least = other;
    }
    // Parts of a body that stick in each other have surface that nothing can touch.
    const bool is_buried =
        least.length > care.covered && surface_.is_inside(sample.position + 100.0 * tiny_ * n);
    if (least.length <= care.covered || is_buried) least = {};
    return {distance_outside(sample.position, own, care.outside), least.length, least.piece};
}

ColliderError collider_error(const PieceTree& tree, const PieceCut& cut,
                             std::span<const Vec3> points, std::span<const Triangle> triangles,
                             std::span<const SkinFrame> frames) {
    DUCTILE_ASSERT(!cut.active.empty(), "a collider has pieces");
    const SurfaceQuery surface(points, triangles);
    ColliderProbe probe(surface);
    std::vector<std::int32_t> owner(triangles.size(), 0);
    for (std::size_t i = 0; i < cut.active.size(); ++i) {
        const Piece& piece = tree.pieces[cut.active[i]];
        probe.add(piece, frames);
        for (const std::int32_t f : piece.faces) owner[f] = static_cast<std::int32_t>(i);
    }
    const std::vector<ColliderSample> samples = collider_samples(surface, 0, 1);
    ColliderError error;
    std::vector<ProbeAnswer> answers(kBlock);
    // Blocks are spread over the surface: the first ones find about the worst, and what is not
    // worse than that is soon done with.
    const std::size_t blocks = (samples.size() + kBlock - 1) / kBlock;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t count = (samples.size() - block + blocks - 1) / blocks;
        const ColliderError care = error;
        parallel_for(count, 32, [&](std::size_t i) {
            const ColliderSample& sample = samples[block + i * blocks];
            answers[i] = probe.ask(sample, owner[sample.face], care);
        });
        for (std::size_t i = 0; i < count; ++i) {
            error.outside = std::max(error.outside, answers[i].outside);
            error.covered = std::max(error.covered, answers[i].covered);
        }
    }
    return error;
}

}  // namespace ductile
