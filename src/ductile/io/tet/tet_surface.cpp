// SPDX-License-Identifier: MIT
#include <ductile/io/tet/tet_surface.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ductile {
namespace {

// Faces of a tetrahedron with positive volume (d above a, b, c seen counter-clockwise from below),
// each seen counter-clockwise from outside.
constexpr std::array<std::array<int, 3>, 4> kTetFaces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};

struct TetFace {
    Triangle key;   // Sorted.
    Triangle face;  // As it is wound.
    std::size_t order = 0;
};

Triangle sorted_corners(Triangle t) {
    std::sort(t.begin(), t.end());
    return t;
}

double six_volumes(std::span<const Vec3> points, const Tet& tet) {
    const Vec3& a = points[tet[0]];
    return (points[tet[1]] - a).cross(points[tet[2]] - a).dot(points[tet[3]] - a);
}

std::vector<TetFace> faces_of(std::span<const Vec3> points, std::span<const Tet> tets,
                              TetSurface& surface) {
    std::vector<TetFace> faces;
    faces.reserve(4 * tets.size());
    for (std::size_t i = 0; i < tets.size(); ++i) {
        const double volume = six_volumes(points, tets[i]);
        if (volume < 0 && surface.inverted_count++ == 0) surface.first_inverted = i;
        surface.flat_count += !(volume < 0) && !(volume > 0);
        for (const std::array<int, 3>& f : kTetFaces) {
            Triangle face{tets[i][f[0]], tets[i][f[1]], tets[i][f[2]]};
            if (volume < 0) std::swap(face[1], face[2]);
            faces.push_back({sorted_corners(face), face, faces.size()});
        }
    }
    return faces;
}

}  // namespace

TetSurface tet_surface(std::span<const Vec3> points, std::span<const Tet> tets,
                       std::span<const Triangle> loose) {
    TetSurface surface;
    std::vector<TetFace> faces = faces_of(points, tets, surface);
    const auto by_key = [](const TetFace& a, const TetFace& b) {
        return a.key != b.key ? a.key < b.key : a.order < b.order;
    };
    std::sort(faces.begin(), faces.end(), by_key);
    std::vector<TetFace> border;
    for (std::size_t i = 0; i < faces.size();) {
        std::size_t end = i + 1;
        while (end < faces.size() && faces[end].key == faces[i].key) ++end;
        if (end == i + 1) border.push_back(faces[i]);
        i = end;
    }
    std::sort(border.begin(), border.end(),
              [](const TetFace& a, const TetFace& b) { return a.order < b.order; });
    for (const TetFace& face : border) surface.triangles.push_back(face.face);
    for (const Triangle& t : loose) {
        const Triangle key = sorted_corners(t);
        const auto found =
            std::lower_bound(faces.begin(), faces.end(), TetFace{key, key, 0}, by_key);
        if (found == faces.end() || found->key != key) surface.triangles.push_back(t);
    }
    return surface;
}

Result<Model> volume_model(Model model, std::vector<Vec3> points, std::vector<Tet> tets,
                           IndexedFaces faces, const ReadLimits& limits) {
    ModelMesh mesh;
    if (tets.size() > limits.triangles) {
        return Error{fmt::format("more than {} tetrahedra", limits.triangles), "", ""};
    }
    if (!tets.empty()) {
        std::vector<Triangle> loose;
        for (std::size_t f = 0; f < faces.count(); ++f) {
            const std::span<const std::int32_t> corners = faces.face(f);
            for (std::size_t k = 2; k < corners.size(); ++k) {
                loose.push_back({corners[0], corners[k - 1], corners[k]});
            }
        }
        const TetSurface surface = tet_surface(points, tets, loose);
        faces = {};
        for (const Triangle& t : surface.triangles) {
            faces.corners.insert(faces.corners.end(), t.begin(), t.end());
            faces.end_face();
        }
        if (surface.inverted_count > 0) {
            model.notes.push_back(
                fmt::format("{} tetrahedra are inside out (negative volume), first tetrahedron {}; "
                            "the surface was turned outward all the same",
                            surface.inverted_count, surface.first_inverted));
        }
        if (surface.flat_count > 0) {
            model.notes.push_back(fmt::format("{} tetrahedra have no volume", surface.flat_count));
        }
    }
    mesh.points = std::move(points);
    mesh.tets = std::move(tets);
    if (Status added = add_indexed_mesh(model, std::move(mesh), faces, limits); !added) {
        return added.error();
    }
    return model;
}

}  // namespace ductile
