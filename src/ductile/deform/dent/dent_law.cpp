// SPDX-License-Identifier: MIT
// Plastic impact as in K. L. Johnson, Contact Mechanics (1985), chapters 6 and 11. Sheets: elastic
// deflections as in Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells (1959), articles
// 16, 19 and 97; limit loads as in Hodge, Limit Analysis of Rotationally Symmetric Plates (1963);
// the membrane is one of constant tension. The few factors between those were set by the tables of
// validation/; which rows, docs/truth.md tells.
#include <ductile/core/assert.h>
#include <ductile/deform/dent/dent_law.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr std::size_t kCurveSteps = 96;
constexpr double kTrustedSteps = 6.0;
constexpr int kHalvings = 60;

// The work per volume under the bare shape, over the hardness: more than 1 because the rim carries,
// too, and rising while the core under the contact goes from elastic to plastic (Johnson 6.3: with
// the logarithm of how much more the contact is strained than it can bear elastically). The height
// of the rim over the depth goes with it. Set by rows of validation/ball_on_block.csv.
struct Transition {
    double at, per_log, most;
};
constexpr double kStrainThere = 4.0;  // a logarithm
constexpr Transition kWorkRatio = {1.09, 0.133, 1.30}, kRimRatio = {0.195, 0.118, 0.36};
// A conforming contact of radius a springs back by this much of F / (a E*) (Hertz: 3/4), and gives
// back this share of force times way (Hertz: 2/5).
constexpr double kSpringBack = 0.55, kReturnedShare = 0.49;
// Area of the contact, rim included, over that of the bare shape.
constexpr double kContactWidening = 1.25;
constexpr double kLeastWorkRatio = 0.5;
// Of the springback, what the middle of a crater rises by more than its edge.
constexpr double kFlattening = 0.28;
// The print in a sheet is taken as that of a contact in mid-transition.
constexpr double kSheetPrint = 1.1;
// Hertz' contact of a ball of radius R yields at a radius of 2.5 R Y / E*, having taken up
// 3.4 Y^2 / E* times its cube (Johnson, 6.1 and eq. 11.25: 53 R^3 Y^5 / E*^4).
constexpr double kYieldRadius = 2.5, kYieldEnergy = 3.4;
// Tabor: hardness over yield stress of what yields fully.
constexpr double kTabor = 3.0;

// Sheets, by how they are held: what of the limit load in bending and of the membrane's pull they
// show, how they stiffen with the square of depth over thickness (elastic: Timoshenko has 0.44 and
// 0.27), and what of force times springback they give back. Set by validation/ball_on_sheet.csv.
struct EdgeFactors {
    double bending, stretching, stiffening, returned;
};
constexpr EdgeFactors kClamped = {0.67, 0.81, 0.40, 0.40}, kSupported = {1.18, 0.49, 0.20, 0.394};
// How sharply what is elastic goes over into what yields, and the springback over F / stiffness.
constexpr double kTransition = 1.6, kUnloading = 1.08;
// A sheet closes around a ball of radius R up to the root of this much of F R / (2 pi Y t).
constexpr double kClosing = 0.84;
// Depths at which a sheet's curve is looked at, each so much above the last.
constexpr double kDepthGrowth = 1.1;
// The same where two bodies share an energy.
constexpr double kCurveGrowth = 1.4;
// Powers of basins beyond those of the tables are not trusted.
constexpr double kLeastPower = 0.3, kMostPower = 2.5, kLeastDeep = 0.1;
// A point touches this share of the span.
constexpr double kPointShare = 0.1;

const EdgeFactors& edge_factors(const SheetStrength& s) {
    return s.edge == SheetEdge::Clamped ? kClamped : kSupported;
}

double bending_stiffness(const SheetStrength& s) {
    return s.youngs_modulus * s.thickness * s.thickness * s.thickness /
           (12.0 * (1.0 - s.poissons_ratio * s.poissons_ratio));
}

