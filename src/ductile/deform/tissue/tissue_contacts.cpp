// SPDX-License-Identifier: MIT
#include <ductile/deform/tissue/tissue_contacts.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// What of an old error a part takes back ...
constexpr double kRecovery = 0.2;
// ... and how fast at most [m/s].
constexpr double kRecoverySpeed = 0.3;
// Bodies are reckoned with as at least so many of the heaviest particles.
constexpr double kLeastParticles = 2.0;

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

}  // namespace

void TissueContacts::find(std::span<const TouchingCoat> coats, const RigidQueries& queries,
                          const Vec3& gravity_w, double dt, std::vector<PushedBody>& bodies) {
    dt_ = dt;
    contacts_.clear();
    place_coats(coats);
    find_bodies(coats, queries, gravity_w, bodies);
    find_pairs(coats);
}

double TissueContacts::recovered(double error) const {
    return std::min(kRecovery * error, kRecoverySpeed * dt_);
}

void TissueContacts::place_coats(std::span<const TouchingCoat> coats) {
    boxes_.assign(coats.size(), Box{});
    places_.clear();
    firsts_.assign(1, 0);
    for (std::size_t c = 0; c < coats.size(); ++c) {
        const TissueBody& body = *coats[c].body;
        for (const std::int32_t i : body.outer()) {
            const Vec3 at = body.origin() + body.next()[i];
            places_.push_back({i, coats[c].reaches[i], at});
            boxes_[c].add(at);
        }
        firsts_.push_back(places_.size());
    }
}

void TissueContacts::find_bodies(std::span<const TouchingCoat> coats, const RigidQueries& queries,
                                 const Vec3& gravity_w, std::vector<PushedBody>& bodies) {
    double heaviest = 0.0;
    Box all;
    for (std::size_t c = 0; c < coats.size(); ++c) {
        heaviest = std::max(heaviest, coats[c].particle_mass);
        all.add(widened(boxes_[c], (1.0 + kNearShare) * coats[c].widest));
    }
    if (all.is_empty()) return;
    queries.bodies_near(all, near_);
    std::vector<std::int32_t> among(near_.size(), -1);
    for (std::size_t c = 0; c < coats.size(); ++c) {
        const TissueRig& rig = coats[c].body->rig();
        const Box box = widened(boxes_[c], (1.0 + kNearShare) * coats[c].widest);
        for (std::size_t k = 0; k < near_.size(); ++k) {
            // Where its velocity takes it counts, too: the box is that of now.
            if (!near_[k].box.overlaps(box)) continue;
            if (among[k] < 0) {
                among[k] = place_of(near_[k].id, queries, gravity_w, dt_, heaviest, bodies);
                frames_.resize(bodies.size());
                frames_[among[k]] = BodyFrames(bodies[among[k]]);
            }
            const BodyFrames& frames = frames_[among[k]];
            const bool is_own = static_cast<std::size_t>(among[k]) == coats[c].bone;
            for (Place& place : places_of(c)) {
                const double reach = (1.0 + kNearShare) * place.reach;
                if (near_[k].box.distance_sq(place.position) > reach * reach) continue;
                if (is_own &&
                    is_off_bone(rig, static_cast<std::size_t>(place.particle), frames.next_turn,
                                place.position - frames.next_at, reach)) {
                    continue;
                }
                touch_body(coats, static_cast<std::int32_t>(c), place, among[k], queries, bodies);
            }
        }
    }
}

TissueContacts::Support TissueContacts::support_of(const TissueBody& coat, const Place& place,
                                                   BodyId body, const BodyFrames& frames,
                                                   const RigidQueries& queries) {
    const auto i = static_cast<std::size_t>(place.particle);
    const double farthest = (1.0 + kNearShare) * place.reach;
    const Vec3 centre_b = frames.next_turn.transpose() * (place.position - frames.next_at);
    Support best;
    Vec3 reached = Vec3::Zero();
    const auto look_from = [&](const Vec3& from_b) {
        const RigidQueries::NearestInBody near = queries.closest_point_b(body, from_b, farthest);
        if (!(near.distance < kInfinity)) return;
        const Vec3 normal = frames.next_turn * near.normal_b;
        const Vec3 support = coat.support(i, normal);
        const double size = normal.dot(support);
        const double gap = near.normal_b.dot(centre_b - near.point_b) - size;
        if (best.gap < kInfinity && !(gap > best.gap)) return;
        best = {near.point_b, near.normal_b, normal, gap, size};
        reached = support;
    };
    look_from(centre_b);
    // A flat particle beside an edge: the edge that its centre sees is not the face it lies on.
    if (best.gap < 0) look_from(centre_b - frames.next_turn.transpose() * reached);
    return best;
}

