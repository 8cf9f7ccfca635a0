// SPDX-License-Identifier: MIT
// Private to the sources of Simulation.
#pragma once

#include <ductile/deform/fracture/fracture_data.h>
#include <ductile/sim/articulation.h>
#include <ductile/sim/piece_normals.h>
#include <ductile/sim/simulation.h>
#include <ductile/sim/surface_follower.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace ductile {

struct Simulation::Pending {
    ObjectId object;
    double time = 0.0;
    double duration = 0.0;
    HitGrowth growth = HitGrowth::Smooth;
    std::vector<HitRecord> records;
    std::vector<Request> requests;
    std::shared_ptr<const Impact> impact;  ///< Null for a hit by hand.
    int side = 0;                          ///< Of the impact that the object is on.
    std::int64_t step = -1;                ///< In which it was decided; -1: by hand.
    double lead = 0.0;                     ///< How long it has been under way by then [s].
    HitPlace place;                        ///< Of a hit by hand.
};

/// An impact that came unforeseen, on what can break.
struct Simulation::LateImpact {
    ObjectId object;
    GlueImpact impact;
};

/// What the simulation keeps of an object: a rigid body, or one that deforms, with its shape, what
/// was done to it and what the engine knows of it.
struct SimulationObject {
    /// Objects with more hits are seen as they are now by an impact that grows.
    static constexpr std::size_t kRecalledHits = 32;

    ObjectId id;
    std::string name;
    std::vector<BodyId> bodies;
    std::int32_t owner_key = -1;  ///< The engine's id that it began with: names it to the tracker.
    BodyDesc desc;                ///< As it was added, without its collider.
    double size = 0.0;
    double edge = 0.0;        ///< Mean length of the surface's edges [m].
    double facets = 0.0;      ///< How far its facets are off the smooth surface they stand for [m].
    double compliance = 0.0;  ///< (1 - nu^2) / E [1/Pa]; 0: rigid.

    std::shared_ptr<const SurfaceQuery> rigid_surface;  ///< Of what does not deform; may be null.

    /// Normals around the points of its pieces, by the pieces' ids; may be null.
    std::shared_ptr<const PieceNormals> rigid_normals;

    // Only for what deforms.
    std::shared_ptr<const BodyShape> base_shape;  ///< Without mesh records.
    std::shared_ptr<const BodyShape> shape;       ///< As its journal's mesh records have it.
    std::unique_ptr<BodyState> state;
    std::unique_ptr<SurfaceFollower> follower;  ///< Of the state's points but `unfollowed`.
    Journal journal;
    /// The last hits that impacts left, so that one that grows is seen against shapes before it.
    struct ImpactHit {
        std::int64_t episode = 0, hit = 0;
    };
    std::vector<ImpactHit> impact_hits;
    PieceCut cut;
    double margin = 0.0;
    bool is_moving = false;     ///< Whether the next step has to look at the journal.
    bool has_new_hit = false;   ///< Written in this step.
    bool is_due_whole = false;  ///< Whether more happened to it than that example poses came in.
    bool is_mesh_full = false;  ///< Whether no layer may add points to its mesh any more.
    /// Points did, and the collider has yet to follow.
    mutable bool has_moved_early = false;
    /// For when a surface is due that nobody has asked about yet: of what bends, or fades [s].
    mutable std::optional<double> late_shape;
    std::vector<Vec3> engine_points;  ///< The surface as the engine knows it.
    /// Points that moved since the follower was told of them, and where all were then.
    mutable IndexSet unfollowed;
    mutable std::vector<Vec3> followed_points;

    // Within a fade the collider's points go ahead of the surface.
    bool is_ahead = false;              ///< Whether they have since the whole followed.
    std::vector<std::int32_t> tracked;  ///< Those points, ascending; empty: yet to be found.
    std::int32_t furthest = -1;         ///< The one that had gone furthest when last looked at.
    std::vector<std::pair<std::int64_t, double>> levels;  ///< Of all hits, as the engine knows.
    BodyState::Peeked peeked;                             ///< Working memory of `follow_fade`.
    std::vector<SkinFrame> peeked_frames;                 ///< Likewise; one per point.
    bool is_soft = false;      ///< Whether its restitution was lowered and is coming back.
    double restitution = 0.0;  ///< As it is now, while that is so.
    double recovery = 0.0;     ///< What comes back per second.
    /// From the surface's centre to the one that its bodies had when they became one again: what
    /// bends is skinned, and its groups were not [m]. Of the object's frame.
    Vec3 centre_shift_b = Vec3::Zero();
    /// By which factor the inertia of each body is larger than its shape's; empty: none is.
    std::vector<double> inertia_excess;

    // Only while it is split.
    std::vector<std::int32_t> part_of_point;  ///< Which body each surface point belongs to.
    std::vector<JointId> joints;

    std::unique_ptr<Articulation> bend;                       ///< Only for what has a skeleton.
    mutable std::int64_t self_crossings = 0;                  ///< Of its bent surface ...
    mutable std::optional<std::uint64_t> crossings_revision;  ///< ... of this revision.