// Force at a depth if nothing yielded.
double elastic_force(const SheetStrength& s, double depth) {
    const bool is_clamped = s.edge == SheetEdge::Clamped;
    const double softer = is_clamped ? 1.0 : (3.0 + s.poissons_ratio) / (1.0 + s.poissons_ratio);
    const double rate = 16.0 * kPi * bending_stiffness(s) / (softer * s.span * s.span);
    const double ratio = depth / s.thickness;
    return rate * depth * (1.0 + edge_factors(s).stiffening * ratio * ratio);
}

double ratio_of(const Transition& t, const PressCurve& press, const ContactStrength& c,
                double depth) {
    const double area = press.area(depth);
    const double whole = press.hollow() + depth;
    if (!(area > 0) || !(whole > 0)) return t.at;
    // E* a / (Y R), the ball's radius being A / (2 pi d).
    const double strain = c.modulus * 2.0 * whole * std::sqrt(kPi / area) / (c.hardness / kTabor);
    return std::clamp(t.at + t.per_log * (std::log(strain) - kStrainThere), 0.0, t.most);
}

// Under which a striker is pressed in, over the area within the plane [Pa].
double pressure(const PressCurve& press, const ContactStrength& c, double depth) {
    return std::max(kLeastWorkRatio, ratio_of(kWorkRatio, press, c, depth)) * c.hardness;
}

double springback(const ContactStrength& c, double force, double area) {
    if (!(area > 0)) return 0.0;
    return kSpringBack * force / (std::sqrt(kContactWidening * area / kPi) * c.modulus);
}

// What a contact stores under a force.
double stored_energy(const ContactStrength& c, double force, double area) {
    return kReturnedShare * force * springback(c, force, area);
}

// The force that presses a striker in; of what strikes as a stamp only the shape is known.
double press_force(const PressCurve& press, const ContactStrength& c, double depth) {
    return press.is_stamp() ? 0.0 : pressure(press, c, depth) * press.area(depth);
}

// Radius of a ball that takes up as much as the striker does, near the tip.
double tip_radius(const PressCurve& press, double depth) {
    const double whole = press.hollow() + depth;
    return whole > 0 ? press.area(depth) / (2.0 * kPi * whole) : 0.0;
}

bool has_yielded(const PressCurve& press, const ContactStrength& c, double depth, double energy) {
    const double yield = c.hardness / kTabor;
    // No wider than what meets at all: a ball in a hollow of its own radius meets it everywhere.
    const double contact = std::min(kYieldRadius * tip_radius(press, depth) * yield / c.modulus,
                                    std::sqrt(press.area(depth) / kPi));
    return energy > kYieldEnergy * yield * yield * contact * contact * contact / c.modulus;
}

// The power of the depth that a volume grows with, as it is seen on a mesh: a face has 1, a lying
// cylinder 1.5, a ball or an edge 2, a corner 3. Facets blur that by a few hundredths, which would
// tell ten times further in.
double shape_exponent(double seen) {
    constexpr double kBlur = 0.12;
    const double known = 0.5 * std::round(2.0 * seen);
    return std::clamp(std::abs(seen - known) < kBlur ? known : seen, 1.0, 3.0);
}

double print_work(const PressCurve& press, const ContactStrength& c, double depth) {
    return pressure(press, c, depth) * press.volume(depth);
}

}  // namespace

PressCurve::PressCurve(double area) : stamp_area_(area) {}

PressCurve::PressCurve(const DentMap& profile, double distance, double smooth_from)
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
    const double cell = profile.cell * profile.cell * step_;
    volumes_.assign(kCurveSteps + 1, 0.0);
    double under = 0.0, depth = 0.0;
    for (std::size_t k = 1; k <= kCurveSteps; ++k) {
        depth += under + count[k - 1] - offset[k - 1];
        under += count[k - 1];
        volumes_[k] = depth * cell;
    }
    // A few steps deep there are samples enough.
    smooth_from_ = std::min(std::max(smooth_from, kTrustedSteps * step_), distance);
    if (smooth_from_ > 0) {
        const double there = smooth_from_;
        smooth_from_ = 0.0;
        volume_there_ = whole_volume(there);
        const double area_there = whole_area(there);
        if (volume_there_ > 0) exponent_ = shape_exponent(there * area_there / volume_there_);
        smooth_from_ = there;
    }
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
    if (depth < smooth_from_) return volume_there_ * std::pow(depth / smooth_from_, exponent_);
    const double at = depth / step_;
    const auto k = std::min(kCurveSteps - 1, static_cast<std::size_t>(at));
    return volumes_[k] + (at - static_cast<double>(k)) * (volumes_[k + 1] - volumes_[k]);
}

