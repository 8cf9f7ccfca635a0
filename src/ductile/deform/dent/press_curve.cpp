// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/dent/press_curve.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {
namespace {

constexpr std::size_t kCurveSteps = 96;
constexpr double kTrustedSteps = 6.0;
// A striker's facets are not to be trusted up to so many times their height.
constexpr double kFacetsPerDepth = 16.0;
// Where facets of height 1 are: on average this far below the smooth surface that they stand for,
// whose tip may be anywhere between theirs and 1 above it.
constexpr double kMeanFacet = 0.75;
constexpr int kTipRounds = 40;
// How much more a point strains than a ball whose flank has its slope
// (validation/wedge_on_block.csv).
constexpr double kPointStrain = 0.5;

// The power of the depth that a volume grows with, as it is seen on a mesh: a face has 1, a lying
// cylinder 1.5, a ball or an edge 2, a corner 3. Facets blur that by a few hundredths, which would
// tell ten times further in.
constexpr double kBlur = 0.12;
double shape_exponent(double seen) {
    const double known = 0.5 * std::round(2.0 * seen);
    return std::clamp(std::abs(seen - known) < kBlur ? known : seen, 1.0, 3.0);
}

// Sums over the samples of a footprint, from which its second moments come.
struct FootprintSums {
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;

    void add(double at_x, double at_y, double weight) {
        n += weight;
        x += weight * at_x;
        y += weight * at_y;
        xx += weight * at_x * at_x;
        xy += weight * at_x * at_y;
        yy += weight * at_y * at_y;
    }
    void add(const FootprintSums& s) {
        n += s.n;
        x += s.x;
        y += s.y;
        xx += s.xx;
        xy += s.xy;
        yy += s.yy;
    }
    /// Length over width of the rectangle with these moments, 1 where it is far from being filled:
    /// feet apart from each other are no edge.
    double aspect(double cell) const {
        if (!(n > 0.0)) return 1.0;
        // A sample is a square, which has a moment of its own.
        const double own = cell * cell / 12.0;
        const double a = xx / n - x * x / (n * n) + own, b = yy / n - y * y / (n * n) + own;
        const double c = xy / n - x * y / (n * n);
        const double middle = 0.5 * (a + b), off = std::hypot(0.5 * (a - b), c);
        const double narrow = std::max(own, middle - off), wide = std::max(own, middle + off);
        const double filled = std::min(1.0, n * cell * cell / (12.0 * std::sqrt(narrow * wide)));
        return std::max(1.0, std::sqrt(wide / narrow) * filled * filled);
    }
};

// Of what a striker has pressed in at multiples of a step. A sample counts as far as it was under
// the surface during the step before: rounding must not decide about what is just touched.
std::vector<double> footprint_aspects(const DentMap& profile, double distance, double step) {
    std::array<FootprintSums, kCurveSteps + 3> sums{};
    for (std::int32_t j = 0; j < profile.rows; ++j) {
        for (std::int32_t i = 0; i < profile.columns; ++i) {
            const double z = profile.at(i, j);
            if (!(z > 0)) continue;
            const double start = std::max(0.0, distance - z) / step;
            const auto before = std::min(kCurveSteps, static_cast<std::size_t>(start));
            const double late = start - static_cast<double>(before);
            const double x = profile.x(i), y = profile.y(j);
            sums[before + 1].add(x, y, 1.0 - late);
            sums[before + 2].add(x, y, late);
        }
    }
    std::vector<double> out(kCurveSteps + 1);
    FootprintSums all;
    for (std::size_t k = 0; k <= kCurveSteps; ++k) {
        all.add(sums[k]);
        out[k] = all.aspect(profile.cell);
    }
    return out;
}

}  // namespace

PressCurve::PressCurve(double area) : stamp_area_(area) {}

double PressCurve::trusted_from(double facets) { return kFacetsPerDepth * facets; }

PressCurve::PressCurve(const DentMap& profile, double distance, double facets)
    : distance_(distance), step_(distance / kCurveSteps) {
    DUCTILE_ASSERT(distance > 0, "a distance");
    // Samples by how deep they go; each is under the surface from `distance - z` on.
    std::vector<double> count(kCurveSteps + 1, 0.0), offset(kCurveSteps + 1, 0.0);
    for (const double z : profile.depths) {
        if (!(z > 0)) continue;
        const double start = std::max(0.0, distance - z) / step_;
        const auto at = std::min(kCurveSteps, static_cast<std::size_t>(start));
        count[at] += 1.0;
        offset[at] += start - static_cast<double>(at);
    }
    // The volume at a depth is the sum of what each sample is under it.
    aspects_ = footprint_aspects(profile, distance, step_);
    const double cell = profile.cell * profile.cell * step_;
    volumes_.assign(kCurveSteps + 1, 0.0);
    double under = 0.0, depth = 0.0;
    for (std::size_t k = 1; k <= kCurveSteps; ++k) {
        depth += under + count[k - 1] - offset[k - 1];
        under += count[k - 1];
        volumes_[k] = depth * cell;
    }
    continue_to_tip(facets);
}

