// SPDX-License-Identifier: MIT
// From blows to records, and what becomes of the bodies that struck.
#include <ductile/core/parallel.h>
#include <ductile/sim/simulation_body.h>

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

void Simulation::queue_responses(std::span<const Impact> impacts) {
    struct Question {
        BodyImpact impact;
        const Body* body;
        const SurfaceQuery* surface;
        std::vector<Response> answers;
        std::size_t of = 0;  ///< Which impact.
        int side = 0;
        std::unique_ptr<SurfaceQuery> earlier;  ///< The other's surface before a blow that grew.
    };
    std::vector<Question> questions;
    for (std::size_t i = 0; i < impacts.size(); ++i) {
        for (int side = 0; side < 2; ++side) {
            const Body* target = find(impacts[i].sides[side].id);
            if (!target || !target->state) continue;
            Question& q = questions.emplace_back();
            q.impact = seen_from(impacts[i], side);
            q.body = target;
            q.of = i;
            q.side = side;
            // Surfaces are brought up to date here, in order; below they are only read.
            q.surface = &target->surface();
            if (const Body* other = find(q.impact.other)) {
                q.impact.other_surface = other->known_surface();
                q.impact.other_edge = other->edge;
                if (other->state && q.impact.previous_damage_impulse > 0) {
                    q.earlier = other->surface_before(q.impact.episode, time_);
                }
                if (q.earlier) q.impact.other_surface = q.earlier.get();
            }
        }
    }
    parallel_for(questions.size(), 4, [&](std::size_t i) {
        Question& q = questions[i];
        q.answers.resize(q.body->shape->layers.size());
        for (std::size_t k = 0; k < q.answers.size(); ++k) {
            q.body->shape->layers[k]->respond(q.impact, *q.body->shape, *q.surface, q.answers[k]);
        }
    });
    struct Aftermath {
        double rebound = 1.0;
        std::array<Vec3, 2> moves_w = {Vec3::Zero(), Vec3::Zero()};
    };
    std::vector<Aftermath> after(impacts.size());
    for (Question& q : questions) {
        for (Response& answer : q.answers) {
            for (HitRecord& record : answer.records) {
                queue_.push_back({q.body->id, q.impact.time, answer.duration, std::move(record),
                                  q.impact.episode});
            }
            after[q.of].rebound = std::min(after[q.of].rebound, answer.rebound);
            after[q.of].moves_w[1 - q.side] +=
                impacts[q.of].sides[q.side].pose_w.direction(answer.move_other_b);
        }
    }
    for (std::size_t i = 0; i < impacts.size(); ++i) {
        settle(impacts[i], after[i].rebound, after[i].moves_w);
    }
}

void Simulation::settle(const Impact& impact, double rebound, const std::array<Vec3, 2>& moves_w) {
    const ImpactSide& a = impact.sides[0];
    const ImpactSide& b = impact.sides[1];
    const Vec3 place_w = a.pose_w.point(a.point_b);
    const Vec3 normal_w = a.pose_w.direction(a.normal_b);  // out of a
    const auto energy = [&] {
        return kinetic_energy(engine_, a.id) + kinetic_energy(engine_, b.id);
    };
    const double parting =
        (engine_.velocity_at(b.id, place_w) - engine_.velocity_at(a.id, place_w)).dot(normal_w);
    const double allowed = rebound * impact.restitution * impact.approach_speed;
    if (rebound < 1.0 && parting > allowed) {
        const double before = energy();
        const Vec3 impulse_w = impact.effective_mass * (parting - allowed) * normal_w;
        engine_.apply_impulse(a.id, impulse_w, place_w);
        engine_.apply_impulse(b.id, -impulse_w, place_w);
        const double lost = before - energy();
        ledger_.dissipated += lost;
        ledger_.now -= lost;
    }
    for (int k = 0; k < 2; ++k) {
        const BodyId id = impact.sides[k].id;
        if (moves_w[k].isZero() || !(engine_.mass(id).mass > 0)) continue;
        const BodyMotion m = engine_.motion(id);
        Transform pose_w = m.pose_w;
        pose_w.translation += moves_w[k];
        engine_.set_motion(id, pose_w, m.velocity_w, m.spin_w);
    }
}

}  // namespace ductile
