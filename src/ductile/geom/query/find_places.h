// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Which of `places` each of the wanted points is: the first that is the same as floats, else the
/// nearest within `tolerance` [m]; -1 for none. O(n log n) where few places share an x.
std::vector<std::int32_t> find_places(std::span<const Vec3> wanted, std::span<const Vec3> places,
                                      double tolerance);

}  // namespace ductile
