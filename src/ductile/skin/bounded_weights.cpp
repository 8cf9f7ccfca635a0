// SPDX-License-Identifier: MIT
// Bounded biharmonic weights (Jacobson, Baran, Popovic and Sorkine 2011). Theirs are found by an
// active-set solver, a factorisation per change of the set and handle; here by the alternating
// direction method of multipliers (Boyd et al. 2011, section 5.2): one factorisation of Q + rho I
// for all handles, then solves, clamps and sums of what was clamped off. One more, of Q itself,
// gives the start, weights without bounds, clamped, and proves how far the energy may still be from
// its least: rho times those sums are multipliers, and any multipliers give a lower bound.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/solve/sparse_cholesky.h>
#include <ductile/skin/bounded_weights.h>
#include <ductile/skin/place_handles.h>

#include <Eigen/SparseCore>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Eigen::Index;

// rho is this share of Q's mean diagonal, over the square of how far it is to a held node on
// average, in cells. The best rho was looked for on a dozen meshes with 18 to 1,500 nodes a handle:
// it goes from 0.1 to 0.002 of the diagonal, and this is about within a factor of 2 of it; thin
// shapes like less, thick and fine ones more. One that is off by ten takes three times the solves.
constexpr double kPenalty = 0.16;
constexpr double kOverRelaxation = 1.7;  // Boyd et al., section 3.4.3: 1.5 to 1.8.
// Solves until the gap is first looked at, and at most from then on; a look costs a solve.
constexpr int kFirstSteps = 8, kMostSteps = 16;
// How much more a weight must differ from all around it to be a peak of its own.
constexpr double kPeak = 1e-4;

}  // namespace

Sparse biharmonic_matrix(const TetLattice& lattice) {
    // In a tetrahedron of this lattice linear functions f have the energy |grad f|^2 = sum over the
    // four short sides of (cell / 12) (difference)^2; the long sides' cotangents are 0. Divided by
    // what an inner side and node have, so that Q has no unit.
    constexpr double kSide = 1.0 / 6.0, kMass = 1.0 / 24.0;
    const auto size = static_cast<Index>(lattice.points().size());
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(lattice.tets().size() * 12);
    Eigen::VectorXd mass = Eigen::VectorXd::Zero(size);
    for (const Tet& tet : lattice.tets()) {
        for (int i = 0; i < 4; ++i) {
            mass[tet[i]] += kMass;
            entries.emplace_back(tet[i], tet[i], 2.0 * kSide);
            for (int k = i < 2 ? 2 : 0; k < (i < 2 ? 4 : 2); ++k) {
                entries.emplace_back(tet[i], tet[k], -kSide);
            }
        }
    }
    Sparse laplacian(size, size);
    laplacian.setFromTriplets(entries.begin(), entries.end());
    const Sparse scaled = mass.cwiseInverse().asDiagonal() * laplacian;
    return laplacian * scaled;
}

namespace {

/// Q with a penalty on the diagonal, factored for the nodes that are to be solved for.
class PenaltySolver {
public:
    PenaltySolver(const TetLattice& lattice, const Sparse& q, std::span<const std::int32_t> active)
        : graph_(graph_of(q)),
          edges_(graph_),
          matrix_(graph_.size(), edges_.size()),
          tree_(FrontTree(graph_, edges_, dissect(graph_, lattice.points())).masked(active)) {
        for (Index v = 0; v < q.cols(); ++v) {
            std::int32_t edge = edges_.first_of(static_cast<std::size_t>(v));
            for (Sparse::InnerIterator it(q, v); it; ++it) {
                if (it.row() == v) matrix_.diagonal[v] = it.value();
                if (it.row() > v) matrix_.edge[edge++] = it.value();
            }
        }
    }

    Result<SparseCholesky<double>> factor(double penalty) const {
        EdgeMatrix<double> matrix = matrix_;
        for (double& d : matrix.diagonal) d += penalty;
        return SparseCholesky<double>::make(tree_, matrix);
    }

private:
    static VertexGraph graph_of(const Sparse& q) {
        VertexGraph graph;
        graph.start.push_back(0);
        for (Index v = 0; v < q.cols(); ++v) {
            for (Sparse::InnerIterator it(q, v); it; ++it) {
                if (it.row() != v) graph.neighbours.push_back(static_cast<std::int32_t>(it.row()));
            }
            graph.start.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
        }
        return graph;
    }

