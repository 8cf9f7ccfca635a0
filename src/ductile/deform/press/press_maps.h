// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/render_mesh.h>

#include <cstddef>
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

/// A map written as numbers, one per vertex in the file's order, with white space, commas or
/// semicolons between them; `#` begins a comment. Error: another count, something that is no
/// number.
Result<std::vector<double>> map_from_text(std::string_view text, std::size_t point_count);

enum class PaintChannel { Red, Green, Blue, Alpha, Mean };

/// A map painted as vertex colours: `black` where the channel is 0, `white` where it is 1, between
/// them linearly (colours are linear already). Vertices that share a surface point count alike.
/// Error: no colours; a surface point that no vertex is anchored to gets `white`.
Result<std::vector<double>> map_from_colours(const SurfaceAsset& asset, PaintChannel channel,
                                             double black = 0.0, double white = 1.0);

}  // namespace ductile
