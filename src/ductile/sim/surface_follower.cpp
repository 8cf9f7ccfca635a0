// SPDX-License-Identifier: MIT
#include <ductile/sim/surface_follower.h>

#include <numeric>
#include <utility>

namespace ductile {

SurfaceFollower::SurfaceFollower(std::shared_ptr<const BodyShape> shape, double dented_depth)
    : shape_(std::move(shape)),
      dented_depth_(dented_depth),
      normals_(shape_->normals),
      sums_(*shape_->rest_sums),
      dented_(normals_.size()),
      moved_(normals_.size()),
      changed_(normals_.size()),
      ever_changed_(normals_.size()),
      touched_(shape_->triangles().size()),
      turning_(normals_.size()) {}

// Whether a neighbour is not where the skin's motion around the point would have taken it.
bool SurfaceFollower::is_folded(std::int32_t v, std::span<const Vec3> points,
                                std::span<const Vec3> unskinned,
                                std::span<const SkinFrame> frames) const {
    if (frames.empty()) return false;
    for (const std::int32_t f : shape_->vertex_faces[v]) {
        for (const std::int32_t n : shape_->triangles()[f]) {
            if ((points[n] - frames[v].point(unskinned[n])).norm() > dented_depth_) return true;
        }
    }
    return false;
}

// The triangles around what moved, and all of their corners.
void SurfaceFollower::find_touched(std::span<const std::int32_t> moved) {
    if (moved.size() == normals_.size()) {
        triangles_.resize(shape_->triangles().size());
        std::iota(triangles_.begin(), triangles_.end(), 0);
        vertices_.assign(moved.begin(), moved.end());
        return;
    }
    for (const std::int32_t v : moved) {
        for (const std::int32_t f : shape_->vertex_faces[v]) touched_.insert(f);
        turning_.insert(v);  // Also those of no face.
    }
    touched_.take(triangles_);
    for (const std::int32_t f : triangles_) {
        for (const std::int32_t v : shape_->triangles()[f]) turning_.insert(v);
    }
    turning_.take(vertices_);
}

void SurfaceFollower::follow(std::span<const Vec3> points, std::span<const Vec3> unskinned,
                             std::span<const SkinFrame> frames,
                             std::span<const std::int32_t> moved) {
    for (const std::int32_t v : moved) moved_.insert(v);
    find_touched(moved);
    sums_.update(points, triangles_);
    for (const std::int32_t v : vertices_) {
        changed_.insert(v);
        ever_changed_.insert(v);
    }
    // A fold shows at both ends of an edge of which one moved.
    for (const std::int32_t v : frames.empty() ? moved : std::span<const std::int32_t>(vertices_)) {
        const double depth = (unskinned[v] - shape_->rest()[v]).norm();
        if (depth > dented_depth_ || is_folded(v, points, unskinned, frames)) {
            dented_.insert(v);
        } else {
            dented_.erase(v);
        }
    }
    update_normals(points, shape_->triangles(), shape_->vertex_faces, vertices_, normals_);
}

std::vector<std::int32_t> SurfaceFollower::moved() const {
    std::vector<std::int32_t> ascending;
    moved_.for_each([&](std::int32_t v) { ascending.push_back(v); });
    return ascending;
}

void SurfaceFollower::forget_changes() {
    moved_.clear();
    changed_.clear();
}

}  // namespace ductile
