// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_options.h>
#include <ductile/asset/asset_report.h>
#include <ductile/core/result.h>
#include <ductile/geom/model.h>

namespace ductile {

/// A file made ready to be a body's shape.
struct PreparedAsset {
    SurfaceAsset asset;
    AssetReport report;
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
Result<PreparedAsset> prepare_asset(const Model& model, const AssetOptions& options = {});

/// The same with the simulation surface given: a coarser model in the same unit and frame. Parts of
/// `surface` that a rule calls rigid stay rigid; its looks, UVs and normals do not matter.
Result<PreparedAsset> prepare_asset(const Model& model, const Model& surface,
                                    const AssetOptions& options);

}  // namespace ductile
