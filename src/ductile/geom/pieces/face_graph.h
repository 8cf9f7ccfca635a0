// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/pieces/clusters.h>

#include <array>
#include <span>
#include <vector>

namespace ductile {

/// The angle's part of equation 1 of Dong et al. 2011, for unit normals with this product: sin^2 up
/// to 90 degrees, 1 + cos^2 beyond (the seed's sin^2 would take a sheet folded back onto itself for
/// a flat one).
double angle_distance(double cosine);

/// Faces as nodes, their shared edges as links.
struct FaceGraph {
    std::vector<Triangle> next;                 ///< The face across each edge, or -1.
    std::vector<std::array<double, 3>> length;  ///< Of the link across each edge: equation 1.
    std::vector<std::array<double, 3>> angle;   ///< Its part `angle_distance`.
    std::vector<Vec3> centre;                   ///< Zero where not finite.
    std::vector<double> area;                   ///< [m^2]; 0 where not finite.
    std::vector<bool> is_good;                  ///< Finite.
    std::vector<Vec3> normal;                   ///< Of unit length; zero where there is none.
    double scale = 0.0;                         ///< What a way of 1 in equation 1 is [m].
    std::size_t size() const { return next.size(); }
};

/// Numbers are the same to the last digit for mirrored faces. Requires: indices in range.
FaceGraph make_face_graph(std::span<const Vec3> points, std::span<const Triangle> faces,
                          const ClusterOptions& options);

}  // namespace ductile
