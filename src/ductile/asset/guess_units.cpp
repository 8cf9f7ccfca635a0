// SPDX-License-Identifier: MIT
#include <ductile/asset/guess_units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ductile {
namespace {

// Largest extents [m] that pass for a thing modelled in metres.
constexpr double kSmallestInMetres = 1e-3, kLargestInMetres = 50.0;
// Largest extents in units of the file that pass for centimetres or inches, and for millimetres.
constexpr double kLargestInInches = 2000.0, kLargestInMillimetres = 50'000.0;
// What the simulation can take [m].
constexpr double kSmallestBody = 1e-4, kLargestBody = 1e5;
// Of the extent: how far from the middle the area of mirrored things balances, how far that of
// others does at least, and how near to 0 a foot stands. With these, all 14 of 46 real OBJ files
// that have z up are found, and none of the others is taken for one.
constexpr double kBalanced = 0.006, kUnbalanced = 0.03, kFoot = 0.01;

struct Extents {
    Box box;
    Vec3 middle = Vec3::Zero();  // Of the area.
};

Extents extents_of(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    Extents out;
    std::vector<std::uint8_t> is_used(points.size(), 0);
    for (const Triangle& t : triangles) {
        for (const std::int32_t v : t) is_used[v] = 1;
    }
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (is_used[v]) out.box.add(points[v]);
    }
    if (out.box.is_empty()) return out;
    // Relative to the box, so that no size overflows a square.
    const double size = (out.box.upper - out.box.lower).maxCoeff();
    const double scale = size > 0 && std::isfinite(size) ? 1.0 / size : 0.0;
    Vec3 sum = Vec3::Zero();
    double total = 0.0;
    for (const Triangle& t : triangles) {
        Vec3 p[3];
        for (int k = 0; k < 3; ++k) p[k] = (points[t[k]] - out.box.lower) * scale;
        const double area = (p[1] - p[0]).cross(p[2] - p[0]).norm();
        total += area;
        sum += area / 3.0 * (p[0] + p[1] + p[2]);
    }
    out.middle = out.box.centre();
    if (total > 0 && scale > 0) out.middle = out.box.lower + sum / total / scale;
    return out;
}

// How far the area's middle is from the box's, as a share of the extent.
double imbalance(const Extents& e, int axis) {
    const double extent = e.box.upper[axis] - e.box.lower[axis];
    return extent > 0 ? std::abs(e.middle[axis] - e.box.centre()[axis]) / extent : 0.0;
}

bool stands_on_zero(const Extents& e, int axis) {
    const double extent = e.box.upper[axis] - e.box.lower[axis];
    return extent > 0 && std::abs(e.box.lower[axis]) <= kFoot * extent;
}

constexpr std::string_view kAxisNames = "xyz";

void guess_up(const Extents& e, std::string_view format, PlacementReport& out) {
    const int usual = format == "STL" ? 2 : 1, other = 3 - usual;
    const char name = kAxisNames[usual], other_name = kAxisNames[other];
    out.is_up_guessed = true;
    if (imbalance(e, usual) <= kBalanced && imbalance(e, other) >= kUnbalanced) {
        out.up = static_cast<UpAxis>(other + 1);
        out.up_reason =
            fmt::format("it mirrors itself along {} and not along {}", name, other_name);
    } else if (stands_on_zero(e, other) && !stands_on_zero(e, usual)) {
        out.up = static_cast<UpAxis>(other + 1);
        out.up_reason = fmt::format("it stands on {} = 0 and not on {} = 0", other_name, name);
    } else {
        out.up = static_cast<UpAxis>(usual + 1);
        out.up_reason = fmt::format("usual for {} files, and nothing speaks against it",
                                    format.empty() ? "such" : format);
    }
}

