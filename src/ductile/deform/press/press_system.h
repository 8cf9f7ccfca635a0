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
    /// Requires: the graph and the faces of this mesh; all outlive it. O(n log n).
    PressSystem(const TriMesh& rest, const VertexGraph& graph, const VertexFaces& faces);

    const GraphEdges& edges() const { return edges_; }
    /// Per triangle: its edges, each across from the corner of its place.
    std::span<const std::array<std::int32_t, 3>> sides() const { return sides_; }
    const FrontTree& tree() const { return tree_; }
    /// Halves, per triangle, at rest.
    std::span<const Vec3> rest_cotangents() const { return cotangents_; }

    /// A factor for frames with the rest shape to take parts from, the same bits as without.
    /// Null until it pays: `solved` is what it is asked for now [vertices], and it is made when the
    /// sum of these is some times the whole. A few frames, or small contacts, are done sooner
    /// without.
    std::shared_ptr<const SparseCholesky<double>> base(std::size_t solved) const;
    /// The same for tangential parts in the frames of the normals at rest.
    std::shared_ptr<const SparseCholesky<std::complex<double>>> direction_base(
        std::size_t solved) const;

private:
    EdgeMatrix<double> rest_laplacian() const;
    bool is_worth_a_base(std::atomic<std::size_t>& sum, std::size_t solved) const;

    const TriMesh& rest_;
    const VertexFaces& faces_;
    GraphEdges edges_;
    std::vector<std::array<std::int32_t, 3>> sides_;
    FrontTree tree_;
    std::vector<Vec3> cotangents_;
    mutable std::atomic<std::size_t> solved_ = 0, directions_solved_ = 0;
    mutable std::once_flag has_base_, has_direction_base_;
    mutable std::shared_ptr<const SparseCholesky<double>> base_;
    mutable std::shared_ptr<const SparseCholesky<std::complex<double>>> direction_base_;
};

}  // namespace ductile
