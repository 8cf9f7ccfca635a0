// SPDX-License-Identifier: MIT
#include <ductile/core/smooth_step.h>
#include <ductile/deform/press/bulge/press_bulge.h>
#include <ductile/deform/press/extensions/press_thin.h>
#include <ductile/deform/press/field/border_fields.h>
#include <ductile/deform/press/mapping/finer_rigid.h>
#include <ductile/deform/press/mapping/press_mapping.h>
#include <ductile/deform/press/press_stages.h>
#include <ductile/deform/press/zone/contact_zone.h>
#include <ductile/deform/press/zone/press_stiffness.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// Rigid triangles beside an edge that juts out are halved above so many mean edges of the soft
// mesh.
constexpr double kCoarseRigid = 2.0;
// A bulge reaches at least so many depths: a thin wall that is pressed far gives way around, too.
constexpr double kExtentPerDepth = 2.0;
// From this share of a wall's thickness on it is the back that makes room, and nothing bulges.
constexpr double kThroughWhole = 0.8;
// A bulge below this share of what was asked for is told of.
constexpr double kFullBulge = 0.99;

void report_stage(const PressStageCallback& on_stage, PressStage stage) {
    if (on_stage) on_stage(stage);
}

/// How far the rigid surface is from what is deepest in it [m].
double depth_of(const PressSurface& soft, const PressOverlap& overlap, const SurfaceQuery& rigid) {
    double depth = 0.0;
    for (const std::int32_t v : overlap.inside) {
        depth = std::max(depth, rigid.closest_point(soft.points[v]).distance);
    }
    return depth;
}

std::vector<ContactZone> find_zones(const PressSurface& soft, const PreparedRigid& rigid,
                                    const PressOverlaps& found, const PressOptions& options,
                                    const PaintedMaps& maps, std::span<RigidSide> sides,
                                    const PressStageCallback& on_stage, PressReport& report) {
    std::vector<ContactZone> zones;
    const double at_rest = report.stiffness;
    const auto give_up = [&](std::size_t overlap, const std::string& why) {
        ++report.fallbacks;
        report.notes.push_back(fmt::format("overlap {} stays as it was: {}", overlap + 1, why));
    };
    for (std::size_t i = 0; i < found.overlaps.size(); ++i) {
        const PressOverlap& overlap = found.overlaps[i];
        for (const std::int32_t v : overlap.inside) sides[v] = RigidSide::Unknown;
        const Result<PressMapping> mapping =
            PressMapping::make(soft, rigid.surface(), overlap, rigid.planes.get(), options.mapping);
        report_stage(on_stage, PressStage::Mapping);
        if (!mapping) {
            give_up(i, mapping.error().text());
            continue;
        }
        if (mapping.value().is_thin()) {
            report.notes.push_back(fmt::format(
                "overlap {} is narrower than the soft mesh's edges, so its print is ragged; a "
                "finer mesh helps",
                i + 1));
        }
        if (mapping.value().is_squashed()) {
            report.notes.push_back(fmt::format(
                "overlap {}: what of the rigid body is inside cannot be laid flat in its own size, "
                "as a fingertip below the surface or two parts with a notch between them: its "
                "print may be torn there; a shallower pose helps",
                i + 1));
        }
        const bool asks_depth = !(options.stiffness > 0 && options.extent > 0);
        const double depth = asks_depth ? depth_of(soft, overlap, rigid.query) : 0.0;
        const double stiffness =
            options.stiffness > 0 ? at_rest : stiffness_at_depth(at_rest, depth);
        report.stiffness = std::min(report.stiffness, stiffness);
        ContactZone zone =
            find_contact_zone(soft, overlap, mapping.value(), found.crossings.of_first, stiffness,
                              factors_of(maps.stiffness));
        report_stage(on_stage, PressStage::Contact);
        if (zone.points.empty()) {
            give_up(i, fmt::format("the ball of the stiffness, {:.3g} m in radius, fits nowhere; "
                                   "a stiffness below {:.2g} m or a finer mesh gives it a zone",
                                   stiffness, zone.fitting * stiffness));
            continue;
        }
        for (const std::int32_t v : overlap.inside) sides[v] = RigidSide::Inside;
        if (!(options.extent > 0)) {
            report.extent = std::max(report.extent, kExtentPerDepth * depth);
        }
        zones.push_back(std::move(zone));
    }
    return zones;
}

