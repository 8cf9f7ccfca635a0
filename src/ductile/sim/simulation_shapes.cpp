// SPDX-License-Identifier: MIT
// From journals to surfaces, masses and colliders.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/sim/simulation_body.h>

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

}  // namespace ductile
