// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>

#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// The attribute of that name; null if the asset has none.
const PointAttribute* find_attribute(const SurfaceAsset& asset, std::string_view name);

/// Numbers of render vertices as numbers of surface points: the mean over the vertices that are
/// anchored to a point, by their shares in it; those that are not a number do not count. Not a
/// number where there is none. Holds however the
/// surface came from the render mesh: welded, simplified, split. Requires: one per render vertex.
std::vector<double> carry_to_surface(const SurfaceAsset& asset, std::span<const double> values);

/// Fills in the points that have no number from their neighbours, ring by ring; 0 where no
/// neighbour ever has one.
void fill_from_neighbours(const TriMesh& surface, std::vector<double>& values);

/// Adds an attribute from numbers of render vertices; one of that name is replaced.
/// Requires: one per render vertex.
void add_attribute(SurfaceAsset& asset, std::string_view name, std::span<const double> values);

}  // namespace ductile
