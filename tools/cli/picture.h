// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/camera.h>
#include <ductile/render/render_options.h>
#include <ductile/scene/camera_path.h>

namespace ductile::cli {

/// The scene's picture settings in the renderer's words.
RenderOptions render_options(const Scene& scene);

/// The scene's camera at a time.
Camera camera_for(const Scene& scene, double time);

}  // namespace ductile::cli
