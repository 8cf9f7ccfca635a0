// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/sim/collider_surface.h>
#include <ductile/sim/simulation.h>
#include <ductile/sim/surface_follower.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ductile {
namespace {

// Where the surface lies deeper than this share of the fill tolerance, neighbouring pieces may
// cover it. Tried from 0.1 to 1 on a hundred dented barrels: worst collider error 1.8 to 2.8 %.
constexpr double kDentedShare = 0.1;

// Hits remembered with the blow that left them; a blow that grows does so within a few steps.
constexpr std::size_t kBlowHits = 64;
// Bodies with more hits are seen as they are now by a blow that grows.
constexpr std::size_t kRecalledHits = 32;
constexpr std::size_t kMostIncidents = 100;
// Places told of per blow: enough for the rim of a barrel, half a footprint's radius apart.
constexpr std::size_t kMostStarts = 16;
constexpr double kStartSpacing = 0.5;
// Surface points asked about per blow: enough to find where a rim stands, few enough to be cheap.
constexpr std::size_t kMostQuestions = 64;

double kinetic_energy(const Engine& engine, BodyId id) {
    const MassProperties mass = engine.mass(id);
    const BodyMotion m = engine.motion(id);
    if (!(mass.mass > 0) || m.is_asleep) return 0.0;
    const Vec3 spin_b = m.pose_w.inverse_direction(m.spin_w);
    return 0.5 * (mass.mass * m.velocity_w.squaredNorm() + spin_b.dot(mass.inertia_b * spin_b));
}

/// The same distribution with the mass it had: a dent moves matter, it does not make or lose any.
MassProperties with_mass(MassProperties m, double mass) {
    m.inertia_b *= mass / m.mass;
    m.mass = mass;
    return m;
}

}  // namespace

struct Simulation::Pending {
    BodyId body;
    double time = 0.0;
    double duration = 0.0;
    HitRecord record;
    std::int64_t episode = 0;  ///< The blow it is of; 0 for a hit by hand.
};

struct Simulation::Body {
    BodyId id;
    std::string name;
    double size = 0.0;
    double edge = 0.0;  ///< Mean length of the surface's edges [m].

    std::shared_ptr<const SurfaceQuery> rigid_surface;  ///< Of what does not deform; may be null.

    // Only for what deforms.
    std::shared_ptr<const BodyShape> shape;
    std::unique_ptr<BodyState> state;
    std::unique_ptr<SurfaceFollower> follower;  ///< Of the state's points, always.
    Journal journal;
    /// The last hits that blows left, so that a blow that grows is seen against shapes before it.
    struct BlowHit {
        std::int64_t episode = 0, hit = 0;
    };
    std::vector<BlowHit> blow_hits;
    PieceCut cut;
    double margin = 0.0;
    bool is_moving = false;        ///< Whether the next step has to look at the journal.
    bool has_new_hit = false;      ///< Written in this step.
    bool has_moved_early = false;  ///< In this step, so that a second hit could be guarded.
    std::vector<Vec3> told;        ///< The surface as the engine knows it.

    /// What update_shape found, for tell_engine.
    struct Change {
        bool is_due = false;
        std::vector<ColliderPiece> moved, added;
        std::vector<std::int32_t> removed;
        MassProperties mass;
        std::vector<std::string> problems;
    } change;

    /// Made when first asked about, refitted where the surface has moved since.
    mutable std::unique_ptr<SurfaceQuery> query;
    mutable std::vector<std::int32_t> moved_triangles;  ///< Since then; may repeat.

    const SurfaceQuery& surface() const {
        if (!query) {
            query = std::make_unique<SurfaceQuery>(state->points(), shape->triangles());
        } else if (moved_triangles.size() < shape->triangles().size()) {
            query->refit(state->points(), moved_triangles);
        } else {
            query->refit(state->points());
        }
        moved_triangles.clear();
        return *query;
    }

    const SurfaceQuery* known_surface() const { return state ? &surface() : rigid_surface.get(); }

    /// The surface as it would be without the hits of one blow; null if it left none.
    std::unique_ptr<SurfaceQuery> surface_before(std::int64_t episode, double time) const {
        // Among many dents the one of this blow is a detail, and taking it back is a long way.
        if (journal.hits().size() > kRecalledHits) return nullptr;
        const auto is_of_it = [&](const BlowHit& b) { return b.episode == episode; };
        if (std::none_of(blow_hits.begin(), blow_hits.end(), is_of_it)) return nullptr;
        Journal earlier = journal;
        for (const BlowHit& b : blow_hits) {
            if (is_of_it(b)) earlier.remove(b.hit);
        }
        return std::make_unique<SurfaceQuery>(shape_at(*shape, earlier, time), shape->triangles());
    }

