// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/press/rigid_plane.h>
#include <ductile/geom/flatten_patch.h>
#include <ductile/geom/triangle.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Faces that meet at a sharper angle have normals of their own: a box's sides stay flat.
constexpr double kCreaseCosine = 0.7071;
// All faces this near to their mean are near enough to each other.
constexpr double kSmoothCosine = 0.9239;

/// A face's share in the normal at one of its corners (Max 1999): exact on a sphere.
Vec3 corner_share(const PressSurface& surface, std::int32_t face, std::int32_t v) {
    const Triangle& t = surface.triangles[face];
    const int k = t[0] == v ? 0 : t[1] == v ? 1 : 2;
    const Vec3 a = surface.points[t[(k + 1) % 3]] - surface.points[v];
    const Vec3 b = surface.points[t[(k + 2) % 3]] - surface.points[v];
    const double lengths = a.squaredNorm() * b.squaredNorm();
    return lengths > 0 ? Vec3(a.cross(b) / lengths) : Vec3::Zero();
}

/// The normal at a vertex that has no crease; zero if it may have one.
Vec3 smooth_normal(const PressSurface& surface, std::int32_t v) {
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t f : surface.faces.of(v)) sum += corner_share(surface, f, v);
    if (!(sum.norm() > 0)) return Vec3::Zero();
    sum.normalize();
    for (const std::int32_t f : surface.faces.of(v)) {
        const Vec3 area = area_vector(surface.points, surface.triangles[f]);
        if (!(area.dot(sum) > kSmoothCosine * area.norm())) return Vec3::Zero();
    }
    return sum;
}

Vec3 creased_normal(const PressSurface& surface, std::int32_t face, std::int32_t v) {
    const Vec3 own = area_vector(surface.points, surface.triangles[face]).normalized();
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t f : surface.faces.of(v)) {
        const Vec3 area = area_vector(surface.points, surface.triangles[f]);
        if (area.dot(own) > kCreaseCosine * area.norm()) sum += corner_share(surface, f, v);
    }
    return sum.norm() > 0 ? Vec3(sum.normalized()) : own;
}

SurfacePoint nearest_of_all(std::span<const Vec3> points, std::span<const Triangle> triangles,
                            const Vec3& p) {
    SurfacePoint best;
    double best_sq = kInfinity;
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Triangle& t = triangles[f];
        const TrianglePoint at = closest_on_triangle(p, {points[t[0]], points[t[1]], points[t[2]]});
        if (!(at.distance_sq < best_sq)) continue;
        best_sq = at.distance_sq;
        best = {static_cast<std::int32_t>(f), at.barycentric, at.position, std::sqrt(best_sq)};
    }
    return best;
}

}  // namespace

