// SPDX-License-Identifier: MIT
// Objects that break: who is about to be struck, what gives way, and the parts that take their
// place. What parts does so before the engine solves the collision, so that a ball goes through a
// wall instead of bouncing off what then falls apart.
#include <ductile/core/assert.h>
#include <ductile/sim/exchange_energy.h>
#include <ductile/sim/simulation_object.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Parts fit without a gap: a margin around each would push them apart.
constexpr double kPartMargin = 1e-5;
// Of breaking what is left, before one step.
constexpr int kMostBreakRounds = 64;
// An impact that was seen coming this long ago is answered [s].
constexpr double kAnsweredFor = 0.1;

// Writes into the record that divided a body how its parts are numbered.
void name_parts(Journal& journal, std::int64_t id, std::int32_t first_part) {
    for (const Hit& hit : journal.hits()) {
        if (hit.id != id) continue;
        FractureHit named = std::get<FractureHit>(hit.record);
        named.first_part = first_part;
        journal.continue_hit(id, hit.duration, named);
        return;
    }
}

}  // namespace

std::vector<Approach> Simulation::breaking_approaches(double dt) const {
    asked_.clear();
    double slowest = kInfinity;
    for (const auto& o : objects_) {
        const FractureData* data = o->breakable();
        if (!data) continue;
        asked_.insert(asked_.end(), o->bodies.begin(), o->bodies.end());
        slowest = std::min(slowest, data->options().speed);
    }
    if (asked_.empty()) return {};
    std::sort(asked_.begin(), asked_.end());
    return engine_.predicted_approaches(dt, slowest, asked_);
}

bool Simulation::is_break_due(double dt) {
    for (const Approach& approach : breaking_approaches(dt)) {
        for (const bool is_first : {true, false}) {
            Object* struck = nullptr;
            GlueImpact impact;
            if (!find_coming_impact(approach, is_first, struck, impact)) continue;
            const FractureData& data = scored_at(*struck, impact.point);
            const GlueSolver& solver = data.score().solver();
            if (!solver.answer(impact, data.broken_glue(struck->journal, time_)).broken.empty()) {
                return true;
            }
        }
    }
    return false;
}

void Simulation::break_struck(double dt) {
    // What is left may be in the way as well: looked at again until nothing breaks.
    for (int round = 0; round < kMostBreakRounds && !has_no_break_; ++round) {
        bool is_any = false;
        for (const Approach& approach : breaking_approaches(dt)) {
            is_any = answer_approach(approach, true) || is_any;
            is_any = answer_approach(approach, false) || is_any;
        }
        if (!is_any) return;
    }
}

// `is_first`: whether the first of the two is looked at. What one approach exchanged, others of the
// same step no longer find.
bool Simulation::find_coming_impact(const Approach& approach, bool is_first, Object*& struck,
                                    GlueImpact& impact) {
    if (!engine_.has(approach.a) || !engine_.has(approach.b)) return false;
    const BodyId own = is_first ? approach.a : approach.b;
    const BodyId other = is_first ? approach.b : approach.a;
    struck = find(own);
    const FractureData* data = struck ? struck->breakable() : nullptr;
    if (!data || !(approach.speed > data->options().speed)) return false;
    struck->last_foreseen = time_;
    const Vec3 &n = approach.normal_w, &point = approach.point_w;
    const double response =
        engine_.moment(own).response(point, n) + engine_.moment(other).response(point, n);
    if (!(response > 0)) return false;
    const Transform pose = frame_of(own);
    const double impulse = approach.speed / response;
    impact.point = pose.inverse_point(point);
    impact.impulse = pose.inverse_direction(is_first ? Vec3(-impulse * n) : Vec3(impulse * n));
    take_back_to_rest(*struck, impact);
    impact.energy = 0.5 * approach.speed * approach.speed / response;
    const FractureData& scored = scored_at(*struck, impact.point);
    impact.piece = scored.score().nearest_piece(impact.point, scored.pieces());
    return true;
}

// Pieces are known at rest: where a skin has moved what is struck, the impact is moved back with
// it.
void Simulation::take_back_to_rest(const Object& o, GlueImpact& impact) {
    o.catch_up();
    if (o.state->frames().empty()) return;
    const Transform back = pull_back(*o.state, o.surface().closest_point(impact.point));
    impact.point = back.point(impact.point);
    impact.impulse = back.direction(impact.impulse);
}

bool Simulation::answer_approach(const Approach& approach, bool is_first) {
    Object* struck = nullptr;
    GlueImpact impact;
    if (!find_coming_impact(approach, is_first, struck, impact)) return false;
    GlueBreak broke;
    ObjectId now;
    if (!answer_impact(*struck, impact, broke, now)) return false;
    pay_for_break(approach, body(now), is_first ? approach.b : approach.a, broke.energy);
    return true;
}

