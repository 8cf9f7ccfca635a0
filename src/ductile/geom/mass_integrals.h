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

inline void add_products(std::array<double, 6>& sum, double weight, const Vec3& a) {
    sum[0] += weight * a.x() * a.x();
    sum[1] += weight * a.y() * a.y();
    sum[2] += weight * a.z() * a.z();
    sum[3] += weight * a.x() * a.y();
    sum[4] += weight * a.x() * a.z();
    sum[5] += weight * a.y() * a.z();
}

/// What a simplex with one corner at 0, or a triangle, integrates x x^T to.
inline void add_corner_products(std::array<double, 6>& sum, double weight, const Vec3& a,
                                const Vec3& b, const Vec3& c) {
    add_products(sum, weight, a + b + c);
    add_products(sum, weight, a);
    add_products(sum, weight, b);
    add_products(sum, weight, c);
}

/// The solid between a triangle and the reference place, which is 0; no area. Each number is added
/// up once per triangle: twice as fast as sum by sum, with other last digits.
inline void add_tetrahedron(MassIntegrals& sum, const Vec3& a, const Vec3& b, const Vec3& c) {
    const double det = a.dot(b.cross(c)), weight = det * (1.0 / 120.0);
    const Vec3 s = a + b + c;
    const auto product = [&](int i, int k) {
        return weight * ((s[i] * s[k] + a[i] * a[k]) + (b[i] * b[k] + c[i] * c[k]));
    };
    sum.zeroth += det * (1.0 / 6.0);
    sum.first += det * (1.0 / 24.0) * s;
    sum.second[0] += product(0, 0);
    sum.second[1] += product(1, 1);
    sum.second[2] += product(2, 2);
    sum.second[3] += product(0, 1);
    sum.second[4] += product(0, 2);
    sum.second[5] += product(1, 2);
}

/// A triangle of a solid's surface, sum by sum: `MassSums` keeps every bit. `v`: its `area_vector`.
template <class Sum>
void add_solid_triangle(Sum& sum, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& v) {
    sum.area += 0.5 * v.norm();
    sum.area_vector += 0.5 * v;
    const double det = a.dot(b.cross(c));
    sum.zeroth += det / 6.0;
    sum.first += det / 24.0 * (a + b + c);
    add_corner_products(sum.second, det / 120.0, a, b, c);
}

/// A triangle of sheet.
template <class Sum>
void add_sheet_triangle(Sum& sum, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& v,
                        double thickness) {
    const double length = v.norm();
    sum.area += 0.5 * length;
    sum.area_vector += 0.5 * v;
    if (!(length > 0)) return;
    const double w = 0.5 * length * thickness;
    sum.zeroth += w;
    sum.first += w / 3.0 * (a + b + c);
    add_corner_products(sum.second, w / 12.0, a, b, c);
    add_products(sum.second, w * thickness * thickness / 12.0, v / length);
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
