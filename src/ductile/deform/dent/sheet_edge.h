// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace ductile {

/// How a sheet is held at the edge of the part that gives.
enum class SheetEdge {
    Clamped,    ///< It can neither move nor turn there, as at a fold or where it goes on.
    Supported,  ///< It is held at its height, free to turn and to slide in.
};
inline std::span<const std::string_view> enum_names(SheetEdge) {
    static constexpr std::string_view names[] = {"clamped", "supported"};
    return names;
}

}  // namespace ductile