void PressCurve::continue_to_tip(double facets) {
    // A few steps deep there are samples enough.
    const double there = std::min(std::max(trusted_from(facets), kTrustedSteps * step_), distance_);
    const double seen_volume = whole_volume(there);
    if (!(there > 0) || !(seen_volume > 0)) return;
    double seen = there * whole_area(there) / seen_volume;
    exponent_ = shape_exponent(seen);
    // Facets lie below the surface that they stand for, as if it came later: (d - late)^n has the
    // power n d / (d - late).
    late_ = std::clamp(there * (1.0 - exponent_ / seen), -(1.0 - kMeanFacet) * facets,
                       kMeanFacet * facets);
    volume_there_ = whole_volume(there);
    seen = there * whole_area(there) / volume_there_;
    // What is left of the difference is the shape's own: a ball's volume is d^2 (1 - d / 3 R).
    const double fuller = exponent_ - seen;
    fuller_ = exponent_ > 1.0 && std::abs(fuller) < kBlur ? fuller : 0.0;
    smooth_from_ = there;
}

PressCurve PressCurve::in_hollow(double depth) const {
    PressCurve out = *this;
    out.hollow_ = std::clamp(hollow_ + depth, 0.0, distance_);
    return out;
}

double PressCurve::volume(double depth) const {
    if (!(depth > 0)) return 0.0;
    return whole_volume(hollow_ + depth) - (hollow_ > 0 ? whole_volume(hollow_) : 0.0);
}

double PressCurve::whole_volume(double depth) const {
    if (!(depth > 0)) return 0.0;
    if (volumes_.empty()) return stamp_area_ * depth;
    depth = std::min(depth, distance_);
    if (depth < smooth_from_) {
        const double share = depth / smooth_from_;
        return volume_there_ * std::pow(share, exponent_) * (1.0 + fuller_ * (1.0 - share));
    }
    const double at = (depth + late_) / step_;
    const auto k = std::min(kCurveSteps - 1, static_cast<std::size_t>(at));
    return volumes_[k] + (at - static_cast<double>(k)) * (volumes_[k + 1] - volumes_[k]);
}

double PressCurve::whole_area(double depth) const {
    if (volumes_.empty()) return stamp_area_;
    depth = std::clamp(depth, 0.0, distance_);
    if (depth < smooth_from_) {
        return tip_area(depth / smooth_from_);
    }
    // Over a step: the slope of the volume, without its corners.
    const double low = std::max(0.0, depth - step_), high = std::min(distance_, depth + step_);
    return (whole_volume(high) - whole_volume(low)) / (high - low);
}

double PressCurve::tip_area(double share) const {
    return volume_there_ / smooth_from_ * std::pow(share, exponent_ - 1.0) *
           (exponent_ + fuller_ * (exponent_ - (exponent_ + 1.0) * share));
}

double PressCurve::depth_near_tip(double wanted) const {
    if (!(exponent_ > 1.0)) return 0.0;
    double share = 1.0;
    for (int k = 0; k < kTipRounds; ++k) {
        const double next = share * std::pow(wanted / tip_area(share), 1.0 / (exponent_ - 1.0));
        if (!(next > 0)) return 0.0;  // less than a number can be
        const bool is_there = std::abs(next - share) <= 1e-14 * share;
        share = next;
        if (is_there) break;
    }
    return share * smooth_from_;
}

double PressCurve::depth_of_area(double wanted) const {
    if (volumes_.empty()) return wanted > stamp_area_ ? distance() : 0.0;
    if (!(wanted > 0)) return 0.0;
    double low = hollow_, high = distance_;
    if (whole_area(high) <= wanted) return high - hollow_;
    if (low < smooth_from_) {
        // The power that it is, solved: a sheet asks for this at every step of its loading.
        if (wanted <= tip_area(1.0)) return std::max(0.0, depth_near_tip(wanted) - hollow_);
        low = smooth_from_;
    }
    while (high - low > 1e-14 * distance_) {
        const double middle = 0.5 * (low + high);
        (whole_area(middle) < wanted ? low : high) = middle;
    }
    return high - hollow_;
}

double PressCurve::aspect(double depth) const {
    if (aspects_.empty()) return 1.0;
    const auto at = [&](double d) {
        const double k = std::clamp(d / step_, 0.0, static_cast<double>(kCurveSteps));
        const auto low = std::min(kCurveSteps - 1, static_cast<std::size_t>(k));
        return aspects_[low] + (k - static_cast<double>(low)) * (aspects_[low + 1] - aspects_[low]);
    };
    if (!(depth < smooth_from_)) return at(depth);
    // What is long gets narrower as it gets smaller, but not shorter.
    const double there = at(smooth_from_), area = whole_area(depth);
    if (!(area > 0)) return there;
    return there * std::pow(whole_area(smooth_from_) / area, 1.0 - 1.0 / (there * there));
}

PressForm PressCurve::form(double depth) const {
    PressForm out;
    const double whole = hollow_ + depth, area = whole_area(whole), volume = whole_volume(whole);
    if (!(whole > 0) || !(area > 0) || !(volume > 0)) return out;
    out.aspect = aspect(whole);
    out.power = std::clamp(whole * area / volume, 1.0, 3.0);
    // Of an ellipse, or of a rectangle where it is long.
    const double corners = kPi + (4.0 - kPi) * out.longness();
    const double half_width = std::sqrt(area / (corners * out.aspect));
    // Towards a point a flank is as steep as it is deep over its width, not twice that.
    const double pointed = std::max(1.0, (out.power - 1.0) * (1.0 + out.longness()));
    out.slope = 2.0 * whole / (half_width * pointed);
    out.strain = out.slope * (1.0 + kPointStrain * (pointed - 1.0));
    return out;
}

}  // namespace ductile
