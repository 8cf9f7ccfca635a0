// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/flatten_model.h>
#include <ductile/asset/guess_units.h>
#include <ductile/asset/prepare_asset.h>
#include <ductile/core/result.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

// What hangs on a file's vertices (weights of joints, moves of morphs) travels to the points of a
// surface as columns of numbers among its attributes, which welding, simplifying and splitting
// carry along already; at the end the columns are taken out again.

/// Puts copies of the mesh, places per vertex in the file's unit, in the place of the morphs that
/// it has; joints are of no use to them. Error: a copy of another number of vertices.
Status take_copies(std::span<const std::vector<Vec3>> copies, FlatModel& flat);

/// Adds a nameless attribute per joint and three per morph, of vertices that `vertex_source` gives
/// the file's number of. Requires: anchors and riders of the asset are made.
void add_columns(const FlatModel& flat, std::span<const std::int32_t> vertex_source,
                 SurfaceAsset& asset);

/// Takes the attributes that `add_columns` put last, by now of all points, out of the asset and
/// makes weights (rows that sum to 1) and morphs of them.
void take_columns(const FlatModel& flat, PreparedAsset& out);

/// The joints of a model's skins where they stand in the body's frame, each with a name of its own:
/// names of nodes need not be there, or differ.
std::vector<BodyJoint> joints_of(const Model& model, const FlatModel& flat,
                                 const PlacementReport& placement);

}  // namespace ductile
