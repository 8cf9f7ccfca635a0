// SPDX-License-Identifier: MIT
#include <ductile/impact/episodes.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ductile {
namespace {

// Contacts whose normals differ by more than 45 degrees are different impacts.
constexpr double kSameImpactCosine = 0.7;
// An impact that grew by less than this since it was last reported is not reported again.
constexpr double kReportedGrowth = 1.02;
// What comes up to this share of a patch's reach nearer than the first touch touches with it: about
// 6 mm on a barrel.
constexpr double kTouchWindow = 0.025;
// A solver's impulse may exceed the ideal one by this factor before it counts as a push by
// something else (measured: up to 1.13 for a free ball at 60 steps per second).
constexpr double kSolverExcess = 1.5;
// For "weight" where the world's gravity is not known here, or is zero [m/s^2].
constexpr double kReferenceGravity = 9.81;

double lighter_weight(const BodyMoment& a, const BodyMoment& b) {
    const double inverse = std::max(a.inverse_mass, b.inverse_mass);
    return inverse > 0 ? kReferenceGravity / inverse : 0.0;
}

}  // namespace

/// Two bodies that are in contact in a sub-step.
struct EpisodeTracker::Pair {
    const ContactBatch& batch;
    const ImpactSurfaces& surfaces;
    BodyMoment a, b;  ///< Changed by each impact, as it would by itself.
    double size_a = 0.0, size_b = 0.0;
    double reach = 0.0;  ///< Within which contacts are one impact [m].
    std::int32_t owner_a = 0, owner_b = 0;

    /// Which side's frame episodes are kept in.
    std::size_t first_side() const { return owner_a <= owner_b ? 0 : 1; }

    /// Velocity of a against b at a place, `delay` after the engine looked.
    Vec3 velocity(const Vec3& place_w, double delay) const {
        // Forces act over the whole sub-step; at touch they had `delay` of it.
        const Vec3 before =
            (a.velocity_at(place_w) - a.force_gain_w) - (b.velocity_at(place_w) - b.force_gain_w);
        return before + (a.force_gain_w - b.force_gain_w) * (delay / batch.dt);
    }
    /// What an impulse at a place, along a normal out of a, does to both.
    void take_impulse(const Vec3& place_w, const Vec3& normal_w, double impulse) {
        for (BodyMoment* body : {&a, &b}) {
            const Vec3 on_it = (body == &a ? -impulse : impulse) * normal_w;
            body->velocity_w += body->inverse_mass * on_it;
            body->spin_w += body->inverse_inertia_w * (place_w - body->centre_w).cross(on_it);
        }
    }
};

/// An impact, and where it acts in the world.
struct EpisodeTracker::PlacedImpact {
    Impact impact;
    Vec3 place_w = Vec3::Zero();
    Vec3 normal_w = Vec3::UnitY();  ///< Out of a.
};

/// A contact at the moment of touch, which may lie up to a sub-step before or after the moment at
/// which the engine looked.
struct EpisodeTracker::ContactAtTouch {
    Vec3 place_w;    ///< Between the bodies, where the engine saw it.
    Vec3 place_a_w;  ///< On a when they touch, a standing where the engine saw it.
    Vec3 place_b_w;  ///< On b when they touch, b standing where the engine saw it.
    Vec3 normal_w;   ///< Out of a.
    double gap;      ///< When the engine looked [m].
    double delay;    ///< From then until they touch; negative for the past [s].
    double speed;    ///< Approach speed at touch [m/s].
    double impulse;  ///< As applied [N s].
    double restitution;