void TissueContacts::touch_body(std::span<const TouchingCoat> coats, std::int32_t coat,
                                Place& place, std::int32_t body, const RigidQueries& queries,
                                std::span<const PushedBody> bodies) {
    const TouchingCoat& own = coats[coat];
    TissueBody& tissue = *own.body;
    const std::int32_t particle = place.particle;
    const PushedBody& pushed = bodies[body];
    const BodyFrames& frames = frames_[body];
    const Support s = support_of(tissue, place, pushed.start.id, frames, queries);
    if (!(s.gap < kNearShare * s.reach)) return;
    Contact c;
    c.coat = coat;
    c.particle = particle;
    c.body = body;
    const Vec3 point = frames.next_turn * s.point_b + frames.next_at;
    c.lever = point - pushed.next_centre;
    c.friction = own.friction * pushed.friction;

    Vec3 before_b =
        frames.turn.transpose() * (tissue.origin() + tissue.before()[particle] - frames.at);
    const double rest_gap =
        static_cast<std::size_t>(body) == own.bone ? tissue.rig().bone_gaps[particle] : 0.0;
    const double start_gap = s.normal_b.dot(before_b - s.point_b) - s.reach;
    const TouchMemory* memory = memory_of(own, particle, pushed.start.id);
    c.anchor_b = memory ? memory->anchor_b : before_b;
    // What overlapped before, or slipped off its place, comes back slowly, and not as a velocity.
    const Vec3 off_b = along_surface(before_b - c.anchor_b, s.normal_b);
    const double off_size = off_b.norm();
    Vec3 shift_b = Vec3::Zero();
    if (off_size > 0) shift_b -= (recovered(off_size) / off_size) * off_b;
    double allowed = rest_gap;
    if (start_gap < rest_gap) {
        const double out = recovered(rest_gap - start_gap);
        shift_b += out * s.normal_b;
        allowed = start_gap + out;
    }
    const Vec3 shift = frames.turn * shift_b;
    tissue.shift(static_cast<std::size_t>(particle), shift);
    place.position += shift;
    before_b += shift_b;
    add_contact(c, s.normal, s.normal.dot(tissue.origin() - point) - s.reach - allowed,
                tissue.origin() - frames.next_turn * before_b - frames.next_at, coats, bodies);
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
    const auto set_row = [&](Row& row, const Vec3& axis, double start) {
        row.axis = axis;
        row.start = start;
        double response = c.inverse_mass + c.other_inverse_mass;
        if (c.body >= 0) {
            row.arm = c.lever.cross(axis);
            row.body_turn = bodies[c.body].start.inverse_inertia_w * row.arm;
            response += bodies[c.body].start.inverse_mass + row.arm.dot(row.body_turn);
        }
        row.mass = 1.0 / response;
    };
    const Vec3 side = any_perpendicular(normal), up = normal.cross(side);
    set_row(c.normal, normal, gap);
    set_row(c.across[0], side, side.dot(slip));
    set_row(c.across[1], up, up.dot(slip));
    for (Row& row : c.across) row.by_normal = row.arm.dot(c.normal.body_turn);
    contacts_.push_back(c);
}

void TissueContacts::solve(std::span<PushedBody> bodies, int rounds, bool is_backwards) {
    gains_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        gains_[i] = {dt_ * bodies[i].velocity_gain(), dt_ * bodies[i].spin_gain(),
                     bodies[i].start.inverse_mass};
    }
    for (int round = 0; round < rounds; ++round) {
        const std::size_t last = contacts_.size() - 1;
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            solve_one(contacts_[is_backwards ? last - k : k]);
        }
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

// Many contacts push one body, each waits for the one before: what is needed of the body is read
// once and written once.
void TissueContacts::solve_one(Contact& c) {
    Gain* gain = c.other == nullptr ? &gains_[c.body] : nullptr;
    Row &normal = c.normal, &side = c.across[0], &up = c.across[1];
    const Vec3 apart = *c.own - (gain ? gain->move : *c.other);
    const auto way_along = [&](const Row& row) {
        const double way = row.start + row.axis.dot(apart);
        return gain ? way - row.arm.dot(gain->turn) : way;
    };
    const double push = std::max(0.0, normal.push - way_along(normal) * normal.mass);
    if (push == 0.0 && normal.push == 0.0) return;
    const double more = push - normal.push;
    double drag[2] = {side.push - (way_along(side) + more * side.by_normal) * side.mass,
                      up.push - (way_along(up) + more * up.by_normal) * up.mass};
    const double limit = c.friction * push, held_sq = drag[0] * drag[0] + drag[1] * drag[1];
    if (held_sq > limit * limit) {
        const double share = limit / std::sqrt(held_sq);
        for (double& d : drag) d *= share;
    }
    const double side_more = drag[0] - side.push, up_more = drag[1] - up.push;
    normal.push = push;
    side.push = drag[0];
    up.push = drag[1];
    const Vec3 pushed = more * normal.axis + side_more * side.axis + up_more * up.axis;
    *c.own += c.inverse_mass * pushed;
    if (!gain) {
        *c.other -= c.other_inverse_mass * pushed;
        return;
    }
    gain->move -= gain->inverse_mass * pushed;
    gain->turn -= more * normal.body_turn + side_more * side.body_turn + up_more * up.body_turn;
}

void TissueContacts::remember(std::span<const TouchingCoat> coats,
                              std::span<const PushedBody> bodies) const {
    for (const TouchingCoat& coat : coats) {
        for (Touches& touches : *coat.touches) {
            if (touches[0].body.is_valid()) touches = {};
        }
    }
    for (const Contact& c : contacts_) {
        if (c.body < 0 || !(c.normal.push > 0)) continue;
        const TissueBody& own = *coats[c.coat].body;
        const PushedBody& body = bodies[c.body];
        Touches& touches = (*coats[c.coat].touches)[c.particle];
        const auto free = std::find_if(touches.begin(), touches.end(),
                                       [](const TouchMemory& t) { return !t.body.is_valid(); });
        if (free == touches.end()) continue;
        free->body = body.start.id;
        const double drag = std::hypot(c.across[0].push, c.across[1].push);
        const bool slips = drag >= c.friction * c.normal.push * (1.0 - 1e-9);
        free->anchor_b =
            slips ? pushed_pose(body, dt_).inverse_point(own.origin() + own.next()[c.particle])
                  : c.anchor_b;
    }
}

}  // namespace ductile
