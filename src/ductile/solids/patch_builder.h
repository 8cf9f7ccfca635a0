// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/render_mesh.h>

#include <cstdint>
#include <vector>

namespace ductile {

/// One corner of a face under construction.
struct PatchCorner {
    std::int32_t point = 0;  ///< From `PatchBuilder::add_point`.
    Vec2 uv = Vec2::Zero();
    Vec3 normal = Vec3::Zero();  ///< Unit length, or zero: taken from the faces around.
};

/// Puts a SurfaceAsset together from faces that share points.
///
/// The surface is welded because faces name the same points; the render mesh gets one vertex for
/// each different (point, look, uv, normal) in the order in which faces ask for them. Corners
/// without a normal get the angle-weighted mean of the faces around that are joined to theirs by
/// edges folded less than `kCreaseDegrees`.
class PatchBuilder {
public:
    static constexpr double kCreaseDegrees = 40.0;

    std::int32_t add_look(Look look);
    std::int32_t add_point(const Vec3& p);
    /// Counter-clockwise seen from outside.
    void add_triangle(const PatchCorner& a, const PatchCorner& b, const PatchCorner& c,
                      std::int32_t look);
    /// Counter-clockwise; cut from a to c, or from b to d if `is_flipped`.
    void add_quad(const PatchCorner& a, const PatchCorner& b, const PatchCorner& c,
                  const PatchCorner& d, std::int32_t look, bool is_flipped);

    std::vector<Vec3>& points() { return points_; }

    /// Requires: no point without a face, no face without area. Leaves the builder empty.
    SurfaceAsset finish();

private:
    void fill_normals();

    std::vector<Vec3> points_;
    std::vector<Look> looks_;
    std::vector<PatchCorner> corners_;  ///< Three per face.
    std::vector<std::int32_t> face_looks_;
};

}  // namespace ductile
