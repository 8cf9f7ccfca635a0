// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/recording.h>
#include <ductile/render/camera.h>
#include <ductile/render/render_options.h>
#include <ductile/render/renderer.h>
#include <ductile/scene/camera_path.h>

namespace ductile::cli {

/// The scene's picture settings as the renderer's options.
RenderOptions render_options(const Scene& scene);

/// The camera of a key.
Camera camera_of(const SceneCamera& camera, const CameraKey& key);

/// What the scene's camera sees of its recording, frame by frame.
class SceneView {
public:
    /// Requires: `recording` outlives this. Error: what Renderer::make says.
    static Result<SceneView> make(const Scene& scene, const Recording& recording);

    RenderOptions options;  ///< As the scene has them; may be changed.

    /// Frame `frame`, or the last one if there are fewer.
    Result<Image> draw(std::size_t frame);
    /// The same with four times the rays: a single picture may take a little longer and be clean.
    Result<Image> draw_finely(std::size_t frame);
    /// The last frame, the camera turned around its target by an angle.
    Result<Image> draw_around(double angle);

    std::size_t frame_count() const { return recording_->frames.size(); }
    /// The frame nearest to the scene's poster time.
    std::size_t poster_frame() const { return poster_frame_; }
    const std::vector<std::string>& notes() const { return renderer_.notes(); }

private:
    SceneView(const Scene& scene, const Recording& recording, Renderer renderer);

    const Recording* recording_;
    Renderer renderer_;
    SceneCamera camera_;
    CameraPath path_;
    std::size_t poster_frame_ = 0;
};

}  // namespace ductile::cli
