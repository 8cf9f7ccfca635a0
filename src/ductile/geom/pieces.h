// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/geom/tri_mesh.h>

namespace ductile {

/// How a surface is covered by convex pieces for collision.
struct PieceOptions {
    std::int32_t count = 24;            ///< Pieces at the top, at least one per component.
    std::int32_t children = 4;          ///< Parts a piece falls into when it is split.
    std::int32_t depth = 3;             ///< Levels below the top at most.
    std::int32_t points_per_piece = 20; ///< Tracked surface points of a piece at most, >= 4.
    double inset = 0.3;  ///< How far the inner point lies behind a piece, as a share of its size.
};

/// One convex piece: the hull of some tracked surface points and one point behind them.
struct Piece {
    std::int32_t parent = -1;
    std::int32_t level = 0;
    std::vector<std::int32_t> children;  ///< Indices into PieceTree::pieces; empty for a leaf.
    std::vector<std::int32_t> faces;     ///< Faces it covers, ascending.
    std::vector<std::int32_t> vertices;  ///< Surface points of those faces, ascending.
    std::vector<std::int32_t> tracked;   ///< The subset of `vertices` that spans the hull.
    Vec3 inner_offset = Vec3::Zero();    ///< Inner point minus the mean of the tracked ones, at rest.
};

/// A hierarchy of convex pieces, cut once from the rest shape; immutable.
struct PieceTree {
    std::vector<Piece> pieces;
    std::vector<std::int32_t> top;  ///< The pieces a fresh body collides with.
};

/// Cuts the hierarchy. Every face belongs to exactly one piece per level reached.
/// Error: no faces, points that are not finite.
Result<PieceTree> cut_pieces(std::span<const Vec3> points, std::span<const Triangle> triangles,
                             const PieceOptions& options);

/// The cloud of one piece for moved surface points: the tracked ones, then the inner point.
/// `out` is overwritten; its capacity is reused.
void piece_points(const Piece& piece, std::span<const Vec3> points, std::vector<Vec3>& out);

/// How deep the hull of the piece covers its own surface points at most [m]: the dent or hollow
/// it would fill in. 0 for a convex patch. An upper bound of the true depth, found by looking along the
/// given unit vertex normals and the piece's mean normal.
double fill_depth(const Piece& piece, std::span<const Vec3> points, std::span<const Vec3> normals);

/// The pieces a body collides with now: a cut through the tree.
struct PieceCut {
    std::vector<std::int32_t> active;  ///< Ascending.
};

/// What `refine_cut` changed, for the engine.
struct PieceChange {
    std::vector<std::int32_t> removed;
    std::vector<std::int32_t> added;
};

/// Replaces active pieces that fill in more than `tolerance` by their children, again and again,
/// worst first, while at most `budget` pieces are active. Looks only at pieces in `candidates`.
PieceChange refine_cut(const PieceTree& tree, std::span<const Vec3> points,
                       std::span<const Vec3> normals, std::span<const std::int32_t> candidates,
                       double tolerance, std::int32_t budget, PieceCut& cut);

/// How well the union of pieces stands for the surface.
struct ColliderError {
    double outside = 0.0;  ///< Furthest that a surface point lies outside every piece [m].
    double covered = 0.0;  ///< Furthest that the pieces reach out over a surface point, along its normal [m].
    double worst() const { return outside > covered ? outside : covered; }
};

/// Measures at every surface point and face centre. O(samples x pieces nearby); for reports and tests.
ColliderError collider_error(const PieceTree& tree, const PieceCut& cut,
                             std::span<const Vec3> points, std::span<const Triangle> triangles);

}  // namespace ductile
