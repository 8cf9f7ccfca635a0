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

/// A blow that came unforeseen, on what can break.
struct Simulation::LateBlow {
    ObjectId object;
    GlueBlow blow;
};

struct Simulation::Object {
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
    std::unique_ptr<SurfaceFollower> follower;  ///< Of the state's points, always.
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
    bool is_mesh_full = false;  ///< Whether no layer may add points to its mesh any more.
    /// Points did, and the collider has yet to follow.
    mutable bool has_moved_early = false;
    /// For when the surface of what bends is due that nobody has asked about yet [s].
    mutable std::optional<double> late_shape;
    std::vector<Vec3> engine_points;  ///< The surface as the engine knows it.
    bool is_soft = false;             ///< Whether its restitution was lowered and is coming back.
    double restitution = 0.0;         ///< As it is now, while that is so.
    double recovery = 0.0;            ///< What comes back per second.
    /// By which factor the inertia of each body is larger than its shape's; empty: none is.
    std::vector<double> inertia_excess;

    // Only while it is split.
    std::vector<std::int32_t> part_of_point;  ///< Which body each surface point belongs to.
    std::vector<JointId> joints;

    std::unique_ptr<Articulation> bend;  ///< Only for what has a skeleton.
    std::int64_t self_crossings = 0;     ///< Of its bent surface.

    // Only for what can break.
    const FractureData* fracture = nullptr;  ///< Of its base shape.
    /// Before a pattern that lies about an impact has its centre; null for any other.
    std::shared_ptr<const BodyShape> unscored_shape;
    std::shared_ptr<const BodyShape> candidate;  ///< With a centre that was last asked about ...
    Vec3 candidate_place = Vec3::Zero();         ///< ... by this place.
    std::string whole_name;                      ///< Of what it is a part of, or its own.
    double last_blow = -kInfinity;               ///< When one was last seen coming [s].
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
        MassProperties mass;
        std::vector<std::string> problems;
    } change;

    /// Made when first asked about after points have moved, refitted where they did since.
    mutable std::unique_ptr<SurfaceQuery> query;
    mutable std::unique_ptr<SurfaceQuery> unskinned_query;  ///< Only with a skin.
    mutable std::uint64_t unskinned_revision = 0;
    mutable std::unique_ptr<SurfaceQuery> settled_query;  ///< Only if hits ever met on their way.
    mutable std::vector<std::int32_t> moved_triangles;    ///< Since then; may repeat.

    const BendOptions& bend_options() const { return shape->data<BendData>()->options(); }
    BentBody bent(Engine& engine, double time) const {
        return {engine, bodies[0], *shape, *state, cut, journal, desc, margin, time};
    }
    bool is_bending() const { return bend && bend->is_awake(); }
    /// Up to which an impact does nothing to it [m/s]. What a blow does to a skeleton that is awake
    /// its joints say, not the impact.
    double yield_speed() const {
        const auto has_rule = [](const Layer& layer) { return layer.rule != nullptr; };
        const bool is_alone =
            std::count_if(shape->layers.begin(), shape->layers.end(), has_rule) == 1;
        return is_bending() && is_alone ? kInfinity : shape->yield_speed();
    }
    /// By a request, not because it bends.
    bool is_split() const { return bodies.size() > 1 && !is_bending(); }

    /// Brings a surface that is late up to date. What cannot be stays as it is, and is told of once
    /// the object is one body again. Not for several threads at once, as all below.
    void catch_up() const {
        if (!late_shape) return;
        const Result<bool> moved = state->update(journal, *std::exchange(late_shape, {}));
        if (!moved || !moved.value()) return;
        follow();
        has_moved_early = true;
    }

    const SurfaceQuery& surface() const {
        catch_up();
        if (!query && moved_triangles.empty()) return *shape->rest_surface;
        if (!query) query = std::make_unique<SurfaceQuery>(*shape->rest_surface);
        if (moved_triangles.size() < shape->triangles().size()) {
            query->refit(state->points(), moved_triangles);
        } else {
            query->refit(state->points());
        }
        moved_triangles.clear();
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

    /// The same once all hits so far have come in: what a new hit will act on in the end.
    const SurfaceQuery& settled_surface() const {
        catch_up();
        const std::optional<std::vector<Vec3>> points = state->settled(journal);
        if (!points || !std::all_of(points->begin(), points->end(),
                                    [](const Vec3& p) { return is_finite(p); })) {
            return unskinned_surface();
        }
        if (!settled_query) settled_query = std::make_unique<SurfaceQuery>(*shape->rest_surface);
        settled_query->refit(*points);
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
    void follow() const {
        follower->follow(state->points(), state->unskinned(), state->frames(), state->touched());
        // Nobody may ask for long: beyond as many as there are, which ones no longer matters.
        if (moved_triangles.size() >= shape->triangles().size()) return;
        const std::span<const std::int32_t> touched = follower->touched_triangles();
        moved_triangles.insert(moved_triangles.end(), touched.begin(), touched.end());
    }

    ColliderPiece cloud(std::int32_t piece) const {
        ColliderPiece out{piece, {}};
        piece_points(shape->pieces.pieces[static_cast<std::size_t>(piece)], state->points(),
                     out.points, state->frames());
        return out;
    }
};

}  // namespace ductile
