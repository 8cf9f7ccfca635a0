// SPDX-License-Identifier: MIT
// Normals: N. Max 1999, "Weights for Computing Vertex Normals from Facet Normals".
#include <ductile/core/assert.h>
#include <ductile/deform/press/mapping/press_surface.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

/// Points of no triangle do not count: one far away would make a body stiff.
Box used_bounds(const TriMesh& mesh) {
    Box box;
    for (const Triangle& t : mesh.triangles) {
        for (const std::int32_t v : t) box.add(mesh.points[v]);
    }
    return box;
}

}  // namespace

KeptSurface::KeptSurface(TriMesh rest)
    : rest_(std::move(rest)),
      graph_(vertex_graph(rest_.points.size(), rest_.triangles)),
      faces_(vertex_faces(rest_.points.size(), rest_.triangles)),
      size_(used_bounds(rest_).diagonal() / std::sqrt(3.0)),
      edge_(mean_edge_length(rest_.points, rest_.triangles)) {}

const VertexComponents& KeptSurface::parts() const {
    std::call_once(has_parts_, [&] {
        parts_ = vertex_components(graph_, std::vector<std::uint8_t>(graph_.size(), 1));
    });
    return parts_;
}

bool KeptSurface::is_closed() const {
    std::call_once(has_closed_, [&] { is_closed_ = ductile::is_closed(rest_.triangles); });
    return is_closed_;
}

const PressSystem& KeptSurface::system() const {
    std::call_once(has_system_,
                   [&] { system_ = std::make_unique<const PressSystem>(rest_, graph_, faces_); });
    return *system_;
}

PressSurface::PressSurface(const KeptSurface& kept_surface, std::span<const Vec3> frame_points)
    : kept(kept_surface),
      points(frame_points),
      triangles(kept.rest().triangles),
      graph(kept.graph()),
      faces(kept.faces()),
      size(kept.size()),
      edge(kept.edge()),
      is_at_rest(std::equal(points.begin(), points.end(), kept.rest().points.begin(),
                            kept.rest().points.end())) {
    DUCTILE_ASSERT(points.size() == kept.rest().points.size(), "a point per kept point");
}

PressSurface::PressSurface(const KeptSurface& kept_surface, std::span<const Vec3> frame_points,
                           std::span<const Vec3> unplaced, const Transform& pose)
    : PressSurface(kept_surface, frame_points) {
    is_at_rest = std::equal(unplaced.begin(), unplaced.end(), kept.rest().points.begin(),
                            kept.rest().points.end());
    if (is_at_rest) turn = pose.rotation.conjugate().toRotationMatrix();
}

Vec3 PressSurface::unturned_normal(std::int32_t vertex) const {
    return vertex_normal(is_at_rest ? kept.rest().points : points, triangles, faces, vertex);
}

Vec3 vertex_normal(std::span<const Vec3> points, std::span<const Triangle> triangles,
                   const VertexFaces& faces, std::int32_t vertex) {
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t f : faces[vertex]) {
        const Triangle& t = triangles[f];
        const int k = t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
        const Vec3 a = points[t[(k + 1) % 3]] - points[vertex];
        const Vec3 b = points[t[(k + 2) % 3]] - points[vertex];
        const double weight = a.squaredNorm() * b.squaredNorm();
        if (weight > 0) sum += a.cross(b) / weight;
    }
    const double length = sum.norm();
    return length > 0 && std::isfinite(length) ? Vec3(sum / length) : Vec3(Vec3::UnitY());
}

}  // namespace ductile