    ContactAtTouch(const Pair& pair, const Contact& c)
        : place_w(0.5 * (c.point_a_w + c.point_b_w)),
          normal_w(c.normal_w),
          gap(c.gap),
          impulse(c.normal_impulse),
          restitution(c.restitution) {
        const double dt = pair.batch.dt;
        const double closing =
            (pair.a.velocity_at(place_w) - pair.b.velocity_at(place_w)).dot(normal_w);
        delay = closing > 0 ? std::clamp(gap / closing, -dt, dt) : 0.0;
        const Vec3 v = pair.velocity(place_w, delay);
        // A body at rest within the engine's margin has a gap that the step's own gravity would
        // close: what forces bring may at most double an approach, not make one.
        speed = std::min(v.dot(normal_w), 2.0 * pair.velocity(place_w, 0.0).dot(normal_w));
        place_a_w = c.point_b_w - v * delay;
        place_b_w = c.point_a_w + v * delay;
    }
    /// Whatever touched first comes first; then an order that depends on numbers only.
    auto key() const {
        return std::tuple(gap, place_w.x(), place_w.y(), place_w.z(), speed, impulse);
    }
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
    seen.other_starts = other.starts_b;
    seen.approach_speed = impact.approach_speed;
    seen.effective_mass = impact.effective_mass;
    seen.restitution = impact.restitution;
    seen.damage_impulse = impact.damage_impulse;
    seen.previous_damage_impulse = impact.previous_damage_impulse;
    seen.friction_b =
        own.pose_w.inverse_direction(side == 0 ? Vec3(-impact.friction_w) : impact.friction_w);
    seen.other_size = other.size;
    seen.other_to_body = own.pose_w.inverse() * other.pose_w;
    return seen;
}

std::vector<std::size_t> spread_out(std::span<const Vec3> places, std::size_t first, double spacing,
                                    std::size_t count) {
    std::vector<std::size_t> chosen = {first};
    std::vector<double> distance(places.size(), 1e300);
    while (chosen.size() < count) {
        std::size_t furthest = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            distance[i] = std::min(distance[i], (places[i] - places[chosen.back()]).norm());
            if (distance[i] > distance[furthest]) furthest = i;
        }
        if (!(distance[furthest] > spacing)) break;
        chosen.push_back(furthest);
    }
    return chosen;
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
            Pair pair{batch, surfaces, batch.bodies[first.a], batch.bodies[first.b]};
            pair.owner_a = surfaces.owner(pair.a.id);
            pair.owner_b = surfaces.owner(pair.b.id);
            if (pair.owner_a == pair.owner_b) continue;
            take_pair(pair, std::span(batch.contacts).subspan(begin, end - begin), out);
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Impact& x, const Impact& y) { return x.episode < y.episode; });
    return out;
}

void EpisodeTracker::take_pair(Pair& pair, std::span<const Contact> contacts,
                               std::vector<Impact>& out) {
    // What pushes both ways, as the walls of a slot that a body is wedged in, pushes nothing.
    Vec3 applied_w = Vec3::Zero();
    double fastest = 0.0;
    for (const Contact& c : contacts) {
        applied_w += c.normal_impulse * c.normal_w;
        fastest = std::max(fastest, ContactAtTouch(pair, c).speed);
    }
    const double applied = applied_w.norm();
    const double yield =
        std::min(pair.surfaces.yield_speed(pair.a.id), pair.surfaces.yield_speed(pair.b.id));
    if (!(yield < kInfinity)) return;
    const bool is_rest = fastest <= std::max(options_.minimum_speed, yield);
    const double bearable = options_.press_margin * lighter_weight(pair.a, pair.b) * pair.batch.dt;
    if (is_rest && applied <= bearable) return;
    // No lever arm makes the effective mass larger than this.
    const double heaviest = 1.0 / (pair.a.inverse_mass + pair.b.inverse_mass);

    pair.size_a = pair.surfaces.size(pair.a.id);
    pair.size_b = pair.surfaces.size(pair.b.id);
    pair.reach = options_.patch_share * std::min(pair.size_a, pair.size_b);

    // What touches first is an impact, together with all that the surfaces say touches with it. It
    // changes how the bodies move; what then still approaches is an impact too, until nothing does.
    // So a long step that sees a whole landing at once tells of it as many short ones would.
    std::vector<Contact> left(contacts.begin(), contacts.end());
    for (bool is_first = true; !left.empty(); is_first = false) {
        const std::optional<ContactAtTouch> first = first_touch(pair, left, is_rest);
        if (!first) break;
        const double most = (1.0 + first->restitution) * heaviest * first->speed;
        const Vec3 place = pair.first_side() == 0 ? pair.a.pose_w.inverse_point(first->place_a_w)
                                                  : pair.b.pose_w.inverse_point(first->place_b_w);
        if (Episode* known = is_rest ? nullptr : nearest_episode(pair, std::span(&place, 1));
            known && most <= kReportedGrowth * known->peak && is_first) {
            // The rest of an impact that was reported: no need to ask what touches.
            known->last_time = pair.batch.time;
            known->load += applied;
            return;
        }
        PlacedImpact placed = impact_of(pair, *first);
        Impact& impact = placed.impact;
        impact.friction_w = friction_of(pair, left, *first, impact);
        impact.moment_w = moment_of(pair, left, *first, placed);
        std::erase_if(left, [&](const Contact& c) { return belongs(pair, c, *first, impact); });
        const double impulse =
            is_rest ? 0.0
                    : (1.0 + impact.restitution) * impact.effective_mass * impact.approach_speed;
        pair.take_impulse(placed.place_w, placed.normal_w, impulse);
        emit_impact(pair, std::move(impact), impulse, is_first ? applied : 0.0, out);
    }
}

