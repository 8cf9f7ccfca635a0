// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/index_set.h>
#include <ductile/core/smooth_step.h>
#include <ductile/core/stamped_array.h>
#include <ductile/deform/press/mapping/crease_cone.h>
#include <ductile/deform/press/mapping/rigid_plane.h>
#include <ductile/geom/flatten/flatten_patch.h>
#include <ductile/geom/triangle.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// All faces this near to their mean are near enough to each other.
constexpr double kSmoothCosine = 0.9239;
// A ball may turn from its own face's normal, fully up to 1 - 1/2 of the reach from a crease.
constexpr double kFreeBand = 2.0;
// Faces meet at a crease if one falls away from the other by more than this share of its size:
// those of one plane differ by rounding.
constexpr double kLeastFall = 1e-9;
// Faces that a place lies in front of, by this share of the reach, rise from its own across a
// hollow edge, as a comb's bar from its tooth: no ball rests along their normals.
constexpr double kInFront = 0.1;

/// Normals of one vertex after the other.
class CornerNormals {
public:
    explicit CornerNormals(const PressSurface& surface) : surface_(surface) {}

    void look_at(std::int32_t v) {
        faces_ = surface_.faces[v];
        areas_.clear();
        shares_.clear();
        for (const std::int32_t f : faces_) {
            const Triangle& t = surface_.triangles[f];
            const int k = t[0] == v ? 0 : t[1] == v ? 1 : 2;
            const Vec3 a = surface_.points[t[(k + 1) % 3]] - surface_.points[v];
            const Vec3 b = surface_.points[t[(k + 2) % 3]] - surface_.points[v];
            const double lengths = a.squaredNorm() * b.squaredNorm();
            areas_.push_back(a.cross(b));
            shares_.push_back(lengths > 0 ? 1.0 / lengths : 0.0);
        }
    }

    /// The normal of all faces; zero if the vertex may have a crease.
    Vec3 smooth() const {
        Vec3 sum = Vec3::Zero();
        for (std::size_t i = 0; i < areas_.size(); ++i) sum += shares_[i] * areas_[i];
        if (!(sum.norm() > 0)) return Vec3::Zero();
        sum.normalize();
        const auto is_near = [&](const Vec3& area) { return is_within(area, sum, kSmoothCosine); };
        return std::all_of(areas_.begin(), areas_.end(), is_near) ? sum : Vec3::Zero();
    }

    /// The normal of those that have no crease with one of them.
    Vec3 creased(std::int32_t face) const {
        const std::size_t at = std::find(faces_.begin(), faces_.end(), face) - faces_.begin();
        const Vec3 own = areas_[at].normalized();
        Vec3 sum = Vec3::Zero();
        for (std::size_t i = 0; i < areas_.size(); ++i) {
            if (is_within(areas_[i], own, kCreaseCosine)) sum += shares_[i] * areas_[i];
        }
        return sum.norm() > 0 ? Vec3(sum.normalized()) : own;
    }

private:
    /// Whether a vector turns from a unit one by less than some angle.
    static bool is_within(const Vec3& v, const Vec3& unit, double cosine) {
        const double along = v.dot(unit);
        return along > 0 && along * along > cosine * cosine * v.squaredNorm();
    }

    const PressSurface& surface_;
    std::span<const std::int32_t> faces_;  ///< Around the vertex.
    // A face's share in the normal (Max 1999) is its area over the squared lengths of both sides
    // here: exact on a sphere.
    std::vector<Vec3> areas_;
    std::vector<double> shares_;
};

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
    IndexSet used(rigid.points.size());
    for (const std::int32_t f : source_) {
        for (const std::int32_t v : rigid.triangles[f]) used.insert(v);
    }
    std::vector<std::int32_t> vertices;
    used.take(vertices);
    StampedArray<std::int32_t> local(rigid.points.size(), -1);
    for (const std::int32_t v : vertices) {
        local.at(v) = static_cast<std::int32_t>(points_.size());
        points_.push_back(rigid.points[v]);
    }
    CornerNormals normals(rigid);
    std::vector<Vec3> smooth;
    for (const std::int32_t v : vertices) {
        normals.look_at(v);
        smooth.push_back(normals.smooth());
    }
    for (const std::int32_t f : source_) {
        const Triangle& t = rigid.triangles[f];
        triangles_.push_back({local[t[0]], local[t[1]], local[t[2]]});
        std::array<Vec3, 3>& corners = normals_.emplace_back();
        for (int k = 0; k < 3; ++k) {
            corners[k] = smooth[triangles_.back()[k]];
            if (corners[k] != Vec3::Zero()) continue;
            normals.look_at(t[k]);
            corners[k] = normals.creased(f);
        }
    }
    const bool may_have_creases =
        std::find(smooth.begin(), smooth.end(), Vec3(Vec3::Zero())) != smooth.end();
    if (may_have_creases) find_creases();
}