double PressCurve::whole_area(double depth) const {
    if (volumes_.empty()) return stamp_area_;
    depth = std::clamp(depth, 0.0, distance_);
    if (depth < smooth_from_) {
        return exponent_ * volume_there_ / smooth_from_ *
               std::pow(depth / smooth_from_, exponent_ - 1.0);
    }
    // Over a step: the slope of the volume, without its corners.
    const double low = std::max(0.0, depth - step_), high = std::min(distance_, depth + step_);
    return (whole_volume(high) - whole_volume(low)) / (high - low);
}

double PressCurve::depth_of_area(double wanted) const {
    if (volumes_.empty()) return wanted > stamp_area_ ? distance() : 0.0;
    if (!(wanted > 0)) return 0.0;
    double low = hollow_, high = distance_;
    if (whole_area(high) <= wanted) return high - hollow_;
    if (low < smooth_from_) {
        // The power that it is, solved: a sheet asks for this at every step of its loading.
        const double there = exponent_ * volume_there_ / smooth_from_;
        if (wanted <= there) {
            const double share =
                exponent_ > 1.0 ? std::pow(wanted / there, 1.0 / (exponent_ - 1.0)) : 0.0;
            return std::max(0.0, share * smooth_from_ - hollow_);
        }
        low = smooth_from_;
    }
    while (high - low > 1e-14 * distance_) {
        const double middle = 0.5 * (low + high);
        (whole_area(middle) < wanted ? low : high) = middle;
    }
    return high - hollow_;
}

DentDepth solid_dent(const PressCurve& press, const ContactStrength& c, double energy) {
    DentDepth out;
    if (!(energy > 0)) return out;
    const auto spent = [&](double depth) {
        return print_work(press, c, depth) +
               stored_energy(c, press_force(press, c, depth), press.area(depth));
    };
    if (press.hollow() > 0 && !(spent(0.0) < energy)) return out;
    double low = 0.0, high = std::min(press.distance(), 1e6);
    for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (low + high);
        (spent(middle) < energy ? low : high) = middle;
    }
    if (!has_yielded(press, c, low, energy)) return out;
    out.work = std::min(energy, print_work(press, c, low));
    const double force = press_force(press, c, low), area = press.area(low);
    const double back = std::min(stored_energy(c, force, area), energy - out.work);
    out.restitution = std::sqrt(std::max(0.0, back) / energy);
    out.print = low;
    const double whole = press.hollow() + low;
    if (whole > 0) out.flattening = 1.0 + kFlattening * springback(c, force, area) / whole;
    out.rim = ratio_of(kRimRatio, press, c, low);
    return out;
}

double sheet_force(const SheetStrength& s, double depth, double print_radius) {
    const EdgeFactors& factors = edge_factors(s);
    const double moment = 0.25 * s.yield_stress * s.thickness * s.thickness;
    const double limit = (s.edge == SheetEdge::Clamped ? 4.0 : 2.0) * kPi * moment;
    const double slope = std::log(std::max(1.5, s.span / print_radius));
    const double pull = 2.0 * kPi * s.yield_stress * s.thickness * depth / slope;
    const double plastic = std::hypot(factors.bending * limit, factors.stretching * pull);
    const double elastic = elastic_force(s, depth);
    if (!(elastic > 0)) return 0.0;
    return plastic * std::pow(1.0 + std::pow(plastic / elastic, kTransition), -1.0 / kTransition);
}

