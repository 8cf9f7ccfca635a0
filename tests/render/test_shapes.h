// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/record/recording.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace ductile::test {

/// One ring of a turned shape: radius and height, and its normal in that plane.
struct Ring {
    double radius, height, normal_out, normal_up;
};

inline std::shared_ptr<SurfaceAsset> asset_of(RenderMesh mesh, const Look& look) {
    auto asset = std::make_shared<SurfaceAsset>();
    mesh.uvs.assign(mesh.points.size(), Vec2::Zero());
    mesh.triangle_looks.assign(mesh.triangles.size(), 0);
    mesh.looks = {look};
    asset->surface.points = mesh.points;
    asset->surface.triangles = mesh.triangles;
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        asset->anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(i)));
    }
    asset->render = std::move(mesh);
    return asset;
}

/// Turns rings, listed from the top down, about the y axis.
inline std::shared_ptr<SurfaceAsset> turned(const std::vector<Ring>& rings, int spokes,
                                            const Look& look) {
    RenderMesh mesh;
    for (const Ring& r : rings) {
        for (int s = 0; s < spokes; ++s) {
            const double angle = 2.0 * std::numbers::pi * s / spokes;
            const double c = std::cos(angle), d = std::sin(angle);
            mesh.points.emplace_back(r.radius * c, r.height, r.radius * d);
            mesh.normals.push_back(
                Vec3(r.normal_out * c, r.normal_up, r.normal_out * d).normalized());
        }
    }
    for (int i = 0; i + 1 < static_cast<int>(rings.size()); ++i) {
        for (int s = 0; s < spokes; ++s) {
            const int a = i * spokes + s, b = i * spokes + (s + 1) % spokes;
            if (rings[i].radius > 0) mesh.triangles.push_back({a, b, b + spokes});
            if (rings[i + 1].radius > 0) mesh.triangles.push_back({a, b + spokes, a + spokes});
        }
    }
    return asset_of(std::move(mesh), look);
}

inline std::shared_ptr<SurfaceAsset> sphere(double radius, int rings, const Look& look) {
    std::vector<Ring> profile;
    for (int i = 0; i <= rings; ++i) {
        const double angle = std::numbers::pi * i / rings;
        const double out = i == 0 || i == rings ? 0.0 : std::sin(angle);
        profile.push_back({radius * out, radius * std::cos(angle), out, std::cos(angle)});
    }
    return turned(profile, 2 * rings, look);
}

inline std::shared_ptr<SurfaceAsset> box(const Vec3& size, const Look& look) {
    RenderMesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = -1; side <= 1; side += 2) {
            const auto first = static_cast<std::int32_t>(mesh.points.size());
            Vec3 normal = Vec3::Zero();
            normal[axis] = side;
            for (int corner = 0; corner < 4; ++corner) {
                Vec3 p = normal;
                p[(axis + 1) % 3] = corner == 1 || corner == 2 ? 1 : -1;
                p[(axis + 2) % 3] = corner >= 2 ? 1 : -1;
                mesh.points.push_back(0.5 * p.cwiseProduct(size));
                mesh.normals.push_back(normal);
            }
            if (side > 0) {
                mesh.triangles.push_back({first, first + 1, first + 2});
                mesh.triangles.push_back({first, first + 2, first + 3});
            } else {
                mesh.triangles.push_back({first, first + 2, first + 1});
                mesh.triangles.push_back({first, first + 3, first + 2});
            }
        }
    }
    return asset_of(std::move(mesh), look);
}

/// Adds a body with one shape and, to every frame, a place for it.
inline void add_body(Recording& recording, std::shared_ptr<const SurfaceAsset> asset,
                     const Vec3& place_w) {
    RecordedBody body;
    body.name = "body" + std::to_string(recording.bodies.size());
    body.shapes = {asset->surface.points};
    body.asset = std::move(asset);
    recording.bodies.push_back(std::move(body));
    if (recording.frames.empty()) recording.frames.emplace_back();
    for (Frame& frame : recording.frames) {
        BodyFrame b;
        b.pose_w.translation = place_w;
        frame.bodies.push_back(b);
    }
}

}  // namespace ductile::test
