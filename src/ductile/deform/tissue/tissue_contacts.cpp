// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/ellipsoid.h>
#include <ductile/deform/tissue/tissue_contacts.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// What of an old overlap, or of an old slip of a place that sticks, a part takes back ...
constexpr double kRecovery = 0.2;
// ... and how fast at most [m/s].
constexpr double kRecoverySpeed = 0.3;
// A particle nearer than this share of its reach may come to touch during the sweeps.
constexpr double kNearShare = 0.25;
// Bodies are reckoned with as at least so many of the heaviest particles.
constexpr double kLeastParticles = 2.0;

Vec3 position_of(const TissueBody& body, std::int32_t i) { return body.origin() + body.next()[i]; }

double recovered(double error, double dt) {
    return std::min(kRecovery * error, kRecoverySpeed * dt);
}

Vec3 along_surface(const Vec3& v, const Vec3& normal) { return v - normal.dot(v) * normal; }

const TouchMemory* memory_of(const TouchingCoat& coat, std::int32_t particle, BodyId body) {
    for (const TouchMemory& touch : (*coat.touches)[particle]) {
        if (touch.body.is_valid() && touch.body == body) return &touch;
    }
    return nullptr;
}

std::int32_t place_of(BodyId id, const RigidQueries& queries, const Vec3& gravity_w, double dt,
                      double particle_mass, std::vector<PushedBody>& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].start.id == id) return static_cast<std::int32_t>(i);
    }
    bodies.push_back(predicted_body(queries, id, gravity_w, dt));
    limit_lightness(kLeastParticles * particle_mass, bodies.back());
    return static_cast<std::int32_t>(bodies.size()) - 1;
}

/// The plane that parts a body from an ellipsoid best, of those tried; at the body's predicted
/// pose.
struct Support {
    Vec3 point, normal;
    double gap = kInfinity, reach = 0.0;
};

Support support_of(const PushedBody& body, const RigidQueries& queries, const Vec3& centre_w,
                   const Mat3& shape, double farthest) {
    const Transform back = body.start.pose_w * body.next.inverse();
    const Transform there = back.inverse();
    Support best;
    const auto look_from = [&](const Vec3& from_w, double reach) {
        const RigidQueries::Nearest near =
            queries.closest_point(body.start.id, back.point(from_w), reach);
        if (!(near.distance < kInfinity)) return false;
        const Vec3 normal = there.direction(near.normal_w), point = there.point(near.point_w);
        const double size = ellipsoid_reach(shape, normal);
        const double gap = normal.dot(centre_w - point) - size;
        if (best.gap < kInfinity && !(gap > best.gap)) return false;
        best = {point, normal, gap, size};
        return true;
    };
    if (!look_from(centre_w, farthest)) return best;
    // A flat particle beside an edge: the edge that its centre sees is not the face it lies on.
    if (best.gap < 0) look_from(centre_w - ellipsoid_support(shape, best.normal), farthest);
    return best;
}

}  // namespace

void TissueContacts::find(std::span<const TouchingCoat> coats, const RigidQueries& queries,
                          const Vec3& gravity_w, double dt, std::vector<PushedBody>& bodies) {
    dt_ = dt;
    contacts_.clear();
    boxes_.assign(coats.size(), Box{});
    for (std::size_t c = 0; c < coats.size(); ++c) {
        const TissueBody& body = *coats[c].body;
        for (std::size_t i = 0; i < body.rig().size(); ++i) {
            if (body.rig().attached[i]) continue;
            boxes_[c].add(position_of(body, static_cast<std::int32_t>(i)));
        }
        const Vec3 slack = Vec3::Constant((1.0 + kNearShare) * coats[c].widest);
        boxes_[c].lower -= slack;
        boxes_[c].upper += slack;
    }
    find_bodies(coats, queries, gravity_w, bodies);
    find_pairs(coats);
}