bool Simulation::answer_impact(Object& o, const GlueImpact& impact, GlueBreak& broke,
                               ObjectId& now) {
    const FractureData& data = scored_at(o, impact.point);
    GlueImpact struck = impact;
    // An impact of the same step may have put the pattern elsewhere since.
    struck.piece = data.score().nearest_piece(impact.point, data.pieces());
    broke = data.score().solver().answer(struck, data.broken_glue(o.journal, time_));
    if (broke.broken.empty()) return false;
    FractureHit hit;
    hit.position_b = impact.point;
    hit.radius = 0.0;
    hit.joints = broke.broken;
    hit.area = broke.area;
    now = o.id;
    const std::size_t known = births_.size();
    if (!write_break(o, data, hit)) return false;
    report_.broken_energy += broke.energy;
    ledger_.add_layer("fracture", impact.energy, broke.energy);
    for (std::size_t k = known; k < births_.size(); ++k) {
        const std::span<const std::int32_t> pieces = object(births_[k].object).fracture->pieces();
        if (std::binary_search(pieces.begin(), pieces.end(), struck.piece)) now = births_[k].object;
    }
    return true;
}

bool Simulation::write_break(Object& o, const FractureData& data, FractureHit hit) {
    const double area = hit.area;
    if (data.options().about == PatternPlace::Impact) hit.centre_b = data.centre_b();
    const std::int64_t id = o.journal.add(time_, 0.0, std::move(hit));
    take_centre(o);
    o.is_moving = o.is_due_whole = true;
    const std::size_t known = births_.size();
    divide(o);
    if (births_.size() == known && (o.journal.is_empty() || o.journal.hits().back().id != id)) {
        take_centre(o);  // it cannot
        return false;
    }
    last_break_ = time_;
    ++report_.breaks;
    report_.broken_area += area;
    return true;
}

// Slows the two along the normal until that much energy is gone, or they no longer approach.
void Simulation::pay_for_break(const Approach& approach, BodyId struck, BodyId other,
                               double energy) {
    const Vec3 n = approach.b == other ? approach.normal_w : Vec3(-approach.normal_w);
    const BodyMoment a = engine_.moment(struck), b = engine_.moment(other);
    const double response = a.response(approach.point_w, n) + b.response(approach.point_w, n);
    const double speed = (a.velocity_at(approach.point_w) - b.velocity_at(approach.point_w)).dot(n);
    if (!(response > 0) || !(speed > 0)) return;
    const BodyId both[] = {struck, other};
    const double before = kinetic_energy(engine_, both);
    const double left = std::max(0.0, speed * speed - 2.0 * energy * response);
    const double impulse = (speed - std::sqrt(left)) / response;
    engine_.apply_impulse(struck, -impulse * n, approach.point_w);
    engine_.apply_impulse(other, impulse * n, approach.point_w);
    if (report_.steps == 0) return;  // the books open with the first step
    const double change = kinetic_energy(engine_, both) - before;
    ledger_.dissipated -= change;
    ledger_.now += change;
}

// Impacts that nobody saw coming: the collision is over, and its energy gone with it.
void Simulation::note_late_impacts() {
    late_impacts_.clear();
    for (const Impact& impact : impacts_) {
        if (impact.previous_damage_impulse > 0) continue;
        for (const ImpactSide& side : impact.sides) {
            Object* o = find(side.id);
            const FractureData* data = o ? o->breakable() : nullptr;
            if (!data || !(impact.approach_speed > data->options().speed)) continue;
            if (time_ - o->last_foreseen < kAnsweredFor) continue;
            GlueImpact late;
            late.point = side.point_b;
            late.impulse = -impact.damage_impulse * side.normal_b;
            take_back_to_rest(*o, late);
            const double kept = impact.restitution * impact.restitution;
            late.energy = (1.0 - kept) * impulse_energy(impact.damage_impulse, impact.restitution,
                                                        impact.effective_mass);
            late_impacts_.push_back({o->id, late});
        }
    }
}

void Simulation::break_late() {
    snap_bent();
    for (const LateImpact& late : late_impacts_) {
        Object* o = find(late.object);
        if (!o || !o->breakable()) continue;
        GlueBreak broke;
        ObjectId now;
        if (answer_impact(*o, late.impact, broke, now)) ++report_.late_breaks;
    }
    std::vector<ObjectId> due;
    for (const auto& o : objects_) {
        if (o->has_new_break) due.push_back(o->id);
    }
    for (const ObjectId id : due) divide(object(id));
}

