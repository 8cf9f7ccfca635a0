// SPDX-License-Identifier: MIT
// Private to cut_cells.
#pragma once

#include <ductile/geom/cut/cell_complex.h>
#include <ductile/geom/cut/cut_cells.h>

#include <span>

namespace ductile {

/// Draws the facets of a complex anew, as few as its pieces need: cutting leaves lines where cells
/// were that others took over since. `facets` have pieces in the place of cells, unlike ones.
/// Points that are no longer needed are left out of the result.
void draw_faces(const CellComplex& complex, std::span<const CellFacet> facets,
                std::size_t mesh_points, CutMesh& cut);

}  // namespace ductile