    VertexGraph graph_;
    GraphEdges edges_;
    EdgeMatrix<double> matrix_;
    FrontTree tree_;
};

/// All handles' weights on the way to their least energy.
class BoundedSearch {
public:
    /// `weights` has what is held and zeros; it gets the rest. `free` is the factor of Q itself,
    /// `penal` that of Q with rho on the diagonal.
    BoundedSearch(const Sparse& q, const SparseCholesky<double>& free,
                  const SparseCholesky<double>& penal, double rho,
                  std::span<const std::int32_t> active, Eigen::MatrixXd& weights)
        : q_(q), free_(free), penal_(penal), rho_(rho), active_(active), weights_(weights) {
        clamped_ = Eigen::MatrixXd::Zero(weights.rows(), weights.cols());
        pull_ = clamped_;
        field_ = clamped_;
        energies_ = Eigen::VectorXd::Zero(weights.cols());
        bounds_ = energies_;
        held_energies_ = energies_;
        for_each_group([&](Index first, Index width) {
            pull_.middleCols(first, width) = -(q_ * weights_.middleCols(first, width));
            field_.middleCols(first, width) = pull_.middleCols(first, width);
            free_.solve(field_.middleCols(first, width));
            for (Index h = first; h < first + width; ++h) {
                held_energies_[h] = -weights_.col(h).dot(pull_.col(h));
                for (const std::int32_t v : active_) weights_(v, h) = clamp(field_(v, h));
            }
        });
    }

    /// Until the energy is proven to be within `gap` of its least, or `most_solves` were made;
    /// returns what is left. Handles that are well within their part of the gap wait for the rest.
    double run(double gap, int most_solves) {
        double left = kInfinity, last = kInfinity;
        int steps = kFirstSteps;
        for (solves_ = 1; !(left <= gap) && solves_ < most_solves;) {
            steps = std::min(steps, most_solves - solves_);
            const double part = 0.5 * gap * bounds_.mean();
            for_each_group([&](Index first, Index width) {
                const double over = (energies_ - bounds_).segment(first, width).mean();
                if (solves_ > 1 && over <= part) return;
                for (int i = 0; i < steps; ++i) step(first, width);
                prove(first, width);
            });
            solves_ += steps + 1;
            left = energies_.sum() / std::max(bounds_.sum(), 1e-300) - 1.0;
            steps = next_steps(std::log(last / left) / steps, left / gap);
            last = left;
        }
        return left;
    }
    int solves() const { return solves_; }
    const Eigen::VectorXd& energies() const { return energies_; }

private:
    static double clamp(double w) { return std::min(std::max(w, 0.0), 1.0); }
    /// As many more as the fall per step so far asks for.
    static int next_steps(double fall, double too_large_by) {
        if (!(std::isfinite(fall) && fall > 0.0)) return kFirstSteps;
        return static_cast<int>(
            std::clamp(std::ceil(std::log(too_large_by) / fall), 2.0, double{kMostSteps}));
    }
    /// Handles by fours, as they are solved for.
    template <class Call>
    void for_each_group(Call&& call) {
        const auto columns = weights_.cols();
        parallel_for(static_cast<std::size_t>((columns + 3) / 4), 1, [&](std::size_t i) {
            const Index first = 4 * static_cast<Index>(i);
            call(first, std::min<Index>(4, columns - first));
        });
    }
    void step(Index first, Index width) {
        for (Index h = first; h < first + width; ++h) {
            for (const std::int32_t v : active_) {
                field_(v, h) = pull_(v, h) + rho_ * (weights_(v, h) - clamped_(v, h));
            }
        }
        penal_.solve(field_.middleCols(first, width));
        for (Index h = first; h < first + width; ++h) {
            for (const std::int32_t v : active_) {
                const double over = kOverRelaxation * field_(v, h) +
                                    (1.0 - kOverRelaxation) * weights_(v, h) + clamped_(v, h);
                weights_(v, h) = clamp(over);
                clamped_(v, h) = over - weights_(v, h);
            }
        }
    }
    /// Energies w^T Q w as they are, and what they cannot fall below: for multipliers m the least
    /// of w^T Q w + 2 m^T w over all w, less the most that 2 m^T w can be within the bounds.
    void prove(Index first, Index width) {
        const auto columns = weights_.middleCols(first, width);
        const Eigen::MatrixXd slopes = q_ * columns;
        for (Index h = first; h < first + width; ++h) {
            for (const std::int32_t v : active_) {
                field_(v, h) = pull_(v, h) - rho_ * clamped_(v, h);
            }
        }
        free_.solve(field_.middleCols(first, width));
        for (Index h = first; h < first + width; ++h) {
            double bound = held_energies_[h];
            for (const std::int32_t v : active_) {
                const double multiplier = rho_ * clamped_(v, h);
                bound -= (pull_(v, h) - multiplier) * field_(v, h);
                bound -= 2.0 * std::max(multiplier, 0.0);
            }
            bounds_[h] = bound;
            energies_[h] = weights_.col(h).dot(slopes.col(h - first));
        }
    }

