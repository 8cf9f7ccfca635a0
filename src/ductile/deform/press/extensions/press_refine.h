// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/press/press.h>
#include <ductile/geom/repair/split_edges.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

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

/// Says round by round which edges of a soft mesh to split.
class PressRefiner {
public:
    /// Requires: options in range.
    PressRefiner(const SurfaceAsset& asset, const PressRefineOptions& options);

    /// The edges to split next, given what presses did to the mesh as it now is, of so many points;
    /// none: it is fine enough, or may not grow further.
    std::vector<MeshEdge> next(const EdgeStretch& stretch, std::size_t points);

private:
    double longest_edge_;      ///< That is not split [m].
    std::size_t most_points_;  ///< Of the mesh when it has grown.
    std::int32_t rounds_left_;
};

/// What goes along with `split_edges`: each new point has the mean of its edge. Requires: maps with
/// a value per point.
void grow_maps(std::span<const MeshEdge> split, PaintedMaps& maps);

/// A soft mesh made finer where it is stretched, and pressed. Maps grow with the mesh. 0 rounds, or
/// a setup without `refine`: `press_soft`, bit for bit.
struct RefinedPress {
    SurfaceAsset asset;  ///< At rest. Its `surface` is what was pressed.
    Pressed pressed;
    std::int32_t rounds = 0;  ///< In which something was split.
};
/// Error: as `press_soft`.
Result<RefinedPress> press_refined(SurfaceAsset soft, const TriMesh& rigid, PressSetup setup);

}  // namespace ductile