std::optional<EpisodeTracker::ContactAtTouch> EpisodeTracker::first_touch(
    const Pair& pair, std::span<const Contact> contacts, bool is_rest) const {
    std::optional<ContactAtTouch> first;
    for (const Contact& c : contacts) {
        const ContactAtTouch t(pair, c);
        if (!is_rest && !(t.speed > options_.minimum_speed)) continue;
        if (!first || t.key() < first->key()) first = t;
    }
    return first;
}

Vec3 EpisodeTracker::friction_of(const Pair& pair, std::span<const Contact> contacts,
                                 const ContactAtTouch& first, const Impact& impact) const {
    Vec3 friction_w = Vec3::Zero();
    double normal = 0.0;
    for (const Contact& c : contacts) {
        if (!belongs(pair, c, first, impact)) continue;
        friction_w += c.friction_impulse_w;
        normal += c.normal_impulse;
    }
    if (!(normal > 0)) return Vec3::Zero();
    // Only what goes along the surface: the normal part is the damage impulse's.
    const Vec3 normal_w = impact.sides[0].pose_w.direction(impact.sides[0].normal_b);
    friction_w -= friction_w.dot(normal_w) * normal_w;
    return friction_w / normal;
}

Vec3 EpisodeTracker::moment_of(const Pair& pair, std::span<const Contact> contacts,
                               const ContactAtTouch& first, const PlacedImpact& placed) const {
    Vec3 moment_w = Vec3::Zero();
    for (const Contact& c : contacts) {
        if (!belongs(pair, c, first, placed.impact)) continue;
        const Vec3 arm_w = 0.5 * (c.point_a_w + c.point_b_w) - placed.place_w;
        moment_w += arm_w.cross(Vec3(c.normal_impulse * c.normal_w));
    }
    return moment_w;
}

bool EpisodeTracker::belongs(const Pair& pair, const Contact& c, const ContactAtTouch& first,
                             const Impact& impact) const {
    const ContactAtTouch t(pair, c);
    if (t.normal_w.dot(first.normal_w) < kSameImpactCosine) return false;
    if ((t.place_w - first.place_w).norm() <= pair.reach) return true;
    const Vec3 place_a = pair.a.pose_w.inverse_point(t.place_a_w);
    const std::vector<Vec3>& starts = impact.sides[0].starts_b;
    return std::any_of(starts.begin(), starts.end(),
                       [&](const Vec3& start) { return (place_a - start).norm() <= pair.reach; });
}

