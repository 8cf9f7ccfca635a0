// SPDX-License-Identifier: MIT
#include <ductile/core/math.h>
#include <ductile/deform/bend/bend_spring.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <initializer_list>

using namespace ductile;

namespace {

// The classical method of Runge and Kutta with steps far below what the spring does.
SpringState finely_stepped(const DampedSpring& s, SpringState x, double load, double dt,
                           int steps) {
    const auto change = [&](const SpringState& at) {
        return SpringState{at.rate,
                           (load - s.damping * at.rate - s.stiffness * at.offset) / s.inertia};
    };
    const auto moved = [](const SpringState& at, const SpringState& by, double t) {
        return SpringState{at.offset + t * by.offset, at.rate + t * by.rate};
    };
    const double h = dt / steps;
    for (int i = 0; i < steps; ++i) {
        const SpringState k1 = change(x), k2 = change(moved(x, k1, h / 2));
        const SpringState k3 = change(moved(x, k2, h / 2)), k4 = change(moved(x, k3, h));
        x.offset += h / 6 * (k1.offset + 2 * k2.offset + 2 * k3.offset + k4.offset);
        x.rate += h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate);
    }
    return x;
}

}  // namespace

TEST_CASE("a spring follows its equation, whether it swings, creeps or is between the two") {
    constexpr double kInertia = 0.7, kStiffness = 300.0;
    const double critical = 2.0 * std::sqrt(kInertia * kStiffness);
    for (const double damping : {0.0, 0.1, 0.9, 0.99999, 1.0, 1.0 + 1e-9, 1.004, 1.2, 6.0}) {
        const DampedSpring spring{kInertia, damping * critical, kStiffness};
        for (const double dt : {1e-4, 1.0 / 1000, 1.0 / 60, 0.1, 0.5}) {
            for (const double load : {0.0, -25.0}) {
                const SpringState now{0.4, -3.0};
                const SpringState fine = finely_stepped(spring, now, load, dt, 6000);
                const SpringState exact = spring_after(spring, now, load, dt);
                CAPTURE(damping);
                CAPTURE(dt);
                CHECK(std::abs(exact.offset - fine.offset) < 1e-9 * 0.4);
                CHECK(std::abs(exact.rate - fine.rate) < 1e-9 * 8.0);
            }
        }
    }
}

TEST_CASE("two short steps of a spring are one long one") {
    for (const double inertia : {1e-3, 1.0, 1e4}) {
        for (const double damping : {0.0, 1e-8, 0.3, 2.0, 50.0, 1e6}) {
            for (const double stiffness : {0.0, 1e-8, 1.0, 1e3, 1e8}) {
                const DampedSpring spring{inertia, damping, stiffness};
                for (const double dt : {1e-5, 0.01, 0.3, 4.0}) {
                    const SpringState now{0.2, 1.5};
                    const SpringState half = spring_after(spring, now, 0.6, 0.37 * dt);
                    const SpringState two = spring_after(spring, half, 0.6, 0.63 * dt);
                    const SpringState one = spring_after(spring, now, 0.6, dt);
                    CAPTURE(inertia);
                    CAPTURE(damping);
                    CAPTURE(stiffness);
                    CAPTURE(dt);
                    // Of what it may swing to, and how many times it has swung, each of which
                    // costs digits of the angle.
                    const double swings = 1.0 + dt * std::sqrt(stiffness / inertia);
                    const double push = 0.6 / inertia;
                    const double top = 2.0 + push * dt + dt * 1e-3 * std::sqrt(stiffness / inertia);
                    CHECK(std::abs(one.offset - two.offset) < 1e-13 * swings * top * (1.0 + dt));
                    CHECK(std::abs(one.rate - two.rate) < 1e-12 * swings * swings * top / dt);
                }
            }
        }
    }
}

TEST_CASE("a spring without damping keeps its energy and a loose one only its motion") {
    const DampedSpring spring{2.0, 0.0, 80.0};
    const auto energy = [&](const SpringState& s) {
        return s.rate * s.rate + 40.0 * s.offset * s.offset;
    };
    SpringState state{0.3, 0.0};
    const double first = energy(state);
    for (int i = 0; i < 5000; ++i) state = spring_after(spring, state, 0.0, 0.017);
    CHECK(test::near(energy(state), first, 1e-11));
    const SpringState loose = spring_after({2.0, 0.0, 0.0}, {0.3, 4.0}, 6.0, 0.5);
    CHECK(test::near(loose.offset, 0.3 + 2.0 + 0.375, 1e-15));
    CHECK(test::near(loose.rate, 5.5, 1e-15));
    const SpringState still = spring_after(spring, {0.1, -2.0}, 1.0, 0.0);
    CHECK(still.offset == 0.1);
    CHECK(still.rate == -2.0);
}

TEST_CASE("a step that begins with the impulse of a spring ends where the spring does") {
    const DampedSpring spring{relative_inertia(3.0, 6.0), 1.5, 500.0};
    CHECK(test::near(spring.inertia, 2.0));
    CHECK(test::near(relative_inertia(3.0, kInfinity), 3.0));
    for (const double dt : {1e-3, 1.0 / 60, 0.1}) {
        const SpringState now{0.2, -1.0};
        const SpringImpulse push = spring_impulse(spring, now, 0.0, dt);
        const double rate = now.rate + push.impulse / spring.inertia;
        CHECK(test::near(rate, push.mean_rate, 1e-12));
        CHECK(test::near(now.offset + dt * rate, push.end.offset, 1e-12));
        const SpringState exact = spring_after(spring, now, 0.0, dt);
        CHECK(push.end.offset == exact.offset);
        CHECK(push.end.rate == exact.rate);
    }
}
