// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/data_uri.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ductile {
namespace {

int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
}

Result<std::vector<std::byte>> decode_base64(std::string_view text) {
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int held = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int value = base64_value(text[i]);
        if (value < 0) return Error{fmt::format("character {} is no base64", i), "", ""};
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes.push_back(static_cast<std::byte>(bits >> held & 0xff));
    }
    return bytes;
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

Result<std::string> decode_percents(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
        if (high < 0 || low < 0) {
            return Error{"a percent sign without two hexadecimal digits", "", ""};
        }
        out += static_cast<char>(16 * high + low);
        i += 2;
    }
    return out;
}

bool has_scheme(std::string_view uri) {
    const std::size_t colon = uri.find(':');
    return colon != uri.npos && colon > 1 && uri.substr(0, colon).find('/') == uri.npos;
}

}  // namespace

bool is_data_uri(std::string_view uri) { return uri.starts_with("data:"); }

Result<std::vector<std::byte>> decode_data_uri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (!is_data_uri(uri) || comma == uri.npos) return Error{"is no data URI", "", ""};
    const std::string_view content = uri.substr(comma + 1);
    if (uri.substr(0, comma).ends_with(";base64")) return decode_base64(content);
    Result<std::string> plain = decode_percents(content);
    if (!plain) return plain.error();
    const std::byte* begin = reinterpret_cast<const std::byte*>(plain.value().data());
    return std::vector<std::byte>(begin, begin + plain.value().size());
}

Result<std::string> decode_relative_uri(std::string_view uri) {
    if (has_scheme(uri)) {
        return Error{"an address on the network or elsewhere, which is not opened",
                     std::string(uri.substr(0, 80)), "put the file into the asset's folder"};
    }
    return decode_percents(uri);
}

std::string_view picture_type(std::span<const std::byte> bytes) {
    const auto begins = [&](std::string_view magic) {
        return bytes.size() >= magic.size() &&
               std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
    };
    if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
    if (begins("\xff\xd8\xff")) return "image/jpeg";
    return "";
}

}  // namespace ductile
