// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/engine.h>

namespace ductile {

/// Whether a body can be added to any engine: finite numbers, a physical mass if it is Dynamic, a
/// collider with a size and at least one piece, piece ids that differ, no moving half space.
/// For adapters; the Error names the body.
Status check_body(const BodyDesc& body);

}  // namespace ductile
