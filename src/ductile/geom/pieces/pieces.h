// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/geom/pieces/piece_looks.h>
#include <ductile/geom/query/point_tree.h>
#include <ductile/geom/skin_frame.h>
#include <ductile/geom/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// How a surface is covered by convex pieces for collision.
struct PieceOptions {
    std::int32_t count = 24;         ///< Pieces at the top to begin with, >= 1.
    std::int32_t count_limit = 256;  ///< Pieces at the top at most; `tolerance` may have to wait.
    double tolerance = 0.018;  ///< Collider error aimed at, as a share of the body's diagonal, > 0.
    std::int32_t children = 3;           ///< Parts a piece falls into when it is split, >= 2.
    std::int32_t depth = 4;              ///< Levels below the top at most, >= 0.
    std::int32_t points_per_piece = 15;  ///< Tracked surface points of a piece at most, >= 4.
    double inset = 0.3;  ///< How far the inner point lies behind a piece, as a share of its size.
};
template <class Visitor>
void visit_fields(PieceOptions& o, Visitor&& field) {
    field(Field{"count", "", 1, 4096, "convex pieces to begin with"}, o.count);
    field(Field{"count_limit", "", 1, 4096, "pieces of an undented body at most"}, o.count_limit);
    field(Field{"tolerance", "", 1e-5, 1.0, "collider error aimed at, as a share of the diagonal"},
          o.tolerance);
    field(Field{"children", "", 2, 64, "parts a piece falls into when it is split"}, o.children);
    field(Field{"depth", "", 0, 8, "how often a piece may be split"}, o.depth);
    field(Field{"points_per_piece", "", 4, 1000, "surface points of a piece at most"},
          o.points_per_piece);
    field(Field{"inset", "", 0.0, 10.0, "how far a piece reaches inwards, in shares of its size"},
          o.inset);
}

/// One convex piece: the hull of some tracked surface points and one point behind them.
struct Piece {
    std::int32_t parent = -1;
    std::int32_t level = 0;
    std::vector<std::int32_t> children;  ///< Indices into PieceTree::pieces; empty for a leaf.
    std::vector<std::int32_t> faces;     ///< Faces it covers, ascending.
    std::vector<std::int32_t> vertices;  ///< Surface points of those faces, ascending.
    std::vector<std::int32_t> tracked;   ///< The subset of `vertices` that spans the hull.
    double inset = 0.0;                  ///< Of its inner point, as a share of its size.
    Vec3 inner_offset = Vec3::Zero();  ///< Inner point minus the mean of the tracked ones, at rest.
    /// Mean normal of `vertices` minus that of the tracked ones, at rest.
    Vec3 front_offset = Vec3::Zero();
    std::vector<float> rest_misfits;  ///< How far it parts from each of `vertices` at rest [m].
};

/// A hierarchy of convex pieces, cut once from the rest shape; immutable.
struct PieceTree {
    std::vector<Piece> pieces;
    std::vector<std::int32_t> top;  ///< The pieces a fresh body collides with.
};

/// The lowest pieces (those without children) that hold each vertex: those of vertex v are
/// `table[v]`, ascending. Their parents hold it, too.
struct VertexPieces {
    std::vector<std::int32_t> start;
    std::vector<std::int32_t> pieces;

    std::span<const std::int32_t> operator[](std::size_t v) const {
        return std::span(pieces).subspan(start[v], start[v + 1] - start[v]);
    }
};
VertexPieces vertex_pieces(const PieceTree& tree, std::size_t point_count);

/// Cuts the hierarchy. Every face belongs to exactly one piece per level reached.
///
/// The top begins with `count` clusters of faces; a piece that covers or misses the surface by more
/// than the tolerance is cut in two until none does or `count_limit` is reached. Parts of the
/// surface without a link between them share a piece only where there are more of them than that.
/// Pieces of the top have as few tracked points as a tenth of the tolerance needs; those below have
/// as many as allowed, since they stand for a surface that no longer lies as it did.
/// Error: no faces, an index out of range, points that are not finite, no area at all; what
/// `checkpoint` ends it with, which is asked several times a second.
/// Once per asset: about 50 ms for a barrel of 1,800 points, 1 s for a car of 10,000.
Result<PieceTree> cut_pieces(std::span<const Vec3> points, std::span<const Triangle> triangles,
                             const PieceOptions& options, const Checkpoint& checkpoint = {});

/// The hierarchy of a mesh that came from another by splitting triangles: `sources` has, per
/// triangle, the one of the old mesh that it is a part of, ascending; old points come first. All
/// pieces are what they were, tracked points and clouds to the bit, and known by their old numbers;
/// lowest ones whose faces were split may have children now, which come last. At the cost of those,
/// and of looking at all points. Requires: a hierarchy that these options cut.
PieceTree refined_pieces(const PieceTree& coarse, std::span<const Vec3> points,
                         std::span<const Triangle> triangles, std::span<const std::int32_t> sources,
                         const PieceOptions& options);

/// The cloud of one piece for moved surface points: the tracked ones, then the inner point, which
/// turns with them if a skin does (`frames`, one per point; empty: none).
/// `out` is overwritten; its capacity is reused.
void piece_points(const Piece& piece, std::span<const Vec3> points, std::vector<Vec3>& out,
                  std::span<const SkinFrame> frames = {});

