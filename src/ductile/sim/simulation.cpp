// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/hash.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/surface_query.h>
#include <ductile/sim/simulation.h>

#include <algorithm>
#include <limits>

namespace ductile {
namespace {

constexpr std::size_t kMostIncidents = 100;

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
};

struct Simulation::Body {
    BodyId id;
    std::string name;
    double size = 0.0;

    // Only for what deforms.
    std::shared_ptr<const BodyShape> shape;
    std::unique_ptr<BodyState> state;
    Journal journal;
    PieceCut cut;
    double margin = 0.0;
    bool is_moving = false;  ///< Whether the next step has to look at the journal.
    std::vector<Vec3> told;  ///< The surface as the engine knows it.

    /// What update_shape found, for tell_engine.
    struct Change {
        bool is_due = false;
        std::vector<ColliderPiece> moved, added;
        std::vector<std::int32_t> removed;
        MassProperties mass;
        std::vector<std::string> problems;
    } change;

    /// Made when first asked about, refitted when the surface has moved since.
    mutable std::unique_ptr<SurfaceQuery> query;
    mutable std::uint64_t query_revision = 0;
};

Simulation::Simulation(Engine& engine, const SimOptions& options)
    : engine_(engine), options_(options), tracker_(options.impacts) {}

Simulation::~Simulation() = default;

Result<BodyId> Simulation::add_rigid(const BodyDesc& desc, double size) {
    Result<BodyId> id = engine_.add(desc);
    if (!id) return id;
    auto body = std::make_unique<Body>();
    body->id = id.value();
    body->name = desc.name;
    body->size = size;
    bodies_.push_back(std::move(body));
    return id;
}

Result<BodyId> Simulation::add_deformable(BodyDesc desc, std::shared_ptr<const BodyShape> shape,
                                          double margin) {
    DUCTILE_ASSERT(shape, "a deformable body has a shape");
    auto body = std::make_unique<Body>();
    body->name = desc.name;
    body->size = shape->size;
    body->state = std::make_unique<BodyState>(shape);
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
    };
    std::vector<Question> questions;
    for (const Impact& impact : impacts) {
        for (int side = 0; side < 2; ++side) {
            const Body* target = find(impact.sides[side].id);
            if (target && target->state) questions.push_back({seen_from(impact, side), target, {}});
        }
    }
    parallel_for(questions.size(), 4, [&](std::size_t i) {
        Question& q = questions[i];
        q.answers.resize(q.body->shape->layers.size());
        for (std::size_t k = 0; k < q.answers.size(); ++k) {
            q.body->shape->layers[k]->respond(q.impact, *q.body->shape, q.body->state->points(),
                                              q.answers[k]);
        }
    });
    for (Question& q : questions) {
        for (Response& answer : q.answers) {
            for (HitRecord& record : answer.records) {
                queue_.push_back({q.body->id, q.impact.time, answer.duration, std::move(record)});
            }
        }
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
        target.journal.add(time_, queue_[i].duration, std::move(queue_[i].record));
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
    bool has_moved = false;
    for (;;) {
        const Result<bool> moved = b.state->update(b.journal, time_);
        Result<MassProperties> mass = MassProperties{};
        if (moved) mass = mass_properties(b.state->points(), shape.triangles(), shape.mass_model);
        if (moved && mass) {
            has_moved = has_moved || moved.value();
            change.mass = with_mass(mass.value(), shape.mass.mass);
            break;
        }
        // The newest hit goes first; without any the surface is the rest shape, which is good.
        change.problems.push_back((moved ? mass.error() : moved.error()).text());
        has_moved = true;
        const std::span<const Hit> hits = b.journal.hits();
        DUCTILE_ASSERT(!hits.empty(), "the rest shape was checked when it was made");
        b.journal.remove(hits.back().id);
    }
    b.is_moving = !b.journal.is_settled(time_);
    if (!has_moved) return;

    const std::span<const Vec3> points = b.state->points();
    const auto differs = [&](std::int32_t v) { return points[v] != b.told[v]; };
    std::vector<std::int32_t> touched;
    for (std::int32_t piece : b.cut.active) {
        const std::vector<std::int32_t>& vertices = shape.pieces.pieces[piece].vertices;
        if (std::any_of(vertices.begin(), vertices.end(), differs)) touched.push_back(piece);
    }
    const PieceChange cut =
        refine_cut(shape.pieces, points, shape.normals, touched,
                   options_.fill_tolerance * shape.size, options_.piece_budget, b.cut);
    change.removed = cut.removed;
    const auto cloud = [&](std::int32_t piece) {
        ColliderPiece out{piece, {}};
        piece_points(shape.pieces.pieces[piece], points, out.points);
        return out;
    };
    for (std::int32_t piece : cut.added) change.added.push_back(cloud(piece));
    for (std::int32_t piece : touched) {
        if (std::find(cut.removed.begin(), cut.removed.end(), piece) == cut.removed.end()) {
            change.moved.push_back(cloud(piece));
        }
    }
    b.told.assign(points.begin(), points.end());
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

std::optional<Simulation::Sample> Simulation::sample(BodyId id, const Vec3& point_b,
                                                     double radius) const {
    const Body* b = find(id);
    if (!b || !b->state) return std::nullopt;
    if (!b->query) {
        b->query = std::make_unique<SurfaceQuery>(b->state->points(), b->shape->triangles());
    } else if (b->query_revision != b->state->revision()) {
        b->query->refit(b->state->points());
    }
    b->query_revision = b->state->revision();

    const SurfacePoint nearest = b->query->closest_point(point_b);
    if (nearest.triangle < 0) return std::nullopt;
    const std::span<const Vec3> points = b->state->points();
    const std::span<const Triangle> triangles = b->shape->triangles();
    const Vec3 own = area_vector(points, triangles[nearest.triangle]);
    Vec3 sum = own;
    Box box;
    box.add(Vec3(nearest.position.array() - radius));
    box.add(Vec3(nearest.position.array() + radius));
    for (std::int32_t f : b->query->overlapping(box)) {
        const Triangle& t = triangles[f];
        const Vec3 centre = (points[t[0]] + points[t[1]] + points[t[2]]) / 3.0;
        const Vec3 area = area_vector(points, t);
        const bool same_side = area.dot(own) > 0;  // not the far wall of a thin body
        if (same_side && (centre - nearest.position).norm() < radius) sum += area;
    }
    if (!(sum.norm() > 0)) return std::nullopt;
    return Sample{nearest.position, sum.normalized()};
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
