// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/mapping/rigid_plane.h>
#include <ductile/deform/press/overlap/press_overlap.h>
#include <ductile/deform/press/press_setup.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// Section 3.2: takes one overlapping part of the soft surface onto the rigid one. The piece of
/// rigid surface under it is laid flat; the soft one is laid out in that plane, with the curve in
/// which they meet lying on itself: as rigidly as it can be, or by the paper's affine map.
class PressMapping {
public:
    /// `planes` keeps flattened pieces of the rigid surface for the next call; it changes no bit.
    /// Error: an overlap with `trouble`, rigid triangles that cannot be laid flat, a curve too
    /// short to find a map, a map that folds; for an affine map also soft triangles that
    /// cannot be laid flat.
    static Result<PressMapping> make(const PressSurface& soft, const PressSurface& rigid,
                                     const PressOverlap& overlap, RigidPlanes* planes = nullptr,
                                     PressMappingKind kind = PressMappingKind::Spread);

    /// Soft vertices that it maps: those inside and their neighbours, ascending.
    std::span<const std::int32_t> points() const { return points_; }
    /// Where among points() a soft vertex is; -1 if it is not.
    std::int32_t index_of(std::int32_t vertex) const { return index_in(points_, vertex); }
    /// Where a point lies in the rigid plane, by its index among points().
    const Vec2& flat(std::int32_t index) const { return flat_[index]; }
    /// Longer than some edges of the soft mesh, and narrower than one on average: vertices that are
    /// inside are few and far between.
    bool is_thin() const { return is_thin_; }
    /// The rigid piece reaches too far round to be laid flat in its own sizes: parts of it, as
    /// fingers that are swallowed to their tips, are squashed, and what covers them is stretched.
    bool is_squashed() const { return is_squashed_; }
    /// The rigid surface over a place of its plane; beyond its border the nearest.
    RigidPlace lift(const Vec2& flat) const { return plane_->lift(flat); }
    /// The rigid surface laid flat.
    const RigidPlane& plane() const { return *plane_; }

private:
    PressMapping() = default;

    std::vector<std::int32_t> points_;
    std::vector<Vec2> flat_;
    std::shared_ptr<const RigidPlane> plane_;
    bool is_thin_ = false, is_squashed_ = false;
};

/// `triangles` of a surface, ascending, and all faces at vertices where they meet themselves in
/// that point alone, as around a hole that comes to the edge: such a piece is no disc. O(triangles)
/// where there is none.
std::vector<std::int32_t> without_pinches(const PressSurface& surface,
                                          std::vector<std::int32_t> triangles);

}  // namespace ductile
