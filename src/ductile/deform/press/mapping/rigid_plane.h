// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/press/mapping/press_surface.h>
#include <ductile/geom/query/triangle_grid.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ductile {

/// Faces that meet at a sharper angle have normals of their own: a box's sides stay flat.
inline constexpr double kCreaseCosine = 0.7071;

/// A place on the rigid surface.
struct RigidPlace {
    Vec3 position = Vec3::Zero();  ///< [m], on a triangle.
    Vec3 normal = Vec3::UnitY();   ///< Unit, outward, smooth but across creases.
    bool is_at_crease = false;     ///< The normal is one of the cone that a crease nearby has.
};

/// Where a place on a triangle of the rigid surface lies in a plane.
struct PlanePlace {
    std::int32_t triangle = 0;
    Vec3 weights = Vec3::UnitX();  ///< Barycentric.
    Vec2 flat = Vec2::Zero();
};

/// A piece of the rigid surface laid flat, seen from outside. Never changes.
class RigidPlane {
public:
    /// Holes are closed for the while; nothing is lifted onto what closes them. Error: it cannot be
    /// laid flat, or not without loss of sizes if they are to be kept. Requires: `triangles`
    /// ascending, each once, at least one.
    static Result<std::shared_ptr<const RigidPlane>> make(const PressSurface& rigid,
                                                          std::vector<std::int32_t> triangles,
                                                          bool keeps_sizes);
    /// The same drawn by some places on it, and harmonic with positive weights between them: for
    /// what folds when it is laid flat by itself. Requires: places on its triangles.
    static Result<std::shared_ptr<const RigidPlane>> make_drawn(const PressSurface& rigid,
                                                                std::vector<std::int32_t> triangles,
                                                                std::span<const PlanePlace> places);
    RigidPlane(const RigidPlane&) = delete;
    RigidPlane& operator=(const RigidPlane&) = delete;

    /// Its triangle that is `triangle` of the rigid surface; -1 if it has none.
    std::int32_t find(std::int32_t triangle) const { return index_in(source_, triangle); }
    /// A place of its plane, by barycentric weights in one of its triangles.
    Vec2 flat(std::int32_t own_triangle, const Vec3& weights) const;
    /// The rigid surface over a place of its plane; beyond its border the nearest.
    RigidPlace lift(const Vec2& flat) const;

    /// Whether faces of it meet in an edge that juts out, with a normal of its own on either side.
    bool has_creases() const { return !creased_.empty(); }
    /// Turns the normal of a lifted place to the one along which a ball rests there. Within `reach`
    /// of a crease that is any of those around: the one nearest to `wanted`, a unit vector, the
    /// more freely the nearer the crease. Beyond that nothing changes.
    void turn_to(const Vec3& wanted, const Vec2& flat, double reach, RigidPlace& place) const;

private:
    /// Takes a place of the plane to barycentric weights in a triangle; to none where it has no
    /// area.
    struct Weigher {
        Vec2 corner = Vec2::Zero();
        Eigen::Matrix2d inverse = Eigen::Matrix2d::Constant(kInfinity);
        Vec3 operator()(const Vec2& p) const {
            const Vec2 w = inverse * (p - corner);
            return {1.0 - w.x() - w.y(), w.x(), w.y()};
        }
    };
    RigidPlane(const PressSurface& rigid, std::vector<std::int32_t> triangles);
    void lay(std::span<const Vec2> flat);
    RigidPlace place_on(std::int32_t own_triangle, const Vec3& weights) const;
    void find_creases();
    /// Squared, in the plane; where it is more than `reach`, any number that is, too.
    double crease_distance_sq(const Vec2& flat, double reach) const;
    std::vector<std::int32_t> triangles_near(const Vec2& flat, double reach) const;

    std::vector<std::int32_t> source_;  ///< Triangles of the rigid surface.
    std::vector<Vec3> points_;
    std::vector<Triangle> triangles_;             ///< Into `points_`.
    std::vector<std::array<Vec3, 3>> normals_;    ///< Of corners.
    std::vector<Triangle> creased_;               ///< Those with a crease, into `points_`.
    std::vector<std::array<bool, 3>> is_crease_;  ///< Per one of them: sides k to k + 1 that are.
    std::vector<Vec3> flat_;                      ///< Per point, at z = 0.
    std::vector<Weigher> weighers_;               ///< Per triangle.
    std::unique_ptr<const TriangleGrid> grid_;    ///< Of `flat_`.
    std::unique_ptr<const TriangleGrid> crease_grid_;  ///< Of `creased_` there; null: none.
};

/// Keeps the planes of one rigid surface as it stands: a small number, the oldest go first. What it
/// gives is what `RigidPlane::make` gives, bit for bit. Any number of threads may ask.
class RigidPlanes {
public:
    Result<std::shared_ptr<const RigidPlane>> find_or_make(const PressSurface& rigid,
                                                           std::vector<std::int32_t> triangles,
                                                           bool keeps_sizes);
    std::int64_t hits() const;

private:
    struct Entry {
        std::vector<std::int32_t> triangles;
        bool keeps_sizes;
        Result<std::shared_ptr<const RigidPlane>> plane;
    };
    static constexpr std::size_t kMost = 32;
    mutable std::mutex mutex_;
    std::deque<Entry> entries_;
    std::int64_t hits_ = 0;
};

}  // namespace ductile
