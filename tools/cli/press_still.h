// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/press.h>

#include "press_output.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ductile::cli {

/// What a press may do besides its options.
struct PressExtras {
    std::string stiffness_map, bulge_map;  ///< A file of numbers, or a channel of vertex colours.
    std::int32_t detail = 0;      ///< Rounds of smoothing that take the detail off; 0: none.
    std::optional<double> share;  ///< Both are soft: how much of the overlap the first gives.
    bool refines = false;         ///< The soft mesh is made finer where it is stretched.
    bool uses_proxy = false;      ///< A swallowed rigid body is drawn out first.

    /// Whether it works on frames one by one only, not on films.
    const char* only_still() const {
        return detail > 0   ? "--detail"
               : share      ? "--share"
               : refines    ? "--refine"
               : uses_proxy ? "--proxy"
                            : nullptr;
    }
};

/// The painted maps of a soft body. `name` a file of numbers, one per vertex of the mesh file, or
/// red, green, blue, alpha or mean of its vertex colours, 0 to 1. Error: what does not fit.
Result<PressMaps> read_press_maps(const PressExtras& extras, const SurfaceAsset& soft);

/// Presses one frame in all the ways that there are. Requires: share, detail, refines one at a
/// time.
Result<PressedStill> press_still(const std::shared_ptr<const SurfaceAsset>& soft,
                                 SurfaceAsset rigid, const PressOptions& options,
                                 const PressExtras& extras, const PressMaps& maps);

}  // namespace ductile::cli
