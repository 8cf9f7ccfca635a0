// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/query/surface_query.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// The space around a body in cubes, each of one group of its triangles: as Patkar et al. 2014 cut
/// a level set into sub-bodies (section 4, Figure 12).
struct VoxelGroups {
    Vec3 lower = Vec3::Zero();              ///< Corner of the first cube [m].
    double cell = 0.0;                      ///< Side of a cube [m].
    std::array<std::int32_t, 3> size = {};  ///< How many along x, y and z.
    std::vector<std::int32_t> group;        ///< Per cube, x fastest.
    std::vector<std::uint8_t> is_inside;    ///< Per cube: whether its middle is in the body.

    Vec3 middle(std::size_t cube) const;
};

/// Cubes that the surface passes get the group of the nearest triangle; then rings of cubes march
/// inwards, and outwards as far as `rings` around the body's box: each gets the group that most of
/// its six neighbours on its side have, the lowest of several. Every cube has a group in the end,
/// -1 only where nothing leads to it.
/// Error: no triangles, a cell that is not positive, or more than `kMostCubes` of them.
Result<VoxelGroups> march_voxels(const SurfaceQuery& surface, std::span<const std::int32_t> group,
                                 double cell, std::int32_t rings);
inline constexpr double kMostCubes = 2e7;

}  // namespace ductile
