// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>
#include <ductile/geom/rig.h>

namespace ductile {

/// Weights of what is drawn from those of its surface: each vertex has those of the place that it
/// is anchored to; parts that ride, those of all that carries them. Rows sum to 1.
/// Requires: a row per surface point. O(weights).
SkinWeights vertex_weights(const SurfaceAsset& asset, const SkinWeights& surface);

}  // namespace ductile
