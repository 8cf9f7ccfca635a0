// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/deformer.h>
#include <ductile/deform/shell/shell_options.h>
#include <ductile/geom/cut/point_shares.h>
#include <ductile/geom/repair/split_edges.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// A share that a control point has in where a point is.
struct ControlWeight {
    std::int32_t control = 0;
    double weight = 0.0;  ///< >= 0
};

/// Rows of weights, one per point.
struct ControlRows {
    std::vector<std::int32_t> start = {0};
    std::vector<ControlWeight> entries;

    std::size_t size() const { return start.size() - 1; }
    std::span<const ControlWeight> operator[](std::size_t row) const {
        return std::span(entries).subspan(static_cast<std::size_t>(start[row]),
                                          static_cast<std::size_t>(start[row + 1] - start[row]));
    }
    void push_back(std::span<const ControlWeight> row) {
        entries.insert(entries.end(), row.begin(), row.end());
        start.push_back(static_cast<std::int32_t>(entries.size()));
    }
};

/// A patch of the surface that moves as one when it is met.
struct SubShell {
    std::vector<std::int32_t> controls;  ///< On its border, ascending; shared with its neighbours.
    std::vector<std::int32_t> samples;   ///< Points of it by which it is met, spread out.
};

/// Two control points of different parts, or skins, that lie near each other.
struct ShellTie {
    std::int32_t a = 0, b = 0;
};

/// A body of sheet metal cut into sub-shells that share control points on their borders, and how
/// every point of its surface follows those. Made once from the rest shape.
///
/// Guarantees of the rows: weights >= 0, of sum 1, at most kMostWeights of a point of the mesh that
/// was cut; empty for a point that no offset moves. A point on a border lies between its two
/// control points, linearly; one inside follows those of its sub-shell as springs between
/// neighbours would hold it (harmonic); one of a part that is too small to bend follows the nearest
/// large part.
struct ShellRig final : LayerData {
    static constexpr std::size_t kMostWeights = 10;

    std::vector<std::int32_t> control_points;  ///< The surface point of each, ascending.
    std::vector<Vec3> control_rest;            ///< Their rest places [m].
    std::vector<std::uint8_t> is_pinned;       ///< Per control point: on a rigid part.
    std::vector<SubShell> shells;
    std::vector<ShellTie> ties;
    ControlRows rows;                      ///< Per surface point.
    std::vector<std::int32_t> shell_of;    ///< Per surface point; -1: of none.
    std::vector<Vec3> normals;             ///< Per surface point, at rest.
    std::vector<double> point_area;        ///< A third of the triangles around each [m^2].
    std::vector<MeshEdge> edges;           ///< Of the surface, those that may stretch.
    std::vector<std::int32_t> face_shell;  ///< Per triangle of the mesh that was cut; -1: of none.
    double shell_size = 0.0;               ///< sqrt(area / sub-shells) [m].
    double stretch_limit = 0.2;            ///< As the options had it.
    /// Edges shorter than this may grow as much as one of this length [m]: of slivers in meshes
    /// from files, which say nothing of the sheet.
    double short_edge = 0.0;
    std::vector<double> support_distance;  ///< Per point, to where the sheet is held [m]; or empty.

    /// Of a part of a body that broke: it keeps what was done to the whole, and answers nothing.
    bool is_kept = false;

    std::vector<std::int32_t> by_place;  ///< Control points by x, y and z of their rest places.

    /// The first control point at a rest place, bit for bit, that is not `taken`; -1: there is
    /// none.
    std::int32_t find_control(const Vec3& rest, std::span<const std::uint8_t> taken) const;
};

/// What a rig is made of.
struct ShellSurface {
    std::span<const Vec3> points;
    std::span<const Triangle> triangles;
    std::span<const std::uint8_t> is_rigid;  ///< Per point; empty: none is.
};

/// Error: nothing that could bend.
Result<ShellRig> make_shell_rig(const ShellSurface& surface, const ShellOptions& options);

/// Edges of triangles between points of sub-shells, each once, ascending.
std::vector<MeshEdge> bending_edges(std::span<const Triangle> triangles,
                                    std::span<const std::int32_t> shell_of);

/// The rig of a mesh that came from the rig's by splitting edges: the same control points, each new
/// point halfway between the ends of its edge. `triangles`: of the finer mesh.
ShellRig refined_rig(const ShellRig& base, std::span<const MeshEdge> split,
                     std::span<const Vec3> points, std::span<const Triangle> triangles);

/// The rig of a part of the body, whose points follow the control points as those of the whole do
/// that they lie between (`shares`). It has all control points of the whole, so that its records
/// fit, and executes records only: its sub-shells are gone.
ShellRig part_rig(const ShellRig& whole, const PointShares& shares, std::span<const Vec3> points,
                  std::span<const Triangle> triangles);

}  // namespace ductile
