// SPDX-License-Identifier: MIT
#include <ductile/core/angle.h>
#include <ductile/core/assert.h>
#include <ductile/skin/render_skin.h>

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

// Normals closer than this at rest belong to one smooth place (cosine of about 5 degrees).
constexpr double kSameNormalCosine = 0.996;
// Sums of angle-weighted unit normals below this are rounding noise [rad].
constexpr double kNoDirection = 1e-9;
// What holds a rider's free turn, as a share of the spread of its points; and for a single point.
constexpr double kLeastTurn = 1e-6;
constexpr double kTinySpread = 1e-300;

// Whether the first anchor comes before the second in an order where equal ones meet.
bool comes_before(const SurfaceAnchor& a, const SurfaceAnchor& b) {
    if (a.points != b.points) return a.points < b.points;
    for (int k = 0; k < 3; ++k) {
        if (a.weights[k] != b.weights[k]) return a.weights[k] < b.weights[k];
    }
    return false;
}

// How the points that carry a rider moved, as the rigid motion nearest to it (Kabsch 1976).
Transform motion_of(const Rider& rider, std::span<const Vec3> rest, std::span<const Vec3> now) {
    double sum = 0.0;
    Vec3 from = Vec3::Zero(), to = Vec3::Zero();
    for (std::size_t i = 0; i < rider.points.size(); ++i) {
        const double w = rider.weights[i];
        sum += w;
        from += w * rest[rider.points[i]];
        to += w * now[rider.points[i]];
    }
    from /= sum;
    to /= sum;
    Mat3 covariance = Mat3::Zero();
    double spread = 0.0;
    for (std::size_t i = 0; i < rider.points.size(); ++i) {
        const Vec3 a = rest[rider.points[i]] - from;
        covariance += rider.weights[i] * (now[rider.points[i]] - to) * a.transpose();
        spread += rider.weights[i] * a.squaredNorm();
    }
    // A few points in a row leave a turn free: it is spent on turning as little as possible.
    covariance += std::max(kLeastTurn * spread, kTinySpread) * Mat3::Identity();
    const Eigen::JacobiSVD<Mat3> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 flip = Mat3::Identity();
    flip(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1.0 : 1.0;
    Transform motion;
    motion.rotation = Quat(Mat3(svd.matrixU() * flip * svd.matrixV().transpose())).normalized();
    motion.translation = to - motion.rotation * from;
    return motion;
}

}  // namespace

RenderSkin::RenderSkin(std::shared_ptr<const SurfaceAsset> asset) : asset_(std::move(asset)) {
    const RenderMesh& mesh = asset_->render;
    DUCTILE_ASSERT(asset_->anchors.size() == mesh.points.size(), "one anchor each");
    DUCTILE_ASSERT(mesh.normals.size() == mesh.points.size(), "one normal each");

    // Vertices sorted by the place they follow; within one, first come first grouped.
    const std::vector<SurfaceAnchor>& anchors = asset_->anchors;
    std::vector<std::int32_t> order(mesh.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return comes_before(anchors[a], anchors[b]);
    });
    group_.assign(order.size(), -1);
    std::vector<std::int32_t> first_of_group;
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && !comes_before(anchors[order[begin]], anchors[order[end]]))
            ++end;
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
    if (!asset_->riders.empty()) is_riding_.assign(mesh.points.size(), 0);
    for (const Rider& rider : asset_->riders) {
        const MeshPart& part = mesh.parts[rider.part];
        std::fill_n(is_riding_.begin() + part.first_vertex, part.vertex_count, 1);
    }
    rest_group_normals_ = group_normals(mesh.points);
}

Vec3 RenderSkin::corner_normal(std::span<const Vec3> points, const Triangle& t, int k) {
    const Vec3& p = points[t[k]];
    const Vec3 u = points[t[(k + 1) % 3]] - p, v = points[t[(k + 2) % 3]] - p;
    const Vec3 area = u.cross(v);
    const double length = area.norm();
    if (!(length > 0) || !std::isfinite(length)) return Vec3::Zero();
    return (angle_of(length, u.dot(v)) / length) * area;
}

Vec3 RenderSkin::direction(const Vec3& sum) {
    const double length = sum.norm();
    // Faces folded onto each other cancel to rounding noise, which is no direction.
    return length > kNoDirection ? Vec3(sum / length) : Vec3(Vec3::Zero());
}

std::vector<Vec3> RenderSkin::group_normals(std::span<const Vec3> points) const {
    std::vector<Vec3> sums(group_count_, Vec3::Zero());
    for (const Triangle& t : asset_->render.triangles) {
        for (int k = 0; k < 3; ++k) sums[group_[t[k]]] += corner_normal(points, t, k);
    }
    for (Vec3& n : sums) n = direction(n);
    return sums;
}

void RenderSkin::pose_rider(const Rider& rider, std::span<const Vec3> surface_points,
                            std::span<Vec3> points, std::span<Vec3> normals) const {
    const std::vector<Vec3>& rest = asset_->surface.points;
    const MeshPart& part = asset_->render.parts[rider.part];
    const bool is_still = std::all_of(rider.points.begin(), rider.points.end(),
                                      [&](std::int32_t p) { return surface_points[p] == rest[p]; });
    const Transform motion = is_still ? Transform() : motion_of(rider, rest, surface_points);
    for (std::int32_t i = part.first_vertex; i < part.first_vertex + part.vertex_count; ++i) {
        const Vec3& home = asset_->render.points[i];
        points[i] = is_still ? home : motion.point(home);
        if (!is_still) normals[i] = motion.direction(normals[i]);
    }
}

Vec3 RenderSkin::posed_point(std::span<const Vec3> surface_points, std::size_t vertex) const {
    const std::vector<Vec3>& rest = asset_->surface.points;
    const SurfaceAnchor& anchor = asset_->anchors[vertex];
    Vec3 move = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const std::int32_t s = anchor.points[k];
        if (anchor.weights[k] != 0.0) move += anchor.weights[k] * (surface_points[s] - rest[s]);
    }
    // The difference keeps a render vertex where it was drawn, and is exactly 0 at rest.
    return asset_->render.points[vertex] + move;
}

Vec3 RenderSkin::turned_normal(std::size_t vertex, const Vec3& group_normal) const {
    const Vec3& normal = asset_->render.normals[vertex];
    const Vec3& before = rest_group_normals_[group_[vertex]];
    if (before == group_normal || before.isZero() || group_normal.isZero()) return normal;
    return (turn_between(before, group_normal) * normal).normalized();
}

void RenderSkin::pose(std::span<const Vec3> surface_points, std::vector<Vec3>& points,
                      std::vector<Vec3>& normals) const {
    const RenderMesh& mesh = asset_->render;
    DUCTILE_ASSERT(surface_points.size() == asset_->surface.points.size(), "same surface");
    points.resize(mesh.points.size());
    normals = mesh.normals;
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = posed_point(surface_points, i);
    for (const Rider& rider : asset_->riders) pose_rider(rider, surface_points, points, normals);
    const std::vector<Vec3> now = group_normals(points);
    for (std::size_t i = 0; i < normals.size(); ++i) {
        if (is_riding(i)) continue;
        normals[i] = turned_normal(i, now[group_[i]]);
    }
}

}  // namespace ductile