double sheet_depth_left(const SheetStrength& s, double depth, double print_radius) {
    const double elastic = elastic_force(s, depth);
    if (!(elastic > 0)) return 0.0;
    const double springback = kUnloading * sheet_force(s, depth, print_radius) / elastic;
    return depth * std::max(0.0, 1.0 - springback);
}

namespace {

// A striker that goes into a sheet step by step.
class SheetLoading {
public:
    struct State {
        double depth = 0.0, force = 0.0, bent = 0.0, print = 0.0, radius = 0.0;
    };

    SheetLoading(const PressCurve& press, const ContactStrength& contact,
                 const SheetStrength& sheet)
        : press_(press),
          contact_(contact),
          sheet_(sheet),
          widest_(std::sqrt(press.area(press.distance()) / kPi)) {}

    State start() const { return {.radius = touching(0.0, 0.0)}; }
    State next(const State& now, double depth) const {
        State out;
        out.depth = depth;
        out.force = sheet_force(sheet_, depth, now.radius);
        out.bent = now.bent + 0.5 * (now.force + out.force) * (depth - now.depth);
        out.print = press_.depth_of_area(out.force / (kSheetPrint * contact_.hardness));
        out.radius = touching(out.force, out.print);
        return out;
    }
    /// What stays of the basin.
    double left(const State& s) const { return sheet_depth_left(sheet_, s.depth, s.radius); }
    double spent(const State& s) const {
        return s.bent + print_work(press_, contact_, s.print) + stored_in_print(s);
    }
    /// Of that, what comes back.
    double returned(const State& s) const {
        return edge_factors(sheet_).returned * s.force * (s.depth - left(s)) + stored_in_print(s);
    }
    double tip(double print) const {
        return tip_radius(press_, std::max(print, 1e-3 * press_.distance()));
    }

private:
    double stored_in_print(const State& s) const {
        return stored_energy(contact_, s.force, s.force / (kSheetPrint * contact_.hardness));
    }
    // A striker that a sheet closes around touches it as far out as the sheet's slope goes.
    double touching(double force, double print) const {
        const double closed = std::sqrt(kClosing * force * tip(print) /
                                        (2.0 * kPi * sheet_.yield_stress * sheet_.thickness));
        return std::clamp(closed, 1e-3 * sheet_.span, std::max(widest_, 1e-3 * sheet_.span));
    }

    const PressCurve& press_;
    const ContactStrength& contact_;
    const SheetStrength& sheet_;
    double widest_;
};

// The state that leaves the sheet as it is bent in now.
SheetLoading::State loaded_before(const SheetLoading& loading, const SheetStrength& s) {
    SheetLoading::State now = loading.start();
    if (!(s.bent_in > 0)) return now;
    double depth = 1e-4 * s.thickness;
    while (depth < 1e3 * s.span) {
        const SheetLoading::State next = loading.next(now, depth);
        if (loading.left(next) >= s.bent_in) break;
        now = next;
        depth *= kDepthGrowth;
    }
    double low = now.depth, high = depth;
    for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (low + high);
        (loading.left(loading.next(now, middle)) < s.bent_in ? low : high) = middle;
    }
    return loading.next(now, high);
}

}  // namespace

DentDepth sheet_dent(const PressCurve& press, const ContactStrength& c, const SheetStrength& s,
                     double energy) {
    DentDepth out;
    if (!(energy > 0)) return out;
    const SheetLoading loading(press, c, s);
    const SheetLoading::State first = loaded_before(loading, s);
    // What took it to where it is bent in already is spent; what it stored there came back.
    const double gone = s.bent_in > 0 ? loading.spent(first) - loading.returned(first) : 0.0;
    SheetLoading::State now = first, before = first;
    double spent = s.bent_in > 0 ? loading.returned(first) : 0.0, spent_before = spent;
    if (spent >= energy) return out;
    double depth = std::max(1e-4 * s.thickness, kDepthGrowth * first.depth);
    while (spent < energy && depth < 1e3 * s.span) {
        before = now;
        spent_before = spent;
        now = loading.next(before, depth);
        spent = loading.spent(now) - gone;
        depth *= kDepthGrowth;
    }
    const double share = std::clamp((energy - spent_before) / (spent - spent_before), 0.0, 1.0);
    const auto between = [&](double a, double b) { return a + share * (b - a); };
    SheetLoading::State end;
    end.depth = between(before.depth, now.depth);
    end.force = between(before.force, now.force);
    end.print = between(before.print, now.print);
    end.radius = between(before.radius, now.radius);
    out.print = std::max(0.0, end.print - first.print);
    out.basin = std::max(0.0, loading.left(end) - s.bent_in);
    out.tip_radius = loading.tip(end.print);
    out.work = std::clamp(energy - loading.returned(end), 0.0, energy);
    out.restitution = std::sqrt(1.0 - out.work / energy);
    return out;
}