void TissueContacts::find_bodies(std::span<const TouchingCoat> coats, const RigidQueries& queries,
                                 const Vec3& gravity_w, std::vector<PushedBody>& bodies) {
    Box all;
    for (const Box& box : boxes_) all.add(box);
    if (all.is_empty()) return;
    queries.bodies_near(all, near_);
    std::vector<std::int32_t> places(near_.size(), -1);
    double heaviest = 0.0;
    for (const TouchingCoat& coat : coats) heaviest = std::max(heaviest, coat.particle_mass);
    for (std::size_t c = 0; c < coats.size(); ++c) {
        const TissueBody& body = *coats[c].body;
        const double slack = (1.0 + kNearShare) * coats[c].widest;
        for (std::size_t k = 0; k < near_.size(); ++k) {
            // Where its velocity takes it counts, too: the box is that of now.
            if (!near_[k].box.overlaps(boxes_[c])) continue;
            if (places[k] < 0)
                places[k] = place_of(near_[k].id, queries, gravity_w, dt_, heaviest, bodies);
            const double reach_sq = slack * slack;
            for (std::size_t i = 0; i < body.rig().size(); ++i) {
                if (body.rig().attached[i]) continue;
                const Vec3 p = position_of(body, static_cast<std::int32_t>(i));
                if (near_[k].box.distance_sq(p) > reach_sq) continue;
                touch_body(coats, static_cast<std::int32_t>(c), static_cast<std::int32_t>(i),
                           places[k], queries, bodies);
            }
        }
    }
}

void TissueContacts::touch_body(std::span<const TouchingCoat> coats, std::int32_t coat,
                                std::int32_t particle, std::int32_t body,
                                const RigidQueries& queries, std::span<const PushedBody> bodies) {
    const TouchingCoat& own = coats[coat];
    TissueBody& tissue = *own.body;
    const PushedBody& pushed = bodies[body];
    const Vec3 centre = position_of(tissue, particle);
    const double farthest = (1.0 + kNearShare) * own.widest;
    const Support s = support_of(pushed, queries, centre, tissue.shape(particle), farthest);
    if (!(s.gap < kNearShare * s.reach)) return;
    Contact c;
    c.coat = coat;
    c.particle = particle;
    c.body = body;
    c.normal = s.normal;
    c.point = s.point;
    c.lever = s.point - pushed.next_centre;
    c.reach = s.reach;
    c.friction = own.friction * pushed.friction;
    c.inverse_mass = 1.0 / tissue.rig().masses[particle] + pushed.response(c.lever, s.normal);

    const Transform back = pushed.start.pose_w * pushed.next.inverse();
    const Vec3 normal = back.direction(s.normal);
    Vec3 before = tissue.origin() + tissue.before()[particle];
    const double rest_gap =
        static_cast<std::size_t>(body) == own.bone ? tissue.rig().bone_gaps[particle] : 0.0;
    const double start_gap = normal.dot(before - back.point(s.point)) - s.reach;
    const TouchMemory* memory = memory_of(own, particle, pushed.start.id);
    c.anchor_b = memory ? memory->anchor_b : pushed.start.pose_w.inverse_point(before);
    // What overlapped before, or slipped off its place, comes back slowly, and not as a velocity.
    const Vec3 off = along_surface(before - pushed.start.pose_w.point(c.anchor_b), normal);
    const double off_size = off.norm();
    Vec3 shift = Vec3::Zero();
    if (off_size > 0) shift -= (recovered(off_size, dt_) / off_size) * off;
    c.allowed = rest_gap;
    if (start_gap < rest_gap) {
        const double out = recovered(rest_gap - start_gap, dt_);
        shift += out * normal;
        c.allowed = start_gap + out;
    }
    tissue.shift(static_cast<std::size_t>(particle), shift);
    before += shift;
    c.stuck = back.inverse().point(before);
    contacts_.push_back(c);
}

