// SPDX-License-Identifier: MIT
#include <ductile/solids/solid_parts.h>
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ductile {
namespace {

constexpr double kSmallest = 1e-4;  // [m] Below, doubles still serve, but no scene means it.
constexpr double kLargest = 1e4;    // [m]
// A body of so many points takes some minutes and 2 GB to be cut into pieces.
constexpr double kMostPoints = 1e6;
// Long thin bodies have few points across, but at least so many.
constexpr double kLeastAcross = 8;
// A car may be stretched so far along one axis against another: beyond, its outlines take ten times
// the points that were asked for.
constexpr double kMostCarStretch = 10;

bool is_box(SolidKind kind) {
    return kind == SolidKind::Box || kind == SolidKind::Plank || kind == SolidKind::Plate;
}
bool uses_rounding(SolidKind kind) { return is_box(kind) || kind == SolidKind::Cylinder; }

// About how large the surface is [m^2]: only to choose and to judge resolutions.
double rough_area(const SolidOptions& o) {
    const double x = o.size.x(), y = o.size.y(), z = o.size.z();
    const double girth = kPi * std::hypot(x, z) / std::numbers::sqrt2;
    const double widest = std::max(x, z);
    switch (o.kind) {
        case SolidKind::Sphere: {
            // A cube-sphere's grid is as fine everywhere as its longest half axis needs.
            const double longest = o.size.maxCoeff();
            return 1.5 * kPi * kPi / 4 * longest * longest;
        }
        // Ends are round and stretched: as fine everywhere as the longer axis needs.
        case SolidKind::Capsule:
            return girth * y + kPi / 2 * (widest * widest - x * z);
        case SolidKind::Cylinder:
        case SolidKind::Barrel:
            return girth * y + kPi / 2 * widest * widest;
        case SolidKind::Torus:
            return girth * 2 * kPi * o.tube;
        case SolidKind::Blend:
            return blend_area(o);
        case SolidKind::Beam:
            return 2 * (2 * x + y) * z + 2 * kBeamWall * x * (2 * x + y);  // Its sides and ends.
        default:
            return 2 * (x * y + y * z + z * x);
    }
}

// Area that a point stands for, in squares of the edge length, as measured at the default.
double squares_per_point(SolidKind kind) {
    switch (kind) {
        case SolidKind::Barrel:
            return 0.57;  // Hoops and rims need rings closer than the edge.
        case SolidKind::Car:
            return 0.59;  // Outlines and wheels add points.
        default:
            return 1.0;
    }
}

double chosen_resolution(const SolidOptions& o) {
    const double points = o.kind == SolidKind::Car ? 10000.0 : 1800.0;
    return std::sqrt(rough_area(o) / (points * squares_per_point(o.kind)));
}

Error refuse(std::string where, std::string what, std::string hint) {
    return {std::move(what), std::move(where), std::move(hint)};
}

Status check_size(const SolidOptions& o) {
    for (int axis = 0; axis < 3; ++axis) {
        if (o.kind == SolidKind::Torus && axis == 1) continue;
        if (!(o.size[axis] >= kSmallest && o.size[axis] <= kLargest)) {
            return refuse("size", fmt::format("{} m cannot be built", o.size[axis]),
                          fmt::format("each size lies between {} and {} m, or all three are 0",
                                      kSmallest, kLargest));
        }
    }
    const double width = std::min(o.size.x(), o.size.z());
    if (o.kind == SolidKind::Capsule && o.size.y() < width * (1 - 1e-12)) {
        return refuse("size", "a capsule cannot be lower than it is wide",
                      fmt::format("make its height at least {} m, or take a sphere", width));
    }
    return {};
}

Status check_parts(const SolidOptions& o) {
    if (o.parts.empty()) {
        return refuse("parts", "a blend is made of parts, and there are none",
                      R"(such as "parts": [{"from": [0, 0, 0], "to": [0, 1, 0], "radius": 0.2}])");
    }
    if (!(o.blend >= 0 && o.blend <= kLargest)) {
        return refuse("blend", fmt::format("{} m is not a length", o.blend), "at least 0");
    }
    for (std::size_t i = 0; i < o.parts.size(); ++i) {
        const BlendPart& part = o.parts[i];
        const bool is_fine = part.radius >= kSmallest && part.radius <= kLargest &&
                             part.end_radius >= 0 && part.end_radius <= kLargest &&
                             part.from.cwiseAbs().maxCoeff() <= kLargest &&
                             part.to.cwiseAbs().maxCoeff() <= kLargest;
        if (!is_fine) {
            return refuse(fmt::format("parts/{}", i), "a radius or place cannot be built",
                          fmt::format("radii between {} and {} m", kSmallest, kLargest));
        }
    }
    return {};
}

Status check_car(const SolidOptions& o) {
    const Vec3 stretch = o.size.cwiseQuotient(natural_size(SolidKind::Car));
    if (stretch.maxCoeff() <= kMostCarStretch * stretch.minCoeff()) return {};
    const Vec3 usual = natural_size(SolidKind::Car);
    return refuse(
        "size", "these are not a car's proportions",
        fmt::format("near {} : {} : {}, or take another kind", usual.x(), usual.y(), usual.z()));
}

Status check_shape(const SolidOptions& o) {
    if (o.kind == SolidKind::Car) return check_car(o);
    const double width = std::min(o.size.x(), o.size.z());
    if (uses_rounding(o.kind)) {
        const double most = 0.5 * o.size.minCoeff();
        if (!(o.rounding >= 0.0 && o.rounding <= most * (1 + 1e-12))) {
            return refuse("rounding", fmt::format("{} m does not fit", o.rounding),
                          fmt::format("between 0 and half the smallest size, {} m", most));
        }
    }
    if (o.kind == SolidKind::Torus && !(o.tube >= kSmallest && o.tube < 0.25 * width)) {
        return refuse(
            "tube", fmt::format("{} m leaves no hole, or no tube", o.tube),
            fmt::format("between {} m and a quarter of the width, {} m", kSmallest, 0.25 * width));
    }
    return {};
}

Status check_resolution(const SolidOptions& o) {
    if (!(o.resolution >= 0.0 && std::isfinite(o.resolution))) {
        return refuse("resolution", fmt::format("{} m is not a length", o.resolution),
                      "0 chooses one");
    }
    if (o.resolution == 0.0) return {};
    const double length = kLeastAcross * o.size.sum();
    const double area = rough_area(o) / squares_per_point(o.kind);
    const double points = (area / o.resolution + length) / o.resolution;
    if (points < kMostPoints) return {};
    const double fits =
        (length + std::sqrt(length * length + 4 * kMostPoints * area)) / (2 * kMostPoints);
    return refuse("resolution",
                  fmt::format("{} m would take too many points: about {:.3g} million", o.resolution,
                              points / 1e6),
                  fmt::format("at most {:.0f} million are built; {:.2g} m fits", kMostPoints / 1e6,
                              rounded_up(fits)));
}

}  // namespace

double rounded_up(double resolution) {
    const double unit = std::pow(10.0, std::floor(std::log10(resolution)) - 1);
    return std::ceil(resolution / unit * (1 - 1e-9)) * unit;
}

Vec3 natural_size(SolidKind kind) {
    switch (kind) {
        case SolidKind::Capsule:
            return {0.5, 1.5, 0.5};
        case SolidKind::Cylinder:
            return {0.6, 1.0, 0.6};
        case SolidKind::Plank:
            return {0.2, 0.04, 2.4};
        case SolidKind::Plate:
            return {1.0, 0.01, 1.0};
        case SolidKind::Torus:
            return {1.0, 0.2, 1.0};
        case SolidKind::Barrel:
            return {0.585, 0.88, 0.585};
        case SolidKind::Car:
            return {1.8, 1.45, 4.3};
        case SolidKind::Beam:
            return {0.2, 0.3, 3.0};
        default:
            return {1.0, 1.0, 1.0};
    }
}

Vec3 natural_size(const SolidOptions& options) {
    return options.kind == SolidKind::Blend ? blend_size(options) : natural_size(options.kind);
}

Result<SurfaceAsset> make_solid(const SolidOptions& options, const StopFlag* stop) {
    SolidOptions o = options;
    if (o.kind == SolidKind::Blend) {
        if (const Status status = check_parts(o); !status.ok()) return status.error();
    }
    if (o.size == Vec3::Zero()) o.size = natural_size(o);
    if (const Status status = check_size(o); !status.ok()) return status.error();
    if (const Status status = check_shape(o); !status.ok()) return status.error();
    if (o.kind == SolidKind::Torus) o.size.y() = 2 * o.tube;
    if (const Status status = check_resolution(o); !status.ok()) return status.error();
    if (o.resolution == 0.0) o.resolution = chosen_resolution(o);
    // An edge longer than the body asks for its coarsest mesh.
    o.resolution = std::min(o.resolution, o.size.maxCoeff());
    if (uses_rounding(o.kind)) o.rounding = std::min(o.rounding, 0.5 * o.size.minCoeff());
    switch (o.kind) {
        case SolidKind::Box:
        case SolidKind::Plank:
        case SolidKind::Plate:
            return make_box(o);
        case SolidKind::Sphere:
            return make_sphere(o);
        case SolidKind::Capsule:
            return make_capsule(o);
        case SolidKind::Cylinder:
            return make_cylinder(o);
        case SolidKind::Torus:
            return make_torus(o);
        case SolidKind::Barrel:
            return make_barrel(o);
        case SolidKind::Car:
            return make_car(o);
        case SolidKind::Beam:
            return make_beam(o);
        case SolidKind::Blend:
            return make_blend(o, stop);
    }
    return refuse("kind", "no such solid", "");
}

}  // namespace ductile
