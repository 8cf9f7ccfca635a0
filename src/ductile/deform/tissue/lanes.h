// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/simd.h>

#include <cstddef>

namespace ductile {

// Vectors and matrices of T: a double, or one double of each of two particles or groups that are
// reckoned with side by side (simd::Doubles). Spelled out: Eigen's small products are not always
// inlined.

template <class T>
struct Lanes3 {
    T x, y, z;

    friend EIGEN_ALWAYS_INLINE Lanes3 operator+(const Lanes3& a, const Lanes3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend EIGEN_ALWAYS_INLINE Lanes3 operator-(const Lanes3& a, const Lanes3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend EIGEN_ALWAYS_INLINE Lanes3 operator*(const T& a, const Lanes3& b) {
        return {a * b.x, a * b.y, a * b.z};
    }
    EIGEN_ALWAYS_INLINE Lanes3& operator+=(const Lanes3& b) { return *this = *this + b; }
    EIGEN_ALWAYS_INLINE Lanes3& operator-=(const Lanes3& b) { return *this = *this - b; }
    EIGEN_ALWAYS_INLINE T dot(const Lanes3& b) const { return x * b.x + y * b.y + z * b.z; }
    EIGEN_ALWAYS_INLINE Lanes3 cross(const Lanes3& b) const {
        return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
    }
};

/// Column by column.
template <class T>
struct Lanes33 {
    T at[9];

    EIGEN_ALWAYS_INLINE T& operator()(int i, int j) { return at[3 * j + i]; }
    EIGEN_ALWAYS_INLINE const T& operator()(int i, int j) const { return at[3 * j + i]; }
    friend EIGEN_ALWAYS_INLINE Lanes3<T> operator*(const Lanes33& m, const Lanes3<T>& v) {
        return {m(0, 0) * v.x + m(0, 1) * v.y + m(0, 2) * v.z,
                m(1, 0) * v.x + m(1, 1) * v.y + m(1, 2) * v.z,
                m(2, 0) * v.x + m(2, 1) * v.y + m(2, 2) * v.z};
    }
    friend EIGEN_ALWAYS_INLINE Lanes33 operator*(const Lanes33& a, const Lanes33& b) {
        Lanes33 out;
        for (int j = 0; j < 3; ++j) {
            const T x = b(0, j), y = b(1, j), z = b(2, j);
            for (int i = 0; i < 3; ++i) out(i, j) = a(i, 0) * x + a(i, 1) * y + a(i, 2) * z;
        }
        return out;
    }
    friend EIGEN_ALWAYS_INLINE Lanes33 operator+(const Lanes33& a, const Lanes33& b) {
        return {a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2],
                a.at[3] + b.at[3], a.at[4] + b.at[4], a.at[5] + b.at[5],
                a.at[6] + b.at[6], a.at[7] + b.at[7], a.at[8] + b.at[8]};
    }
};

using Pair3 = Lanes3<simd::Doubles>;
using Pair33 = Lanes33<simd::Doubles>;

/// Two of many vectors or matrices that lie one after the other, and back.
EIGEN_ALWAYS_INLINE Pair3 gather(const Vec3* all, std::ptrdiff_t first, std::ptrdiff_t second) {
    const double* at = all[first].data();
    const std::ptrdiff_t stride = 3 * (second - first);
    using simd::Doubles;
    return {Doubles::gather(at, stride), Doubles::gather(at + 1, stride),
            Doubles::gather(at + 2, stride)};
}
EIGEN_ALWAYS_INLINE void scatter(const Pair3& v, Vec3* all, std::ptrdiff_t first,
                                 std::ptrdiff_t second) {
    double* to = all[first].data();
    const std::ptrdiff_t stride = 3 * (second - first);
    v.x.scatter(to, stride);
    v.y.scatter(to + 1, stride);
    v.z.scatter(to + 2, stride);
}
EIGEN_ALWAYS_INLINE Pair33 gather(const Mat3* all, std::ptrdiff_t first, std::ptrdiff_t second) {
    const double* at = all[first].data();
    const std::ptrdiff_t stride = 9 * (second - first);
    using simd::Doubles;
    return {Doubles::gather(at, stride),     Doubles::gather(at + 1, stride),
            Doubles::gather(at + 2, stride), Doubles::gather(at + 3, stride),
            Doubles::gather(at + 4, stride), Doubles::gather(at + 5, stride),
            Doubles::gather(at + 6, stride), Doubles::gather(at + 7, stride),
            Doubles::gather(at + 8, stride)};
}
EIGEN_ALWAYS_INLINE void scatter(const Pair33& m, Mat3* all, std::ptrdiff_t first,
                                 std::ptrdiff_t second) {
    double* to = all[first].data();
    const std::ptrdiff_t stride = 9 * (second - first);
    for (int k = 0; k < 9; ++k) m.at[k].scatter(to + k, stride);
}

/// Of both places together.
EIGEN_ALWAYS_INLINE double both_of(const simd::Doubles& x) { return x[0] + x[1]; }
EIGEN_ALWAYS_INLINE Vec3 both_of(const Pair3& v) {
    return {both_of(v.x), both_of(v.y), both_of(v.z)};
}
/// The same in both places.
EIGEN_ALWAYS_INLINE Pair3 twice(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
inline Lanes33<double> lanes_of(const Mat3& m) {
    Lanes33<double> out;
    for (int k = 0; k < 9; ++k) out.at[k] = m.data()[k];
    return out;
}
inline Mat3 matrix_of(const Lanes33<double>& m) {
    Mat3 out;
    for (int k = 0; k < 9; ++k) out.data()[k] = m.at[k];
    return out;
}
inline Mat3 matrix_of(const Pair33& m, int place) {
    Mat3 out;
    for (int k = 0; k < 9; ++k) out.data()[k] = m.at[k][place];
    return out;
}
inline Pair33 pair_of(const Mat3& first, const Mat3& second) {
    const Mat3 two[] = {first, second};
    return gather(two, 0, 1);
}
/// The matrix of one rotation in both places.
inline Pair33 turn_twice(const Quat& turn) {
    const Mat3 m = turn.toRotationMatrix();
    Pair33 out;
    for (int k = 0; k < 9; ++k) out.at[k] = m.data()[k];
    return out;
}

}  // namespace ductile
