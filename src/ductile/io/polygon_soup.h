// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/model.h>
#include <ductile/io/face_cutter.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// One corner of a face: a place, a texture coordinate and a normal, each in a list of its own.
/// `uv` and `normal` are -1 for none.
struct SoupCorner {
    std::int32_t point = 0;
    std::int32_t uv = -1;
    std::int32_t normal = -1;
};

/// Faces of any number of corners as OBJ has them, before they are parts of triangles.
struct PolygonSoup {
    /// `face_start[f]` is the first of a face's corners; one more entry than faces at the end.
    std::vector<std::uint32_t> face_start{0};
    std::vector<SoupCorner> corners;
    std::vector<Vec3> points;
    std::vector<Vec4> colours;  ///< Empty, or one per point; linear RGBA.
    std::vector<Vec2> uvs;
    std::vector<Vec3> normals;

    std::size_t face_count() const { return face_start.size() - 1; }
    std::span<const SoupCorner> face(std::size_t f) const {
        return std::span(corners).subspan(face_start[f], face_start[f + 1] - face_start[f]);
    }
    void end_face() { face_start.push_back(static_cast<std::uint32_t>(corners.size())); }
};

/// Makes meshes of triangles out of the faces of a soup, part by part. A corner becomes a vertex;
/// corners that agree in place, texture coordinate and normal share one. Vertices come in the order
/// of the soup's points, those that no face uses not at all; `ModelMesh::file_points` names them.
class SoupCutter {
public:
    /// Requires of `soup`, which must outlive this: every corner's indices in range.
    explicit SoupCutter(const PolygonSoup& soup);

    /// The mesh of some faces. `looks[i]` is that of the triangles of `faces[i]`.
    ModelMesh cut(std::span<const std::uint32_t> faces, std::span<const std::int32_t> looks);

    /// What could not be cut, counted in faces over all calls.
    const FaceCutter& faces() const { return cutter_; }

private:
    struct Vertex {
        SoupCorner corner;
        std::int32_t next = -1;  ///< Another vertex at the same point.
    };

    void cut_face(std::uint32_t face, std::int32_t look, ModelMesh& mesh);
    std::int32_t vertex_of(const SoupCorner& corner);
    std::vector<std::int32_t> vertices_in_order() const;
    void fill_vertices(ModelMesh& mesh);

    const PolygonSoup& soup_;
    FaceCutter cutter_;
    std::vector<std::int32_t> first_vertex_;  ///< By point; -1 for none in this part.
    std::vector<Vertex> vertices_;
    std::vector<std::int32_t> face_points_;
};

}  // namespace ductile
