// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/render_mesh.h>

namespace ductile {

/// Whether an asset is what its types ask for: arrays of matching lengths, indices in range, finite
/// numbers that fit a float, parts and riders that name what is there. O(size of the asset).
/// Whoever takes assets from strangers (exporters, the renderer) asks before reading them.
Status check_asset(const SurfaceAsset& asset);

}  // namespace ductile
