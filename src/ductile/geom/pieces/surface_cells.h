// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/pieces/cluster_graph.h>

#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// To 1e-6: far above what sums in another order differ by, so that numbers of one surface (in
/// units of a cluster's size) are the same bits on each of its triangulations.
double rounded_off(double x);
Vec3 rounded_off(const Vec3& x);

/// A surface cut into small cells by a grid and along its creases: what clusters are made of so
/// that they do not depend on how the surface is cut into triangles.
struct SurfaceCells {
    /// Lengths are those of equation 1; centres are in units of `scale`, from `origin`.
    ClusterGraph graph;
    Vec3 origin = Vec3::Zero();
    double scale = 1.0;                    ///< [m]
    std::vector<std::int32_t> first_cell;  ///< Where the cells of each face begin, and the end.
    std::vector<std::int32_t> cells;       ///< That each face lies in, ascending.

    std::span<const std::int32_t> cells_of(std::size_t face) const {
        const auto begin = static_cast<std::size_t>(first_cell[face]);
        return {cells.data() + begin, static_cast<std::size_t>(first_cell[face + 1]) - begin};
    }
};

/// Cuts `faces` into cells a sixth of `scale` wide. Two triangulations of one surface have the same
/// cells in the same order, to the last bit: numbers are rounded to 1e-6 of the scale.
///
/// A cell is what hangs together in a cube of the grid without a crease (15 degrees); small ones
/// join a neighbour. Cells are linked to their neighbours and to those next to them, so that ways
/// are nearly straight. Nothing where cells cannot stand for the surface: it has points that are
/// not finite, or it is so thinly spread that there would be far more cells than faces. Requires:
/// `next` as of `face_neighbours`, `scale` > 0. About 2 us a face.
std::optional<SurfaceCells> make_surface_cells(std::span<const Vec3> points,
                                               std::span<const Triangle> faces,
                                               std::span<const Triangle> next, double scale,
                                               const ClusterOptions& options);

}  // namespace ductile
