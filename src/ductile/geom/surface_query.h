// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <ductile/geom/tri_mesh.h>

namespace ductile {

/// A place on a surface.
struct SurfacePoint {
    std::int32_t triangle = -1;
    Vec3 barycentric = Vec3::Zero();  ///< Weights of the triangle's corners, >= 0, sum 1.
    Vec3 position = Vec3::Zero();     ///< [m]
    double distance = std::numeric_limits<double>::infinity();  ///< From the asked point, or along the ray [m].
};

/// Spatial questions about a triangle surface, in double precision, by a bounding volume tree.
///
/// Answers equal brute force over all triangles, ties going to the lower triangle index, whatever
/// the tree looks like; so a refitted tree answers as a new one would. Keeps its own copy of
/// the points; `refit` replaces them after the surface moved (same triangles). Const calls may run
/// on several threads at once.
class SurfaceQuery {
public:
    SurfaceQuery(std::span<const Vec3> points, std::span<const Triangle> triangles);

    /// The nearest place of the surface within `reach`; triangle -1 if there is none.
    SurfacePoint closest_point(const Vec3& p,
                               double reach = std::numeric_limits<double>::infinity()) const;

    /// The first place hit from `origin` along the unit vector `direction`, from both sides.
    SurfacePoint first_hit(const Vec3& origin, const Vec3& direction,
                           double reach = std::numeric_limits<double>::infinity()) const;

    /// How often a line from far away winds around p: 1 inside a closed outward surface, 0
    /// outside, between for open ones. Exact sum of solid angles near, a dipole far off
    /// (Barill et al. 2018), error below 1e-3.
    double winding_number(const Vec3& p) const;
    bool is_inside(const Vec3& p) const { return winding_number(p) > 0.5; }

    /// Indices of triangles whose boxes overlap `box`, ascending.
    std::vector<std::int32_t> overlapping(const Box& box) const;

    /// Whether a triangle of this surface and one of `other`, placed by `other_to_this`, intersect.
    bool overlaps(const SurfaceQuery& other, const Transform& other_to_this) const;

    /// Takes over the moved points: O(triangles), no rebuild. Requires: as many points as before.
    void refit(std::span<const Vec3> points);

    std::span<const Vec3> points() const { return points_; }
    std::span<const Triangle> triangles() const { return triangles_; }

private:
    struct Node {
        Box box;
        std::int32_t first = 0;  ///< First child, or first entry of `order_` for a leaf.
        std::int32_t count = 0;  ///< Entries of a leaf; 0 for an inner node.
    };
    std::vector<Vec3> points_;
    std::vector<Triangle> triangles_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> order_;
};

}  // namespace ductile
