// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/recording.h>
#include <ductile/scene/scene.h>

#include "output_writer.h"

#include <string>
#include <vector>

namespace ductile::cli {

/// Writes index.html, which plays the recording with the scene's camera, floor and sun. A page that
/// is large to send or serve leaves a note.
Status write_player_page(const Scene& scene, const Recording& recording, OutputWriter& writer,
                         std::vector<std::string>& notes);

}  // namespace ductile::cli
