// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/deform/press/press.h>
#include <ductile/geom/repair/split_edges.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Where and how far a soft mesh is made finer before it is pressed for good: a deep pit stretches
/// few triangles over much surface (the seed's Figure 11). Plain data.
struct PressRefineOptions {
    double edge = 1.5;        ///< Stretched edges are split above so many mean edges of the mesh.
    std::int32_t rounds = 3;  ///< Presses at most so many times to look where.
    double growth = 4.0;      ///< The mesh gets at most so many times its points.
};
template <class Visitor>
void visit_fields(PressRefineOptions& o, Visitor&& field) {
    field(Field{"edge", "", 0.1, 100.0, "stretched edges are split above so many mean edges"},
          o.edge);
    field(Field{"rounds", "", 0, 8, "presses at most so many times to look where"}, o.rounds);
    field(Field{"growth", "", 1.0, 100.0, "the mesh gets at most so many times its points"},
          o.growth);
}

/// Error: a field out of range, by its name.
Status check(const PressRefineOptions& options);

/// How long presses of one mesh make its edges: the longest over any number of them, whatever their
/// order.
class EdgeStretch {
public:
    /// Requires: valid indices.
    explicit EdgeStretch(const TriMesh& mesh);

    /// One press: the points before and after. Edges that it stretched by less than a fifth do not
    /// count.
    void add(std::span<const Vec3> before, std::span<const Vec3> pressed);

    /// Edges that came to be longer than `bound` [m]: ascending, the longest `most` of them.
    std::vector<MeshEdge> edges_above(double bound, std::size_t most) const;

private:
    std::vector<MeshEdge> edges_;
    std::vector<double> longest_;  ///< [m]; 0: never stretched.
};

/// Tells round by round which edges of a soft mesh to split.
class PressRefiner {
public:
    /// Requires: options in range.
    PressRefiner(const SurfaceAsset& asset, const PressRefineOptions& options);

    /// The edges to split next, given what presses did to the mesh as it now is, of so many points;
    /// none: it is fine enough, or may not grow further.
    std::vector<MeshEdge> next(const EdgeStretch& stretch, std::size_t points);

private:
    double bound_;  ///< [m]
    std::size_t limit_;
    std::int32_t rounds_left_;
};

/// What goes along with `split_edges`: a number, or a place, halfway for each new point.
void grow_map(std::span<const MeshEdge> split, std::vector<double>& map);  ///< Empty stays empty.
void grow_points(std::span<const MeshEdge> split, std::vector<Vec3>& points);

/// A soft mesh made finer where it is stretched, and pressed. Maps grow with the mesh: a new vertex
/// has the mean of its edge. 0 rounds: `press_soft`, bit for bit.
struct RefinedPress {
    SurfaceAsset asset;  ///< At rest. Its `surface` is what was pressed.
    Pressed pressed;
    std::int32_t rounds = 0;  ///< In which something was split.
};
/// Error: as `press_soft`; refine options out of range.
Result<RefinedPress> press_refined(SurfaceAsset soft, const TriMesh& rigid,
                                   const PressOptions& options, const PressRefineOptions& refine,
                                   PressMaps maps = {});

}  // namespace ductile
