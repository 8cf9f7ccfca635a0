// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/damage_map.h>
#include <ductile/geom/render_mesh.h>

#include <span>
#include <vector>

namespace ductile {

/// The damage of a surface as its render mesh shows it: each render vertex has what the surface has
/// where the vertex is anchored. A rider keeps its form, so it has none.
/// Requires: a map of the asset's surface; an asset as check_asset wants it. O(n).
DamageMap carry_damage(const SurfaceAsset& asset, const DamageMap& surface);

/// The same for one vector per surface point; none for none.
std::vector<Vec3> carry_vectors(const SurfaceAsset& asset, std::span<const Vec3> of_points);

}  // namespace ductile
