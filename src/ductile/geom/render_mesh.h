// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ductile {

/// How a part of a surface looks: the base of glTF's metallic-roughness model.
struct Look {
    std::string name = "default";
    Vec3 base_colour = Vec3(0.8, 0.8, 0.8);  ///< Linear RGB, each in [0, 1].
    double metallic = 0.0;                   ///< In [0, 1].
    double roughness = 0.6;                  ///< In [0, 1].
    double opacity = 1.0;                    ///< In [0, 1]; below 1 for glass.
};

/// What is drawn and exported: vertices are split where UVs, creases or looks need it.
/// Requires of whoever fills it: points, normals and uvs of one length; a look per triangle.
struct RenderMesh {
    std::vector<Vec3> points;
    std::vector<Vec3> normals;  ///< Unit length.
    std::vector<Vec2> uvs;      ///< glTF's convention: (0, 0) is the upper left of the picture.
    std::vector<Triangle> triangles;
    std::vector<std::int32_t> triangle_looks;  ///< Index into `looks`, per triangle.
    std::vector<Look> looks;
};

/// A shape as a body gets it: the surface that is hit and moved, and the mesh that is drawn.
struct SurfaceAsset {
    TriMesh surface;  ///< Welded: one point per place.
    RenderMesh render;
    std::vector<std::int32_t> render_to_surface;  ///< The surface point each render vertex follows.
};

}  // namespace ductile
