// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/render_mesh.h>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// What an artist paints on a soft body: factors of options, one per vertex. Empty: 1 everywhere,
/// to the bit.
struct PressMaps {
    std::vector<double> stiffness;  ///< Of the ball's radius, in [0.01, 100].
    std::vector<double> bulge;      ///< Of the bulge's height there, in [0, 20]. The volume is kept
                                    ///< by what the map leaves to bulge.
};

/// Whether they fit a soft body of so many points. Errors name the map and the first bad entry.
Status check(const PressMaps& maps, std::size_t point_count);

/// A file of a map is read up to here: some ten million numbers.
inline constexpr std::size_t kMostMapBytes = 256 << 20;

/// A map written as numbers, one per vertex in the file's order, with white space, commas or
/// semicolons between them; `#` begins a comment. Error: another count, something that is no
/// number.
Result<std::vector<double>> map_from_text(std::string_view text, std::size_t point_count);

/// The same for a body's shape: a number per drawn vertex, as many as its file has, or one per
/// point of its surface.
Result<std::vector<double>> map_from_text(std::string_view text, const SurfaceAsset& asset);

/// What a map's formula may name, in this order: a point's place at rest, in the body's frame [m].
inline constexpr std::array<std::string_view, 3> kMapVariables = {"x", "y", "z"};

/// A map told by a formula (docs/formulas.md), such as "1 + 3 * (x > 0)". Error: a formula that
/// cannot be read; a point where it has no value.
Result<std::vector<double>> map_from_formula(std::string_view formula,
                                             std::span<const Vec3> points);

enum class PaintChannel { Red, Green, Blue, Alpha, Mean };

inline std::span<const std::string_view> enum_names(PaintChannel) {
    static constexpr std::string_view names[] = {"red", "green", "blue", "alpha", "mean"};
    return names;
}

/// A map painted as vertex colours: `black` where the channel is 0, `white` where it is 1, between
/// them linearly (colours are linear already). Vertices that share a surface point count alike.
/// Error: no colours; a surface point that no vertex is anchored to gets `white`.
Result<std::vector<double>> map_from_colours(const SurfaceAsset& asset, PaintChannel channel,
                                             double black = 0.0, double white = 1.0);

}  // namespace ductile
