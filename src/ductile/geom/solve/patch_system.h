// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/solve/sparse_cholesky.h>
#include <ductile/geom/tri_mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A patch's Laplacian, factored with some points given.
class PatchFactor {
public:
    using Fields = SparseCholesky<double>::Fields;

    /// Solves L x = b in place, a row per point: rows of given points hold x and keep it, the
    /// others hold b. Points of no triangle are left alone.
    void solve(Fields& fields) const;

private:
    friend class PatchSystem;
    explicit PatchFactor(SparseCholesky<double> factor) : factor_(std::move(factor)) {}

    struct GivenEdge {
        std::int32_t free, given;
        double value;
    };
    SparseCholesky<double> factor_;
    std::vector<GivenEdge> given_edges_;
};

/// Factors the Laplacian of a few triangles for more than one choice of weights and given points:
/// the order of elimination is found once. Never changes. Keeps a view of the triangles.
class PatchSystem {
public:
    /// Requires: valid indices. O(n log n).
    PatchSystem(std::size_t point_count, std::span<const Triangle> triangles);

    /// `half_cotangents` per triangle, or other weights of its sides; `is_given` per point.
    /// Error: no unique solution.
    Result<PatchFactor> factor(std::span<const Vec3> half_cotangents,
                               std::span<const std::uint8_t> is_given) const;

private:
    VertexGraph graph_;
    GraphEdges edges_;
    FrontTree tree_;
    std::span<const Triangle> triangles_;
    std::vector<std::array<std::int32_t, 3>> sides_;
};

}  // namespace ductile
