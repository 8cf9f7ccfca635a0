// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/field_ranges.h>
#include <ductile/core/hash.h>
#include <ductile/sim/collider_surface.h>
#include <ductile/sim/simulation_object.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr std::size_t kMostIncidents = 100;
// A step is cut into so many parts at most; a live layer that wants more gets longer ones.
constexpr double kMostParts = 10000;
// Once a run: what is too fast is so in many parts.
constexpr const char* kHeldBack =
    "struck or turned faster than its parts can follow: what it would have given beyond what it "
    "took was held back";
// While things break a step is cut into parts of this length at most: what flies off takes its
// share of an impact before the next piece is struck, at any rate [s].
constexpr double kBreakPart = 1.0 / 960;
// That is so for this long after a break [s].
constexpr double kBreakCalm = 0.1;

// What stands fast cannot fall, and what cannot move must stand fast somewhere.
Status check_anchor(const DeformableDesc& wanted, const BodyShape& shape) {
    const auto* data = shape.data<BendData>();
    if (data && !data->can_bend()) return {};
    if (!data || data->is_anchored() == (wanted.motion == Motion::Static)) {
        const bool is_driven = data && wanted.motion == Motion::Kinematic;
        return is_driven ? Status(Error{"a body that moves as it is told cannot bend", wanted.name,
                                        "leave out its layer `bend`"})
                         : Status();
    }
    if (data->is_anchored()) {
        return Error{"a body with an anchored bone must be static", wanted.name,
                     "make it static, or leave no bone anchored"};
    }
    return Error{"a static body bends only where it is not anchored", wanted.name,
                 "give its layer `bend` bones, and anchor those that stand fast"};
}

// A part of what moves as it is told would have to be told, too.
Status check_breakable(const DeformableDesc& wanted, const BodyShape& shape) {
    const auto* data = shape.data<FractureData>();
    if (!data) return {};
    if (wanted.motion == Motion::Kinematic) {
        return Error{"a body that moves as it is told cannot break", wanted.name,
                     "leave out its layer `fracture`"};
    }
    if (data->is_held() && wanted.motion != Motion::Static) {
        return Error{"a body with an anchored piece must be static", wanted.name,
                     "make it static, or leave no piece anchored"};
    }
    return {};
}

}  // namespace

Simulation::Simulation(Engine& engine, const SimOptions& options)
    : engine_(engine), options_(options), tracker_(options.impacts) {
    engine_.set_piece_surfaces(this);
}

Simulation::~Simulation() { engine_.set_piece_surfaces(nullptr); }

Result<ObjectId> Simulation::add_rigid(const BodyDesc& desc, double size,
                                       std::shared_ptr<const SurfaceQuery> surface,
                                       double compliance) {
    const Result<BodyId> id = engine_.add(desc);
    if (!id) return id.error();
    auto object = std::make_unique<Object>();
    object->bodies = {id.value()};
    object->name = desc.name;
    object->size = size;
    object->compliance = compliance;
    object->rigid_surface = surface ? std::move(surface) : collider_surface(desc.collider);
    // Copies of one body come one after the other: what is measured of a surface is measured once.
    const Object* last = objects_.empty() ? nullptr : objects_.back().get();
    if (last && last->rigid_surface == object->rigid_surface) {
        object->edge = last->edge;
        object->facets = last->facets;
        object->rigid_normals = last->rigid_normals;
    } else if (const SurfaceQuery* known = object->rigid_surface.get()) {
        object->edge = mean_edge_length(known->points(), known->triangles());
        object->facets = facet_height(known->points(), known->triangles());
        object->rigid_normals = PieceNormals::make(desc.collider, known);
    }
    return keep(std::move(object));
}

Result<ObjectId> Simulation::add_deformable(const DeformableDesc& wanted,
                                            std::shared_ptr<const BodyShape> shape) {
    DUCTILE_ASSERT(shape, "a deformable body has a shape");
    auto object = std::make_unique<Object>();
    object->name = wanted.name;
    object->size = shape->size;
    object->edge = shape->edge;
    object->facets = shape->facets;
    object->compliance = shape->material.contact_compliance();
    object->base_shape = shape;
    object->margin = wanted.margin;
    set_shape(*object, shape);

    BodyDesc desc;
    desc.name = wanted.name;
    desc.motion = wanted.motion;
    desc.pose_w = wanted.pose_w;
    desc.velocity_w = wanted.velocity_w;
    desc.spin_w = wanted.spin_w;
    desc.friction = wanted.friction;
    desc.restitution = wanted.restitution;
    desc.mass = shape->mass;
    desc.watched = true;
    object->desc = desc;
    if (Status fine = check_anchor(wanted, *shape); !fine) return fine.error();
    if (Status fine = check_breakable(wanted, *shape); !fine) return fine.error();
    object->whole_name = wanted.name;
    object->fracture = shape->data<FractureData>();
    if (object->fracture && object->fracture->awaits_centre()) object->unscored_shape = shape;
    const auto* bend = shape->data<BendData>();
    if (bend && bend->can_bend()) object->bend = std::make_unique<Articulation>();
    PieceCollider collider;
    collider.margin = wanted.margin;
    for (const std::int32_t piece : object->cut.active) {
        collider.pieces.push_back(object->cloud(piece));
    }
    desc.collider = std::move(collider);
    const Result<BodyId> id = engine_.add(desc);
    if (!id) return id.error();
    object->bodies = {id.value()};
    return keep(std::move(object));
}

