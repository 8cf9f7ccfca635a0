// SPDX-License-Identifier: MIT
// With R = R0 exp(w) and B = R0^T A, tr(R^T A) = tr B + w.a - 1/2 w^T (tr(S) - S) w + O(w^2 w.a),
// a the axial vector of B - B^T and S its symmetric part. The third order vanishes where a does, so
// Newton's steps converge to third order: .05 rad, 1e-4, 1e-12. Where tr(S) - S is positive
// definite at the end the maximum is the global one: all other critical points are saddles or
// minima.
#include <ductile/deform/tissue/matched_rotation.h>

#include <Eigen/Eigenvalues>

#include <cmath>

namespace ductile {
namespace {

constexpr int kMostSteps = 12;
// Squared angle of a step after which the next would be below 1e-10 rad.
constexpr double kLastStep = 1e-7;
// Squared angle beyond which the quadratic model is not trusted [rad^2].
constexpr double kLongestStep = 1.0;
// What of the matrix' size counts as nothing: a Hessian below this is singular.
constexpr double kSingular = 1e-9;
// How much of the guess breaks a tie in the slow way; the fast way then takes it out again.
constexpr double kTie = 1e-6;

/// The symmetric matrix diag(t) - S, solved for w by its adjugate. False: not positive definite.
bool newton_step(const Mat3& b, double scale, Vec3& w) {
    const double s01 = -0.5 * (b(0, 1) + b(1, 0)), s02 = -0.5 * (b(0, 2) + b(2, 0)),
                 s12 = -0.5 * (b(1, 2) + b(2, 1));
    const double h0 = b(1, 1) + b(2, 2), h1 = b(0, 0) + b(2, 2), h2 = b(0, 0) + b(1, 1);
    const double c00 = h1 * h2 - s12 * s12, c01 = s02 * s12 - s01 * h2, c02 = s01 * s12 - s02 * h1;
    const double c11 = h0 * h2 - s02 * s02, c12 = s01 * s02 - h0 * s12, c22 = h0 * h1 - s01 * s01;
    const double det = h0 * c00 + s01 * c01 + s02 * c02;
    const double least = kSingular * scale;
    if (!(h0 > least) || !(c22 > least * scale) || !(det > least * scale * scale)) return false;
    const double a0 = b(2, 1) - b(1, 2), a1 = b(0, 2) - b(2, 0), a2 = b(1, 0) - b(0, 1);
    const double inverse = 1.0 / det;
    w[0] = inverse * (c00 * a0 + c01 * a1 + c02 * a2);
    w[1] = inverse * (c01 * a0 + c11 * a1 + c12 * a2);
    w[2] = inverse * (c02 * a0 + c12 * a1 + c22 * a2);
    return true;
}

/// The rotation of the quaternion (1, w/2), made a unit: by |w| to third order.
Mat3 turned_by(const Vec3& w) {
    const double x = 0.5 * w[0], y = 0.5 * w[1], z = 0.5 * w[2];
    const double s = 2.0 / (1.0 + x * x + y * y + z * z);
    Mat3 r;
    r(0, 0) = 1.0 - s * (y * y + z * z);
    r(1, 1) = 1.0 - s * (x * x + z * z);
    r(2, 2) = 1.0 - s * (x * x + y * y);
    r(0, 1) = s * (x * y - z);
    r(1, 0) = s * (x * y + z);
    r(0, 2) = s * (x * z + y);
    r(2, 0) = s * (x * z - y);
    r(1, 2) = s * (y * z - x);
    r(2, 1) = s * (y * z + x);
    return r;
}

// Spelled out: Eigen's small products are not always inlined.
Mat3 product(const Mat3& a, const Mat3& b) {
    Mat3 out;
    for (int j = 0; j < 3; ++j) {
        const double x = b(0, j), y = b(1, j), z = b(2, j);
        for (int i = 0; i < 3; ++i) out(i, j) = a(i, 0) * x + a(i, 1) * y + a(i, 2) * z;
    }
    return out;
}

Mat3 transposed_product(const Mat3& a, const Mat3& b) {
    Mat3 out;
    for (int j = 0; j < 3; ++j) {
        const double x = b(0, j), y = b(1, j), z = b(2, j);
        for (int i = 0; i < 3; ++i) out(i, j) = a(0, i) * x + a(1, i) * y + a(2, i) * z;
    }
    return out;
}

/// Newton's steps from `r` on. False where one cannot be trusted; `r` is then of no use.
bool climb(const Mat3& moment, double scale, Mat3& r) {
    Mat3 b = transposed_product(r, moment);
    for (int i = 0; i < kMostSteps; ++i) {
        Vec3 w;
        if (!newton_step(b, scale, w)) return false;
        const double angle_sq = w.squaredNorm();
        if (!(angle_sq < kLongestStep)) return false;
        const Mat3 turn = turned_by(w);
        r = product(r, turn);
        if (angle_sq < kLastStep) return true;
        b = transposed_product(turn, b);
    }
    return false;
}

/// Of the greatest eigenvalue of Horn's matrix, the guess breaking ties.
Mat3 matched_slowly(const Mat3& moment, double scale, const Mat3& guess) {
    const Mat3 m = moment / scale + kTie * guess;
    Eigen::Matrix4d k;
    k(0, 0) = m.trace();
    k(0, 1) = m(2, 1) - m(1, 2);
    k(0, 2) = m(0, 2) - m(2, 0);
    k(0, 3) = m(1, 0) - m(0, 1);
    k(1, 1) = m(0, 0) - m(1, 1) - m(2, 2);
    k(2, 2) = m(1, 1) - m(0, 0) - m(2, 2);
    k(3, 3) = m(2, 2) - m(0, 0) - m(1, 1);
    k(1, 2) = m(0, 1) + m(1, 0);
    k(1, 3) = m(0, 2) + m(2, 0);
    k(2, 3) = m(1, 2) + m(2, 1);
    k.triangularView<Eigen::StrictlyLower>() = k.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(k);
    const Eigen::Vector4d q = solver.eigenvectors().col(3);
    return Quat(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

}  // namespace

Mat3 matched_rotation(const Mat3& moment, const Mat3& guess) {
    double scale = 0.0;
    for (int k = 0; k < 9; ++k) scale += std::abs(moment.data()[k]);
    if (!(scale > 1e-300 && scale < 1e300)) return guess;
    Mat3 r = guess;
    if (climb(moment, scale, r)) return r;
    const Mat3 slow = matched_slowly(moment, scale, guess);
    r = slow;
    return climb(moment, scale, r) ? r : slow;
}

}  // namespace ductile
