// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/tissue_energy.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Of the energy that moves: less than this is rounding ...
constexpr double kRounding = 1e-9;
// ... and so is what particles have that go so far in a part, as a share of their size.
constexpr double kStill = 1e-7;

template <class Visitor>
void visit_outer(std::span<const TouchingCoat> coats, Visitor&& visit) {
    std::size_t at = 0;
    for (const TouchingCoat& coat : coats) {
        for (const std::int32_t i : coat.body->outer()) {
            visit(*coat.body, static_cast<std::size_t>(i), at++);
        }
    }
}

}  // namespace

void TissueEnergy::begin(std::span<const TouchingCoat> coats, std::span<const PushedBody> bodies) {
    particles_.clear();
    pushes_.clear();
    visit_outer(coats, [&](const TissueBody& body, std::size_t i, std::size_t) {
        particles_.push_back({body.particles()[i].velocity, body.particles()[i].spin});
    });
    for (const PushedBody& body : bodies) pushes_.push_back({body.impulse, body.angular_impulse});
}

double TissueEnergy::end(std::span<const TouchingCoat> coats, std::span<PushedBody> bodies,
                         double dt) {
    // With the share k of all changes the energy is k^2 square + k linear more than before.
    double square = 0.0, linear = 0.0, moving = 0.0, still = 0.0;
    for (const TouchingCoat& coat : coats) {
        const double slow = kStill * coat.widest / dt;
        for (const std::int32_t i : coat.body->outer()) {
            still += 0.5 * coat.body->rig().masses[static_cast<std::size_t>(i)] * slow * slow;
        }
    }
    visit_outer(coats, [&](const TissueBody& body, std::size_t i, std::size_t at) {
        const OrientedParticle& p = body.particles()[i];
        const double mass = body.rig().masses[i];
        const double inertia = mass * spin_inertia(body.rig().shapes[i]);
        const Motion& before = particles_[at];
        const Vec3 faster = p.velocity - before.velocity, turned = p.spin - before.spin;
        square += 0.5 * (mass * faster.squaredNorm() + inertia * turned.squaredNorm());
        linear += mass * before.velocity.dot(faster) + inertia * before.spin.dot(turned);
        moving += 0.5 * mass * before.velocity.squaredNorm();
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
        moving += 0.5 * share / inverse * velocity.squaredNorm();
    }
    const double gain = square + linear;
    const double rounding = kRounding * (moving + square) + still;
    if (!(gain > reserve_ + rounding)) {
        reserve_ = std::max(0.0, reserve_ - gain);
        return 0.0;
    }
    const double kept = std::clamp(
        (std::sqrt(linear * linear + 4.0 * square * reserve_) - linear) / (2.0 * square), 0.0, 1.0);
    const double given = kept * (kept * square + linear);
    reserve_ = std::max(0.0, reserve_ - given);
    visit_outer(coats, [&](TissueBody& body, std::size_t i, std::size_t at) {
        OrientedParticle& p = body.particles()[i];
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