ObjectId Simulation::keep(std::unique_ptr<Object> object) {
    object->id = {next_object_++};
    object->owner_key = object->bodies[0].value;
    set_slots(*object);
    objects_.push_back(std::move(object));
    return objects_.back()->id;
}

void Simulation::set_slots(Object& object) {
    Slot slot{&object, object.size};
    if (object.state) slot.yield_speed = object.yield_speed();
    for (const BodyId body : object.bodies) {
        const auto id = static_cast<std::size_t>(body.value);
        if (slots_.size() <= id) slots_.resize(id + 1);
        slots_[id] = slot;
    }
}

void Simulation::clear_slots(const Object& object) {
    for (const BodyId body : object.bodies) slots_[static_cast<std::size_t>(body.value)] = {};
}

void Simulation::add_live_layer(std::shared_ptr<LiveLayer> layer) {
    DUCTILE_ASSERT(layer, "a layer to add");
    live_layers_.push_back(std::move(layer));
}

void Simulation::remove(ObjectId id) {
    Object* gone = find(id);
    if (!gone) return;
    clear_slots(*gone);
    for (const BodyId body : gone->bodies) engine_.remove(body);
    std::erase_if(objects_, [&](const auto& o) { return o->id == id; });
    const auto of_it = [&](const Pending& p) { return p.object == id; };
    std::erase_if(queue_, of_it);
    std::erase_if(scheduled_, of_it);
}

Status Simulation::schedule_hit(ObjectId id, double time, double duration, HitRecord record,
                                const HitPlace& place) {
    const Object* target = find(id);
    if (!target || !target->state) return Error{"this body cannot be deformed", "", ""};
    if ((place.is_in_world || place.is_on_surface) && !move_record(record, Transform())) {
        return Error{fmt::format("a {} cannot be moved to its place", record_name(record)), "",
                     "give it in the body's own frame"};
    }
    Hit hit{1, time, duration, std::move(record)};
    if (Status fine = check_hit(hit); !fine) return fine;
    if (Status fine = record_fits(hit.record, *target->shape); !fine) {
        const std::string kind(record_name(hit.record));
        return Error{fine.error().what, "/" + kind + fine.error().where, fine.error().hint};
    }
    const auto later = std::upper_bound(scheduled_.begin(), scheduled_.end(), time,
                                        [](double t, const Pending& p) { return t < p.time; });
    Pending pending;
    pending.object = id;
    pending.time = time;
    pending.duration = duration;
    pending.records.push_back(std::move(hit.record));
    pending.place = place;
    scheduled_.insert(later, std::move(pending));
    return {};
}

Status Simulation::repair(ObjectId id, double amount, double duration) {
    Object* target = find(id);
    if (!target || !target->state) return Error{"this body cannot be deformed", "", ""};
    const Repair repair{time_, duration, amount};
    if (Status fine = check_ranges(repair); !fine) return fine;
    target->journal.repair(repair);
    target->is_moving = target->is_due_whole = true;
    return {};
}

bool Simulation::remove_hit(ObjectId id, std::int64_t hit) {
    Object* target = find(id);
    if (!target || !target->state) return false;
    if (target->is_bending()) condense(*target);
    if (!target->journal.remove(hit)) return false;
    take_centre(*target);
    target->is_moving = target->is_due_whole = true;
    return true;
}

void Simulation::restore_time(double time) {
    DUCTILE_ASSERT(std::isfinite(time), "a finite time");
    time_offset_ += time - time_;
    travels_.clear();
    time_ = time;
}

void Simulation::step(double dt) {
    double longest = kInfinity;
    for (const auto& layer : live_layers_) longest = std::min(longest, layer->longest_part());
    longest = std::min(longest, longest_bend_part(dt));
    const bool is_break = is_break_due(dt) || time_ - last_break_ < kBreakCalm;
    if (is_break) longest = std::min(longest, kBreakPart);
    has_no_break_ = !is_break;
    // The last digits of a quotient must not make one part more.
    const double parts = std::clamp(std::ceil(dt / longest - 1e-9), 1.0, kMostParts);
    for (double part = 0; part < parts; ++part) step_part(dt / parts);
    foreseen_.reset();
    has_no_break_ = false;
}

