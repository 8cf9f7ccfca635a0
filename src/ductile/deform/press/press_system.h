// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/sparse_cholesky.h>

#include <array>
#include <atomic>
#include <complex>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ductile {

/// What the fields of a press are solved with, found once for a soft body: in which order its
/// vertices are eliminated, where entries go, cotangents at rest. Follows from the rest mesh alone.
/// Read by any number of threads.
class PressSystem {
public:
    /// Requires: the graph of this mesh; both outlive it. O(n log n).
    PressSystem(const TriMesh& rest, const VertexGraph& graph);

    const GraphEdges& edges() const { return edges_; }
    /// Per triangle: its edges, each across from the corner of its place.
    std::span<const std::array<std::int32_t, 3>> sides() const { return sides_; }
    const FrontTree& tree() const { return tree_; }
    /// Halves, per triangle, at rest.
    std::span<const Vec3> rest_cotangents() const { return cotangents_; }

    /// A factor for frames with the rest shape to take parts from, the same bits as without.
    /// Null for the first frames: one or two are sooner done without it than it is made.
    std::shared_ptr<const SparseCholesky<double>> base() const;

private:
    const TriMesh& rest_;
    GraphEdges edges_;
    std::vector<std::array<std::int32_t, 3>> sides_;
    FrontTree tree_;
    std::vector<Vec3> cotangents_;
    mutable std::atomic<int> frames_ = 0;
    mutable std::once_flag has_base_;
    mutable std::shared_ptr<const SparseCholesky<double>> base_;
};

}  // namespace ductile
