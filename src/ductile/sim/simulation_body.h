// SPDX-License-Identifier: MIT
// Private to the sources of Simulation.
#pragma once

#include <ductile/sim/simulation.h>
#include <ductile/sim/surface_follower.h>

#include <algorithm>

namespace ductile {

struct Simulation::Pending {
    BodyId body;
    double time = 0.0;
    double duration = 0.0;
    HitRecord record;
    std::int64_t episode = 0;  ///< The blow it is of; 0 for a hit by hand.
};

struct Simulation::Body {
    /// Bodies with more hits are seen as they are now by a blow that grows.
    static constexpr std::size_t kRecalledHits = 32;

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

    /// Made when first asked about after points have moved, refitted where they did since.
    mutable std::unique_ptr<SurfaceQuery> query;
    mutable std::vector<std::int32_t> moved_triangles;  ///< Since then; may repeat.

    const SurfaceQuery& surface() const {
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
    void follow() {
        follower->follow(state->points(), state->touched());
        // Nobody may ask for long: beyond as many as there are, which ones no longer matters.
        if (moved_triangles.size() >= shape->triangles().size()) return;
        const std::span<const std::int32_t> touched = follower->touched_triangles();
        moved_triangles.insert(moved_triangles.end(), touched.begin(), touched.end());
    }
};

}  // namespace ductile