void Simulation::step_part(double dt) {
    before_engine_step(dt);
    // What live layers did to bodies they did for just that long.
    is_live_part_ ? engine_.step_exactly(dt) : engine_.step(dt);
    after_engine_step(dt);
}

void Simulation::before_engine_step(double dt) {
    is_live_part_ = false;
    for (const auto& layer : live_layers_) {
        if (!std::isfinite(layer->longest_part())) continue;
        is_live_part_ = true;
        layer->advance(dt, engine_);
        const double held_back = layer->take_held_back();
        if (!(held_back > 0)) continue;
        ledger_.withheld += held_back;
        const std::string name(layer->name());
        if (std::none_of(report_.incidents.begin(), report_.incidents.end(),
                         [&](const auto& incident) { return incident.what == kHeldBack; })) {
            add_incident(name, kHeldBack);
        }
    }
    break_struck(dt);
    wake_struck(dt);
}

void Simulation::after_engine_step(double dt) {
    time_ += dt;
    step_ = dt;
    ledger_.book(engine_.energy(), report_.steps == 0);
    for (std::string& warning : engine_.take_warnings()) add_incident("", std::move(warning));
    ++report_.steps;
    impacts_ = tracker_.update(framed_batches(), *this);
    if (time_offset_ != 0.0) {
        for (Impact& impact : impacts_) impact.time += time_offset_;
    }
    report_.impacts += static_cast<std::int64_t>(impacts_.size());
    queue_responses(impacts_);
    find_missed_impacts();
    note_late_impacts();
    write_journals();
    note_turns(dt);
    recover_restitutions();
    apply_requests();
    update_shapes();
    advance_travels();
    condense_calm();
    apply_late_requests();
    break_late();
    vanish_debris();
    publish_events();
}

void Simulation::publish_events() {
    if (!on_hit_) return;
    for (const HitEvent& event : events_) on_hit_(event);
}

void Simulation::add_incident(std::string name, std::string what) {
    if (report_.incidents.size() < kMostIncidents) {
        report_.incidents.push_back({time_, std::move(name), std::move(what)});
    }
}

Simulation::Slot Simulation::slot(BodyId id) const {
    const auto place = static_cast<std::size_t>(id.value);  // an id of nobody, -1, is beyond all
    return place < slots_.size() ? slots_[place] : Slot{};
}

Simulation::Object* Simulation::find(ObjectId id) const {
    const auto at = std::lower_bound(objects_.begin(), objects_.end(), id,
                                     [](const auto& o, ObjectId wanted) { return o->id < wanted; });
    return at != objects_.end() && (*at)->id == id ? at->get() : nullptr;
}

Simulation::Object& Simulation::object(ObjectId id) const {
    Object* found = find(id);
    DUCTILE_ASSERT(found, "an object of this simulation");
    return *found;
}

std::vector<ObjectId> Simulation::objects() const {
    std::vector<ObjectId> ids;
    for (const auto& o : objects_) ids.push_back(o->id);
    return ids;
}

ObjectId Simulation::object_of(BodyId id) const {
    const Object* found = find(id);
    return found ? found->id : ObjectId{};
}

const std::string& Simulation::name(ObjectId id) const { return object(id).name; }

std::span<const BodyId> Simulation::bodies(ObjectId id) const { return object(id).bodies; }

bool Simulation::is_deformable(ObjectId id) const {
    const Object* found = find(id);
    return found && found->state;
}

const BodyState& Simulation::state(ObjectId id) const {
    DUCTILE_ASSERT(is_deformable(id), "only deformable objects have a state");
    object(id).catch_up();
    return *object(id).state;
}

const Journal& Simulation::journal(ObjectId id) const {
    DUCTILE_ASSERT(is_deformable(id), "only deformable objects have a journal");
    return object(id).journal;
}

const PieceCut& Simulation::cut(ObjectId id) const {
    DUCTILE_ASSERT(is_deformable(id), "only deformable objects have pieces");
    return object(id).cut;
}

std::uint64_t Simulation::state_hash() const {
    Hasher hasher;
    for (const auto& o : objects_) {
        for (const BodyId body : o->bodies) {
            const BodyMotion m = engine_.motion(body);
            hasher.add(m.pose_w);
            hasher.add(m.velocity_w);
            hasher.add(m.spin_w);
        }
    }
    for (const auto& layer : live_layers_) layer->add_to(hasher);
    hasher.add(shape_hash());
    return hasher.value();
}

std::uint64_t Simulation::shape_hash() const {
    Hasher hasher;
    for (const auto& o : objects_) {
        if (!o->state) continue;
        o->catch_up();
        hasher.add(o->state->points());
    }
    return hasher.value();
}

}  // namespace ductile
