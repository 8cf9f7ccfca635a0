// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/image/png.h>
#include <ductile/io/heights/height_formats.h>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>

namespace ductile {
namespace {

Error too_many_bytes(const HeightLimits& limits) {
    return {fmt::format("is larger than the limit of {} bytes", limits.file_bytes), "",
            "make the picture smaller"};
}

}  // namespace

Status check_height_sides(std::int64_t columns, std::int64_t rows, const HeightLimits& limits,
                          std::size_t byte) {
    if (columns >= 1 && rows >= 1 && columns <= limits.side && rows <= limits.side) return {};
    return Error{fmt::format("is a picture of {} x {} pixels", columns, rows),
                 fmt::format("byte {}", byte),
                 fmt::format("a side has 1 to {} pixels", limits.side)};
}

Result<HeightPicture> read_heights(std::span<const std::byte> bytes, const HeightLimits& limits) {
    if (bytes.empty()) return Error{"is empty", "", ""};
    if (bytes.size() > limits.file_bytes) return too_many_bytes(limits);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(kPngSignature)) return read_png_heights(bytes, limits);
    if (text.starts_with("PF") || text.starts_with("Pf")) return read_pfm_heights(bytes, limits);
    const bool is_jpeg = text.starts_with("\xff\xd8\xff");
    return Error{is_jpeg ? "is a JPEG, which blurs heights" : "is neither PNG nor PFM", "byte 0",
                 "save the picture as a 16-bit PNG"};
}

Result<HeightPicture> read_heights(const std::filesystem::path& path, const HeightLimits& limits) {
    const auto named = [&](const Error& error) {
        const std::string where = error.where.empty() ? "" : ": " + error.where;
        return Error{error.what, path.string() + where, error.hint};
    };
    std::error_code no_size;  // A pipe has none; reading it stops at the limit.
    const std::uintmax_t size = std::filesystem::file_size(path, no_size);
    if (!no_size && size > limits.file_bytes) return named(too_many_bytes(limits));
    const Result<std::string> content = read_file(path, limits.file_bytes);
    if (!content) return content.error();
    Result<HeightPicture> picture = read_heights(std::as_bytes(std::span(content.value())), limits);
    if (!picture) return named(picture.error());
    return picture;
}

}  // namespace ductile
