// SPDX-License-Identifier: MIT
// A flat sheet and a ball over it, for tests of the shell.
#pragma once

#include <ductile/deform/shell/shell_solve.h>
#include <ductile/geom/query/surface_query.h>

#include <geom/test_meshes.h>

#include <memory>
#include <vector>

namespace ductile::test {

/// A square sheet in y = 0 about the origin, facing up.
inline TriMesh sheet_mesh(double side, int cells) {
    return grid_mesh(cells, cells, false, false, [&](int i, int j) {
        return Vec3(side * (double(i) / cells - 0.5), 0.0, side * (0.5 - double(j) / cells));
    });
}

/// A sheet of 2 m and its rig, and strikers that touch it from above.
struct ShellSheet {
    TriMesh mesh;
    ShellOptions options;
    ShellRig rig;
    TriMesh ball = sphere_mesh(0.25, 3);
    std::shared_ptr<SurfaceQuery> ball_surface =
        std::make_shared<SurfaceQuery>(ball.points, ball.triangles);

    explicit ShellSheet(int cells = 40, ShellOptions with = {})
        : mesh(sheet_mesh(2.0, cells)), options(with) {
        rig = make_shell_rig({mesh.points, mesh.triangles, {}}, options).value();
    }

    BodyImpact impact(const Vec3& place, const Vec3& velocity = Vec3(0, -10, 0)) const {
        BodyImpact impact;
        impact.point_b = place;
        impact.starts_b = {place};
        impact.normal_b = Vec3::UnitY();
        impact.velocity_b = velocity;
        impact.other_surface = ball_surface.get();
        impact.other_to_body.translation = place + 0.25 * Vec3::UnitY();
        return impact;
    }

    ShellLoad load(double depth, const Vec3& place = Vec3(0.1, 0, 0.05)) const {
        StrikerMap striker(impact(place), -Vec3::UnitY(), bounds(mesh.points), 2.83);
        striker.touch(mesh.points, 0.05);
        return {striker, depth, {}};
    }

    ShellSolution press(std::vector<ShellLoad> loads) const {
        return solve_shell(rig, {mesh.points, mesh.points}, loads, options);
    }

    std::vector<Vec3> moves(const ShellSolution& solved) const {
        std::vector<Vec3> out;
        for (std::size_t v = 0; v < mesh.points.size(); ++v) {
            out.push_back(point_shift(rig.rows[v], solved.shift));
        }
        return out;
    }
};

}  // namespace ductile::test
