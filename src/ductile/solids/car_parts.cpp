// SPDX-License-Identifier: MIT
#include <ductile/solids/car_shape.h>
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ductile {
namespace {

constexpr int kSpokes = 6;

// One ring of a wheel: radius and place along the axle, outward positive [m].
struct WheelRing {
    double radius;
    double out;
    CarLook look;          // Of the band from here to the next ring.
    bool is_open = false;  // The band has gaps between the spokes.
};

// From the edge of the flat inner side over the tread to the hub.
std::vector<WheelRing> wheel_rings() {
    const double half = 0.5 * kWheelWidth;
    const double r = kWheelRadius;
    return {
        {0.205, -0.86 * half, kCarTyre},
        {0.255, -half, kCarTyre},
        {r - 0.022, -0.90 * half, kCarTyre},
        {r - 0.004, -0.70 * half, kCarTyre},
        {r, -0.25 * half, kCarTyre},
        {r, 0.25 * half, kCarTyre},
        {r - 0.004, 0.70 * half, kCarTyre},
        {r - 0.022, 0.90 * half, kCarTyre},
        {0.255, half, kCarTyre},
        {0.226, 0.93 * half, kCarRim},
        {0.214, 0.90 * half, kCarRim},
        {0.203, 0.55 * half, kCarRim},
        {0.185, 0.50 * half, kCarRim, true},
        {0.150, 0.60 * half, kCarRim, true},
        {0.110, 0.66 * half, kCarRim, true},
        {0.072, 0.68 * half, kCarRim},
        {0.045, 0.66 * half, kCarRim},
    };
}

// Knots of a flat or slightly domed end, from the ring's own to the pole.
std::vector<ProfileKnot> end_knots(const WheelRing& ring, std::int32_t n, double rise, double up) {
    std::vector<ProfileKnot> knots;
    const std::int32_t count = cap_rings(n);
    for (std::int32_t k = count; k >= 0; --k) {
        const double share = static_cast<double>(k) / count;
        knots.push_back(
            {ring.radius * share, ring.out + rise * (1 - share * share), 0.0, up, 0.0, ring.look});
    }
    return knots;
}

// A wheel about the y axis, its outer face up.
SurfaceAsset make_wheel(std::int32_t n) {
    constexpr double kGapDepth = 0.045;
    PatchBuilder builder;
    for (Look& look : car_looks()) builder.add_look(std::move(look));
    const std::vector<WheelRing> rings = wheel_rings();
    const std::int32_t sector = n / kSpokes;
    const auto is_gap = [&](std::int32_t i) { return i % sector >= sector / 2; };
    for (std::size_t j = 0; j < rings.size(); ++j) {
        const std::int32_t first = add_ring(builder, {rings[j].radius, rings[j].out}, n);
        if (!(rings[j].is_open && rings[j - 1].is_open)) continue;
        for (std::int32_t i = 0; i < n; ++i) {
            if (is_gap(i) && is_gap(i + n - 1)) builder.points()[first + i].y() -= kGapDepth;
        }
    }
    const auto corner = [&](std::size_t j, std::int32_t i) {
        const double v = 1.0 - static_cast<double>(j) / static_cast<double>(rings.size() - 1);
        return PatchCorner{static_cast<std::int32_t>(j) * n + i % n,
                           Vec2(static_cast<double>(i) / n, v)};
    };
    for (std::size_t j = 0; j + 1 < rings.size(); ++j) {
        for (std::int32_t i = 0; i < n; ++i) {
            const CarLook look = rings[j].is_open && is_gap(i) ? kCarGap : rings[j].look;
            builder.add_quad(corner(j, i), corner(j, i + 1), corner(j + 1, i + 1), corner(j + 1, i),
                             look, (i + static_cast<std::int32_t>(j)) % 2 == 0);
        }
    }
    add_cap(builder, end_knots(rings.front(), n, 0.0, -1.0), 0, n, true, CapUv::Planar,
            rings.front().radius);
    add_cap(builder, end_knots(rings.back(), n, 0.006, 1.0),
            static_cast<std::int32_t>(rings.size() - 1) * n, n, false, CapUv::Planar,
            rings.back().radius);
    return builder.finish();
}

SurfaceAsset make_mirror(double edge_length) {
    const Vec3 half(0.085, 0.058, 0.06);
    const double line = std::max(half.maxCoeff() / 12, std::min(edge_length, half.maxCoeff() / 2));
    SurfaceAsset blob =
        make_sphere({.kind = SolidKind::Sphere, .size = 2 * half, .resolution = line});
    blob.render.looks = car_looks();
    // A round hood with the glass set flat into its back.
    for (std::size_t v = 0; v < blob.surface.points.size(); ++v) {
        Vec3& p = blob.surface.points[v];
        p.z() = std::max(p.z(), 0.0) + 0.25 * std::min(p.z(), 0.0);
    }
    for (std::size_t i = 0; i < blob.render.points.size(); ++i) {
        blob.render.points[i] = blob.surface.points[blob.anchors[i].points[0]];
        blob.render.normals[i].setZero();
    }
    for (std::size_t f = 0; f < blob.render.triangles.size(); ++f) {
        const Vec3 n = area_vector(blob.render.points, blob.render.triangles[f]).normalized();
        blob.render.triangle_looks[f] = n.z() < -0.9 ? kCarGlass : kCarPaint;
    }
    return blob;
}

// Adds a part whose looks are `car_looks`.
void append(PatchBuilder& builder, const SurfaceAsset& part, const Transform& pose) {
    const auto first = static_cast<std::int32_t>(builder.points().size());
    for (const Vec3& p : part.surface.points) builder.add_point(pose.point(p));
    const auto corner = [&](std::int32_t i) {
        return PatchCorner{first + part.anchors[i].points[0], part.render.uvs[i],
                           pose.direction(part.render.normals[i])};
    };
    for (std::size_t f = 0; f < part.render.triangles.size(); ++f) {
        const Triangle& t = part.render.triangles[f];
        builder.add_triangle(corner(t[0]), corner(t[1]), corner(t[2]),
                             part.render.triangle_looks[f]);
    }
}

}  // namespace

void add_car_parts(PatchBuilder& builder, double edge_length) {
    const std::int32_t n = std::clamp(dome_segments(2 * kPi * kWheelRadius, edge_length), 24, 96);
    const SurfaceAsset wheel = make_wheel(n);
    const SurfaceAsset mirror = make_mirror(edge_length);
    for (double side : {1.0, -1.0}) {
        const Quat turn(Eigen::AngleAxisd(-side * kPi / 2, Vec3::UnitZ()));
        for (double axle : kWheelPlaces) {
            append(builder, wheel, {turn, Vec3(side * kWheelTrack, kWheelRadius, axle)});
        }
        append(builder, mirror, {Quat::Identity(), Vec3(side * 0.85, 1.01, 0.60)});
    }
}

}  // namespace ductile