void guess_scale(double extent, PlacementReport& out) {
    out.is_scale_guessed = true;
    if (extent <= kLargestInMetres || extent > kLargestInMillimetres) {
        out.metres_per_unit = 1.0;
        out.scale_reason = extent >= kSmallestInMetres && extent <= kLargestInMetres
                               ? fmt::format("metres: {:.3g} m is a likely size", extent)
                               : "metres, for want of a unit that makes the size likely";
    } else if (extent > kLargestInInches) {
        out.metres_per_unit = 1e-3;
        out.scale_reason =
            fmt::format("millimetres: {:.4g} of them are {:.3g} m", extent, 1e-3 * extent);
    } else if (out.up == UpAxis::Z) {
        out.metres_per_unit = 0.0254;
        out.scale_reason = fmt::format("inches: {:.4g} of them are {:.3g} m; usual where z is up",
                                       extent, 0.0254 * extent);
    } else {
        out.metres_per_unit = 0.01;
        out.scale_reason = fmt::format(
            "centimetres: {:.4g} of them are {:.3g} m; usual where y is up", extent, 0.01 * extent);
    }
}

void decide_up(const Extents& e, const PlacementHints& hints, const AssetOptions& options,
               PlacementReport& out) {
    if (options.up != UpAxis::Auto) {
        out.up = options.up;
        out.up_reason = "as asked for";
    } else if (hints.up_axis && *hints.up_axis >= 0 && *hints.up_axis < 3) {
        out.up = static_cast<UpAxis>(*hints.up_axis + 1);
        out.up_reason = "as the file says";
    } else {
        guess_up(e, hints.format, out);
    }
}

void decide_scale(double extent, const PlacementHints& hints, const AssetOptions& options,
                  PlacementReport& out) {
    if (options.scale > 0) {
        out.metres_per_unit = options.scale;
        out.scale_reason = "as asked for";
    } else if (hints.metres_per_unit && *hints.metres_per_unit > 0) {
        out.metres_per_unit = *hints.metres_per_unit;
        out.scale_reason = "as the file says";
    } else {
        guess_scale(extent, out);
    }
}

// The vertex furthest from the middle of all, which is often the one that went astray.
std::string furthest(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    std::int32_t far = 0;
    double most = -1.0;
    for (const Triangle& t : triangles) {
        for (const std::int32_t v : t) {
            const double reach = points[v].cwiseAbs().maxCoeff();
            if (reach > most) most = reach, far = v;
        }
    }
    const Vec3& p = points[far];
    return fmt::format("vertex {}, at ({:.4g}, {:.4g}, {:.4g})", far, p.x(), p.y(), p.z());
}

}  // namespace

Vec3 with_y_up(const Vec3& v, UpAxis up) {
    if (up == UpAxis::Z) return {v.x(), v.z(), -v.y()};
    if (up == UpAxis::X) return {-v.y(), v.x(), v.z()};
    return v;
}

Result<PlacementReport> place_model(std::span<const Vec3> points,
                                    std::span<const Triangle> triangles,
                                    const PlacementHints& hints, const AssetOptions& options) {
    const Extents e = extents_of(points, triangles);
    if (e.box.is_empty()) {
        return Error{"the model has no triangles", "", "nothing of it is left to hit or draw"};
    }
    const double extent = (e.box.upper - e.box.lower).maxCoeff();
    PlacementReport out;
    decide_up(e, hints, options, out);
    decide_scale(extent, hints, options, out);
    const double size = extent * out.metres_per_unit;
    if (!(size >= kSmallestBody && size <= kLargestBody)) {
        return Error{fmt::format("the model is {:.3g} units large, which makes {:.3g} m at {:g} m "
                                 "per unit; a body has {:g} m to {:g} m",
                                 extent, size, out.metres_per_unit, kSmallestBody, kLargestBody),
                     extent > 0 ? furthest(points, triangles) : "",
                     "give metres per unit as scale, or look at that vertex"};
    }
    Box box;
    box.add(with_y_up(e.box.lower * out.metres_per_unit, out.up));
    box.add(with_y_up(e.box.upper * out.metres_per_unit, out.up));
    out.size = box.upper - box.lower;
    out.centre = box.centre();
    return out;
}

}  // namespace ductile
