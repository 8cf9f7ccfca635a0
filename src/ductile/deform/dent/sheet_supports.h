// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/math.h>
#include <ductile/deform/deformer.h>
#include <ductile/geom/triangle.h>

#include <span>
#include <vector>

namespace ductile {

/// Where a sheet is held: what bends in under an impact reaches no further.
///
/// Sheets are stiff at their folds and held at their borders; between them a curved one is an arch,
/// which gives only as far as its own curvature lets it.
struct SheetSupports final : LayerData {
    std::vector<double> distance;   ///< From each point to the nearest fold or border [m].
    std::vector<double> curvature;  ///< Of the surface there, its largest [1/m].
};

/// Of a body's surface at rest; `size` is the diagonal of its box [m]. O(n log n).
SheetSupports sheet_supports(std::span<const Vec3> points, std::span<const Triangle> triangles,
                             double size);

}  // namespace ductile
