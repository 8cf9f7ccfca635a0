// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/cut_asset.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// The surface point that a drawn vertex is; -1: it lies between some.
std::int32_t point_of_anchor(const SurfaceAnchor& anchor) {
    for (int k = 0; k < 3; ++k) {
        if (anchor.weights[k] == 1.0) return anchor.points[k];
    }
    return -1;
}

std::array<std::int32_t, 3> sorted_corners(Triangle t) {
    std::sort(t.begin(), t.end());
    return t;
}

}  // namespace

/// A group's shape on its way, and which drawn vertices it has already.
struct AssetCutter::Made {
    SurfaceAsset asset;
    std::map<std::array<std::int32_t, 4>, std::int32_t> vertices;
};

AssetCutter::AssetCutter(const SurfaceAsset& asset, const CutMesh& cut, const Look& inner)
    : asset_(asset), cut_(cut), inner_(inner) {
    std::map<std::array<std::int32_t, 3>, std::int32_t> surface;
    const std::vector<Triangle>& triangles = asset.surface.triangles;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        surface.try_emplace(sorted_corners(triangles[t]), static_cast<std::int32_t>(t));
    }
    drawn_.assign(triangles.size(), -1);
    drawn_corners_.resize(triangles.size());
    for (std::size_t r = 0; r < asset.render.triangles.size(); ++r) {
        const Triangle& drawn = asset.render.triangles[r];
        Triangle at{};
        for (int k = 0; k < 3; ++k) at[k] = point_of_anchor(asset.anchors[drawn[k]]);
        const auto found = surface.find(sorted_corners(at));
        if (found == surface.end() || drawn_[found->second] >= 0) {
            ++left_out_;
            continue;
        }
        const std::int32_t t = found->second;
        drawn_[t] = static_cast<std::int32_t>(r);
        for (int k = 0; k < 3; ++k) {
            for (int n = 0; n < 3; ++n) {
                if (at[n] == triangles[t][k]) drawn_corners_[t][k] = drawn[n];
            }
        }
    }
    for (const CutFace& face : cut.faces) {
        if (face.front < 0) continue;
        const Vec3 vector = area_vector(cut.points, face.corners);
        const bool is_up = face.behind < face.front;
        const std::array<std::int32_t, 2> pair = {std::min(face.behind, face.front),
                                                  std::max(face.behind, face.front)};
        wall_normals_.try_emplace(pair, Vec3::Zero()).first->second +=
            is_up ? vector : Vec3(-vector);
    }
}

std::int32_t AssetCutter::drawn_vertex(const CutFace& face, std::int32_t point, std::int32_t own,
                                       Made& made) const {
    const SurfaceAnchor& anchor = cut_.anchors[point];
    const Triangle& corners = asset_.surface.triangles[face.source];
    const RenderMesh& old = asset_.render;
    RenderMesh& to = made.asset.render;
    std::array<std::int32_t, 4> key = {point, -1, -1, -1};
    Vec3 weights = Vec3::Zero();
    Triangle drawn = drawn_corners_[face.source];
    for (int k = 0; k < 3; ++k) {
        for (int n = 0; n < 3; ++n) {
            if (anchor.points[n] == corners[k]) weights[k] += anchor.weights[n];
        }
        if (weights[k] != 0.0) key[k + 1] = drawn_[face.source] < 0 ? -2 : drawn[k];
    }
    std::sort(key.begin() + 1, key.end());
    const auto [found, is_new] =
        made.vertices.try_emplace(key, static_cast<std::int32_t>(to.points.size()));
    if (!is_new) return found->second;
    to.points.push_back(cut_.points[point]);
    made.asset.anchors.push_back(SurfaceAnchor::on_point(own));
    Vec3 normal = Vec3::Zero();
    Vec2 uv = Vec2::Zero();
    Vec4 colour = Vec4::Zero();
    if (drawn_[face.source] < 0) {
        normal = area_vector(asset_.surface.points, corners);
        colour = Vec4::Ones();
    } else {
        for (int k = 0; k < 3; ++k) {
            if (weights[k] == 0.0) continue;
            normal += weights[k] * old.normals[drawn[k]];
            if (!old.uvs.empty()) uv += weights[k] * old.uvs[drawn[k]];
            if (!old.colours.empty()) colour += weights[k] * old.colours[drawn[k]];
        }
    }
    to.normals.push_back(normal.norm() > 0 ? Vec3(normal.normalized()) : Vec3::UnitY());
    if (!old.uvs.empty()) to.uvs.push_back(uv);
    if (!old.colours.empty()) to.colours.push_back(colour);
    return found->second;
}

