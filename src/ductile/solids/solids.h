// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/core/stop.h>
#include <ductile/geom/render_mesh.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ductile {

/// The shapes ductile makes itself, so that nothing needs a download. Y is up; each is centred on
/// the middle of its bounding box, faces outward, without degenerate triangles.
enum class SolidKind {
    Box,
    Sphere,    ///< An ellipsoid if the three sizes differ.
    Capsule,   ///< Axis y; its ends are as round as the smaller of width and depth.
    Cylinder,  ///< Axis y.
    Plank,     ///< A box that looks like wood.
    Plate,     ///< A box that looks like sheet metal.
    Torus,     ///< Axis y; its height is twice `tube`, whatever size.y says.
    Barrel,    ///< A steel drum with rolled rims, hoops and bungs; axis y.
    Car,       ///< A hatchback; its front faces +z.
    Blend,     ///< Balls and round bars melted together: `parts`; as fine as the thinnest needs.
    Beam,      ///< An I-beam along z; flanges and web are a tenth of its width thick.
};
inline std::span<const std::string_view> enum_names(SolidKind) {
    static constexpr std::string_view names[] = {"box",   "sphere", "capsule", "cylinder",
                                                 "plank", "plate",  "torus",   "barrel",
                                                 "car",   "blend",  "beam"};
    return names;
}

/// A ball, or a round bar: all between two balls.
struct BlendPart {
    Vec3 from = Vec3::Zero();    ///< [m]
    Vec3 to = Vec3::Zero();      ///< [m]
    double radius = 0.5;         ///< Of the ball at `from` [m], > 0.
    double end_radius = 0.0;     ///< Of the ball at `to` [m]; 0: the same.
    Vec3 colour = Vec3::Zero();  ///< Linear RGB of what is nearest to it; all 0: the main look's.
};
template <class Visitor>
void visit_fields(BlendPart& p, Visitor&& field) {
    field(Field{"from", "m", -1e4, 1e4, "where it begins"}, p.from);
    field(Field{"to", "m", -1e4, 1e4, "where it ends"}, p.to);
    field(Field{"radius", "m", 1e-4, 1e4, "at its beginning"}, p.radius);
    field(Field{"end_radius", "m", 0.0, 1e4, "at its end; 0: the same"}, p.end_radius);
    field(Field{"colour", "", 0.0, 1.0, "linear RGB; all 0: the main surface's"}, p.colour);
}

/// How thick a beam's web and flanges are, as a share of its width.
inline constexpr double kBeamWall = 0.1;

/// Which solid, how large, how fine. Fields that a kind does not use are ignored.
struct SolidOptions {
    SolidKind kind = SolidKind::Box;
    /// Width (x), height (y), depth (z) of the bounding box [m]; all zero: `natural_size(kind)`.
    Vec3 size = Vec3::Zero();
    double rounding = 0.0;  ///< Radius of rounded edges [m]; box, cylinder, plank, plate.
    double tube = 0.1;  ///< Radius of a torus' tube [m], below a quarter of its width and depth.
    std::vector<BlendPart> parts{};  ///< Of a blend, in a frame of their own; the box is centred.
    double blend = 0.0;              ///< How far its parts melt into each other [m], >= 0.
    /// Edge length aimed at [m]; 0 chooses about 1,800 points (a car: about 10,000).
    double resolution = 0.0;
};
template <class Visitor>
void visit_fields(SolidOptions& o, Visitor&& field) {
    field(Field{"kind", "", 0, 0, "which solid"}, o.kind);
    field(Field{"size", "m", 0.0, 1e4, "width, height, depth; all 0 takes the kind's own"}, o.size);
    field(Field{"rounding", "m", 0.0, 1e4, "radius of rounded edges"}, o.rounding);
    field(Field{"tube", "m", 1e-4, 1e4, "radius of a torus' tube"}, o.tube);
    field(Field{"parts", "", 0, 0, "balls and round bars of a blend"}, o.parts);
    field(Field{"blend", "m", 0.0, 1e4, "how far a blend's parts melt into each other"}, o.blend);
    field(Field{"resolution", "m", 0.0, 1e4, "edge length of triangles; 0 chooses"}, o.resolution);
}

/// The size a solid of this kind has where none is asked for [m].
Vec3 natural_size(SolidKind kind);
/// The same for a blend, which has the size of its parts.
Vec3 natural_size(const SolidOptions& options);

/// Builds the solid: welded surface, render mesh with UVs, creases and looks. `looks[0]` is the
/// look of its main surface, the one to repaint.
///
/// Closed (every edge shared by two faces) for every kind but Car, whose body is a sheet that is
/// open at the wheel arches. Same options, same bytes. O(points); a blend O(points * parts).
/// Error: a size, rounding, tube or resolution that cannot be met; more than a million points, or a
/// blend that would take minutes, found out before anything of that size is made (`hint`: a
/// resolution that fits); `stop` was set.
Result<SurfaceAsset> make_solid(const SolidOptions& options, const StopFlag* stop = nullptr);

}  // namespace ductile
