// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/cut/cut_cells.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// Makes bodies' shapes of groups of pieces. Keeps references: asset and cut outlive it.
///
/// What is drawn is cut where its surface is: texture coordinates, normals, colours and attributes
/// come from the triangle that was cut, each side of a seam with its own. Walls look as `inner`
/// says, with flat normals and texture coordinates in metres. A drawn triangle that is not one of
/// the surface's cannot be cut: it is left out, and counted.
class AssetCutter {
public:
    AssetCutter(const SurfaceAsset& asset, const CutMesh& cut, const Look& inner);

    /// Of some pieces together, ascending.
    SurfaceAsset make(std::span<const std::int32_t> pieces) const;

    /// Drawn triangles that no group has.
    std::int32_t left_out() const { return left_out_; }

private:
    struct Made;
    std::int32_t drawn_vertex(const CutFace& face, std::int32_t point, std::int32_t own,
                              Made& made) const;
    std::int32_t wall_vertex(const CutFace& face, std::int32_t point, std::int32_t own,
                             bool is_turned, Made& made) const;
    void add_attributes(std::span<const std::int32_t> points, SurfaceAsset& asset) const;

    const SurfaceAsset& asset_;
    const CutMesh& cut_;
    Look inner_;
    std::vector<std::int32_t> drawn_;      ///< Per triangle of the surface; -1: none.
    std::vector<Triangle> drawn_corners_;  ///< Of that, in the surface triangle's order.
    std::map<std::array<std::int32_t, 2>, Vec3> wall_normals_;  ///< Of pairs of pieces.
    std::int32_t left_out_ = 0;
};

/// A group of pieces with the looks of `whole`, whose surface it was cut from in other colours.
std::shared_ptr<const SurfaceAsset> painted_as(const SurfaceAsset& whole,
                                               const std::shared_ptr<const SurfaceAsset>& group);

}  // namespace ductile
