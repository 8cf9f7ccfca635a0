// SPDX-License-Identifier: MIT
// Lengths in radii; the axis of a cylinder is z, planes come in along y.
#include "compare_soft.h"

#include <ductile/deform/press/press.h>
#include <ductile/solids/solids.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile::cli {
namespace {

constexpr double kBallCells = 0.05, kCylinderCells = 0.08;
// The middle of a cylinder of this length is as one without ends.
constexpr double kCylinderLength = 6.0, kMiddle = 0.6;

TriMesh solid_surface(SolidKind kind, const Vec3& size, double resolution) {
    return make_solid({.kind = kind, .size = size, .resolution = resolution}).value().surface;
}

TriMesh soft_mesh(bool is_cylinder) {
    if (!is_cylinder) return solid_surface(SolidKind::Sphere, Vec3::Constant(2), kBallCells);
    TriMesh mesh = solid_surface(SolidKind::Cylinder, Vec3(2, kCylinderLength, 2), kCylinderCells);
    for (Vec3& p : mesh.points) p = Vec3(p.x(), p.z(), -p.y());
    return mesh;
}

/// Two slabs whose faces are `depth` inside of what reaches from -1 to 1.
TriMesh planes(double depth) {
    const TriMesh slab = solid_surface(SolidKind::Box, Vec3(8, 1, 10), 1.0);
    TriMesh both;
    for (const double side : {-1.0, 1.0}) {
        const auto first = static_cast<std::int32_t>(both.points.size());
        // A little aside, so that no vertex lies on an edge.
        for (const Vec3& p : slab.points) {
            both.points.push_back(p + Vec3(0.013, side * (1.5 - depth), 0.007));
        }
        for (const Triangle& t : slab.triangles) {
            both.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
    }
    return both;
}

/// A place of a cut: distance from the axis, height over the equator.
struct CutPoint {
    double r = 0.0, z = 0.0;
};

double distance(const CutPoint& p, const CutPoint& a, const CutPoint& b) {
    const double along_r = b.r - a.r, along_z = b.z - a.z;
    const double length_sq = along_r * along_r + along_z * along_z;
    const double t = ((p.r - a.r) * along_r + (p.z - a.z) * along_z) / length_sq;
    const double s = std::clamp(t, 0.0, 1.0);
    return std::hypot(p.r - a.r - s * along_r, p.z - a.z - s * along_z);
}

double distance(const CutPoint& p, std::span<const CutPoint> line) {
    double least = kInfinity;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        least = std::min(least, distance(p, line[i], line[i + 1]));
    }
    return least;
}

std::vector<CutPoint> profile_of(const TableRow& row, std::span<const TableRow> profiles) {
    std::vector<CutPoint> line;
    for (const TableRow& p : profiles) {
        const bool is_same = p.at("shape") == row.at("shape") && p.at("depth") == row.at("depth") &&
                             p.at("poissons_ratio") == row.at("poissons_ratio");
        if (is_same) line.push_back({number(p, "r"), std::abs(number(p, "z"))});
    }
    return line;
}

}  // namespace

void compare_soft(const TableRow& row, std::span<const TableRow> profiles,
                  std::vector<Compared>& out) {
    const bool is_cylinder = row.at("shape") == "cylinder";
    const PressSetup setup{.options = {.poissons_ratio = number(row, "poissons_ratio")}};
    const TriMesh soft = soft_mesh(is_cylinder);
    const Result<Pressed> pressed = press_soft(soft, planes(number(row, "depth")), setup);
    if (!pressed) return;
    const std::vector<CutPoint> line = profile_of(row, profiles);
    CutPoint widest;
    double contact = 0.0, square = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < soft.points.size(); ++i) {
        const Vec3& p = pressed.value().points[i];
        if (is_cylinder && std::abs(p.z()) > kMiddle) continue;
        const CutPoint at{is_cylinder ? std::abs(p.x()) : std::hypot(p.x(), p.z()),
                          std::abs(p.y())};
        if (at.r > widest.r) widest = at;
        if (pressed.value().zone[i] >= 0) contact = std::max(contact, at.r);
        square += std::pow(distance(at, line), 2);
        ++count;
    }
    const std::string which = fmt::format("Poisson's ratio {}, compressed by {}",
                                          row.at("poissons_ratio"), row.at("depth"));
    const std::string what = "soft " + row.at("shape") + ": ";
    const double looser = is_cylinder ? 4.0 : 1.0;  // the goals are those of balls
    const double rms = std::sqrt(square / static_cast<double>(count));
    out.push_back({what + "widest radius", which, widest.r, number(row, "widest_radius"), false,
                   looser * 0.01});
    out.push_back({what + "contact radius", which, contact, number(row, "contact_radius"), false,
                   looser * 0.1});
    out.push_back({what + "profile, rms", which, rms, 0.0, true, looser * 0.01});
    out.push_back({what + "height of the widest place", which, widest.z,
                   number(row, "widest_height"), true, 2.0 * kCylinderCells});
    if (is_cylinder) return;
    const double rest_volume = 4.0 / 3.0 * kPi;
    out.push_back({what + "volume lost", which, -pressed.value().report.volume_change / rest_volume,
                   -number(row, "volume_change"), true, 0.005});
}

}  // namespace ductile::cli
