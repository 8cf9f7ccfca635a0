// SPDX-License-Identifier: MIT
// Section 4.1 of Brunel et al. 2020: the heat method (Crane et al. 2013) in the limit of long
// times. The paper holds the first field at 0 on the region's border; here a flow leaves through
// it, evenly along its length, so that both fields have one matrix.
#include <ductile/deform/press/field/border_fields.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

/// Solves for a value per point from a right-hand side per point.
std::vector<double> solved(const PressRegion& region, std::span<const double> right) {
    Eigen::MatrixXd rows(region.laplacian->diagonal.size(), 1);  // Set where it is read.
    for (std::size_t i = 0; i < right.size(); ++i) rows(region.vertices[i], 0) = right[i];
    region.smooth->solve(rows);
    std::vector<double> field(right.size());
    for (std::size_t i = 0; i < field.size(); ++i) field[i] = rows(region.vertices[i], 0);
    return field;
}

/// Integrals of grad(basis) . X over the triangles, X the unit vector along grad(field). Both
/// integrals, of grad(basis) . grad(field) and of |grad(field)|^2, are sums over sides.
std::vector<double> unit_divergence(const PressRegion& region, std::span<const double> field) {
    std::vector<double> right(field.size(), 0.0);
    for (std::size_t f = 0; f < region.triangles.size(); ++f) {
        const Triangle& t = region.triangles[f];
        const auto& [half, area] = region.weights[f];
        const Vec3 rise(field[t[2]] - field[t[1]], field[t[0]] - field[t[2]],
                        field[t[1]] - field[t[0]]);  // Along each side.
        const Vec3 flow = half.cwiseProduct(rise);
        const double square = flow.dot(rise);
        if (!(square > 0)) continue;
        const double scale = region.shares[f] * std::sqrt(area / square);
        right[t[0]] += scale * (flow[1] - flow[2]);
        right[t[1]] += scale * (flow[2] - flow[0]);
        right[t[2]] += scale * (flow[0] - flow[1]);
    }
    return right;
}

}  // namespace

Result<std::vector<double>> radial_distance(const PressRegion& region,
                                            const BorderFields& borders) {
    // Only the direction of its gradient counts, so what is 1 on the zones' border may as well be 0
    // there, and how much flows out in all is free: no condition asks for a matrix of its own.
    std::vector<double> radial = solved(region, unit_divergence(region, borders.flow));
    const bool is_finite =
        std::all_of(radial.begin(), radial.end(), [](double r) { return std::isfinite(r); });
    if (!is_finite) {
        return Error{"the distance around the contact is not finite", "", "repair the soft mesh"};
    }
    return radial;
}

}  // namespace ductile
