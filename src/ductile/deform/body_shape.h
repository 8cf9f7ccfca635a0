// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>
#include <ductile/core/result.h>
#include <ductile/deform/deformer.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/pieces/pieces.h>
#include <ductile/geom/query/point_tree.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/render_mesh.h>
#include <ductile/geom/repair/split_edges.h>
#include <ductile/material/material.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ductile {

/// What a deformable body is made from.
struct BodyShapeOptions {
    Material material{};
    double thickness = 0.0;  ///< Of the sheet, or of what the asset calls sheet [m]; 0: a solid.
    double mass = 0.0;       ///< [kg]; 0: from density and shape.
    PieceOptions pieces{};
};

/// Edges of a mesh that get a point in their middle at once, ascending.
using MeshSplit = std::vector<MeshEdge>;

/// A deformable body at rest and everything that follows from that alone. Immutable, shared by
/// all bodies of one kind; breaking and refining will make new revisions.
struct BodyShape {
    std::shared_ptr<const SurfaceAsset> asset;
    BodyShapeOptions options;  ///< What it was made with.
    Material material;
    std::vector<Layer> layers;  ///< In the order in which they act.

    std::vector<Vec3> normals;  ///< Of the surface points at rest.
    VertexFaces vertex_faces;
    bool is_closed = false;                        ///< Else its surface can be touched from behind.
    std::shared_ptr<const PointBoxes> rest_boxes;  ///< Which points lie together, and where.
    std::shared_ptr<const SurfaceQuery> rest_surface;  ///< Shared until points move, then copied.
    PieceTree pieces;
    VertexPieces vertex_pieces;
    MassModel mass_model;  ///< Density already corrected so that the mass is the one asked for.
    MassProperties mass;   ///< At rest.
    std::shared_ptr<const MassSums> rest_sums;  ///< Copied by what moves points, and kept there.
    std::vector<std::int32_t> rigid_points;     ///< Those that keep their part's form, ascending.
    /// Per point, the one whose place decides how a skin moves it: its own, or for all points of a
    /// connected rigid part one in its middle, so that each part moves as a whole. Empty: its own.
    std::vector<std::int32_t> skin_anchor;
    std::vector<Vec3> skin_rest;  ///< Rest places of those; empty: the points' own.
    std::shared_ptr<const PointBoxes> skin_boxes;  ///< Around those; or `rest_boxes`.
    Box box;                                       ///< At rest.
    double size = 0.0;                             ///< Diagonal of the box [m].
    double smallest_extent = 0.0;                  ///< Of the box [m].
    double edge = 0.0;                             ///< Mean length of its triangles' sides [m].
    double facets = 0.0;  ///< How far its facets are off the smooth surface they stand for [m].

    /// How its mesh came from that of the body without mesh records (deform/mesh_revision.h), and
    /// by which hits.
    std::vector<MeshSplit> splits;
    std::vector<std::int64_t> mesh_hits;

    std::span<const Vec3> rest() const { return asset->surface.points; }
    std::span<const Triangle> triangles() const { return asset->surface.triangles; }
    /// Of the surface as it lies now. Error: no body can have such a shape.
    Result<MassProperties> mass_of(std::span<const Vec3> points) const {
        return sums_of(points).properties(mass_model.density);
    }
    /// What `mass_of` is made from.
    MassSums sums_of(std::span<const Vec3> points) const {
        return {points, triangles(), mass_model.thickness, asset->is_sheet, box};
    }
    /// Whether no offset moves this point.
    bool is_rigid(std::int32_t v) const { return !asset->is_rigid.empty() && asset->is_rigid[v]; }
    /// What a layer prepared, found by its type; null if no layer has such data.
    template <class Data>
    const Data* data() const {
        for (const Layer& layer : layers) {
            if (const auto* found = dynamic_cast<const Data*>(layer.data.get())) return found;
        }
        return nullptr;
    }
    /// Speed of approach up to which no layer answers [m/s]; infinite without layers.
    double yield_speed() const;
    /// That of the layer that gives way first (Deformer::yield_curve); empty without layers.
    YieldCurve yield_curve(const YieldQuery& query) const;
};

/// Prepares a body, and the data of its layers. Error: a surface without volume (or area), not
/// finite, or that cannot be cut; what a layer refuses; what `checkpoint` ends it with, which is
/// asked several times a second while the collider is cut.
Result<std::shared_ptr<const BodyShape>> make_body_shape(
    std::shared_ptr<const SurfaceAsset> asset, const BodyShapeOptions& options,
    std::vector<std::shared_ptr<const Deformer>> rules, const Checkpoint& checkpoint = {});

/// The same, for whoever has to add to it before it is shared. `pieces`: of its collider, where
/// they are known; else they are cut.
Result<std::shared_ptr<BodyShape>> make_mutable_body_shape(
    std::shared_ptr<const SurfaceAsset> asset, const BodyShapeOptions& options,
    std::vector<std::shared_ptr<const Deformer>> rules, const Checkpoint& checkpoint = {},
    std::optional<PieceTree> pieces = {});

/// A body that can be replayed (`shape_at`) and nothing else: no mass, no pieces, no rules.
BodyShape make_replay_shape(std::shared_ptr<const SurfaceAsset> asset);

}  // namespace ductile
