// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/solids/patch_builder.h>
#include <ductile/solids/solids.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace ductile {

// What the makers of solids (solids_*.cpp) share. `make_solid` is the public door: it checks the
// options, fills in the defaults and hands them on, so all below may take them for granted.

SurfaceAsset make_box(const SolidOptions& options);
SurfaceAsset make_sphere(const SolidOptions& options);
SurfaceAsset make_capsule(const SolidOptions& options);
SurfaceAsset make_cylinder(const SolidOptions& options);
SurfaceAsset make_torus(const SolidOptions& options);
SurfaceAsset make_barrel(const SolidOptions& options);
SurfaceAsset make_car(const SolidOptions& options);
SurfaceAsset make_beam(const SolidOptions& options);
/// Error: a resolution too coarse for its parts, or too fine to be worked out in a minute or so.
Result<SurfaceAsset> make_blend(const SolidOptions& options, const StopFlag* stop);
Vec3 blend_size(const SolidOptions& options);    ///< Of its parts' box [m].
double blend_area(const SolidOptions& options);  ///< About, and rather more [m^2].

/// A resolution for a hint [m]: in two digits, not finer.
double rounded_up(double resolution);

/// Places one vertex of a lattice box: `p` lies on the box of the knots, `face_normal` is the unit
/// axis of the face at hand, `towards` the middle of the triangle at hand (for UV seams).
using LatticeCorner =
    std::function<PatchCorner(const Vec3& p, const Vec3& face_normal, const Vec3& towards)>;

/// The surface of a box, each face a grid. `knots[a]` are the ascending places of the grid lines
/// along axis a. `position` moves lattice points to their places and is asked once per point;
/// `corner` gives UV and normal (its `point` is filled in here). Diagonals mirror in the middle
/// of each face and run through the box's corners, where they keep triangles well shaped.
void add_lattice_box(PatchBuilder& builder, const std::vector<double> (&knots)[3],
                     const std::function<Vec3(const Vec3&)>& position, const LatticeCorner& corner,
                     std::int32_t look);

/// Grid lines along one axis of a rounded box; within the rounding they bunch by equal angles.
std::vector<double> rounded_knots(double half, double rounding, double edge_length);

/// Takes the sharp lattice box to the rounded one.
struct RoundedBox {
    Vec3 flat;        ///< Half size of the inner box, which the rounding goes around [m].
    double rounding;  ///< [m]

    Vec3 core(const Vec3& p) const { return p.cwiseMax(-flat).cwiseMin(flat); }
    /// Requires: rounding > 0, p on the sharp box.
    Vec3 normal(const Vec3& p) const { return (p - core(p)).normalized(); }
    Vec3 position(const Vec3& p) const {
        return rounding > 0 ? Vec3(core(p) + rounding * normal(p)) : p;
    }
};

/// UV on a box face as seen from outside, upright: (0, 0) is the upper left; `half` half the size.
Vec2 box_face_uv(const Vec3& p, const Vec3& face_normal, const Vec3& half);

/// How many parts of about `edge_length` a length falls into: at least 1; even above 1, so that
/// grids are symmetric.
std::int32_t even_parts(double length, double edge_length);

/// A ring of a surface of revolution about y: a knot of its profile.
struct ProfileKnot {
    double radius = 0.0;
    double height = 0.0;
    double normal_out = 1.0;  ///< Outward (radial) and upward parts of the unit normal.
    double normal_up = 0.0;
    double v = 0.0;         ///< Second texture coordinate.
    std::int32_t look = 0;  ///< Of the span from this knot to the next.
};

/// (cos, sin) of i / n of a turn, exactly symmetric in all octants. Requires: n divisible by 4.
Vec2 unit_circle(std::int32_t i, std::int32_t n);

/// Segments around a circle of that length: divisible by 8 or 12, so that discs fill evenly.
std::int32_t ring_segments(double length, double edge_length);

/// The same for round ends: divisible by 12, since a dome of six sectors is the less stretched.
std::int32_t dome_segments(double length, double edge_length);

/// Adds a ring of n points at the knot; returns its first point, the others follow.
std::int32_t add_ring(PatchBuilder& builder, const ProfileKnot& knot, std::int32_t n);

/// Adds the wall through the knots, bottom to top (outward normal on the right of the profile),
/// n segments around. Knots at one place with different normals make a crease. Returns the first
/// point of the ring of each knot.
std::vector<std::int32_t> add_wall(PatchBuilder& builder, const std::vector<ProfileKnot>& knots,
                                   std::int32_t n);

/// How a cap's vertices get their UVs.
enum class CapUv {
    Planar,  ///< Seen from outside, the unit square around `uv_radius`.
    Polar,   ///< As the wall: angle and the knots' v.
};

/// Closes a ring of n points starting at `outer`. `knots` are rings from just inside the outer
/// ring's own knot (knots[0], already there) to the pole (the last); there are n / fold rings, as
/// many as `cap_rings(n)`. Faces up, or down if `is_bottom`.
void add_cap(PatchBuilder& builder, const std::vector<ProfileKnot>& knots, std::int32_t outer,
             std::int32_t n, bool is_bottom, CapUv uv, double uv_radius);

/// Rings that fill a disc of n segments: ring k from the middle has k * n / cap_rings(n) points.
std::int32_t cap_rings(std::int32_t n);

/// Stretches all points and the given normals along x and z.
void stretch(SurfaceAsset& asset, double x, double z);

}  // namespace ductile
