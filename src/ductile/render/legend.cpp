// SPDX-License-Identifier: MIT
#include <ductile/record/example_colours.h>
#include <ductile/render/legend.h>
#include <ductile/render/text.h>
#include <ductile/render/tone_map.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace ductile {
namespace {

// All in dots, which grow with the picture.
constexpr std::int32_t kRowsPerDot = 360;  // of a picture's height [pixels]
constexpr std::int32_t kMargin = 8;
constexpr std::int32_t kPadding = 6;
constexpr std::int32_t kGap = 3;
constexpr std::int32_t kLetterSize = 10;
constexpr std::int32_t kLineHeight = 11;
constexpr std::int32_t kBarWidth = 150;
constexpr std::int32_t kBarHeight = 9;
constexpr std::int32_t kSwatchWidth = 2 * kBarHeight;
constexpr std::int32_t kPanelHeight = 2 * kPadding + 2 * kLineHeight + 2 * kGap + kBarHeight;
constexpr int kPanelDarkness = 4;  // the picture shines through with a share of one over this

const char* title_of(ColourBy by) {
    if (by == ColourBy::Depth) return "depth, mm";
    if (by == ColourBy::Example) return "example poses";
    return by == ColourBy::Strain ? "strain, %" : "scratch, mm";
}

std::string number_text(const DamageScale& scale, double value) {
    return fmt::format("{:.4g}", value * (scale.by == ColourBy::Strain ? 100.0 : 1000.0));
}

/// What the scale measures at a share of the bar's width, from the left.
Vec3f measure_at(const DamageScale& scale, float share) {
    const float range = static_cast<float>(scale.range);
    if (scale.by == ColourBy::Scratch) {
        const int cell = std::min(5, static_cast<int>(6.0f * share));
        Vec3f scratch = Vec3f::Zero();
        scratch[cell / 2] =
            (cell % 2 == 0 ? range : -range) * (6.0f * share - static_cast<float>(cell));
        return scratch;
    }
    return {scale.has_raised ? range * (2.0f * share - 1.0f) : range * share, 0.0f, 0.0f};
}

/// One row of the bar, as a screen shows it.
Image bar_row(const DamageScale& scale, std::int32_t width) {
    Radiance light{width, 1, {}};
    for (std::int32_t x = 0; x < width; ++x) {
        const float share = (static_cast<float>(x) + 0.5f) / static_cast<float>(width);
        const Vec3f colour = scale.colour(measure_at(scale, share));
        light.rgb.insert(light.rgb.end(), colour.data(), colour.data() + 3);
    }
    return develop(light, 0.0, ToneCurve::Plain);
}

/// What the legend stands on [pixels].
struct Panel {
    std::int32_t left = 0, top = 0, width = 0, height = 0;
};

Panel panel_at(LegendPlace place, std::int32_t width, std::int32_t height, std::int32_t dot,
               const Image& image) {
    const bool is_right = place == LegendPlace::LowerRight || place == LegendPlace::UpperRight;
    const bool is_upper = place == LegendPlace::UpperLeft || place == LegendPlace::UpperRight;
    const std::int32_t margin = dot * kMargin;
    return {is_right ? image.width - margin - width : margin,
            is_upper ? margin : image.height - margin - height, width, height};
}

void darken(const Panel& panel, Image& image) {
    for (std::int32_t y = panel.top; y < panel.top + panel.height; ++y) {
        for (std::int32_t x = panel.left; x < panel.left + panel.width; ++x) {
            const std::size_t at = 3 * (std::size_t(y) * image.width + x);
            for (int k = 0; k < 3; ++k) image.rgb[at + k] /= kPanelDarkness;
        }
    }
}

void draw_bar(const DamageScale& scale, std::int32_t x0, std::int32_t y0, std::int32_t dot,
              Image& image) {
    const Image row = bar_row(scale, kBarWidth * dot);
    for (std::int32_t y = y0; y < y0 + kBarHeight * dot; ++y) {
        const std::size_t at = 3 * (std::size_t(y) * image.width + x0);
        std::copy(row.rgb.begin(), row.rgb.end(),
                  image.rgb.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

/// Centred at a share of the bar, but not beyond its ends.
void draw_label(const std::string& text, double share, std::int32_t x0, std::int32_t y0,
                std::int32_t dot, Image& image) {
    const std::int32_t width = text_width(text, dot * kLetterSize);
    const std::int32_t bar = dot * kBarWidth;
    const std::int32_t left = static_cast<std::int32_t>(share * bar) - width / 2;
    draw_text(text, x0 + std::clamp(left, 0, std::max(0, bar - width)), y0, dot * kLetterSize,
              image);
}

/// A line per pose: its colour and its name.
void draw_poses(const DamageScale& scale, LegendPlace place, Image& image) {
    const std::int32_t dot = std::max(1, image.height / kRowsPerDot);
    std::int32_t longest = 0;
    for (const std::string& name : scale.poses) {
        longest = std::max(longest, text_width(name, dot * kLetterSize));
    }
    const std::int32_t width = longest + dot * (3 * kPadding + kSwatchWidth);
    const auto lines = static_cast<std::int32_t>(
        scale.poses.size() - std::count(scale.poses.begin(), scale.poses.end(), ""));
    const std::int32_t height = dot * (2 * kPadding + lines * (kLineHeight + kGap) - kGap);
    if (lines == 0 || image.width < width + 2 * dot * kMargin ||
        image.height < height + 2 * dot * kMargin) {
        return;
    }
    const Panel panel = panel_at(place, width, height, dot, image);
    darken(panel, image);
    std::int32_t line = 0;
    for (std::size_t e = 0; e < scale.poses.size(); ++e) {
        if (scale.poses[e].empty()) continue;
        const std::int32_t y = panel.top + dot * (kPadding + line++ * (kLineHeight + kGap));
        Radiance light{1, 1, {}};
        const Vec3f colour = scale.colour(example_tint(e).cast<float>());
        light.rgb.assign(colour.data(), colour.data() + 3);
        const Image swatch = develop(light, 0.0, ToneCurve::Plain);
        for (std::int32_t row = y; row < y + dot * kBarHeight; ++row) {
            for (std::int32_t x = 0; x < dot * kSwatchWidth; ++x) {
                const std::size_t at =
                    3 * (std::size_t(row) * image.width + panel.left + dot * kPadding + x);
                for (std::size_t k = 0; k < 3; ++k) image.rgb[at + k] = swatch.rgb[k];
            }
        }
        draw_text(scale.poses[e], panel.left + dot * (2 * kPadding + kSwatchWidth), y,
                  dot * kLetterSize, image);
    }
}

}  // namespace

void draw_legend(const DamageScale& scale, LegendPlace place, Image& image) {
    if (place == LegendPlace::None) return;
    if (scale.by == ColourBy::Example) {
        draw_poses(scale, place, image);
        return;
    }
    const std::int32_t dot = std::max(1, image.height / kRowsPerDot);
    const std::int32_t width = dot * (kBarWidth + 2 * kPadding);
    if (image.width < width + 2 * dot * kMargin ||
        image.height < 2 * dot * (kPanelHeight + kMargin)) {
        return;
    }
    const Panel panel = panel_at(place, width, dot * kPanelHeight, dot, image);
    darken(panel, image);
    const std::int32_t x = panel.left + dot * kPadding;
    const std::int32_t title_y = panel.top + dot * kPadding;
    const std::int32_t bar_y = title_y + dot * (kLineHeight + kGap);
    const std::int32_t label_y = bar_y + dot * (kBarHeight + kGap);
    draw_bar(scale, x, bar_y, dot, image);
    if (scale.by == ColourBy::Scratch) {
        draw_text(fmt::format("{}: 0 to {}", title_of(scale.by), number_text(scale, scale.range)),
                  x, title_y, dot * kLetterSize, image);
        const char* const names[] = {"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
        for (int i = 0; i < 6; ++i) draw_label(names[i], (i + 0.5) / 6, x, label_y, dot, image);
        return;
    }
    draw_text(title_of(scale.by), x, title_y, dot * kLetterSize, image);
    const double low = scale.has_raised ? -scale.range : 0.0;
    draw_label(number_text(scale, low), 0.0, x, label_y, dot, image);
    draw_label(number_text(scale, 0.5 * (low + scale.range)), 0.5, x, label_y, dot, image);
    draw_label(number_text(scale, scale.range), 1.0, x, label_y, dot, image);
}

}  // namespace ductile