const FractureData& Simulation::scored_at(Object& o, const Vec3& place_b) {
    if (!o.fracture->awaits_centre()) return *o.fracture;
    if (!o.candidate || o.candidate_place != place_b) {
        Result<std::shared_ptr<const BodyShape>> made = centred_shape(o.base_shape, place_b);
        if (!made) {
            add_incident(
                o.name,
                "its pattern lies about its middle, since it cannot about where it was struck: " +
                    made.error().text());
            made = centred_shape(o.base_shape, o.fracture->centre_b());
            DUCTILE_ASSERT(made.ok(), "a pattern that was cut when the body was made");
        }
        o.candidate = std::move(made).value();
        o.candidate_place = place_b;
    }
    return *o.candidate->data<FractureData>();
}

void Simulation::take_centre(Object& o) {
    if (!o.unscored_shape) return;
    const std::optional<Vec3> centre = break_centre(o.journal);
    const auto is_there = [&](const BodyShape* shape) {
        const auto* data = shape ? shape->data<FractureData>() : nullptr;
        return data && !data->awaits_centre() && data->centre_b() == *centre;
    };
    if (!centre) {
        o.base_shape = o.unscored_shape;
    } else if (is_there(o.candidate.get())) {
        o.base_shape = o.candidate;
    } else if (!is_there(o.base_shape.get())) {
        Result<std::shared_ptr<const BodyShape>> made = centred_shape(o.unscored_shape, *centre);
        if (!made) {
            o.change.problems.push_back(made.error().text());
            return;
        }
        o.base_shape = std::move(made).value();
    }
    o.fracture = o.base_shape->data<FractureData>();
}

bool Simulation::place_break(Object& o, FractureHit& hit) {
    const FractureData& data = scored_at(o, hit.position_b);
    const std::vector<std::uint8_t> is_broken = data.broken_glue(o.journal, time_);
    std::erase_if(hit.joints, [&](std::int32_t j) { return is_broken[j] != 0; });
    for (const std::int32_t j : data.glue_near(hit.position_b, hit.radius, is_broken)) {
        hit.joints.push_back(j);
    }
    std::sort(hit.joints.begin(), hit.joints.end());
    hit.joints.erase(std::unique(hit.joints.begin(), hit.joints.end()), hit.joints.end());
    hit.area = 0.0;
    for (const std::int32_t j : hit.joints) hit.area += data.score().cut().joints[j].area;
    if (data.options().about == PatternPlace::Impact) hit.centre_b = data.centre_b();
    if (!hit.joints.empty()) {
        ++report_.breaks;
        report_.broken_area += hit.area;
        return true;
    }
    add_incident(o.name, "a break by hand finds nothing to break");
    return false;
}

// Puts parts in the place of an object that no longer hangs together.
void Simulation::divide(Object& o) {
    o.has_new_break = false;
    const FractureData* data = o.breakable();
    const auto division = data ? data->division(o.journal, time_) : std::nullopt;
    if (!division) return;
    if (o.is_bending() && o.bend->note_last(o.bent(engine_, time_))) write_turns(o);
    std::vector<std::shared_ptr<const BodyShape>> shapes;
    for (const std::vector<std::int32_t>& pieces : division->parts) {
        auto shape = data->part_shape(pieces, o.base_shape);
        if (!shape) {
            add_incident(o.name, "it should have broken: " + shape.error().text());
            o.journal.remove(division->hit);
            return;
        }
        shapes.push_back(std::move(shape).value());
    }
    name_parts(o.journal, division->hit, last_part_ + 1);
    const BodyMotion motion = engine_.motion(o.bodies[0]);
    std::vector<ObjectId> parts;
    std::vector<BodyId> loose;
    for (const std::shared_ptr<const BodyShape>& shape : shapes) {
        const std::optional<ObjectId> id = add_part(o, motion.pose_w, shape);
        if (!id) {
            for (const ObjectId added : parts) remove(added);
            o.journal.remove(division->hit);
            return;
        }
        parts.push_back(*id);
        if (!object(*id).fracture->is_held()) loose.push_back(body(*id));
    }
    const MassProperties mass = engine_.mass(o.bodies[0]);
    const double before = kinetic_energy(engine_, o.bodies);
    const bool is_bending = o.is_bending();
    if (is_bending) go_on_as_groups(o, parts);
    foreseen_.reset();
    const std::unique_ptr<Object> whole = retire(o);
    const std::int64_t last = whole->journal.hits().back().id;
    for (const ObjectId id : parts) births_.push_back({id, whole->id, time_, last});
    report_.parts += static_cast<std::int64_t>(parts.size());
    hand_over(*whole, parts);
    if (loose.empty() || (!is_bending && !(mass.mass > 0))) return;
    if (!is_bending) go_on_as(engine_, mass, motion, loose);
    if (book_exchange(engine_, loose, before, ledger_)) {
        add_incident(whole->name, "its parts would have gained energy: they were slowed");
    }
}

