// SPDX-License-Identifier: MIT
// Section 4.2 of Brunel et al. 2020; transport as in Knoeppel et al. 2013.
#include <ductile/deform/press/press_region.h>
#include <ductile/geom/tangent_frame.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace ductile {
namespace {

using Complex = std::complex<double>;
// Directions that lean further from the normal than this would leave the half space that a
// tangential part can stand for.
constexpr double kMostLean = 0.98;

/// The zone's own direction at its border, as a tangential part in a frame there.
struct BorderDirection {
    TangentFrame frame;
    Complex part;
};
BorderDirection border_direction(const PressRegion& region, const ZoneCrossing& c) {
    const Vec3 normal =
        ((1.0 - c.along) * region.normals[c.inner] + c.along * region.normals[c.outer]);
    BorderDirection border;
    border.frame =
        tangent_frame(normal.norm() > 0 ? Vec3(normal.normalized()) : region.normals[c.inner]);
    const Vec3 way = c.rest - c.touching.position;
    const double length = way.norm();
    if (!(length > 0)) return border;
    border.part = tangent_part(border.frame, way / length);
    // Pressed further along the surface than into it: the lean is all that can be kept.
    const double lean = way.dot(border.frame.normal) > 0 ? std::abs(border.part) : 1.0;
    if (lean > kMostLean) border.part *= kMostLean / std::max(std::abs(border.part), 1e-12);
    return border;
}

/// The Laplacian of tangential parts within the extent, zero beyond, with the border's claims.
/// Off the diagonal, transport comes in.
struct DirectionSystem {
    DirectionSystem(const PressRegion& of, std::span<const TangentFrame> unturned_frames,
                    std::span<const TangentFrame> point_frames,
                    std::span<const std::int32_t> point_of_vertex)
        : region(of),
          unturned(unturned_frames),
          frames(point_frames),
          local(point_of_vertex),
          matrix(of.laplacian->diagonal.size(), of.laplacian->edge.size()) {}

    /// Of active vertices that the region's own fields have.
    FrontTree active_tree(std::vector<std::uint8_t>& is_active) const {
        std::vector<std::uint8_t> is_smooth(is_active.size(), 0);
        for (const std::int32_t v : region.smooth->tree().vertices()) is_smooth[v] = 1;
        for (std::size_t v = 0; v < is_active.size(); ++v) is_active[v] &= is_smooth[v];
        return region.system->tree().masked(is_active);
    }

    /// Fills the matrix; returns the right-hand side.
    Eigen::MatrixXcd assemble(const FrontTree& tree) {
        for (const std::int32_t v : tree.vertices()) {
            matrix.diagonal[v] = region.laplacian->diagonal[v];
        }
        const auto ends = region.system->edges().ends();
        for (const FrontTree::Entry& entry : tree.entries()) {
            const auto [low, high] = ends[entry.edge];
            matrix.edge[entry.edge] = region.laplacian->edge[entry.edge] *
                                      transport(unturned[local[high]], unturned[local[low]]);
        }
        Eigen::MatrixXcd right =
            Eigen::MatrixXcd::Zero(static_cast<Eigen::Index>(matrix.diagonal.size()), 1);
        for (std::size_t k = 0; k < region.border.size(); ++k) {
            const ZoneCrossing& c = region.border[k];
            const BorderDirection border = border_direction(region, c);
            const Complex inner = (1.0 - c.along) * transport(frames[c.inner], border.frame);
            const Complex outer = c.along * transport(frames[c.outer], border.frame);
            const std::int32_t v = region.vertices[c.inner], w = region.vertices[c.outer];
            const double weight = region.claim_weight;
            matrix.diagonal[v] += weight * std::norm(inner);
            matrix.diagonal[w] += weight * std::norm(outer);
            const Complex across = weight * std::conj(inner) * outer;  // Row v, column w.
            matrix.edge[region.border_edges[k]] += v < w ? across : std::conj(across);
            right(v, 0) += weight * std::conj(inner) * border.part;
            right(w, 0) += weight * std::conj(outer) * border.part;
        }
        hold_loose_vertices(tree, region.claim_weight, matrix.diagonal);
        return right;
    }

    const PressRegion& region;
    std::span<const TangentFrame> unturned, frames;
    std::span<const std::int32_t> local;
    EdgeMatrix<Complex> matrix;
};

}  // namespace

Result<std::vector<Vec3>> direction_field(const PressRegion& region,
                                          std::span<const double> radial) {
    const std::size_t n = region.points.size(), all = region.laplacian->diagonal.size();
    std::vector<TangentFrame> unturned(n), frames(n);
    std::vector<std::uint8_t> is_active(all, 0);
    std::vector<std::int32_t> local(all, -1);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t v = region.vertices[i];
        unturned[i] = tangent_frame(region.unturned[i]);
        frames[i] = {region.turn * unturned[i].x, region.turn * unturned[i].y, region.normals[i]};
        local[v] = static_cast<std::int32_t>(i);
        is_active[v] = region.is_contact[i] || radial[i] < 1.0;
    }
    DirectionSystem system(region, unturned, frames, local);
    const FrontTree tree = system.active_tree(is_active);
    Eigen::MatrixXcd field = system.assemble(tree);
    auto base = region.is_at_rest ? region.system->direction_base(tree.vertices().size()) : nullptr;
    const auto factor = SparseCholesky<Complex>::make(tree, system.matrix, std::move(base));
    if (!factor) return factor.error();
    factor.value().solve(field);
    std::vector<Vec3> directions;
    directions.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t v = region.vertices[i];
        Complex part = is_active[v] ? field(v, 0) : Complex(0.0);
        const double lean_sq = std::norm(part);
        if (!(lean_sq <= kMostLean * kMostLean)) {
            part = std::isfinite(lean_sq) ? part * (kMostLean / std::sqrt(lean_sq)) : 0.0;
        }
        directions.push_back(part.real() * frames[i].x + part.imag() * frames[i].y +
                             std::sqrt(1.0 - std::norm(part)) * frames[i].normal);
    }
    return directions;
}

}  // namespace ductile
