// SPDX-License-Identifier: MIT
#include <ductile/deform/press/contact_zone.h>
#include <ductile/deform/press/press.h>
#include <ductile/deform/press/press_bulge.h>
#include <ductile/deform/press/press_mapping.h>
#include <ductile/deform/press/press_region.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile {
namespace {

constexpr double kDefaultStiffness = 0.25;  // Of the soft body's size: Figure 8's ball.
constexpr double kDefaultExtent = 0.6;
// How far beyond the extent the region reaches that the radial parameter is solved on: the further,
// the nearer it is to the distance along the surface, and the more it costs.
constexpr double kMargin = 1.5;

Status check_surface(const TriMesh& mesh, const char* name) {
    if (mesh.triangles.empty()) return Error{"there is no triangle", name, ""};
    if (!has_valid_indices(mesh.points.size(), mesh.triangles)) {
        return Error{"a triangle names a point that is not there", name, ""};
    }
    for (const Vec3& p : mesh.points) {
        if (!is_finite(p)) return Error{"a point is not finite", name, "mend the mesh first"};
    }
    return {};
}

std::vector<std::int32_t> points_near(const PressSurface& soft, const PressOverlap& overlap,
                                      double reach) {
    const std::vector<double> distance =
        edge_distances(soft.points, soft.graph, overlap.inside, reach);
    std::vector<std::int32_t> near;
    for (std::size_t v = 0; v < distance.size(); ++v) {
        if (distance[v] < kInfinity) near.push_back(static_cast<std::int32_t>(v));
    }
    return near;
}

std::vector<ContactZone> find_zones(const PressSurface& soft, const PressSurface& rigid,
                                    const PressOverlaps& found, std::span<RigidSide> sides,
                                    PressReport& report) {
    std::vector<ContactZone> zones;
    const auto give_up = [&](std::size_t overlap, const std::string& why) {
        ++report.fallbacks;
        report.notes.push_back(fmt::format("overlap {} stays as it was: {}", overlap + 1, why));
    };
    for (std::size_t i = 0; i < found.overlaps.size(); ++i) {
        const PressOverlap& overlap = found.overlaps[i];
        for (const std::int32_t v : overlap.inside) sides[v] = RigidSide::Unknown;
        const Result<PressMapping> mapping =
            PressMapping::make(soft, rigid, overlap, found.rigid_is_inside);
        if (!mapping) {
            give_up(i, mapping.error().text());
            continue;
        }
        ContactZone zone =
            find_contact_zone(soft, overlap, mapping.value(), found.crossings.of_first,
                              points_near(soft, overlap, report.extent), report.stiffness);
        if (zone.points.empty()) {
            give_up(i,
                    "the ball of the stiffness fits nowhere; less stiffness or a finer mesh "
                    "gives it a zone");
            continue;
        }
        for (const std::int32_t v : overlap.inside) sides[v] = RigidSide::Inside;
        zones.push_back(std::move(zone));
    }
    return zones;
}

Status press_region_of(const PressSurface& soft, const PressSurface& rigid,
                       std::span<const ContactZone> zones, std::span<const RigidSide> sides,
                       const PressOptions& options, Pressed& pressed) {
    PressReport& report = pressed.report;
    const PressRegion region = make_region(soft, zones, kMargin * report.extent);
    Result<std::vector<double>> distance = radial_distance(region);
    if (!distance) return distance.error();
    std::vector<double> radial = std::move(distance.value());
    for (double& r : radial) r = std::clamp(r / report.extent, 0.0, 1.0);
    const Result<std::vector<Vec3>> directions = direction_field(region, radial);
    if (!directions) return directions.error();
    const Result<PressGuides> guides = press_guides(region, radial, directions.value());
    if (!guides) return guides.error();
    const std::vector<double> limits =
        press_limits(region, radial, directions.value(), rigid.query, sides, report.extent);
    const PressBulge bulge =
        press_bulge(region, radial, directions.value(), guides.value(), limits, options);
    if (!bulge.is_kept) {
        report.notes.push_back("no height of the bulge keeps the volume: an estimate is taken");
    }
    for (std::size_t i = 0; i < region.vertices.size(); ++i) {
        const std::int32_t v = region.vertices[i];
        const bool is_contact = region.is_contact[i] != 0;
        pressed.points[v] = bulge.points[i];
        pressed.radial[v] = is_contact ? 0.0 : radial[i];
        pressed.amplitude[v] = is_contact        ? (region.points[i] - bulge.points[i]).norm()
                               : radial[i] < 1.0 ? guides.value().amplitude[i]
                                                 : 0.0;
        report.moved_points += is_contact || radial[i] < 1.0;
    }
    report.working_points = static_cast<std::int32_t>(region.vertices.size());
    report.displaced_volume = bulge.displaced;
    report.volume_change = bulge.change;
    return {};
}

void number_zones(const PressSurface& soft, std::span<const ContactZone> zones, Pressed& pressed) {
    std::vector<std::uint8_t> is_contact(soft.points.size(), 0);
    for (const ContactZone& zone : zones) {
        for (const std::int32_t v : zone.points) is_contact[v] = 1;
        pressed.report.contact_points += static_cast<std::int32_t>(zone.points.size());
    }
    VertexParts parts = vertex_parts(soft.graph, is_contact);
    pressed.zone = std::move(parts.part);
    pressed.report.zones = parts.count;
}

}  // namespace

Result<Pressed> press_soft(const TriMesh& soft, const TriMesh& rigid, const PressOptions& options) {
    if (const Status fine = check(options); !fine) return fine.error();
    if (const Status fine = check_surface(soft, "the soft surface"); !fine) return fine.error();
    if (const Status fine = check_surface(rigid, "the rigid surface"); !fine) return fine.error();
    const PressSurface on(soft), by(rigid);
    Pressed pressed;
    pressed.points = soft.points;
    pressed.zone.assign(soft.points.size(), -1);
    pressed.radial.assign(soft.points.size(), 1.0);
    pressed.amplitude.assign(soft.points.size(), 0.0);
    PressReport& report = pressed.report;
    report.stiffness = options.stiffness > 0 ? options.stiffness : kDefaultStiffness * on.size;
    report.extent = options.extent > 0 ? options.extent : kDefaultExtent * on.size;
    const PressOverlaps found = find_overlaps(on, by);
    report.overlaps = static_cast<std::int32_t>(found.overlaps.size());
    report.notes = found.notes;
    std::vector<RigidSide> sides(soft.points.size(), RigidSide::Outside);
    const std::vector<ContactZone> zones = find_zones(on, by, found, sides, report);
    if (zones.empty()) return pressed;
    if (const Status done = press_region_of(on, by, zones, sides, options, pressed); !done) {
        report.fallbacks = report.overlaps;
        report.notes.push_back("nothing is pressed: " + done.error().text());
        return pressed;
    }
    number_zones(on, zones, pressed);
    return pressed;
}

}  // namespace ductile
