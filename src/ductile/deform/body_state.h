// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/index_set.h>
#include <ductile/core/result.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/journal.h>
#include <ductile/geom/query/point_tree.h>
#include <ductile/geom/skin_frame.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

template <class Row>
class RecordFold;

/// A body's surface as its journal has shaped it at some time: x = skin(u + d), with u the rest
/// shape, d what records of Stage::Offset did to it, and the skin what those of Stage::Blend and
/// Stage::Skin do: example poses first, bends of the whole after them.
///
/// A pure function of (shape, journal, time): the work done so far is kept per stage, but never
/// shows in the result. A hit costs what it reaches, however large the body is; a body that no
/// skin record ever moved has no skin and pays nothing for it.
class BodyState {
public:
    /// `revision`: where counting begins, for one that takes the place of another.
    explicit BodyState(std::shared_ptr<const BodyShape> shape, std::uint64_t revision = 0);
    BodyState(BodyState&&) noexcept;
    BodyState& operator=(BodyState&&) noexcept;
    ~BodyState();

    /// x.
    std::span<const Vec3> points() const;
    /// u + d: where offsets act. The same span as `points` without a skin.
    std::span<const Vec3> unskinned() const;
    /// How the skin moves the surroundings of each point; empty without a skin.
    std::span<const SkinFrame> frames() const;
    /// How much of each example pose each point has; empty while all are at rest.
    std::span<const ExampleRow> rows() const;

    /// Whether all hits that the last update saw had come to what they will be.
    bool is_settled(const Journal& journal) const;

    /// u + d once all hits have come to what they will be.
    struct Settled {
        std::span<const Vec3> points;
        std::span<const std::int32_t> touched;  ///< Since the last call or rest, ascending.
    };
    /// That of a journal; the surface stays as it is. A new hit costs what it reaches.
    /// Nothing: a point came out that is not finite.
    std::optional<Settled> settle(const Journal& journal);

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
    const PointBoxes& boxes() const;

    /// Brings the surface to what the journal says at time t. True if a point moved. Mesh records
    /// are passed over: they are in the shape (deform/mesh_revision.h).
    /// O(hits + points reached by those that are new, moving or no longer what they were); taking
    /// a hit back, or a repair, executes all hits of its stage anew.
    /// Error (nothing changed): a point came out that is not finite.
    Result<bool> update(const Journal& journal, double t);

    /// Of some points: where they are, how the skin moves their surroundings, their shares.
    struct Peeked {
        std::vector<Vec3> points;
        std::vector<SkinFrame> frames;
        std::vector<ExampleRow> rows;
    };
    /// Where some points are at time t, to the bit as `update` would bring them there, at the cost
    /// of those alone: the surface stays as it is. False: more than a fade of example poses has
    /// come between, so that `update` has to tell.
    bool peek(const Journal& journal, double t, std::span<const std::int32_t> points, Peeked& out);

    /// Forgets which hits made the surface: the next update may be by another journal, whose ids
    /// name other hits. Requires of all updates in between: the same journal, changed or not.
    void restart();

    /// Of the surface points.
    std::uint64_t hash() const;

private:
    /// What a body with a skin needs besides.
    struct Skin;
    bool update_skin(const Journal& journal, double t);

    std::shared_ptr<const BodyShape> shape_;
    std::unique_ptr<RecordFold<Vec3>> offsets_;
    std::unique_ptr<RecordFold<Vec3>> ends_;  ///< Those of `settle`; null until it is called.
    std::unique_ptr<Skin> skin_;              ///< Null until the journal has a record for it.
    std::uint64_t revision_ = 0;
    std::vector<std::int32_t> touched_;
};

/// The surface at time t from scratch: what `BodyState::update` must equal, and what replay uses.
std::vector<Vec3> shape_at(const BodyShape& shape, const Journal& journal, double t);
/// The same before the skin: u + d.
std::vector<Vec3> unskinned_at(const BodyShape& shape, const Journal& journal, double t);
/// The shares of example poses then; empty for a journal that changes none.
std::vector<ExampleRow> rows_at(const BodyShape& shape, const Journal& journal, double t);
/// Whether a body has what all records of a journal need. Error: the first that it has not.
Status check_journal_fits(const Journal& journal, const BodyShape& shape);

/// Takes what lies at a place of the skinned surface back to the unskinned one: the rigid motion
/// that brings the place to where its triangle is without the skin, turned back as the skin turned
/// it. Identity without a skin. `place` is one of the state's `points`.
Transform pull_back(const BodyState& state, const SurfacePoint& place);

/// How far each point is from its rest place [m].
std::vector<double> displacement(std::span<const Vec3> points, std::span<const Vec3> rest);

}  // namespace ductile
