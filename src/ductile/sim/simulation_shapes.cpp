// SPDX-License-Identifier: MIT
// From journals to surfaces, masses and colliders.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/sim/object_parts.h>
#include <ductile/sim/simulation_object.h>

namespace ductile {
namespace {

/// The same distribution with the mass it had: a dent moves matter, it does not make or lose any.
MassProperties with_mass(MassProperties m, double mass) {
    m.inertia_b *= mass / m.mass;
    m.mass = mass;
    return m;
}

}  // namespace

void Simulation::update_shapes() {
    std::vector<Object*> moving;
    for (const auto& o : objects_) {
        if (o->is_moving) moving.push_back(o.get());
    }
    parallel_for(moving.size(), 1, [&](std::size_t i) { update_shape(*moving[i]); });
    for (Object* o : moving) send_to_engine(*o);
}

void Simulation::update_shape(Object& o) {
    Object::Change& change = o.change;
    change = {};
    const BodyShape& shape = *o.shape;
    bool has_moved = o.has_moved_early;
    o.has_new_hit = o.has_moved_early = false;
    for (;;) {
        const Result<bool> moved = o.state->update(o.journal, time_);
        has_moved = has_moved || !moved || moved.value();
        if (moved && moved.value()) o.follow();
        const Result<MassProperties> mass = o.follower->mass();
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
    if (!has_moved) return;

    const std::span<const Vec3> points = o.state->points();
    std::vector<std::int32_t> moved = o.follower->moved();
    std::erase_if(moved, [&](std::int32_t v) { return points[v] == o.engine_points[v]; });
    const std::vector<std::int32_t> touched =
        pieces_holding(shape.pieces, shape.vertex_pieces, o.cut, moved);
    const SurfaceChange since{o.state->boxes(), o.follower->dented(), o.follower->changed(),
                              o.follower->ever_changed(), o.state->frames()};
    const PieceChange cut =
        refine_cut(shape.pieces, shape.vertex_pieces, points, o.follower->normals(), since,
                   options_.fill_tolerance * shape.size, options_.piece_budget, o.cut);
    o.follower->forget_changes();
    change.removed = cut.removed;
    for (std::int32_t piece : cut.added) change.added.push_back(o.cloud(piece));
    for (std::int32_t piece : touched) {
        if (!std::binary_search(cut.removed.begin(), cut.removed.end(), piece)) {
            change.moved.push_back(o.cloud(piece));
        }
    }
    for (const std::int32_t v : moved) o.engine_points[v] = points[v];
    change.is_due = true;
}

void Simulation::send_to_engine(Object& o) {
    for (std::string& problem : o.change.problems) {
        ++report_.fallbacks;
        add_incident(o.name, "a hit was refused, the body kept its last good shape: " + problem);
    }
    if (!o.change.is_due) return;
    std::vector<MassProperties> masses = {o.change.mass};
    if (o.is_split()) {
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
        Object::Change own = o.change;
        std::erase_if(own.moved, [&](const ColliderPiece& p) { return is_other(p.id); });
        std::erase_if(own.added, [&](const ColliderPiece& p) { return is_other(p.id); });
        std::erase_if(own.removed, is_other);
        Reshape reshape;
        reshape.moved = own.moved;
        reshape.added = own.added;
        reshape.removed = own.removed;
        reshape.mass = masses.empty() ? nullptr : &masses[part];
        reshape.contact_tolerance = options_.contact_tolerance * o.size;
        const Result<double> work = engine_.reshape(o.bodies[part], reshape);
        if (!work) {
            add_incident(o.name, "the engine kept the old collider: " + work.error().text());
            continue;
        }
        ++report_.reshapes;
        ledger_.reshape += work.value();
        ledger_.now += work.value();
    }
}

}  // namespace ductile
