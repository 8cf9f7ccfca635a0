// SPDX-License-Identifier: MIT
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ductile {
namespace {

Look plain_look() { return {"default", Vec3(0.75, 0.72, 0.66), 0.0, 0.5, 1.0}; }

// A flat end of radius `flat`, then a quarter turn of radius `rounding` down to the wall, by the
// distance s from the pole along the surface; the wall's top is at height 0. v is left to others.
ProfileKnot dome_knot(double s, double flat, double rounding) {
    ProfileKnot knot;
    if (s <= flat) {
        knot.radius = s;
        knot.height = rounding;
        knot.normal_out = 0.0;
        knot.normal_up = 1.0;
        return knot;
    }
    const double angle = (s - flat) / rounding;
    // The last ring is the wall's: exactly upright.
    const bool is_upright = angle > kPi / 2 * (1 - 1e-12);
    knot.normal_out = is_upright ? 1.0 : std::sin(angle);
    knot.normal_up = is_upright ? 0.0 : std::cos(angle);
    knot.radius = flat + rounding * knot.normal_out;
    knot.height = rounding * knot.normal_up;
    return knot;
}

ProfileKnot mirrored(ProfileKnot knot) {
    knot.height = -knot.height;
    knot.normal_up = -knot.normal_up;
    return knot;
}

// A body of revolution, alike at both ends: an upright wall `wall` high and domes on it.
struct DomedColumn {
    double flat = 0.0;         // Radius of the flat middle of the ends [m].
    double rounding = 0.0;     // Radius of their rounded edge [m].
    double wall = 0.0;         // [m]
    double edge_length = 0.0;  // [m]
    std::int32_t n = 0;
    bool has_flat_cap = false;  // The caps are the flat discs; else they reach down to the wall.
};

// The knots of the wall's upper half, upwards; the first is at height 0 if a ring lies there.
std::vector<ProfileKnot> upper_wall(const DomedColumn& c) {
    const double radius = c.flat + c.rounding;
    const std::int32_t rows = c.wall > 0 ? even_parts(c.wall, c.edge_length) : 0;
    std::vector<ProfileKnot> knots;
    for (std::int32_t i = rows % 2; i <= rows; i += 2) {
        const double height = rows > 0 ? 0.5 * c.wall * i / rows : 0.0;
        knots.push_back({radius, height, 1.0, 0.0, 0.0, 0});
    }
    if (!c.has_flat_cap || c.rounding == 0.0) return knots;
    const int arc =
        std::max(2, static_cast<int>(std::lround(c.rounding * kPi / 2 / c.edge_length)));
    for (int i = arc - 1; i >= 0; --i) {
        ProfileKnot knot = dome_knot(c.flat + c.rounding * kPi / 2 * i / arc, c.flat, c.rounding);
        knot.height += 0.5 * c.wall;
        knots.push_back(knot);
    }
    return knots;
}

// Rings of the upper cap from its rim to the pole.
std::vector<ProfileKnot> upper_cap(const DomedColumn& c) {
    const std::int32_t rings = cap_rings(c.n);
    const double reach = c.has_flat_cap ? c.flat : c.flat + c.rounding * kPi / 2;
    std::vector<ProfileKnot> knots;
    for (std::int32_t k = rings; k >= 0; --k) {
        ProfileKnot knot = dome_knot(reach * k / rings, c.flat, c.rounding);
        knot.height += 0.5 * c.wall;
        knots.push_back(knot);
    }
    return knots;
}

// v runs from 0 at the top to 1 at the bottom, by distance along the profile.
void lay_v(std::vector<ProfileKnot>& knots, double top, double bottom) {
    std::vector<double> along(knots.size(), 0.0);
    for (std::size_t i = 1; i < knots.size(); ++i) {
        along[i] = along[i - 1] + std::hypot(knots[i].radius - knots[i - 1].radius,
                                             knots[i].height - knots[i - 1].height);
    }
    for (std::size_t i = 0; i < knots.size(); ++i) {
        knots[i].v = bottom + (top - bottom) * along[i] / std::max(along.back(), 1e-300);
    }
}

SurfaceAsset make_column(const DomedColumn& column, CapUv cap_uv) {
    PatchBuilder builder;
    builder.add_look(plain_look());
    const std::vector<ProfileKnot> upper = upper_wall(column);
    std::vector<ProfileKnot> wall;
    for (std::size_t i = upper.size(); i-- > 0;) {
        if (upper[i].height > 0.0) wall.push_back(mirrored(upper[i]));
    }
    wall.insert(wall.end(), upper.begin(), upper.end());
    std::vector<ProfileKnot> top = upper_cap(column);
    double cap_v = 0.0;
    if (cap_uv == CapUv::Polar) {
        const double dome = column.rounding * kPi / 2 + column.flat;
        cap_v = dome / (2 * dome + column.wall);
    }
    lay_v(top, 0.0, cap_v);
    lay_v(wall, cap_v, 1.0 - cap_v);
    std::vector<ProfileKnot> bottom;
    for (const ProfileKnot& knot : top) {
        bottom.push_back(mirrored(knot));
        bottom.back().v = 1.0 - knot.v;
    }
    const std::vector<std::int32_t> rings = add_wall(builder, wall, column.n);
    const double radius = column.has_flat_cap ? column.flat : column.flat + column.rounding;
    add_cap(builder, top, rings.back(), column.n, false, cap_uv, radius);
    add_cap(builder, bottom, rings.front(), column.n, true, cap_uv, radius);
    return builder.finish();
}

}  // namespace

SurfaceAsset make_capsule(const SolidOptions& options) {
    const double width = std::min(options.size.x(), options.size.z());
    DomedColumn column;
    column.rounding = 0.5 * width;
    column.wall = options.size.y() - width;
    if (column.wall < 1e-9 * width) column.wall = 0.0;
    column.edge_length = options.resolution;
    column.n =
        dome_segments(kPi * std::max(options.size.x(), options.size.z()), column.edge_length);
    SurfaceAsset asset = make_column(column, CapUv::Polar);
    stretch(asset, options.size.x() / width, options.size.z() / width);
    return asset;
}

SurfaceAsset make_cylinder(const SolidOptions& options) {
    // A cap whose flat part is a smaller share of its radius than this is meshed as a dome.
    constexpr double kFlatShare = 0.35;
    const double width = std::min(options.size.x(), options.size.z());
    DomedColumn column;
    column.rounding = options.rounding;
    column.flat = 0.5 * width - options.rounding;
    column.wall = options.size.y() - 2 * options.rounding;
    if (column.wall < 1e-9 * options.size.y()) column.wall = 0.0;
    column.edge_length = options.resolution;
    column.has_flat_cap = column.flat > kFlatShare * 0.5 * width;
    const double girth = kPi * std::max(options.size.x(), options.size.z());
    column.n = column.has_flat_cap ? ring_segments(girth, column.edge_length)
                                   : dome_segments(girth, column.edge_length);
    SurfaceAsset asset = make_column(column, CapUv::Planar);
    stretch(asset, options.size.x() / width, options.size.z() / width);
    return asset;
}

SurfaceAsset make_torus(const SolidOptions& options) {
    const double width = std::min(options.size.x(), options.size.z());
    const double tube = options.tube;
    const double radius = 0.5 * width - tube;
    const double longest = kPi * std::max(options.size.x(), options.size.z());
    const std::int32_t n = ring_segments(longest, options.resolution);
    const std::int32_t m = ring_segments(2 * kPi * tube, options.resolution);
    PatchBuilder builder;
    const std::int32_t look = builder.add_look(plain_look());
    for (std::int32_t j = 0; j < m; ++j) {
        const Vec2 c = unit_circle(j, m);
        add_ring(builder, {radius + tube * c.x(), tube * c.y(), 0, 0, 0, 0}, n);
    }
    const auto corner = [&](std::int32_t i, std::int32_t j) {
        const Vec2 around = unit_circle(i, n);
        const Vec2 c = unit_circle(j, m);
        return PatchCorner{(j % m) * n + i % n,
                           Vec2(static_cast<double>(i) / n, 1.0 - static_cast<double>(j) / m),
                           Vec3(c.x() * around.x(), c.y(), -c.x() * around.y())};
    };
    for (std::int32_t j = 0; j < m; ++j) {
        for (std::int32_t i = 0; i < n; ++i) {
            builder.add_quad(corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1),
                             look, (i + j) % 2 == 0);
        }
    }
    SurfaceAsset asset = builder.finish();
    stretch(asset, options.size.x() / width, options.size.z() / width);
    return asset;
}

}  // namespace ductile
