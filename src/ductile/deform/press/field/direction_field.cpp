// SPDX-License-Identifier: MIT
// Section 4.2 of Brunel et al. 2020; transport as in Knoeppel et al. 2013.
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/field/border_fields.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

namespace ductile {
namespace {

using Complex = std::complex<double>;
// Of the mean diagonal: the least weight of an edge where all must be positive.
constexpr double kLeastPull = 1e-3;
// Ways along the surface from the border's rest to where it touches, as shares of the extent: from
// kSidewaysFrom on directions keep their lean for longer, from this on for longest, when it falls
// off with this power of what the harmonic field has. Balls in balls to 0.45 of a diameter have no
// fold with these; ways of squashed balls, which set the defaults, stay below the first.
constexpr double kSidewaysTo = 0.11, kLeastLeanPower = 0.1;

/// The Laplacian of tangential parts within the extent, zero beyond, with the border's constraints.
/// Off the diagonal, transport comes in.
struct DirectionSystem {
    TangentFrame turned(std::int32_t i) const {
        const TangentFrame& frame = region.frame(i);
        return {region.turn * frame.x, region.turn * frame.y, region.normals[i]};
    }

    void assemble() {
        matrix->diagonal.resize(region.laplacian->diagonal.size());
        matrix->edge.resize(region.laplacian->edge.size());
        for (const std::int32_t v : tree.vertices()) {
            matrix->diagonal[v] = region.laplacian->diagonal[v];
        }
        for (const FrontTree::Entry& entry : tree.entries()) {
            matrix->edge[entry.edge] = region.laplacian->edge[entry.edge] * from_high(entry.edge);
        }
    }

    /// The same with edges that all pull together. Across an edge with obtuse corners on both
    /// sides the cotangents push apart; where the surface is strongly curved, too, as between two
    /// legs, transport leaves a matrix that no field is smoothest for. This one always has one.
    void assemble_positive() {
        const GraphEdges& edges = region.system->edges();
        const double least = kLeastPull * region.constraint_weight / kConstraintWeight;
        for (const std::int32_t v : region.vertices) matrix->diagonal[v] = 0.0;
        for (const std::int32_t v : region.vertices) {
            for (std::int32_t e = edges.first_of(v); e < edges.first_of(v + 1); ++e) {
                const std::int32_t other = edges.ends()[e][1];
                if (region.local[other] < 0) continue;
                const double weight = std::max(-region.laplacian->edge[e], least);
                matrix->diagonal[v] += weight;
                matrix->diagonal[other] += weight;
                matrix->edge[e] = -weight * from_high(e);
            }
        }
    }

    Complex from_high(std::int32_t edge) const {
        if (rest) return rest->transports[edge];
        const auto [low, high] = region.system->edges().ends()[edge];
        return transport(region.frame(region.local[high]), region.frame(region.local[low]));
    }

    /// Adds the constraints of the zones' borders to the matrix; gives the right-hand side.
    Eigen::MatrixXcd add_constraints(std::span<const BorderDirection> borders) {
        Eigen::MatrixXcd right(matrix->diagonal.size(), 1);  // Set where it is read.
        for (const std::int32_t v : tree.vertices()) right(v, 0) = 0.0;
        for (std::size_t k = 0; k < region.border.size(); ++k) {
            const ZoneCrossing& c = region.border[k];
            const BorderDirection& border = borders[k];
            const Complex inner = (1.0 - c.along) * transport(turned(c.inner), border.frame);
            const Complex outer = c.along * transport(turned(c.outer), border.frame);
            const std::int32_t v = region.vertices[c.inner], w = region.vertices[c.outer];
            const double weight = region.constraint_weight;
            matrix->diagonal[v] += weight * std::norm(inner);
            matrix->diagonal[w] += weight * std::norm(outer);
            const Complex across = weight * std::conj(inner) * outer;  // Row v, column w.
            matrix->edge[region.border_edges[k]] += v < w ? across : std::conj(across);
            right(v, 0) += weight * std::conj(inner) * border.part;
            right(w, 0) += weight * std::conj(outer) * border.part;
        }
        hold_loose_vertices(tree, region.constraint_weight, matrix->diagonal);
        return right;
    }

    const PressRegion& region;
    FrontTree tree;
    const PressSystem::RestDirections* rest;   ///< If there are some, and they are of this frame.
    ThreadPooled<EdgeMatrix<Complex>> matrix;  ///< Set where the tree has entries.
};

Vec3 direction(const PressRegion& region, std::int32_t i, Complex part) {
    const double lean_sq = std::norm(part);
    if (!(lean_sq <= kMostLean * kMostLean)) {
        part = std::isfinite(lean_sq) ? part * (kMostLean / std::sqrt(lean_sq)) : 0.0;
    }
    const TangentFrame& frame = region.frame(i);
    const Vec3 tangential = part.real() * frame.x + part.imag() * frame.y;
    return region.turn * tangential + std::sqrt(1.0 - std::norm(part)) * region.normals[i];
}

/// A tangential part whose lean falls off more slowly from the border's, by how far that goes
/// sideways.
Complex kept_lean(Complex part, double lean, double sideways) {
    const double share = smooth_step((sideways - kSidewaysFrom) / (kSidewaysTo - kSidewaysFrom));
    const double size = std::abs(part), power = 1.0 - (1.0 - kLeastLeanPower) * share;
    return power < 1 && size > 0 && size < lean ? part * std::pow(size / lean, power - 1.0) : part;
}

}  // namespace

Result<PressDirections> direction_field(const PressRegion& region, const BorderFields& borders,
                                        std::span<const double> radial) {
    PressDirections out;
    std::vector<std::int32_t> active;
    for (const std::int32_t v : region.smooth->tree().vertices()) {
        const std::int32_t i = region.local[v];
        if (region.is_contact[i] || radial[i] < 1.0) active.push_back(v);
    }
    const auto* rest = region.is_at_rest ? region.system->rest_directions(active.size()) : nullptr;
    DirectionSystem system{region, region.system->tree().masked(active), rest, {}};
    system.assemble();
    Eigen::MatrixXcd field = system.add_constraints(borders.directions);
    auto factor = SparseCholesky<Complex>::make(std::move(system.tree), *system.matrix,
                                                rest ? rest->factor : nullptr);
    if (!factor) {
        out.has_positive_weights = true;
        system.tree = region.system->tree().masked(active);
        system.assemble_positive();
        field = system.add_constraints(borders.directions);
        factor = SparseCholesky<Complex>::make(std::move(system.tree), *system.matrix);
    }
    if (!factor) return factor.error();
    factor.value().solve(field);
    out.of_point = region.normals;
    const bool goes_sideways = !borders.sideways.empty();
    for (const std::int32_t v : active) {
        const std::int32_t i = region.local[v];
        const Complex part = goes_sideways
                                 ? kept_lean(field(v, 0), borders.lean[i], borders.sideways[i])
                                 : field(v, 0);
        out.of_point[i] = direction(region, i, part);
    }
    return out;
}

}  // namespace ductile
