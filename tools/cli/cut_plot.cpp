// SPDX-License-Identifier: MIT
#include "cut_plot.h"

#include <ductile/core/file.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ductile::cli {
namespace {

constexpr double kCutWidth = 800.0, kCutMargin = 40.0;  // [pixels]

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

}  // namespace

Vec2 CutPlane::flat(const Vec3& p) const {
    if (axis == 0) return {p.z(), p.y()};
    return axis == 1 ? Vec2(p.x(), p.z()) : Vec2(p.x(), p.y());
}

std::vector<CutLine> cut_at(std::span<const Vec3> points, std::span<const Triangle> triangles,
                            const CutPlane& plane) {
    std::vector<CutLine> lines;
    const auto height = [&](const Vec3& p) { return p[plane.axis] - plane.at; };
    for (const Triangle& t : triangles) {
        CutLine line;
        int ends = 0;
        for (int k = 0; k < 3 && ends < 2; ++k) {
            const Vec3 &a = points[t[k]], &b = points[t[(k + 1) % 3]];
            if ((height(a) < 0) == (height(b) < 0)) continue;
            const Vec3 at = a + height(a) / (height(a) - height(b)) * (b - a);
            line[static_cast<std::size_t>(ends++)] = plane.flat(at);
        }
        if (ends == 2) lines.push_back(line);
    }
    return lines;
}

Result<std::vector<Vec2>> read_cut_points(const std::string& name) {
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

std::string cut_points_caption(const std::vector<CutLine>& cut, const std::vector<Vec2>& points) {
    if (points.empty()) return "";
    double sum = 0.0, most = 0.0;
    for (const Vec2& p : points) {
        const double distance = distance_to(cut, p);
        sum += distance / static_cast<double>(points.size());
        most = std::max(most, distance);
    }
    return fmt::format("dots: reference, off by {:.2g} m on average, {:.2g} m at most", sum, most);
}

CutPlot::CutPlot(const Vec2& lower, const Vec2& upper) : lower_(lower), upper_(upper) {
    scale_ = (kCutWidth - 2 * kCutMargin) / (upper - lower).x();
    const double height = scale_ * (upper - lower).y() + 2 * kCutMargin;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"14\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kCutWidth, height);
}

void CutPlot::add(const std::vector<CutLine>& lines, const char* stroke, const char* more) {
    text_ += fmt::format("<path fill=\"none\" stroke=\"{}\" {} d=\"", stroke, more);
    for (const CutLine& line : lines) {
        if (!is_inside(line[0]) && !is_inside(line[1])) continue;
        const Vec2 a = place(line[0]), b = place(line[1]);
        text_ += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", a.x(), a.y(), b.x(), b.y());
    }
    text_ += "\"/>\n";
}

void CutPlot::add(const std::vector<Vec2>& points) {
    for (const Vec2& p : points) {
        const Vec2 at = place(p);
        text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3\" fill=\"#1a5fb4\"/>\n",
                             at.x(), at.y());
    }
}

std::string CutPlot::finish(const std::string& caption, const std::string& more,
                            const std::string& last) && {
    int y = 24;
    for (const std::string& line : {caption, more, last}) {
        if (line.empty()) continue;
        text_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", kCutMargin, y, line);
        y += 20;
    }
    text_ += "</svg>\n";
    return std::move(text_);
}

bool CutPlot::is_inside(const Vec2& p) const {
    return (p.array() >= lower_.array()).all() && (p.array() <= upper_.array()).all();
}

Vec2 CutPlot::place(const Vec2& p) const {
    return {kCutMargin + scale_ * (p.x() - lower_.x()), kCutMargin + scale_ * (upper_.y() - p.y())};
}

}  // namespace ductile::cli
