// SPDX-License-Identifier: MIT
#include <ductile/render/contact_sheet.h>
#include <ductile/render/text.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile {
namespace {

constexpr std::uint8_t kSheetShade = 24;        // of 255, behind everything
constexpr std::int32_t kSheetRowsPerDot = 180;  // of a picture's height [pixels]
constexpr std::int32_t kCaptionPadding = 4;     // above and below the letters [dots]
constexpr std::int32_t kCaptionSize = 11;       // of the type [dots]
constexpr std::int32_t kSheetGap = 2;           // between pictures [dots]
constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;

Status check_sheet(std::span<const Image> pictures, std::span<const std::string> captions,
                   std::int32_t columns) {
    if (pictures.empty()) return Error{"a sheet needs a picture", "", ""};
    if (captions.size() != pictures.size()) {
        return Error{fmt::format("{} captions for {} pictures", captions.size(), pictures.size()),
                     "", ""};
    }
    if (columns < 1) return Error{"a sheet needs a column", "", ""};
    const Image& first = pictures.front();
    for (const Image& picture : pictures) {
        const std::size_t bytes = std::size_t(3) * picture.width * picture.height;
        if (picture.width != first.width || picture.height != first.height || picture.width < 1 ||
            picture.height < 1 || picture.rgb.size() != bytes) {
            return Error{fmt::format("pictures of {} x {} and {} x {} do not make a sheet",
                                     first.width, first.height, picture.width, picture.height),
                         "", "draw all of them in one size"};
        }
    }
    return {};
}

std::string cut_to(const std::string& caption, std::int32_t width, std::int32_t size) {
    if (text_width(caption, size) <= width) return caption;
    std::string shorter = caption;
    const auto is_within_letter = [](char c) { return (static_cast<unsigned char>(c) >> 6) == 2; };
    while (!shorter.empty() && text_width(shorter + "..", size) > width) {
        while (is_within_letter(shorter.back()) && shorter.size() > 1) shorter.pop_back();
        shorter.pop_back();
    }
    return shorter + "..";
}

void paste(const Image& picture, std::int32_t left, std::int32_t top, Image& sheet) {
    for (std::int32_t y = 0; y < picture.height; ++y) {
        const auto from = picture.rgb.begin() + std::ptrdiff_t{3} * y * picture.width;
        const auto to =
            sheet.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(top + y) * sheet.width + left);
        std::copy(from, from + std::ptrdiff_t{3} * picture.width, to);
    }
}

}  // namespace

Result<Image> contact_sheet(std::span<const Image> pictures, std::span<const std::string> captions,
                            std::int32_t columns) {
    if (Status fine = check_sheet(pictures, captions, columns); !fine) return fine.error();
    const std::int32_t width = pictures.front().width, height = pictures.front().height;
    const auto count = static_cast<std::int32_t>(pictures.size());
    columns = std::min(columns, count);
    const std::int32_t rows = (count + columns - 1) / columns;
    const std::int32_t dot = std::max(1, height / kSheetRowsPerDot);
    const std::int32_t size = dot * kCaptionSize;
    const std::int32_t caption = text_height(size) + dot * 2 * kCaptionPadding,
                       gap = dot * kSheetGap;
    const std::int64_t across = std::int64_t{columns} * (width + gap) + gap;
    const std::int64_t down = std::int64_t{rows} * (caption + height) + gap;
    if (across * down > kMostPixels) {
        return Error{fmt::format("a sheet of {} x {} pixels is too large", across, down), "",
                     "draw smaller pictures"};
    }
    Image sheet{static_cast<std::int32_t>(across), static_cast<std::int32_t>(down), {}};
    sheet.rgb.assign(static_cast<std::size_t>(3 * across * down), kSheetShade);
    for (std::int32_t i = 0; i < count; ++i) {
        const std::int32_t left = gap + (i % columns) * (width + gap);
        const std::int32_t top = (i / columns) * (caption + height);
        const std::string text = cut_to(captions[i], width - 2 * dot * kCaptionPadding, size);
        draw_text(text, left + dot * kCaptionPadding, top + dot * kCaptionPadding, size, sheet);
        paste(pictures[i], left, top + caption, sheet);
    }
    return sheet;
}

}  // namespace ductile
