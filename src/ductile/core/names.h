// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ductile {

/// The known name nearest to a mistyped one (fewest edits), or "" if none is near.
std::string nearest_name(std::string_view typed, std::span<const std::string_view> known);

}  // namespace ductile
