// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/collider_probe.h>
#include <ductile/geom/convex.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Lengths below this share of the body's size are rounding.
constexpr double kTinyShare = 1e-7;

}  // namespace

std::vector<ColliderSample> collider_samples(std::span<const Vec3> points,
                                             std::span<const Triangle> triangles,
                                             std::size_t limit) {
    std::vector<std::int32_t> face_of(points.size(), -1);
    for (std::size_t f = triangles.size(); f-- > 0;) {
        if (!(area_vector(points, triangles[f]).norm() > 0.0)) continue;
        for (const std::int32_t v : triangles[f]) face_of[v] = static_cast<std::int32_t>(f);
    }
    const std::size_t all = points.size() + triangles.size();
    const std::size_t stride = std::max<std::size_t>(1, (all + limit - 1) / limit);
    const std::vector<Vec3> normals = vertex_normals(points, triangles);
    std::vector<ColliderSample> samples;
    for (std::size_t i = 0; i < all; i += stride) {
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

void ColliderProbe::add(const Piece& piece) {
    Hull hull;
    piece_points(piece, surface_.points(), hull.cloud);
    hull.box = bounds(hull.cloud);
    hulls_.push_back(std::move(hull));
}

double ColliderProbe::distance_outside(const Vec3& p, std::int32_t own) const {
    double least = hull_distance(hulls_[own].cloud, p).distance;
    for (std::size_t i = 0; i < hulls_.size() && least > 0.0; ++i) {
        if (static_cast<std::int32_t>(i) == own) continue;
        if (hulls_[i].box.distance_sq(p) >= least * least) continue;
        least = std::min(least, hull_distance(hulls_[i].cloud, p).distance);
    }
    return least;
}

ProbeAnswer ColliderProbe::ask(const ColliderSample& sample, std::int32_t own, double care) const {
    const Vec3& p = sample.position;
    const Vec3& n = sample.normal;
    ProbeAnswer answer;
    answer.outside = distance_outside(p, own);
    const double own_reach = HullRoof(hulls_[own].cloud, n).height(p);
    if (own_reach > 0.0) {
        answer.covered = own_reach;
        answer.coverer = own;
    }
    for (bool is_growing = true; is_growing;) {
        is_growing = false;
        for (std::size_t i = 0; i < hulls_.size(); ++i) {
            const Vec3 top = p + answer.covered * n;
            if (hulls_[i].box.distance_sq(top) > tiny_ * tiny_) continue;
            const HullSpan span = hull_span(hulls_[i].cloud, p, n);
            if (span.enter > answer.covered + tiny_ || span.leave <= answer.covered + tiny_)
                continue;
            answer.covered = span.leave;
            answer.coverer = static_cast<std::int32_t>(i);
            is_growing = true;
        }
    }
    if (answer.covered <= std::max(care, tiny_)) return {answer.outside, 0.0, -1};
    // Where the surface itself begins again, a piece covers nothing that was free.
    const SurfacePoint wall = surface_.first_hit(p + tiny_ * n, n, answer.covered);
    if (wall.triangle >= 0) answer.covered = wall.distance;
    return answer;
}

ColliderError collider_error(const PieceTree& tree, const PieceCut& cut,
                             std::span<const Vec3> points, std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(!cut.active.empty(), "a collider has pieces");
    const SurfaceQuery surface(points, triangles);
    ColliderProbe probe(surface);
    std::vector<std::int32_t> owner(triangles.size(), 0);
    for (std::size_t i = 0; i < cut.active.size(); ++i) {
        const Piece& piece = tree.pieces[cut.active[i]];
        probe.add(piece);
        for (const std::int32_t f : piece.faces) owner[f] = static_cast<std::int32_t>(i);
    }
    const std::vector<ColliderSample> samples =
        collider_samples(points, triangles, points.size() + triangles.size());
    std::vector<ProbeAnswer> answers(samples.size());
    parallel_for(samples.size(), 256, [&](std::size_t i) {
        answers[i] = probe.ask(samples[i], owner[samples[i].face], 0.0);
    });
    ColliderError error;
    for (const ProbeAnswer& answer : answers) {
        error.outside = std::max(error.outside, answer.outside);
        error.covered = std::max(error.covered, answer.covered);
    }
    return error;
}

}  // namespace ductile
