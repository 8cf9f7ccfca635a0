// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/cut/cell_pattern.h>
#include <ductile/geom/render_mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// How a mesh is cut.
struct CutOptions {
    /// Pieces with less than this share of the mean piece's volume (of sheet: area times thickness)
    /// join their neighbour, or, without one, the nearest piece of their cell, in [0, 1).
    double smallest = 0.02;
    /// Points nearer to a cut than this lie on it [share of the mesh's size].
    double snap = 1e-7;
    /// Whether it is found out that the mesh crosses itself: longer than the cut takes. Without it
    /// walls of what does may overlap.
    bool looks_for_crossings = true;
    /// Of what is cut without walls [m], >= 0: its pieces are joined along their common edges. 0:
    /// they are not joined.
    double thickness = 0.0;
};

/// A triangle of a mesh in pieces: of its surface, or of a wall between two pieces.
struct CutFace {
    Triangle corners{};
    std::int32_t behind = 0;  ///< The piece behind it.
    std::int32_t front = -1;  ///< The piece before it, which has it turned; -1: surface.
    std::int32_t source = 0;  ///< The mesh's triangle that it is part of; -1: a wall.
};

/// A connected part of a cell.
struct CutPiece {
    std::int32_t cell = 0;       ///< Of the pattern; for planes and bricks a number only.
    double volume = 0.0;         ///< [m^3]; 0 for a part of a sheet.
    Vec3 centre = Vec3::Zero();  ///< Of its volume; of its area for a part of a sheet [m].
};

/// What two pieces have in common.
struct CutJoint {
    std::array<std::int32_t, 2> pieces{};  ///< The lower first.
    double area = 0.0;                     ///< [m^2]
    Vec3 centre = Vec3::Zero();            ///< [m]
    Vec3 normal = Vec3::UnitX();           ///< Unit, out of the first; the mean where it is bent.
    /// Of the area about its centre, in the body's axes [m^4].
    Mat3 second_moment = Mat3::Zero();
};

/// A mesh in pieces. Points and walls are there once: pieces fit bit for bit, and a group of pieces
/// has no walls within.
struct CutMesh {
    std::vector<Vec3> points;  ///< Those of the mesh first, as they were.
    /// Per point, where it lies on the surface, by the mesh's points; weights 0: on none.
    std::vector<SurfaceAnchor> anchors;
    std::vector<CutFace> faces;
    std::vector<CutPiece> pieces;
    std::vector<CutJoint> joints;  ///< Of pieces with a wall or an edge between them, ascending.

    std::int32_t open_triangles = 0;  ///< Of the mesh, cut without walls: sheets.
    bool crosses_itself = false;      ///< Then no cut got a wall.
    std::int32_t joined = 0;          ///< Slivers that joined a neighbour.
};

/// Cuts a mesh into pieces along the cells of a pattern.
///
/// Triangles within one cell are taken over, the rest clipped. Connected parts of the mesh that are
/// closed and not named by `is_sheet` (per triangle; empty: none) are solid: their cuts are closed
/// by walls. What is open or sheet, and all of a mesh that crosses itself, is cut without.
/// Guarantees: pieces of solids closed, their volumes sum to the mesh's to rounding, walls equal
/// bit for bit from both sides. Same input, same bits. About O(n log cells). Error: no triangles,
/// numbers that are not finite, indices without a point, no cells.
Result<CutMesh> cut_cells(const TriMesh& mesh, const CellPattern& pattern,
                          const CutOptions& options = {},
                          std::span<const std::uint8_t> is_sheet = {});

/// What `cut_cells` says of a mesh that cannot be cut.
Status check_cut_mesh(const TriMesh& mesh);

/// Per triangle: whether the connected part of the mesh that it belongs to is closed and no sheet.
std::vector<std::uint8_t> solid_triangles(const TriMesh& mesh,
                                          std::span<const std::uint8_t> is_sheet);

/// The surface of some pieces together, ascending; what lies between them is left out.
struct PieceSurface {
    TriMesh mesh;
    std::vector<std::int32_t> points;  ///< Per point: which of the cut mesh it is.
    std::vector<std::int32_t> faces;   ///< Per triangle: which face of the cut mesh it is.
};
PieceSurface piece_surface(const CutMesh& cut, std::span<const std::int32_t> pieces);

}  // namespace ductile
