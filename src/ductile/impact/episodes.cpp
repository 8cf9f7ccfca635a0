// SPDX-License-Identifier: MIT
#include <ductile/impact/episodes.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace ductile {
namespace {

// Contacts whose normals differ by more than 45 degrees are different blows.
constexpr double kSamePatchCosine = 0.7;
// A blow that grew by less than this since it was last told of is not told of again.
constexpr double kTellingGrowth = 1.02;
// Places told of per blow at most: enough for the rim of a barrel.
constexpr std::size_t kMaxStarts = 12;
// A solver's impulse may exceed the ideal one by this factor before it counts as a push by
// something else (measured: up to 1.13 for a free ball at 60 steps per second).
constexpr double kSolverExcess = 1.5;
// For "weight" where the world's gravity is not known here, or is zero [m/s^2].
constexpr double kReferenceGravity = 9.81;

/// A contact at the moment of touch, which may lie up to a sub-step before or after the moment at
/// which the engine looked.
struct Touch {
    Vec3 place_w;    ///< Between the bodies, where the engine saw it.
    Vec3 place_a_w;  ///< On a when they touch, a standing where the engine saw it.
    Vec3 place_b_w;  ///< On b when they touch, b standing where the engine saw it.
    Vec3 normal_w;   ///< Out of a.
    double delay;    ///< From when the engine looked until they touch; negative for the past [s].
    double speed;    ///< Approach speed at touch [m/s].
    double impulse;  ///< As applied [N s].
    double restitution;
};

Vec3 relative_velocity(const ContactBatch& batch, const BodyMoment& a, const BodyMoment& b,
                       const Vec3& place_w, double delay) {
    // Forces act over the whole sub-step; at touch they had `delay` of it.
    const Vec3 before =
        (a.velocity_at(place_w) - a.force_gain_w) - (b.velocity_at(place_w) - b.force_gain_w);
    return before + (a.force_gain_w - b.force_gain_w) * (delay / batch.dt);
}

Touch touch_of(const ContactBatch& batch, const Contact& c) {
    const BodyMoment& a = batch.bodies[c.a];
    const BodyMoment& b = batch.bodies[c.b];
    Touch t;
    t.place_w = 0.5 * (c.point_a_w + c.point_b_w);
    t.normal_w = c.normal_w;
    const double closing = (a.velocity_at(t.place_w) - b.velocity_at(t.place_w)).dot(c.normal_w);
    t.delay = closing > 0 ? std::clamp(c.gap / closing, -batch.dt, batch.dt) : 0.0;
    const Vec3 v = relative_velocity(batch, a, b, t.place_w, t.delay);
    t.speed = v.dot(c.normal_w);
    t.place_a_w = c.point_b_w - v * t.delay;
    t.place_b_w = c.point_a_w + v * t.delay;
    t.impulse = c.normal_impulse;
    t.restitution = c.restitution;
    return t;
}

bool before(const Touch& x, const Touch& y) {
    const auto key = [](const Touch& t) {
        return std::tuple(t.place_w.x(), t.place_w.y(), t.place_w.z(), t.speed, t.impulse);
    };
    return key(x) < key(y);
}

/// Some of the places, spread as far apart as possible: the fastest first, then always the one
/// furthest from those taken, none nearer than `spacing`.
std::vector<std::size_t> spread_out(std::span<const Touch> touches, double spacing) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < touches.size(); ++i) {
        if (touches[i].speed > touches[first].speed) first = i;
    }
    std::vector<std::size_t> chosen = {first};
    std::vector<double> distance(touches.size(), 1e300);
    while (chosen.size() < kMaxStarts) {
        std::size_t furthest = 0;
        for (std::size_t i = 0; i < touches.size(); ++i) {
            distance[i] =
                std::min(distance[i], (touches[i].place_w - touches[chosen.back()].place_w).norm());
            if (distance[i] > distance[furthest]) furthest = i;
        }
        if (!(distance[furthest] > spacing)) break;
        chosen.push_back(furthest);
    }
    return chosen;
}

double lighter_weight(const BodyMoment& a, const BodyMoment& b) {
    const double inverse = std::max(a.inverse_mass, b.inverse_mass);
    return inverse > 0 ? kReferenceGravity / inverse : 0.0;
}

}  // namespace

/// Contacts of one pair that belong together in one sub-step.
struct EpisodeTracker::Patch {
    const BodyMoment* a = nullptr;
    const BodyMoment* b = nullptr;
    std::vector<Touch> touches;  ///< In `before` order.
    double reach = 0.0;          ///< Within which contacts are one patch [m].
    double size_a = 0.0, size_b = 0.0;
};

