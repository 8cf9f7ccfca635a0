// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/render/image.h>

#include <cstdint>
#include <span>
#include <string>

namespace ductile {

/// Pictures of one size side by side, each below its caption, row by row from the upper left.
///
/// Captions are as large as the pictures allow, cut short (with "..") where one is wider than its
/// picture. Places without a picture stay dark.
/// Error: no picture, pictures of different sizes, as many captions as pictures, no column, a sheet
/// of more than 2^26 pixels.
Result<Image> contact_sheet(std::span<const Image> pictures, std::span<const std::string> captions,
                            std::int32_t columns);

}  // namespace ductile
