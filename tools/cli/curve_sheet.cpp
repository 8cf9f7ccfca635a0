// SPDX-License-Identifier: MIT
#include "curve_sheet.h"

#include <fmt/format.h>

#include <algorithm>

namespace ductile::cli {
namespace {

constexpr double kPanelWidth = 560.0, kPanelHeight = 270.0, kPanelMargin = 24.0;  // [pixels]
constexpr double kTitleHeight = 34.0, kLegendHeight = 40.0, kLegendColumn = 175.0;
constexpr std::size_t kLegendRow = 3;

/// What is drawn in a panel, and where.
class PanelPlace {
public:
    PanelPlace(const CurvePanel& panel, double left, double top) {
        for (const PanelCurve& curve : panel.curves) {
            for (const CutLine& line : curve.lines) {
                for (const Vec2& p : line) {
                    lower_ = lower_.cwiseMin(p);
                    upper_ = upper_.cwiseMax(p);
                }
            }
        }
        const Vec2 room(kPanelWidth - 2 * kPanelMargin,
                        kPanelHeight - kTitleHeight - kLegendHeight - kPanelMargin);
        const Vec2 size = (upper_ - lower_).cwiseMax(1e-12);
        scale_ = (room.array() / size.array()).minCoeff();
        middle_ = Vec2(left + 0.5 * kPanelWidth, top + kTitleHeight + 0.5 * room.y());
    }

    Vec2 operator()(const Vec2& p) const {
        const Vec2 off = scale_ * (p - 0.5 * (lower_ + upper_));
        return {middle_.x() + off.x(), middle_.y() - off.y()};
    }

private:
    Vec2 lower_ = Vec2::Constant(kInfinity), upper_ = Vec2::Constant(-kInfinity), middle_;
    double scale_ = 1.0;
};

std::string path_of(const PanelCurve& curve, const PanelPlace& place) {
    std::string out =
        fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\"{} d=\"",
                    curve.colour, curve.width, curve.is_dotted ? " stroke-dasharray=\"3 4\"" : "");
    Vec2 last = Vec2::Constant(kInfinity);
    for (const CutLine& line : curve.lines) {
        const Vec2 a = place(line[0]), b = place(line[1]);
        if (a != last) out += fmt::format("M{:.1f} {:.1f}", a.x(), a.y());
        out += fmt::format("L{:.1f} {:.1f}", b.x(), b.y());
        last = b;
    }
    return out + "\"/>\n";
}

std::string legend_of(const CurvePanel& panel, double left, double top) {
    std::string out;
    std::size_t shown = 0;
    for (const PanelCurve& curve : panel.curves) {
        if (curve.name.empty()) continue;
        const double x =
            left + kPanelMargin + static_cast<double>(shown % kLegendRow) * kLegendColumn;
        const double y = top + kPanelHeight - 22.0 + 17.0 * static_cast<double>(shown / kLegendRow);
        out += fmt::format(
            "<path stroke=\"{0}\" stroke-width=\"3\"{1} d=\"M{2:.0f} {3:.0f}h18\"/>"
            "<text x=\"{4:.0f}\" y=\"{5:.0f}\">{6}</text>\n",
            curve.colour, curve.is_dotted ? " stroke-dasharray=\"3 4\"" : "", x, y - 4, x + 24, y,
            curve.name);
        ++shown;
    }
    return out;
}

}  // namespace

std::vector<CutLine> lines_through(const std::vector<Vec2>& points) {
    std::vector<CutLine> lines;
    for (std::size_t i = 1; i < points.size(); ++i) lines.push_back({points[i - 1], points[i]});
    return lines;
}

std::string curve_sheet(const std::vector<CurvePanel>& panels) {
    const double rows = static_cast<double>((panels.size() + 1) / 2);
    const double columns = panels.size() > 1 ? 2.0 : 1.0;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        columns * kPanelWidth, rows * (kPanelHeight + 6.0));
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const double left = static_cast<double>(k % 2) * kPanelWidth;
        const double top = static_cast<double>(k / 2) * (kPanelHeight + 6.0);
        const PanelPlace place(panels[k], left, top);
        out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"14\">{}</text>\n",
                           left + kPanelMargin, top + 22.0, panels[k].title);
        for (const PanelCurve& curve : panels[k].curves) out += path_of(curve, place);
        out += legend_of(panels[k], left, top);
    }
    return out + "</svg>\n";
}

}  // namespace ductile::cli
