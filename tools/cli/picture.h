// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/record/recording.h>
#include <ductile/render/camera.h>
#include <ductile/render/render_options.h>
#include <ductile/render/renderer.h>
#include <ductile/scene/camera_path.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace ductile::cli {

/// The scene's picture settings as the renderer's options.
RenderOptions render_options(const Scene& scene);

/// The camera of a key.
Camera camera_of(const SceneCamera& camera, const CameraKey& key);

/// Where a single picture is taken from, as options of a command say; what is left out is chosen so
/// that everything is in the picture.
struct ViewArgs {
    std::vector<double> eye, target;  ///< X, Y, Z each, or empty.
    double field_of_view_deg = 0.0;   ///< 0: as it was.

    bool is_empty() const { return eye.empty() && target.empty() && field_of_view_deg == 0.0; }
};
/// Adds --eye, --target and --field-of-view.
void add_view_options(CLI::App& command, ViewArgs& view);
/// Error: a view where no picture is asked for; `how` tells the way to one.
Status check_view(const ViewArgs& view, bool has_picture,
                  const char* how = "draw one with --picture FILE.png");
/// For a command whose only file is `picture` ("" for none). Error: as check_view; the picture is
/// also the input. From here on nothing half-written stays where the command is cut off.
Status begin_picture(const ViewArgs& view, const std::string& picture, const std::string& input);
/// Puts what was asked for in the place of what the camera had.
void set_view(const ViewArgs& view, SceneCamera& camera);

/// Draws the first frame as a view asks, else so that all is seen, and prints what could not be
/// drawn. `path` is a PNG file.
Status write_view(const Recording& recording, const ViewArgs& view, std::int32_t samples,
                  const std::filesystem::path& path);

/// Colours that are easy to tell apart: hues a golden section apart, as dark as 1 - 2 `shade`.
/// Linear RGB.
Vec3 distinct_colour(std::size_t index, double shade);

/// What the scene's camera sees of its recording, frame by frame.
class SceneView {
public:
    /// Requires: `recording` outlives this. Error: what Renderer::make says.
    static Result<SceneView> make(const Scene& scene, const Recording& recording);

    RenderOptions options;  ///< As the scene has them; may be changed.

    /// Frame `frame`, or the last one if there are fewer.
    Result<Image> draw(std::size_t frame);
    /// The same from the poster's camera and with four times the rays: a single picture may take a
    /// little longer and be clean.
    Result<Image> draw_poster(std::size_t frame);
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
    Result<Image> draw_from(std::size_t frame, const SceneCamera& camera, const CameraPath& path);

    SceneCamera camera_, poster_camera_;
    CameraPath path_, poster_path_;
    std::size_t poster_frame_ = 0;
};

}  // namespace ductile::cli
