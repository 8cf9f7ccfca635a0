// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/scene/scene.h>

#include "output_writer.h"
#include "picture.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ductile::cli {

/// Writes the poster and the films that the scene asks for; each frame is drawn once, however many
/// films it goes into. `notes` gets what is drawn otherwise than its file says.
Status write_pictures(const Scene& scene, const Recording& recording, OutputWriter& writer,
                      std::vector<std::string>& notes);

/// Fills a film with `count` pictures and gives it its name; stops between them when asked to.
Status write_film(const std::filesystem::path& path, double frame_rate, std::size_t count,
                  const Checkpoint& checkpoint,
                  const std::function<Result<Image>(std::size_t)>& draw);

}  // namespace ductile::cli
