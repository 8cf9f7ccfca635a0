// SPDX-License-Identifier: MIT
#pragma once

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
    std::vector<Vec3> group_normals(std::span<const Vec3> points) const;
    void pose_rider(const Rider& rider, std::span<const Vec3> surface_points,
                    std::vector<Vec3>& points, std::vector<Vec3>& normals) const;

    std::shared_ptr<const SurfaceAsset> asset_;
    std::vector<std::int32_t> group_;  ///< Per render vertex.
    std::int32_t group_count_ = 0;
    std::vector<std::uint8_t> is_riding_;   ///< Per render vertex; empty: none is.
    std::vector<Vec3> rest_group_normals_;  ///< Per group; zero where it has no usable face.
};

}  // namespace ductile
