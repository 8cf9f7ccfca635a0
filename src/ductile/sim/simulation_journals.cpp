// SPDX-License-Identifier: MIT
// From the queue into journals: what is due, guarded against the surface it will act on.
#include <ductile/sim/simulation_object.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ductile {
namespace {

// Hits remembered with the impact that left them; one that grows does so within a few steps.
constexpr std::size_t kImpactHits = 64;

}  // namespace

void Simulation::write_journals() {
    events_.clear();
    written_.clear();
    // Times are sums of steps: a hit due at a step's end must not slip by one for a last digit.
    const double now = time_ + 1e-9;
    std::size_t due = 0;
    while (due < scheduled_.size() && scheduled_[due].time <= now) ++due;
    for (std::size_t i = 0; i < due; ++i) place_by_hand(scheduled_[i]);
    queue_.insert(queue_.end(), std::make_move_iterator(scheduled_.begin()),
                  std::make_move_iterator(scheduled_.begin() + due));
    scheduled_.erase(scheduled_.begin(), scheduled_.begin() + due);

    const auto budget = static_cast<std::size_t>(options_.hit_budget);
    std::size_t hits = 0, taken = 0;
    for (; taken < queue_.size(); ++taken) {
        Pending& pending = queue_[taken];
        // What one layer wants of one impact is written as a whole.
        if (hits > 0 && hits + pending.records.size() > budget) break;
        hits += pending.records.size();
        Object& target = object(pending.object);
        bool has_mark = pending.records.empty();
        for (HitRecord& record : pending.records) {
            const auto id = write_hit(target, pending, std::move(record));
            if (id) events_.push_back({target.id, *id, pending.impact});
            has_mark = has_mark || id;
        }
        // What left no mark at all asks nothing of the engine either.
        if (has_mark) {
            written_.push_back(std::move(pending));
        }
    }
    queue_.erase(queue_.begin(), queue_.begin() + taken);
    report_.hits += static_cast<std::int64_t>(events_.size());
    report_.waiting = 0;
    for (const Pending& p : queue_) report_.waiting += static_cast<std::int64_t>(p.records.size());
    report_.most_waiting = std::max(report_.most_waiting, report_.waiting);
}

namespace {

/// Why a record at a place reaches no point: it is off the surface, or lies amid a large triangle.
std::string why_nothing(const SurfaceQuery& surface, const Vec3& at) {
    const SurfacePoint nearest = surface.closest_point(at);
    const Triangle& t = surface.triangles()[nearest.triangle];
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        const Vec3 side = surface.points()[t[(k + 1) % 3]] - surface.points()[t[k]];
        longest = std::max(longest, side.norm());
    }
    if (nearest.distance > 0.25 * longest) {
        return fmt::format(
            "touches nothing, it is {:.4g} m off the surface; is_on_surface moves it "
            "to the nearest place of it",
            nearest.distance);
    }
    return fmt::format(
        "touches nothing: the mesh has no point there, its edges are {:.3g} m long; a smaller "
        "mesh_options.longest_edge or solid.resolution gives it some, layers.dent.refine.edges "
        "where dents are alone",
        longest);
}

}  // namespace

void Simulation::place_by_hand(Pending& pending) {
    Object& target = object(pending.object);
    for (HitRecord& record : pending.records) {
        if (pending.place.is_in_world) {
            move_record(record, engine_.motion(body(pending.object)).pose_w.inverse());
        }
        if (pending.place.is_on_surface) {
            const Vec3 at = record_mark(record).position_b;
            const Vec3 nearest = target.unskinned_surface().closest_point(at).position;
            move_record(record, {Quat::Identity(), nearest - at});
        }
    }
    std::erase_if(pending.records, [&](HitRecord& record) {
        if (auto* broke = std::get_if<FractureHit>(&record)) return !place_break(target, *broke);
        if (record_stage(record) != Stage::Offset) return false;
        refine_for(target, pending, record);
        const RecordReach reaches = record_reach(record);
        const std::span<const Vec3> points = target.state->unskinned();
        const bool is_reached = std::any_of(points.begin(), points.end(), [&](const Vec3& p) {
            return reaches({p, p});
        });
        if (is_reached) return false;
        add_incident(target.name, fmt::format("a {} by hand {}", record_name(record),
                                              why_nothing(target.unskinned_surface(),
                                                          record_mark(record).position_b)));
        return true;
    });
}

