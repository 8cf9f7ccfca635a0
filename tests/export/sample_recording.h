// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/rng.h>
#include <ductile/record/recording.h>
#include <ductile/skin/render_skin.h>

#include <cmath>
#include <memory>

// Small recordings made by hand, for tests that need one.
namespace ductile::sample {

/// A ball of radius 0.5 (a swollen cube of n x n cells a side) with two looks, whose render
/// vertices are split between the looks. Open: the topmost side is left out.
inline std::shared_ptr<SurfaceAsset> ball(int n = 8, bool is_open = false) {
    auto asset = std::make_shared<SurfaceAsset>();
    TriMesh& surface = asset->surface;
    const auto weld = [&](const Vec3& p) {
        for (std::size_t i = 0; i < surface.points.size(); ++i) {
            if ((surface.points[i] - p).norm() < 1e-9) return static_cast<std::int32_t>(i);
        }
        surface.points.push_back(p);
        return static_cast<std::int32_t>(surface.points.size() - 1);
    };
    for (int side = 0; side < (is_open ? 5 : 6); ++side) {
        const int axis = (side + (is_open ? 2 : 0)) % 3;
        const double sign = side < 3 ? -1.0 : 1.0;
        const auto at = [&](int i, int j) {
            Vec3 p;
            p[axis] = sign;
            p[(axis + 1) % 3] = -1.0 + 2.0 * i / n;
            p[(axis + 2) % 3] = -1.0 + 2.0 * j / n;
            return weld(0.5 * p.normalized());
        };
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                const std::int32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1),
                                   d = at(i, j + 1);
                if (sign > 0) {
                    surface.triangles.push_back({a, b, c});
                    surface.triangles.push_back({a, c, d});
                } else {
                    surface.triangles.push_back({a, c, b});
                    surface.triangles.push_back({a, d, c});
                }
            }
        }
    }
    RenderMesh& render = asset->render;
    render.looks = {Look{"paint", Vec3(0.8, 0.1, 0.1), 0.0, 0.4, 1.0},
                    Look{"glass", Vec3(0.9, 0.9, 1.0), 0.0, 0.1, 0.3}};
    std::vector<std::int32_t> copy(2 * surface.points.size(), -1);
    for (const Triangle& t : surface.triangles) {
        const int look = surface.points[t[0]].y() > 0.2 ? 1 : 0;
        Triangle corners;
        for (int k = 0; k < 3; ++k) {
            std::int32_t& v = copy[2 * t[k] + look];
            if (v < 0) {
                v = static_cast<std::int32_t>(render.points.size());
                const Vec3& p = surface.points[t[k]];
                render.points.push_back(p);
                render.normals.push_back(p.normalized());
                render.uvs.push_back({0.5 + p.x(), 0.5 - p.z()});
                asset->anchors.push_back(SurfaceAnchor::on_point(t[k]));
            }
            corners[k] = v;
        }
        render.triangles.push_back(corners);
        render.triangle_looks.push_back(look);
    }
    return asset;
}

/// Pushes the ball in around a unit direction, smoothly, with an end.
inline std::vector<Vec3> dented(std::vector<Vec3> points, const Vec3& direction, double depth,
                                double radius = 0.35) {
    for (Vec3& p : points) {
        const double q = (p - 0.5 * direction).squaredNorm() / (radius * radius);
        if (q < 1.0) p -= depth * (1.0 - q) * (1.0 - q) * direction;
    }
    return points;
}

inline Vec3 random_direction(Rng& rng) {
    Vec3 d;
    do {
        for (int i = 0; i < 3; ++i) d[i] = rng.uniform(-1, 1);
    } while (d.norm() > 1.0 || d.norm() < 0.1);
    return d.normalized();
}

/// Frames of bodies at rest at the origin, `count` of them, 30 a second.
inline Recording still(std::vector<std::shared_ptr<const SurfaceAsset>> assets, int count) {
    Recording r;
    for (std::size_t b = 0; b < assets.size(); ++b) {
        r.bodies.push_back(
            {"body " + std::to_string(b), assets[b], false, {assets[b]->surface.points}});
    }
    for (int f = 0; f < count; ++f) {
        r.frames.push_back({f / 30.0, std::vector<BodyFrame>(assets.size())});
    }
    return r;
}

/// A bit of everything: body 0 flies, spins and is dented twice at once (frames 10 and 25); body 1
/// shares its asset and is pressed in over frames 12 to 30; body 2 stands still; body 3
/// appears at frame 8 and vanishes at frame 33; body 4 is never there; body 5 has no surface.
inline Recording busy() {
    const auto shared = ball();
    Recording r = still({shared, shared, ball(4, true), ball(3), ball(2)}, 40);
    r.bodies.push_back({"locator", nullptr, false, {}});
    for (Frame& frame : r.frames) frame.bodies.emplace_back();
    r.bodies[2].is_static = true;
    const Vec3 side = Vec3(1, 1, 0).normalized();
    r.bodies[0].shapes.push_back(dented(shared->surface.points, side, 0.08));
    r.bodies[0].shapes.push_back(dented(r.bodies[0].shapes[1], Vec3::UnitZ(), 0.05));
    for (int f = 0; f < 40; ++f) {
        const double t = f / 30.0;
        Frame& frame = r.frames[f];
        const double spin = f < 10 ? 3.0 * t : 1.0 - 9.0 * (t - 1.0 / 3);
        frame.bodies[0].pose_w.rotation = Quat(Eigen::AngleAxisd(spin, Vec3(1, 2, 3).normalized()));
        if (f % 3 == 1) frame.bodies[0].pose_w.rotation.coeffs() *= -1.0;  // the same rotation
        frame.bodies[0].pose_w.translation = Vec3(2 * t, 3 + 4 * t - 4.905 * t * t, -t);
        frame.bodies[0].shape = f < 10 ? 0 : f < 25 ? 1 : 2;

        frame.bodies[1].pose_w.translation = Vec3(-3, 0.5, 0);
        if (f >= 12 && f <= 30) {
            const double share = (f - 11) / 19.0;
            r.bodies[1].shapes.push_back(dented(shared->surface.points, Vec3::UnitY(),
                                                0.1 * share * share * (3 - 2 * share)));
        }
        frame.bodies[1].shape = static_cast<std::int32_t>(r.bodies[1].shapes.size()) - 1;

        frame.bodies[2].pose_w.translation = Vec3(0, -1, 0);
        frame.bodies[3].pose_w.translation = Vec3(0, 0, t);
        frame.bodies[3].is_present = f >= 8 && f < 33;
        if (!frame.bodies[3].is_present) frame.bodies[3].pose_w.translation.x() = std::nan("");
        frame.bodies[4].is_present = false;
        frame.bodies[5].pose_w.translation = Vec3(t, t, t);
    }
    r.hits = {{10 / 30.0, 0, 0.5 * side, "dent", 0.08, "m"},
              {25 / 30.0, 0, Vec3(0, 0, 0.5), "dent", 0.05, "m"}};
    return r;
}

}  // namespace ductile::sample
