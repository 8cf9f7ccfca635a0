// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/tissue_energy.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A particle that a part throws further than this, as a share of its size, has met something in
// the midst of it. Where all are thrown less far, parts follow what happens, and what kinetic
// energy they give is that of springs and of rounding.
constexpr double kThrown = 0.5;

template <class Visitor>
void visit_outer(std::span<const TouchingCoat> coats, Visitor&& visit) {
    std::size_t at = 0;
    for (const TouchingCoat& coat : coats) {
        for (const std::int32_t i : coat.body->outer()) {
            visit(coat, static_cast<std::size_t>(i), at++);
        }
    }
}

}  // namespace

void TissueEnergy::begin(std::span<const TouchingCoat> coats, std::span<const PushedBody> bodies) {
    particles_.clear();
    pushes_.clear();
    visit_outer(coats, [&](const TouchingCoat& coat, std::size_t i, std::size_t) {
        const OrientedParticle& p = coat.body->particles()[i];
        particles_.push_back({p.velocity, p.spin});
    });
    for (const PushedBody& body : bodies) pushes_.push_back({body.impulse, body.angular_impulse});
}

double TissueEnergy::end(std::span<const TouchingCoat> coats, std::span<PushedBody> bodies,
                         double dt) {
    // With the share k of all changes the energy is k^2 square + k linear more than before.
    double square = 0.0, linear = 0.0, thrown = 0.0;
    visit_outer(coats, [&](const TouchingCoat& coat, std::size_t i, std::size_t at) {
        const TissueBody& body = *coat.body;
        const OrientedParticle& p = body.particles()[i];
        const double mass = body.rig().masses[i];
        const double inertia = mass * spin_inertia(body.rig().shapes[i]);
        const Motion& before = particles_[at];
        const Vec3 faster = p.velocity - before.velocity, turned = p.spin - before.spin;
        square += 0.5 * (mass * faster.squaredNorm() + inertia * turned.squaredNorm());
        linear += mass * before.velocity.dot(faster) + inertia * before.spin.dot(turned);
        thrown = std::max(thrown, dt * faster.norm() / coat.widest);
    });
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const PushedBody& body = bodies[b];
        const Vec3 push = body.impulse - pushes_[b].velocity;
        const Vec3 turn = body.angular_impulse - pushes_[b].spin;
        if (!body.is_movable()) {  // it does the work that its own motion takes
            linear += push.dot(body.velocity) + turn.dot(body.spin);
            continue;
        }
        const double inverse = body.start.inverse_mass;
        const Mat3& inverse_inertia = body.start.inverse_inertia_w;
        const Vec3 velocity = body.velocity + inverse * pushes_[b].velocity;
        const Vec3 spin = body.spin + inverse_inertia * pushes_[b].spin;
        const double share = body.true_share;
        square += 0.5 * share * (inverse * push.squaredNorm() + turn.dot(inverse_inertia * turn));
        linear += share * (velocity.dot(push) + spin.dot(turn));
    }
    const double gain = square + linear;
    if (!(thrown > kThrown && gain > reserve_)) {
        reserve_ = std::max(0.0, reserve_ - gain);
        return 0.0;
    }
    const double kept = std::clamp(
        (std::sqrt(linear * linear + 4.0 * square * reserve_) - linear) / (2.0 * square), 0.0, 1.0);
    const double given = kept * (kept * square + linear);
    reserve_ = std::max(0.0, reserve_ - given);
    visit_outer(coats, [&](const TouchingCoat& coat, std::size_t i, std::size_t at) {
        OrientedParticle& p = coat.body->particles()[i];
        const Motion& before = particles_[at];
        const Vec3 start = p.position - dt * p.velocity;
        p.velocity = before.velocity + kept * (p.velocity - before.velocity);
        p.spin = before.spin + kept * (p.spin - before.spin);
        p.position = start + dt * p.velocity;
    });
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        PushedBody& body = bodies[b];
        body.impulse = pushes_[b].velocity + kept * (body.impulse - pushes_[b].velocity);
        body.angular_impulse = pushes_[b].spin + kept * (body.angular_impulse - pushes_[b].spin);
    }
    return gain - given;
}

}  // namespace ductile