BodyImpact seen_from(const Impact& impact, int side) {
    const ImpactSide& own = impact.sides[side];
    const ImpactSide& other = impact.sides[1 - side];
    BodyImpact seen;
    seen.episode = impact.episode;
    seen.time = impact.time;
    seen.body = own.id;
    seen.other = other.id;
    seen.point_b = own.point_b;
    seen.normal_b = own.normal_b;
    seen.velocity_b =
        own.pose_w.inverse_direction(side == 0 ? Vec3(-impact.velocity_w) : impact.velocity_w);
    seen.starts_b = own.starts_b;
    seen.approach_speed = impact.approach_speed;
    seen.effective_mass = impact.effective_mass;
    seen.restitution = impact.restitution;
    seen.damage_impulse = impact.damage_impulse;
    seen.previous_damage_impulse = impact.previous_damage_impulse;
    seen.other_size = other.size;
    return seen;
}

std::vector<Impact> EpisodeTracker::update(std::span<const ContactBatch> batches,
                                           const ImpactSurfaces& surfaces) {
    std::vector<Impact> out;
    for (const ContactBatch& batch : batches) {
        std::erase_if(episodes_, [&](const Episode& e) {
            return batch.time - batch.dt - e.last_time > 2.0 * options_.memory;
        });
        const double kept = std::exp(-batch.dt / options_.memory);
        for (Episode& e : episodes_) {
            e.load *= kept;
            e.explained *= kept;
        }
        // Contacts come grouped by pair: the port sorts them by ids.
        for (std::size_t begin = 0, end = 0; begin < batch.contacts.size(); begin = end) {
            const Contact& first = batch.contacts[begin];
            while (end < batch.contacts.size() && batch.contacts[end].a == first.a &&
                   batch.contacts[end].b == first.b) {
                ++end;
            }
            take_pair(batch, std::span(batch.contacts).subspan(begin, end - begin), surfaces, out);
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Impact& x, const Impact& y) { return x.episode < y.episode; });
    return out;
}

void EpisodeTracker::take_pair(const ContactBatch& batch, std::span<const Contact> contacts,
                               const ImpactSurfaces& surfaces, std::vector<Impact>& out) {
    const BodyMoment& a = batch.bodies[contacts[0].a];
    const BodyMoment& b = batch.bodies[contacts[0].b];

    // Rest, the common case, ends here.
    bool approaches = false;
    double pushed = 0.0;
    for (const Contact& c : contacts) {
        pushed += c.normal_impulse;
        approaches = approaches || touch_of(batch, c).speed > options_.minimum_speed;
    }
    if (!approaches && pushed <= options_.press_margin * lighter_weight(a, b) * batch.dt) return;

    std::vector<Touch> touches;
    for (const Contact& c : contacts) touches.push_back(touch_of(batch, c));
    std::sort(touches.begin(), touches.end(), before);

    Patch patch{&a, &b, {}, 0, surfaces.size(a.id), surfaces.size(b.id)};
    patch.reach = options_.patch_share * std::min(patch.size_a, patch.size_b);
    // Single linkage: a contact joins every patch it is near to.
    std::vector<int> label(touches.size());
    std::iota(label.begin(), label.end(), 0);
    for (std::size_t i = 0; i < touches.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if ((touches[i].place_w - touches[j].place_w).norm() > patch.reach ||
                touches[i].normal_w.dot(touches[j].normal_w) < kSamePatchCosine) {
                continue;
            }
            const int keep = std::min(label[i], label[j]), drop = std::max(label[i], label[j]);
            std::replace(label.begin(), label.end(), drop, keep);
        }
    }
    for (std::size_t i = 0; i < touches.size(); ++i) {
        if (label[i] != static_cast<int>(i)) continue;
        patch.touches.clear();
        for (std::size_t j = i; j < touches.size(); ++j) {
            if (label[j] == label[i]) patch.touches.push_back(touches[j]);
        }
        take_patch(batch, patch, surfaces, out);
    }
}

EpisodeTracker::Episode& EpisodeTracker::episode_of(const ContactBatch& batch, const Patch& patch) {
    Episode* best = nullptr;
    double nearest = patch.reach;
    for (Episode& e : episodes_) {
        if (e.a != patch.a->id || e.b != patch.b->id) continue;
        for (const Touch& t : patch.touches) {
            const double d = (patch.a->pose_w.inverse_point(t.place_w) - e.anchor_a).norm();
            if (d <= nearest && (d < nearest || !best)) {
                nearest = d;
                best = &e;
            }
        }
    }
    if (best) return *best;
    Episode fresh;
    fresh.id = next_id_++;
    fresh.a = patch.a->id;
    fresh.b = patch.b->id;
    fresh.anchor_a = patch.a->pose_w.inverse_point(patch.touches[0].place_w);
    fresh.last_time = batch.time;
    return episodes_.emplace_back(fresh);
}

