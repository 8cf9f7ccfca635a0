// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include "output_writer.h"

#include <string>
#include <vector>

namespace ductile::cli {

/// Writes what other people's tools read frame by frame and the scene asks for: USD, point caches,
/// sequences of meshes, tables. A sequence is listed as its folder. `notes` gets what the user
/// should know of them.
Status write_caches(const Scene& scene, const Recording& recording, OutputWriter& writer,
                    std::vector<std::string>& notes);

}  // namespace ductile::cli
