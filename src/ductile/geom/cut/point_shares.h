// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/geom/cut/cut_cells.h>
#include <ductile/geom/rig.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Per point of a group of pieces, how much it has of what the points of the mesh have that was
/// cut: those of point i are entries start[i] .. start[i + 1]. Rows sum to 1, entries are > 0,
/// points ascend.
struct PointShares {
    std::vector<std::int32_t> start = {0};
    std::vector<std::int32_t> point;  ///< Of the mesh.
    std::vector<double> share;

    std::size_t size() const { return start.size() - 1; }
    std::span<const std::int32_t> points_of(std::size_t i) const {
        return std::span(point).subspan(start[i], start[i + 1] - start[i]);
    }
    std::span<const double> shares_of(std::size_t i) const {
        return std::span(share).subspan(start[i], start[i + 1] - start[i]);
    }
    /// The point of the mesh that point i has most of, the lowest of several.
    std::int32_t main_point(std::size_t i) const;
};

/// A point of the mesh has all of itself, one on a cut edge or triangle lies between the corners,
/// and one on a wall within the body is between the nearest points of the mesh, the nearer the more
/// (Franke and Little's weights): the same in every group that it is part of. `points`: of the cut
/// mesh.
PointShares point_shares(const CutMesh& cut, std::span<const Vec3> mesh_points,
                         std::span<const std::int32_t> points);

/// Weights of the mesh's points on those. A point of the mesh keeps its row, bit for bit.
/// Requires: a row per point of the mesh.
SkinWeights shared_weights(const SkinWeights& weights, const PointShares& shares);

}  // namespace ductile
