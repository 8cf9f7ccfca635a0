// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>

#include <cstdint>

namespace ductile {

/// Of all that a recording shows, frame by frame: meshes, looks, pictures, places and shapes. To
/// compare two of them, bit for bit.
std::uint64_t shown_hash(const Recording& recording);

}  // namespace ductile
