// SPDX-License-Identifier: MIT
#include "picture.h"

#include "interrupt.h"

#include <algorithm>
#include <cmath>

namespace ductile::cli {
namespace {

std::size_t nearest_frame(const Recording& recording, double time) {
    const auto nearest = std::min_element(
        recording.frames.begin(), recording.frames.end(), [&](const Frame& a, const Frame& b) {
            return std::abs(a.time - time) < std::abs(b.time - time);
        });
    return static_cast<std::size_t>(nearest - recording.frames.begin());
}

}  // namespace

RenderOptions render_options(const Scene& scene) {
    RenderOptions o{scene.picture};
    o.has_ground = scene.ground.is_on;
    o.ground_height = scene.ground.height;
    o.ground_colour = scene.ground.colour;
    o.stop = stop_flag();
    return o;
}

Camera camera_of(const SceneCamera& camera, const CameraKey& key) {
    return {key.eye_w, key.target_w, camera.field_of_view_deg};
}

Result<SceneView> SceneView::make(const Scene& scene, const Recording& recording) {
    Result<Renderer> renderer = Renderer::make(recording);
    if (!renderer) return renderer.error();
    return SceneView(scene, recording, std::move(renderer).value());
}

SceneView::SceneView(const Scene& scene, const Recording& recording, Renderer renderer)
    : options(render_options(scene)),
      recording_(&recording),
      renderer_(std::move(renderer)),
      camera_(scene.camera),
      path_(scene.camera, recording) {
    const double last = recording.frames.back().time;
    poster_frame_ =
        nearest_frame(recording, std::min(scene.outputs.poster_time.value_or(0.75 * last), last));
}

Result<Image> SceneView::draw(std::size_t frame) {
    const Frame& at = recording_->frames[std::min(frame, frame_count() - 1)];
    return renderer_.draw(at, camera_of(camera_, path_.at(at.time)), options);
}

Result<Image> SceneView::draw_finely(std::size_t frame) {
    const std::int32_t samples = options.samples;
    options.samples = std::min(4 * samples, 1024);
    Result<Image> image = draw(frame);
    options.samples = samples;
    return image;
}

Result<Image> SceneView::draw_around(double angle) {
    const Frame& last = recording_->frames.back();
    const CameraKey key = turned(path_.at(last.time), angle);
    return renderer_.draw(last, camera_of(camera_, key), options);
}

}  // namespace ductile::cli
