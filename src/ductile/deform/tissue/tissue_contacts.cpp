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

/// Whether a particle has moved too little against its bone to touch it.
bool is_off_bone(const TissueRig& rig, std::size_t i, const Mat3& bone_turn, const Vec3& from_bone,
                 double reach) {
    const double room = rig.bone_ways[i] - reach;
    if (!(room > 0)) return false;
    return (bone_turn.transpose() * from_bone - rig.places[i]).squaredNorm() < room * room;
}

/// The plane that parts a body from an ellipsoid best, of those tried; at the body's predicted
/// pose.
struct Support {
    Vec3 point, normal;
    double gap = kInfinity, reach = 0.0;
};

Support support_of(const TouchingCoat& coat, std::int32_t particle, BodyId body,
                   const RigidQueries& queries, const BodyWay& way) {
    const auto i = static_cast<std::size_t>(particle);
    const Vec3 centre = position_of(*coat.body, particle);
    const double farthest = (1.0 + kNearShare) * coat.reaches[i];
    Support best;
    Vec3 reached = Vec3::Zero();
    const auto look_from = [&](const Vec3& from_w) {
        const RigidQueries::Nearest near = queries.closest_point(body, way.now(from_w), farthest);
        if (!(near.distance < kInfinity)) return;
        const Vec3 normal = way.turn * near.normal_w, point = way.then(near.point_w);
        const Vec3 support = coat.body->support(i, normal);
        const double size = normal.dot(support);
        const double gap = normal.dot(centre - point) - size;
        if (best.gap < kInfinity && !(gap > best.gap)) return;
        best = {point, normal, gap, size};
        reached = support;
    };
    look_from(centre);
    // A flat particle beside an edge: the edge that its centre sees is not the face it lies on.
    if (best.gap < 0) look_from(centre - reached);
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
        for (std::size_t k = 0; k < near_.size(); ++k) {
            // Where its velocity takes it counts, too: the box is that of now.
            if (!near_[k].box.overlaps(boxes_[c])) continue;
            if (places[k] < 0) {
                places[k] = place_of(near_[k].id, queries, gravity_w, dt_, heaviest, bodies);
                ways_.resize(bodies.size());
                ways_[places[k]] = BodyWay(bodies[places[k]]);
            }
            const bool is_own = static_cast<std::size_t>(places[k]) == coats[c].bone;
            const Transform& next = bodies[places[k]].next;
            const Mat3 turn = next.rotation.toRotationMatrix();
            for (std::size_t i = 0; i < body.rig().size(); ++i) {
                if (body.rig().attached[i]) continue;
                const Vec3 p = position_of(body, static_cast<std::int32_t>(i));
                const double reach = (1.0 + kNearShare) * coats[c].reaches[i];
                if (near_[k].box.distance_sq(p) > reach * reach) continue;
                if (is_own && is_off_bone(body.rig(), i, turn, p - next.translation, reach)) {
                    continue;
                }
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
    const BodyWay& way = ways_[body];
    const Support s = support_of(own, particle, pushed.start.id, queries, way);
    if (!(s.gap < kNearShare * s.reach)) return;
    Contact c;
    c.coat = coat;
    c.particle = particle;
    c.body = body;
    c.lever = s.point - pushed.next_centre;
    c.friction = own.friction * pushed.friction;

    const Vec3 normal = way.turn.transpose() * s.normal;
    Vec3 before = tissue.origin() + tissue.before()[particle];
    const double rest_gap =
        static_cast<std::size_t>(body) == own.bone ? tissue.rig().bone_gaps[particle] : 0.0;
    const double start_gap = normal.dot(before - way.now(s.point)) - s.reach;
    const TouchMemory* memory = memory_of(own, particle, pushed.start.id);
    c.anchor_b = memory ? memory->anchor_b : pushed.start.pose_w.inverse_point(before);
    // What overlapped before, or slipped off its place, comes back slowly, and not as a velocity.
    const Vec3 off = along_surface(before - pushed.start.pose_w.point(c.anchor_b), normal);
    const double off_size = off.norm();
    Vec3 shift = Vec3::Zero();
    if (off_size > 0) shift -= (recovered(off_size, dt_) / off_size) * off;
    double allowed = rest_gap;
    if (start_gap < rest_gap) {
        const double out = recovered(rest_gap - start_gap, dt_);
        shift += out * normal;
        allowed = start_gap + out;
    }
    tissue.shift(static_cast<std::size_t>(particle), shift);
    before += shift;
    add_contact(c, s.normal, s.normal.dot(tissue.origin() - s.point) - s.reach - allowed,
                tissue.origin() - way.then(before), coats, bodies);
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
    if (a.coat == b.coat && !coats[a.coat].touches_itself) return;
    const Vec3 apart = b.position - a.position;
    const double widest = coats[a.coat].reaches[a.particle] + coats[b.coat].reaches[b.particle];
    const double distance_sq = apart.squaredNorm();
    if (distance_sq > widest * widest) return;
    // No direction parts them less than the best: most pairs are parted by that between them.
    if (distance_sq > 0) {
        const double distance = std::sqrt(distance_sq);
        const Vec3 n = apart / distance;
        const double size =
            n.dot(first.support(a.particle, n)) + n.dot(second.support(b.particle, n));
        if (distance > (1.0 + kNearShare) * size) return;
    }
    double rest = 0.0;
    if (a.coat == b.coat) {
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
    c.friction = coats[a.coat].friction * coats[b.coat].friction;
    const Vec3 before =
        second.origin() + second.before()[b.particle] - first.origin() - first.before()[a.particle];
    const double start_gap = gap.normal.dot(before) - reach;
    const double allowed = start_gap < rest ? start_gap + recovered(rest - start_gap, dt_) : rest;
    const Vec3 origins = second.origin() - first.origin();
    add_contact(c, gap.normal, gap.normal.dot(origins) - reach - allowed, origins - before, coats,
                {});
}

void TissueContacts::add_contact(Contact c, const Vec3& normal, double gap, const Vec3& slip,
                                 std::span<const TouchingCoat> coats,
                                 std::span<const PushedBody> bodies) {
    const auto inverse_mass = [&](std::int32_t coat, std::int32_t particle) {
        return 1.0 / coats[coat].body->rig().masses[particle];
    };
    c.own = &coats[c.coat].body->next()[c.particle];
    c.inverse_mass = inverse_mass(c.coat, c.particle);
    if (c.body < 0) {
        c.other = &coats[c.other_coat].body->next()[c.other_particle];
        c.other_inverse_mass = inverse_mass(c.other_coat, c.other_particle);
    }
    const auto row_along = [&](const Vec3& axis, double start) {
        Row row{.axis = axis, .start = start};
        double response = c.inverse_mass + c.other_inverse_mass;
        if (c.body >= 0) {
            row.arm = c.lever.cross(axis);
            row.body_turn = bodies[c.body].start.inverse_inertia_w * row.arm;
            response += bodies[c.body].start.inverse_mass + row.arm.dot(row.body_turn);
        }
        row.mass = 1.0 / response;
        return row;
    };
    const Vec3 side = any_perpendicular(normal), up = normal.cross(side);
    c.normal = row_along(normal, gap);
    c.across[0] = row_along(side, side.dot(slip));
    c.across[1] = row_along(up, up.dot(slip));
    contacts_.push_back(c);
}

void TissueContacts::solve(std::span<PushedBody> bodies, int rounds) {
    gains_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        gains_[i] = {dt_ * bodies[i].velocity_gain(), dt_ * bodies[i].spin_gain(),
                     bodies[i].start.inverse_mass};
    }
    for (int round = 0; round < rounds; ++round) {
        for (Contact& contact : contacts_) solve_one(contact);
    }
    for (Contact& c : contacts_) {
        Vec3 pushed = Vec3::Zero();
        for (Row* row : {&c.normal, &c.across[0], &c.across[1]}) {
            pushed += (row->push - row->before) * row->axis;
            row->before = row->push;
        }
        if (c.body >= 0) bodies[c.body].push(-pushed / dt_, c.lever);
    }
}

double TissueContacts::way_along(const Contact& c, const Row& row) const {
    const double own = row.start + row.axis.dot(*c.own);
    if (c.other != nullptr) return own - row.axis.dot(*c.other);
    const Gain& gain = gains_[c.body];
    return own - row.axis.dot(gain.move) - row.arm.dot(gain.turn);
}

void TissueContacts::push_along(const Contact& c, Row& row, double push) {
    const double more = push - row.push;
    row.push = push;
    *c.own += (more * c.inverse_mass) * row.axis;
    if (c.other != nullptr) {
        *c.other -= (more * c.other_inverse_mass) * row.axis;
        return;
    }
    Gain& gain = gains_[c.body];
    gain.move -= (more * gain.inverse_mass) * row.axis;
    gain.turn -= more * row.body_turn;
}

void TissueContacts::solve_one(Contact& c) {
    const double push = std::max(0.0, c.normal.push - way_along(c, c.normal) * c.normal.mass);
    if (push == 0.0 && c.normal.push == 0.0) return;
    push_along(c, c.normal, push);
    double drag[2] = {};
    for (int k = 0; k < 2; ++k) {
        drag[k] = c.across[k].push - way_along(c, c.across[k]) * c.across[k].mass;
    }
    const double limit = c.friction * push, held = std::sqrt(drag[0] * drag[0] + drag[1] * drag[1]);
    const double share = held > limit ? limit / held : 1.0;
    for (int k = 0; k < 2; ++k) push_along(c, c.across[k], share * drag[k]);
}

void TissueContacts::remember(std::span<const TouchingCoat> coats,
                              std::span<const PushedBody> bodies) const {
    for (const TouchingCoat& coat : coats) {
        for (Touches& touches : *coat.touches) touches = {};
    }
    for (const Contact& c : contacts_) {
        if (c.body < 0 || !(c.normal.push > 0)) continue;
        const TissueBody& own = *coats[c.coat].body;
        const PushedBody& body = bodies[c.body];
        Touches& touches = (*coats[c.coat].touches)[c.particle];
        TouchMemory* free = nullptr;
        for (TouchMemory& touch : touches) {
            if (!free && !touch.body.is_valid()) free = &touch;
        }
        if (!free) continue;
        free->body = body.start.id;
        const double drag = std::hypot(c.across[0].push, c.across[1].push);
        const bool slips = drag >= c.friction * c.normal.push * (1.0 - 1e-9);
        const Vec3 now_b = pushed_pose(body, dt_).inverse_point(position_of(own, c.particle));
        free->anchor_b = slips ? now_b : c.anchor_b;
    }
}

}  // namespace ductile
