// SPDX-License-Identifier: MIT
// Section 4.1 of Brunel et al. 2020: the heat method (Crane et al. 2013) in the limit of long
// times. The seed holds the first field at 0 on the region's border; here a flow leaves through it,
// evenly along its length, so that both fields have one matrix.
#include <ductile/deform/press/press_region.h>

#include <cmath>

namespace ductile {
namespace {

/// Integrals of grad(basis) . X over the triangles, X the unit vector along grad(field).
Eigen::MatrixXd unit_divergence(const PressRegion& region, const Eigen::MatrixXd& field) {
    const std::vector<std::int32_t>& vertex = region.vertices;
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
            gradient += field(vertex[t[k]], 0) * turned[k];
        }
        const double length = gradient.norm();
        if (!(length > 0)) continue;
        for (int k = 0; k < 3; ++k) {
            right(vertex[t[k]], 0) += 0.5 * region.shares[f] * turned[k].dot(gradient) / length;
        }
    }
    return right;
}

}  // namespace

Result<std::vector<double>> radial_distance(const PressRegion& region) {
    if (!region.smooth) {
        return Error{"the distance around the contact has no unique solution", "",
                     "some part of the region has no border with a zone"};
    }
    const auto rows = static_cast<Eigen::Index>(region.laplacian.diagonal.size());
    // Only the direction of its gradient counts, so what is 1 on the zones' border may as well be 0
    // there, and how much flows out in all is free: no condition asks for a matrix of its own.
    Eigen::MatrixXd flow = Eigen::MatrixXd::Zero(rows, 1);
    for (std::size_t i = 0; i < region.points.size(); ++i) {
        flow(region.vertices[i], 0) = region.outflow[i];
    }
    region.smooth->solve(flow);
    Eigen::MatrixXd distance = unit_divergence(region, flow);
    region.smooth->solve(distance);
    std::vector<double> radial;
    radial.reserve(region.points.size());
    bool is_finite = true;
    for (const std::int32_t v : region.vertices) {
        radial.push_back(distance(v, 0));
        is_finite = is_finite && std::isfinite(distance(v, 0));
    }
    if (!is_finite) {
        return Error{"the distance around the contact is not finite", "", "mend the soft mesh"};
    }
    return radial;
}

}  // namespace ductile