double farthest_move(const PressRegion& region, std::span<const Vec3> points) {
    double most = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        most = std::max(most, (points[i] - region.points[i]).norm());
    }
    return most;
}

PressOptions without_bulge(PressOptions options) {
    options.bulge = 0.0;
    return options;
}

/// How deep contacts go [m].
double deepest_contact(const PressSurface& soft, std::span<const ContactZone> zones) {
    double most = 0.0;
    for (const ContactZone& zone : zones) {
        for (std::size_t i = 0; i < zone.points.size(); ++i) {
            const Vec3 way = zone.touching[i].position - soft.points[zone.points[i]];
            most = std::max(most, way.norm());
        }
    }
    return most;
}

/// With less of a bulge the nearer a contact comes to the other side of a wall: its back goes
/// along.
PressOptions bulge_of_wall(PressOptions options, double depth, const PressWall& wall) {
    if (wall.share > 0) {
        const double beyond = depth / wall.thickness - kThroughShare;
        options.bulge *= 1.0 - wall.share * smooth_step(beyond / (kThroughWhole - kThroughShare));
    }
    return options;
}

Status press_region_of(const PressSurface& soft, const PreparedRigid& rigid,
                       std::span<const ContactZone> zones, std::span<const RigidSide> sides,
                       const PressOptions& options, const PaintedMaps& maps, const Transform* pose,
                       const PressStageCallback& on_stage, Pressed& pressed) {
    PressReport& report = pressed.report;
    const PressRegion region = make_region(soft, zones, report.extent);
    const Result<BorderFields> borders = spread_from_borders(region, report.extent);
    if (!borders) return borders.error();
    Result<std::vector<double>> distance = radial_distance(region, borders.value());
    report_stage(on_stage, PressStage::Parameter);
    if (!distance) return distance.error();
    std::vector<double> radial = std::move(distance.value());
    for (double& r : radial) r = std::clamp(r / report.extent, 0.0, 1.0);
    const Result<PressDirections> found = direction_field(region, borders.value(), radial);
    report_stage(on_stage, PressStage::Directions);
    if (!found) return found.error();
    const std::vector<Vec3>& directions = found.value().of_point;
    const Result<PressGuides> guides = press_guides(region, borders.value(), radial, directions);
    report_stage(on_stage, PressStage::Guides);
    if (!guides) return guides.error();
    if (found.value().has_positive_weights) {
        report.notes.emplace_back(
            "faces around the contact are obtuse where the surface is strongly bent: directions of "
            "the bulge are found with positive weights there, a little less smooth");
    }
    const PressFields fields{
        region,
        radial,
        directions,
        guides.value(),
        rigid.query,
        sides,
        factors_of(maps.bulge),
        report.extent,
        soft.rest.mesh().points,
        std::any_of(zones.begin(), zones.end(), [](const ContactZone& z) { return z.is_sharp; })};
    PressBulge bulge = press_bulge(fields, options);
    if (!bulge.is_kept) {
        // An estimate is of use only while it keeps to the region.
        const bool is_wild = !(farthest_move(region, bulge.points) < report.extent);
        if (is_wild) bulge = press_bulge(fields, without_bulge(options));
        report.notes.push_back(fmt::format("no height of the bulge keeps the volume: {} is taken",
                                           is_wild ? "none" : "an estimate"));
    }
    if (bulge.out_of_reach > 0) {
        report.notes.push_back(
            fmt::format("{} points inside the rigid body lie beyond the extent: a larger extent "
                        "reaches them",
                        bulge.out_of_reach));
    }
    for (std::size_t i = 0; i < region.vertices.size(); ++i) {
        const std::int32_t v = region.vertices[i];
        const bool is_contact = region.is_contact[i] != 0;
        const bool is_moved = is_contact || radial[i] < 1.0;
        if (is_moved) pressed.points[v] = pose ? pose->point(bulge.points[i]) : bulge.points[i];
        pressed.radial[v] = is_contact ? 0.0 : radial[i];
        pressed.amplitude[v] = is_contact        ? (region.points[i] - bulge.points[i]).norm()
                               : radial[i] < 1.0 ? guides.value().amplitude[i]
                                                 : 0.0;
        report.moved_points += is_moved;
    }
    report.working_points = static_cast<std::int32_t>(region.vertices.size());
    report.displaced_volume = bulge.displaced;
    report.volume_change = bulge.change;
    return {};
}

