// SPDX-License-Identifier: MIT
// Plastic impact as in K. L. Johnson, Contact Mechanics (1985), chapters 6 and 11. Sheets: elastic
// deflections as in Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells (1959), articles
// 16, 19 and 97; limit loads as in Hodge, Limit Analysis of Rotationally Symmetric Plates (1963);
// the membrane is one of constant tension. The few factors between those were set by the tables of
// validation/; which rows, docs/truth.md tells.
#include <ductile/deform/dent/dent_law.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr int kHalvings = 60;

// The work per volume under the bare shape, over the hardness: more than 1 because the rim carries,
// too, and rising while the core under the contact goes from elastic to plastic (Johnson 6.3: with
// the logarithm of how much more the contact is strained than it can bear elastically). The height
// of the rim over the depth goes with it. Set by rows of validation/ball_on_block.csv and
// validation/ball_impact.csv; under what is long by validation/wedge_on_block.csv.
struct Transition {
    double at, per_log, most;
};
constexpr double kStrainThere = 4.0;  // a logarithm
constexpr Transition kWorkRatio = {1.195, 0.09, 1.37}, kLongWorkRatio = {1.13, 0.165, 1.49};
constexpr Transition kRimRatio = {0.235, 0.106, 0.42}, kLongRimRatio = {0.195, 0.118, 0.42};
// Steep flanks need less, per slope. Under what is long a blunt one needs more and a steep one
// less: those two make it Hill's wedge, of any angle, within 3 % (The Mathematical Theory of
// Plasticity, VIII.2; tests).
constexpr double kSteepFlank = 0.16, kSteepPoint = 0.35, kSteepLongFlank = 0.7;
// What is blunt at first and ever steeper has the higher a rim, per slope beyond this one, up to
// where rows end: cones and wedges, of one slope all the way, have not.
constexpr double kRimPerSlope = 0.83, kRimSlope = 0.263, kSteepestRim = 0.65;
// Under a sharp edge strains are large from the first touch on, whatever it is pressed into: so
// much nearer to flowing fully, of the work ratio (the blades of validation/wedge_on_block.csv).
constexpr double kSharpEdge = 0.115;
// A metal that hardens by Swift's law flows as at this much of the flank's slope as a strain; the
// rim falls by e for so much of the exponent (validation/ball_on_hardening_block.csv).
constexpr double kStrainPerSlope = 0.06, kRimFall = 6.0;
// A conforming contact of radius a springs back by this much of F / (a E*) (Hertz: 3/4), and gives
// back this share of force times way (Hertz: 2/5).
constexpr double kSpringBack = 0.55, kReturnedShare = 0.49;
// Area of the contact, rim included, over that of the bare shape.
constexpr double kContactWidening = 1.25;
constexpr double kLeastWorkRatio = 0.5;
// Of the springback of what is round, what the middle of a crater rises by more than its edge.
constexpr double kFlattening = 0.345;
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

// The hardness of what is strained as under a ball's flank of some slope.
double hardness_at(const ContactStrength& c, double slope) {
    if (!(c.hardening > 0)) return c.hardness;
    return c.hardness * std::pow(1.0 + c.strain_scale * kStrainPerSlope * slope, c.hardening);
}

double ratio_of(const Transition& t, const PressForm& form, const ContactStrength& c) {
    if (!(form.strain > 0)) return t.at;
    // E* a / (Y R) of a ball.
    const double strain = c.modulus * form.strain / (hardness_at(c, form.strain) / kTabor);
    return std::clamp(t.at + t.per_log * (std::log(strain) - kStrainThere), 0.0, t.most);
}

// Of what is as long as that.
Transition mixed(const Transition& round, const Transition& long_one, double longness) {
    const auto mix = [&](double a, double b) { return a + longness * (b - a); };
    return {mix(round.at, long_one.at), mix(round.per_log, long_one.per_log),
            mix(round.most, long_one.most)};
}

// Under which a striker is pressed in, over the area within the plane [Pa].
double pressure(const PressForm& form, const ContactStrength& c) {
    const double length = form.longness();
    Transition work = mixed(kWorkRatio, kLongWorkRatio, length);
    work.at += length * std::clamp(2.0 * form.power - 3.0, 0.0, 1.0) * kSharpEdge;
    // The walls of a face are no flanks.
    const double flank = std::min(1.0, 2.0 * (form.power - 1.0)) * form.slope;
    const double point = std::clamp(form.power - 2.0, 0.0, 1.0);
    const double round = kSteepFlank + point * (kSteepPoint - kSteepFlank);
    const double steepness = round + length * (kSteepLongFlank - round);
    return std::max(kLeastWorkRatio, ratio_of(work, form, c)) / (1.0 + steepness * flank) *
           hardness_at(c, form.strain);
}

