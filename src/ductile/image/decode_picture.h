// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/image/rgba_image.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ductile {

/// How large a picture may be. Looked at before memory of that size is asked for.
struct PictureLimits {
    std::int32_t side = 16384;                     ///< [pixels]
    std::int64_t bytes = std::int64_t(256) << 20;  ///< Decoded.
    std::int32_t kept_side = 4096;  ///< Larger pictures are halved until they fit, >= 1 [pixels].
};

/// Decodes a PNG or JPEG file of any depth, palette or interlacing; the bytes decide which.
///
/// What is grey or 16 bits deep comes out as 8-bit RGB; a JPEG is opaque.
/// Error: neither PNG nor JPEG, damaged or cut short, beyond the limits, more pixels than so many
/// bytes can hold, CMYK. `where` is empty. Memory stays within 33 kB per byte of the file.
Result<RgbaImage> decode_picture(std::span<const std::byte> bytes,
                                 const PictureLimits& limits = {});

}  // namespace ductile
