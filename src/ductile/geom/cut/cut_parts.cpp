// SPDX-License-Identifier: MIT
#include <ductile/core/joined_sets.h>
#include <ductile/geom/cut/cut_joints.h>
#include <ductile/geom/cut/cut_parts.h>

#include <algorithm>

namespace ductile {
namespace {

// Which part each triangle of the surface is of.
SetNumbers surface_parts(const SurfaceAsset& asset) {
    const std::vector<Triangle>& triangles = asset.surface.triangles;
    JoinedSets points(asset.surface.points.size());
    for (const Triangle& t : triangles) {
        points.join(t[0], t[1]);
        points.join(t[0], t[2]);
    }
    const std::vector<MeshPart>& names = asset.render.parts;
    std::vector<std::uint8_t> is_ridden(names.size(), 0);
    for (const Rider& rider : asset.riders) is_ridden[rider.part] = 1;
    for (std::size_t p = 0; names.size() > 1 && p < names.size(); ++p) {
        std::int32_t first = -1;
        for (std::int32_t v = 0; !is_ridden[p] && v < names[p].vertex_count; ++v) {
            const SurfaceAnchor& anchor = asset.anchors[names[p].first_vertex + v];
            int most = 0;
            anchor.weights.maxCoeff(&most);
            if (first < 0) first = anchor.points[most];
            points.join(first, anchor.points[most]);
        }
    }
    JoinedSets sets(triangles.size());
    std::vector<std::int32_t> met(asset.surface.points.size(), -1);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        std::int32_t& first = met[points.of(triangles[t][0])];
        if (first < 0) first = static_cast<std::int32_t>(t);
        sets.join(first, static_cast<std::int32_t>(t));
    }
    return numbered(sets);
}

/// Sums over the triangles of a part, with their tips at its first point.
struct PartSums {
    Vec3 tip = Vec3::Zero();
    bool is_solid = true, is_new = true;
    double volume = 0.0, area = 0.0;
    Vec3 volume_first = Vec3::Zero(), area_first = Vec3::Zero();

    void add(std::span<const Vec3> points, const Triangle& t, bool is_of_solid) {
        if (is_new) tip = points[t[0]];
        is_new = false;
        is_solid = is_solid && is_of_solid;
        const Vec3 a = points[t[0]] - tip, b = points[t[1]] - tip, c = points[t[2]] - tip;
        const double v = a.dot(b.cross(c)) / 6.0, size = 0.5 * area_vector(points, t).norm();
        volume += v;
        volume_first += v * (a + b + c) / 4.0;
        area += size;
        area_first += size * (a + b + c) / 3.0;
    }
    CutPiece piece(std::int32_t number) const {
        const bool has_inside = is_solid && volume > 0;
        CutPiece out;
        out.cell = number;
        out.volume = has_inside ? volume : 0.0;
        if (has_inside) {
            out.centre = tip + volume_first / volume;
        } else if (area > 0) {
            out.centre = tip + area_first / area;
        }
        return out;
    }
};

Result<CutMesh> cut_parts(const SurfaceAsset& asset, double touch,
                          std::span<const std::uint8_t> is_sheet) {
    const TriMesh& mesh = asset.surface;
    const SetNumbers parts = surface_parts(asset);
    if (parts.count < 2) {
        return Error{"the mesh is a single part", "",
                     "name its parts in the file, or take a pattern that cuts"};
    }
    const std::vector<std::uint8_t> is_solid = solid_triangles(mesh, is_sheet);
    CutMesh cut;
    cut.points = mesh.points;
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
        cut.anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(p)));
    }
    std::vector<PartSums> sums(static_cast<std::size_t>(parts.count));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const std::int32_t part = parts.number[t];
        cut.faces.push_back({mesh.triangles[t], part, -1, static_cast<std::int32_t>(t)});
        sums[part].add(mesh.points, mesh.triangles[t], is_solid[t] != 0);
    }
    for (std::int32_t p = 0; p < parts.count; ++p) cut.pieces.push_back(sums[p].piece(p));
    cut.open_triangles = static_cast<std::int32_t>(std::count(is_solid.begin(), is_solid.end(), 0));
    measure_contacts(is_solid, touch, cut);
    tie_loose_parts(cut, touch);
    if (cut.joints.empty()) {
        return Error{"no two parts of the mesh touch", "",
                     "move them together, or let them be further apart (touch)"};
    }
    return cut;
}

}  // namespace

Result<CutMesh> cut_by_pattern(const SurfaceAsset& asset, const CellPattern& pattern,
                               const CutOptions& options, std::span<const std::uint8_t> is_sheet) {
    if (!(pattern.touch > 0)) return cut_cells(asset.surface, pattern, options, is_sheet);
    if (Status status = check_cut_mesh(asset.surface); !status) return status.error();
    return cut_parts(asset, pattern.touch, is_sheet);
}

}  // namespace ductile
