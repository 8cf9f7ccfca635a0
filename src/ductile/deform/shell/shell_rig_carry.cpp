// SPDX-License-Identifier: MIT
// Rigs of what a body becomes: finer meshes of it, and its pieces.
#include <ductile/deform/shell/shell_rig.h>
#include <ductile/geom/cut/point_shares.h>

#include <map>

namespace ductile {
namespace {

void measure_surface(ShellRig& rig, std::span<const Vec3> points,
                     std::span<const Triangle> triangles) {
    rig.point_area = vertex_areas(points, triangles);
    rig.normals = vertex_normals(points, triangles);
    rig.edges = bending_edges(triangles, rig.shell_of);
    rig.face_shell.clear();
}

}  // namespace

ShellRig refined_rig(const ShellRig& base, std::span<const MeshEdge> split,
                     std::span<const Vec3> points, std::span<const Triangle> triangles) {
    ShellRig rig = base;
    for (const MeshEdge& edge : split) {
        std::map<std::int32_t, double> sum;
        for (const std::int32_t v : edge) {
            for (const ControlWeight& w : rig.rows[std::size_t(v)])
                sum[w.control] += 0.5 * w.weight;
        }
        std::vector<ControlWeight> row;
        double whole = 0.0;
        for (const auto& [control, weight] : sum) {
            row.push_back({control, weight});
            whole += weight;
        }
        for (ControlWeight& w : row) w.weight /= whole;  // one end may be of a rigid part
        rig.rows.push_back(row);
        rig.shell_of.push_back(rig.shell_of[std::size_t(edge[0])]);
        if (!rig.support_distance.empty()) {
            rig.support_distance.push_back(0.5 * (rig.support_distance[std::size_t(edge[0])] +
                                                  rig.support_distance[std::size_t(edge[1])]));
        }
    }
    measure_surface(rig, points, triangles);
    return rig;
}

ShellRig part_rig(const ShellRig& whole, const PointShares& shares, std::span<const Vec3> points,
                  std::span<const Triangle> triangles) {
    ShellRig rig = whole;
    rig.is_kept = true;
    rig.control_points.clear();
    rig.shells.clear();
    rig.ties.clear();
    rig.support_distance.clear();
    rig.rows = {};
    rig.shell_of.clear();
    for (std::size_t i = 0; i < shares.size(); ++i) {
        std::map<std::int32_t, double> sum;
        for (std::size_t k = 0; k < shares.points_of(i).size(); ++k) {
            for (const ControlWeight& w : whole.rows[std::size_t(shares.points_of(i)[k])])
                sum[w.control] += shares.shares_of(i)[k] * w.weight;
        }
        std::vector<ControlWeight> row;
        for (const auto& [control, weight] : sum) row.push_back({control, weight});
        rig.rows.push_back(row);
        rig.shell_of.push_back(whole.shell_of[std::size_t(shares.main_point(i))]);
    }
    measure_surface(rig, points, triangles);
    return rig;
}

}  // namespace ductile
