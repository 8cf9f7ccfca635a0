// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

namespace ductile::test {

inline double signed_volume(const TriMesh& mesh) {
    double sum = 0.0;
    for (const Triangle& t : mesh.triangles) {
        sum += mesh.points[t[0]].dot(mesh.points[t[1]].cross(mesh.points[t[2]]));
    }
    return sum / 6.0;
}

inline int euler_characteristic(const TriMesh& mesh) {
    // Closed: three edges for every two faces.
    return static_cast<int>(mesh.points.size()) - static_cast<int>(mesh.triangles.size()) / 2;
}

}  // namespace ductile::test
