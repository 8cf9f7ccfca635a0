// SPDX-License-Identifier: MIT
#include "mark_mesh.h"

#include <ductile/geom/tri_mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace ductile::cli {
namespace {

constexpr int kBallRings = 8, kBallSegments = 12, kConeSides = 12;
// The head of an arrow, in radii of its bar.
constexpr double kHeadLength = 6.0, kHeadRadius = 2.5;
// A bar of an arc turns by this at most [rad].
constexpr double kArcStep = 0.15;

}  // namespace

Look plain_look(const char* name, const Vec3& colour) {
    Look look;
    look.name = name;
    look.base_colour = colour;
    look.roughness = 0.45;
    return look;
}

void MarkMesh::add_ball(const Vec3& middle, double radius, const Vec3& colour) {
    const auto first = static_cast<std::int32_t>(mesh_.points.size());
    for (int ring = 0; ring <= kBallRings; ++ring) {
        const double tilt = kPi * ring / kBallRings;
        for (int s = 0; s < kBallSegments; ++s) {
            const double turn = 2.0 * kPi * s / kBallSegments;
            const Vec3 n(std::sin(tilt) * std::cos(turn), std::cos(tilt),
                         std::sin(tilt) * std::sin(turn));
            add_vertex(middle + radius * n, n, colour);
        }
    }
    for (int ring = 0; ring < kBallRings; ++ring) {
        for (int s = 0; s < kBallSegments; ++s) {
            const std::int32_t a = first + ring * kBallSegments + s;
            const std::int32_t b = first + ring * kBallSegments + (s + 1) % kBallSegments;
            add_corners({a, b, a + kBallSegments});
            add_corners({b, b + kBallSegments, a + kBallSegments});
        }
    }
}

void MarkMesh::add_bar(const Vec3& from, const Vec3& to, double radius, const Vec3& colour) {
    constexpr int kSides = 4;
    const Vec3 way = to - from;
    if (!(way.norm() > 0)) return;
    const Vec3 axis = way.normalized(), u = any_perpendicular(axis), v = axis.cross(u);
    const auto first = static_cast<std::int32_t>(mesh_.points.size());
    for (int s = 0; s < kSides; ++s) {
        const double turn = 2.0 * kPi * s / kSides;
        const Vec3 n = std::cos(turn) * u + std::sin(turn) * v;
        add_vertex(from + radius * n, n, colour);
        add_vertex(to + radius * n, n, colour);
    }
    for (int s = 0; s < kSides; ++s) {
        const std::int32_t a = first + 2 * s, b = first + 2 * ((s + 1) % kSides);
        add_corners({a, b, a + 1});
        add_corners({b, b + 1, a + 1});
    }
}

void MarkMesh::add_cone(const Vec3& foot, const Vec3& tip, double radius, const Vec3& colour) {
    const Vec3 way = tip - foot;
    if (!(way.norm() > 0)) return;
    const Vec3 axis = way.normalized(), u = any_perpendicular(axis), v = axis.cross(u);
    const auto first = static_cast<std::int32_t>(mesh_.points.size());
    for (int s = 0; s < kConeSides; ++s) {
        const double turn = 2.0 * kPi * s / kConeSides;
        const Vec3 out = std::cos(turn) * u + std::sin(turn) * v;
        const Vec3 n = (way.norm() * out + radius * axis).normalized();
        add_vertex(foot + radius * out, n, colour);
        add_vertex(tip, n, colour);
        add_vertex(foot + radius * out, -axis, colour);
    }
    add_vertex(foot, -axis, colour);
    for (int s = 0; s < kConeSides; ++s) {
        const std::int32_t a = first + 3 * s, b = first + 3 * ((s + 1) % kConeSides);
        add_corners({a, b, a + 1});
        add_corners({b + 2, a + 2, first + 3 * kConeSides});
    }
}

void MarkMesh::add_arrow(const Vec3& from, const Vec3& to, double radius, const Vec3& colour) {
    const Vec3 way = to - from;
    const double length = way.norm();
    if (!(length > 0)) return;
    const double head = std::min(kHeadLength * radius, length);
    const Vec3 neck = to - head / length * way;
    add_bar(from, neck, radius, colour);
    add_cone(neck, to, kHeadRadius / kHeadLength * head, colour);
}

void MarkMesh::add_arc(const Vec3& middle, const Vec3& axis, const Vec3& start, double angle,
                       double radius, const Vec3& colour) {
    const double head = std::min(kHeadLength * radius, 0.5 * angle * start.norm());
    const double bent = angle - head / start.norm();
    const int parts = std::max(1, static_cast<int>(std::ceil(bent / kArcStep)));
    const auto at = [&](double turn) -> Vec3 {
        return middle + Eigen::AngleAxisd(turn, axis) * start;
    };
    for (int i = 0; i < parts; ++i) {
        add_bar(at(bent * i / parts), at(bent * (i + 1) / parts), radius, colour);
    }
    add_cone(at(bent), at(angle), kHeadRadius / kHeadLength * head, colour);
}

void MarkMesh::add_face(std::span<const Vec3> corners, const Vec3& normal, const Vec3& colour) {
    const auto first = static_cast<std::int32_t>(mesh_.points.size());
    for (const Vec3& p : corners) add_vertex(p, normal, colour);
    for (std::int32_t k = 2; k < std::ssize(corners); ++k) {
        add_corners({first, first + k - 1, first + k});
    }
}

void MarkMesh::add_triangle(std::span<const Vec3> points, const Triangle& t, const Vec3& colour) {
    std::array<Vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = points[static_cast<std::size_t>(t[k])];
    const Vec3 normal = area_vector(points, t).normalized();
    add_face(corners, is_finite(normal) ? normal : Vec3(Vec3::UnitY()), colour);
}

RecordedBody MarkMesh::body(const char* name) && {
    auto asset = std::make_shared<SurfaceAsset>();
    asset->surface = {mesh_.points, mesh_.triangles};
    for (std::size_t i = 0; i < mesh_.points.size(); ++i) {
        asset->anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(i)));
    }
    mesh_.uvs.assign(mesh_.points.size(), Vec2::Zero());
    asset->render = std::move(mesh_);
    RecordedBody out;
    out.name = name;
    out.asset = std::move(asset);
    out.shapes = {out.asset->surface.points};
    return out;
}

void MarkMesh::add_vertex(const Vec3& p, const Vec3& n, const Vec3& colour) {
    mesh_.points.push_back(p);
    mesh_.normals.push_back(n);
    mesh_.colours.emplace_back(colour.x(), colour.y(), colour.z(), 1.0);
}

void MarkMesh::add_corners(const Triangle& t) {
    mesh_.triangles.push_back(t);
    mesh_.triangle_looks.push_back(0);
}

}  // namespace ductile::cli
