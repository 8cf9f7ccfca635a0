// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/index_set.h>
#include <ductile/geom/render_mesh.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// Carries a render mesh along when the surface beneath it moves.
///
/// Vertices at one place that share a normal at rest form one group, and a group's normal is the
/// angle-weighted mean over its faces: UV seams stay smooth, creases stay sharp. The normals that
/// the asset came with are turned by what its group's normal turned, so that an unmoved surface
/// gives back the asset's own positions and normals bit for bit.
///
/// A vertex between surface points moves by the mean of their moves, so a render mesh may be much
/// finer than its surface. A rider keeps its form: it turns and moves as the points that carry it
/// do on the whole.
class RenderSkin {
public:
    explicit RenderSkin(std::shared_ptr<const SurfaceAsset> asset);

    /// Requires: as many surface points as the asset has. Overwrites `points` and `normals`.
    void pose(std::span<const Vec3> surface_points, std::vector<Vec3>& points,
              std::vector<Vec3>& normals) const;

    const SurfaceAsset& asset() const { return *asset_; }

private:
    friend class PosedSkin;

    bool is_riding(std::size_t vertex) const { return !is_riding_.empty() && is_riding_[vertex]; }
    Vec3 posed_point(std::span<const Vec3> surface_points, std::size_t vertex) const;
    /// A face's normal, as long as its angle at corner k [rad]; zero where it has no usable area.
    static Vec3 corner_normal(std::span<const Vec3> points, const Triangle& t, int k);
    /// A group's normal from the sum over its corners; zero where that is rounding noise.
    static Vec3 direction(const Vec3& sum);
    std::vector<Vec3> group_normals(std::span<const Vec3> points) const;
    void pose_rider(const Rider& rider, std::span<const Vec3> surface_points,
                    std::span<Vec3> points, std::span<Vec3> normals) const;
    /// Requires: a vertex that does not ride.
    Vec3 turned_normal(std::size_t vertex, const Vec3& group_normal) const;

    std::shared_ptr<const SurfaceAsset> asset_;
    std::vector<std::int32_t> group_;  ///< Per render vertex.
    std::int32_t group_count_ = 0;
    std::vector<std::uint8_t> is_riding_;   ///< Per render vertex; empty: none is.
    std::vector<Vec3> rest_group_normals_;  ///< Per group; zero where it has no usable face.
};

/// A render mesh that follows its surface step by step, at the cost of what moved.
///
/// After every `update` points and normals are those that `RenderSkin::pose` would give, bit for
/// bit. Keeps about 100 bytes per render vertex. Begins at rest.
class PosedSkin {
public:
    explicit PosedSkin(std::shared_ptr<const SurfaceAsset> asset);

    /// Takes over the surface. Requires: as many points as the asset has.
    /// O(surface points) to find those that moved, and what follows from them; see below.
    void update(std::span<const Vec3> surface_points);

    /// The same where it is known which points may differ from the last call's (at first: from
    /// rest), as BodyState::touched() knows if its revision grew by one; repeats do no harm.
    /// O(touched), and the vertices, faces and riders that hang on them.
    void update(std::span<const Vec3> surface_points, std::span<const std::int32_t> touched);

    std::span<const Vec3> points() const { return points_; }
    std::span<const Vec3> normals() const { return normals_; }
    /// The render vertices whose point or normal the last `update` worked out again, ascending: no
    /// other differs. What a game uploads.
    std::span<const std::int32_t> changed() const { return changed_; }

    const SurfaceAsset& asset() const { return skin_.asset(); }

private:
    /// Lists of indices, one per key: those of key i are `items[start[i]] .. items[start[i + 1]]`.
    struct Lists {
        std::vector<std::int32_t> start, items;
        std::span<const std::int32_t> operator[](std::size_t i) const {
            return std::span(items).subspan(start[i], start[i + 1] - start[i]);
        }
    };
    template <class ForEach>
    static Lists make_lists(std::size_t key_count, ForEach&& for_each);

    void find_moved(std::span<const Vec3> surface_points);
    void pose_moved(std::span<const Vec3> surface_points);
    void turn_groups();

    RenderSkin skin_;
    Lists vertices_of_point_;  ///< Of a surface point: vertices that follow it and do not ride.
    Lists riders_of_point_;
    Lists groups_around_vertex_;  ///< Of all corners of its triangles, each once.
    Lists vertices_of_group_;
    Lists corners_of_group_;  ///< 3 t + k, ascending.
    std::vector<Vec3> surface_, points_, normals_;
    std::vector<std::int32_t> changed_;

    // Empty between calls.
    IndexSet moved_points_, moved_riders_, moved_vertices_, stale_groups_, changed_vertices_;
};

}  // namespace ductile
