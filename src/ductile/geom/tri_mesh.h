// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Three indices into a point array, counter-clockwise seen from outside.
using Triangle = std::array<std::int32_t, 3>;

/// An indexed triangle surface. Plain data; nothing is promised about it but what a function asks.
struct TriMesh {
    std::vector<Vec3> points;
    std::vector<Triangle> triangles;
};

/// Whether every index lies in [0, point_count): what every function below requires. O(triangles).
bool has_valid_indices(std::size_t point_count, std::span<const Triangle> triangles);

/// The box around some points; empty for none.
Box bounds(std::span<const Vec3> points);

/// Twice the area times the unit normal of one triangle.
inline Vec3 area_vector(std::span<const Vec3> points, const Triangle& t) {
    return (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
}

/// Unit normal per vertex, each face weighted by its angle at the vertex (Thuermer and Wuethrich
/// 1998). A vertex without a usable face gets `Vec3::UnitY()`; a face without area, or with a
/// corner that is not finite, is of no use.
std::vector<Vec3> vertex_normals(std::span<const Vec3> points, std::span<const Triangle> triangles);

/// Mean length of the triangles' sides [m]; 0 for none.
double mean_edge_length(std::span<const Vec3> points, std::span<const Triangle> triangles);

/// How far the middles of facets lie off the smooth surface that they stand for, on average [m]: 0
/// for a box, whose edges are meant. O(n log n).
double facet_height(std::span<const Vec3> points, std::span<const Triangle> triangles);

struct VertexFaces;
/// Brings the normals of some vertices up to date: the same bits as `vertex_normals` of all.
/// `vertices` ascending, each once; a moved point changes the normals of all corners of its faces.
/// O(faces around them).
void update_normals(std::span<const Vec3> points, std::span<const Triangle> triangles,
                    const VertexFaces& around, std::span<const std::int32_t> vertices,
                    std::span<Vec3> normals);

/// A third of the area of the faces around each vertex [m^2].
std::vector<double> vertex_areas(std::span<const Vec3> points, std::span<const Triangle> triangles);

/// The faces around each vertex: those of vertex v are `around[v]`, ascending, each once.
struct VertexFaces {
    std::vector<std::int32_t> start;
    std::vector<std::int32_t> faces;

    std::span<const std::int32_t> operator[](std::size_t v) const {
        return std::span(faces).subspan(start[v], start[v + 1] - start[v]);
    }
};
VertexFaces vertex_faces(std::size_t point_count, std::span<const Triangle> triangles);

/// The face across each edge: `neighbours[f][k]` shares the edge from corner k to corner k + 1 of
/// face f, or is -1 at a border.
///
/// Two faces alone at an edge are neighbours even if their windings disagree. Where more than two
/// share an edge they are paired in face order, each with one of opposite winding; the rest count
/// as borders. A face that names a point twice has no neighbours and is nobody's. The relation is
/// symmetric. O(n log n).
std::vector<Triangle> face_neighbours(std::span<const Triangle> triangles);

/// Whether every edge is shared by exactly two faces with opposite direction. False for no faces.
bool is_closed(std::span<const Triangle> triangles);

}  // namespace ductile
