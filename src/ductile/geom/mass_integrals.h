// SPDX-License-Identifier: MIT
// Integrals over a polyhedron: signed tetrahedra between each face and a reference point (F. Tonon
// 2004, "Explicit exact formulas for the 3-D tetrahedron inertia tensor", written as outer products
// of the corners).
#pragma once

#include <ductile/geom/mass.h>

#include <array>
#include <cstddef>

namespace ductile {

/// Integrals over a part of a body, relative to a reference place. Those of parts add up to the
/// whole's, whatever sign they have. `MassSums` keeps the same.
struct MassIntegrals {
    double zeroth = 0.0;              ///< Of 1 [m^3].
    Vec3 first = Vec3::Zero();        ///< Of x [m^4].
    std::array<double, 6> second{};   ///< Of x x^T: xx, yy, zz, xy, xz, yz [m^5].
    double area = 0.0;                ///< Of the surface [m^2].
    Vec3 area_vector = Vec3::Zero();  ///< Zero for a closed surface [m^2].
};

/// Adds `share` of other integrals.
inline void add_integrals(MassIntegrals& sum, const MassIntegrals& other, double share) {
    sum.zeroth += share * other.zeroth;
    sum.first += share * other.first;
    for (std::size_t i = 0; i < 6; ++i) sum.second[i] += share * other.second[i];
    sum.area += share * other.area;
    sum.area_vector += share * other.area_vector;
}

/// Adds `weight` times the outer products of three corners and of their sum `s`: what a simplex
/// with one more corner at 0, or a triangle, integrates x x^T to. Each number is added up once.
template <class Sum>
EIGEN_ALWAYS_INLINE void add_corner_products(Sum& sum, double weight, const Vec3& a, const Vec3& b,
                                             const Vec3& c, const Vec3& s) {
    const auto product = [&](int i, int k) {
        return weight * ((s[i] * s[k] + a[i] * a[k]) + (b[i] * b[k] + c[i] * c[k]));
    };
    sum.second[0] += product(0, 0);
    sum.second[1] += product(1, 1);
    sum.second[2] += product(2, 2);
    sum.second[3] += product(0, 1);
    sum.second[4] += product(0, 2);
    sum.second[5] += product(1, 2);
}

/// The solid between a triangle and the reference place, which is 0; no area.
template <class Sum>
EIGEN_ALWAYS_INLINE void add_tetrahedron(Sum& sum, const Vec3& a, const Vec3& b, const Vec3& c) {
    const double det = a.dot(b.cross(c));
    const Vec3 s = a + b + c;
    sum.zeroth += det * (1.0 / 6.0);
    sum.first += det * (1.0 / 24.0) * s;
    add_corner_products(sum, det * (1.0 / 120.0), a, b, c, s);
}

/// A triangle of a solid's surface. `v`: its `area_vector`.
template <class Sum>
EIGEN_ALWAYS_INLINE void add_solid_triangle(Sum& sum, const Vec3& a, const Vec3& b, const Vec3& c,
                                            const Vec3& v) {
    sum.area += 0.5 * v.norm();
    sum.area_vector += 0.5 * v;
    add_tetrahedron(sum, a, b, c);
}

/// A triangle of sheet.
template <class Sum>
EIGEN_ALWAYS_INLINE void add_sheet_triangle(Sum& sum, const Vec3& a, const Vec3& b, const Vec3& c,
                                            const Vec3& v, double thickness) {
    const double length = v.norm();
    sum.area += 0.5 * length;
    sum.area_vector += 0.5 * v;
    if (!(length > 0)) return;
    const double w = 0.5 * length * thickness;
    const Vec3 s = a + b + c;
    sum.zeroth += w;
    sum.first += w * (1.0 / 3.0) * s;
    add_corner_products(sum, w * (1.0 / 12.0), a, b, c, s);
    // Across the sheet.
    const double across = w * thickness * thickness * (1.0 / 12.0) / (length * length);
    const Vec3 u = across * v;
    sum.second[0] += u.x() * v.x();
    sum.second[1] += u.y() * v.y();
    sum.second[2] += u.z() * v.z();
    sum.second[3] += u.x() * v.y();
    sum.second[4] += u.x() * v.z();
    sum.second[5] += u.y() * v.z();
}

/// What integrals come to, whether a body can have it or not (`check_mass`). `reference`: where 0
/// lies [m]. Requires: a volume other than 0.
template <class Sum>
MassProperties mass_of_integrals(const Sum& sum, double density, const Vec3& reference) {
    const std::array<double, 6>& s = sum.second;
    Mat3 second;
    second << s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2];
    const Vec3 centre = sum.first / sum.zeroth;
    const Mat3 about_centre = second - sum.zeroth * centre * centre.transpose();
    Mat3 inertia = density * (about_centre.trace() * Mat3::Identity() - about_centre);
    inertia = Mat3(0.5 * (inertia + inertia.transpose()));
    return {density * sum.zeroth, reference + centre, inertia};
}

}  // namespace ductile
