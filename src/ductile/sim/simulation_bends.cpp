// SPDX-License-Identifier: MIT
// Objects with a skeleton: who is about to be struck, what the joints did, when they are one again.
#include <ductile/geom/query/mesh_crossings.h>
#include <ductile/sim/exchange_energy.h>
#include <ductile/sim/simulation_object.h>

#include <algorithm>

namespace ductile {
namespace {

// An impact that was seen coming this long ago is not a missed one [s].
constexpr double kForeseen = 0.1;

// What a step may have added to a record: each joint's last key.
JointHit last_keys(const JointHit& record) {
    JointHit last{record.position_b, {}};
    for (const JointTurn& joint : record.joints) {
        last.joints.push_back({joint.name, {joint.keys.back()}});
    }
    return last;
}

}  // namespace

std::vector<Approach> Simulation::approaches(double dt) const {
    asked_.clear();
    double slowest = kInfinity;
    for (const auto& o : objects_) {
        if (!o->bend) continue;
        const std::vector<BodyId> own = o->is_bending() ? o->bend->open_bodies() : o->bodies;
        asked_.insert(asked_.end(), own.begin(), own.end());
        slowest = std::min(slowest, o->bend_options().speed);
    }
    if (asked_.empty()) return {};
    std::sort(asked_.begin(), asked_.end());
    std::vector<Approach> found = engine_.predicted_approaches(dt, slowest, asked_);
    std::erase_if(found, [&](const Approach& approach) {
        const Object* a = find(approach.a);
        const Object* b = find(approach.b);
        const auto feels = [&](const Object* o) {
            return o && o->bend && approach.speed > o->bend_options().speed;
        };
        return a == b || (!feels(a) && !feels(b));
    });
    return found;
}

double Simulation::longest_bend_part(double dt) {
    if (!missed_.empty()) return kBendPart;
    double longest = kInfinity;
    for (const auto& o : objects_) {
        if (!o->is_bending()) continue;
        if (o->bend->is_restless()) return kBendPart;
        longest = kHeldPart;
    }
    foreseen_ = {dt, approaches(dt)};
    return foreseen_->approaches.empty() ? longest : kBendPart;
}

void Simulation::wake_struck(double dt) {
    for (const MissedImpact& impact : std::exchange(missed_, {})) {
        if (Object* o = find(impact.object)) wake(*o, impact.place_w, impact.out_w);
    }
    // Where none falls within the whole step, none does within its parts.
    const bool is_known = foreseen_ && (foreseen_->approaches.empty() || foreseen_->dt == dt);
    for (const Approach& approach : is_known ? foreseen_->approaches : approaches(dt)) {
        for (const BodyId id : {approach.a, approach.b}) {
            Object* o = find(id);
            if (!o || !o->bend || !(approach.speed > o->bend_options().speed)) continue;
            const double out = id == approach.a ? 1.0 : -1.0;
            wake(*o, approach.point_w, out * approach.normal_w);
        }
    }
    for (const auto& o : objects_) {
        if (o->is_bending()) o->bend->push_springs(o->bent(engine_, time_), dt);
    }
}

void Simulation::wake(Object& o, const Vec3& place_w, const Vec3& out_w) {
    ComingImpact impact;
    if (o.is_bending()) {
        const BentBody body = o.bent(engine_, time_);
        impact = o.bend->unbent_impact(body, place_w, out_w);
        o.bend->last_foreseen = time_;
        if (o.bend->is_served(body, impact)) return;
        o.catch_up();
    } else {
        const Transform frame_w = engine_.motion(o.bodies[0]).pose_w;
        const SurfacePoint struck = o.surface().closest_point(frame_w.inverse_point(place_w));
        if (struck.triangle < 0) return;
        const Transform back = pull_back(*o.state, struck);
        impact = {back.point(struck.position), back.direction(frame_w.inverse_direction(out_w))};
    }
    const bool was_awake = o.is_bending();
    const double before = kinetic_energy(engine_, o.bodies);
    const Result<bool> woken = o.bend->wake(o.bent(engine_, time_), impact);
    if (!woken) {
        add_incident(o.name, "it cannot bend there: " + woken.error().text());
        return;
    }
    if (!woken.value()) return;
    if (!was_awake) ++report_.wakings;
    for (const std::string& note : o.bend->notes()) add_incident(o.name, note);
    clear_slots(o);
    o.bodies = o.bend->bodies();
    o.inertia_excess.clear();
    set_slots(o);
    book_exchange(engine_, o.bodies, before, ledger_);
}

void Simulation::note_turns(double dt) {
    for (const auto& o : objects_) {
        if (!o->is_bending()) continue;
        if (o->bend->note(o->bent(engine_, time_), dt)) write_turns(*o);
    }
}

// One record per impact, which grows while the joints are awake: what is new in it is its last
// keys.
void Simulation::write_turns(Object& o) {
    const JointHit& record = o.bend->record();
    const double start = o.bend->start(), duration = record.last_time();
    Hit newest{0, start, duration, last_keys(record), HitGrowth::Recorded};
    if (const Status fine = check_hit(newest); !fine) {
        add_incident(o.name, "a bend could not be written: " + fine.error().text());
        return;
    }
    o.is_moving = o.is_due_whole = true;
    const auto hits = o.journal.hits();
    if (o.bend->hit == 0) {
        o.bend->hit = o.journal.add(start, duration, record, HitGrowth::Recorded);
        events_.push_back({o.id, o.bend->hit, nullptr});
        ++report_.hits;
    } else if (std::any_of(hits.begin(), hits.end(),
                           [&](const Hit& h) { return h.id == o.bend->hit; })) {
        o.journal.continue_hit(o.bend->hit, duration, record);
    }
}

void Simulation::find_missed_impacts() {
    for (const Impact& impact : impacts_) {
        if (impact.previous_damage_impulse > 0) continue;
        for (const ImpactSide& side : impact.sides) {
            const Object* o = find(side.id);
            if (!o || !o->bend || o->is_bending()) continue;
            if (!(impact.approach_speed > o->bend_options().speed)) continue;
            if (time_ - o->bend->last_foreseen < kForeseen) continue;
            ++report_.missed_impacts;
            missed_.push_back(
                {o->id, side.pose_w.point(side.point_b), side.pose_w.direction(side.normal_b)});
        }
    }
}

void Simulation::condense_calm() {
    for (const auto& o : objects_) {
        if (o->is_bending() && o->bend->is_calm()) condense(*o);
    }
}

void Simulation::condense(Object& o) {
    // What its groups weigh together: the surface, which is skinned, has another centre, by up to a
    // fiftieth of its size, to which neither it nor its matter may jump.
    const Result<MassProperties> surface = o.weigh();
    const MassProperties joined =
        joined_mass(engine_, o.bodies, engine_.motion(o.bodies[0]).pose_w);
    const bool can_move = engine_.mass(o.bodies[0]).mass > 0;
    const MassProperties mass = can_move ? joined : o.shape->mass;
    const double before = kinetic_energy(engine_, o.bodies);
    clear_slots(o);
    if (const Status done = o.bend->condense(o.bent(engine_, time_), mass); done) {
        o.bodies.resize(1);
        if (can_move && surface) o.centre_shift_b += mass.centre_b - surface.value().centre_b;
    } else {
        add_incident(o.name, "it cannot be one body again: " + done.error().text());
    }
    o.engine_points.assign(o.state->points().begin(), o.state->points().end());
    set_slots(o);
    if (book_exchange(engine_, o.bodies, before, ledger_)) {
        add_incident(o.name, "as one body again it would have gained energy: it was slowed");
    }
}

std::int64_t Simulation::self_crossings() const {
    std::int64_t sum = 0;
    for (const auto& o : objects_) {
        const std::span<const Hit> hits = o->journal.hits();
        const bool is_bent = std::any_of(hits.begin(), hits.end(), [](const Hit& hit) {
            return std::holds_alternative<JointHit>(hit.record);
        });
        if (!o->bend || !is_bent) continue;
        o->catch_up();
        if (o->crossings_revision != o->state->revision()) {
            o->crossings_revision = o->state->revision();
            o->self_crossings = static_cast<std::int64_t>(
                count_self_crossings(o->state->points(), o->shape->triangles()));
        }
        sum += o->self_crossings;
    }
    return sum;
}

std::span<const ContactBatch> Simulation::framed_batches() {
    const std::span<const ContactBatch> batches = engine_.batches();
    const bool is_any = std::any_of(objects_.begin(), objects_.end(),
                                    [](const auto& o) { return o->is_bending(); });
    if (!is_any) return batches;
    framed_.assign(batches.begin(), batches.end());
    for (ContactBatch& batch : framed_) {
        for (BodyMoment& moment : batch.bodies) {
            const Object* o = find(moment.id);
            if (o && o->is_bending()) moment.pose_w = moment.pose_w * o->bend->to_object(moment.id);
        }
    }
    return framed_;
}

Transform Simulation::frame_of(BodyId id) const {
    const Transform pose = engine_.motion(id).pose_w;
    const Object* o = find(id);
    return o && o->is_bending() ? pose * o->bend->to_object(id) : pose;
}

}  // namespace ductile
