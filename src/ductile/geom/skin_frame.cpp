// SPDX-License-Identifier: MIT
#include <ductile/geom/skin_frame.h>

#include <Eigen/SVD>

namespace ductile {

Mat3 nearest_rotation(const Mat3& matrix) {
    if (!matrix.allFinite() || matrix == Mat3::Identity()) return Mat3::Identity();
    const Eigen::JacobiSVD<Mat3> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 u = svd.matrixU();
    // Of the two ways to close a mirror image, the one along the least important axis.
    if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) *= -1.0;
    return u * svd.matrixV().transpose();
}

Mat3 mean_turn(std::span<const SkinFrame> frames, std::span<const std::int32_t> points) {
    if (frames.empty() || points.empty()) return Mat3::Identity();
    Mat3 sum = Mat3::Zero();
    for (const std::int32_t v : points) sum += frames[static_cast<std::size_t>(v)].linear;
    return nearest_rotation(sum / static_cast<double>(points.size()));
}

}  // namespace ductile
