// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/image.h>

namespace ductile {

/// Turns light into a picture as film would: highlights roll off and pale, shadows keep a toe.
///
/// `exposure` brightens by that many stops; at 0 a matte white surface in full daylight comes out
/// just below white. Bytes are dithered by less than one step, the same for every frame, so that
/// a sky has no bands. A value that is not finite counts as black.
Image develop(const Radiance& light, double exposure);

}  // namespace ductile
