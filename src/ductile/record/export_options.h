// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/language.h>

#include <span>
#include <string_view>

namespace ductile {

// What scenes and exporters share; they may not see each other.

/// The frame in which point caches hold their points.
enum class CacheSpace {
    World,  ///< Motion and shape together: a cache plays by itself.
    Body,   ///< Shape alone: whoever plays it moves the object.
};
inline std::span<const std::string_view> enum_names(CacheSpace) {
    static constexpr std::string_view names[] = {"world", "body"};
    return names;
}

/// How many files a USD stage is made of.
enum class UsdSplit {
    Auto,    ///< One, unless it would be large; docs/usd.md says how large.
    One,     ///< One, however large.
    Bodies,  ///< A file per body, and one that brings them together.
};
inline std::span<const std::string_view> enum_names(UsdSplit) {
    static constexpr std::string_view names[] = {"auto", "one", "bodies"};
    return names;
}

}  // namespace ductile
