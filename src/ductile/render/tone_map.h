// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/render/image.h>

namespace ductile {

/// How light becomes what a screen shows.
enum class ToneCurve {
    Film,   ///< Highlights roll off and pale, shadows keep a toe: pleasant, but colours shift.
    Plain,  ///< As it is, cut off at white: colours that mean something stay what they are.
};

/// Turns light into a picture.
///
/// `exposure` brightens by that many stops; at 0 a matte white surface in full daylight comes out
/// just below white on film. Bytes are dithered by less than one step, the same for every frame, so
/// that a sky has no bands. A value that is not finite counts as black.
Image develop(const Radiance& light, double exposure, ToneCurve curve = ToneCurve::Film);

}  // namespace ductile
