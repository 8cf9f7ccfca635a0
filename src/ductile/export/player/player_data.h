// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/json_text.h>
#include <ductile/core/result.h>
#include <ductile/export/player/player.h>

#include <string>

namespace ductile {

/// What the player is told about a recording, before it is packed (docs/player.md).
struct PlayerData {
    Json header;       ///< Names, times, looks, and where in `data` the arrays are.
    std::string data;  ///< Arrays, each at a multiple of four.
};

/// Requires: check_recording is content; options in range. Error: a shape too far from rest.
Result<PlayerData> player_data(const Recording& recording, const PlayerOptions& options);

}  // namespace ductile
