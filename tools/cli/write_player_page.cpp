// SPDX-License-Identifier: MIT
#include "write_player_page.h"

#include <fmt/format.h>
#include <scene_player.h>

namespace ductile::cli {
namespace {

constexpr std::uintmax_t kLargePage = 60'000'000;  // [bytes]

}  // namespace

Status write_player_page(const Scene& scene, const Recording& recording, OutputWriter& writer,
                         std::vector<std::string>& notes) {
    return writer.write("player", "index.html", [&](const auto& path) -> Status {
        const PlayerOptions options = scene_player(scene, recording);
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
