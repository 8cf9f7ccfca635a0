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
// A matrix smaller or larger than this says nothing.
constexpr double kLeastSize = 1e-300, kMostSize = 1e300;
// How much of the guess breaks a tie in the slow way; the fast way then takes it out again.
constexpr double kTie = 1e-6;

/// The symmetric matrix diag(t) - S, solved for w by its adjugate. False: not positive definite.
template <class T>
EIGEN_ALWAYS_INLINE bool newton_step(const Lanes33<T>& b, const T& scale, Lanes3<T>& w) {
    const T half = 0.5;
    const T s01 = -(half * (b(0, 1) + b(1, 0))), s02 = -(half * (b(0, 2) + b(2, 0))),
            s12 = -(half * (b(1, 2) + b(2, 1)));
    const T h0 = b(1, 1) + b(2, 2), h1 = b(0, 0) + b(2, 2), h2 = b(0, 0) + b(1, 1);
    const T c00 = h1 * h2 - s12 * s12, c01 = s02 * s12 - s01 * h2, c02 = s01 * s12 - s02 * h1;
    const T c11 = h0 * h2 - s02 * s02, c12 = s01 * s02 - h0 * s12, c22 = h0 * h1 - s01 * s01;
    const T det = h0 * c00 + s01 * c01 + s02 * c02;
    const T least = T(kSingular) * scale, least2 = least * scale;
    if (!simd::is_above(h0, least) || !simd::is_above(c22, least2) ||
        !simd::is_above(det, least2 * scale)) {
        return false;
    }
    const T a0 = b(2, 1) - b(1, 2), a1 = b(0, 2) - b(2, 0), a2 = b(1, 0) - b(0, 1);
    const T inverse = T(1.0) / det;
    w = inverse * Lanes3<T>{c00 * a0 + c01 * a1 + c02 * a2, c01 * a0 + c11 * a1 + c12 * a2,
                            c02 * a0 + c12 * a1 + c22 * a2};
    return true;
}

/// The rotation of the quaternion (1, w/2), made a unit: by |w| to third order.
template <class T>
EIGEN_ALWAYS_INLINE Lanes33<T> turned_by(const Lanes3<T>& w) {
    const T half = 0.5, one = 1.0;
    const T x = half * w.x, y = half * w.y, z = half * w.z;
    const T xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    const T s = T(2.0) / (one + xx + yy + zz);
    Lanes33<T> r;
    r(0, 0) = one - s * (yy + zz);
    r(1, 1) = one - s * (xx + zz);
    r(2, 2) = one - s * (xx + yy);
    r(0, 1) = s * (xy - z);
    r(1, 0) = s * (xy + z);
    r(0, 2) = s * (xz + y);
    r(2, 0) = s * (xz - y);
    r(1, 2) = s * (yz - x);
    r(2, 1) = s * (yz + x);
    return r;
}

template <class T>
EIGEN_ALWAYS_INLINE Lanes33<T> transposed_product(const Lanes33<T>& a, const Lanes33<T>& b) {
    Lanes33<T> out;
    for (int j = 0; j < 3; ++j) {
        const T x = b(0, j), y = b(1, j), z = b(2, j);
        for (int i = 0; i < 3; ++i) out(i, j) = a(0, i) * x + a(1, i) * y + a(2, i) * z;
    }
    return out;
}

template <class T>
EIGEN_ALWAYS_INLINE T size_of(const Lanes33<T>& m) {
    using std::abs;
    T sum = abs(m.at[0]);
    for (int k = 1; k < 9; ++k) sum += abs(m.at[k]);
    return sum;
}

/// Newton's steps from `r` on. False where one cannot be trusted; `r` is then of no use.
template <class T>
EIGEN_ALWAYS_INLINE bool climb(const Lanes33<T>& moment, const T& scale, Lanes33<T>& r) {
    Lanes33<T> b = transposed_product(r, moment);
    for (int i = 0; i < kMostSteps; ++i) {
        Lanes3<T> w;
        if (!newton_step(b, scale, w)) return false;
        const T angle_sq = w.dot(w);
        if (!simd::is_above(T(kLongestStep), angle_sq)) return false;
        const Lanes33<T> turn = turned_by(w);
        r = r * turn;
        if (simd::is_above(T(kLastStep), angle_sq)) return true;
        b = transposed_product(turn, b);
    }
    return false;
}

bool is_sized(double scale) { return scale > kLeastSize && scale < kMostSize; }

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
    const Lanes33<double> lanes = lanes_of(moment);
    const double scale = size_of(lanes);
    if (!is_sized(scale)) return guess;
    Lanes33<double> r = lanes_of(guess);
    if (climb(lanes, scale, r)) return matrix_of(r);
    const Mat3 slow = matched_slowly(moment, scale, guess);
    r = lanes_of(slow);
    return climb(lanes, scale, r) ? matrix_of(r) : slow;
}

Pair33 matched_rotations(const Pair33& moments, const Pair33& guesses) {
    const simd::Doubles scale = size_of(moments);
    Pair33 r = guesses;
    if (is_sized(scale[0]) && is_sized(scale[1]) && climb(moments, scale, r)) return r;
    return pair_of(matched_rotation(matrix_of(moments, 0), matrix_of(guesses, 0)),
                   matched_rotation(matrix_of(moments, 1), matrix_of(guesses, 1)));
}

}  // namespace ductile
