// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/solids/patch_builder.h>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace ductile {
namespace {

// UVs and normals nearer than this are the same vertex: far below what a float file keeps.
constexpr double kSameCorner = 1e-9;

double angle_at(const Vec3& p, const Vec3& q, const Vec3& r) {
    const Vec3 u = q - p;
    const Vec3 v = r - p;
    return std::atan2(u.cross(v).norm(), u.dot(v));
}

// Whether faces f and g, which both hold vertex v, share a further vertex.
bool share_edge(const Triangle& f, const Triangle& g, std::int32_t v) {
    for (std::int32_t a : f) {
        if (a == v) continue;
        for (std::int32_t b : g) {
            if (a == b) return true;
        }
    }
    return false;
}

}  // namespace

std::int32_t PatchBuilder::add_look(Look look) {
    looks_.push_back(std::move(look));
    return static_cast<std::int32_t>(looks_.size()) - 1;
}

std::int32_t PatchBuilder::add_point(const Vec3& p) {
    points_.push_back(p);
    return static_cast<std::int32_t>(points_.size()) - 1;
}

void PatchBuilder::add_triangle(const PatchCorner& a, const PatchCorner& b, const PatchCorner& c,
                                std::int32_t look) {
    DUCTILE_ASSERT(look >= 0 && look < static_cast<std::int32_t>(looks_.size()), "a known look");
    corners_.insert(corners_.end(), {a, b, c});
    face_looks_.push_back(look);
}

void PatchBuilder::add_quad(const PatchCorner& a, const PatchCorner& b, const PatchCorner& c,
                            const PatchCorner& d, std::int32_t look, bool is_flipped) {
    if (is_flipped) {
        add_triangle(a, b, d, look);
        add_triangle(b, c, d, look);
    } else {
        add_triangle(a, b, c, look);
        add_triangle(a, c, d, look);
    }
}

void PatchBuilder::fill_normals() {
    const double crease_cosine = std::cos(kCreaseDegrees * std::numbers::pi / 180.0);
    std::vector<Triangle> triangles(face_looks_.size());
    std::vector<Vec3> face_normals(face_looks_.size());
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) triangles[f][k] = corners_[3 * f + k].point;
        face_normals[f] = area_vector(points_, triangles[f]).normalized();
    }
    const VertexFaces around = vertex_faces(points_.size(), triangles);
    std::vector<int> fan;  // Smooth fan of each face around the vertex at hand.
    for (std::size_t v = 0; v < points_.size(); ++v) {
        const auto faces = around[v];
        const auto vertex = static_cast<std::int32_t>(v);
        fan.resize(faces.size());
        std::iota(fan.begin(), fan.end(), 0);
        for (std::size_t i = 0; i < faces.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (fan[i] == fan[j] ||
                    face_normals[faces[i]].dot(face_normals[faces[j]]) < crease_cosine ||
                    !share_edge(triangles[faces[i]], triangles[faces[j]], vertex)) {
                    continue;
                }
                const int from = fan[i];
                for (int& group : fan) group = group == from ? fan[j] : group;
            }
        }
        std::vector<Vec3> sums(faces.size(), Vec3::Zero());
        const auto corner_of = [&](std::int32_t f) {
            int k = 0;
            while (triangles[f][k] != vertex) ++k;
            return k;
        };
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const Triangle& t = triangles[faces[i]];
            const int k = corner_of(faces[i]);
            sums[fan[i]] += face_normals[faces[i]] *
                            angle_at(points_[v], points_[t[(k + 1) % 3]], points_[t[(k + 2) % 3]]);
        }
        for (std::size_t i = 0; i < faces.size(); ++i) {
            PatchCorner& corner = corners_[3 * faces[i] + corner_of(faces[i])];
            if (corner.normal.isZero()) corner.normal = sums[fan[i]].normalized();
        }
    }
}

SurfaceAsset PatchBuilder::finish() {
    fill_normals();
    SurfaceAsset asset;
    RenderMesh& mesh = asset.render;
    std::vector<std::vector<std::int32_t>> vertices_of(points_.size());
    std::vector<std::int32_t> look_of_vertex;
    for (std::size_t f = 0; f < face_looks_.size(); ++f) {
        Triangle surface_face;
        Triangle render_face;
        for (int k = 0; k < 3; ++k) {
            const PatchCorner& corner = corners_[3 * f + k];
            surface_face[k] = corner.point;
            std::int32_t found = -1;
            for (std::int32_t r : vertices_of[corner.point]) {
                if (look_of_vertex[r] == face_looks_[f] &&
                    (mesh.uvs[r] - corner.uv).squaredNorm() < kSameCorner * kSameCorner &&
                    (mesh.normals[r] - corner.normal).squaredNorm() < kSameCorner * kSameCorner) {
                    found = r;
                    break;
                }
            }
            if (found < 0) {
                found = static_cast<std::int32_t>(mesh.points.size());
                mesh.points.push_back(points_[corner.point]);
                mesh.normals.push_back(corner.normal);
                mesh.uvs.push_back(corner.uv);
                look_of_vertex.push_back(face_looks_[f]);
                asset.anchors.push_back(SurfaceAnchor::on_point(corner.point));
                vertices_of[corner.point].push_back(found);
            }
            render_face[k] = found;
        }
        asset.surface.triangles.push_back(surface_face);
        mesh.triangles.push_back(render_face);
    }
    mesh.triangle_looks = std::move(face_looks_);
    mesh.looks = std::move(looks_);
    asset.surface.points = std::move(points_);
    *this = PatchBuilder();
    return asset;
}

}  // namespace ductile
