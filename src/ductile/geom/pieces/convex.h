// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace ductile {

// Questions about the convex hull of a small cloud of points, asked without building the hull: each
// only looks for the point furthest along some direction, O(points) a look. A cloud may be flat,
// repeat points, or be a single point. Requires: at least one point, all of them finite.

/// Index of the point furthest along `direction`; the lowest one among equals.
std::size_t support_index(std::span<const Vec3> cloud, const Vec3& direction);

/// The place of a hull nearest to a point.
struct HullDistance {
    double distance = 0.0;        ///< [m]; 0 inside.
    Vec3 nearest = Vec3::Zero();  ///< The point itself if it is inside.
};

namespace hull_detail {
/// The corners that span the part of a hull nearest to the origin so far.
struct Simplex {
    std::array<Vec3, 4> corners;
    int count = 0;
};
/// The point of the simplex nearest to the origin; keeps only the corners that span it.
Vec3 nearest_of(Simplex& simplex);
}  // namespace hull_detail

/// Distance from `p` to anything convex that is known by its support mapping alone: of its points,
/// `support(direction)` is one furthest along. `start` is any of them. Exact to about 1e-9 of its
/// size; what is found to be further away than `reach` may come out as infinitely far.
template <class Support>
HullDistance support_distance(Support&& support, const Vec3& start, const Vec3& p,
                              double reach = std::numeric_limits<double>::infinity()) {
    // Ends by itself in about ten rounds; rounding could make it go back and forth.
    constexpr int kRounds = 64;
    // v.v - v.w below this share of v.v: the distance is known to as many digits.
    constexpr double kGap = 1e-12;
    hull_detail::Simplex s{{Vec3(start - p)}, 1};
    Vec3 v = s.corners[0];
    double size_sq = v.squaredNorm();
    for (int round = 0; round < kRounds; ++round) {
        const Vec3 w = support(Vec3(-v)) - p;
        size_sq = std::max(size_sq, w.squaredNorm());
        const double length_sq = v.squaredNorm(), along = v.dot(w);
        if (length_sq <= 1e-28 * size_sq) return {0.0, p};
        if (length_sq - along <= kGap * length_sq) break;
        // All of it lies beyond a plane that is further away.
        if (along > 0.0 && along * along > reach * reach * length_sq) {
            return {std::numeric_limits<double>::infinity(), p};
        }
        hull_detail::Simplex larger = s;
        larger.corners[larger.count++] = w;
        const Vec3 nearer = hull_detail::nearest_of(larger);
        if (larger.count == 4) return {0.0, p};
        if (!(nearer.squaredNorm() < length_sq)) break;  // rounding: no better answer to be had
        s = larger;
        v = nearer;
    }
    return {v.norm(), p + v};
}

/// Distance from `p` to the hull of `cloud`, exact to about 1e-9 of the cloud's size.
HullDistance hull_distance(std::span<const Vec3> cloud, const Vec3& p);

/// Where a line meets a hull.
struct HullSpan {
    double enter = std::numeric_limits<double>::infinity();   ///< Along the direction [m].
    double leave = -std::numeric_limits<double>::infinity();  ///< Along the direction [m].
    bool is_hit() const { return enter <= leave; }
};

/// The stretch of the line `origin + t direction` inside the hull, t of either sign; misses are
/// told by is_hit. Requires: a unit direction.
HullSpan hull_span(std::span<const Vec3> cloud, const Vec3& origin, const Vec3& direction);

namespace hull_detail {
/// A corner of the triangle that the simplex method moves about, seen along the direction with the
/// line at the origin.
struct Pillar {
    double u = 0.0, v = 0.0, height = 0.0;
    std::int32_t index = -1;  ///< Into the cloud; -1 for an auxiliary one.
};
}  // namespace hull_detail

/// The far side of a hull, seen along one direction by many points in turn.
///
/// Faces of the hull that a question brought to light are kept, so that most later questions are
/// answered by a look at those. Answers do not depend on which questions came before, to rounding.
class HullRoof {
public:
    /// Points of `cloud` are looked at later: it must live as long. Requires: a unit direction.
    HullRoof(std::span<const Vec3> cloud, const Vec3& direction) { reset(cloud, direction); }
    HullRoof() = default;

    /// Starts anew with another cloud, reusing memory.
    void reset(std::span<const Vec3> cloud, const Vec3& direction);

    /// How far the hull reaches beyond `p` along the direction [m]: the largest t with
    /// p + t direction in the hull, negative where p lies beyond it already, minus infinity where
    /// the line misses the hull. A line on the very border counts as a hit; exact to 1e-9 of the
    /// cloud's size times the steepness of the face that is met.
    double height(const Vec3& p);

    /// At least `height(p)`, from the faces known so far; plus infinity before any question. Cheap.
    double height_bound(const Vec3& p) const;

private:
    struct Face {
        Vec3 normal;                          ///< Scaled: its product with the direction is 1.
        double offset;                        ///< normal . p <= offset for all of the cloud.
        std::array<std::int32_t, 3> corners;  ///< Indices into the cloud; -1 where it is unbounded.
    };
    Face find_face(const Vec3& p, const Face* near, double& height) const;
    bool contains(const Face& face, const Vec3& p) const;
    std::array<hull_detail::Pillar, 3> pillars_of(const std::array<std::int32_t, 3>& corners,
                                                  const Vec3& line) const;

    std::span<const Vec3> cloud_;
    Vec3 direction_ = Vec3::UnitY();
    Vec3 side_u_ = Vec3::UnitX();
    Vec3 side_v_ = Vec3::UnitZ();
    Vec3 mean_ = Vec3::Zero();
    double size_ = 0.0;  ///< Largest distance from the mean [m].
    std::vector<Face> faces_;
};

}  // namespace ductile
