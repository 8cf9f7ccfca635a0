// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/tissue/contact_rounds.h>
#include <ductile/deform/tissue/contact_split.h>
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
// Coats of one task: one takes microseconds, and some take several times what others do.
constexpr std::size_t kCoatGrain = 1;

Vec3 along_surface(const Vec3& v, const Vec3& normal) { return v - normal.dot(v) * normal; }

const TouchMemory* memory_of(const TouchingCoat& coat, std::int32_t particle, BodyId body) {
    for (const TouchMemory& touch : (*coat.touches)[particle]) {
        if (touch.body.is_valid() && touch.body == body) return &touch;
    }
    return nullptr;
}

/// Whether a particle has moved too little against its bone to touch it.
bool is_off_bone(const TissueRig& rig, std::size_t i, const Mat3& bone_turn, const Vec3& from_bone,
                 double reach) {
    const double room = rig.bone_ways[i] - reach;
    if (!(room > 0)) return false;
    return (bone_turn.transpose() * from_bone - rig.places[i]).squaredNorm() < room * room;
}

}  // namespace

TissueContacts::TissueContacts()
    : rounds_(std::make_unique<ContactRounds>()), split_(std::make_unique<ContactSplit>()) {}
TissueContacts::TissueContacts(TissueContacts&&) noexcept = default;
TissueContacts::~TissueContacts() = default;

void TissueContacts::find(std::span<const TouchingCoat> coats, const RigidQueries& queries,
                          const Vec3& gravity_w, double dt, std::vector<PushedBody>& bodies) {
    dt_ = dt;
    find_near(coats, queries, gravity_w, bodies);
    parallel_for(coats.size(), kCoatGrain, [&](std::size_t c) {
        touch_bodies(coats, c, queries, bodies);
        measure_motion(c);
    });
    fill_grid(coats);
    parallel_for(coats.size(), kCoatGrain, [&](std::size_t c) { find_pairs(coats, c); });
    contacts_.clear();
    for (CoatTouches& own : found_) {
        for (TissueContact& c : own.on_bodies) contacts_.push_back(&c);
    }
    for (CoatTouches& own : found_) {
        for (TissueContact& c : own.on_particles) contacts_.push_back(&c);
    }
    plan_rounds(coats, bodies);
}

void TissueContacts::plan_rounds(std::span<const TouchingCoat> coats,
                                 std::span<const PushedBody> bodies) {
    gains_.resize(bodies.size());
    centres_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        gains_[i].inverse_mass = bodies[i].start.inverse_mass;
        centres_[i] = bodies[i].next_centre;
    }
    bones_.clear();
    for (const TouchingCoat& coat : coats) {
        bones_.push_back(static_cast<std::int32_t>(coat.bone));
    }
    split_->split(contacts_, bones_, centres_, gains_);
    rounds_->plan(contacts_, split_->sets(), particles_, gains_);
}

double TissueContacts::recovered(double error) const {
    return std::min(kRecovery * error, kRecoverySpeed * dt_);
}

void TissueContacts::begin(std::span<const TouchingCoat> coats) {
    found_.resize(coats.size());
    boxes_.resize(coats.size());
    firsts_.assign(1, 0);
    particles_.assign(1, 0);
    for (const TouchingCoat& coat : coats) {
        firsts_.push_back(firsts_.back() + coat.body->outer().size());
        particles_.push_back(particles_.back() + coat.body->rig().size());
    }
    const auto is_same = [](const TouchingCoat& coat, const TissueBody* before) {
        return coat.body == before;
    };
    if (std::equal(coats.begin(), coats.end(), coats_before_.begin(), coats_before_.end(),
                   is_same)) {
        return;
    }
    coats_before_.clear();
    for (const TouchingCoat& coat : coats) coats_before_.push_back(coat.body);
    places_.resize(firsts_.back());
    last_places_.assign(places_.size(), Vec3::Zero());
    motions_.resize(coats.size());
    for (CoatTouches& own : found_) own.lists.clear();
}

void TissueContacts::place_coat(const TouchingCoat& coat, std::size_t c) {
    const TissueBody& body = *coat.body;
    Place* place = places_.data() + firsts_[c];
    Box box;
    for (const std::int32_t i : body.outer()) {
        *place = {i, coat.reaches[i], body.origin() + body.next()[i]};
        box.add(place->position);
        ++place;
    }
    boxes_[c] = box;
}

void TissueContacts::find_near(std::span<const TouchingCoat> coats, const RigidQueries& queries,
                               const Vec3& gravity_w, std::vector<PushedBody>& bodies) {
    double heaviest = 0.0;
    Box all;
    for (std::size_t c = 0; c < coats.size(); ++c) {
        found_[c].near.clear();
        found_[c].bodies.clear();
        heaviest = std::max(heaviest, coats[c].particle_mass);
        all.add(widened(boxes_[c], kFelt * coats[c].widest));
    }
    if (all.is_empty()) return;
    queries.bodies_near(all, near_);
    among_.assign(near_.size(), -1);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto at =
            std::lower_bound(near_.begin(), near_.end(), bodies[i].start.id,
                             [](const NearBody& body, BodyId id) { return body.id < id; });
        if (at != near_.end() && at->id == bodies[i].start.id) {
            among_[at - near_.begin()] = static_cast<std::int32_t>(i);
        }
    }
    body_boxes_.clear();
    for (const NearBody& body : near_) body_boxes_.push_back(body.box);
    body_grid_.fill(body_boxes_);
    for (std::size_t c = 0; c < coats.size(); ++c) {
        // Where its velocity takes it counts, too: the box is that of now.
        const Box box = widened(boxes_[c], kFelt * coats[c].widest);
        body_grid_.overlapping(box, found_[c].near);
        for (const std::int32_t k : found_[c].near) {
            if (among_[k] < 0) {
                among_[k] = static_cast<std::int32_t>(bodies.size());
                bodies.push_back(predicted_body(queries, near_[k].id, gravity_w, dt_));
                limit_lightness(kLeastParticles * heaviest, bodies.back());
            }
            found_[c].bodies.push_back(among_[k]);
        }
    }
    frames_.resize(bodies.size());
    for (const std::int32_t body : among_) {
        if (body >= 0) frames_[body] = BodyFrames(bodies[body]);
    }
}

