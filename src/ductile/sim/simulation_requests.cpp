// SPDX-License-Identifier: MIT
// What layers want of the engine, carried out in one place.
#include <ductile/core/assert.h>
#include <ductile/sim/simulation_object.h>

#include <array>

namespace ductile {
namespace {

double kinetic_energy(const Engine& engine, BodyId id) {
    const MassProperties mass = engine.mass(id);
    const BodyMotion m = engine.motion(id);
    if (!(mass.mass > 0) || m.is_asleep) return 0.0;
    const Vec3 spin_b = m.pose_w.inverse_direction(m.spin_w);
    return 0.5 * (mass.mass * m.velocity_w.squaredNorm() + spin_b.dot(mass.inertia_b * spin_b));
}

}  // namespace

// All answers to one impact count together: the lowest rebound, the sum of the moves.
void Simulation::apply_requests() {
    struct Aftermath {
        std::shared_ptr<const Impact> impact;
        double rebound = 1.0;
        std::array<Vec3, 2> moves_w = {Vec3::Zero(), Vec3::Zero()};
    };
    std::vector<Aftermath> aftermaths;
    for (const Pending& pending : written_) {
        if (!pending.impact) continue;
        const ImpactSide& own = pending.impact->sides[static_cast<std::size_t>(pending.side)];
        auto after = std::find_if(aftermaths.begin(), aftermaths.end(),
                                  [&](const Aftermath& a) { return a.impact == pending.impact; });
        if (after == aftermaths.end()) after = aftermaths.insert(after, {pending.impact});
        for (const Request& request : pending.requests) {
            if (const auto* lower = std::get_if<LowerRebound>(&request)) {
                after->rebound = std::min(after->rebound, lower->share);
            } else if (const auto* move = std::get_if<MoveOther>(&request)) {
                after->moves_w[static_cast<std::size_t>(1 - pending.side)] +=
                    own.pose_w.direction(move->move_b);
            }
        }
    }
    for (const Aftermath& after : aftermaths) {
        // A hit that waited may outlive what struck.
        const std::array<ImpactSide, 2>& sides = after.impact->sides;
        if (!engine_.has(sides[0].id) || !engine_.has(sides[1].id)) continue;
        apply_rebound(*after.impact, after.rebound);
        move_bodies(*after.impact, after.moves_w);
    }
}

void Simulation::apply_rebound(const Impact& impact, double share) {
    const ImpactSide& a = impact.sides[0];
    const ImpactSide& b = impact.sides[1];
    const Vec3 place_w = a.pose_w.point(a.point_b);
    const Vec3 normal_w = a.pose_w.direction(a.normal_b);  // out of a
    const auto energy = [&] {
        return kinetic_energy(engine_, a.id) + kinetic_energy(engine_, b.id);
    };
    const double parting =
        (engine_.velocity_at(b.id, place_w) - engine_.velocity_at(a.id, place_w)).dot(normal_w);
    const double allowed = share * impact.restitution * impact.approach_speed;
    if (!(share < 1.0) || !(parting > allowed)) return;
    const double before = energy();
    const Vec3 impulse_w = impact.effective_mass * (parting - allowed) * normal_w;
    engine_.apply_impulse(a.id, impulse_w, place_w);
    engine_.apply_impulse(b.id, -impulse_w, place_w);
    const double lost = before - energy();
    ledger_.dissipated += lost;
    ledger_.now -= lost;
}

void Simulation::move_bodies(const Impact& impact, std::span<const Vec3> moves_w) {
    for (std::size_t k = 0; k < 2; ++k) {
        const BodyId id = impact.sides[k].id;
        if (moves_w[k].isZero() || !(engine_.mass(id).mass > 0)) continue;
        const BodyMotion m = engine_.motion(id);
        Transform pose_w = m.pose_w;
        pose_w.translation += moves_w[k];
        engine_.set_motion(id, pose_w, m.velocity_w, m.spin_w);
    }
}

// What exchanges bodies comes last: until here everything speaks of those that were struck.
void Simulation::apply_late_requests() {
    for (const Pending& pending : written_) {
        for (const Request& request : pending.requests) {
            if (const auto* parts = std::get_if<SplitBody>(&request)) {
                split(object(pending.object), *parts);
            } else if (std::holds_alternative<MergeBody>(request)) {
                merge(object(pending.object));
            }
        }
    }
}

}  // namespace ductile
