// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/render_mesh.h>
#include <ductile/geom/rig.h>

#include <filesystem>
#include <memory>
#include <string>

namespace ductile {

/// A body with its rig as a binary glTF 2.0 file: what an artist goes on with in Blender.
///
/// A node per part of what is drawn, each with the one skin; a joint node per handle, at its place
/// and not turned, below a node "rig"; every vertex has the weights of the surface it follows, in
/// as many sets of four (JOINTS_0, JOINTS_1 ...) as the fullest of them needs. A pose is an
/// animation of its name, one key at time 0 for every handle: its place moved, and its turn.
/// Reading it with `weights: skin` gives the rig back to the rounding of floats. Same input, same
/// bytes. Error: a rig that does not fit the surface; more than 65,535 handles; a file too large.
Result<std::string> rig_glb_bytes(const std::shared_ptr<const SurfaceAsset>& asset, const Rig& rig,
                                  const std::string& name);

/// Writes them to a file, which is either whole or not there.
Status write_rig_glb(const std::filesystem::path& path,
                     const std::shared_ptr<const SurfaceAsset>& asset, const Rig& rig,
                     const std::string& name);

}  // namespace ductile