RigidPlane::RigidPlane(const PressSurface& rigid, std::vector<std::int32_t> triangles)
    : source_(std::move(triangles)) {
    std::vector<std::int32_t> vertices;
    for (const std::int32_t f : source_) {
        const Triangle& t = rigid.triangles[f];
        vertices.insert(vertices.end(), t.begin(), t.end());
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    const auto local = [&](std::int32_t v) {
        const auto at = std::lower_bound(vertices.begin(), vertices.end(), v);
        return static_cast<std::int32_t>(at - vertices.begin());
    };
    for (const std::int32_t v : vertices) points_.push_back(rigid.points[v]);
    for (const std::int32_t f : source_) {
        const Triangle& t = rigid.triangles[f];
        triangles_.push_back({local(t[0]), local(t[1]), local(t[2])});
    }
    std::vector<Vec3> smooth;
    for (const std::int32_t v : vertices) smooth.push_back(smooth_normal(rigid, v));
    for (std::size_t f = 0; f < source_.size(); ++f) {
        std::array<Vec3, 3>& corners = normals_.emplace_back();
        for (int k = 0; k < 3; ++k) {
            corners[k] = smooth[triangles_[f][k]];
            if (corners[k] != Vec3::Zero()) continue;
            corners[k] = creased_normal(rigid, source_[f], rigid.triangles[source_[f]][k]);
        }
    }
}

Result<std::shared_ptr<const RigidPlane>> RigidPlane::make(const PressSurface& rigid,
                                                           std::vector<std::int32_t> triangles,
                                                           bool keeps_sizes) {
    DUCTILE_ASSERT(!triangles.empty(), "a triangle at least");
    std::shared_ptr<RigidPlane> plane(new RigidPlane(rigid, std::move(triangles)));
    const Result<std::vector<Vec2>> flat = flatten_patch(
        plane->points_, plane->triangles_, {.fills_holes = true, .keeps_sizes = keeps_sizes});
    if (!flat) return Error{"the rigid side: " + flat.error().what, "", flat.error().hint};
    plane->lay(flat.value());
    return std::shared_ptr<const RigidPlane>(std::move(plane));
}

Result<std::shared_ptr<const RigidPlane>> RigidPlane::make_drawn(
    const PressSurface& rigid, std::vector<std::int32_t> triangles,
    std::span<const PlanePlace> places) {
    std::shared_ptr<RigidPlane> plane(new RigidPlane(rigid, std::move(triangles)));
    std::vector<RealClaim> claims;
    Eigen::MatrixX2d targets(static_cast<Eigen::Index>(places.size()), 2);
    for (const PlanePlace& p : places) {
        const std::int32_t own = plane->find(p.triangle);
        DUCTILE_ASSERT(own >= 0, "places on its triangles");
        targets.row(static_cast<Eigen::Index>(claims.size())) = p.flat.transpose();
        claims.push_back({plane->triangles_[own], {p.weights[0], p.weights[1], p.weights[2]}});
    }
    const Result<std::vector<Vec2>> flat =
        draw_patch(plane->points_, plane->triangles_, claims, targets);
    if (!flat) return flat.error();
    plane->lay(flat.value());
    return std::shared_ptr<const RigidPlane>(std::move(plane));
}

void RigidPlane::lay(std::span<const Vec2> flat) {
    for (const Vec2& p : flat) flat_.emplace_back(p.x(), p.y(), 0.0);
    grid_ = std::make_unique<const TriangleGrid>(flat_, triangles_);
}

std::int32_t RigidPlane::find(std::int32_t triangle) const {
    const auto at = std::lower_bound(source_.begin(), source_.end(), triangle);
    const bool is_there = at != source_.end() && *at == triangle;
    return is_there ? static_cast<std::int32_t>(at - source_.begin()) : -1;
}

Vec2 RigidPlane::flat(std::int32_t own_triangle, const Vec3& weights) const {
    const Triangle& t = triangles_[own_triangle];
    return (weights[0] * flat_[t[0]] + weights[1] * flat_[t[1]] + weights[2] * flat_[t[2]])
        .head<2>();
}

RigidPlace RigidPlane::lift(const Vec2& flat) const {
    const Vec3 p(flat.x(), flat.y(), 0.0);
    const auto near = grid_->closest_point(p);
    const SurfacePoint hit = near ? *near : nearest_of_all(flat_, triangles_, p);
    const Triangle& t = triangles_[hit.triangle];
    RigidPlace place;
    Vec3 normal = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        place.position += hit.barycentric[k] * points_[t[k]];
        normal += hit.barycentric[k] * normals_[hit.triangle][k];
    }
    place.normal = normal.norm() > 0 ? Vec3(normal.normalized()) : normals_[hit.triangle][0];
    return place;
}

Result<std::shared_ptr<const RigidPlane>> RigidPlanes::find_or_make(
    const PressSurface& rigid, std::vector<std::int32_t> triangles, bool keeps_sizes) {
    {
        const std::lock_guard lock(mutex_);
        for (const Entry& entry : entries_) {
            if (entry.keeps_sizes != keeps_sizes || entry.triangles != triangles) continue;
            ++hits_;
            return entry.plane;
        }
    }
    // Made outside of the lock: two threads may make the same one, and it is the same.
    Result<std::shared_ptr<const RigidPlane>> made =
        RigidPlane::make(rigid, triangles, keeps_sizes);
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= kMost) entries_.pop_front();
    entries_.push_back({std::move(triangles), keeps_sizes, made});
    return made;
}

std::int64_t RigidPlanes::hits() const {
    const std::lock_guard lock(mutex_);
    return hits_;
}

}  // namespace ductile