// Particles of different coats, or of one that touches itself: a grid of cells as wide as the
// widest pair reaches, in order of cells and then of particles.
void TissueContacts::find_pairs(std::span<const TouchingCoat> coats) {
    double widest = 0.0;
    Box all;
    std::vector<Place> places;
    for (std::size_t c = 0; c < coats.size(); ++c) {
        Box others;
        for (std::size_t k = 0; k < coats.size(); ++k) {
            if (k == c ? coats[c].touches_itself : boxes_[k].overlaps(boxes_[c])) {
                others.add(boxes_[k]);
            }
        }
        if (others.is_empty()) continue;
        const TissueBody& body = *coats[c].body;
        for (std::size_t i = 0; i < body.rig().size(); ++i) {
            if (body.rig().attached[i]) continue;
            const Vec3 p = position_of(body, static_cast<std::int32_t>(i));
            if (others.distance_sq(p) > 0) continue;
            places.push_back({static_cast<std::int32_t>(c), static_cast<std::int32_t>(i), p});
            all.add(p);
        }
        widest = std::max(widest, coats[c].widest);
    }
    if (places.size() < 2) return;
    // Never so many cells along an edge that their number overflows.
    const double cell = std::max((2.0 + kNearShare) * widest, all.diagonal() / 1e5);
    using Key = std::array<std::int32_t, 3>;
    const auto key_of = [&](const Vec3& p) {
        Key key{};
        for (int i = 0; i < 3; ++i) {
            key[i] = static_cast<std::int32_t>((p[i] - all.lower[i]) / cell);
        }
        return key;
    };
    std::vector<std::pair<Key, std::int32_t>> cells;
    for (std::size_t k = 0; k < places.size(); ++k) {
        cells.emplace_back(key_of(places[k].position), static_cast<std::int32_t>(k));
    }
    std::sort(cells.begin(), cells.end());
    for (std::size_t k = 0; k < places.size(); ++k) {
        const Key key = key_of(places[k].position);
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            for (std::int32_t dy = -1; dy <= 1; ++dy) {
                const Key from{key[0] + dx, key[1] + dy, key[2] - 1};
                const Key to{key[0] + dx, key[1] + dy, key[2] + 1};
                auto at = std::lower_bound(cells.begin(), cells.end(), std::pair(from, 0));
                for (; at != cells.end() && at->first <= to; ++at) {
                    if (at->second <= static_cast<std::int32_t>(k)) continue;
                    touch_pair(coats, places[k], places[at->second]);
                }
            }
        }
    }
}

void TissueContacts::touch_pair(std::span<const TouchingCoat> coats, const Place& a,
                                const Place& b) {
    const TissueBody &first = *coats[a.coat].body, &second = *coats[b.coat].body;
    const Vec3 apart = b.position - a.position;
    const double widest = coats[a.coat].widest + coats[b.coat].widest;
    if (apart.squaredNorm() > widest * widest) return;
    double rest = 0.0;
    if (a.coat == b.coat) {
        if (!coats[a.coat].touches_itself) return;
        // What overlaps at rest is no contact.
        const Vec3 way = first.rig().places[b.particle] - first.rig().places[a.particle];
        rest = std::min(
            0.0,
            ellipsoid_gap(first.rig().shapes[a.particle], first.rig().shapes[b.particle], way).gap);
    }
    const EllipsoidGap gap =
        ellipsoid_gap(first.shape(a.particle), second.shape(b.particle), apart);
    const double reach = gap.normal.dot(apart) - gap.gap;
    if (!(gap.gap < kNearShare * reach)) return;
    Contact c;
    c.coat = b.coat;
    c.particle = b.particle;
    c.other_coat = a.coat;
    c.other_particle = a.particle;
    c.normal = gap.normal;
    c.reach = reach;
    c.friction = coats[a.coat].friction * coats[b.coat].friction;
    c.inverse_mass = 1.0 / first.rig().masses[a.particle] + 1.0 / second.rig().masses[b.particle];
    const Vec3 before =
        second.origin() + second.before()[b.particle] - first.origin() - first.before()[a.particle];
    const double start_gap = gap.normal.dot(before) - reach;
    c.allowed = start_gap < rest ? start_gap + recovered(rest - start_gap, dt_) : rest;
    c.stuck = before;
    contacts_.push_back(c);
}

