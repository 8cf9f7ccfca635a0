// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <ductile/core/field.h>
#include <ductile/core/result.h>
#include <ductile/geom/render_mesh.h>

namespace ductile {

/// The shapes ductile makes itself, so that nothing needs a download. Y is up; each is centred on
/// the middle of its bounding box, faces outward, without degenerate triangles.
enum class SolidKind { Box, Sphere, Capsule, Cylinder, Plank, Plate, Torus, Barrel, Car };

/// Which solid, how large, how fine. Fields that a kind does not use are ignored.
struct SolidOptions {
    SolidKind kind = SolidKind::Box;
    Vec3 size = Vec3(1, 1, 1);  ///< Width (x), height (y), depth (z) of the bounding box [m].
    double rounding = 0.0;      ///< Radius of rounded edges [m]; box, cylinder, plank, plate.
    double tube = 0.1;          ///< Radius of a torus' tube [m].
    /// Edge length aimed at [m]; 0 chooses about 1,800 points (a car: about 9,000).
    double resolution = 0.0;
};

/// Builds the solid: welded surface, render mesh with UVs, creases and looks.
/// Closed (every edge shared by two faces) for every kind but Car, whose panels are open sheets
/// with gaps at the wheel arches. Error: a size, rounding or resolution that cannot be met, or more
/// than 5 million points.
Result<SurfaceAsset> make_solid(const SolidOptions& options);

}  // namespace ductile
