// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/skin/render_skin.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

// Normals closer than this at rest belong to one smooth place (cosine of about 5 degrees).
constexpr double kSameNormalCosine = 0.996;
// Sums of angle-weighted unit normals below this are rounding noise [rad].
constexpr double kNoDirection = 1e-9;

double angle_between(const Vec3& u, const Vec3& v) {
    return std::atan2(u.cross(v).norm(), u.dot(v));
}

}  // namespace

RenderSkin::RenderSkin(std::shared_ptr<const SurfaceAsset> asset) : asset_(std::move(asset)) {
    const RenderMesh& mesh = asset_->render;
    DUCTILE_ASSERT(asset_->render_to_surface.size() == mesh.points.size(),
                   "one surface point each");
    DUCTILE_ASSERT(mesh.normals.size() == mesh.points.size(), "one normal each");

    // Vertices sorted by the surface point they follow; within one, first come first grouped.
    const std::vector<std::int32_t>& source = asset_->render_to_surface;
    std::vector<std::int32_t> order(mesh.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return source[a] < source[b]; });
    group_.assign(order.size(), -1);
    std::vector<std::int32_t> first_of_group;
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && source[order[end]] == source[order[begin]]) ++end;
        const std::size_t groups_before = first_of_group.size();
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3& n = mesh.normals[order[i]];
            for (std::size_t g = groups_before; g < first_of_group.size(); ++g) {
                if (mesh.normals[first_of_group[g]].dot(n) > kSameNormalCosine) {
                    group_[order[i]] = static_cast<std::int32_t>(g);
                    break;
                }
            }
            if (group_[order[i]] < 0) {
                group_[order[i]] = static_cast<std::int32_t>(first_of_group.size());
                first_of_group.push_back(order[i]);
            }
        }
    }
    group_count_ = static_cast<std::int32_t>(first_of_group.size());
    rest_group_normals_ = group_normals(mesh.points);
}

std::vector<Vec3> RenderSkin::group_normals(std::span<const Vec3> points) const {
    std::vector<Vec3> sums(group_count_, Vec3::Zero());
    for (const Triangle& t : asset_->render.triangles) {
        const Vec3 area = area_vector(points, t);
        const double length = area.norm();
        if (!(length > 0) || !std::isfinite(length)) continue;
        const Vec3 n = area / length;
        for (int k = 0; k < 3; ++k) {
            const Vec3& p = points[t[k]];
            sums[group_[t[k]]] +=
                n * angle_between(points[t[(k + 1) % 3]] - p, points[t[(k + 2) % 3]] - p);
        }
    }
    for (Vec3& n : sums) {
        const double length = n.norm();
        // Faces folded onto each other cancel to rounding noise, which is no direction.
        n = length > kNoDirection ? Vec3(n / length) : Vec3(Vec3::Zero());
    }
    return sums;
}

void RenderSkin::pose(std::span<const Vec3> surface_points, std::vector<Vec3>& points,
                      std::vector<Vec3>& normals) const {
    const RenderMesh& mesh = asset_->render;
    DUCTILE_ASSERT(surface_points.size() == asset_->surface.points.size(), "same surface");
    points.resize(mesh.points.size());
    normals = mesh.normals;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::int32_t s = asset_->render_to_surface[i];
        // The difference keeps a render vertex where it was drawn, and is exactly 0 at rest.
        points[i] = mesh.points[i] + (surface_points[s] - asset_->surface.points[s]);
    }
    const std::vector<Vec3> now = group_normals(points);
    for (std::size_t i = 0; i < normals.size(); ++i) {
        const Vec3& before = rest_group_normals_[group_[i]];
        const Vec3& after = now[group_[i]];
        if (before == after || before.isZero() || after.isZero()) continue;
        normals[i] = (Quat::FromTwoVectors(before, after) * normals[i]).normalized();
    }
}

}  // namespace ductile
