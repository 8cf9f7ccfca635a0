// SPDX-License-Identifier: MIT
// Patkar et al. 2014, section 4.3: the spring equation solved in closed form. With a = C / 2I,
// b = k / I and D = a^2 - b the motion is e^(-at) times cosines (D < 0), a line (D = 0) or
// hyperbolic ones (D > 0). Each way of writing it loses its digits somewhere, so there are three: a
// power series for short steps, roots of the equation for strong damping, and cosines between.
#include <ductile/core/assert.h>
#include <ductile/deform/bend/bend_spring.h>

#include <cmath>

namespace ductile {
namespace {

struct SpringEquation {
    double a, b, push;  // x'' + 2 a x' + b x = push
};

// a t and b t^2 below these: the terms of the series fall by more than half each.
constexpr double kShortDamping = 0.5, kShortSwing = 0.25;
constexpr int kSeriesTerms = 30;
// From here on the two roots are far enough apart to be taken one by one.
constexpr double kStrongDamping = 0.1;

SpringState by_series(const SpringEquation& e, const SpringState& now, double t) {
    // Terms x_n t^n: (n + 1)(n + 2) x_(n+2) = push - 2 a (n + 1) x_(n+1) - b x_n.
    double before = now.offset, last = now.rate * t;
    SpringState out{before + last, last};
    for (int n = 0; n < kSeriesTerms; ++n) {
        double next = -2.0 * e.a * t * (n + 1) * last - e.b * t * t * before;
        if (n == 0) next += e.push * t * t;
        next /= (n + 1.0) * (n + 2.0);
        out.offset += next;
        out.rate += (n + 2.0) * next;
        before = last;
        last = next;
    }
    out.rate = t > 0 ? out.rate / t : now.rate;
    return out;
}

// (e^(rt) - 1) / r.
double grown(double r, double t) { return r == 0.0 ? t : std::expm1(r * t) / r; }

SpringState by_roots(const SpringEquation& e, const SpringState& now, double w, double t) {
    const double fast = -(e.a + w), slow = e.b / fast;
    const double of_slow = now.rate - fast * now.offset, of_fast = now.rate - slow * now.offset;
    const double slow_now = std::exp(slow * t), fast_now = std::exp(fast * t);
    SpringState out;
    out.offset =
        of_slow * slow_now - of_fast * fast_now + e.push * (grown(slow, t) - grown(fast, t));
    out.rate =
        of_slow * slow * slow_now - of_fast * fast * fast_now + e.push * (slow_now - fast_now);
    return {out.offset / (slow - fast), out.rate / (slow - fast)};
}

SpringState by_cosines(const SpringEquation& e, const SpringState& now, double square, double t) {
    const double w = std::sqrt(std::abs(square));
    double cosine = 1.0, sine = t;  // e^(-at) cos(wt) and e^(-at) sin(wt) / w
    if (square > 0) {
        const double left = std::exp((w - e.a) * t), twice = std::expm1(-2.0 * w * t);
        cosine = left * (1.0 + 0.5 * twice);
        sine = left * (w * t > 0 ? -0.5 * twice / w : t);
    } else {
        const double left = std::exp(-e.a * t);
        cosine = left * std::cos(w * t);
        sine = left * (w > 0 ? std::sin(w * t) / w : t);
    }
    SpringState out;
    out.offset = now.offset * cosine + (now.rate + e.a * now.offset) * sine +
                 e.push / e.b * (1.0 - cosine - e.a * sine);
    out.rate = now.rate * cosine + (e.push - e.a * now.rate - e.b * now.offset) * sine;
    return out;
}

}  // namespace

SpringState spring_after(const DampedSpring& spring, const SpringState& now, double load,
                         double dt) {
    DUCTILE_ASSERT(spring.inertia > 0 && spring.damping >= 0 && spring.stiffness >= 0, "a spring");
    DUCTILE_ASSERT(dt >= 0, "time goes on");
    const SpringEquation e{0.5 * spring.damping / spring.inertia, spring.stiffness / spring.inertia,
                           load / spring.inertia};
    if (e.a * dt < kShortDamping && e.b * dt * dt < kShortSwing) return by_series(e, now, dt);
    const double square = e.a * e.a - e.b;
    if (square > 0 && std::sqrt(square) > kStrongDamping * e.a) {
        return by_roots(e, now, std::sqrt(square), dt);
    }
    return by_cosines(e, now, square, dt);
}

SpringImpulse spring_impulse(const DampedSpring& spring, const SpringState& now, double load,
                             double dt) {
    DUCTILE_ASSERT(dt > 0, "a step takes time");
    SpringImpulse out;
    out.end = spring_after(spring, now, load, dt);
    out.mean_rate = (out.end.offset - now.offset) / dt;
    out.impulse = spring.inertia * (out.mean_rate - now.rate);
    return out;
}

double relative_inertia(double first, double second) {
    DUCTILE_ASSERT(first > 0 && second > 0, "inertia is positive");
    return 1.0 / (1.0 / first + 1.0 / second);
}

}  // namespace ductile