void TissueContacts::touch_bodies(std::span<const TouchingCoat> coats, std::size_t c,
                                  const RigidQueries& queries, std::span<const PushedBody> bodies) {
    const TissueRig& rig = coats[c].body->rig();
    found_[c].on_bodies.clear();
    for (const std::int32_t k : found_[c].near) {
        const Box& box = near_[k].box;
        const std::int32_t body = among_[k];
        const BodyFrames& frames = frames_[body];
        const bool is_own = static_cast<std::size_t>(body) == coats[c].bone;
        for (Place& place : places_of(c)) {
            const double reach = kFelt * place.reach;
            if (box.distance_sq(place.position) > reach * reach) continue;
            if (is_own && is_off_bone(rig, static_cast<std::size_t>(place.particle),
                                      frames.next_turn, place.position - frames.next_at, reach)) {
                continue;
            }
            touch_body(coats, static_cast<std::int32_t>(c), place, body, queries, bodies);
        }
    }
}

TissueContacts::Support TissueContacts::support_of(const TissueBody& coat, const Place& place,
                                                   BodyId body, const BodyFrames& frames,
                                                   const RigidQueries& queries) {
    const auto i = static_cast<std::size_t>(place.particle);
    const double farthest = kFelt * place.reach;
    const Vec3 centre_b = frames.next_turn.transpose() * (place.position - frames.next_at);
    Support best;
    const auto look_from = [&](const Vec3& from_b) {
        const RigidQueries::NearestInBody near = queries.closest_point_b(body, from_b, farthest);
        if (!(near.distance < kInfinity)) return;
        const Vec3 normal = frames.next_turn * near.normal_b;
        const double size = coat.reach(i, normal);
        const double gap = near.normal_b.dot(centre_b - near.point_b) - size;
        if (best.gap < kInfinity && !(gap > best.gap)) return;
        best = {near.point_b, near.normal_b, normal, gap, size};
    };
    look_from(centre_b);
    // A flat particle beside an edge: the edge that its centre sees is not the face it lies on.
    if (best.gap < 0) {
        look_from(centre_b - frames.next_turn.transpose() * coat.support(i, best.normal));
    }
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
    TissueContact& c = found_[coat].on_bodies.emplace_back();
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
    make_rows(s.normal, s.normal.dot(tissue.origin() - point) - s.reach - allowed,
              tissue.origin() - frames.next_turn * before_b - frames.next_at, coats, bodies, c);
}

void TissueContacts::make_rows(const Vec3& normal, double gap, const Vec3& slip,
                               std::span<const TouchingCoat> coats,
                               std::span<const PushedBody> bodies, TissueContact& c) {
    const auto inverse_mass = [&](std::int32_t coat, std::int32_t particle) {
        return 1.0 / coats[coat].body->rig().masses[particle];
    };
    c.own = &coats[c.coat].body->next()[c.particle];
    c.inverse_mass = inverse_mass(c.coat, c.particle);
    if (c.body < 0) {
        c.other = &coats[c.other_coat].body->next()[c.other_particle];
        c.other_inverse_mass = inverse_mass(c.other_coat, c.other_particle);
    }
    const auto set_row = [&](ContactRow& row, const Vec3& axis, double start) {
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
    for (ContactRow& row : c.across) row.by_normal = row.arm.dot(c.normal.body_turn);
}

void TissueContacts::solve(std::span<PushedBody> bodies, int rounds, bool is_backwards) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        gains_[i].move = dt_ * bodies[i].velocity_gain();
        gains_[i].turn = dt_ * bodies[i].spin_gain();
    }
    rounds_->run(rounds, is_backwards);
    for (CoatTouches& own : found_) {
        for (TissueContact& c : own.on_bodies) {
            Vec3 pushed = Vec3::Zero();
            for (ContactRow* row : {&c.normal, &c.across[0], &c.across[1]}) {
                pushed += (row->push - row->before) * row->axis;
                row->before = row->push;
            }
            bodies[c.body].push(-pushed / dt_, c.lever);
        }
    }
}

void TissueContacts::remember(const TouchingCoat& coat, std::size_t c,
                              std::span<const PushedBody> bodies) const {
    const TissueBody& own = *coat.body;
    for (const std::int32_t i : own.outer()) {
        Touches& touches = (*coat.touches)[i];
        if (touches[0].body.is_valid()) touches = {};
    }
    for (const TissueContact& contact : found_[c].on_bodies) {
        if (!(contact.normal.push > 0)) continue;
        const PushedBody& body = bodies[contact.body];
        Touches& touches = (*coat.touches)[contact.particle];
        const auto free = std::find_if(touches.begin(), touches.end(),
                                       [](const TouchMemory& t) { return !t.body.is_valid(); });
        if (free == touches.end()) continue;
        free->body = body.start.id;
        const double drag = std::hypot(contact.across[0].push, contact.across[1].push);
        const bool slips = drag >= contact.friction * contact.normal.push * (1.0 - 1e-9);
        free->anchor_b =
            slips
                ? pushed_pose(body, dt_).inverse_point(own.origin() + own.next()[contact.particle])
                : contact.anchor_b;
    }
}

}  // namespace ductile