    const Sparse& q_;
    const SparseCholesky<double>&free_, &penal_;
    double rho_;
    std::span<const std::int32_t> active_;
    Eigen::MatrixXd& weights_;
    Eigen::MatrixXd pull_;     ///< What held nodes do to the others.
    Eigen::MatrixXd clamped_;  ///< The sums of what was clamped off: multipliers over rho.
    Eigen::MatrixXd field_;
    Eigen::VectorXd held_energies_;  ///< Of what is held, with zeros elsewhere.
    Eigen::VectorXd energies_, bounds_;
    int solves_ = 0;
};

/// From the place of a handle, or from the segment of a bone.
double handle_distance_sq(const Handle& handle, const Vec3& p) {
    const Vec3 way = handle.tip - handle.place;
    if (handle.kind != HandleKind::Bone) return (handle.place - p).squaredNorm();
    const double along = std::clamp(way.dot(p - handle.place) / way.squaredNorm(), 0.0, 1.0);
    return (handle.place + along * way - p).squaredNorm();
}

/// Nodes that are not held, in parts of the lattice where some are; the other parts get weights
/// here.
std::vector<std::int32_t> active_nodes(const TetLattice& lattice, std::span<const HeldNode> held,
                                       std::span<const Handle> handles, LatticeWeights& made) {
    const VertexComponents& parts = lattice.components();
    std::vector<std::uint8_t> is_held(lattice.points().size(), 0), has_held(parts.count, 0);
    for (const HeldNode& h : held) {
        is_held[h.node] = 1;
        has_held[parts.component[h.node]] = 1;
        for (const auto& [handle, weight] : h.weights) made.nodes(h.node, handle) = weight;
    }
    std::vector<LoosePart> loose(parts.count);
    std::vector<double> nearest_sq(parts.count, kInfinity);
    std::vector<std::int32_t> active;
    for (std::size_t v = 0; v < is_held.size(); ++v) {
        const std::int32_t part = parts.component[v];
        if (has_held[part]) {
            if (!is_held[v]) active.push_back(static_cast<std::int32_t>(v));
            continue;
        }
        ++loose[part].nodes;
        loose[part].middle += lattice.points()[v];
        for (std::size_t h = 0; h < handles.size(); ++h) {
            const double distance_sq = handle_distance_sq(handles[h], lattice.points()[v]);
            if (distance_sq >= nearest_sq[part]) continue;
            nearest_sq[part] = distance_sq;
            loose[part].handle = static_cast<std::int32_t>(h);
        }
    }
    for (std::size_t v = 0; v < is_held.size(); ++v) {
        const std::int32_t part = parts.component[v];
        if (!has_held[part]) made.nodes(static_cast<Index>(v), loose[part].handle) = 1.0;
    }
    for (LoosePart& part : loose) {
        if (part.nodes == 0) continue;
        part.middle /= static_cast<double>(part.nodes);
        made.loose.push_back(part);
    }
    return active;
}

/// Rows sum to 1. One that has nothing follows the nearest handle.
void normalise_rows(const TetLattice& lattice, std::span<const Handle> handles,
                    Eigen::MatrixXd& weights) {
    for (Index v = 0; v < weights.rows(); ++v) {
        const double sum = weights.row(v).sum();
        if (sum > 1e-9) {
            weights.row(v) /= sum;
            continue;
        }
        const auto further = [&](const Handle& a, const Handle& b) {
            const Vec3& p = lattice.points()[v];
            return handle_distance_sq(a, p) < handle_distance_sq(b, p);
        };
        const auto nearest = std::min_element(handles.begin(), handles.end(), further);
        weights.row(v).setZero();
        weights(v, nearest - handles.begin()) = 1.0;
    }
}

std::size_t count_peaks(const TetLattice& lattice, std::span<const std::int32_t> active,
                        const Eigen::MatrixXd& weights) {
    std::size_t count = 0;
    for (Index h = 0; h < weights.cols(); ++h) {
        for (const std::int32_t v : active) {
            double low = kInfinity, high = -kInfinity;
            for (const std::int32_t w : lattice.graph()[v]) {
                low = std::min(low, weights(w, h));
                high = std::max(high, weights(w, h));
            }
            count += weights(v, h) > high + kPeak || weights(v, h) < low - kPeak;
        }
    }
    return count;
}

/// How far it is on average from a node to the nearest that is held, in cells.
double mean_distance(const TetLattice& lattice, std::span<const HeldNode> held,
                     std::span<const std::int32_t> active) {
    std::vector<double> nearest(active.size(), kInfinity);
    parallel_for(active.size(), 64, [&](std::size_t i) {
        for (const HeldNode& h : held) {
            const Vec3 to = lattice.points()[h.node] - lattice.points()[active[i]];
            nearest[i] = std::min(nearest[i], to.squaredNorm());
        }
    });
    double sum = 0.0;
    for (const double distance_sq : nearest) sum += std::sqrt(distance_sq);
    return sum / static_cast<double>(active.size()) / lattice.cell();
}

Status find_weights(const TetLattice& lattice, std::span<const HeldNode> held,
                    std::span<const std::int32_t> active, const WeightOptions& options,
                    LatticeWeights& made) {
    const Sparse q = biharmonic_matrix(lattice);
    const double rho =
        kPenalty * q.diagonal().mean() / std::pow(mean_distance(lattice, held, active), 2);
    const PenaltySolver solver(lattice, q, active);
    const auto free = solver.factor(0.0), penal = solver.factor(rho);
    if (!free) return free.error();
    if (!penal) return penal.error();
    BoundedSearch search(q, free.value(), penal.value(), rho, active, made.nodes);
    made.gap = search.run(options.gap, options.most_solves);
    made.solves = search.solves();
    made.energies.assign(search.energies().begin(), search.energies().end());
    if (!(made.gap <= options.gap)) {
        return Error{
            fmt::format("after {} solves weights may still be {:.1e} of their energy above "
                        "the least",
                        made.solves, made.gap),
            "", "allow more solves, or a larger gap"};
    }
    return {};
}

}  // namespace