    /// The points with direction . p >= height, ascending.
    std::vector<std::int32_t> points_beyond(const Vec3& direction, double height) const {
        const PointBoxes& boxes = state->boxes();
        // Rounding never turns the order of products and sums around: no point of a box that is
        // ruled out by its furthest corner would pass.
        const auto may_hold = [&](const Box& box) {
            const Vec3 corner = (direction.array() > 0).select(box.upper, box.lower);
            return direction.dot(corner) >= height;
        };
        std::vector<std::int32_t> found;
        boxes.visit(may_hold, [&](std::int32_t leaf) {
            for (const std::int32_t v : boxes.tree().points_of(leaf)) {
                if (direction.dot(state->points()[v]) >= height) found.push_back(v);
            }
        });
        std::sort(found.begin(), found.end());
        return found;
    }

    /// After the state's points moved.
    void follow() {
        follower->follow(state->points(), state->touched());
        // Nobody may ask for long: beyond as many as there are, which ones no longer matters.
        if (!query || moved_triangles.size() >= shape->triangles().size()) return;
        const std::span<const std::int32_t> touched = follower->touched_triangles();
        moved_triangles.insert(moved_triangles.end(), touched.begin(), touched.end());
    }
};

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
    bodies_.push_back(std::move(body));
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
    bodies_.push_back(std::move(body));
    return id;
}

void Simulation::remove(BodyId id) {
    if (!find(id)) return;
    engine_.remove(id);
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
    const std::vector<Impact> impacts = tracker_.update(engine_.batches(), *this);
    report_.impacts += static_cast<std::int64_t>(impacts.size());
    queue_responses(impacts);
    write_journals();
    update_shapes();
}

void Simulation::queue_responses(std::span<const Impact> impacts) {
    struct Question {
        BodyImpact impact;
        const Body* body;
        std::vector<Response> answers;
        std::size_t of = 0;  ///< Which impact.
        int side = 0;
        std::unique_ptr<SurfaceQuery> earlier;  ///< The other's surface before a blow that grew.
    };
    std::vector<Question> questions;
    for (std::size_t i = 0; i < impacts.size(); ++i) {
        for (int side = 0; side < 2; ++side) {
            const Body* target = find(impacts[i].sides[side].id);
            if (!target || !target->state) continue;
            Question& q = questions.emplace_back();
            q.impact = seen_from(impacts[i], side);
            q.body = target;
            q.of = i;
            q.side = side;
            // Surfaces are brought up to date here, in order; below they are only read.
            target->surface();
            if (const Body* other = find(q.impact.other)) {
                q.impact.other_surface = other->known_surface();
                q.impact.other_edge = other->edge;
                if (other->state && q.impact.previous_damage_impulse > 0) {
                    q.earlier = other->surface_before(q.impact.episode, time_);
                }
                if (q.earlier) q.impact.other_surface = q.earlier.get();
            }
        }
    }
    parallel_for(questions.size(), 4, [&](std::size_t i) {
        Question& q = questions[i];
        q.answers.resize(q.body->shape->layers.size());
        for (std::size_t k = 0; k < q.answers.size(); ++k) {
            q.body->shape->layers[k]->respond(q.impact, *q.body->shape, *q.body->query,
                                              q.answers[k]);
        }
    });
    struct Aftermath {
        double rebound = 1.0;
        std::array<Vec3, 2> moves_w = {Vec3::Zero(), Vec3::Zero()};
    };
    std::vector<Aftermath> after(impacts.size());
    for (Question& q : questions) {
        for (Response& answer : q.answers) {
            for (HitRecord& record : answer.records) {
                queue_.push_back({q.body->id, q.impact.time, answer.duration, std::move(record),
                                  q.impact.episode});
            }
            after[q.of].rebound = std::min(after[q.of].rebound, answer.rebound);
            after[q.of].moves_w[1 - q.side] +=
                impacts[q.of].sides[q.side].pose_w.direction(answer.move_other_b);
        }
    }
    for (std::size_t i = 0; i < impacts.size(); ++i) {
        settle(impacts[i], after[i].rebound, after[i].moves_w);
    }
}