std::optional<ObjectId> Simulation::add_part(const Object& whole, const Transform& pose_w,
                                             const std::shared_ptr<const BodyShape>& shape) {
    DeformableDesc desc;
    desc.name = fmt::format("{}.{}", whole.whole_name, ++last_part_);
    const bool is_held = shape->data<FractureData>()->is_held();
    desc.motion = is_held ? Motion::Static : Motion::Dynamic;
    desc.pose_w = pose_w;
    desc.friction = whole.desc.friction;
    desc.restitution = whole.desc.restitution;
    desc.margin = std::min(whole.margin, kPartMargin);
    const Result<ObjectId> id = add_deformable(desc, shape);
    if (!id) {
        add_incident(whole.name, "it should have broken: " + id.error().text());
        return std::nullopt;
    }
    if (const Status restored = restore_journal(id.value(), whole.journal); !restored) {
        add_incident(desc.name, "it lost its dents: " + restored.error().text());
    }
    Object& part = object(id.value());
    part.whole_name = whole.whole_name;
    part.last_foreseen = whole.last_foreseen;
    part.has_new_break = false;
    return part.id;
}

// Hits that wait for an object go to the part that holds their place, breaks to all that they
// reach.
void Simulation::hand_over(const Object& whole, std::span<const ObjectId> parts) {
    const Transform frame_w = past_.back().pose_w;
    const auto heirs = [&](const Pending& pending) {
        std::vector<ObjectId> found;
        Vec3 place = record_mark(pending.records[0]).position_b;
        if (pending.place.is_in_world) place = frame_w.inverse_point(place);
        const FractureData& data = *whole.fracture;
        const std::int32_t piece = data.score().nearest_piece(place, data.pieces());
        const auto* broke = std::get_if<FractureHit>(&pending.records[0]);
        ObjectId holder = parts.back();
        for (const ObjectId id : parts) {
            const Object& part = object(id);
            const std::span<const std::int32_t> own = part.fracture->pieces();
            if (std::binary_search(own.begin(), own.end(), piece)) holder = id;
            const std::vector<std::uint8_t> is_broken =
                part.fracture->broken_glue(part.journal, time_);
            if (broke && !part.fracture->glue_near(place, broke->radius, is_broken).empty()) {
                found.push_back(id);
            }
        }
        if (found.empty()) found.push_back(holder);
        return found;
    };
    for (std::vector<Pending>* list : {&scheduled_, &queue_}) {
        std::vector<Pending> kept;
        for (Pending& pending : *list) {
            if (pending.object != whole.id) {
                kept.push_back(std::move(pending));
                continue;
            }
            if (parts.empty() || pending.records.empty()) continue;
            for (const ObjectId heir : heirs(pending)) {
                kept.push_back(pending);
                kept.back().object = heir;
            }
        }
        *list = std::move(kept);
    }
}

// Takes an object out of the world; its journal stays.
std::unique_ptr<Simulation::Object> Simulation::retire(Object& o) {
    past_.push_back({o.id, o.name, engine_.motion(o.bodies[0]).pose_w, o.journal});
    clear_slots(o);
    for (const BodyId id : o.bodies) engine_.remove(id);
    std::erase_if(events_, [&](const HitEvent& event) { return event.object == o.id; });
    const auto at = std::find_if(objects_.begin(), objects_.end(),
                                 [&](const auto& known) { return known.get() == &o; });
    std::unique_ptr<Object> out = std::move(*at);
    objects_.erase(at);
    return out;
}

// Parts that are small and have lain still for long.
void Simulation::vanish_debris() {
    std::vector<Object*> gone;
    for (const auto& o : objects_) {
        if (!o->fracture) continue;
        const FractureOptions& options = o->fracture->options();
        if (!(o->fracture->share_of_whole(*o->base_shape) < options.vanish_share)) continue;
        if (!engine_.is_asleep(o->bodies[0])) {
            o->asleep_since = kInfinity;
            continue;
        }
        o->asleep_since = std::min(o->asleep_since, time_);
        if (time_ - o->asleep_since >= options.vanish_time) gone.push_back(o.get());
    }
    for (Object* o : gone) {
        FractureHit hit;
        hit.position_b = o->base_shape->mass.centre_b;
        hit.radius = 0.0;
        hit.vanishes = true;
        o->journal.add(time_, 0.0, hit);
        ++report_.vanished;
        hand_over(*retire(*o), {});
    }
}

}  // namespace ductile
