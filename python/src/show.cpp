// SPDX-License-Identifier: MIT
#include "show.h"

#include <ductile/export/player/player.h>
#include <ductile/export/track/check_recording.h>
#include <ductile/render/image.h>
#include <ductile/scene/camera_path.h>

#include "convert.h"
#include <fmt/format.h>
#include <scene_player.h>

namespace ductile::python {
namespace {

// A page that stands in a notebook is saved with it, and sent to the browser in one piece.
constexpr std::size_t kLargestShown = 20'000'000;  // [bytes]
constexpr int kShownHeight = 520;                  // [pixels]

/// As the scene has it, or so that all that happens is seen.
DrawOptions draw_options(const Film& film, double time) {
    DrawOptions options;
    SceneCamera camera;
    if (film.scene) {
        const Scene& scene = *film.scene;
        camera = scene.camera;
        options.picture = RenderOptions{scene.picture};
        options.picture.has_ground = scene.ground.is_on;
        options.picture.ground_height = scene.ground.height;
        options.picture.ground_colour = scene.ground.colour;
    }
    const double aspect = double(options.picture.width) / options.picture.height;
    const CameraKey key = CameraPath(camera, *film.recording, aspect).at(time);
    options.camera = {key.eye_w, key.target_w, camera.field_of_view_deg};
    return options;
}

/// Requires: no GIL, the claim.
Result<Image> picture_of(Film& film, const Frame& frame, const DrawOptions& options) {
    if (!film.renderer) {
        Result<Renderer> made = Renderer::make(*film.recording);
        if (!made) return made.error();
        film.renderer.emplace(std::move(made).value());
    }
    return film.renderer->draw(frame, options.camera, options.picture);
}

py::array draw(Film& film, std::int64_t frame, const py::kwargs& kwargs) {
    const Frame& wanted = frame_at(film, frame);
    DrawOptions options = draw_options(film, wanted.time);
    read_options(kwargs, options);
    const Busy::Claim claim(film.busy);
    Image image = unwrap(without_gil([&] { return picture_of(film, wanted, options); }));
    return array_of_values(std::move(image.rgb), {image.height, image.width, 3});
}

PlayerOptions player_options(const Film& film) {
    unwrap(check_recording(*film.recording));
    return film.scene && !film.recording->frames.empty()
               ? scene_player(*film.scene, *film.recording)
               : PlayerOptions{};
}

void write_player_file(const Film& film, py::handle path, const py::kwargs& kwargs) {
    const std::filesystem::path file = path_of(path);
    PlayerOptions options = player_options(film);
    read_options(kwargs, options);
    unwrap(without_gil([&] { return write_player(*film.recording, file, options); }));
}

/// A page as the text of an attribute.
std::string as_attribute(std::string_view page) {
    std::string out;
    out.reserve(page.size() + page.size() / 8);
    for (const char letter : page) {
        if (letter == '&') {
            out += "&amp;";
        } else if (letter == '"') {
            out += "&quot;";
        } else {
            out += letter;
        }
    }
    return out;
}

/// The player in a frame of its own; of a recording too large for a notebook, how to get it.
std::string film_html(const Film& film) {
    const PlayerOptions options = player_options(film);
    const std::string page =
        unwrap(without_gil([&] { return player_html(*film.recording, options); }));
    if (page.size() > kLargestShown) {
        return fmt::format(
            "<p>A recording of {} frames and {} bodies. Its player has {} MB, too many for a "
            "notebook: <code>write_player(\"film.html\")</code> writes it.</p>",
            film.recording->frames.size(), film.recording->bodies.size(), page.size() / 1'000'000);
    }
    return fmt::format(
        "<iframe title=\"ductile\" style=\"width:100%;height:{}px;border:0\" allowfullscreen "
        "srcdoc=\"{}\"></iframe>",
        kShownHeight, as_attribute(page));
}

}  // namespace

void bind_show(py::class_<Film, std::shared_ptr<Film>>& film) {
    film.def("draw", &draw, py::arg("frame"),
             help_of<DrawOptions>("A picture of one frame, (height, width, 3) bytes. What is left "
                                  "out is as the scene has it, if one was run; else the camera "
                                  "finds what happens.")
                 .c_str())
        .def("write_player", &write_player_file, py::arg("path"),
             help_of<PlayerOptions>("Writes a page that plays it in any browser (docs/player.md). "
                                    "What is left out is as the scene has it, if one was run.")
                 .c_str())
        .def("_repr_html_", &film_html, "The player, for notebooks.");
}

py::bytes mesh_png(const Mesh& mesh) {
    const Image image = unwrap(without_gil([&]() -> Result<Image> {
        const Box box = bounds(mesh.asset->render.points);
        const Vec3 middle = box.centre();
        Recording recording;
        recording.bodies.emplace_back().asset = mesh.asset;
        BodyFrame& at = recording.frames.emplace_back().bodies.emplace_back();
        at.pose_w.translation = Vec3(-middle.x(), -box.lower.y(), -middle.z());
        Result<Renderer> renderer = Renderer::make(recording);
        if (!renderer) return renderer.error();
        RenderOptions options;
        options.width = 480;
        options.height = 360;
        const SceneCamera camera;
        const double aspect = double(options.width) / options.height;
        const CameraKey key = CameraPath(camera, recording, aspect).at(0.0);
        return renderer.value().draw(recording.frames[0],
                                     {key.eye_w, key.target_w, camera.field_of_view_deg}, options);
    }));
    return encode_png(image);
}

}  // namespace ductile::python
