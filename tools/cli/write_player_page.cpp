// SPDX-License-Identifier: MIT
#include "write_player_page.h"

#include <ductile/export/player/player.h>
#include <ductile/scene/camera_path.h>

#include <fmt/format.h>

namespace ductile::cli {
namespace {

constexpr std::uintmax_t kLargePage = 60'000'000;  // [bytes]

PlayerOptions player_options(const Scene& scene, const Recording& recording) {
    PlayerOptions o;
    o.title = scene.name;
    o.description = scene.description;
    o.has_ground = scene.ground.is_on;
    o.ground_height = scene.ground.height;
    o.ground_colour = scene.ground.colour;
    o.sun_direction_w = scene.picture.sun_direction_w;
    o.field_of_view_deg = scene.camera.field_of_view_deg;
    const CameraPath path(scene.camera, recording);
    for (std::size_t f = 0; f < (path.moves() ? recording.frames.size() : 1); ++f) {
        const CameraKey key = path.at(recording.frames[f].time);
        o.camera.push_back({key.eye_w, key.target_w});
    }
    return o;
}

}  // namespace

Status write_player_page(const Scene& scene, const Recording& recording, OutputWriter& writer,
                         std::vector<std::string>& notes) {
    return writer.write("player", "index.html", [&](const auto& path) -> Status {
        const PlayerOptions options = player_options(scene, recording);
        if (Status done = write_player(recording, path, options); !done) return done;
        std::error_code failed;
        const std::uintmax_t size = std::filesystem::file_size(path, failed);
        if (!failed && size > kLargePage) {
            notes.push_back(fmt::format("index.html has {} MB", size / 1'000'000));
        }
        return {};
    });
}

}  // namespace ductile::cli