void RigidPlane::find_creases() {
    const std::vector<Triangle> across = face_neighbours(triangles_);
    for (std::size_t f = 0; f < triangles_.size(); ++f) {
        std::array<bool, 3> is_crease{};
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = across[f][k];
            if (g < 0) continue;
            const Vec3& own = normals_[f][k];
            const Vec3& corner = points_[triangles_[f][k]];
            double height = 0.0, size = 0.0, turn = 1.0;
            for (int n = 0; n < 3; ++n) {
                const Vec3 way = points_[triangles_[g][n]] - corner;
                height = std::min(height, own.dot(way));
                size = std::max(size, way.norm());
                if (triangles_[g][n] == triangles_[f][k]) turn = own.dot(normals_[g][n]);
            }
            is_crease[k] = height < -kLeastFall * size && turn < kSmoothCosine;
        }
        if (is_crease == std::array<bool, 3>{}) continue;
        creased_.push_back(triangles_[f]);
        is_crease_.push_back(is_crease);
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
    std::vector<RealConstraint> constraints;
    Eigen::MatrixX2d targets(static_cast<Eigen::Index>(places.size()), 2);
    for (const PlanePlace& p : places) {
        const std::int32_t own = plane->find(p.triangle);
        DUCTILE_ASSERT(own >= 0, "places on its triangles");
        targets.row(static_cast<Eigen::Index>(constraints.size())) = p.flat.transpose();
        constraints.push_back({plane->triangles_[own], {p.weights[0], p.weights[1], p.weights[2]}});
    }
    const Result<std::vector<Vec2>> flat =
        draw_patch(plane->points_, plane->triangles_, constraints, targets);
    if (!flat) return flat.error();
    plane->lay(flat.value());
    return std::shared_ptr<const RigidPlane>(std::move(plane));
}

void RigidPlane::lay(std::span<const Vec2> flat) {
    for (const Vec2& p : flat) flat_.emplace_back(p.x(), p.y(), 0.0);
    grid_ = std::make_unique<const TriangleGrid>(flat_, triangles_);
    if (has_creases()) crease_grid_ = std::make_unique<const TriangleGrid>(flat_, creased_);
    for (const Triangle& t : triangles_) {
        Eigen::Matrix2d sides;
        sides << flat[t[1]] - flat[t[0]], flat[t[2]] - flat[t[0]];
        Weigher& weigher = weighers_.emplace_back();
        weigher.corner = flat[t[0]];
        if (sides.determinant() > 0) weigher.inverse = sides.inverse();
    }
}

Vec2 RigidPlane::flat(std::int32_t own_triangle, const Vec3& weights) const {
    const Triangle& t = triangles_[own_triangle];
    return (weights[0] * flat_[t[0]] + weights[1] * flat_[t[1]] + weights[2] * flat_[t[2]])
        .head<2>();
}

RigidPlace RigidPlane::place_on(std::int32_t own_triangle, const Vec3& weights) const {
    const Triangle& t = triangles_[own_triangle];
    const std::array<Vec3, 3>& normals = normals_[own_triangle];
    RigidPlace place;
    Vec3 normal = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        place.position += weights[k] * points_[t[k]];
        normal += weights[k] * normals[k];
    }
    place.normal = normal.norm() > 0 ? Vec3(normal.normalized()) : normals[0];
    return place;
}

RigidPlace RigidPlane::lift(const Vec2& flat) const {
    const Vec3 p(flat.x(), flat.y(), 0.0);
    // Most places are in a triangle, and to find the nearest one would take ten times as long.
    std::int32_t holder = -1;
    Vec3 weights;
    grid_->visit_near({p, p}, [&](std::int32_t f) {
        if (holder >= 0 && f > holder) return;
        const Vec3 w = weighers_[f](flat);
        if (!(w[0] >= 0 && w[1] >= 0 && w[2] >= 0)) return;
        holder = f;
        weights = w;
    });
    if (holder >= 0) return place_on(holder, weights);
    const auto near = grid_->closest_point(p);
    const SurfacePoint hit = near ? *near : nearest_of_all(flat_, triangles_, p);
    return place_on(hit.triangle, hit.barycentric);
}

std::vector<std::int32_t> RigidPlane::triangles_near(const Vec2& flat, double reach) const {
    const Vec3 p(flat.x(), flat.y(), 0.0), around(reach, reach, 0.0);
    std::vector<std::int32_t> near;
    if (!grid_->visit_near({p - around, p + around}, [&](std::int32_t f) { near.push_back(f); })) {
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            near.push_back(static_cast<std::int32_t>(f));
        }
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    return near;
}

double RigidPlane::crease_distance_sq(const Vec2& flat, double reach) const {
    const Vec3 p(flat.x(), flat.y(), 0.0), around(reach, reach, 0.0);
    double distance_sq = kInfinity;
    const auto look = [&](std::int32_t f) {
        const Triangle& t = creased_[f];
        for (int k = 0; k < 3; ++k) {
            if (!is_crease_[f][k]) continue;
            const TrianglePoint at = closest_on_edge(p, {flat_[t[0]], flat_[t[1]], flat_[t[2]]}, k);
            distance_sq = std::min(distance_sq, at.distance_sq);
        }
    };
    if (crease_grid_ && !crease_grid_->visit_near({p - around, p + around}, look)) {
        for (std::size_t f = 0; f < creased_.size(); ++f) look(static_cast<std::int32_t>(f));
    }
    return distance_sq;
}

void RigidPlane::turn_to(const Vec3& wanted, const Vec2& flat, double reach,
                         RigidPlace& place) const {
    const double distance_sq = crease_distance_sq(flat, reach);
    if (!(distance_sq < reach * reach)) return;
    NormalCone cone;
    for (const std::int32_t f : triangles_near(flat, reach)) {
        std::array<Vec2, 3> corners;
        Vec3 normal = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            corners[k] = flat_[triangles_[f][k]].head<2>() - flat;
            normal += normals_[f][k];
        }
        if (!(normal.norm() > 0)) continue;
        normal.normalize();
        const double in_front = normal.dot(place.position - points_[triangles_[f][0]]);
        const double share = 1.0 - smooth_step(in_front / (kInFront * reach));
        if (share > 0) cone.add(normal, share * disc_overlap(corners, reach));
    }
    const double share = std::min(1.0, kFreeBand * (1.0 - std::sqrt(distance_sq) / reach));
    place.is_at_crease = true;
    const Vec3 turned = place.normal + share * (cone.nearest(wanted, place.normal) - place.normal);
    if (turned.norm() > 0) place.normal = turned.normalized();
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
