// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/tri_mesh.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ductile {

/// A picture as its file holds it, not decoded: it goes out as it came in.
struct Texture {
    std::string name;              ///< As the asset names it; may be empty.
    std::string mime_type;         ///< "image/png" or "image/jpeg".
    std::vector<std::byte> bytes;  ///< The whole picture file.
};

/// How a part of a surface looks: the base of glTF's metallic-roughness model.
struct Look {
    std::string name = "default";
    Vec3 base_colour = Vec3(0.8, 0.8, 0.8);  ///< Linear RGB, each in [0, 1].
    double metallic = 0.0;                   ///< In [0, 1].
    double roughness = 0.6;                  ///< In [0, 1].
    double opacity = 1.0;                    ///< In [0, 1]; below 1 for glass.
    bool is_two_sided = false;               ///< Its back is drawn, too.
    std::shared_ptr<const Texture> texture;  ///< Multiplies the base colour; null for none.
    bool has_holes = false;  ///< The texture's alpha counts: holes, or clearer glass.
};

/// A named part of a render mesh: a run of its triangles and the vertices that only they use.
struct MeshPart {
    std::string name;
    std::int32_t parent = -1;  ///< The part above it in the file's hierarchy; -1 for none.
    std::int32_t first_triangle = 0;
    std::int32_t triangle_count = 0;
    std::int32_t first_vertex = 0;
    std::int32_t vertex_count = 0;
};

/// The vertices of the file that a drawn mesh came from, in the file's order and number. Drawn ones
/// are copies of them, split where texture coordinates, normals or creases need it.
struct FileVertices {
    std::vector<Vec3> points;            ///< At rest, in the frame of the drawn ones; used or not.
    std::vector<std::int32_t> of_drawn;  ///< Per drawn vertex: the one that it is a copy of.

    bool empty() const { return of_drawn.empty(); }
};

/// What is drawn and exported: vertices are split where UVs, creases or looks need it.
/// Requires of whoever fills it: points, normals and uvs of one length; a look per triangle; parts,
/// where there are any, that follow each other and cover all triangles and vertices.
struct RenderMesh {
    std::vector<Vec3> points;
    std::vector<Vec3> normals;  ///< Unit length.
    /// What a split left of the lengths of normals that it put between others: the light of a mesh
    /// that is split again stays that of the first. Empty: all are 1.
    std::vector<double> normal_lengths;
    std::vector<Vec2> uvs;      ///< glTF's convention: (0, 0) is the upper left of the picture.
    std::vector<Vec4> colours;  ///< Linear RGBA per vertex, multiplies the base colour; or empty.
    std::vector<Triangle> triangles;
    std::vector<std::int32_t> triangle_looks;  ///< Index into `looks`, per triangle.
    std::vector<Look> looks;
    std::vector<MeshPart> parts;  ///< Empty: the mesh is one part without a name.
    FileVertices file_vertices;   ///< Empty: the drawn vertices are the file's own.
};

/// A place on a surface: three of its points and the share that each has in it.
struct SurfaceAnchor {
    Triangle points = {0, 0, 0};
    Vec3 weights = Vec3(1, 0, 0);  ///< Sum to one.

    static SurfaceAnchor on_point(std::int32_t p) { return {{p, p, p}, Vec3(1, 0, 0)}; }
};

/// A part of the render mesh that keeps its form and is carried by the surface it sits on: a lamp,
/// a trim, a window.
struct Rider {
    std::int32_t part = 0;             ///< Index into `RenderMesh::parts`.
    std::vector<std::int32_t> points;  ///< The surface points that carry it.
    std::vector<double> weights;       ///< Their shares, > 0.
};

/// A number per surface point, by name: what is painted on a body, or how much of it follows
/// something. Carried along when a surface is welded, simplified or split (geom/point_attribute.h).
struct PointAttribute {
    std::string name;
    std::vector<double> values;  ///< Finite, one per surface point.
};

/// A shape as a body gets it: the surface that is hit and moved, and the mesh that is drawn.
struct SurfaceAsset {
    TriMesh surface;  ///< Welded: one point per place.
    RenderMesh render;
    std::vector<SurfaceAnchor> anchors;  ///< What each render vertex follows.
    std::vector<Rider> riders;           ///< Parts whose vertices follow these instead.
    std::vector<std::uint8_t> is_rigid;  ///< Per surface point: no hit moves it. Empty: none is.
    std::vector<std::uint8_t> is_sheet;  ///< Per surface triangle: sheet, not skin of a solid.
                                         ///< Empty: all alike, as the body's thickness says.
    /// Of surface points; a file's vertex colours are "red", "green", "blue" and "alpha".
    std::vector<PointAttribute> attributes;
};

}  // namespace ductile