/// From 0 by their lowest vertex, which is where a walk over them begins.
void number_zones(const PressSurface& soft, std::span<const ContactZone> zones, Pressed& pressed) {
    constexpr std::int32_t kUnnumbered = -2;
    std::vector<std::int32_t> contact, open;
    for (const ContactZone& zone : zones) {
        contact.insert(contact.end(), zone.points.begin(), zone.points.end());
    }
    pressed.report.contact_points = static_cast<std::int32_t>(contact.size());
    std::sort(contact.begin(), contact.end());
    for (const std::int32_t v : contact) pressed.zone[v] = kUnnumbered;
    for (const std::int32_t first : contact) {
        if (pressed.zone[first] != kUnnumbered) continue;
        const std::int32_t number = pressed.report.zones++;
        pressed.zone[first] = number;
        for (open.assign(1, first); !open.empty();) {
            const std::int32_t v = open.back();
            open.pop_back();
            for (const std::int32_t w : soft.graph[v]) {
                if (pressed.zone[w] != kUnnumbered) continue;
                pressed.zone[w] = number;
                open.push_back(w);
            }
        }
    }
}

/// The frame, in the rigid surface's own coordinates; `pose` takes what moved back from there.
void press_overlaps(const PressSurface& soft, const PreparedRigid& given,
                    const PressOptions& options, const PaintedMaps& maps, PressWall& wall,
                    const Transform* pose, PressOverlaps found, const PressStageCallback& on_stage,
                    Pressed& pressed) {
    PressReport& report = pressed.report;
    std::shared_ptr<const PreparedRigid> finer;
    const double coarse = kCoarseRigid * soft.mean_edge_length();
    if (has_coarse_creases(soft, given.surface(), found, coarse)) {
        finer = given.finer->find_or_make(given, coarse);
        found = find_overlaps(soft, finer->surface(), finer->query);
    }
    const PreparedRigid& rigid = finer ? *finer : given;
    report.overlaps = static_cast<std::int32_t>(found.overlaps.size());
    report.notes = found.notes;
    report_stage(on_stage, PressStage::Overlap);
    if (found.overlaps.empty()) return;
    std::vector<RigidSide> sides(soft.points.size(), RigidSide::Outside);
    const std::vector<ContactZone> zones =
        find_zones(soft, rigid, found, options, maps, sides, on_stage, report);
    if (zones.empty()) return;
    const double depth = deepest_contact(soft, zones);
    if (wall.body && depth > kThroughShare * wall.thickness && wall.body->is_closed()) {
        wall.share = wall_share(found.overlaps, wall.thickness);
    }
    const PressOptions bulging = bulge_of_wall(options, depth, wall);
    if (const Status done =
            press_region_of(soft, rigid, zones, sides, bulging, maps, pose, on_stage, pressed);
        !done) {
        report.fallbacks = report.overlaps;
        report.notes.push_back("nothing is pressed: " + done.error().text());
        return;
    }
    if (options.bulge > 0 && bulging.bulge < kFullBulge * options.bulge) {
        report.notes.push_back(
            fmt::format("it is pressed in by about as much as it is thick ({:.3g} m): it bulges by "
                        "{:.0f} % of what keeps the volume, its back makes room for the rest",
                        wall.thickness, 100.0 * bulging.bulge / options.bulge));
    }
    number_zones(soft, zones, pressed);
    report_stage(on_stage, PressStage::Deformation);
}

}  // namespace

void press_placed(const PressSurface& soft, const PreparedRigid& rigid, const PressOptions& options,
                  const PaintedMaps& maps, PressWall& wall, const Transform* pose,
                  const PressStageCallback& on_stage, Pressed& pressed) {
    PressOverlaps found = find_overlaps(soft, rigid.surface(), rigid.query);
    std::vector<Triangle> front;
    if (wall.body) front = front_of_walls(soft, rigid.surface(), found);
    if (front.empty() || !wall.body->is_closed()) {
        press_overlaps(soft, rigid, options, maps, wall, pose, std::move(found), on_stage, pressed);
        return;
    }
    const RestSurface rest({soft.rest.mesh().points, front});
    PressSurface without_back(rest, soft.points);
    without_back.is_at_rest = soft.is_at_rest;
    without_back.turn = soft.turn;
    found = find_overlaps(without_back, rigid.surface(), rigid.query);
    press_overlaps(without_back, rigid, options, maps, wall, pose, std::move(found), on_stage,
                   pressed);
}

}  // namespace ductile
