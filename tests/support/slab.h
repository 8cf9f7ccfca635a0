// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

namespace ductile {

/// A closed slab, its upper face at y = 0, its lower one at y = -thickness.
inline TriMesh slab(int n, double side, double thickness) {
    TriMesh mesh;
    for (int face = 0; face < 2; ++face) {
        for (int i = 0; i <= n; ++i) {
            for (int j = 0; j <= n; ++j) {
                mesh.points.push_back(
                    {side * (i - 0.5 * n) / n, -face * thickness, side * (j - 0.5 * n) / n});
            }
        }
    }
    const int layer = (n + 1) * (n + 1);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j, b = a + 1, c = a + n + 1, d = c + 1;
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
            mesh.triangles.push_back({layer + a, layer + d, layer + b});
            mesh.triangles.push_back({layer + a, layer + c, layer + d});
        }
    }
    return mesh;
}

}  // namespace ductile