Vec3 TissueContacts::moved(const Contact& c, std::span<const PushedBody> bodies) const {
    const PushedBody& body = bodies[c.body];
    if (!body.is_movable()) return Vec3::Zero();
    return dt_ * (body.velocity_gain() + body.spin_gain().cross(c.lever));
}

void TissueContacts::apply(const Contact& c, const Vec3& way, std::span<const TouchingCoat> coats,
                           std::span<PushedBody> bodies) const {
    TissueBody& own = *coats[c.coat].body;
    own.next()[c.particle] += way / own.rig().masses[c.particle];
    if (c.body >= 0) {
        bodies[c.body].push(-way / dt_, c.lever);
    } else {
        TissueBody& other = *coats[c.other_coat].body;
        other.next()[c.other_particle] -= way / other.rig().masses[c.other_particle];
    }
}

void TissueContacts::solve(std::span<const TouchingCoat> coats, std::span<PushedBody> bodies) {
    for (Contact& contact : contacts_) solve_one(contact, coats, bodies);
}

void TissueContacts::solve_one(Contact& c, std::span<const TouchingCoat> coats,
                               std::span<PushedBody> bodies) const {
    const TissueBody& own = *coats[c.coat].body;
    // From the touched point, or the other's centre, to the particle.
    const auto arm = [&](const Vec3& from) {
        const Vec3 p = position_of(own, c.particle);
        if (c.body >= 0) return Vec3(p - from - moved(c, bodies));
        return Vec3(p - position_of(*coats[c.other_coat].body, c.other_particle) - from);
    };
    const Vec3 from = c.body >= 0 ? c.point : Vec3(Vec3::Zero());
    const double gap = c.normal.dot(arm(from)) - c.reach - c.allowed;
    const double push = std::max(0.0, c.push - gap / c.inverse_mass);
    if (push != c.push) apply(c, (push - c.push) * c.normal, coats, bodies);
    c.push = push;
    if (push == 0.0 && c.drag.isZero(0.0)) return;
    const Vec3 slip = along_surface(arm(c.stuck), c.normal);
    const double size = slip.norm();
    double inverse_mass = c.inverse_mass;
    if (c.body >= 0 && size > 0) {
        inverse_mass =
            1.0 / own.rig().masses[c.particle] + bodies[c.body].response(c.lever, slip / size);
    }
    Vec3 drag = c.drag - slip / inverse_mass;
    const double limit = c.friction * push, held = drag.norm();
    if (held > limit) drag *= limit / held;
    apply(c, drag - c.drag, coats, bodies);
    c.drag = drag;
}

void TissueContacts::remember(std::span<const TouchingCoat> coats,
                              std::span<const PushedBody> bodies) const {
    for (const TouchingCoat& coat : coats) {
        for (Touches& touches : *coat.touches) touches = {};
    }
    for (const Contact& c : contacts_) {
        if (c.body < 0 || !(c.push > 0)) continue;
        const TissueBody& own = *coats[c.coat].body;
        const PushedBody& body = bodies[c.body];
        Touches& touches = (*coats[c.coat].touches)[c.particle];
        TouchMemory* free = nullptr;
        for (TouchMemory& touch : touches) {
            if (!free && !touch.body.is_valid()) free = &touch;
        }
        if (!free) continue;
        free->body = body.start.id;
        const bool slips = c.drag.norm() >= c.friction * c.push * (1.0 - 1e-9);
        const Vec3 now_b = pushed_pose(body, dt_).inverse_point(position_of(own, c.particle));
        free->anchor_b = slips ? now_b : c.anchor_b;
    }
}

}  // namespace ductile
