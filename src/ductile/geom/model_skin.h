// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/model.h>

#include <span>
#include <vector>

namespace ductile {

/// Where each node is: from its own frame to the model's.
/// Error: a node that does not come after the one it hangs on.
Result<std::vector<Mat4>> node_places(const Model& model);

/// Whether the node shows a mesh that hangs on joints: its own place does not count then.
bool is_skinned(const Model& model, const ModelNode& node);

/// What each joint of a skin does to a point of the mesh, where the nodes are at `places`.
/// Error: a skin that names a node which is not there, or lacks a matrix.
Result<std::vector<Mat4>> joint_carries(const ModelSkin& skin, std::span<const Mat4> places);

/// The mesh as its joints bend it (linear blending, weights brought to a sum of 1), in the model's
/// frame; points that hang on nothing stay. Morphs turn along. No joints are left in it.
/// Error: joints and weights that do not fit the mesh or `carries`.
Result<ModelMesh> bent_mesh(const ModelMesh& mesh, std::span<const Mat4> carries);

}  // namespace ductile
