// SPDX-License-Identifier: MIT
// Private to BodyState.
#pragma once

#include <ductile/core/index_set.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/journal.h>
#include <ductile/geom/query/point_tree.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace ductile {

/// To the bit: a replay that turns -0 into 0 would have another hash.
template <class Row>
bool has_same_bits(const Row& a, const Row& b) {
    return std::memcmp(&a, &b, sizeof(Row)) == 0;
}

/// The journal's hits of a stage in the order in which they are executed: as they came; those of
/// Stage::Skin so that each comes after those that carry it along.
std::vector<std::size_t> hits_of_stage(const Journal& journal, Stage stage);

/// The rows (points, shares of poses or frames) that all records of one stage make of a body's
/// surface points, one after the other.
///
/// A pure function of shape, journal and time: work done so far is kept, but never shows. Records
/// that have come to their full amount, up to the first that has not, are executed into a base
/// once; only the others are executed anew at each update. A record costs what it reaches.
template <class Row>
class RecordFold {
public:
    static constexpr bool kIsOffset = std::is_same_v<Row, Vec3>;
    static constexpr Stage kStage = kStageOf<Row>;

    explicit RecordFold(std::shared_ptr<const BodyShape> shape);

    std::span<const Row> rows() const { return rows_; }
    /// Of the points for offsets, kept up to date; of rest places for the others.
    const PointBoxes& boxes() const { return boxes_; }

    /// Brings the rows to what the journal says at time t. False: one of them is not finite; call
    /// `take_back`.
    bool update(const Journal& journal, double t);
    /// Whether all records that the last update saw had come to what they will be.
    bool is_settled(const Journal& journal) const;
    /// The rows of some points at time t, to the bit as `update` would make them, without making
    /// them: at the cost of those points. Hits may have come further in since the last update, and
    /// new ones may have come. False: a settled one has changed, or a row is not finite.
    /// Not for offsets, whose reach moves with the points.
    bool peek(const Journal& journal, double t, std::span<const std::int32_t> points,
              std::vector<Row>& rows);
    /// Whether an update to time t would change nothing.
    bool is_current(const Journal& journal, double t) const;
    /// The points whose rows the last update changed, ascending.
    std::span<const std::int32_t> touched() const { return touched_; }
    /// Back to the rows of before the last update. The next update begins from rest.
    void take_back();
    /// The next update begins from rest: for a journal that is another one, with the same ids.
    void restart();

private:
    /// A hit that has been executed, and how much of it.
    struct Executed {
        std::int64_t id;
        double amount;
        bool operator==(const Executed&) const = default;
    };

    /// The rows that the points of some leaves had.
    class SavedLeaves {
    public:
        explicit SavedLeaves(const PointTree& tree)
            : is_saved_(tree.nodes().size()), first_(tree.nodes().size()) {}
        /// The first call for a leaf counts.
        void save(const PointTree& tree, std::int32_t leaf, std::span<const Row> rows);
        void save_rest(const PointTree& tree, std::int32_t leaf, const RecordFold& fold);
        void put_back(const PointTree& tree, std::span<Row> rows) const;
        /// What point v had; null: its leaf was not saved.
        const Row* find(const PointTree& tree, std::int32_t v) const;
        void clear();
        std::span<const std::int32_t> leaves() const { return leaves_; }
        /// One per point, leaf by leaf.
        std::span<const Row> rows() const { return rows_; }

    private:
        IndexSet is_saved_;
        std::vector<std::int32_t> first_;  ///< Of each saved leaf in `rows_`.
        std::vector<std::int32_t> leaves_;
        std::vector<Row> rows_;
    };

    enum class Onto { Base, Top };
    /// The journal's hits of the stage, and whether it still begins with the base.
    struct Plan {
        std::vector<std::size_t> own;
        bool base_holds = false;
        std::vector<Executed> top;  ///< What lies on the base, or all where that does not hold.
    };
    Plan plan(const Journal& journal, double t) const;
    Row rest_row(std::int32_t v) const;
    void execute(const HitRecord& record, double amount, Onto onto);
    void uncover_base(bool base_holds);
    bool find_touched();
    void refit(std::span<const std::int32_t> leaves);

    std::shared_ptr<const BodyShape> shape_;
    std::vector<Row> rows_;
    PointBoxes boxes_;
    std::vector<Executed> base_;  ///< Settled hits, the first of the journal.
    std::vector<Executed> top_;   ///< The hits executed on top of those.
    IndexSet displaced_;          ///< Leaves whose base is not at rest.
    SavedLeaves lifted_;          ///< Their base, where hits on top changed them.
    bool is_known_ = true;        ///< Whether the rows are what base_ and top_ tell.
    std::vector<std::int32_t> touched_;

    // Working memory of an update.
    SavedLeaves before_;  ///< What rows were.
    IndexSet moved_;
    std::vector<std::int32_t> reached_, changed_, reached_points_;
    std::vector<Row> reached_rows_;
    std::vector<Vec3> reached_rest_;
};

extern template class RecordFold<Vec3>;
extern template class RecordFold<ExampleRow>;
extern template class RecordFold<SkinFrame>;

}  // namespace ductile
