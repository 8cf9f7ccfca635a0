// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press_maps.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>

namespace ductile {
namespace {

// A map times its option stays in a range in which the zone's search makes sense.
constexpr double kLeastStiffness = 0.01, kMostStiffness = 100.0, kMostBulge = 20.0;

Status check_map(std::span<const double> map, std::size_t point_count, const char* name,
                 double least, double most) {
    if (map.empty()) return {};
    if (map.size() != point_count) {
        return Error{fmt::format("{} entries for {} points", map.size(), point_count), name,
                     "a map has one entry per vertex of the soft body"};
    }
    for (std::size_t i = 0; i < map.size(); ++i) {
        if (map[i] >= least && map[i] <= most) continue;  // false for NaN, too
        return Error{fmt::format("entry {} is {}, not in [{}, {}]", i, map[i], least, most), name,
                     ""};
    }
    return {};
}

bool is_between(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ';';
}

double channel_of(const Vec4& colour, PaintChannel channel) {
    if (channel == PaintChannel::Mean) return (colour[0] + colour[1] + colour[2]) / 3.0;
    return colour[static_cast<int>(channel)];
}

}  // namespace

Status check(const PressMaps& maps, std::size_t point_count) {
    const Status stiffness = check_map(maps.stiffness, point_count, "the stiffness map",
                                       kLeastStiffness, kMostStiffness);
    if (!stiffness) return stiffness;
    return check_map(maps.bulge, point_count, "the bulge map", 0.0, kMostBulge);
}

Result<std::vector<double>> map_from_text(std::string_view text, std::size_t point_count) {
    std::vector<double> map;
    const char *at = text.data(), *end = text.data() + text.size();
    int line = 1;
    while (at != end) {
        if (*at == '#') {
            while (at != end && *at != '\n') ++at;
        } else if (is_between(*at)) {
            line += *at++ == '\n';
        } else {
            double value = 0.0;
            const auto [after, error] = std::from_chars(at, end, value);
            const bool is_whole = after == end || is_between(*after) || *after == '#';
            if (error != std::errc() || !is_whole || !std::isfinite(value)) {
                return Error{"this is no number", fmt::format("line {}", line),
                             "a map is numbers with white space or commas between them"};
            }
            map.push_back(value);
            at = after;
        }
    }
    if (map.size() != point_count) {
        return Error{fmt::format("{} numbers for {} points", map.size(), point_count), "",
                     "a map has one entry per vertex of the soft body"};
    }
    return map;
}

Result<std::vector<double>> map_from_colours(const SurfaceAsset& asset, PaintChannel channel,
                                             double black, double white) {
    const RenderMesh& render = asset.render;
    if (render.colours.empty() || render.colours.size() != asset.anchors.size()) {
        return Error{"the mesh has no vertex colours to take a map from", "", ""};
    }
    std::vector<double> sum(asset.surface.points.size(), 0.0), weight(sum.size(), 0.0);
    for (std::size_t v = 0; v < render.colours.size(); ++v) {
        const double value = channel_of(render.colours[v], channel);
        for (int k = 0; k < 3; ++k) {
            const double share = asset.anchors[v].weights[k];
            if (!(share > 0)) continue;
            sum[asset.anchors[v].points[k]] += share * value;
            weight[asset.anchors[v].points[k]] += share;
        }
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] = weight[i] > 0 ? black + (white - black) * sum[i] / weight[i] : white;
    }
    return sum;
}

}  // namespace ductile
