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

}  // namespace

void TissueEnergy::begin(std::span<const PushedBody> bodies) {
    pushes_.clear();
    for (const PushedBody& body : bodies) pushes_.push_back({body.impulse, body.angular_impulse});
}

void TissueEnergy::begin_coat(const TouchingCoat& coat, std::size_t c) {
    std::vector<Motion>& before = coats_[c].before;
    before.clear();
    for (const std::int32_t i : coat.body->outer()) {
        const OrientedParticle& p = coat.body->particles()[i];
        before.push_back({p.velocity, p.spin});
    }
}

void TissueEnergy::end_coat(const TouchingCoat& coat, std::size_t c, double dt) {
    const TissueBody& body = *coat.body;
    const Motion* before = coats_[c].before.data();
    Gain gain;
    double fastest_sq = 0.0;
    for (const std::int32_t i : body.outer()) {
        const OrientedParticle& p = body.particles()[i];
        const double mass = body.rig().masses[i];
        const double inertia = mass * spin_inertia(body.rig().shapes[i]);
        const Vec3 faster = p.velocity - before->velocity, turned = p.spin - before->spin;
        const double faster_sq = faster.squaredNorm();
        gain.square += 0.5 * (mass * faster_sq + inertia * turned.squaredNorm());
        gain.linear += mass * before->velocity.dot(faster) + inertia * before->spin.dot(turned);
        fastest_sq = std::max(fastest_sq, faster_sq);
        ++before;
    }
    gain.thrown = dt * std::sqrt(fastest_sq) / coat.widest;
    coats_[c].gain = gain;
}

TissueEnergy::Gain TissueEnergy::total_gain(std::span<const PushedBody> bodies) const {
    Gain all;
    for (const CoatBooks& coat : coats_) {
        all.square += coat.gain.square;
        all.linear += coat.gain.linear;
        all.thrown = std::max(all.thrown, coat.gain.thrown);
    }
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const PushedBody& body = bodies[b];
        const Vec3 push = body.impulse - pushes_[b].velocity;
        const Vec3 turn = body.angular_impulse - pushes_[b].spin;
        if (!body.is_movable()) {  // it does the work that its own motion takes
            all.linear += push.dot(body.velocity) + turn.dot(body.spin);
            continue;
        }
        const double inverse = body.start.inverse_mass;
        const Mat3& inverse_inertia = body.start.inverse_inertia_w;
        const Vec3 velocity = body.velocity + inverse * pushes_[b].velocity;
        const Vec3 spin = body.spin + inverse_inertia * pushes_[b].spin;
        const double share = body.true_share;
        all.square +=
            0.5 * share * (inverse * push.squaredNorm() + turn.dot(inverse_inertia * turn));
        all.linear += share * (velocity.dot(push) + spin.dot(turn));
    }
    return all;
}

double TissueEnergy::end(std::span<const TouchingCoat> coats, std::span<PushedBody> bodies,
                         double dt) {
    const Gain all = total_gain(bodies);
    const double square = all.square, linear = all.linear, gain = square + linear;
    if (!(all.thrown > kThrown && gain > reserve_)) {
        reserve_ = std::max(0.0, reserve_ - gain);
        return 0.0;
    }
    const double kept = std::clamp(
        (std::sqrt(linear * linear + 4.0 * square * reserve_) - linear) / (2.0 * square), 0.0, 1.0);
    const double given = kept * (kept * square + linear);
    reserve_ = std::max(0.0, reserve_ - given);
    keep_share(kept, coats, bodies, dt);
    return gain - given;
}

void TissueEnergy::keep_share(double kept, std::span<const TouchingCoat> coats,
                              std::span<PushedBody> bodies, double dt) const {
    for (std::size_t c = 0; c < coats.size(); ++c) {
        const Motion* before = coats_[c].before.data();
        for (const std::int32_t i : coats[c].body->outer()) {
            OrientedParticle& p = coats[c].body->particles()[i];
            const Vec3 start = p.position - dt * p.velocity;
            p.velocity = before->velocity + kept * (p.velocity - before->velocity);
            p.spin = before->spin + kept * (p.spin - before->spin);
            p.position = start + dt * p.velocity;
            ++before;
        }
    }
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        PushedBody& body = bodies[b];
        body.impulse = pushes_[b].velocity + kept * (body.impulse - pushes_[b].velocity);
        body.angular_impulse = pushes_[b].spin + kept * (body.angular_impulse - pushes_[b].spin);
    }
}

}  // namespace ductile
