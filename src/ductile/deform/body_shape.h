// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/deformer.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/pieces/pieces.h>
#include <ductile/geom/query/point_tree.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/render_mesh.h>
#include <ductile/material/material.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace ductile {

/// What a deformable body is made from.
struct BodyShapeOptions {
    Material material;
    double thickness = 0.0;  ///< Of the sheet, or of what the asset calls sheet [m]; 0: a solid.
    double mass = 0.0;       ///< [kg]; 0: from density and shape.
    PieceOptions pieces;
};

/// A deformable body at rest and everything that follows from that alone. Immutable, shared by
/// all bodies of one kind; breaking and refining will make new revisions.
struct BodyShape {
    std::shared_ptr<const SurfaceAsset> asset;
    Material material;
    std::vector<std::shared_ptr<const Deformer>> layers;  ///< In the order in which they act.

    std::vector<Vec3> normals;  ///< Of the surface points at rest.
    VertexFaces vertex_faces;
    std::shared_ptr<const PointBoxes> rest_boxes;      ///< Which points lie together, and where.
    std::shared_ptr<const SurfaceQuery> rest_surface;  ///< Shared until points move, then copied.
    PieceTree pieces;
    VertexPieces vertex_pieces;
    MassModel mass_model;  ///< Density already corrected so that the mass is the one asked for.
    MassProperties mass;   ///< At rest.
    std::shared_ptr<const MassSums> rest_sums;  ///< Copied by what moves points, and kept there.
    std::vector<std::int32_t> rigid_points;     ///< Those that no hit moves, ascending.
    Box box;                                    ///< At rest.
    double size = 0.0;                          ///< Diagonal of the box [m].
    double smallest_extent = 0.0;               ///< Of the box [m].
    double edge = 0.0;                          ///< Mean length of its triangles' sides [m].

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
    /// Whether no hit moves this point.
    bool is_rigid(std::int32_t v) const { return !asset->is_rigid.empty() && asset->is_rigid[v]; }
    /// Presses a record into points, all but the rigid ones. Requires: rigid points at rest.
    void press(const HitRecord& record, double amount, std::span<Vec3> points) const;
};

/// Prepares a body. Error: a surface without volume (or area), not finite, or that cannot be cut.
Result<std::shared_ptr<const BodyShape>> make_body_shape(
    std::shared_ptr<const SurfaceAsset> asset, const BodyShapeOptions& options,
    std::vector<std::shared_ptr<const Deformer>> layers);

}  // namespace ductile
