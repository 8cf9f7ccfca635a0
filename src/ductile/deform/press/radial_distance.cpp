// SPDX-License-Identifier: MIT
// Section 4.1 of Brunel et al. 2020: the heat method (Crane et al. 2013) in the limit of long
// times.
#include <ductile/deform/press/press_region.h>

#include <cmath>

namespace ductile {
namespace {

std::vector<RealClaim> border_claims(const PressRegion& region) {
    std::vector<RealClaim> claims;
    for (const ZoneCrossing& c : region.border) {
        claims.push_back({{c.inner, c.outer, c.inner}, {1.0 - c.along, c.along, 0.0}});
    }
    return claims;
}

/// Integrals of grad(basis) . X over the triangles, X the unit vector along -grad(field).
Eigen::MatrixXd unit_divergence(const PressRegion& region, const Eigen::MatrixXd& field) {
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(field.rows(), 1);
    for (std::size_t f = 0; f < region.triangles.size(); ++f) {
        const Triangle& t = region.triangles[f];
        const Vec3 normal = area_vector(region.points, t);
        const double double_area = normal.norm();
        if (!(double_area > 0) || !(region.shares[f] > 0)) continue;
        // grad(basis of corner k) is the side across from it turned by 90 degrees, over 2 area.
        std::array<Vec3, 3> turned;
        Vec3 gradient = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            const Vec3 side = region.points[t[(k + 2) % 3]] - region.points[t[(k + 1) % 3]];
            turned[k] = normal.cross(side) / double_area;
            gradient += field(t[k], 0) * turned[k];
        }
        const double length = gradient.norm();
        if (!(length > 0)) continue;
        for (int k = 0; k < 3; ++k) {
            right(t[k], 0) -= 0.5 * region.shares[f] * turned[k].dot(gradient) / length;
        }
    }
    return right;
}

}  // namespace

Result<std::vector<double>> radial_distance(const PressRegion& region) {
    const std::size_t n = region.points.size();
    const auto rows = static_cast<Eigen::Index>(n);
    const auto laplacian =
        cotangent_laplacian(n, region.triangles, region.cotangents, region.shares);
    const std::vector<RealClaim> claims = border_claims(region);
    const auto claimed = static_cast<Eigen::Index>(claims.size());
    const auto first = SmoothSolver<double>::make(laplacian, region.is_outer, claims, kClaimWeight);
    if (!first) return first.error();
    const Eigen::MatrixXd heat =
        first.value().solve(Eigen::MatrixXd::Zero(rows, 1), Eigen::MatrixXd::Ones(claimed, 1));
    const std::vector<std::uint8_t> none(n, 0);
    const auto second = SmoothSolver<double>::make(laplacian, none, claims, kClaimWeight);
    if (!second) return second.error();
    const Eigen::MatrixXd distance =
        second.value().solve(Eigen::MatrixXd::Zero(rows, 1), Eigen::MatrixXd::Zero(claimed, 1),
                             unit_divergence(region, heat));
    if (!distance.allFinite()) {
        return Error{"the distance around the contact is not finite", "", "mend the soft mesh"};
    }
    return std::vector<double>(distance.data(), distance.data() + n);
}

}  // namespace ductile
