// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/edge_uses.h>
#include <ductile/geom/repair/repeated_faces.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A connected part of a mended surface.
struct SurfaceComponent {
    std::int32_t first_triangle = 0;  ///< Its lowest one.
    std::int32_t triangles = 0;
    std::int32_t points = 0;
    std::int32_t border_sides = 0;
    std::int32_t border_loops = 0;  ///< Holes, or the rims of a sheet.
    double area = 0.0;              ///< [m^2]
    double volume = 0.0;            ///< [m^3]; 0 if it is open.
    Box box;

    bool is_closed() const { return border_sides == 0; }
    /// Whether it bounds a solid: closed, and with more inside than rounding makes.
    bool is_solid() const;
};

struct MendCounts {
    std::int32_t collapsed = 0;      ///< Faces that named a place twice.
    std::int32_t copies = 0;         ///< Faces that stood there before.
    std::int32_t back_sides = 0;     ///< Faces that were another one's back.
    std::int32_t fins = 0;           ///< Faces of flaps folded onto themselves.
    std::int32_t without_area = 0;   ///< Faces of components that are lines or points.
    std::int32_t slivers = 0;        ///< Faces without area that stay: they close a seam.
    std::int32_t unused_points = 0;  ///< That no kept face names.
    std::int32_t nonmanifold_edges = 0;
    std::int32_t twisted_edges = 0;  ///< Cut, for no winding fits both sides.
    std::int32_t split_points = 0;   ///< Copies made where sheets touched in a point or an edge.
    std::int32_t flipped = 0;        ///< Faces whose winding was turned.
};

/// A surface that is a manifold with borders, and where it came from.
struct Mended {
    TriMesh surface;
    std::vector<std::int32_t> point_source;     ///< Per surface point: the point it is.
    std::vector<std::int32_t> triangle_source;  ///< Per surface triangle: the face it is.
    std::vector<std::uint8_t> is_flipped;       ///< Per surface triangle: turned against its face.
    std::vector<std::int32_t> component;        ///< Per surface triangle.
    std::vector<SurfaceComponent> components;   ///< In the order of their first triangles.
    FaceFates faces;                            ///< Per face given.
    std::vector<Triangle> corner_points;        ///< Per face given: surface points, or -1s.
    std::vector<std::int32_t> face_surface;     ///< Per face given: its surface triangle, or -1.
    std::vector<HalfEdge>
        across;  ///< Per half edge of the surface: the one it meets, or -1 at a border.
    MendCounts counts;
};

/// Makes a clean surface of a welded mesh.
///
/// Faces that name a place twice, repeat another or are its back, and components without area go.
/// A face without area but with three places of its own stays: it closes the seam between its
/// neighbours. Non-manifold edges and points are taken apart by copying points, so that every edge
/// has one or two faces and every point one fan. Each component has one winding: closed ones face
/// outward (positive volume, shells within shells, too); open ones as most of their area did, or,
/// where the file cannot make up its mind, outward from their middle.
/// Guarantees: points and triangles in their order, copies of points last; a clean surface comes
/// back as it was, bit for bit. Requires: finite points, valid indices. O(n).
Mended mend_surface(std::span<const Vec3> points, std::span<const Triangle> triangles);

}  // namespace ductile