/// What `Piece::front_offset` is, given the normals at rest.
Vec3 front_offset(const Piece& piece, std::span<const Vec3> normals);

/// How far a piece and its own surface points part [m], both >= 0.
struct PieceFit {
    double fill = 0.0;   ///< How deep its hull covers one of its surface points.
    double bulge = 0.0;  ///< How far one of its surface points sticks out in front of its hull.
    double worst() const { return fill > bulge ? fill : bulge; }
};

/// Measures a piece against the surface as it lies now, given unit vertex normals.
///
/// Looks along each point's normal and along the way the piece faces, and takes the shorter way
/// out: both are at least the true depth. At rest it faces along the mean of its points' normals;
/// it turns as the normals of its tracked points do, so that what moves elsewhere changes nothing.
/// Points beside the hull, which neighbours cover, do not count.
/// O(vertices x faces of the hull seen from outside), the hull itself is never built.
PieceFit piece_fit(const Piece& piece, std::span<const Vec3> points, std::span<const Vec3> normals);

/// The worse of both for each of the piece's vertices [m].
std::vector<float> piece_misfits(const Piece& piece, std::span<const Vec3> points,
                                 std::span<const Vec3> normals);

/// `piece_fit(...).fill`: the dent or hollow that the piece would fill in; 0 for a convex patch.
double fill_depth(const Piece& piece, std::span<const Vec3> points, std::span<const Vec3> normals);

/// The pieces a body collides with now: a cut through the tree.
struct PieceCut {
    std::vector<std::int32_t> active;  ///< Ascending.
    PieceLooks looks{};                ///< Of some of them.
};

/// The active pieces that hold one of some vertices, ascending. O(vertices), and the depth of the
/// tree for each of the lowest pieces among them.
std::vector<std::int32_t> pieces_holding(const PieceTree& tree, const VertexPieces& table,
                                         const PieceCut& cut,
                                         std::span<const std::int32_t> vertices);

/// What `refine_cut` changed, for the engine.
struct PieceChange {
    std::vector<std::int32_t> removed;
    std::vector<std::int32_t> added;
};

/// What happened to a surface, for `refine_cut` to look only there. A point is changed where it
/// moved or its normal turned; more points may be named than did.
struct SurfaceChange {
    const PointBoxes& boxes;  ///< Of all points as they lie now.
    const IndexSet& dented;   ///< Points that were pushed in: neighbouring pieces may cover them.
    const IndexSet& recent;   ///< Points changed since the last call.
    const IndexSet& ever;     ///< Points changed since rest.
    /// How a skin moves each point: pieces turn with it. Empty: no skin.
    std::span<const SkinFrame> frames = {};
    /// Pieces that a skin bent by less than this [m] since they were last looked at wait; 0: none.
    double least_bend = 0.0;
};

/// Replaces active pieces that part from their surface by more than `tolerance` [m] (`piece_fit`,
/// the worse of both) by their children, again and again, worst first, while at most `budget`
/// pieces are active. Looks only at pieces in `candidates`, whichever of them are active, and at
/// what replaced them. Where a piece was too coarse at rest it is replaced only if it got worse
/// there. Requires: `cut.active` ascending. Pieces come back ascending and in one list at most.
PieceChange refine_cut(const PieceTree& tree, std::span<const Vec3> points,
                       std::span<const Vec3> normals, std::span<const std::int32_t> candidates,
                       double tolerance, std::int32_t budget, PieceCut& cut);

/// The same for a surface that changed a little since the last call, at the cost of what changed:
/// all pieces with a recent point are candidates, and of a piece whose tracked points are as they
/// were, only changed points are looked at. Moreover a piece is replaced that covers a dented point
/// which is not its own by more than `tolerance`: the dent beside a piece.
/// Comes to what it would with everything named as recent and ever, to rounding, once no piece is
/// let wait; the tolerance and the budget stay what they are from call to call.
PieceChange refine_cut(const PieceTree& tree, const VertexPieces& table,
                       std::span<const Vec3> points, std::span<const Vec3> normals,
                       const SurfaceChange& since, double tolerance, std::int32_t budget,
                       PieceCut& cut);

/// How well the union of pieces stands for the surface.
struct ColliderError {
    double outside = 0.0;  ///< Furthest that a surface point lies outside every piece [m].
    double covered = 0.0;  ///< Deepest that a surface point lies under the pieces [m].
    double worst() const { return outside > covered ? outside : covered; }
};

/// Measures at every surface point and face centre.
///
/// A point is covered by its own piece and by whatever touches that in turn; a piece across an air
/// gap does not count. How deep, is the shortest of the ways along its normal and twelve directions
/// around it, to free air or to the surface across: at least the true depth where a hollow is open,
/// the width of a slot where it is narrower than deep. O(samples x pieces nearby), on several
/// threads; for reports and tests. `frames`: of the skin that pieces turn with, as for
/// `piece_points`.
ColliderError collider_error(const PieceTree& tree, const PieceCut& cut,
                             std::span<const Vec3> points, std::span<const Triangle> triangles,
                             std::span<const SkinFrame> frames = {});

}  // namespace ductile
