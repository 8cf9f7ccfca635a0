// SPDX-License-Identifier: MIT
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ductile {
namespace {

Vec3 ring_normal(const ProfileKnot& knot, const Vec2& circle) {
    return {knot.normal_out * circle.x(), knot.normal_up, -knot.normal_out * circle.y()};
}

PatchCorner wall_corner(const ProfileKnot& knot, std::int32_t ring, std::int32_t i,
                        std::int32_t n) {
    return {ring + i % n, Vec2(static_cast<double>(i) / n, knot.v),
            ring_normal(knot, unit_circle(i, n))};
}

}  // namespace

Vec2 unit_circle(std::int32_t i, std::int32_t n) {
    const std::int64_t quarters = 4 * static_cast<std::int64_t>(i % n);
    const std::int64_t rest = quarters % n;
    const auto angle = [&](std::int64_t part) { return kPi / 2 * static_cast<double>(part) / n; };
    const bool is_late = 2 * rest > n;
    double c = is_late ? std::sin(angle(n - rest)) : std::cos(angle(rest));
    double s = is_late ? std::cos(angle(n - rest)) : std::sin(angle(rest));
    // Some libraries' sine and cosine of 45 degrees differ in the last bit.
    if (2 * rest == n) c = s = std::sqrt(0.5);
    switch (quarters / n) {
        case 0:
            return {c, s};
        case 1:
            return {-s, c};
        case 2:
            return {-c, -s};
        default:
            return {s, -c};
    }
}

std::int32_t ring_segments(double length, double edge_length) {
    const double wanted = length / edge_length;
    const auto eights = std::max<std::int32_t>(1, std::lround(wanted / 8)) * 8;
    const std::int32_t twelves = dome_segments(length, edge_length);
    return std::abs(eights - wanted) < std::abs(twelves - wanted) ? eights : twelves;
}

std::int32_t dome_segments(double length, double edge_length) {
    return std::max<std::int32_t>(1, std::lround(length / edge_length / 12)) * 12;
}

std::int32_t cap_rings(std::int32_t n) { return n % 12 == 0 ? n / 6 : n / 8; }

std::int32_t add_ring(PatchBuilder& builder, const ProfileKnot& knot, std::int32_t n) {
    const auto first = static_cast<std::int32_t>(builder.points().size());
    for (std::int32_t i = 0; i < n; ++i) {
        const Vec2 c = unit_circle(i, n);
        builder.add_point({knot.radius * c.x(), knot.height, -knot.radius * c.y()});
    }
    return first;
}

std::vector<std::int32_t> add_wall(PatchBuilder& builder, const std::vector<ProfileKnot>& knots,
                                   std::int32_t n) {
    std::vector<std::int32_t> rings;
    std::int32_t row = 0;
    for (std::size_t k = 0; k < knots.size(); ++k) {
        const bool is_crease = k > 0 && knots[k].radius == knots[k - 1].radius &&
                               knots[k].height == knots[k - 1].height;
        rings.push_back(is_crease ? rings.back() : add_ring(builder, knots[k], n));
        if (k == 0 || is_crease) continue;
        ++row;
        for (std::int32_t i = 0; i < n; ++i) {
            builder.add_quad(wall_corner(knots[k - 1], rings[k - 1], i, n),
                             wall_corner(knots[k - 1], rings[k - 1], i + 1, n),
                             wall_corner(knots[k], rings[k], i + 1, n),
                             wall_corner(knots[k], rings[k], i, n), knots[k - 1].look,
                             (i + row) % 2 == 0);
        }
    }
    return rings;
}

void add_cap(PatchBuilder& builder, const std::vector<ProfileKnot>& knots, std::int32_t outer,
             std::int32_t n, bool is_bottom, CapUv uv, double uv_radius) {
    const std::int32_t rings = cap_rings(n);
    const std::int32_t fold = n / rings;
    std::int32_t outer_ring = outer;
    for (std::int32_t k = rings; k > 0; --k) {
        const ProfileKnot& knot = knots[rings - k];
        const ProfileKnot& inner = knots[rings - k + 1];
        const std::int32_t outer_count = fold * k;
        const std::int32_t inner_count = fold * (k - 1);
        const std::int32_t inner_ring = k > 1 ? static_cast<std::int32_t>(builder.points().size())
                                              : builder.add_point({0.0, inner.height, 0.0});
        // Rings of any count: unit_circle wants quarters, so it is asked for fourfold steps.
        const auto circle = [](std::int32_t i, std::int32_t count) {
            return unit_circle(4 * i, 4 * count);
        };
        for (std::int32_t i = 0; k > 1 && i < inner_count; ++i) {
            const Vec2 c = circle(i, inner_count);
            builder.add_point({inner.radius * c.x(), inner.height, -inner.radius * c.y()});
        }
        // `turn` names the angle for the pole, which has none of its own.
        const auto corner = [&](bool is_outer, std::int32_t i, double turn) {
            const ProfileKnot& own = is_outer ? knot : inner;
            const std::int32_t count = is_outer ? outer_count : inner_count;
            const bool is_pole = count == 0;
            const Vec2 c = is_pole ? Vec2(0, 0) : circle(i, count);
            const Vec3 normal = is_pole ? Vec3(0, is_bottom ? -1 : 1, 0) : ring_normal(own, c);
            const double down = is_bottom ? 1.0 : -1.0;
            const Vec2 planar =
                Vec2(0.5, 0.5) + 0.5 * own.radius / uv_radius * Vec2(c.x(), down * c.y());
            const Vec2 polar(is_pole ? turn : static_cast<double>(i) / count, own.v);
            const std::int32_t point =
                is_pole ? inner_ring : (is_outer ? outer_ring : inner_ring) + i % count;
            return PatchCorner{point, uv == CapUv::Planar ? planar : polar, normal};
        };
        const auto add = [&](const PatchCorner& a, const PatchCorner& b, const PatchCorner& c) {
            is_bottom ? builder.add_triangle(a, c, b, knot.look)
                      : builder.add_triangle(a, b, c, knot.look);
        };
        for (std::int32_t sector = 0; sector < fold; ++sector) {
            const double turn = (sector + 0.5) / fold;
            for (std::int32_t j = 0; j < k; ++j) {
                const std::int32_t out = sector * k + j;
                const std::int32_t in = sector * (k - 1) + j;
                add(corner(true, out, turn), corner(true, out + 1, turn), corner(false, in, turn));
                if (j + 1 < k) {
                    add(corner(false, in, turn), corner(true, out + 1, turn),
                        corner(false, in + 1, turn));
                }
            }
        }
        outer_ring = inner_ring;
    }
}

void stretch(SurfaceAsset& asset, double x, double z) {
    if (x == 1.0 && z == 1.0) return;
    for (Vec3& p : asset.surface.points) p = Vec3(p.x() * x, p.y(), p.z() * z);
    for (Vec3& p : asset.render.points) p = Vec3(p.x() * x, p.y(), p.z() * z);
    for (Vec3& n : asset.render.normals) n = Vec3(n.x() / x, n.y(), n.z() / z).normalized();
}

}  // namespace ductile
