// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/tissue/tissue_options.h>
#include <ductile/deform/tissue/tissue_rig.h>
#include <ductile/geom/tri_mesh.h>

#include <vector>

namespace ductile {

/// A place on the bone and that of the outermost particle above it: others sit along the way.
struct TissueColumn {
    Vec3 foot = Vec3::Zero();  ///< On the bone [m].
    Vec3 tip = Vec3::Zero();   ///< Centre of the outermost particle [m].
    Vec3 up = Vec3::UnitY();   ///< Unit; particles lie flat across it.
    double width = 0.0;        ///< Half of an outer particle's [m], > 0.
    double height = 0.0;       ///< The same along `up`.
};

/// The grid of a box: corners, `per_edge` particles along each edge, faces filled, blown up from
/// the middle. The ellipsoids touch a box `extrusion` times as large from inside, none beyond it.
std::vector<TissueColumn> box_columns(const Box& box, const TissueOptions& options);

/// One row from the middle of a box's upper side, `thickness` long, as wide as the box.
TissueColumn chain_column(const Box& box, const TissueOptions& options);

/// Places at random all over a surface, none nearer to another than `spacing` and no gap wider than
/// about twice that (Poisson disks); each with a normal smoothed over half that distance.
struct SurfaceSamples {
    std::vector<Vec3> places;   ///< [m]
    std::vector<Vec3> normals;  ///< Unit.
};
SurfaceSamples poisson_samples(const TriMesh& surface, double spacing, std::uint64_t seed);

/// Columns of one height, or, with a skin, out to where each normal meets it (to the nearest place
/// of it where it does not). The outermost ellipsoids touch the skin from inside. Error: a surface
/// without area, too many particles, a skin that does not enclose the bone.
Result<std::vector<TissueColumn>> surface_columns(const TriMesh& bone, const TissueOptions& options,
                                                  const TriMesh* skin);

/// What is told of a skin that is not around the bone.
Error skin_beside_bone();

/// A surface moved outwards by `thickness`: every point is that far off it, spread evenly; crevices
/// narrower than that are spanned.
std::vector<Vec3> offset_points(const TriMesh& surface, double thickness);

/// What the triangles sweep as their points go straight from the first places to the others [m^3],
/// positive along their normals: the room of a coat, on open sheets, too.
double swept_volume(std::span<const Vec3> from, std::span<const Vec3> to,
                    std::span<const Triangle> triangles);

/// What the coat's particles weigh.
struct TissueMass {
    double coat = 0.1;  ///< All outer ones together [kg], > 0.
    double bone = 0.0;  ///< [kg]; 0 for a bone that cannot be pushed.
};

/// Particles along the columns, the first of each attached to the bone, and a group around each
/// outer one: the `group_size` nearest of its own layer, itself among them, and its neighbours
/// along the column. The bone ties the first outer one of each column.
/// Error: as check_tissue; columns without length; groups by hand with too few particles.
Result<TissueRig> rig_of_columns(std::span<const TissueColumn> columns,
                                 const TissueOptions& options, const TissueMass& mass);

}  // namespace ductile