EpisodeTracker::PlacedImpact EpisodeTracker::impact_of(const Pair& pair,
                                                       const ContactAtTouch& first) const {
    PlacedImpact placed;
    Impact& impact = placed.impact;
    impact.time = pair.batch.time;
    impact.delay = first.delay;
    impact.restitution = first.restitution;
    const Vec3 shift_w = pair.velocity(first.place_w, first.delay) * first.delay;
    const BodyMoment* bodies[2] = {&pair.a, &pair.b};
    // An engine's normal is arbitrary within the normal cone of an edge: blend it with what the
    // surfaces under the footprint say.
    Vec3 blended_w = first.normal_w;
    Vec3 place_w = Vec3::Zero();
    int known = 0;
    for (int k = 0; k < 2; ++k) {
        ImpactSide& side = impact.sides[k];
        const double sign = k == 0 ? 1.0 : -1.0;
        side.id = bodies[k]->id;
        side.pose_w = bodies[k]->pose_w;
        side.size = k == 0 ? pair.size_a : pair.size_b;
        const Vec3 on_it_w = k == 0 ? first.place_a_w : first.place_b_w;
        side.point_b = side.pose_w.inverse_point(on_it_w);
        side.starts_b = {side.point_b};
        const Vec3 own_shift_w = sign * shift_w;
        const auto footprint =
            pair.surfaces.footprint({side.id, bodies[1 - k]->id, side.pose_w, bodies[1 - k]->pose_w,
                                     own_shift_w, on_it_w + own_shift_w, sign * first.normal_w,
                                     kTouchWindow * pair.reach, 0.5 * pair.reach});
        if (!footprint) continue;
        side.point_b = footprint->position_b;
        side.starts_b = footprint->starts_b;
        blended_w += sign * side.pose_w.direction(footprint->normal_b);
        place_w += side.pose_w.point(side.point_b);
        ++known;
    }
    place_w = known > 0 ? Vec3(place_w / known) : first.place_w;
    if (known == 1 && impact.sides[0].starts_b.size() < impact.sides[1].starts_b.size()) {
        impact.sides[0].starts_b.clear();
        for (const Vec3& start : impact.sides[1].starts_b) {
            impact.sides[0].starts_b.push_back(
                pair.a.pose_w.inverse_point(pair.b.pose_w.point(start) - shift_w));
        }
    }
    blended_w.normalize();
    for (int k = 0; k < 2; ++k) {
        impact.sides[k].normal_b =
            impact.sides[k].pose_w.inverse_direction(k == 0 ? blended_w : Vec3(-blended_w));
    }
    impact.velocity_w = pair.velocity(place_w, first.delay);
    impact.approach_speed = std::max(0.0, impact.velocity_w.dot(blended_w));
    const double response =
        pair.a.response(place_w, blended_w) + pair.b.response(place_w, blended_w);
    impact.effective_mass = response > 0 ? 1.0 / response : 0.0;
    placed.place_w = place_w;
    placed.normal_w = blended_w;
    return placed;
}

EpisodeTracker::Episode* EpisodeTracker::nearest_episode(const Pair& pair,
                                                         std::span<const Vec3> places) {
    Episode* best = nullptr;
    double nearest = pair.reach;
    for (Episode& e : episodes_) {
        if (e.first != std::min(pair.owner_a, pair.owner_b) ||
            e.second != std::max(pair.owner_a, pair.owner_b)) {
            continue;
        }
        for (const Vec3& place : places) {
            const double d = (place - e.anchor).norm();
            if (d <= nearest && (d < nearest || !best)) {
                nearest = d;
                best = &e;
            }
        }
    }
    return best;
}

EpisodeTracker::Episode& EpisodeTracker::episode_of(const Pair& pair, const Impact& impact) {
    const std::vector<Vec3>& starts = impact.sides[pair.first_side()].starts_b;
    if (Episode* known = nearest_episode(pair, starts)) return *known;
    Episode fresh;
    fresh.id = next_id_++;
    fresh.first = std::min(pair.owner_a, pair.owner_b);
    fresh.second = std::max(pair.owner_a, pair.owner_b);
    fresh.anchor = starts[0];
    fresh.last_time = pair.batch.time;
    return episodes_.emplace_back(fresh);
}

void EpisodeTracker::emit_impact(const Pair& pair, Impact impact, double impulse, double applied,
                                 std::vector<Impact>& out) {
    Episode& episode = episode_of(pair, impact);
    episode.load += applied;
    episode.explained = std::max(episode.explained, impulse);
    const double push = episode.load - kSolverExcess * episode.explained -
                        options_.press_margin * lighter_weight(pair.a, pair.b) * options_.memory;
    if (impulse > 0 || push > 0) episode.last_time = pair.batch.time;
    impact.damage_impulse = std::max(impulse, push);
    if (!(impact.damage_impulse > kReportedGrowth * episode.peak)) return;
    impact.previous_damage_impulse = episode.peak;
    episode.peak = impact.damage_impulse;
    impact.episode = episode.id;
    out.push_back(std::move(impact));
}

}  // namespace ductile