// What is pushed aside goes up around the footprint: the more volume stands over each area of it,
// the higher. A ball has half of its depth; of faces nothing is known.
double rim_ratio(const PressCurve& press, const ContactStrength& c, double depth) {
    const PressForm form = press.form(depth);
    const double fullness = form.power < 1.5 ? 1.0 + (form.power - 1.0) / 1.5 : 2.0 / form.power;
    const double length = form.longness();
    // 1 for a ball, 0 for a face, a cone and what is long.
    const double rounded = (1.0 - length) * std::max(0.0, 1.0 - std::abs(form.power - 2.0));
    const double steeper = std::min(form.slope, kSteepestRim) - kRimSlope;
    return fullness * ratio_of(mixed(kRimRatio, kLongRimRatio, length), form, c) *
           (1.0 + kRimPerSlope * rounded * steeper) * std::exp(-kRimFall * c.hardening);
}

// What gives under a long footprint over what gives under a round one of its area: a line load
// presses its ground in by the logarithm of its length over its width.
double long_giving(double aspect) {
    constexpr double kSquare = 0.68;
    return (std::log(2.0 * aspect) + kSquare) / ((std::log(2.0) + kSquare) * std::sqrt(aspect));
}

// What was loaded, when it is let go.
struct LoadedContact {
    double force = 0.0, area = 0.0, aspect = 1.0;
};

// Of a round contact of that area.
double round_springback(const ContactStrength& c, const LoadedContact& at) {
    if (!(at.area > 0)) return 0.0;
    return kSpringBack * at.force / (std::sqrt(kContactWidening * at.area / kPi) * c.modulus);
}

double springback(const ContactStrength& c, const LoadedContact& at) {
    return long_giving(at.aspect) * round_springback(c, at);
}

// What the middle of a crater rises by more than its edge. Under what is long that goes by its
// width alone: the ground around it, which a line load presses in by a logarithm, rises as a whole
// (a strip under an even pressure has 0.88 p a / E* between middle and edge, a disc 0.73).
double bulge_back(const ContactStrength& c, const LoadedContact& at) {
    return kFlattening * round_springback(c, at) / std::sqrt(at.aspect);
}

// What a contact stores under a force.
double stored_energy(const ContactStrength& c, const LoadedContact& at) {
    return kReturnedShare * at.force * springback(c, at);
}

// A striker that has been pressed in, and what that took.
struct PressedIn {
    double work = 0.0;    ///< Plastic.
    LoadedContact under;  ///< Of what strikes as a stamp only the shape is known: no force.
};

PressedIn pressed_in(const PressCurve& press, const ContactStrength& c, double depth) {
    const PressForm form = press.form(depth);
    const double stress = pressure(form, c), area = press.area(depth);
    return {stress * press.volume(depth),
            {press.is_stamp() ? 0.0 : stress * area, area, form.aspect}};
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

}  // namespace

DentDepth solid_dent(const PressCurve& press, const ContactStrength& c, double energy) {
    DentDepth out;
    if (!(energy > 0)) return out;
    const auto spent = [&](double depth) {
        const PressedIn now = pressed_in(press, c, depth);
        return now.work + stored_energy(c, now.under);
    };
    if (press.hollow() > 0 && !(spent(0.0) < energy)) return out;
    double low = 0.0, high = std::min(press.distance(), 1e6);
    for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (low + high);
        (spent(middle) < energy ? low : high) = middle;
    }
    if (!has_yielded(press, c, low, energy)) return out;
    const PressedIn last = pressed_in(press, c, low);
    out.work = std::min(energy, last.work);
    const double back = std::min(stored_energy(c, last.under), energy - out.work);
    out.restitution = std::sqrt(std::max(0.0, back) / energy);
    out.print = low;
    const double whole = press.hollow() + low;
    if (whole > 0) out.flattening = 1.0 + bulge_back(c, last.under) / whole;
    out.rim = rim_ratio(press, c, low);
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
        return s.bent + pressed_in(press_, contact_, s.print).work + stored_in_print(s);
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
        return stored_energy(contact_, {s.force, s.force / (kSheetPrint * contact_.hardness)});
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
    // The further a sheet closes around what presses, the more of it comes along; a deep one is
    // drawn straight. What is clamped and thick is bent further out, and what is supported the more
    // its bending is beyond what is elastic, or it is drawn in where it is much deeper than thick.
    const double closed = std::sqrt(std::max(0.0, depth * tip_radius)) / s.span;
    const double thick = s.thickness / s.span;
    const double deep = std::log(std::max(depth / s.thickness, kLeastDeep));
    double power = 0.0;
    if (s.edge == SheetEdge::Clamped) {
        power = 0.461 + 2.782 * closed - 0.0823 * deep - 1.814 * thick;
    } else {
        const double strain = s.youngs_modulus / s.yield_stress * thick * depth / s.span;
        const double bent = std::log(std::max(strain, kLeastDeep));
        const double drawn = std::log(std::max(1.0, depth / (3.6 * s.thickness)));
        power =
            0.318 + 2.033 * closed - 0.07 * deep + 0.025 * bent + 3.295 * closed * closed * drawn;
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
