// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/press_overlap.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// A place on the rigid surface.
struct RigidPlace {
    Vec3 position = Vec3::Zero();  ///< [m], on a triangle.
    Vec3 normal = Vec3::UnitY();   ///< Unit, outward, smooth but across creases.
};

/// Section 3.2: takes one overlapping part of the soft surface onto the rigid one. Both are laid
/// flat; an affine map and a harmonic field over it take one plane to the other so that the curve
/// in which they meet comes to lie on itself.
class PressMapping {
public:
    /// Error: a region that cannot be laid flat, or a curve too short to tell a map from.
    static Result<PressMapping> make(const PressSurface& soft, const PressSurface& rigid,
                                     const PressOverlap& overlap,
                                     std::span<const std::uint8_t> rigid_is_inside);

    /// Soft vertices that it maps: those inside and their neighbours, ascending.
    std::span<const std::int32_t> points() const { return points_; }
    /// Where among points() a soft vertex is; -1 if it is not.
    std::int32_t place(std::int32_t vertex) const;
    /// In the rigid plane, per entry of points().
    const Vec2& flat(std::int32_t place) const { return flat_[place]; }
    /// The rigid surface over a place of its plane; beyond its border the nearest.
    RigidPlace lift(const Vec2& flat) const;

private:
    /// The part of the rigid surface under the overlap, laid flat.
    struct RigidPatch {
        std::vector<Vec3> points;
        std::vector<Vec2> flat;
        std::vector<Triangle> triangles;           ///< Into `points`.
        std::vector<std::int32_t> source;          ///< Triangles of the rigid surface.
        std::vector<std::array<Vec3, 3>> normals;  ///< Of corners.
    };
    static Result<RigidPatch> make_patch(const PressSurface& rigid,
                                         std::vector<std::int32_t> triangles);
    static Result<RigidPatch> find_patch(const PressSurface& soft, const PressSurface& rigid,
                                         const PressOverlap& overlap,
                                         std::span<const std::uint8_t> rigid_is_inside);
    PressMapping(std::vector<std::int32_t> points, std::vector<Vec2> flat, RigidPatch patch);

    std::vector<std::int32_t> points_;
    std::vector<Vec2> flat_;
    RigidPatch patch_;
    SurfaceQuery plane_;  ///< The flat patch, at z = 0.
};

}  // namespace ductile
