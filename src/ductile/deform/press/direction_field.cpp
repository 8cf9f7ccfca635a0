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

/// The Laplacian of fields of tangent vectors: off the diagonal, transport comes in.
Eigen::SparseMatrix<Complex> connection_laplacian(const PressRegion& region,
                                                  std::span<const TangentFrame> frames) {
    std::vector<Eigen::Triplet<Complex>> entries;
    entries.reserve(12 * region.triangles.size());
    for (std::size_t f = 0; f < region.triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t i = region.triangles[f][(k + 1) % 3];
            const std::int32_t j = region.triangles[f][(k + 2) % 3];
            const double w = region.shares[f] * region.cotangents[f][k];
            const Complex turn = transport(frames[j], frames[i]);
            entries.emplace_back(i, i, w);
            entries.emplace_back(j, j, w);
            entries.emplace_back(i, j, -w * turn);
            entries.emplace_back(j, i, -w * std::conj(turn));
        }
    }
    const auto n = static_cast<Eigen::Index>(region.points.size());
    Eigen::SparseMatrix<Complex> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

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

}  // namespace

Result<std::vector<Vec3>> direction_field(const PressRegion& region,
                                          std::span<const double> radial) {
    const std::size_t n = region.points.size();
    std::vector<TangentFrame> frames;
    std::vector<std::uint8_t> is_given;
    for (std::size_t i = 0; i < n; ++i) {
        frames.push_back(tangent_frame(region.normals[i]));
        is_given.push_back(!region.is_contact[i] && !(radial[i] < 1.0));
    }
    const auto rows = static_cast<Eigen::Index>(n);
    const auto claimed = static_cast<Eigen::Index>(region.border.size());
    std::vector<ComplexClaim> claims;
    Eigen::MatrixXcd targets(claimed, 1);
    for (const ZoneCrossing& c : region.border) {
        const BorderDirection border = border_direction(region, c);
        targets(static_cast<Eigen::Index>(claims.size()), 0) = border.part;
        claims.push_back({{c.inner, c.outer, c.inner},
                          {(1.0 - c.along) * transport(frames[c.inner], border.frame),
                           c.along * transport(frames[c.outer], border.frame), 0.0}});
    }
    const auto solver = SmoothSolver<Complex>::make(connection_laplacian(region, frames), is_given,
                                                    claims, kClaimWeight);
    if (!solver) return solver.error();
    const Eigen::MatrixXcd field = solver.value().solve(Eigen::MatrixXcd::Zero(rows, 1), targets);
    std::vector<Vec3> directions;
    for (std::size_t i = 0; i < n; ++i) {
        Complex part = field(static_cast<Eigen::Index>(i), 0);
        if (!(std::abs(part) <= kMostLean)) {
            part = std::isfinite(std::abs(part)) ? part * (kMostLean / std::abs(part)) : 0.0;
        }
        directions.push_back(part.real() * frames[i].x + part.imag() * frames[i].y +
                             std::sqrt(1.0 - std::norm(part)) * frames[i].normal);
    }
    return directions;
}

}  // namespace ductile