void EpisodeTracker::take_patch(const ContactBatch& batch, const Patch& patch,
                                const ImpactSurfaces& surfaces, std::vector<Impact>& out) {
    const BodyMoment& a = *patch.a;
    const BodyMoment& b = *patch.b;
    std::vector<Touch> live;
    double applied = 0.0;
    for (const Touch& t : patch.touches) {
        applied += t.impulse;
        if (t.speed > options_.minimum_speed) live.push_back(t);
    }
    const bool approaches = !live.empty();
    if (!approaches) live = patch.touches;

    // The grouped place: the mean of starts that are spread out, so that it does not lean to
    // where the engine happened to put many points.
    Impact impact;
    Vec3 place_w = Vec3::Zero(), normal_w = Vec3::Zero();
    Vec3 place_a_w = Vec3::Zero(), place_b_w = Vec3::Zero();
    double delay = 0.0;
    const std::vector<std::size_t> starts = spread_out(live, 0.25 * patch.reach);
    for (std::size_t i : starts) {
        const double share = 1.0 / static_cast<double>(starts.size());
        place_w += share * live[i].place_w;
        place_a_w += share * live[i].place_a_w;
        place_b_w += share * live[i].place_b_w;
        normal_w += live[i].normal_w;
        delay += share * live[i].delay;
        impact.restitution = std::max(impact.restitution, live[i].restitution);
        impact.sides[0].starts_b.push_back(a.pose_w.inverse_point(live[i].place_a_w));
        impact.sides[1].starts_b.push_back(b.pose_w.inverse_point(live[i].place_b_w));
    }
    normal_w.normalize();

    // An engine's normal is arbitrary within the normal cone of an edge: blend it with what the
    // surfaces under the footprint say.
    ImpactSide& side_a = impact.sides[0];
    ImpactSide& side_b = impact.sides[1];
    side_a.point_b = a.pose_w.inverse_point(place_a_w);
    side_b.point_b = b.pose_w.inverse_point(place_b_w);
    Vec3 blended_w = normal_w;
    if (const auto s = surfaces.sample(a.id, side_a.point_b, 0.5 * patch.reach)) {
        const Vec3 n = a.pose_w.direction(s->normal_b);
        if (n.dot(normal_w) > 0) blended_w += n;
        side_a.point_b = s->position_b;
    }
    if (const auto s = surfaces.sample(b.id, side_b.point_b, 0.5 * patch.reach)) {
        const Vec3 n = b.pose_w.direction(s->normal_b);
        if (n.dot(normal_w) < 0) blended_w -= n;
        side_b.point_b = s->position_b;
    }
    blended_w.normalize();

    impact.velocity_w = relative_velocity(batch, a, b, place_w, delay);
    impact.approach_speed = std::max(0.0, impact.velocity_w.dot(blended_w));
    const double response = a.response(place_w, blended_w) + b.response(place_w, blended_w);
    if (!(response > 0)) return;
    impact.effective_mass = 1.0 / response;

    Episode& episode = episode_of(batch, patch);
    const double blow =
        approaches ? (1.0 + impact.restitution) * impact.effective_mass * impact.approach_speed
                   : 0.0;
    episode.load += applied;
    episode.explained = std::max(episode.explained, blow);
    const double push = episode.load - kSolverExcess * episode.explained -
                        options_.press_margin * lighter_weight(a, b) * options_.memory;
    if (approaches || push > 0) episode.last_time = batch.time;
    impact.damage_impulse = std::max(blow, push);
    if (!(impact.damage_impulse > kTellingGrowth * episode.peak)) return;

    impact.previous_damage_impulse = episode.peak;
    episode.peak = impact.damage_impulse;
    impact.episode = episode.id;
    impact.time = batch.time;
    side_a.id = a.id;
    side_b.id = b.id;
    side_a.pose_w = a.pose_w;
    side_b.pose_w = b.pose_w;
    side_a.normal_b = a.pose_w.inverse_direction(blended_w);
    side_b.normal_b = b.pose_w.inverse_direction(-blended_w);
    side_a.size = patch.size_a;
    side_b.size = patch.size_b;
    out.push_back(std::move(impact));
}

}  // namespace ductile
