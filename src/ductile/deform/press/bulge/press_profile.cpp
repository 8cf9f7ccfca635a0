// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/math.h>
#include <ductile/deform/press/bulge/press_profile.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using Cubic = std::array<double, 4>;  // c0 + c1 s + c2 s^2 + c3 s^3

// How long the leg from control point 0 to 1 is, in a canonical profile of amplitude 1: the paper's
// 0.2 where the surface leaves the zone flat; where it rises steeply, up to the level at rest. A
// short leg up a steep side bends within less than an edge of any mesh that is not very fine.
constexpr double kFlatLeg = 0.2, kSteepLeg = 1.0;
// Steps end here: far below what the tests ask, above what rounding leaves.
constexpr double kAbscissaTolerance = 2e-15;

// The basis as cubics in s = 3 t - span: knots 0 0 0 0 1/3 2/3 1 1 1 1. Each column sums to 1.
constexpr std::array<std::array<Cubic, 6>, 3> kBasis = {{
    {{{1, -3, 3, -1}, {0, 3, -4.5, 1.75}, {0, 0, 1.5, -11.0 / 12}, {0, 0, 0, 1.0 / 6}, {}, {}}},
    {{{},
      {0.25, -0.75, 0.75, -0.25},
      {7.0 / 12, 0.25, -1.25, 7.0 / 12},
      {1.0 / 6, 0.5, 0.5, -7.0 / 12},
      {0, 0, 0, 0.25},
      {}}},
    {{{},
      {},
      {1.0 / 6, -0.5, 0.5, -1.0 / 6},
      {7.0 / 12, -0.25, -1.25, 11.0 / 12},
      {0.25, 0.75, 0.75, -1.75},
      {0, 0, 0, 1}}},
}};

double value(const Cubic& c, double s) { return ((c[3] * s + c[2]) * s + c[1]) * s + c[0]; }

/// Where an ascending cubic is 0 in [0, 1], by Halley's method from where its chord is. Three steps
/// are nearly always enough; they are taken without looking.
double chord_root(const Cubic& c) {
    const double rise = c[1] + c[2] + c[3];
    return rise > 0 ? std::clamp(-c[0] / rise, 0.0, 1.0) : 0.0;
}
double stepped(const Cubic& c, double s, double f) {
    const double slope = (3 * c[3] * s + 2 * c[2]) * s + c[1];
    const double bend = 3 * c[3] * s + c[2];  // half the second derivative
    return s - f * slope / (slope * slope - f * bend);
}
double stepped_within(const Cubic& c, double s) {
    return std::clamp(stepped(c, s, value(c, s)), 0.0, 1.0);
}
/// If three were not enough, steps go on within what is known to hold the root, halving it where
/// they leave it.
double polished(const Cubic& c, double s) {
    double low = 0.0, high = 1.0;
    if (!(s >= 0)) s = 0.5;  // 0 / 0 where the slope vanishes.
    for (int i = 0; i < 100; ++i) {
        const double f = value(c, s);
        if (std::abs(f) < kAbscissaTolerance) break;
        (f < 0 ? low : high) = s;
        const double next = stepped(c, s, f);
        s = next > low && next < high ? next : 0.5 * (low + high);
        if (!(high - low > 1e-16)) break;
    }
    return s;
}
double ascending_root(const Cubic& c) {
    double s = chord_root(c);
    for (int i = 0; i < 3; ++i) s = stepped_within(c, s);
    return polished(c, s);
}

}  // namespace

std::array<double, 6> spline_basis(double t) {
    t = 3.0 * std::clamp(t, 0.0, 1.0);
    const int span = std::min(static_cast<int>(t), 2);
    std::array<double, 6> basis;
    for (int k = 0; k < 6; ++k) basis[k] = value(kBasis[span][k], t - span);
    return basis;
}