    // Only for what can break.
    const FractureData* fracture = nullptr;  ///< Of its base shape.
    /// Before a pattern that lies about an impact has its centre; null for any other.
    std::shared_ptr<const BodyShape> unscored_shape;
    std::shared_ptr<const BodyShape> candidate;  ///< With a centre that was last asked about ...
    Vec3 candidate_place = Vec3::Zero();         ///< ... by this place.
    std::string whole_name;                      ///< Of what it is a part of, or its own.
    double last_foreseen = -kInfinity;           ///< When one was last seen coming [s].
    bool cannot_snap = false;                    ///< Told of: no face lies where it should.
    bool has_new_break = false;                  ///< Whether the journal may have divided it.
    double asleep_since = kInfinity;             ///< [s]; infinite: it is awake.

    /// Null for what has nothing left to break.
    const FractureData* breakable() const {
        return fracture && !fracture->is_last() ? fracture : nullptr;
    }

    /// What update_shape found, for send_to_engine.
    struct Change {
        bool is_due = false;
        bool is_new_mesh = false;   ///< `removed` are the pieces of the old one.
        bool keeps_motion = false;  ///< As if it always had been this shape.
        std::vector<ColliderPiece> moved, added;
        std::vector<std::int32_t> removed;
        std::optional<MassProperties> mass;  ///< None: it stays.
        std::vector<std::string> problems;
    } change;

    /// Made when first asked about after points have moved, refitted where they did since.
    mutable std::unique_ptr<SurfaceQuery> query;
    mutable std::unique_ptr<SurfaceQuery> unskinned_query;  ///< Only with a skin.
    mutable std::uint64_t unskinned_revision = 0;
    mutable std::unique_ptr<SurfaceQuery> settled_query;  ///< Only if hits ever met on their way.
    mutable IndexSet moved_triangles;                     ///< Since then.

    /// Begins with a shape at rest, its first or another one. Points further than `dented_depth`
    /// [m] from rest count as dented.
    void set_shape(std::shared_ptr<const BodyShape> wanted, double dented_depth) {
        const std::uint64_t revision = state ? state->revision() + 1 : 0;
        shape = std::move(wanted);
        state = std::make_unique<BodyState>(shape, revision);
        follower = std::make_unique<SurfaceFollower>(shape, dented_depth);
        cut.active = shape->pieces.top;
        engine_points.assign(shape->rest().begin(), shape->rest().end());
        followed_points = engine_points;
        unfollowed = IndexSet(engine_points.size());
        moved_triangles = IndexSet(shape->triangles().size());
        tracked.clear();
        is_ahead = false;
        query.reset();
        unskinned_query.reset();
        settled_query.reset();
        edge = shape->edge;
    }

    const BendOptions& bend_options() const { return shape->data<BendData>()->options(); }
    BentBody bent(Engine& engine, double time) const {
        return {engine, bodies[0], *shape, *state, cut, journal, desc, margin, time};
    }
    bool is_bending() const { return bend && bend->is_awake(); }
    /// Up to which an impact does nothing to it [m/s]. What an impact does to a skeleton that is
    /// awake its joints say, not the impact.
    double yield_speed() const {
        const auto has_rule = [](const Layer& layer) { return layer.rule != nullptr; };
        const bool is_alone =
            std::count_if(shape->layers.begin(), shape->layers.end(), has_rule) == 1;
        return is_bending() && is_alone ? kInfinity : shape->yield_speed();
    }
    /// By a request, not because it bends.
    bool is_split() const { return bodies.size() > 1 && !is_bending(); }

    /// Brings a surface that is late up to date. What cannot be stays as it is, and is told of when
    /// the collider follows. Not for several threads at once, as all below.
    void catch_up() const {
        if (!late_shape) return;
        const Result<bool> moved = state->update(journal, *std::exchange(late_shape, {}));
        if (!moved || !moved.value()) return;
        note_moved();
        has_moved_early = true;
    }

    const SurfaceQuery& surface() const {
        catch_up();
        if (moved_triangles.is_empty()) return query ? *query : *shape->rest_surface;
        if (!query) query = std::make_unique<SurfaceQuery>(*shape->rest_surface);
        std::vector<std::int32_t> touched;
        moved_triangles.take(touched);
        query->refit(state->points(), touched);
        return *query;
    }

    /// u + d, where offsets are decided and guarded.
    const SurfaceQuery& unskinned_surface() const {
        catch_up();
        if (state->frames().empty()) return surface();
        if (!unskinned_query)
            unskinned_query = std::make_unique<SurfaceQuery>(*shape->rest_surface);
        if (unskinned_revision != state->revision()) unskinned_query->refit(state->unskinned());
        unskinned_revision = state->revision();
        return *unskinned_query;
    }

    /// The same once all hits of the journal have come in: what a new hit will act on in the end.
    const SurfaceQuery& settled_surface() const {
        catch_up();
        if (!has_new_hit && state->is_settled(journal)) return unskinned_surface();
        const std::optional<BodyState::Settled> ends = state->settle(journal);
        if (!ends) return unskinned_surface();
        if (!settled_query) settled_query = std::make_unique<SurfaceQuery>(*shape->rest_surface);
        std::vector<std::int32_t> moved;
        for (const std::int32_t v : ends->touched) {
            const auto& faces = shape->vertex_faces[v];
            moved.insert(moved.end(), faces.begin(), faces.end());
        }
        settled_query->refit(ends->points, moved);
        return *settled_query;
    }