void Simulation::settle(const Impact& impact, double rebound, const std::array<Vec3, 2>& moves_w) {
    const ImpactSide& a = impact.sides[0];
    const ImpactSide& b = impact.sides[1];
    const Vec3 place_w = a.pose_w.point(a.point_b);
    const Vec3 normal_w = a.pose_w.direction(a.normal_b);  // out of a
    const auto energy = [&] {
        return kinetic_energy(engine_, a.id) + kinetic_energy(engine_, b.id);
    };
    const double parting =
        (engine_.velocity_at(b.id, place_w) - engine_.velocity_at(a.id, place_w)).dot(normal_w);
    const double allowed = rebound * impact.restitution * impact.approach_speed;
    if (rebound < 1.0 && parting > allowed) {
        const double before = energy();
        const Vec3 impulse_w = impact.effective_mass * (parting - allowed) * normal_w;
        engine_.apply_impulse(a.id, impulse_w, place_w);
        engine_.apply_impulse(b.id, -impulse_w, place_w);
        const double lost = before - energy();
        ledger_.dissipated += lost;
        ledger_.now -= lost;
    }
    for (int k = 0; k < 2; ++k) {
        const BodyId id = impact.sides[k].id;
        if (moves_w[k].isZero() || !(engine_.mass(id).mass > 0)) continue;
        const BodyMotion m = engine_.motion(id);
        Transform pose_w = m.pose_w;
        pose_w.translation += moves_w[k];
        engine_.set_motion(id, pose_w, m.velocity_w, m.spin_w);
    }
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

void Simulation::update_shapes() {
    std::vector<Body*> moving;
    for (const auto& b : bodies_) {
        if (b->is_moving) moving.push_back(b.get());
    }
    parallel_for(moving.size(), 1, [&](std::size_t i) { update_shape(*moving[i]); });
    for (Body* b : moving) tell_engine(*b);
}

void Simulation::update_shape(Body& b) {
    Body::Change& change = b.change;
    change = {};
    const BodyShape& shape = *b.shape;
    bool has_moved = b.has_moved_early;
    b.has_new_hit = b.has_moved_early = false;
    for (;;) {
        const Result<bool> moved = b.state->update(b.journal, time_);
        has_moved = has_moved || !moved || moved.value();
        if (moved && moved.value()) b.follow();
        const Result<MassProperties> mass = b.follower->mass();
        if (moved && mass) {
            change.mass = with_mass(mass.value(), shape.mass.mass);
            break;
        }
        // The newest hit goes first; without any the surface is the rest shape, which is good.
        change.problems.push_back((moved ? mass.error() : moved.error()).text());
        const std::span<const Hit> hits = b.journal.hits();
        DUCTILE_ASSERT(!hits.empty(), "the rest shape was checked when it was made");
        b.journal.remove(hits.back().id);
    }
    b.is_moving = !b.journal.is_settled(time_);
    if (!has_moved) return;

    const std::span<const Vec3> points = b.state->points();
    std::vector<std::int32_t> moved = b.follower->moved();
    std::erase_if(moved, [&](std::int32_t v) { return points[v] == b.told[v]; });
    const std::vector<std::int32_t> touched =
        pieces_holding(shape.pieces, shape.vertex_pieces, b.cut, moved);
    const SurfaceChange since{b.state->boxes(), b.follower->dented(), b.follower->changed(),
                              b.follower->ever_changed()};
    const PieceChange cut =
        refine_cut(shape.pieces, shape.vertex_pieces, points, b.follower->normals(), since,
                   options_.fill_tolerance * shape.size, options_.piece_budget, b.cut);
    b.follower->settle();
    change.removed = cut.removed;
    const auto cloud = [&](std::int32_t piece) {
        ColliderPiece out{piece, {}};
        piece_points(shape.pieces.pieces[piece], points, out.points);
        return out;
    };
    for (std::int32_t piece : cut.added) change.added.push_back(cloud(piece));
    for (std::int32_t piece : touched) {
        if (!std::binary_search(cut.removed.begin(), cut.removed.end(), piece)) {
            change.moved.push_back(cloud(piece));
        }
    }
    for (const std::int32_t v : moved) b.told[v] = points[v];
    change.is_due = true;
}

void Simulation::tell_engine(Body& b) {
    for (std::string& problem : b.change.problems) {
        ++report_.fallbacks;
        note(b.name, "a hit was refused, the body kept its last good shape: " + problem);
    }
    if (!b.change.is_due) return;
    Reshape reshape;
    reshape.moved = b.change.moved;
    reshape.added = b.change.added;
    reshape.removed = b.change.removed;
    reshape.mass = &b.change.mass;
    reshape.contact_tolerance = options_.contact_tolerance * b.size;
    const Result<double> work = engine_.reshape(b.id, reshape);
    if (!work) {
        note(b.name, "the engine kept the old collider: " + work.error().text());
        return;
    }
    ++report_.reshapes;
    ledger_.reshape += work.value();
    ledger_.now += work.value();
}

void Simulation::note(std::string name, std::string what) {
    if (report_.incidents.size() < kMostIncidents) {
        report_.incidents.push_back({time_, std::move(name), std::move(what)});
    }
}

Simulation::Body* Simulation::find(BodyId id) const {
    const auto at = std::lower_bound(bodies_.begin(), bodies_.end(), id,
                                     [](const auto& b, BodyId i) { return b->id < i; });
    return at != bodies_.end() && (*at)->id == id ? at->get() : nullptr;
}

Simulation::Body& Simulation::body(BodyId id) const {
    Body* found = find(id);
    DUCTILE_ASSERT(found, "a body of this simulation");
    return *found;
}

double Simulation::size(BodyId id) const {
    const Body* found = find(id);
    return found ? found->size : std::numeric_limits<double>::infinity();
}

double Simulation::yield_speed(BodyId id) const {
    const Body* found = find(id);
    return found && found->state && !found->shape->layers.empty()
               ? found->shape->material.yield_speed
               : kInfinity;
}

std::optional<Simulation::Footprint> Simulation::footprint(const Touching& t) const {
    const Body* b = find(t.body);
    if (!b || !b->state) return std::nullopt;
    const Vec3 facing_b = t.body_pose_w.inverse_direction(t.facing_w);
    const SurfacePoint seen =
        b->surface().closest_point(t.body_pose_w.inverse_point(t.point_w - t.shift_w));
    if (seen.triangle < 0) return std::nullopt;

    // The engine has moved on since: ask about the other body where it is now.
    const Transform other_now = engine_.motion(t.other).pose_w * t.other_pose_w.inverse();
    const auto gap = [&](const Vec3& p_b, double reach) {
        const Vec3 p_w = t.body_pose_w.point(p_b) + t.shift_w;
        return engine_.closest_point(t.other, other_now.point(p_w), reach).distance;
    };
    // What lies further back than the window along the normal is at least that far from anything
    // convex beyond the touch: the rest of the surface need not be asked about.
    const std::span<const Vec3> points = b->state->points();
    const double behind = facing_b.dot(seen.position) - t.window;
    std::vector<Vec3> places = {seen.position};
    std::vector<double> gaps = {gap(seen.position, t.radius)};
    // An engine whose shapes are not where it says they touch gets the one place it named.
    const bool is_consistent = std::abs(gaps[0]) < t.radius;
    if (!is_consistent) gaps[0] = 0.0;
    std::vector<std::int32_t> candidates;
    if (is_consistent) candidates = b->points_beyond(facing_b, behind);
    const std::size_t stride = candidates.size() / kMostQuestions + 1;
    for (std::size_t i = 0; i < candidates.size(); i += stride) {
        const Vec3& p = points[candidates[i]];
        const double g = gap(p, gaps[0] + t.window);
        if (!std::isfinite(g)) continue;
        places.push_back(p);
        gaps.push_back(g);
    }
    const std::size_t first = std::min_element(gaps.begin(), gaps.end()) - gaps.begin();
    const std::vector<std::size_t> starts =
        spread_out(places, first, kStartSpacing * t.radius, kMostStarts);
    return footprint_of(*b, places, gaps, starts, gaps[first], facing_b, t);
}

Simulation::Footprint Simulation::footprint_of(const Body& b, std::span<const Vec3> places,
                                               std::span<const double> gaps,
                                               std::span<const std::size_t> starts, double nearest,
                                               const Vec3& facing_b, const Touching& t) const {
    Footprint footprint;
    double sum = 0.0;
    for (std::size_t i : starts) {
        // Counts in full if it touches, not at all at the window's edge.
        const double weight = std::max(0.0, 1.0 - (gaps[i] - nearest) / t.window);
        if (!(weight > 0)) continue;
        footprint.starts_b.push_back(places[i]);
        footprint.position_b += weight * places[i];
        sum += weight;
    }
    footprint.position_b /= sum;

    const std::span<const Vec3> points = b.state->points();
    Vec3 normal = 1e-9 * t.radius * t.radius * facing_b;  // where no face faces the other
    Box box;
    for (const Vec3& start : footprint.starts_b) {
        box.add(Vec3(start.array() - t.radius));
        box.add(Vec3(start.array() + t.radius));
    }
    for (std::int32_t f : b.surface().overlapping(box)) {
        const Triangle& corners = b.shape->triangles()[f];
        const Vec3 area = area_vector(points, corners);
        const double facing = area.dot(facing_b);
        if (!(facing > 0)) continue;
        const Vec3 centre = (points[corners[0]] + points[corners[1]] + points[corners[2]]) / 3.0;
        double near = 0.0;
        for (const Vec3& start : footprint.starts_b) {
            near = std::max(near, 1.0 - (centre - start).squaredNorm() / (t.radius * t.radius));
        }
        normal += area * (near * near * facing / area.norm());
    }
    footprint.normal_b = normal.normalized();
    return footprint;
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