void Simulation::refine_for(Object& target, const Pending& pending, const HitRecord& record) {
    if (target.is_mesh_full || record_stage(record) != Stage::Offset) return;
    update_mesh(target);
    const std::shared_ptr<const BodyShape> shape = target.shape;
    std::vector<HitRecord> finer;
    for (const Layer& layer : shape->layers) {
        const StruckBody body{*shape, target.unskinned_surface(), layer.data.get(),
                              target.state->rows()};
        for (HitRecord& mesh : layer.rule->finer_meshes(record, body)) {
            target.is_mesh_full = target.is_mesh_full || record_edges(mesh, *shape->asset).empty();
            finer.push_back(std::move(mesh));
        }
    }
    if (finer.empty()) return;
    if (target.is_mesh_full) {
        add_incident(target.name,
                     "its mesh has all the points that its dents may add: a larger "
                     "layers.dent.refine.budget lets it have more");
        return;
    }
    for (const HitRecord& mesh : finer) {
        const std::int64_t id = target.journal.add(time_, 0.0, mesh);
        events_.push_back({target.id, id, pending.impact});
        ++report_.refinements;
        target.has_new_hit = target.is_moving = target.is_due_whole = true;
    }
    update_mesh(target);
    update_surface(target);
}

std::optional<std::int64_t> Simulation::write_hit(Object& target, const Pending& pending,
                                                  HitRecord record) {
    refine_for(target, pending, record);
    update_mesh(target);
    // What a layer decided on is harmless to the surface it looked at; by now another hit may have
    // come between, in this step or while this one waited, or one is still on its way in.
    const SurfaceQuery& ends = target.settled_surface();
    if (target.has_new_hit || pending.step != report_.steps ||
        &ends != &target.unskinned_surface()) {
        guard_record(record, ends, *target.shape);
    }
    const double lead = pending.step == report_.steps ? pending.lead : 0.0;
    Hit hit{0, time_ - lead, pending.duration, std::move(record), pending.growth};
    if (const Status fine = check_hit(hit); !fine) {
        ++report_.fallbacks;
        add_incident(target.name, "a hit was refused, the body kept its last good shape: " +
                                      fine.error().text());
        return std::nullopt;
    }
    target.has_new_hit = true;
    target.is_moving = true;
    if (record_stage(hit.record) != Stage::Blend) target.is_due_whole = true;
    if (std::holds_alternative<FractureHit>(hit.record)) target.has_new_break = true;
    const std::int64_t id =
        target.journal.add(hit.time, hit.duration, std::move(hit.record), hit.growth);
    if (target.has_new_break) take_centre(target);
    if (pending.impact) {
        if (target.impact_hits.size() >= kImpactHits) {
            target.impact_hits.erase(target.impact_hits.begin());
        }
        target.impact_hits.push_back({pending.impact->episode, id});
    }
    return id;
}

Status Simulation::restore_journal(ObjectId id, Journal journal) {
    Object* target = find(id);
    if (!target || !target->state) return Error{"this body cannot be deformed", "", ""};
    if (Status fine = check_journal_fits(journal, *target->shape); !fine) return fine;
    if (target->is_bending()) condense(*target);
    std::swap(target->journal, journal);
    const Vec3 shift_b = std::exchange(target->centre_shift_b, Vec3::Zero());
    const auto restart = [&] {
        take_centre(*target);
        // Ids of another journal name other meshes.
        if (target->shape != target->base_shape) replace_shape(*target, target->base_shape);
        target->state->restart();
        update_shape(*target);
    };
    restart();
    target->change.keeps_motion = true;
    if (!target->change.problems.empty()) {
        const Error problem{"the journal does not fit the body: " + target->change.problems[0], "",
                            ""};
        target->change.problems.clear();
        target->journal = std::move(journal);
        target->centre_shift_b = shift_b;
        restart();
        send_to_engine(*target);
        return problem;
    }
    target->impact_hits.clear();
    target->has_new_break = true;
    std::erase_if(queue_, [&](const Pending& p) { return p.object == id; });
    send_to_engine(*target);
    return {};
}

}  // namespace ductile
