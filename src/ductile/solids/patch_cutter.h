// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ductile {

/// A grid on a box that a smooth map bends into a shape, and that can be cut along curves drawn on
/// the shape: outlines of windows, wheel arches, gaps between panels.
///
/// Vertices live on the box ("lattice" places), and every new one is put through the map, so the
/// cut mesh lies on the smooth shape as exactly as the first one did.
class PatchCutter {
public:
    using Map = std::function<Vec3(const Vec3&)>;
    using Outline = std::function<double(const Vec3&)>;

    struct Face {
        Triangle corners;
        Vec3 axis;  ///< Unit normal of the box face it lies on.
    };

    /// Requires: a map that is continuous over the box of the knots' last entries.
    PatchCutter(const std::vector<double> (&knots)[3], Map map);

    /// Halves the edges that pass within half of `edge_length` of the outline: finer faces where a
    /// small feature will be cut. Requires: before the first `cut`.
    void refine(const Outline& outline, double edge_length);

    /// Makes edges follow the zero line of `outline`, a continuous function of places on the shape
    /// [m] that is negative inside. Vertices close to the line move onto it, other edges are split;
    /// lines cut earlier stay. A feature narrower than an edge may be missed.
    void cut(const Outline& outline);

    /// Drops the faces whose middle is inside, and the vertices that only they held.
    void remove(const Outline& outline);

    const std::vector<Vec3>& lattice() const { return lattice_; }
    const std::vector<Vec3>& points() const { return points_; }
    const std::vector<Face>& faces() const { return faces_; }

    /// Where the middle of a face lies on the shape.
    Vec3 middle(const Face& face) const;

private:
    struct Edge {
        std::int32_t a, b;  ///< a < b
    };
    /// The edges that are wanted, each once, ascending.
    std::vector<Edge> edges(const std::function<bool(std::int32_t, std::int32_t)>& is_wanted) const;
    /// Those whose ends lie on different sides.
    std::vector<Edge> crossed_edges(const std::vector<double>& values) const;
    using Splits = std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t>;
    double crossing(const Edge& edge, const Outline& outline, double value_a, double value_b) const;
    void split_faces(const Splits& splits);
    void snap(const Outline& outline, std::vector<double>& values);
    bool may_move(std::int32_t from, std::int32_t to) const;
    std::int32_t add_vertex(const Vec3& lattice, bool is_fixed);

    Map map_;
    Vec3 half_;
    std::vector<Vec3> lattice_;
    std::vector<Vec3> points_;
    std::vector<bool> is_fixed_;  ///< On a line that was cut.
    std::vector<Face> faces_;
};

}  // namespace ductile
