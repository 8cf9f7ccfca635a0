// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/index_set.h>
#include <ductile/geom/tri_mesh.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// How a tree over triangles is made: with care, or along Morton's curve in a fifth of the time,
/// for a surface that is asked a few thousand questions. Answers are the same.
enum class TreeBuild : std::uint8_t { Careful, Quick };

/// A place on a surface.
struct SurfacePoint {
    std::int32_t triangle = -1;
    Vec3 barycentric = Vec3::Zero();  ///< Weights of the triangle's corners, >= 0, sum 1.
    Vec3 position = Vec3::Zero();     ///< [m]
    /// From the asked point, or along the ray [m].
    double distance = std::numeric_limits<double>::infinity();
};

/// Spatial questions about a triangle surface, in double precision, by a bounding volume tree.
///
/// Answers equal brute force over all triangles bit for bit, ties going to the lower triangle
/// index, whatever the tree looks like; so a refitted tree answers as a new one would (but for
/// `winding_number`, which is good to its stated error). Keeps its own copy of the points; `refit`
/// replaces them after the surface moved (same triangles). Any surface will do: open, crossing
/// itself, with triangles that have no area, without triangles. Const calls may run on several
/// threads at once. Building is O(n log n), a question about O(log n).
class SurfaceQuery {
public:
    /// Requires: finite points, valid indices.
    SurfaceQuery(std::span<const Vec3> points, std::span<const Triangle> triangles,
                 TreeBuild build = TreeBuild::Careful);

    /// The nearest place of the surface within `reach` (inclusive); triangle -1 if there is none.
    SurfacePoint closest_point(const Vec3& p,
                               double reach = std::numeric_limits<double>::infinity()) const;

    /// The first place hit from `origin` along the unit vector `direction`, from both sides, at
    /// most `reach` away; triangle -1 if there is none. A ray never slips through between
    /// neighbours; a triangle seen exactly edge-on is not hit.
    SurfacePoint first_hit(const Vec3& origin, const Vec3& direction,
                           double reach = std::numeric_limits<double>::infinity()) const;

    /// Every place hit on the way, by ascending distance, those of one distance by ascending
    /// triangle: one where a triangle is crossed, two where a shared edge is. A single descent.
    std::vector<SurfacePoint> all_hits(
        const Vec3& origin, const Vec3& direction,
        double reach = std::numeric_limits<double>::infinity()) const;

    /// How often a line from far away winds around p: 1 inside a closed outward surface, 0
    /// outside, between for open ones; on the surface itself it may be either side's answer or
    /// between. Exact sum of solid angles near, an expansion far off (Barill et al. 2018), error
    /// below 1e-3. The first call after a refit takes O(triangles).
    double winding_number(const Vec3& p) const;
    bool is_inside(const Vec3& p) const { return winding_number(p) > 0.5; }

    /// Indices of triangles whose boxes overlap `box` (touching counts), ascending.
    std::vector<std::int32_t> overlapping(const Box& box) const;

    /// Indices of triangles whose boxes `may_hold` says yes to, ascending. It must say yes to every
    /// box that has a part to which it says yes.
    template <class MayHold>
    std::vector<std::int32_t> within(MayHold&& may_hold) const {
        IndexSet found(triangles_.size());
        std::vector<std::int32_t> open, ascending;
        if (!nodes_.empty() && may_hold(nodes_[0].box)) open.push_back(0);
        while (!open.empty()) {
            const Node& node = nodes_[open.back()];
            open.pop_back();
            for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
                if (may_hold(triangle_box(order_[i]))) found.insert(order_[i]);
            }
            if (node.count > 0) continue;
            for (std::int32_t child = node.first; child < node.first + 2; ++child) {
                if (may_hold(nodes_[child].box)) open.push_back(child);
            }
        }
        found.take(ascending);
        return ascending;
    }

    /// No descent of the tree has more nodes open at once.
    static constexpr int kMostOpen = 80;

    /// Calls `visit(triangle)` for every triangle whose box overlaps `box`, in the tree's order,
    /// which `overlapping` does not depend on. Allocates nothing.
    template <class Visit>
    void visit_overlapping(const Box& box, Visit&& visit) const {
        if (nodes_.empty() || !nodes_[0].box.overlaps(box)) return;
        std::array<std::int32_t, kMostOpen> stack;
        int top = 0;
        stack[top++] = 0;
        while (top > 0) {
            const Node& node = nodes_[stack[--top]];
            for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
                if (triangle_box(order_[i]).overlaps(box)) visit(order_[i]);
            }
            if (node.count > 0) continue;
            for (std::int32_t child = node.first; child < node.first + 2; ++child) {
                if (nodes_[child].box.overlaps(box)) stack[top++] = child;
            }
        }
    }

    /// Around all triangles; empty for none.
    Box box() const { return nodes_.empty() ? Box{} : nodes_[0].box; }

    /// Whether a triangle of this surface and one of `other`, placed by `other_to_this`, meet;
    /// touching counts, coplanar overlap too (geom/triangle.h). One surface wholly inside the
    /// other does not overlap it: ask `is_inside` of a point.
    bool overlaps(const SurfaceQuery& other, const Transform& other_to_this) const;

    /// Takes over the moved points: O(triangles), no rebuild, the more the surface changed the
    /// slower the questions after. Requires: as many points as before, finite.
    void refit(std::span<const Vec3> points);

    /// The same where only corners of the triangles `touched` (repeats do no harm) have moved:
    /// O(touched x log n), the same boxes. Requires: every triangle with a moved corner is among
    /// them; their points finite. Points of no triangle stay as they were.
    void refit(std::span<const Vec3> points, std::span<const std::int32_t> touched);

    std::span<const Vec3> points() const { return points_; }
    std::span<const Triangle> triangles() const { return triangles_; }

private:
    struct Node {
        Box box;
        std::int32_t first = 0;  ///< First of two children, or first entry of `order_` for a leaf.
        std::int32_t count = 0;  ///< Entries of a leaf; 0 for an inner node.
    };
    struct FarFields;
    void build(TreeBuild how);
    template <class Split>
    void split_all(Split&& split);
    Box triangle_box(std::int32_t triangle) const {
        Box box;
        for (std::int32_t v : triangles_[triangle]) box.add(points_[v]);
        return box;
    }
    void refit_node(std::size_t node);
    const FarFields& far_fields() const;

    std::vector<Vec3> points_;
    std::vector<Triangle> triangles_;
    std::vector<Node>
        nodes_;  ///< Root first, children after their parents; empty for no triangles.
    std::vector<std::int32_t> order_;   ///< Triangles, leaf by leaf.
    std::vector<std::int32_t> leaf_;    ///< The node that holds each triangle.
    std::vector<std::int32_t> parent_;  ///< Of each node; -1 for the root.
    IndexSet stale_;                    ///< Nodes to be refitted; empty between calls.
    /// Made when first asked for, once per refit; copies of a query share it until their own refit.
    std::shared_ptr<FarFields> far_fields_;
};

}  // namespace ductile