Result<LatticeWeights> bounded_weights(const TetLattice& lattice, std::span<const Handle> handles,
                                       std::span<const Triangle> cage_faces,
                                       const WeightOptions& options) {
    if (handles.empty()) return Error{"weights need a handle", "", ""};
    const auto held = held_nodes(lattice, handles, cage_faces);
    if (!held) return held.error();
    return held_weights(lattice, handles, held.value(), options);
}

Result<LatticeWeights> held_weights(const TetLattice& lattice, std::span<const Handle> handles,
                                    std::span<const HeldNode> held, const WeightOptions& options) {
    if (handles.empty()) return Error{"weights need a handle", "", ""};
    LatticeWeights made;
    const auto columns = static_cast<Index>(handles.size());
    made.nodes = Eigen::MatrixXd::Zero(static_cast<Index>(lattice.points().size()), columns);
    made.energies.assign(handles.size(), 0.0);
    const std::vector<std::int32_t> active = active_nodes(lattice, held, handles, made);
    if (!active.empty()) {
        if (const Status ok = find_weights(lattice, held, active, options, made); !ok)
            return ok.error();
    }
    normalise_rows(lattice, handles, made.nodes);
    made.peaks = count_peaks(lattice, active, made.nodes);
    return made;
}

namespace {

/// A point's weights of all handles.
void carry_row(const TetLattice& lattice, const Eigen::MatrixXd& by_node, const Vec3& point,
               double threshold, Eigen::Ref<Eigen::VectorXd> row) {
    const LatticePlace place = lattice.find(point);
    row.setZero();
    for (int k = 0; k < 4; ++k) {
        row += place.shares[k] * by_node.col(lattice.tets()[place.tet][k]);
    }
    Index largest = 0;
    if (row.maxCoeff(&largest) <= threshold) {
        row.setZero();
        row[largest] = 1.0;
    }
    row = (row.array() - threshold).max(0.0);
    row /= row.sum();
}

}  // namespace

SkinWeights carry_weights(const TetLattice& lattice, const Eigen::MatrixXd& nodes,
                          std::span<const Vec3> points, double threshold) {
    constexpr std::size_t kChunk = 4096;
    DUCTILE_ASSERT(static_cast<std::size_t>(nodes.rows()) == lattice.points().size(),
                   "a row of weights per node");
    DUCTILE_ASSERT(threshold >= 0.0 && threshold < 1.0, "a threshold from 0 to 1");
    const Eigen::MatrixXd by_node = nodes.transpose();
    Eigen::MatrixXd rows(nodes.cols(), static_cast<Index>(std::min(points.size(), kChunk)));
    SkinWeights made;
    made.start.reserve(points.size() + 1);
    for (std::size_t first = 0; first < points.size(); first += kChunk) {
        const std::size_t count = std::min(points.size() - first, kChunk);
        parallel_for(count, 256, [&](std::size_t i) {
            carry_row(lattice, by_node, points[first + i], threshold,
                      rows.col(static_cast<Index>(i)));
        });
        for (Index i = 0; i < static_cast<Index>(count); ++i) {
            for (Index h = 0; h < rows.rows(); ++h) {
                if (!(rows(h, i) > 0.0)) continue;
                made.handle.push_back(static_cast<std::int32_t>(h));
                made.weight.push_back(std::min(rows(h, i), 1.0));
            }
            made.start.push_back(static_cast<std::int32_t>(made.handle.size()));
        }
    }
    return made;
}

}  // namespace ductile
