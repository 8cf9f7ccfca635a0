// SPDX-License-Identifier: MIT
#pragma once

#include "press_output.h"

#include <vector>

namespace ductile::cli {

/// A colour per point of a pressed soft surface that shows what the press left: grey where all is
/// well, blue to red the deeper it is still inside a closed rigid body (red from 1 % of its size
/// on), yellow at edges bent over by more than 90 degrees, magenta where it goes through itself.
std::vector<Vec4> left_colours(const PressedStill& still);

}  // namespace ductile::cli
