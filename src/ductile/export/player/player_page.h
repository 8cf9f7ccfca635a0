// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace ductile {

/// The parts of the player that are the same in every file, from export/player/: the page with
/// {{names}} for what is put in, its style, and its modules joined to one script.
std::string_view player_template();
std::string_view player_style();
std::string_view player_script();

}  // namespace ductile