std::int32_t AssetCutter::wall_vertex(const CutFace& face, std::int32_t point, std::int32_t own,
                                      bool is_turned, Made& made) const {
    RenderMesh& to = made.asset.render;
    const std::int32_t low = std::min(face.behind, face.front);
    const std::int32_t high = std::max(face.behind, face.front);
    const auto [found, is_new] = made.vertices.try_emplace(
        {point, -3, low, high}, static_cast<std::int32_t>(to.points.size()));
    if (!is_new) return found->second;
    const Vec3 sum = wall_normals_.at({low, high});
    Vec3 normal = sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3::UnitY();
    const Vec3 u = any_perpendicular(normal), v = normal.cross(u);
    if ((face.behind < face.front) == is_turned) normal = -normal;
    const Vec3& place = cut_.points[point];
    to.points.push_back(place);
    to.normals.push_back(normal);
    if (!asset_.render.uvs.empty()) to.uvs.emplace_back(place.dot(u), place.dot(v));
    if (!asset_.render.colours.empty()) to.colours.push_back(Vec4::Ones());
    made.asset.anchors.push_back(SurfaceAnchor::on_point(own));
    return found->second;
}

// Points within have what the surface of their group has on average.
void AssetCutter::add_attributes(std::span<const std::int32_t> points, SurfaceAsset& asset) const {
    for (const PointAttribute& old : asset_.attributes) {
        PointAttribute made{old.name, {}};
        double sum = 0.0;
        std::size_t count = 0;
        for (const std::int32_t p : points) {
            const SurfaceAnchor& anchor = cut_.anchors[p];
            double value = std::nan("");
            if (anchor.weights != Vec3::Zero()) {
                value = 0.0;
                for (int k = 0; k < 3; ++k) {
                    if (anchor.weights[k] != 0.0) {
                        value += anchor.weights[k] * old.values[anchor.points[k]];
                    }
                }
                sum += value;
                ++count;
            }
            made.values.push_back(value);
        }
        for (double& value : made.values) {
            if (std::isnan(value)) value = count > 0 ? sum / static_cast<double>(count) : 0.0;
        }
        asset.attributes.push_back(std::move(made));
    }
    if (asset_.is_rigid.empty()) return;
    for (const std::int32_t p : points) {
        const SurfaceAnchor& anchor = cut_.anchors[p];
        bool is_rigid = anchor.weights != Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            if (anchor.weights[k] != 0.0 && !asset_.is_rigid[anchor.points[k]]) is_rigid = false;
        }
        asset.is_rigid.push_back(is_rigid);
    }
}

SurfaceAsset AssetCutter::make(std::span<const std::int32_t> pieces) const {
    PieceSurface surface = piece_surface(cut_, pieces);
    Made made;
    RenderMesh& to = made.asset.render;
    to.looks = asset_.render.looks;
    const auto inner = static_cast<std::int32_t>(to.looks.size());
    to.looks.push_back(inner_);
    for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t) {
        const CutFace& face = cut_.faces[surface.faces[t]];
        const Triangle& own = surface.mesh.triangles[t];
        const bool is_turned = surface.points[own[1]] != face.corners[1];
        Triangle drawn{};
        for (int k = 0; k < 3; ++k) {
            const std::int32_t point = surface.points[own[k]];
            drawn[k] = face.source >= 0 ? drawn_vertex(face, point, own[k], made)
                                        : wall_vertex(face, point, own[k], is_turned, made);
        }
        to.triangles.push_back(drawn);
        const std::int32_t of = face.source >= 0 ? drawn_[face.source] : -1;
        to.triangle_looks.push_back(face.source < 0 ? inner
                                    : of < 0        ? 0
                                                    : asset_.render.triangle_looks[of]);
        if (!asset_.is_sheet.empty()) {
            made.asset.is_sheet.push_back(face.source >= 0 && asset_.is_sheet[face.source]);
        }
    }
    add_attributes(surface.points, made.asset);
    made.asset.surface = std::move(surface.mesh);
    return std::move(made.asset);
}

std::shared_ptr<const SurfaceAsset> painted_as(const SurfaceAsset& whole,
                                               const std::shared_ptr<const SurfaceAsset>& group) {
    auto out = std::make_shared<SurfaceAsset>(*group);
    const std::size_t shared = std::min(whole.render.looks.size(), out->render.looks.size());
    std::copy_n(whole.render.looks.begin(), shared, out->render.looks.begin());
    return out;
}

}  // namespace ductile
