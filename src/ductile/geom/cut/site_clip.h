// SPDX-License-Identifier: MIT
// Private to cut_cells.
#pragma once

#include <ductile/geom/cut/cell_complex.h>
#include <ductile/geom/cut/site_cells.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ductile {

/// A surface and its inside, divided among the cells of sites.
struct SiteClip {
    /// Part of a triangle that lies in several cells. Its outline is closed and convex.
    struct Part {
        std::int32_t triangle = 0, cell = 0;
        std::int32_t first = 0, count = 0;  ///< In `corners`.
    };
    /// Between two cells, where there is matter; the first behind it.
    struct Wall {
        std::array<std::int32_t, 2> cells{};
        std::int32_t first = 0, count = 0;  ///< In `rims`, in no order.
    };

    std::vector<std::int32_t> point_cells;  ///< Of the mesh's points.
    std::vector<Part> parts;                ///< Those of a triangle together, triangles ascending.
    std::vector<std::int32_t> corners;
    std::vector<Wall> walls;
    std::vector<CellEdge> rims;
    std::vector<Vec3> points;  ///< New ones; their numbers go on from those of the mesh [m].
    std::vector<SurfaceAnchor> anchors;  ///< Of those.
};

/// What divides a surface.
struct SiteClipOptions {
    const SiteCells* cells = nullptr;        ///< Not null, sound.
    Mat3 metric = Mat3::Identity();          ///< p in the mesh is metric (p - middle) there.
    Vec3 middle = Vec3::Zero();              ///< [m]
    std::span<const std::uint8_t> is_solid;  ///< Per triangle: whether its cuts get walls.
    double snap = 0.0;  ///< Points of the mesh this near to a wall lie on it [m].
};

/// Divides it, each new point made once, from what meets there: an edge of the mesh and two cells,
/// a triangle and three, four cells. All that is made is compared, neighbour with neighbour;
/// nothing where rounding kept it from fitting, as where more cells meet in a point than chance
/// would have. About O(n) where triangles are small beside cells.
std::optional<SiteClip> clip_by_sites(const TriMesh& mesh, const SiteClipOptions& options);

}  // namespace ductile
