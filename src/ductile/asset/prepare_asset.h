// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_options.h>
#include <ductile/asset/asset_report.h>
#include <ductile/core/result.h>
#include <ductile/geom/model.h>
#include <ductile/geom/rig.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// A joint of a file's skins, in the frame of the body.
struct BodyJoint {
    std::string name;
    std::int32_t node = 0;      ///< Of the model.
    Vec3 place = Vec3::Zero();  ///< Where it stands at rest [m].
    std::int32_t parent = -1;   ///< The joint above it, another of these; -1: there is none.
};

/// A file made ready to be a body's shape.
struct PreparedAsset {
    SurfaceAsset asset;
    AssetReport report;
    std::vector<BodyJoint> joints;   ///< Of all its skins; empty: it has none.
    SkinWeights joint_weights;       ///< Per surface point, of `joints`; no rows without any.
    std::vector<ModelMorph> morphs;  ///< Moves of the surface points [m].
    /// For the body's mass [m]: 0 if all of it is solid. Where `asset.is_sheet` is empty a
    /// thickness > 0 makes all of it sheet.
    double thickness = 0.0;
};

/// Makes a body's shape of what a file says: docs/mesh-files.md tells the steps.
///
/// The drawn mesh keeps the file's vertices, UVs, looks and triangles, in metres and with y up;
/// only parts without any normals are split, at creases. It is not recentred; at scale 1 with y up
/// and nodes that do not move it, its points are the file's, bit for bit. The surface is welded,
/// mended
/// (`mend_surface`) and, above the limit of points, simplified; render vertices follow their own
/// place on it, or the nearest one that looks their way.
/// Error (words for the person who made the file): nothing to hit, a size no body has, a rule
/// that fits no part, an open part that should be solid.
/// Same input, same bytes, at any number of threads. O(n log n).
/// Joints' weights and morphs of the file's vertices become those of the surface's points: the mean
/// over the vertices at a point, or anchored near it where it was simplified; points in the middle
/// of split edges have the mean of its ends, points that nothing is known of what is around them.
Result<PreparedAsset> prepare_asset(const Model& model, const AssetOptions& options = {});

/// The same with the simulation surface given: a coarser model in the same unit and frame. Parts of
/// `surface` that a rule calls rigid stay rigid; its looks, UVs and normals do not matter.
Result<PreparedAsset> prepare_asset(const Model& model, const Model& surface,
                                    const AssetOptions& options);

/// Where a copy of a model, with the same vertices in other places, moves the surface that
/// `prepare_asset` makes of the model [m]: a pose that an artist drew. Places of copies are in the
/// unit and axes of the file, one per vertex of the flattened model (asset/flatten_model.h).
/// Error: what `prepare_asset` says; a copy of another number of vertices.
Result<std::vector<std::vector<Vec3>>> carry_copies(const Model& model, const AssetOptions& options,
                                                    std::span<const std::vector<Vec3>> copies);

}  // namespace ductile
