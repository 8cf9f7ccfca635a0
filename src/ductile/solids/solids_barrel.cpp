// SPDX-License-Identifier: MIT
// A 200-litre steel drum after its usual drawing: rolled chimes that stand proud of recessed
// lids, two rolling hoops, a 2 inch and a 3/4 inch bung in the upper lid.
#include <ductile/core/assert.h>
#include <ductile/solids/flat_mesh.h>
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ductile {
namespace {

// Measures of the real drum [m], scaled to the one asked for.
constexpr double kRealRadius = 0.2925;
constexpr double kRealHeight = 0.88;
constexpr double kHoopHeight = 0.012;    // How far a hoop stands out.
constexpr double kHoopReach = 0.030;     // Half its width.
constexpr double kHoopPlace = 0.150;     // From the middle of the drum.
constexpr double kChimeInset = 0.003;    // The chime stays behind the hoops.
constexpr double kChimeRadius = 0.0065;  // Of its rolled top.
constexpr double kLidDepth = 0.020;      // Lid below the top of the chime.
constexpr double kNeckLength = 0.014;    // Over which the wall widens to the chime.
constexpr double kBungPlace = 0.66;      // Share of the lid's radius.
constexpr double kBungRadius[2] = {0.034, 0.019};
constexpr double kBungHeight = 0.008;

enum DrumLook : std::int32_t { kPaint, kRim, kBung };

struct Drum {
    double radius, height;  // Outermost [m].
    double across, along;   // Scale of details: radially, along the axis.
    double edge_length;
    std::int32_t n;

    double wall_radius() const { return radius - across * kHoopHeight; }
    double chime_radius() const { return radius - across * kChimeInset; }
    double lid_radius() const { return chime_radius() - 2 * across * kChimeRadius; }
    double lid_height() const { return 0.5 * height - along * kLidDepth; }
};

ProfileKnot upright(double radius, double height, std::int32_t look) {
    return {radius, height, 1.0, 0.0, 0.0, look};
}

// A smooth step or bump: radius base + rise * bump, bump given with its slope along the height.
ProfileKnot curved(double radius, double height, double slope, std::int32_t look) {
    const double length = std::hypot(1.0, slope);
    return {radius, height, 1.0 / length, -slope / length, 0.0, look};
}

void add_straight(std::vector<ProfileKnot>& knots, double radius, double from, double to,
                  double edge_length) {
    // The straight wall has no detail of its own: it leaves points for rims and hoops.
    const int rows = std::max(1, static_cast<int>(std::lround((to - from) / (1.25 * edge_length))));
    for (int i = 0; i < rows; ++i) {
        knots.push_back(upright(radius, from + (to - from) * i / rows, kPaint));
    }
}

void add_hoop(std::vector<ProfileKnot>& knots, const Drum& drum) {
    const double reach = drum.along * kHoopReach;
    const double rise = drum.across * kHoopHeight;
    const int rows = 2 * std::max(3, static_cast<int>(std::lround(reach / drum.edge_length)));
    for (int i = 0; i < rows; ++i) {
        const double turn = kPi * (2.0 * i / rows - 1.0);
        const bool is_crest = 2 * i == rows;
        const double radius =
            is_crest ? drum.radius : drum.wall_radius() + rise * 0.5 * (1 + std::cos(turn));
        const double slope = is_crest ? 0.0 : -rise * 0.5 * std::sin(turn) * kPi / reach;
        knots.push_back(
            curved(radius, drum.along * kHoopPlace + reach * turn / kPi, slope, kPaint));
    }
}

// From the neck over the rolled top down to the lid's edge.
void add_chime(std::vector<ProfileKnot>& knots, const Drum& drum) {
    const double top = 0.5 * drum.height;
    const double neck = drum.along * kNeckLength;
    const double neck_top = drum.lid_height();
    const double rise = drum.chime_radius() - drum.wall_radius();
    const int neck_rows = std::max(2, static_cast<int>(std::lround(neck / drum.edge_length)));
    for (int i = 0; i < neck_rows; ++i) {
        const double turn = kPi * i / neck_rows;
        knots.push_back(curved(drum.wall_radius() + rise * 0.5 * (1 - std::cos(turn)),
                               neck_top - neck + neck * i / neck_rows,
                               rise * 0.5 * std::sin(turn) * kPi / neck, kPaint));
    }
    knots.push_back(upright(drum.chime_radius(), neck_top, kRim));
    const double across = drum.across * kChimeRadius;
    const double along = std::min(drum.along * kChimeRadius, 0.5 * drum.along * kLidDepth);
    const int arc =
        2 * std::max(2, static_cast<int>(std::lround(across * kPi / 2 / drum.edge_length)));
    for (int i = 0; i <= arc; ++i) {
        const Vec2 c = unit_circle(i, 2 * arc);
        const Vec2 normal = Vec2(c.x() / across, c.y() / along).normalized();
        const double height = 2 * i == arc ? top : top - along + along * c.y();
        knots.push_back({drum.chime_radius() - across + across * c.x(), height, normal.x(),
                         normal.y(), 0.0, kRim});
    }
    knots.push_back({drum.lid_radius(), drum.lid_height(), -1.0, 0.0, 0.0, kRim});
}

std::vector<ProfileKnot> drum_profile(const Drum& drum) {
    std::vector<ProfileKnot> upper;
    const double hoop = drum.along * kHoopPlace;
    const double reach = drum.along * kHoopReach;
    add_straight(upper, drum.wall_radius(), 0.0, hoop - reach, drum.edge_length);
    add_hoop(upper, drum);
    add_straight(upper, drum.wall_radius(), hoop + reach,
                 drum.lid_height() - drum.along * kNeckLength, drum.edge_length);
    add_chime(upper, drum);
    std::vector<ProfileKnot> knots;
    for (std::size_t i = upper.size() - 1; i > 0; --i) {
        ProfileKnot knot = upper[i];
        knot.height = -knot.height;
        knot.normal_up = -knot.normal_up;
        knot.look = upper[i - 1].look;  // Spans are named by their other end here.
        knots.push_back(knot);
    }
    knots.insert(knots.end(), upper.begin(), upper.end());
    double length = 0.0;
    for (std::size_t i = 1; i < knots.size(); ++i) {
        length += std::hypot(knots[i].radius - knots[i - 1].radius,
                             knots[i].height - knots[i - 1].height);
        knots[i].v = length;
    }
    for (ProfileKnot& knot : knots) knot.v = 1.0 - knot.v / length;
    return knots;
}

// A plug: a short wall with a rounded look, and a cap, on the ring that was left for it.
void add_bung(PatchBuilder& builder, const FlatHole& hole, std::int32_t ring, const Drum& drum) {
    const double lid = drum.lid_height();
    const double rise = drum.along * kBungHeight;
    const std::int32_t m = hole.segments;
    const auto place = [&](double radius, double height, std::int32_t i, std::int32_t count) {
        const Vec2 c = unit_circle(4 * i, 4 * count);
        return Vec3(hole.centre.x() + radius * c.x(), height, hole.centre.y() - radius * c.y());
    };
    const double top_radius = 0.86 * hole.radius;
    const auto first = static_cast<std::int32_t>(builder.points().size());
    const std::int32_t rings = cap_rings(m);
    std::vector<ProfileKnot> cap;
    for (std::int32_t k = rings; k >= 0; --k) {
        cap.push_back({top_radius * k / rings, lid + rise, 0.0, 1.0, 0.0, kBung});
    }
    for (std::int32_t i = 0; i < m; ++i) builder.add_point(place(top_radius, lid + rise, i, m));
    const std::int32_t inside = static_cast<std::int32_t>(builder.points().size());
    const Vec2 slope = Vec2(rise, hole.radius - top_radius).normalized();
    for (std::int32_t i = 0; i < m; ++i) {
        const auto corner = [&](std::int32_t base, std::int32_t j, double v) {
            const Vec2 c = unit_circle(j, m);
            return PatchCorner{base + j % m, Vec2(static_cast<double>(j) / m, v),
                               Vec3(slope.x() * c.x(), slope.y(), -slope.x() * c.y())};
        };
        builder.add_quad(corner(ring, i, 1.0), corner(ring, i + 1, 1.0), corner(first, i + 1, 0.0),
                         corner(first, i, 0.0), kBung, i % 2 == 0);
    }
    add_cap(builder, cap, first, m, false, CapUv::Planar, top_radius);
    // The cap's inner points came out around the drum's axis.
    for (std::size_t p = inside; p < builder.points().size(); ++p) {
        builder.points()[p] += Vec3(hole.centre.x(), 0.0, hole.centre.y());
    }
}

// The upper lid, with a hole for each bung that is large enough for the mesh to show.
void add_upper_lid(PatchBuilder& builder, const Drum& drum, std::int32_t rim) {
    const double radius = drum.lid_radius();
    FlatMesh lid = flat_disc(radius, drum.n);
    std::vector<FlatHole> bungs(2);
    for (int b = 0; b < 2; ++b) {
        FlatHole& hole = bungs[b];
        hole.radius = drum.across * kBungRadius[b];
        hole.centre = Vec2((b == 0 ? 1 : -1) * kBungPlace * radius, 0.0);
        hole.segments = std::max(12, ring_segments(2 * kPi * hole.radius, drum.edge_length));
    }
    const std::vector<FlatHole> holes = punch_holes(lid, bungs);
    relax_flat(lid, drum.n);
    std::vector<std::int32_t> point_of(lid.points.size());
    for (std::size_t i = 0; i < lid.points.size(); ++i) {
        const Vec2& p = lid.points[i];
        point_of[i] = static_cast<std::int32_t>(i) < drum.n
                          ? rim + static_cast<std::int32_t>(i)
                          : builder.add_point({p.x(), drum.lid_height(), p.y()});
    }
    const auto corner = [&](std::int32_t i) {
        const Vec2 uv = Vec2(0.5, 0.5) + 0.5 / radius * lid.points[i];
        return PatchCorner{point_of[i], uv, Vec3::UnitY()};
    };
    for (const Triangle& t : lid.triangles) {
        builder.add_triangle(corner(t[0]), corner(t[1]), corner(t[2]), kPaint);
    }
    for (const FlatHole& hole : holes) add_bung(builder, hole, point_of[hole.first_point], drum);
}

}  // namespace

SurfaceAsset make_barrel(const SolidOptions& options) {
    const double width = std::min(options.size.x(), options.size.z());
    Drum drum;
    drum.radius = 0.5 * width;
    drum.height = options.size.y();
    drum.across = drum.radius / kRealRadius;
    drum.along = drum.height / kRealHeight;
    drum.edge_length = options.resolution;
    drum.n = ring_segments(kPi * std::max(options.size.x(), options.size.z()), drum.edge_length);
    PatchBuilder builder;
    builder.add_look({"paint", Vec3(0.02, 0.12, 0.36), 0.0, 0.35, 1.0});
    builder.add_look({"rim", Vec3(0.56, 0.57, 0.58), 1.0, 0.38, 1.0});
    builder.add_look({"bung", Vec3(0.62, 0.60, 0.55), 1.0, 0.3, 1.0});
    const std::vector<std::int32_t> rings = add_wall(builder, drum_profile(drum), drum.n);
    add_upper_lid(builder, drum, rings.back());
    std::vector<ProfileKnot> lower;
    const std::int32_t count = cap_rings(drum.n);
    for (std::int32_t k = count; k >= 0; --k) {
        lower.push_back(
            {drum.lid_radius() * k / count, -drum.lid_height(), 0.0, -1.0, 0.0, kPaint});
    }
    add_cap(builder, lower, rings.front(), drum.n, true, CapUv::Planar, drum.lid_radius());
    SurfaceAsset asset = builder.finish();
    stretch(asset, options.size.x() / width, options.size.z() / width);
    return asset;
}

}  // namespace ductile
