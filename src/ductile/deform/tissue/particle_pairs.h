// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/rotation.h>
#include <ductile/deform/tissue/lanes.h>
#include <ductile/deform/tissue/tissue_rig.h>

namespace ductile {

/// Two quaternions.
struct Pair4 {
    simd::Doubles x, y, z, w;
};

/// Of the turns by two vectors.
inline Pair4 turns_by(const Pair3& angle) {
    using simd::Doubles;
    const Doubles h2 = Doubles(0.25) * angle.dot(angle), one = 1.0;
    if (!simd::is_above(Doubles(0.01), h2)) {
        Quat two[2];
        for (int k = 0; k < 2; ++k) two[k] = turn_by({angle.x[k], angle.y[k], angle.z[k]});
        const double* at = two[0].coeffs().data();
        const std::ptrdiff_t stride = two[1].coeffs().data() - at;
        return {Doubles::gather(at, stride), Doubles::gather(at + 1, stride),
                Doubles::gather(at + 2, stride), Doubles::gather(at + 3, stride)};
    }
    const auto series = [&](double a, double b, double c, double d) {
        return one -
               h2 * Doubles(a) *
                   (one - h2 * Doubles(b) * (one - h2 * Doubles(c) * (one - h2 * Doubles(d))));
    };
    const Doubles share = Doubles(0.5) * series(1.0 / 6, 1.0 / 20, 1.0 / 42, 1.0 / 72);
    return {share * angle.x, share * angle.y, share * angle.z,
            series(1.0 / 2, 1.0 / 12, 1.0 / 30, 1.0 / 56)};
}

EIGEN_ALWAYS_INLINE Pair4 product(const Pair4& a, const Pair4& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
            a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

EIGEN_ALWAYS_INLINE Pair33 matrices_of(const Pair4& q) {
    using simd::Doubles;
    const Doubles one = 1.0, x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const Doubles xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2,
                  yz = q.y * z2, wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return {one - yy - zz, xy + wz, xz - wy, xy - wz,      one - xx - zz,
            yz + wx,       xz + wy, yz - wx, one - xx - yy};
}

/// Two particles of a coat, and what of them never changes. An odd one goes with one more that
/// belongs to none and weighs nothing.
struct ParticlePair {
    std::ptrdiff_t first = 0, second = 0;
    simd::Doubles mass = 0.0;    ///< [kg]
    simd::Doubles spin = 0.0;    ///< Inertia about its own centre [kg m^2].
    Pair3 place{0.0, 0.0, 0.0};  ///< At rest, the bone's frame [m].
    Pair33 moment{};             ///< At rest (4.23) [kg m^2].

    /// Between things of theirs that lie one after the other, in doubles.
    template <class T>
    EIGEN_ALWAYS_INLINE std::ptrdiff_t stride() const {
        static_assert(sizeof(T) % sizeof(double) == 0);
        return static_cast<std::ptrdiff_t>(sizeof(T) / sizeof(double)) * (second - first);
    }
};

/// Of a list of particles.
std::vector<ParticlePair> pairs_of(const TissueRig& rig, std::span<const std::int32_t> list);

/// Of two things that lie `stride` doubles apart, and back.
EIGEN_ALWAYS_INLINE Pair3 gather(const Vec3& of_first, std::ptrdiff_t stride) {
    using simd::Doubles;
    const double* at = of_first.data();
    return {Doubles::gather(at, stride), Doubles::gather(at + 1, stride),
            Doubles::gather(at + 2, stride)};
}
EIGEN_ALWAYS_INLINE void scatter(const Pair3& v, Vec3& to_first, std::ptrdiff_t stride) {
    double* to = to_first.data();
    v.x.scatter(to, stride);
    v.y.scatter(to + 1, stride);
    v.z.scatter(to + 2, stride);
}
EIGEN_ALWAYS_INLINE Pair4 gather(const Quat& of_first, std::ptrdiff_t stride) {
    using simd::Doubles;
    const double* at = of_first.coeffs().data();
    return {Doubles::gather(at, stride), Doubles::gather(at + 1, stride),
            Doubles::gather(at + 2, stride), Doubles::gather(at + 3, stride)};
}
EIGEN_ALWAYS_INLINE void scatter(const Pair4& q, Quat& to_first, std::ptrdiff_t stride) {
    double* to = to_first.coeffs().data();
    q.x.scatter(to, stride);
    q.y.scatter(to + 1, stride);
    q.z.scatter(to + 2, stride);
    q.w.scatter(to + 3, stride);
}

}  // namespace ductile
