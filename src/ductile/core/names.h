// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ductile {

/// The known name nearest to a mistyped one (fewest edits, then of the nearest length, then the
/// first), else the only one that begins nearly so, or "" if there is none.
std::string nearest_name(std::string_view typed, std::span<const std::string_view> known);

}  // namespace ductile
