// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <LinearMath/btTransform.h>

#include <cmath>

namespace ductile {

inline btVector3 to_bt(const Vec3& v) {
    return btVector3(btScalar(v.x()), btScalar(v.y()), btScalar(v.z()));
}
inline btTransform to_bt(const Transform& t) {
    const Mat3 r = t.rotation.toRotationMatrix();
    const auto s = [&](int i, int j) { return btScalar(r(i, j)); };
    return btTransform(btMatrix3x3(s(0, 0), s(0, 1), s(0, 2), s(1, 0), s(1, 1), s(1, 2), s(2, 0),
                                   s(2, 1), s(2, 2)),
                       to_bt(t.translation));
}
inline Vec3 from_bt(const btVector3& v) { return Vec3(v.x(), v.y(), v.z()); }
inline Mat3 from_bt(const btMatrix3x3& m) {
    Mat3 r;
    for (int i = 0; i < 3; ++i) r.row(i) = from_bt(m[i]).transpose();
    return r;
}
inline Transform from_bt(const btTransform& t) {
    return {Quat(from_bt(t.getBasis())).normalized(), from_bt(t.getOrigin())};
}

inline bool is_finite(const btVector3& v) { return from_bt(v).allFinite(); }
inline bool is_finite(const btTransform& t) {
    return is_finite(t.getOrigin()) && from_bt(t.getBasis()).allFinite();
}
inline bool is_same(const btTransform& a, const btTransform& b) {
    return a.getOrigin() == b.getOrigin() && a.getBasis() == b.getBasis();
}

/// Bullet multiplies the restitutions of a pair: with roots the product is the geometric mean.
inline btScalar bullet_restitution(double restitution) { return btScalar(std::sqrt(restitution)); }

}  // namespace ductile
