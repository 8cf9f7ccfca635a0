// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_law.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Depths at which the work is looked at: from this share of the limit on, each larger by a factor.
constexpr double kFirstDepth = 1e-4, kNextDepth = 1.08;

struct SweptArea {
    double facing = 0.0, along = 0.0;  ///< [m^2]
};

SweptArea swept_area(std::span<const SweptPlace> places, double depth, double smoothing) {
    SweptArea area;
    for (const SweptPlace& p : places) {
        if (p.gap > depth) continue;
        const double share = std::min(1.0, (depth - p.gap) / smoothing);
        area.facing += share * p.facing;
        area.along += share * p.along;
    }
    return area;
}

}  // namespace

double fold_energy(double yield_stress, double thickness, double panel) {
    return 13.06 / 4.0 * yield_stress * thickness * thickness * std::cbrt(panel / thickness) /
           panel;
}

CrushDepth crush_depth(std::span<const SweptPlace> places, const CrushStrength& strength,
                       double energy, double limit) {
    if (!(energy > 0) || !(limit > 0)) return {};
    const SheetStrength& sheet = strength.sheet;
    const double fold = fold_energy(sheet.yield_stress, sheet.thickness, strength.panel);
    double before = 0.0, bent = 0.0, work_before = 0.0, bend_share = 1.0;
    double depth = limit, work = energy;
    bool is_limited = true;
    for (double d = kFirstDepth * limit;; d = std::min(limit, kNextDepth * d)) {
        const SweptArea area = swept_area(places, d, strength.smoothing);
        const double radius = std::sqrt(area.facing / kPi);
        // What presses on all of a panel moves it, and bends nothing.
        const double open = std::max(0.0, 1.0 - radius / sheet.span);
        const double print = std::min(radius, 0.9 * sheet.span);
        bent += open * (d - before) * sheet_force(sheet, 0.5 * (d + before), print);
        const double now = bent + fold * area.along;
        if (now >= energy) {
            const double share =
                now > work_before ? (energy - work_before) / (now - work_before) : 1;
            depth = before + share * (d - before);
            is_limited = false;
            bend_share = bent / now;
            break;
        }
        if (!(d < limit)) {
            work = now;
            bend_share = now > 0 ? bent / now : 1.0;
            break;
        }
        before = d;
        work_before = now;
    }
    // What is bent springs back a little, what is folded does not.
    const double left = sheet_depth_left(sheet, depth, 0.0);
    return {bend_share * left + (1.0 - bend_share) * depth, work, is_limited};
}

}  // namespace ductile
