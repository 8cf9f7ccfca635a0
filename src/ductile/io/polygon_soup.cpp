// SPDX-License-Identifier: MIT
#include <ductile/io/polygon_soup.h>

#include <algorithm>
#include <numeric>

namespace ductile {
namespace {

// Vertices of one place that are looked through for the same corner. The tip of a cone has a few
// dozen; a file that has more pays with vertices, not with time.
constexpr int kLongestChain = 128;
// A part whose vertices lie this sparsely among the soup's points is sorted instead of counted.
constexpr std::size_t kSparse = 8;

bool are_same(const SoupCorner& a, const SoupCorner& b) {
    return a.point == b.point && a.uv == b.uv && a.normal == b.normal;
}

}  // namespace

SoupCutter::SoupCutter(const PolygonSoup& soup)
    : soup_(soup), first_vertex_(soup.points.size(), -1) {}

ModelMesh SoupCutter::cut(std::span<const std::uint32_t> faces,
                          std::span<const std::int32_t> looks) {
    ModelMesh mesh;
    mesh.triangles.reserve(faces.size());
    mesh.triangle_looks.reserve(faces.size());
    vertices_.clear();
    for (std::size_t i = 0; i < faces.size(); ++i) cut_face(faces[i], looks[i], mesh);
    fill_vertices(mesh);
    for (const Vertex& v : vertices_) first_vertex_[v.corner.point] = -1;
    return mesh;
}

void SoupCutter::cut_face(std::uint32_t face, std::int32_t look, ModelMesh& mesh) {
    const std::span<const SoupCorner> corners = soup_.face(face);
    face_points_.clear();
    for (const SoupCorner& corner : corners) face_points_.push_back(corner.point);
    for (const Triangle& t : cutter_.cut(soup_.points, face_points_)) {
        mesh.triangles.push_back(
            {vertex_of(corners[t[0]]), vertex_of(corners[t[1]]), vertex_of(corners[t[2]])});
        mesh.triangle_looks.push_back(look);
    }
}

std::int32_t SoupCutter::vertex_of(const SoupCorner& corner) {
    std::int32_t at = first_vertex_[corner.point];
    for (int length = 0; at >= 0 && length < kLongestChain; ++length) {
        if (are_same(vertices_[at].corner, corner)) return at;
        at = vertices_[at].next;
    }
    const auto made = static_cast<std::int32_t>(vertices_.size());
    vertices_.push_back({corner, first_vertex_[corner.point]});
    first_vertex_[corner.point] = made;
    return made;
}

// By point, then by first use.
std::vector<std::int32_t> SoupCutter::vertices_in_order() const {
    std::vector<std::int32_t> order(vertices_.size());
    if (vertices_.size() * kSparse >= first_vertex_.size()) {
        auto place = static_cast<std::int32_t>(order.size());
        for (auto first = first_vertex_.rbegin(); first != first_vertex_.rend(); ++first) {
            // A chain begins with the newest.
            for (std::int32_t v = *first; v >= 0; v = vertices_[v].next) order[--place] = v;
        }
        return order;
    }
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const std::int32_t p = vertices_[a].corner.point, q = vertices_[b].corner.point;
        return p != q ? p < q : a < b;
    });
    return order;
}

void SoupCutter::fill_vertices(ModelMesh& mesh) {
    const std::vector<std::int32_t> order = vertices_in_order();
    std::vector<std::int32_t> renamed(order.size());
    bool has_uvs = false, has_normals = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        renamed[order[i]] = static_cast<std::int32_t>(i);
        has_uvs = has_uvs || vertices_[i].corner.uv >= 0;
        has_normals = has_normals || vertices_[i].corner.normal >= 0;
    }
    mesh.points.reserve(order.size());
    mesh.file_points.reserve(order.size());
    if (has_uvs) mesh.uvs.assign(order.size(), Vec2::Zero());
    if (has_normals) mesh.normals.assign(order.size(), Vec3::Zero());
    if (!soup_.colours.empty()) mesh.colours.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const SoupCorner& corner = vertices_[order[i]].corner;
        mesh.points.push_back(soup_.points[corner.point]);
        mesh.file_points.push_back(corner.point);
        if (corner.uv >= 0) mesh.uvs[i] = soup_.uvs[corner.uv];
        if (corner.normal >= 0) mesh.normals[i] = soup_.normals[corner.normal];
        if (!soup_.colours.empty()) mesh.colours.push_back(soup_.colours[corner.point]);
    }
    for (Triangle& t : mesh.triangles) t = {renamed[t[0]], renamed[t[1]], renamed[t[2]]};
}

}  // namespace ductile
