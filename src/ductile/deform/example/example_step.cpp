// SPDX-License-Identifier: MIT
// Jones et al. 2016, section 3.2.1. Where we differ: the move is made of a fixed time, not of the
// step's, or damage would depend on the rate; and a step is projected onto what a row may do before
// its length is set, where the seed lets clamping shorten it.
#include <ductile/core/assert.h>
#include <ductile/deform/example/example_step.h>

#include <Eigen/SVD>

#include <algorithm>

namespace ductile {
namespace {

// A gradient below this, for a move of unit length, share of the body's size: orthogonal.
constexpr double kOrthogonal = 1e-8;
// A share below this is none: it cannot become less.
constexpr double kNoShare = 1e-12;
// Singular values below this share of the largest are not inverted (equation 9). Results depend on
// it, which is why that mapping is not the usual one.
constexpr double kLeastSingular = 1e-3;

// Onto what sums to zero and takes nothing from who has nothing. What is dropped lies below the
// mean of those left, which only rises: one that was dropped never has to come back.
void project(const Eigen::VectorXd& shares, Eigen::VectorXd& step) {
    std::vector<Eigen::Index> free;
    for (Eigen::Index e = 0; e < step.size(); ++e) free.push_back(e);
    for (;;) {
        double mean = 0.0;
        for (const Eigen::Index e : free) mean += step[e];
        mean /= static_cast<double>(free.size());
        const auto is_bound = [&](Eigen::Index e) {
            return shares[e] <= kNoShare && step[e] < mean;
        };
        if (std::erase_if(free, is_bound) > 0) continue;
        Eigen::VectorXd kept = Eigen::VectorXd::Zero(step.size());
        for (const Eigen::Index e : free) kept[e] = step[e] - mean;
        step = kept;
        return;
    }
}

Eigen::VectorXd nearest_change(const Eigen::Matrix3Xd& jacobian, const Vec3& move) {
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(kLeastSingular);
    return svd.solve(move);
}

}  // namespace

std::vector<double> example_step(const Eigen::Matrix3Xd& jacobian, const ExampleRow& row,
                                 const ExampleWish& wish) {
    const Eigen::Index poses = jacobian.cols();
    DUCTILE_ASSERT(poses <= static_cast<Eigen::Index>(ExampleRow::kMostPoses), "a share per pose");
    std::vector<double> change(static_cast<std::size_t>(poses), 0.0);
    const double length = wish.move.norm();
    if (poses == 0 || !(length > 0.0)) return change;
    const Eigen::VectorXd gradient = jacobian.transpose() * wish.move;
    const double orthogonal = kOrthogonal * wish.size * length;
    if (!(gradient.norm() > orthogonal)) return change;

    Eigen::VectorXd shares(poses + 1), step(poses + 1);
    shares[0] = row.rest_share();
    step[0] = 0.0;
    for (Eigen::Index e = 0; e < poses; ++e)
        shares[e + 1] = row.shares[static_cast<std::size_t>(e)];
    step.tail(poses) =
        wish.mapping == ExampleMapping::Inverse ? nearest_change(jacobian, wish.move) : gradient;
    project(shares, step);
    if (wish.mapping == ExampleMapping::Direction) {
        const double norm = step.norm();
        if (!(norm > orthogonal)) return change;
        step *= wish.softness * length / norm;
    } else if (wish.mapping != ExampleMapping::Transpose) {
        step *= wish.softness;
    }
    for (Eigen::Index e = 0; e < poses; ++e) change[static_cast<std::size_t>(e)] = step[e + 1];
    return change;
}

}  // namespace ductile