    const SurfaceQuery* known_surface() const { return state ? &surface() : rigid_surface.get(); }

    /// The surface as it would be without the hits of one impact; null if it left none.
    std::unique_ptr<SurfaceQuery> surface_before(std::int64_t episode, double time) const {
        // Among many dents the one of this impact is a detail, and taking it back is a long way.
        if (journal.hits().size() > kRecalledHits) return nullptr;
        const auto is_of_it = [&](const ImpactHit& h) { return h.episode == episode; };
        if (std::none_of(impact_hits.begin(), impact_hits.end(), is_of_it)) return nullptr;
        Journal earlier = journal;
        for (const ImpactHit& h : impact_hits) {
            if (is_of_it(h)) earlier.remove(h.hit);
        }
        auto before = std::make_unique<SurfaceQuery>(*shape->rest_surface);
        before->refit(shape_at(*shape, earlier, time));
        return before;
    }

    /// The points in `region` with direction . p >= height, ascending.
    std::vector<std::int32_t> points_beyond(const Vec3& direction, double height,
                                            const Box& region) const {
        const PointBoxes& boxes = state->boxes();
        // Rounding never turns the order of products and sums around: no point of a box that is
        // ruled out by its furthest corner would pass.
        const auto may_hold = [&](const Box& box) {
            const Vec3 corner = (direction.array() > 0).select(box.upper, box.lower);
            return direction.dot(corner) >= height && box.overlaps(region);
        };
        std::vector<std::int32_t> found;
        boxes.visit(may_hold, [&](std::int32_t leaf) {
            for (const std::int32_t v : boxes.tree().points_of(leaf)) {
                const Vec3& p = state->points()[v];
                if (direction.dot(p) >= height && region.distance_sq(p) == 0.0) found.push_back(v);
            }
        });
        std::sort(found.begin(), found.end());
        return found;
    }

    /// After the state's points moved.
    void note_moved() const {
        for (const std::int32_t v : state->touched()) {
            unfollowed.insert(v);
            for (const std::int32_t f : shape->vertex_faces[v]) moved_triangles.insert(f);
        }
    }

    /// Tells the follower of all points that lie further than `least` [m] from where it knows them;
    /// of all that moved, where that is 0.
    void follow(double least) const {
        std::vector<std::int32_t> moved;
        const std::span<const Vec3> points = state->points();
        unfollowed.for_each([&](std::int32_t v) {
            const double way_sq = (points[v] - followed_points[v]).squaredNorm();
            if (least == 0.0 || way_sq > least * least) moved.push_back(v);
        });
        if (moved.empty()) return;
        for (const std::int32_t v : moved) {
            unfollowed.erase(v);
            followed_points[v] = points[v];
        }
        follower->follow(points, state->unskinned(), state->frames(), moved);
    }

    /// Of the surface as the follower knows it, about the centre that its body has.
    Result<MassProperties> followed_mass() const {
        Result<MassProperties> mass = follower->mass();
        if (mass) mass.value().centre_b += centre_shift_b;
        return mass;
    }

    /// The same of the surface as it is now.
    Result<MassProperties> weigh() const {
        catch_up();
        follow(0.0);
        return followed_mass();
    }

    /// All points that the collider hangs on, ascending.
    const std::vector<std::int32_t>& tracked_points() {
        if (!tracked.empty()) return tracked;
        IndexSet found(engine_points.size());
        for (const std::int32_t piece : cut.active) {
            for (const std::int32_t v : shape->pieces.pieces[piece].tracked) found.insert(v);
        }
        found.take(tracked);
        return tracked;
    }

    /// The active pieces that one of some points spans, ascending.
    std::vector<std::int32_t> pieces_tracking(std::span<const std::int32_t> points) const {
        IndexSet is_asked(engine_points.size());
        for (const std::int32_t v : points) is_asked.insert(v);
        std::vector<std::int32_t> found;
        for (const std::int32_t piece : cut.active) {
            const std::vector<std::int32_t>& own = shape->pieces.pieces[piece].tracked;
            if (std::any_of(own.begin(), own.end(),
                            [&](std::int32_t v) { return is_asked.contains(v); })) {
                found.push_back(piece);
            }
        }
        return found;
    }

    /// How far each hit has come in. True if that has changed since.
    bool note_levels(double time) {
        std::vector<std::pair<std::int64_t, double>> now;
        for (std::size_t i = 0; i < journal.hits().size(); ++i) {
            now.emplace_back(journal.hits()[i].id, journal.amount(i, time));
        }
        return std::exchange(levels, now) != now;
    }

    ColliderPiece cloud(std::int32_t piece) const {
        ColliderPiece out{piece, {}};
        piece_points(shape->pieces.pieces[static_cast<std::size_t>(piece)], state->points(),
                     out.points, state->frames());
        return out;
    }
};

}  // namespace ductile
