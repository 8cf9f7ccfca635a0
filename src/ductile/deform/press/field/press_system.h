// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/thread_pooled.h>
#include <ductile/geom/flatten/tangent_frame.h>
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/solve/sparse_cholesky.h>

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
/// vertices are eliminated, where entries go, what the rest shape gives. Follows from the rest mesh
/// alone. Read by any number of threads.
class PressSystem {
public:
    /// Requires: the graph and the faces of this mesh; all outlive it. O(n log n).
    PressSystem(const TriMesh& rest, const VertexGraph& graph, const VertexFaces& faces);

    const GraphEdges& edges() const { return edges_; }
    /// Per triangle: its edges, each across from the corner of its place.
    std::span<const std::array<std::int32_t, 3>> edges_of_triangles() const {
        return edges_of_triangles_;
    }
    const FrontTree& tree() const { return tree_; }
    /// A matrix with zeros between the given vertices, and anything elsewhere. O(vertices given).
    ThreadPooled<EdgeMatrix<double>> blank_matrix(std::span<const std::int32_t> vertices) const;

    /// What frames with the rest shape take over, the same bits as made anew.
    struct RestShape {
        std::vector<TriangleWeights> weights;  ///< Per triangle.
        std::vector<TangentFrame> frames;      ///< Per vertex: those of its normal.
        /// Of the Laplacian, for others to take parts from.
        std::shared_ptr<const SparseCholesky<double>> factor;
    };
    /// Null until it pays: `solved` is what it is asked for now [vertices], and it is made when the
    /// sum of these is some times the whole. A few frames, or small contacts, are done sooner
    /// without.
    const RestShape* rest_shape(std::size_t solved) const;
    /// Its factor alone.
    std::shared_ptr<const SparseCholesky<double>> base(std::size_t solved) const;
    /// The same for tangential parts in the frames at rest.
    struct RestDirections {
        std::vector<std::complex<double>> transports;  ///< Per edge: from its higher end's frame.
        std::shared_ptr<const SparseCholesky<std::complex<double>>> factor;
    };
    const RestDirections* rest_directions(std::size_t solved) const;

private:
    bool is_worth_a_base(std::atomic<std::size_t>& sum, std::size_t solved) const;
    const RestShape& made_rest_shape() const;
    EdgeMatrix<double> rest_laplacian(const RestShape& shape) const;

    const TriMesh& rest_;
    const VertexFaces& faces_;
    GraphEdges edges_;
    std::vector<std::array<std::int32_t, 3>> edges_of_triangles_;
    FrontTree tree_;
    mutable std::atomic<std::size_t> solved_ = 0, directions_solved_ = 0;
    mutable std::once_flag has_rest_shape_, has_rest_directions_;
    mutable RestShape rest_shape_;
    mutable RestDirections rest_directions_;
};

}  // namespace ductile
