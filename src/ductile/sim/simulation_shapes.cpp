// SPDX-License-Identifier: MIT
// From journals to surfaces, masses and colliders.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/mesh_revision.h>
#include <ductile/sim/object_parts.h>
#include <ductile/sim/simulation_object.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <iterator>
#include <utility>

namespace ductile {
namespace {

/// The same distribution with the mass it had: a dent moves matter, it does not make or lose any.
MassProperties with_mass(MassProperties m, double mass) {
    m.inertia_b *= mass / m.mass;
    m.mass = mass;
    return m;
}

// Where the surface lies deeper than this share of the fill tolerance, neighbouring pieces may
// cover it. Tried from 0.1 to 1 on a hundred dented barrels: worst collider error 1.8 to 2.8 %.
constexpr double kDentedShare = 0.1;

// Within a fade, how far points move before normals, mass and pieces are asked about them, as a
// share of the fill tolerance: little against how far the furthest may.
constexpr double kLookedAt = 0.1;
// And how far a piece is bent before it is asked again whether it fits: as far as anything moves
// before the whole follows.
constexpr double kBentShare = 0.5;

// Which part each point of a refined mesh belongs to: a new one to that of its first parent.
void extend_parts(const BodyShape& shape, std::vector<std::int32_t>& part_of_point) {
    for (const MeshSplit& split : shape.splits) {
        for (const MeshEdge& edge : split) {
            part_of_point.push_back(part_of_point[static_cast<std::size_t>(edge[0])]);
        }
    }
}

}  // namespace

void Simulation::set_shape(Object& o, std::shared_ptr<const BodyShape> shape) {
    const double dented = kDentedShare * options_.fill_tolerance * shape->size;
    o.set_shape(std::move(shape), dented);
}

void Simulation::replace_shape(Object& o, std::shared_ptr<const BodyShape> shape) {
    // The collider is another one, too: all of the old pieces go, all of the new ones come.
    if (!o.change.is_new_mesh) o.change.removed = o.cut.active;
    o.change.is_new_mesh = true;
    o.is_mesh_full = false;
    set_shape(o, std::move(shape));
}

void Simulation::extend_shape(Object& o, std::shared_ptr<const BodyShape> shape) {
    PieceCut cut = std::move(o.cut);
    std::vector<Vec3> known = std::move(o.engine_points);
    set_shape(o, std::move(shape));
    o.cut = std::move(cut);
    std::copy(known.begin(), known.end(), o.engine_points.begin());
    o.has_moved_early = true;
}

void Simulation::update_mesh(Object& o) {
    while (!has_mesh_of(*o.shape, o.journal)) {
        const bool is_further = leads_to(*o.shape, o.journal);
        Result<std::shared_ptr<const BodyShape>> made =
            refined_shape(o.base_shape, o.journal, is_further ? o.shape.get() : nullptr);
        if (!made) {
            o.change.problems.push_back(made.error().text());
            o.journal.remove(mesh_hits(o.journal).back());
            continue;
        }
        if (o.is_split()) {
            o.part_of_point.resize(o.base_shape->rest().size());
            extend_parts(*made.value(), o.part_of_point);
        }
        if (is_further) {
            extend_shape(o, std::move(made).value());
        } else {
            replace_shape(o, std::move(made).value());
        }
    }
}

void Simulation::update_shapes() {
    std::vector<Object*> moving;
    for (const auto& o : objects_) {
        if (!o->is_moving) continue;
        // The collider follows once it is one body again: until then whoever asks makes the shape.
        if (o->is_bending() && !o->bend->is_calm() && !o->has_new_hit) {
            o->late_shape = time_;
        } else {
            moving.push_back(o.get());
        }
    }
    parallel_for(moving.size(), 1, [&](std::size_t i) {
        if (!follow_fade(*moving[i])) update_shape(*moving[i]);
    });
    for (Object* o : moving) send_to_engine(*o);
    for (const auto& o : objects_) take_true_inertia(*o);
}

// What lies still may have its shape's own inertia again: it costs no energy now.
void Simulation::take_true_inertia(Object& o) {
    const auto is_large = [](double excess) { return excess > 1.0; };
    if (o.is_bending()) return;
    if (std::none_of(o.inertia_excess.begin(), o.inertia_excess.end(), is_large)) return;
    const auto is_asleep = [&](BodyId id) { return engine_.motion(id).is_asleep; };
    if (!std::all_of(o.bodies.begin(), o.bodies.end(), is_asleep)) return;
    const Result<MassProperties> mass = o.weigh();
    if (!mass) return;  // Within a fade: the whole follows, and then its newest hit is refused.
    o.change.mass = with_mass(mass.value(), o.shape->mass.mass);
    o.change.is_due = true;
    send_to_engine(o);
}

void Simulation::update_surface(Object& o) {
    o.late_shape.reset();
    const Result<bool> moved = o.state->update(o.journal, time_);
    if (!moved || !moved.value()) return;
    o.note_moved();
    o.has_moved_early = true;
}

void Simulation::update_shape(Object& o) {
    o.late_shape.reset();
    update_mesh(o);
    Object::Change& change = o.change;
    change.is_due = false;
    change.moved.clear();
    change.added.clear();
    if (!change.is_new_mesh) change.removed.clear();
    const BodyShape& shape = *o.shape;
    bool has_moved = o.has_moved_early || change.is_new_mesh || o.is_ahead ||
                     !o.unfollowed.is_empty() || !o.cut.looks.waiting.empty();
    // Within a fade what has hardly moved is looked at later, all of it once nothing moves.
    const double late = is_fading(o) ? options_.fill_tolerance * shape.size : 0.0;
    const double least = kLookedAt * late;
    o.has_new_hit = o.has_moved_early = o.is_due_whole = false;
    for (;;) {
        const Result<bool> moved = o.state->update(o.journal, time_);
        has_moved = has_moved || !moved || moved.value();
        if (moved && moved.value()) o.note_moved();
        o.follow(least);
        const Result<MassProperties> mass = o.followed_mass();
        if (moved && mass) {
            change.mass = with_mass(mass.value(), shape.mass.mass);
            break;
        }
        // The newest hit goes first; without any the surface is the rest shape, which is good.
        change.problems.push_back((moved ? mass.error() : moved.error()).text());
        const std::span<const Hit> hits = o.journal.hits();
        DUCTILE_ASSERT(!hits.empty(), "the rest shape was checked when it was made");
        o.journal.remove(hits.back().id);
    }
    o.is_moving = !o.journal.is_settled(time_);
    o.note_levels(time_);
    if (!has_moved) return;
    // The collider of what bends is another one only once it is one body again.
    if (o.is_bending() && !o.bend->is_calm() && !change.is_new_mesh) {
        o.is_moving = o.has_moved_early = true;
        return;
    }

    const std::span<const Vec3> points = o.state->points();
    std::vector<std::int32_t> moved = o.follower->moved();
    const bool was_ahead = std::exchange(o.is_ahead, false);
    if (was_ahead || least > 0.0) {
        const std::vector<std::int32_t>& tracked = o.tracked_points();
        std::vector<std::int32_t> all;
        std::set_union(moved.begin(), moved.end(), tracked.begin(), tracked.end(),
                       std::back_inserter(all));
        moved = std::move(all);
    }
    std::erase_if(moved, [&](std::int32_t v) { return points[v] == o.engine_points[v]; });
    const std::vector<std::int32_t> touched = o.pieces_tracking(moved);
    const SurfaceChange since{o.state->boxes(),      o.follower->dented(),
                              o.follower->changed(), o.follower->ever_changed(),
                              o.state->frames(),     kBentShare * late};
    const PieceChange cut =
        refine_cut(shape.pieces, shape.vertex_pieces, points, o.follower->normals(), since,
                   options_.fill_tolerance * shape.size, options_.piece_budget, o.cut);
    o.follower->forget_changes();
    o.tracked.clear();
    if (change.is_new_mesh) {
        for (std::int32_t piece : o.cut.active) change.added.push_back(o.cloud(piece));
        o.engine_points.assign(points.begin(), points.end());
        change.is_due = true;
        return;
    }
    change.removed = cut.removed;
    for (std::int32_t piece : cut.added) {
        change.added.push_back(o.cloud(piece));
        for (const std::int32_t v : shape.pieces.pieces[piece].tracked) {
            o.engine_points[v] = points[v];
        }
    }
    for (std::int32_t piece : touched) {
        if (!std::binary_search(cut.removed.begin(), cut.removed.end(), piece)) {
            change.moved.push_back(o.cloud(piece));
        }
    }
    for (const std::int32_t v : moved) o.engine_points[v] = points[v];
    change.is_due = true;
}

void Simulation::send_to_engine(Object& o) {
    const Object::Change change = std::exchange(o.change, {});
    for (const std::string& problem : change.problems) {
        ++report_.fallbacks;
        add_incident(o.name, "a hit was refused, the body kept its last good shape: " + problem);
    }
    // The engine has its groups as they were when it fell awake, until it is one again.
    if (!change.is_due || o.is_bending()) return;
    std::vector<MassProperties> masses;
    if (change.mass) masses.push_back(*change.mass);
    if (change.mass && o.is_split()) {
        Result<std::vector<MassProperties>> parts = part_masses(
            o.shape->triangles(), o.state->points(), o.part_of_point, o.shape->mass.mass);
        if (parts) {
            masses = std::move(parts).value();
        } else {
            add_incident(o.name, "its parts kept their old masses: " + parts.error().text());
            masses.clear();
        }
    }
    // Each part gets the pieces that are its own.
    for (std::size_t part = 0; part < o.bodies.size(); ++part) {
        const auto is_other = [&](std::int32_t piece) {
            return o.is_split() && part_of_piece(o.shape->pieces.pieces[piece], o.part_of_point) !=
                                       static_cast<std::int32_t>(part);
        };
        Object::Change own = change;
        std::erase_if(own.moved, [&](const ColliderPiece& p) { return is_other(p.id); });
        std::erase_if(own.added, [&](const ColliderPiece& p) { return is_other(p.id); });
        std::erase_if(own.removed, is_other);
        Reshape reshape;
        reshape.moved = own.moved;
        reshape.added = own.added;
        reshape.removed = own.removed;
        if (!masses.empty()) {
            o.inertia_excess.resize(o.bodies.size(), 1.0);
            double& excess = o.inertia_excess[part];
            excess = change.keeps_motion ? 1.0 : limit_energy(o.bodies[part], excess, masses[part]);
            reshape.mass = &masses[part];
        }
        reshape.contact_tolerance = options_.contact_tolerance * o.size;
        const BodyMotion before = engine_.motion(o.bodies[part]);
        const Result<double> work = engine_.reshape(o.bodies[part], reshape);
        if (!work) {
            add_incident(o.name, "the engine kept the old collider: " + work.error().text());
            continue;
        }
        ++report_.reshapes;
        if (!change.mass) ++report_.light_reshapes;
        if (change.keeps_motion) {
            put_back(o.bodies[part], before);
            continue;
        }
        ledger_.reshape += work.value();
        ledger_.now += work.value();
    }
}

// A body that draws its matter in and keeps its angular momentum turns faster, with energy that a
// pressed shape does not have to give. The inertia that is left too large by as much costs neither
// law; a body that does not turn gets the true one.
double Simulation::limit_energy(BodyId id, double old_excess, MassProperties& wanted) {
    const MassProperties now = engine_.mass(id);
    const BodyMotion m = engine_.motion(id);
    if (!(now.mass > 0)) return 1.0;
    const Vec3 spin_b = m.pose_w.inverse_direction(m.spin_w);
    const Vec3 momentum_b = now.inertia_b * spin_b;
    const double before = 0.5 * spin_b.dot(momentum_b);
    const Mat3 inertia = wanted.inertia_b * (now.mass / wanted.mass);
    const double after = 0.5 * momentum_b.dot(inertia.ldlt().solve(momentum_b));
    if (!(after > before) || !(before > 0)) return 1.0;
    const double excess = after / before;
    wanted.inertia_b *= excess;
    // Only what is new: the rest was held back before.
    ledger_.withheld += std::max(0.0, excess - old_excess) * before;
    return excess;
}

void Simulation::put_back(BodyId id, const BodyMotion& motion) {
    const BodyMotion now = engine_.motion(id);
    if (now.pose_w.translation == motion.pose_w.translation && now.spin_w == motion.spin_w) return;
    engine_.set_motion(id, motion.pose_w, motion.velocity_w, motion.spin_w);
}

}  // namespace ductile
