// SPDX-License-Identifier: MIT
#include "picture.h"

#include "command.h"
#include "input_files.h"
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

double aspect(const Scene& scene) {
    return static_cast<double>(scene.picture.width) / scene.picture.height;
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

void add_view_options(CLI::App& command, ViewArgs& view) {
    const auto add_place = [&](const char* name, std::vector<double>& place, const char* help) {
        command.add_option(name, place, help)
            ->type_name("X,Y,Z")
            ->delimiter(',')
            ->expected(3)
            ->check(in_range(-1e6, 1e6));
    };
    add_place("--eye", view.eye, "where the picture is taken from [m]; else so that all is seen");
    add_place("--target", view.target, "what is in its middle [m]; else the middle of all");
    command
        .add_option("--field-of-view", view.field_of_view_deg,
                    "from the picture's lower to its upper edge")
        ->type_name("DEGREES")
        ->check(in_range(1.0, 150.0));
}

Status check_view(const ViewArgs& view, bool has_picture, const char* how) {
    if (view.is_empty() || has_picture) return {};
    return Error{"a view is of a picture, and none is asked for", "--eye, --target", how};
}

Status begin_picture(const ViewArgs& view, const std::string& picture, const std::string& input) {
    if (Status fine = check_view(view, !picture.empty()); !fine) return fine;
    if (picture.empty()) return {};
    if (Status fine = check_outputs({picture}, {input}); !fine) return fine;
    catch_interrupts();
    clean_when_cut_off(std::filesystem::path(picture).parent_path());
    return {};
}

void set_view(const ViewArgs& view, SceneCamera& camera) {
    if (view.eye.size() == 3 || view.target.size() == 3) {
        camera.keys.clear();
        camera.turn_time = 0.0;
        camera.follow.clear();
    }
    if (view.eye.size() == 3) camera.eye_w = Vec3(view.eye[0], view.eye[1], view.eye[2]);
    if (view.target.size() == 3) {
        camera.target_w = Vec3(view.target[0], view.target[1], view.target[2]);
    }
    if (view.field_of_view_deg > 0.0) camera.field_of_view_deg = view.field_of_view_deg;
}

Camera camera_of(const SceneCamera& camera, const CameraKey& key) {
    return {key.eye_w, key.target_w, camera.field_of_view_deg};
}

Status write_view(const Recording& recording, const ViewArgs& view, std::int32_t samples,
                  const std::filesystem::path& path) {
    Result<Renderer> renderer = Renderer::make(recording);
    if (!renderer) return renderer.error();
    print_notes(renderer.value().notes());
    RenderOptions options;
    options.samples = samples;
    options.stop = stop_flag();
    SceneCamera camera;
    set_view(view, camera);
    const CameraKey key =
        CameraPath(camera, recording, double(options.width) / options.height).at(0.0);
    const Result<Image> image =
        renderer.value().draw(recording.frames[0], camera_of(camera, key), options);
    if (!image) return image.error();
    return write_png(path, image.value());
}

Vec3 distinct_colour(std::size_t index, double shade) {
    const double hue = std::fmod(0.61803398875 * double(index), 1.0) * 6.0;
    const double strength = 1.0 - shade + shade * std::cos(double(index) * 2.4);
    Vec3 colour;
    for (int k = 0; k < 3; ++k) {
        const double away = std::abs(std::fmod(hue + 6.0 - 2.0 * k, 6.0) - 3.0) - 1.0;
        const double value = std::clamp(away, 0.0, 1.0);
        colour[k] = strength * (0.08 + 0.92 * value * value);
    }
    return colour;
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
      poster_camera_(scene.outputs.poster_camera.value_or(scene.camera)),
      path_(camera_, recording, aspect(scene)),
      poster_path_(poster_camera_, recording, aspect(scene)) {
    const double last = recording.frames.back().time;
    poster_frame_ =
        nearest_frame(recording, std::min(scene.outputs.poster_time.value_or(0.75 * last), last));
}

Result<Image> SceneView::draw_from(std::size_t frame, const SceneCamera& camera,
                                   const CameraPath& path) {
    const Frame& at = recording_->frames[std::min(frame, frame_count() - 1)];
    return renderer_.draw(at, camera_of(camera, path.at(at.time)), options);
}

Result<Image> SceneView::draw(std::size_t frame) { return draw_from(frame, camera_, path_); }

Result<Image> SceneView::draw_poster(std::size_t frame) {
    const std::int32_t samples = options.samples;
    options.samples = std::min(4 * samples, 1024);
    Result<Image> image = draw_from(frame, poster_camera_, poster_path_);
    options.samples = samples;
    return image;
}

Result<Image> SceneView::draw_around(double angle) {
    const Frame& last = recording_->frames.back();
    const CameraKey key = turned(path_.at(last.time), angle);
    return renderer_.draw(last, camera_of(camera_, key), options);
}

}  // namespace ductile::cli
