// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/index_set.h>
#include <ductile/core/result.h>
#include <ductile/deform/body_shape.h>
#include <ductile/geom/mass.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// What follows from where a body's surface points are, kept up to date as some of them move, at
/// the cost of those alone: normals, mass sums, which points are dented.
///
/// All of it is a function of the points now: the same bits as from scratch.
class SurfaceFollower {
public:
    /// Begins with the rest shape. Points further than `dented_depth` [m] from their rest place
    /// count as dented.
    SurfaceFollower(std::shared_ptr<const BodyShape> shape, double dented_depth);

    /// Takes over the surface. What is dented is measured before the skin, on `unskinned`, and
    /// where the skin folds: a body that was turned as a whole is not a dented one. `frames`: of
    /// the skin; empty: none. Requires: no point but `moved`, each named once, differs from the
    /// last time. O(moved), and what lies around them.
    void follow(std::span<const Vec3> points, std::span<const Vec3> unskinned,
                std::span<const SkinFrame> frames, std::span<const std::int32_t> moved);

    /// As `vertex_normals` of the surface.
    std::span<const Vec3> normals() const { return normals_; }
    /// As `BodyShape::mass_of` the surface.
    Result<MassProperties> mass() const { return sums_.properties(shape_->mass_model.density); }
    const IndexSet& dented() const { return dented_; }

    /// The triangles around the points that the last `follow` was told of, ascending.
    std::span<const std::int32_t> touched_triangles() const { return triangles_; }

    /// All points named to `follow` since the last `forget_changes`, ascending.
    std::vector<std::int32_t> moved() const;
    /// All points that moved since then, or whose normals may have turned.
    const IndexSet& changed() const { return changed_; }
    /// The same since rest.
    const IndexSet& ever_changed() const { return ever_changed_; }
    void forget_changes();

private:
    void find_touched(std::span<const std::int32_t> moved);
    bool is_folded(std::int32_t v, std::span<const Vec3> points, std::span<const Vec3> unskinned,
                   std::span<const SkinFrame> frames) const;

    std::shared_ptr<const BodyShape> shape_;
    double dented_depth_;
    std::vector<Vec3> normals_;
    MassSums sums_;
    IndexSet dented_;

    IndexSet moved_, changed_;  ///< Since the last `forget_changes`.
    IndexSet ever_changed_;
    IndexSet touched_, turning_;  ///< Triangles and vertices; empty between calls.
    std::vector<std::int32_t> triangles_, vertices_;
};

}  // namespace ductile
