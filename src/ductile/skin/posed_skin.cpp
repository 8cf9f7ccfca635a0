// SPDX-License-Identifier: MIT
// Every number is worked out by the same functions and in the same order as in RenderSkin::pose;
// only what did not change is left out. A group's normal is a sum over its corners in ascending
// order, so it is summed anew, never corrected.
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/skin/render_skin.h>

#include <cstring>
#include <utility>

namespace ductile {
namespace {

// Vertices, and groups of them, that one task works out at least: some ten microseconds' worth.
constexpr std::size_t kVertexGrain = 2048, kGroupGrain = 128;

bool is_same(const Vec3& a, const Vec3& b) {
    return std::memcmp(a.data(), b.data(), 3 * sizeof(double)) == 0;
}

}  // namespace

// `for_each` calls its argument with every pair of key and item, twice in the same order.
template <class ForEach>
PosedSkin::Lists PosedSkin::make_lists(std::size_t key_count, ForEach&& for_each) {
    Lists lists;
    lists.start.assign(key_count + 1, 0);
    for_each([&](std::size_t key, std::int32_t) { ++lists.start[key + 1]; });
    for (std::size_t i = 0; i < key_count; ++i) lists.start[i + 1] += lists.start[i];
    lists.items.resize(static_cast<std::size_t>(lists.start.back()));
    std::vector<std::int32_t> next(lists.start.begin(), lists.start.end() - 1);
    for_each([&](std::size_t key, std::int32_t item) { lists.items[next[key]++] = item; });
    return lists;
}

PosedSkin::PosedSkin(std::shared_ptr<const SurfaceAsset> asset) : skin_(std::move(asset)) {
    const SurfaceAsset& own = skin_.asset();
    const RenderMesh& mesh = own.render;
    const std::size_t point_count = own.surface.points.size(), vertex_count = mesh.points.size();
    const auto group_count = static_cast<std::size_t>(skin_.group_count_);
    vertices_of_point_ = make_lists(point_count, [&](auto&& add) {
        for (std::size_t v = 0; v < vertex_count; ++v) {
            if (skin_.is_riding(v)) continue;
            for (int k = 0; k < 3; ++k) {
                const SurfaceAnchor& anchor = own.anchors[v];
                if (anchor.weights[k] != 0.0) add(anchor.points[k], static_cast<std::int32_t>(v));
            }
        }
    });
    riders_of_point_ = make_lists(point_count, [&](auto&& add) {
        for (std::size_t r = 0; r < own.riders.size(); ++r) {
            for (const std::int32_t p : own.riders[r].points) {
                add(static_cast<std::size_t>(p), static_cast<std::int32_t>(r));
            }
        }
    });
    const Lists triangles_of_vertex = make_lists(vertex_count, [&](auto&& add) {
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            for (const std::int32_t v : mesh.triangles[t]) add(v, static_cast<std::int32_t>(t));
        }
    });
    groups_around_vertex_ = make_lists(vertex_count, [&](auto&& add) {
        std::vector<std::int32_t> last_vertex(group_count, -1);  // that it was named for
        for (std::size_t v = 0; v < vertex_count; ++v) {
            for (const std::int32_t t : triangles_of_vertex[v]) {
                for (const std::int32_t corner : mesh.triangles[t]) {
                    const auto vertex = static_cast<std::int32_t>(v);
                    const std::int32_t g = skin_.group_[corner];
                    if (std::exchange(last_vertex[g], vertex) != vertex) add(v, g);
                }
            }
        }
    });
    vertices_of_group_ = make_lists(group_count, [&](auto&& add) {
        for (std::size_t v = 0; v < vertex_count; ++v) {
            if (!skin_.is_riding(v)) add(skin_.group_[v], static_cast<std::int32_t>(v));
        }
    });
    corners_of_group_ = make_lists(group_count, [&](auto&& add) {
        for (std::size_t c = 0; c < 3 * mesh.triangles.size(); ++c) {
            add(skin_.group_[mesh.triangles[c / 3][c % 3]], static_cast<std::int32_t>(c));
        }
    });
    surface_ = own.surface.points;
    skin_.pose(surface_, points_, normals_);
    moved_points_ = IndexSet(point_count);
    moved_riders_ = IndexSet(own.riders.size());
    moved_vertices_ = changed_vertices_ = IndexSet(vertex_count);
    stale_groups_ = IndexSet(group_count);
}

void PosedSkin::update(std::span<const Vec3> surface_points) {
    DUCTILE_ASSERT(surface_points.size() == surface_.size(), "same surface");
    for (std::size_t p = 0; p < surface_.size(); ++p) {
        if (!is_same(surface_points[p], surface_[p])) {
            moved_points_.insert(static_cast<std::int32_t>(p));
        }
    }
    find_moved(surface_points);
}

void PosedSkin::update(std::span<const Vec3> surface_points,
                       std::span<const std::int32_t> touched) {
    DUCTILE_ASSERT(surface_points.size() == surface_.size(), "same surface");
    for (const std::int32_t p : touched) {
        if (!is_same(surface_points[p], surface_[p])) moved_points_.insert(p);
    }
    find_moved(surface_points);
}

void PosedSkin::find_moved(std::span<const Vec3> surface_points) {
    moved_points_.for_each([&](std::int32_t p) {
        surface_[p] = surface_points[p];
        for (const std::int32_t v : vertices_of_point_[p]) moved_vertices_.insert(v);
        for (const std::int32_t r : riders_of_point_[p]) moved_riders_.insert(r);
    });
    moved_points_.clear();
    pose_moved(surface_points);
    turn_groups();
    changed_vertices_.take(changed_);
}

void PosedSkin::pose_moved(std::span<const Vec3> surface_points) {
    const SurfaceAsset& own = skin_.asset();
    std::vector<std::int32_t> moved;
    moved_vertices_.for_each([&](std::int32_t v) { moved.push_back(v); });
    parallel_for(moved.size(), kVertexGrain, [&](std::size_t i) {
        const auto v = static_cast<std::size_t>(moved[i]);
        points_[v] = skin_.posed_point(surface_points, v);
    });
    moved_riders_.for_each([&](std::int32_t r) {
        const MeshPart& part = own.render.parts[own.riders[r].part];
        for (std::int32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
            normals_[v] = own.render.normals[v];
            moved_vertices_.insert(v);
        }
        skin_.pose_rider(own.riders[r], surface_points, points_, normals_);
    });
    moved_riders_.clear();
}

void PosedSkin::turn_groups() {
    const std::vector<Triangle>& triangles = skin_.asset().render.triangles;
    moved_vertices_.for_each([&](std::int32_t v) {
        changed_vertices_.insert(v);
        for (const std::int32_t g : groups_around_vertex_[v]) stale_groups_.insert(g);
    });
    moved_vertices_.clear();
    std::vector<std::int32_t> stale;
    stale_groups_.take(stale);
    parallel_for(stale.size(), kGroupGrain, [&](std::size_t i) {
        const auto g = static_cast<std::size_t>(stale[i]);
        Vec3 sum = Vec3::Zero();
        for (const std::int32_t c : corners_of_group_[g]) {
            sum += RenderSkin::corner_normal(points_, triangles[c / 3], c % 3);
        }
        const Vec3 normal = RenderSkin::direction(sum);
        for (const std::int32_t v : vertices_of_group_[g])
            normals_[v] = skin_.turned_normal(static_cast<std::size_t>(v), normal);
    });
    for (const std::int32_t g : stale) {
        for (const std::int32_t v : vertices_of_group_[g]) changed_vertices_.insert(v);
    }
}

}  // namespace ductile
