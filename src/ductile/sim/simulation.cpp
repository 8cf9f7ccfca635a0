// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/hash.h>
#include <ductile/sim/collider_surface.h>
#include <ductile/sim/simulation_body.h>

#include <algorithm>

namespace ductile {
namespace {

// Where the surface lies deeper than this share of the fill tolerance, neighbouring pieces may
// cover it. Tried from 0.1 to 1 on a hundred dented barrels: worst collider error 1.8 to 2.8 %.
constexpr double kDentedShare = 0.1;

// Hits remembered with the blow that left them; a blow that grows does so within a few steps.
constexpr std::size_t kBlowHits = 64;
constexpr std::size_t kMostIncidents = 100;

}  // namespace

Simulation::Simulation(Engine& engine, const SimOptions& options)
    : engine_(engine), options_(options), tracker_(options.impacts) {}

Simulation::~Simulation() = default;

Result<BodyId> Simulation::add_rigid(const BodyDesc& desc, double size,
                                     std::shared_ptr<const SurfaceQuery> surface) {
    Result<BodyId> id = engine_.add(desc);
    if (!id) return id;
    auto body = std::make_unique<Body>();
    body->id = id.value();
    body->name = desc.name;
    body->size = size;
    body->rigid_surface = surface ? std::move(surface) : collider_surface(desc.collider);
    if (const SurfaceQuery* known = body->rigid_surface.get()) {
        body->edge = mean_edge(known->points(), known->triangles());
    }
    keep(std::move(body));
    return id;
}

Result<BodyId> Simulation::add_deformable(BodyDesc desc, std::shared_ptr<const BodyShape> shape,
                                          double margin) {
    DUCTILE_ASSERT(shape, "a deformable body has a shape");
    auto body = std::make_unique<Body>();
    body->name = desc.name;
    body->size = shape->size;
    body->edge = shape->edge;
    body->state = std::make_unique<BodyState>(shape);
    body->follower = std::make_unique<SurfaceFollower>(
        shape, kDentedShare * options_.fill_tolerance * shape->size);
    body->cut.active = shape->pieces.top;
    body->margin = margin;
    body->told.assign(shape->rest().begin(), shape->rest().end());

    PieceCollider collider;
    collider.margin = margin;
    for (std::int32_t piece : body->cut.active) {
        ColliderPiece& cloud = collider.pieces.emplace_back();
        cloud.id = piece;
        piece_points(shape->pieces.pieces[piece], body->told, cloud.points);
    }
    desc.collider = std::move(collider);
    desc.mass = shape->mass;
    desc.watched = true;
    body->shape = std::move(shape);
    Result<BodyId> id = engine_.add(desc);
    if (!id) return id;
    body->id = id.value();
    keep(std::move(body));
    return id;
}

void Simulation::keep(std::unique_ptr<Body> body) {
    const auto id = static_cast<std::size_t>(body->id.value);
    if (slots_.size() <= id) slots_.resize(id + 1);
    slots_[id] = {body.get(), body->size};
    if (body->state && !body->shape->layers.empty()) {
        slots_[id].yield_speed = body->shape->material.yield_speed;
    }
    bodies_.push_back(std::move(body));
}

void Simulation::remove(BodyId id) {
    if (!find(id)) return;
    engine_.remove(id);
    slots_[static_cast<std::size_t>(id.value)] = {};
    std::erase_if(bodies_, [&](const auto& b) { return b->id == id; });
    const auto of_it = [&](const Pending& p) { return p.body == id; };
    std::erase_if(queue_, of_it);
    std::erase_if(scheduled_, of_it);
}

Status Simulation::schedule_hit(BodyId id, double time, double duration, HitRecord record) {
    const Body* target = find(id);
    if (!target || !target->state) return Error{"this body cannot be deformed", "", ""};
    Journal probe;
    if (Status fine = probe.restore({1, time, duration, record}); !fine) return fine;
    const auto later = std::upper_bound(scheduled_.begin(), scheduled_.end(), time,
                                        [](double t, const Pending& p) { return t < p.time; });
    scheduled_.insert(later, {id, time, duration, probe.hits()[0].record});
    return {};
}

Status Simulation::repair(BodyId id, double amount, double duration) {
    Body* target = find(id);
    if (!target || !target->state) return Error{"this body cannot be deformed", "", ""};
    if (!(amount >= 0 && amount <= 1) || !(duration >= 0)) {
        return Error{"a repair needs an amount in [0, 1] and a duration that is not negative", "",
                     ""};
    }
    target->journal.repair({time_, duration, amount});
    target->is_moving = true;
    return {};
}

bool Simulation::remove_hit(BodyId id, std::int64_t hit) {
    Body* target = find(id);
    if (!target || !target->state || !target->journal.remove(hit)) return false;
    target->is_moving = true;
    return true;
}

void Simulation::step(double dt) {
    engine_.step(dt);
    after_engine_step(dt);
}

void Simulation::after_engine_step(double dt) {
    time_ += dt;
    ledger_.book(engine_.energy(), report_.steps == 0);
    for (std::string& warning : engine_.take_warnings()) note("", std::move(warning));
    ++report_.steps;
    impacts_ = tracker_.update(engine_.batches(), *this);
    report_.impacts += static_cast<std::int64_t>(impacts_.size());
    queue_responses(impacts_);
    write_journals();
    update_shapes();
}

void Simulation::write_journals() {
    // Times are sums of steps: a hit due at a step's end must not slip by one for a last digit.
    const double now = time_ + 1e-9;
    std::size_t due = 0;
    while (due < scheduled_.size() && scheduled_[due].time <= now) ++due;
    queue_.insert(queue_.end(), std::make_move_iterator(scheduled_.begin()),
                  std::make_move_iterator(scheduled_.begin() + due));
    scheduled_.erase(scheduled_.begin(), scheduled_.begin() + due);

    const std::size_t taken =
        std::min(queue_.size(), static_cast<std::size_t>(options_.hit_budget));
    for (std::size_t i = 0; i < taken; ++i) {
        Body& target = body(queue_[i].body);
        // What a layer decided on is harmless, unless another hit came between.
        if (target.has_new_hit) {
            if (const Result<bool> moved = target.state->update(target.journal, time_);
                moved && moved.value()) {
                target.follow();
                target.has_moved_early = true;
            }
        }
        if (target.has_new_hit || queue_[i].episode == 0) {
            guard_record(queue_[i].record, target.surface(), target.shape->rest());
        }
        target.has_new_hit = true;
        const std::int64_t id =
            target.journal.add(time_, queue_[i].duration, std::move(queue_[i].record));
        if (queue_[i].episode > 0) {
            if (target.blow_hits.size() >= kBlowHits)
                target.blow_hits.erase(target.blow_hits.begin());
            target.blow_hits.push_back({queue_[i].episode, id});
        }
        target.is_moving = true;
    }
    queue_.erase(queue_.begin(), queue_.begin() + taken);
    report_.hits += static_cast<std::int64_t>(taken);
    report_.waiting = static_cast<std::int64_t>(queue_.size());
    report_.most_waiting = std::max(report_.most_waiting, report_.waiting);
}

void Simulation::note(std::string name, std::string what) {
    if (report_.incidents.size() < kMostIncidents) {
        report_.incidents.push_back({time_, std::move(name), std::move(what)});
    }
}

Simulation::Slot Simulation::slot(BodyId id) const {
    const auto place = static_cast<std::size_t>(id.value);  // an id of nobody, -1, is beyond all
    return place < slots_.size() ? slots_[place] : Slot{};
}

Simulation::Body& Simulation::body(BodyId id) const {
    Body* found = find(id);
    DUCTILE_ASSERT(found, "a body of this simulation");
    return *found;
}

std::vector<BodyId> Simulation::bodies() const {
    std::vector<BodyId> ids;
    for (const auto& b : bodies_) ids.push_back(b->id);
    return ids;
}

bool Simulation::is_deformable(BodyId id) const {
    const Body* found = find(id);
    return found && found->state;
}

const BodyState& Simulation::state(BodyId id) const {
    DUCTILE_ASSERT(is_deformable(id), "only deformable bodies have a state");
    return *body(id).state;
}

const Journal& Simulation::journal(BodyId id) const {
    DUCTILE_ASSERT(is_deformable(id), "only deformable bodies have a journal");
    return body(id).journal;
}

const PieceCut& Simulation::cut(BodyId id) const {
    DUCTILE_ASSERT(is_deformable(id), "only deformable bodies have pieces");
    return body(id).cut;
}

std::uint64_t Simulation::state_hash() const {
    Hasher hasher;
    for (const auto& b : bodies_) {
        const BodyMotion m = engine_.motion(b->id);
        hasher.add(m.pose_w);
        hasher.add(m.velocity_w);
        hasher.add(m.spin_w);
    }
    hasher.add(shape_hash());
    return hasher.value();
}

std::uint64_t Simulation::shape_hash() const {
    Hasher hasher;
    for (const auto& b : bodies_) {
        if (b->state) hasher.add(b->state->points());
    }
    return hasher.value();
}

}  // namespace ductile
