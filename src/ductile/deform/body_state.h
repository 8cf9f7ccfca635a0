// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/index_set.h>
#include <ductile/core/result.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/journal.h>
#include <ductile/geom/query/point_tree.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// A body's surface as its journal has shaped it at some time.
///
/// A pure function of (shape, journal, time): the work done so far is kept, but never shows in the
/// result. Hits that have come to their full amount are pressed into a base once; only those
/// still moving are pressed anew at each update. A hit costs what it reaches, however large the
/// body is.
class BodyState {
public:
    explicit BodyState(std::shared_ptr<const BodyShape> shape);

    std::span<const Vec3> points() const { return points_; }
    const BodyShape& shape() const { return *shape_; }
    const std::shared_ptr<const BodyShape>& shared_shape() const { return shape_; }

    /// Grows exactly when a point moved, so a cache keyed on it is never stale nor rebuilt in vain.
    std::uint64_t revision() const { return revision_; }

    /// The points that moved when the revision last grew, ascending, each once.
    std::span<const std::int32_t> touched() const { return touched_; }
    /// All of those lie in [first, last). What a game uploads.
    struct Range {
        std::size_t first = 0, last = 0;
    };
    Range dirty() const;

    /// Which points lie together, and the boxes around them as they lie now.
    const PointBoxes& boxes() const { return boxes_; }

    /// Brings the surface to what the journal says at time t. True if a point moved.
    /// O(hits + points reached by those that are new, moving or no longer what they were); taking
    /// a hit back, or a repair, presses all hits of the body anew.
    /// Error (nothing changed): a point came out that is not finite.
    Result<bool> update(const Journal& journal, double t);

    /// Of the surface points.
    std::uint64_t hash() const;

private:
    /// A hit that has been pressed, and how much of it.
    struct Pressed {
        std::int64_t id;
        double amount;
        bool operator==(const Pressed&) const = default;
    };

    /// The places that the points of some leaves had.
    class SavedLeaves {
    public:
        explicit SavedLeaves(const PointTree& tree) : is_saved_(tree.nodes().size()) {}
        /// The first call for a leaf counts.
        void save(const PointTree& tree, std::int32_t leaf, std::span<const Vec3> points);
        void put_back(const PointTree& tree, std::span<Vec3> points) const;
        void clear();
        std::span<const std::int32_t> leaves() const { return leaves_; }
        /// One per point, leaf by leaf.
        std::span<const Vec3> places() const { return places_; }

    private:
        IndexSet is_saved_;
        std::vector<std::int32_t> leaves_;
        std::vector<Vec3> places_;
    };

    enum class Onto { Base, Top };
    void press(const HitRecord& record, double amount, Onto onto);
    void uncover_base(bool base_holds);
    bool find_touched(std::vector<std::int32_t>& touched);
    void forget();

    std::shared_ptr<const BodyShape> shape_;
    std::vector<Vec3> points_;
    PointBoxes boxes_;              ///< Of `points_`, always.
    std::vector<Pressed> pressed_;  ///< Settled hits, the first of the journal: the base.
    std::vector<Pressed> moving_;   ///< The hits pressed on top of that.
    IndexSet displaced_;            ///< Leaves whose base is not the rest shape.
    SavedLeaves lifted_;            ///< Their base, where hits on top moved them.
    bool is_known_ = true;          ///< Whether the points are what pressed_ and moving_ tell.
    std::uint64_t revision_ = 0;
    std::vector<std::int32_t> touched_;

    // Working memory of an update.
    SavedLeaves before_;  ///< Where points were.
    IndexSet moved_;
    std::vector<std::int32_t> reached_, changed_;
    std::vector<Vec3> reached_points_, reached_rest_;
};

/// The surface at time t from scratch: what `BodyState::update` must equal, and what replay uses.
std::vector<Vec3> shape_at(const BodyShape& shape, const Journal& journal, double t);

/// How far each point is from its rest place [m].
std::vector<double> displacement(std::span<const Vec3> points, std::span<const Vec3> rest);

}  // namespace ductile