PressProfiles::PressProfiles(const PressOptions& options)
    : wrinkles_(options.wrinkles),
      waves_(options.waves),
      has_paper_leg_(options.leg == PressLeg::Paper) {
    const std::array<double, 6> x = {
        0, 0, options.bulge_at, options.fade_from, options.fade_flatness, 1};
    for (int span = 0; span < 3; ++span) {
        for (int k = 2; k < 6; ++k) {
            for (int c = 0; c < 4; ++c) abscissa_[span][c] += x[k] * kBasis[span][k][c];
        }
    }
}

PressProfile::PressProfile(double amplitude, double slope, const PressProfiles& shared)
    : shared_(&shared), amplitude_(amplitude) {
    DUCTILE_ASSERT(amplitude >= 0 && std::isfinite(slope), "an amplitude >= 0, a finite slope");
    // The angle's cosine and sine by its sides: an amplitude of 0 has its limit, not a NaN.
    const double length = std::sqrt(amplitude * amplitude + slope * slope);
    const double cosine = length > 0 ? amplitude / length : 1.0;
    const double sine = length > 0 ? slope / length : 0.0;
    const double leg = shared.has_paper_leg_
                           ? kFlatLeg
                           : kFlatLeg / (cosine + std::abs(sine) * (kFlatLeg / kSteepLeg));
    x1_ = leg * cosine;
    y1_ = amplitude * (leg * sine - 1.0);
}

PressProfile::Place PressProfile::place_at(double u) const {
    const auto& x = shared_->abscissa_;
    const int span = u < x[1][0] + x1_ * kBasis[1][1][0] ? 0 : u < x[2][0] ? 1 : 2;
    Cubic c = x[span];
    for (int k = 0; k < 4; ++k) c[k] += x1_ * kBasis[span][1][k];
    c[0] -= std::clamp(u, 0.0, 1.0);
    return {span, c};
}

double PressProfile::abscissa(double t) const {
    t = 3.0 * std::clamp(t, 0.0, 1.0);
    const int span = std::min(static_cast<int>(t), 2);
    return value(shared_->abscissa_[span], t - span) + x1_ * value(kBasis[span][1], t - span);
}

double PressProfile::parameter_at(double u) const {
    const Place place = place_at(u);
    return (place.span + ascending_root(place.to_u)) / 3.0;
}

PressProfile::Displacement PressProfile::at(double u) const {
    if (!(u < 1)) return {};
    const Place place = place_at(u);
    return displacement(u, place.span, ascending_root(place.to_u));
}

PressProfile::Displacement PressProfile::displacement(double u, int span, double s) const {
    if (!(u > 0)) return {-amplitude_, 0.0};
    const auto& basis = kBasis[span];
    Displacement d;
    d.still = y1_ * value(basis[1], s) - amplitude_ * value(basis[0], s);
    d.bulging = value(basis[2], s);
    if (shared_->wrinkles_ > 0) {
        // Nothing and flat at both ends: contact and far surface stay as they are.
        const double fade = 16.0 * u * u * (1.0 - u) * (1.0 - u);
        d.still +=
            shared_->wrinkles_ * amplitude_ * fade * std::sin(2.0 * kPi * shared_->waves_ * u);
    }
    return d;
}

void PressProfile::displacements(std::span<const Sample> samples, const PressProfiles& shared,
                                 std::span<Displacement> found) {
    DUCTILE_ASSERT(samples.size() == found.size(), "as many results as asked for");
    constexpr std::size_t kBlock = 32;
    PressProfile profiles[kBlock];
    std::array<Place, kBlock> places;
    std::array<double, kBlock> roots;
    for (std::size_t first = 0; first < samples.size(); first += kBlock) {
        const std::size_t count = std::min(kBlock, samples.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            const auto& [u, amplitude, slope] = samples[first + i];
            profiles[i] = PressProfile(amplitude, slope, shared);
            places[i] = profiles[i].place_at(u);
            roots[i] = chord_root(places[i].to_u);
        }
        for (int step = 0; step < 3; ++step) {
            for (std::size_t i = 0; i < count; ++i) {
                roots[i] = stepped_within(places[i].to_u, roots[i]);
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            const double s = polished(places[i].to_u, roots[i]);
            found[first + i] = profiles[i].displacement(samples[first + i].u, places[i].span, s);
        }
    }
}

}  // namespace ductile
