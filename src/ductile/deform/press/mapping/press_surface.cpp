// SPDX-License-Identifier: MIT
// Normals: N. Max 1999, "Weights for Computing Vertex Normals from Facet Normals".
#include <ductile/core/assert.h>
#include <ductile/deform/press/mapping/press_surface.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

/// Points of no triangle do not count: one far away would make a body stiff.
Box used_bounds(std::span<const Vec3> points, const VertexFaces& faces) {
    Box box;
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (!faces[static_cast<std::int32_t>(v)].empty()) box.add(points[v]);
    }
    return box;
}

}  // namespace

RestSurface::RestSurface(TriMesh mesh)
    : mesh_(std::move(mesh)),
      graph_(vertex_graph(mesh_.points.size(), mesh_.triangles)),
      faces_(vertex_faces(mesh_.points.size(), mesh_.triangles)) {}

double RestSurface::size() const {
    std::call_once(has_size_,
                   [&] { size_ = used_bounds(mesh_.points, faces_).diagonal() / std::sqrt(3.0); });
    return size_;
}

double RestSurface::mean_edge_length() const {
    std::call_once(has_mean_edge_, [&] {
        mean_edge_length_ = ductile::mean_edge_length(mesh_.points, mesh_.triangles);
    });
    return mean_edge_length_;
}

const VertexComponents& RestSurface::parts() const {
    std::call_once(has_parts_, [&] {
        parts_ = vertex_components(graph_, std::vector<std::uint8_t>(graph_.size(), 1));
    });
    return parts_;
}

bool RestSurface::is_closed() const {
    std::call_once(has_closed_, [&] { is_closed_ = ductile::is_closed(mesh_.triangles); });
    return is_closed_;
}

const PressSystem& RestSurface::system() const {
    std::call_once(has_system_,
                   [&] { system_ = std::make_unique<const PressSystem>(mesh_, graph_, faces_); });
    return *system_;
}

PressSurface::PressSurface(const RestSurface& rest_surface, std::span<const Vec3> frame_points,
                           bool has_shape_of_rest)
    : rest(rest_surface),
      points(frame_points),
      triangles(rest.mesh().triangles),
      graph(rest.graph()),
      faces(rest.faces()),
      is_at_rest(has_shape_of_rest) {
    DUCTILE_ASSERT(points.size() == rest.mesh().points.size(), "a point per point at rest");
}

PressSurface::PressSurface(const RestSurface& rest_surface, std::span<const Vec3> frame_points)
    : PressSurface(
          rest_surface, frame_points,
          std::equal(frame_points.begin(), frame_points.end(), rest_surface.mesh().points.begin(),
                     rest_surface.mesh().points.end())) {}

PressSurface::PressSurface(const RestSurface& rest_surface, std::span<const Vec3> frame_points,
                           std::span<const Vec3> unplaced, const Transform& pose)
    : PressSurface(rest_surface, frame_points,
                   std::equal(unplaced.begin(), unplaced.end(), rest_surface.mesh().points.begin(),
                              rest_surface.mesh().points.end())) {
    if (is_at_rest) turn = pose.rotation.conjugate().toRotationMatrix();
}

Vec3 PressSurface::unturned_normal(std::int32_t vertex) const {
    return vertex_normal(is_at_rest ? rest.mesh().points : points, triangles, faces, vertex);
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

std::int32_t index_in(std::span<const std::int32_t> ascending, std::int32_t value) {
    const auto at = std::lower_bound(ascending.begin(), ascending.end(), value);
    const bool is_there = at != ascending.end() && *at == value;
    return is_there ? static_cast<std::int32_t>(at - ascending.begin()) : -1;
}

Status check_points(std::span<const Vec3> points, const char* name) {
    for (const Vec3& p : points) {
        if (!is_finite(p)) return Error{"a point is not finite", name, "repair the mesh first"};
    }
    return {};
}

Status check_surface(const TriMesh& mesh, const char* name) {
    if (mesh.triangles.empty()) return Error{"there is no triangle", name, ""};
    if (!has_valid_indices(mesh.points.size(), mesh.triangles)) {
        return Error{"a triangle refers to a point that does not exist", name, ""};
    }
    return check_points(mesh.points, name);
}

}  // namespace ductile
