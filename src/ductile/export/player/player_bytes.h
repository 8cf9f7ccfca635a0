// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// A number as few bytes: seven bits each, lowest first, the eighth says that more follow (LEB128).
void append_number(std::string& bytes, std::uint32_t value);

/// A number of either sign, near 0 in few bytes: 0, -1, 1, -2 ... become 0, 1, 2, 3 ...
inline void append_signed(std::string& bytes, std::int32_t value) {
    append_number(
        bytes, (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31));
}

/// Appends an array as its bytes, lowest first, at a multiple of four; where it begins.
std::size_t append_bytes(std::string& bytes, const void* data, std::size_t size);

template <class T>
std::size_t append_array(std::string& bytes, const std::vector<T>& values) {
    return append_bytes(bytes, values.data(), values.size() * sizeof(T));
}

/// A zlib stream (RFC 1950) of it: what browsers call "deflate". Same input, same bytes.
std::string deflated(std::string_view bytes);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace ductile
