// SPDX-License-Identifier: MIT
#include <ductile/sim/exchange_energy.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A gain above this share of the energy is more than masses of parts that are only about right.
constexpr double kNotableGain = 0.01;

}  // namespace

double kinetic_energy(const Engine& engine, std::span<const BodyId> bodies) {
    double sum = 0.0;
    for (const BodyId id : bodies) {
        const MassProperties mass = engine.mass(id);
        if (!(mass.mass > 0)) continue;
        const BodyMotion m = engine.motion(id);
        const Vec3 spin_b = m.pose_w.inverse_direction(m.spin_w);
        sum += 0.5 * (mass.mass * m.velocity_w.squaredNorm() + spin_b.dot(mass.inertia_b * spin_b));
    }
    return sum;
}

double take_back_gain(Engine& engine, std::span<const BodyId> bodies, double before) {
    const double after = kinetic_energy(engine, bodies);
    if (!(after - before > engine.energy_rounding() * after)) return 0.0;
    double mass = 0.0;
    Vec3 momentum = Vec3::Zero();
    for (const BodyId id : bodies) {
        mass += engine.mass(id).mass;
        momentum += engine.mass(id).mass * engine.motion(id).velocity_w;
    }
    const Vec3 common_w = momentum / mass;
    const double drift = 0.5 * mass * common_w.squaredNorm();
    // Masses that differ by the rounding of a cut may leave the drift alone with too much.
    const double kept = std::sqrt(std::clamp((before - drift) / (after - drift), 0.0, 1.0));
    for (const BodyId id : bodies) {
        const BodyMotion m = engine.motion(id);
        engine.set_motion(id, m.pose_w, common_w + kept * (m.velocity_w - common_w),
                          kept * m.spin_w);
    }
    return after - kinetic_energy(engine, bodies);
}

bool book_exchange(Engine& engine, std::span<const BodyId> bodies, double before,
                   EnergyLedger& ledger) {
    const double taken = take_back_gain(engine, bodies, before);
    const double change = kinetic_energy(engine, bodies) - before;
    ledger.withheld += taken;
    ledger.dissipated -= change;
    ledger.now += change;
    return taken > kNotableGain * before;
}

}  // namespace ductile