namespace {

// How deep a sheet is when it has taken up some energy from a point.
double loaded_depth(const SheetStrength& s, double energy) {
    double depth = 1e-4 * s.thickness, before = 0.0, force = 0.0, spent = 0.0;
    while (spent < energy && depth < 1e3 * s.span) {
        const double next = sheet_force(s, depth, kPointShare * s.span);
        spent += 0.5 * (force + next) * (depth - before);
        force = next;
        before = depth;
        depth *= kDepthGrowth;
    }
    return before;
}

}  // namespace

double sheet_depth_of(const SheetStrength& s, double energy) {
    return sheet_depth_left(s, loaded_depth(s, energy), kPointShare * s.span);
}

double print_share(double hardness, double other_hardness) {
    constexpr double kStrainsPerPressure = 1.5;  // powers of e, per yield stress
    const double missing = std::max(0.0, 1.0 - other_hardness / hardness);
    return std::exp(-kStrainsPerPressure * kTabor * missing);
}

YieldCurve solid_yield_curve(double hardness, double print_share, double radius, double energy) {
    const double force = std::sqrt(4.0 * kPi * radius * hardness * energy / print_share);
    return {{{force, energy}}};
}

YieldCurve sheet_yield_curve(const SheetStrength& s, double hardness, double print_share,
                             double radius, double energy) {
    const YieldCurve print = solid_yield_curve(hardness, print_share, radius, energy);
    YieldCurve out;
    double before = 0.0, force = 0.0, bent = 0.0, taken = 0.0;
    for (double depth = 1e-3 * s.thickness; taken < energy && depth < 1e3 * s.span;
         depth *= kCurveGrowth) {
        const double next = sheet_force(s, depth, kPointShare * s.span);
        bent += 0.5 * (force + next) * (depth - before);
        force = next;
        before = depth;
        taken = bent + print.energy(force);
        if (out.points.empty() || force > out.points.back().force) {
            out.points.push_back({force, taken});
        }
    }
    return out;
}

BasinShape basin_shape(const SheetStrength& s, double depth, double tip_radius) {
    // The further a sheet closes around what presses, the more of it comes along; a thick one is
    // bent further out, and what is supported is drawn in where it is much deeper than thick.
    const double closed = std::sqrt(std::max(0.0, depth * tip_radius)) / s.span;
    const double thick = s.thickness / s.span;
    double power = 0.0;
    if (s.edge == SheetEdge::Clamped) {
        const double deep = std::log(std::max(depth / s.thickness, kLeastDeep));
        power = 0.461 + 2.782 * closed - 0.0823 * deep - 1.814 * thick;
    } else {
        const double drawn = std::log(std::max(1.0, depth / (3.6 * s.thickness)));
        power = 0.593 + 1.625 * closed + 0.0715 * std::log(thick) + 3.61 * closed * closed * drawn;
    }
    return {s.span, std::clamp(power, kLeastPower, kMostPower), s.edge};
}

double BasinShape::share(double distance) const {
    if (!(distance < span)) return 0.0;
    const double rest = 1.0 - std::pow(distance / span, power);
    return edge == SheetEdge::Clamped ? rest * rest : rest;
}

double BasinShape::radius(double share) const {
    const double rest = edge == SheetEdge::Clamped ? std::sqrt(share) : share;
    return span * std::pow(1.0 - rest, 1.0 / power);
}

}  // namespace ductile
