// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/deform/bend/voxel_march.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

class VoxelMarch {
public:
    VoxelMarch(VoxelGroups& grid, const SurfaceQuery& surface, std::span<const std::int32_t> group)
        : grid_(grid), surface_(surface), group_(group) {}

    void run() {
        colour_surface();
        std::vector<std::int32_t> ring;
        for (std::size_t i = 0; i < grid_.group.size(); ++i) {
            if (grid_.group[i] >= 0) ring.push_back(static_cast<std::int32_t>(i));
        }
        while (!ring.empty()) ring = march(ring);
    }

private:
    void colour_surface() {
        const double reach = 0.5 * std::sqrt(3.0) * grid_.cell;
        parallel_for(grid_.group.size(), 64, [&](std::size_t i) {
            const Vec3 middle = grid_.middle(i);
            grid_.is_inside[i] = surface_.is_inside(middle);
            const SurfacePoint at = surface_.closest_point(middle, reach);
            if (at.triangle >= 0) grid_.group[i] = group_[at.triangle];
        });
    }
    template <class Visit>
    void for_neighbours(std::int32_t cube, Visit&& visit) const {
        const std::int32_t nx = grid_.size[0], ny = grid_.size[1];
        const std::array<std::int32_t, 3> at = {cube % nx, cube / nx % ny, cube / (nx * ny)};
        const std::array<std::int32_t, 3> stride = {1, nx, nx * ny};
        for (int k = 0; k < 3; ++k) {
            if (at[k] > 0) visit(cube - stride[k]);
            if (at[k] + 1 < grid_.size[k]) visit(cube + stride[k]);
        }
    }
    // The next ring: neighbours of the last one on the same side, all from what is known now.
    std::vector<std::int32_t> march(std::span<const std::int32_t> ring) {
        std::vector<std::int32_t> next;
        for (const std::int32_t cube : ring) {
            for_neighbours(cube, [&](std::int32_t n) {
                if (grid_.group[n] < 0 && grid_.is_inside[n] == grid_.is_inside[cube]) {
                    next.push_back(n);
                }
            });
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        std::vector<std::int32_t> found;
        for (const std::int32_t cube : next) found.push_back(most_around(cube));
        for (std::size_t i = 0; i < next.size(); ++i) grid_.group[next[i]] = found[i];
        return next;
    }
    std::int32_t most_around(std::int32_t cube) const {
        std::vector<std::int32_t> groups;
        for_neighbours(cube, [&](std::int32_t n) {
            if (grid_.group[n] >= 0 && grid_.is_inside[n] == grid_.is_inside[cube]) {
                groups.push_back(grid_.group[n]);
            }
        });
        std::sort(groups.begin(), groups.end());
        std::int32_t best = groups[0];
        std::ptrdiff_t most = 0;
        for (const std::int32_t g : groups) {
            const std::ptrdiff_t count = std::count(groups.begin(), groups.end(), g);
            if (count <= most) continue;
            most = count;
            best = g;
        }
        return best;
    }

    VoxelGroups& grid_;
    const SurfaceQuery& surface_;
    std::span<const std::int32_t> group_;
};

}  // namespace

Vec3 VoxelGroups::middle(std::size_t cube) const {
    const auto nx = static_cast<std::size_t>(size[0]), ny = static_cast<std::size_t>(size[1]);
    const Vec3 at(static_cast<double>(cube % nx), static_cast<double>(cube / nx % ny),
                  static_cast<double>(cube / (nx * ny)));
    return lower + cell * (at + Vec3::Constant(0.5));
}

Result<VoxelGroups> march_voxels(const SurfaceQuery& surface, std::span<const std::int32_t> group,
                                 double cell, std::int32_t rings) {
    DUCTILE_ASSERT(group.size() == surface.triangles().size(), "a group per triangle");
    DUCTILE_ASSERT(rings >= 0, "as many rings as there are");
    if (group.empty()) return Error{"there are no triangles", "", ""};
    if (!(cell > 0) || !std::isfinite(cell)) {
        return Error{fmt::format("a cell of {} m is not a positive number", cell), "", ""};
    }
    const Box box = bounds(surface.points());
    const Vec3 count =
        ((box.upper - box.lower) / cell).array().ceil() + 2.0 * static_cast<double>(rings);
    if (!(count.cwiseMax(1.0).prod() <= kMostCubes)) {
        return Error{fmt::format("cells of {:.3g} m are too small: more than {:.0f} cubes", cell,
                                 kMostCubes),
                     "", "make them larger"};
    }
    VoxelGroups out;
    out.cell = cell;
    for (int k = 0; k < 3; ++k) out.size[k] = std::max(1, static_cast<std::int32_t>(count[k]));
    const Vec3 spread(out.size[0], out.size[1], out.size[2]);
    out.lower = box.centre() - 0.5 * cell * spread;
    const auto cubes = static_cast<std::size_t>(spread.prod());
    out.group.assign(cubes, -1);
    out.is_inside.assign(cubes, 0);
    VoxelMarch(out, surface, group).run();
    return out;
}

}  // namespace ductile
