// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

bool is_data_uri(std::string_view uri);

/// The bytes of a "data:...;base64,..." or plain "data:...,..." URI. Error: not well formed.
Result<std::vector<std::byte>> decode_data_uri(std::string_view uri);

/// The file name that a relative URI means, "%20" and the like decoded. Error: an address with a
/// scheme (http:, file:), which is never opened; a percent sign without two digits.
Result<std::string> decode_relative_uri(std::string_view uri);

/// "image/png" or "image/jpeg" by a picture's first bytes, or empty for anything else.
std::string_view picture_type(std::span<const std::byte> bytes);

}  // namespace ductile
