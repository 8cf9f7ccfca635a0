// SPDX-License-Identifier: MIT
#include "press_plot.h"

#include <ductile/core/file.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ductile::cli {
namespace {

constexpr double kWidth = 800.0, kMargin = 40.0;  // [pixels]

using CutLine = std::array<Vec2, 2>;

/// Where the triangles meet the plane z.
std::vector<CutLine> cut_at(std::span<const Vec3> points, std::span<const Triangle> triangles,
                            double z) {
    std::vector<CutLine> lines;
    for (const Triangle& t : triangles) {
        CutLine line;
        int ends = 0;
        for (int k = 0; k < 3 && ends < 2; ++k) {
            const Vec3 &a = points[t[k]], &b = points[t[(k + 1) % 3]];
            if ((a.z() < z) == (b.z() < z)) continue;
            const Vec3 at = a + (z - a.z()) / (b.z() - a.z()) * (b - a);
            line[static_cast<std::size_t>(ends++)] = at.head<2>();
        }
        if (ends == 2) lines.push_back(line);
    }
    return lines;
}

Result<std::vector<Vec2>> read_reference(const std::string& name) {
    std::vector<Vec2> points;
    if (name.empty()) return points;
    const Result<std::string> text = read_file(name, 64 << 20);
    if (!text) return text.error();
    const char* at = text.value().data();
    const char* const end = at + text.value().size();
    while (at < end) {
        const char* const line_end = std::find(at, end, '\n');
        Vec2 p;
        const auto x = std::from_chars(at, line_end, p.x());
        const char* next = x.ptr;
        while (next < line_end && (*next == ' ' || *next == ',' || *next == ';' || *next == '\t')) {
            ++next;
        }
        const auto y = std::from_chars(next, line_end, p.y());
        if (x.ec == std::errc() && y.ec == std::errc() && p.allFinite()) points.push_back(p);
        at = line_end < end ? line_end + 1 : end;
    }
    if (points.empty()) return Error{"the file holds no points", name, "write one x,y per line"};
    return points;
}

double distance_to(const std::vector<CutLine>& lines, const Vec2& p) {
    double nearest = kInfinity;
    for (const CutLine& line : lines) {
        const Vec2 way = line[1] - line[0];
        const double length_sq = way.squaredNorm();
        const double along =
            length_sq > 0 ? std::clamp((p - line[0]).dot(way) / length_sq, 0.0, 1.0) : 0.0;
        nearest = std::min(nearest, (line[0] + along * way - p).norm());
    }
    return nearest;
}

/// How far points of a reference are from the cut, as a line of text; empty for none.
std::string reference_caption(const std::vector<CutLine>& cut, const std::vector<Vec2>& points) {
    if (points.empty()) return "";
    double sum = 0.0, most = 0.0;
    for (const Vec2& p : points) {
        const double distance = distance_to(cut, p);
        sum += distance / static_cast<double>(points.size());
        most = std::max(most, distance);
    }
    return fmt::format("dots: reference, off by {:.2g} m on average, {:.2g} m at most", sum, most);
}

class Plot {
public:
    Plot(const Vec2& lower, const Vec2& upper) : lower_(lower), upper_(upper) {
        scale_ = (kWidth - 2 * kMargin) / (upper - lower).x();
        const double height = scale_ * (upper - lower).y() + 2 * kMargin;
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
            "font-family=\"sans-serif\" font-size=\"14\">\n"
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            kWidth, height);
    }

    void add(const std::vector<CutLine>& lines, const char* stroke, const char* more) {
        text_ += fmt::format("<path fill=\"none\" stroke=\"{}\" {} d=\"", stroke, more);
        for (const CutLine& line : lines) {
            if (!is_inside(line[0]) && !is_inside(line[1])) continue;
            const Vec2 a = place(line[0]), b = place(line[1]);
            text_ += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", a.x(), a.y(), b.x(), b.y());
        }
        text_ += "\"/>\n";
    }
    void add(const std::vector<Vec2>& points) {
        for (const Vec2& p : points) {
            const Vec2 at = place(p);
            text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3\" fill=\"#1a5fb4\"/>\n",
                                 at.x(), at.y());
        }
    }
    std::string finish(const std::string& caption, const std::string& more) && {
        text_ += fmt::format(
            "<text x=\"{0}\" y=\"24\">{1}</text>\n<text x=\"{0}\" y=\"44\">{2}"
            "</text>\n</svg>\n",
            kMargin, caption, more);
        return std::move(text_);
    }

private:
    bool is_inside(const Vec2& p) const {
        return (p.array() >= lower_.array()).all() && (p.array() <= upper_.array()).all();
    }
    Vec2 place(const Vec2& p) const {
        return {kMargin + scale_ * (p.x() - lower_.x()), kMargin + scale_ * (upper_.y() - p.y())};
    }

    Vec2 lower_, upper_;
    double scale_ = 1.0;
    std::string text_;
};

}  // namespace

Result<std::string> press_plot(const PressedStill& still, const std::string& reference) {
    const Result<std::vector<Vec2>> points = read_reference(reference);
    if (!points) return points.error();
    const std::vector<Triangle>& triangles = still.soft->surface.triangles;
    // Off the middle by a hair, so that no edge of a symmetric mesh lies in the plane.
    const Box box = bounds(still.before);
    const double z = box.centre().z() + 1e-6 * box.diagonal();
    const std::vector<CutLine> before = cut_at(still.before, triangles, z);
    const std::vector<CutLine> after = cut_at(still.pressed.points, triangles, z);
    if (after.empty())
        return Error{"the plane through its middle does not cut the soft body", "--profile", ""};
    Box shown = bounds(still.pressed.points);
    shown.add(box);
    const Vec2 slack = Vec2::Constant(0.08 * box.diagonal());
    Plot plot(shown.lower.head<2>() - slack, shown.upper.head<2>() + slack);
    plot.add(cut_at(still.rigid_points, still.rigid->surface.triangles, z), "#5e5c64",
             "stroke-width=\"2\"");
    plot.add(before, "#c0bfbc", "stroke-width=\"1.5\" stroke-dasharray=\"6 4\"");
    plot.add(after, "#c01c28", "stroke-width=\"2.5\"");
    plot.add(points.value());
    const PressReport& r = still.pressed.report;
    return std::move(plot).finish(
        fmt::format("stiffness {:.3g} m, extent {:.3g} m; volume changed by {:.3g} % of what was "
                    "displaced",
                    r.stiffness, r.extent,
                    r.displaced_volume > 0 ? 100 * r.volume_change / r.displaced_volume : 0.0),
        reference_caption(after, points.value()));
}

}  // namespace ductile::cli
