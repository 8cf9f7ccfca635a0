// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/triangle.h>

#include <array>
#include <cmath>

namespace ductile {

/// What a patch of triangles looks like from far away: moments of its normals about a centre, up to
/// the second (Barill et al. 2018, "Fast Winding Numbers for Soups and Clouds", integrated
/// over triangles instead of summed over points).
struct FarField {
    Vec3 centre = Vec3::Zero();       ///< Set this first; best the mean of the patch [m].
    double area = 0.0;                ///< [m^2]
    Vec3 area_vector = Vec3::Zero();  ///< n: integral of the normal.
    Mat3 spread = Mat3::Zero();       ///< S: integral of (x - centre) normal^T.
    /// Q: integral of (x - centre) (x - centre)^T normal_k, for each k.
    std::array<Mat3, 3> bend{Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};

    void add(const Corners& t) {
        const Vec3 n = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]);
        const Vec3 a = t[0] - centre, b = t[1] - centre, c = t[2] - centre, sum = a + b + c;
        const Mat3 square =
            (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose()) /
            12.0;
        area += n.norm();
        area_vector += n;
        spread += sum / 3.0 * n.transpose();
        for (int k = 0; k < 3; ++k) bend[k] += n[k] * square;
    }

    /// Adds what another one stands for. With s the way between the centres:
    /// S' = S + s n^T, Q'_ijk = Q_ijk + s_i S_jk + s_j S_ik + s_i s_j n_k.
    void add(const FarField& other) {
        const Vec3 s = other.centre - centre;
        area += other.area;
        area_vector += other.area_vector;
        spread += other.spread + s * other.area_vector.transpose();
        for (int k = 0; k < 3; ++k) {
            const Mat3 mixed = s * other.spread.col(k).transpose();
            bend[k] += other.bend[k] + mixed + mixed.transpose() +
                       other.area_vector[k] * s * s.transpose();
        }
    }

    /// Solid angle of it all seen from p [sr]: Taylor's series of G(r) = r / |r|^3 about the
    /// centre, n_i G_i + S_ij dG_j/dx_i + Q_ijk d2G_k/(dx_i dx_j) / 2. Its relative error falls
    /// with the third power of size over distance. Requires: p is not the centre.
    double solid_angle(const Vec3& p) const {
        const Vec3 r = centre - p;
        const double d_sq = r.squaredNorm(), per_sq = 1.0 / d_sq;
        double traces = 0.0, cubic = 0.0;
        for (int k = 0; k < 3; ++k) {
            const Vec3 along = bend[k] * r;
            traces += bend[k].trace() * r[k] + 2.0 * along[k];
            cubic += along.dot(r) * r[k];
        }
        const double first = area_vector.dot(r);
        const double second = spread.trace() - 3.0 * r.dot(spread * r) * per_sq;
        const double third = 1.5 * (5.0 * cubic * per_sq - traces) * per_sq;
        return (first + second + third) * per_sq / std::sqrt(d_sq);
    }
};

}  // namespace ductile
