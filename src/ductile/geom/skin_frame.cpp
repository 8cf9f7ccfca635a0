// SPDX-License-Identifier: MIT
#include <ductile/geom/skin_frame.h>

#include <Eigen/SVD>

#include <optional>

namespace ductile {
namespace {

// Newton's way to the polar decomposition (Higham 1986): a mean of turns is near to a turn, so that
// a few rounds do, at a tenth of the cost of singular values.
std::optional<Mat3> near_rotation(Mat3 m) {
    constexpr int kRounds = 12;
    constexpr double kLeastVolume = 0.1;  // flatter than this: not so near
    for (int round = 0; round < kRounds; ++round) {
        Mat3 cofactors;
        cofactors.col(0) = m.col(1).cross(m.col(2));
        cofactors.col(1) = m.col(2).cross(m.col(0));
        cofactors.col(2) = m.col(0).cross(m.col(1));
        const double volume = m.col(0).dot(cofactors.col(0));
        if (!(volume > kLeastVolume && volume < 1.0 / kLeastVolume)) return std::nullopt;
        const Mat3 next = 0.5 * (m + cofactors / volume);
        const double change = (next - m).squaredNorm();
        m = next;
        if (change < 1e-20) return m;
    }
    return std::nullopt;
}

}  // namespace

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
    const Mat3 mean = sum / static_cast<double>(points.size());
    if (mean == Mat3::Identity()) return mean;
    const std::optional<Mat3> near = near_rotation(mean);
    return near ? *near : nearest_rotation(mean);
}

}  // namespace ductile
