// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/rng.h>
#include <ductile/geom/repair/check_asset.h>
#include <ductile/geom/repair/split_edges.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace ductile::test {

inline MeshEdge edge_between(std::int32_t a, std::int32_t b) {
    return {std::min(a, b), std::max(a, b)};
}

inline std::set<MeshEdge> edges_of(std::span<const Triangle> triangles) {
    std::set<MeshEdge> all;
    for (const Triangle& t : triangles) {
        for (int k = 0; k < 3; ++k) all.insert(edge_between(t[k], t[(k + 1) % 3]));
    }
    return all;
}

/// Every edge of a mesh with a chance of one in three.
inline std::vector<MeshEdge> some_edges(const TriMesh& mesh, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<MeshEdge> some;
    for (const MeshEdge& e : edges_of(mesh.triangles)) {
        if (rng.uniform() < 1.0 / 3.0) some.push_back(e);
    }
    return some;
}

/// The surface point that a drawn vertex is; -1 if it lies between some.
inline std::int32_t surface_point(const SurfaceAsset& asset, std::int32_t drawn) {
    const SurfaceAnchor& anchor = asset.anchors[drawn];
    for (int k = 0; k < 3; ++k) {
        if (anchor.weights[k] == 1.0) return anchor.points[k];
    }
    return -1;
}

/// Per edge of the surface, the drawn edges on it: one, or one per side of a seam.
inline std::map<MeshEdge, std::set<MeshEdge>> drawn_edges(const SurfaceAsset& asset) {
    std::map<MeshEdge, std::set<MeshEdge>> drawn;
    for (const Triangle& t : asset.render.triangles) {
        std::array<std::int32_t, 3> on{};
        for (int k = 0; k < 3; ++k) on[k] = surface_point(asset, t[k]);
        if (*std::min_element(on.begin(), on.end()) < 0) continue;
        for (int k = 0; k < 3; ++k) {
            const int next = (k + 1) % 3;
            drawn[edge_between(on[k], on[next])].insert(edge_between(t[k], t[next]));
        }
    }
    return drawn;
}

/// Drawn edges from point to point of the surface where that has no edge: a gap opens there as soon
/// as it moves.
inline std::size_t loose_edges(const SurfaceAsset& asset) {
    const std::set<MeshEdge> edges = edges_of(asset.surface.triangles);
    std::size_t loose = 0;
    for (const auto& [edge, drawn] : drawn_edges(asset)) loose += !edges.contains(edge);
    return loose;
}

/// What a drawn vertex looks like. Normals of new ones are not in it: ShadingWitness has those.
using DrawnLook = std::array<double, 8>;
inline DrawnLook drawn_look(const Vec3& point, const Vec3& normal, const Vec2& uv) {
    return {point.x(), point.y(), point.z(), normal.x(), normal.y(), normal.z(), uv.x(), uv.y()};
}

/// Splits and checks: nothing that was there changes, no gap opens, and each side of a seam has a
/// vertex of its own on every new point, halfway between its own two. Returns how many new points
/// lie on seams.
inline std::size_t check_split(SurfaceAsset& asset, std::span<const MeshEdge> marked) {
    const SurfaceAsset split = split_edges(asset, marked);
    CHECK(check_asset(split).ok());
    const auto first = static_cast<std::int32_t>(asset.surface.points.size());
    CHECK(std::equal(asset.surface.points.begin(), asset.surface.points.end(),
                     split.surface.points.begin()));
    CHECK(loose_edges(split) == loose_edges(asset));

    std::vector<std::vector<DrawnLook>> made(marked.size());
    std::vector<DrawnLook> kept, before;
    for (std::size_t v = 0; v < split.render.points.size(); ++v) {
        const std::int32_t on = surface_point(split, static_cast<std::int32_t>(v));
        const RenderMesh& to = split.render;
        if (on < first) {
            kept.push_back(drawn_look(to.points[v], to.normals[v], to.uvs[v]));
        } else {
            made[on - first].push_back(drawn_look(to.points[v], Vec3::Zero(), to.uvs[v]));
        }
    }
    for (std::size_t v = 0; v < asset.render.points.size(); ++v) {
        before.push_back(
            drawn_look(asset.render.points[v], asset.render.normals[v], asset.render.uvs[v]));
    }
    CHECK(kept == before);

    const std::map<MeshEdge, std::set<MeshEdge>> drawn = drawn_edges(asset);
    std::size_t on_seams = 0, wrong = 0;
    for (std::size_t i = 0; i < marked.size(); ++i) {
        std::vector<DrawnLook> expected;
        if (const auto sides = drawn.find(marked[i]); sides != drawn.end()) {
            for (const auto& [a, b] : sides->second) {
                const RenderMesh& from = asset.render;
                expected.push_back(drawn_look(0.5 * (from.points[a] + from.points[b]), Vec3::Zero(),
                                              0.5 * (from.uvs[a] + from.uvs[b])));
            }
        }
        on_seams += expected.size() > 1;
        std::sort(expected.begin(), expected.end());
        std::sort(made[i].begin(), made[i].end());
        wrong += expected != made[i];
    }
    CHECK(wrong == 0);
    asset = split;
    return on_seams;
}

/// How far the light of a split mesh is off that of the mesh it was, at its vertices [deg]: there
/// the normal was that between the corners around.
class ShadingWitness {
public:
    /// Colours go halfway without being made unit length: they become what normals were.
    explicit ShadingWitness(SurfaceAsset& asset) {
        asset.render.colours.clear();
        for (const Vec3& n : asset.render.normals) {
            asset.render.colours.push_back(Vec4(n.x(), n.y(), n.z(), 1.0));
        }
    }
    double most_turned_deg(const SurfaceAsset& split) const {
        double most = 0.0;
        for (std::size_t v = 0; v < split.render.normals.size(); ++v) {
            const Vec3 was = split.render.colours[v].head<3>();
            const Vec3& now = split.render.normals[v];
            most = std::max(most, std::atan2(was.cross(now).norm(), was.dot(now)));
        }
        return most * (180.0 / kPi);
    }
};

}  // namespace ductile::test
