// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include <filesystem>
#include <span>
#include <vector>

namespace ductile::cli {

using Paths = std::vector<std::filesystem::path>;

/// The files that a scene names: meshes, painted maps, pictures of dents.
Paths scene_inputs(const Scene& scene);

/// Error: an output that is also an input, by whatever name (links count as what they lead to):
/// writing it would destroy what is being read. Files that are not there yet are fine.
Status check_outputs(const Paths& outputs, const Paths& inputs);

/// The same for a run: what it writes into `folder` by the names that it gives.
Status check_run_outputs(const Scene& scene, const std::filesystem::path& folder,
                         const Paths& inputs);

}  // namespace ductile::cli
