// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/geom/rig.h>
#include <ductile/geom/tet_lattice.h>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// How weights are found.
struct WeightOptions {
    double gap = 1e-6;         ///< How far above the least all energies may be, share of it; > 0.
    int most_solves = 1000;    ///< Of all handles at once; >= 1.
    double threshold = 0.001;  ///< Subtracted from weights of surface points, < 1; 0: keeps all.
};
template <class Visitor>
void visit_fields(WeightOptions& o, Visitor&& field) {
    field(Field{"gap", "", 1e-12, 1.0, "how far from the smoothest weights, share of their energy"},
          o.gap);
    field(Field{"most_solves", "", 1, 100000, "solves after which the search ends"}, o.most_solves);
    field(Field{"threshold", "", 0.0, 0.5, "subtracted from every weight; what is below goes"},
          o.threshold);
}

/// A part of the lattice that no handle is in: it follows the nearest one.
struct LoosePart {
    std::int32_t handle = 0;
    std::size_t nodes = 0;
    Vec3 middle = Vec3::Zero();  ///< Of its nodes [m].
};

/// Weights on the nodes of a lattice.
struct LatticeWeights {
    /// A row per node, a column per handle; in [0, 1], rows sum to 1. A held node's row is as held.
    Eigen::MatrixXd nodes;
    std::vector<LoosePart> loose;  ///< By component.
    std::vector<double> energies;  ///< Per handle: w^T Q w before rows were divided.
    int solves = 0;                ///< Of all handles at once.
    double gap = 0.0;              ///< Their sum is proven to be this near its least, share of it.
    /// Nodes that no handle holds where a weight is larger or smaller than all around: none were
    /// best, some are in the nature of these weights.
    std::size_t peaks = 0;
};

/// Bounded biharmonic weights (Jacobson et al. 2011): for each handle w that minimises w^T Q w with
/// 0 <= w <= 1, given on the nodes that handles hold; Q = L M^-1 L of the lattice. Rows are then
/// divided by their sums. Same input, same bits at any number of threads.
/// Error: no handles, handles that are not right, two on one node, or no end within `most_solves`.
Result<LatticeWeights> bounded_weights(const TetLattice& lattice, std::span<const Handle> handles,
                                       std::span<const Triangle> cage_faces = {},
                                       const WeightOptions& options = {});

struct HeldNode;
/// The same where it is known which nodes are held, and by which handles. Requires: handles and
/// nodes that are there. Error: no handles, or no end within `most_solves`.
Result<LatticeWeights> held_weights(const TetLattice& lattice, std::span<const Handle> handles,
                                    std::span<const HeldNode> held, const WeightOptions& options);

/// Q: of a lattice's nodes, without unit, 72 on the diagonal well inside. Not definite by itself.
Eigen::SparseMatrix<double> biharmonic_matrix(const TetLattice& lattice);

/// Weights of points by their shares of the lattice's nodes. The threshold is subtracted from
/// each, what is then not above 0 goes, rows are divided by their sums: nothing jumps. Where all
/// would go, the largest stays.
SkinWeights carry_weights(const TetLattice& lattice, const Eigen::MatrixXd& nodes,
                          std::span<const Vec3> points, double threshold);

}  // namespace ductile
