// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/journal.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// A body's surface as its journal has shaped it at some time.
///
/// A pure function of (shape, journal, time): the work done so far is kept, but never shows in the
/// result. Hits that have come to their full amount are pressed into a base once; only those
/// still moving are pressed anew at each update.
class BodyState {
public:
    explicit BodyState(std::shared_ptr<const BodyShape> shape);

    std::span<const Vec3> points() const { return points_; }
    const BodyShape& shape() const { return *shape_; }
    const std::shared_ptr<const BodyShape>& shared_shape() const { return shape_; }

    /// Grows exactly when a point moved, so a cache keyed on it is never stale nor rebuilt in vain.
    std::uint64_t revision() const { return revision_; }

    /// The points that the last update moved: all of them lie in [first, last). What a game
    /// uploads.
    struct Range {
        std::size_t first = 0, last = 0;
    };
    Range dirty() const { return dirty_; }

    /// Brings the surface to what the journal says at time t. True if a point moved.
    /// O(points x hits still moving); O(1) for a journal with nothing new.
    /// Error (nothing changed): a point came out that is not finite.
    Result<bool> update(const Journal& journal, double t);

    /// Of the surface points.
    std::uint64_t hash() const;

private:
    /// A hit that is part of `base_`, and how much of it.
    struct Pressed {
        std::int64_t id;
        double amount;
    };

    std::shared_ptr<const BodyShape> shape_;
    std::vector<Vec3> points_;
    std::vector<Vec3> base_;        ///< Rest and the first hits, settled.
    std::vector<Pressed> pressed_;  ///< Those hits.
    std::vector<Pressed> moving_;   ///< The hits in `points_` beyond `base_`.
    std::vector<Vec3> scratch_;
    std::uint64_t revision_ = 0;
    Range dirty_;
};

/// The surface at time t from scratch: what `BodyState::update` must equal, and what replay uses.
std::vector<Vec3> shape_at(const BodyShape& shape, const Journal& journal, double t);

/// How far each point is from its rest place [m].
std::vector<double> displacement(std::span<const Vec3> points, std::span<const Vec3> rest);

}  // namespace ductile
