// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/press/bulge/press_bulge.h>
#include <ductile/deform/press/extensions/press_detail.h>
#include <ductile/deform/press/extensions/press_proxy.h>
#include <ductile/deform/press/extensions/press_wall.h>
#include <ductile/deform/press/field/press_region.h>
#include <ductile/deform/press/mapping/finer_rigid.h>
#include <ductile/deform/press/mapping/press_mapping.h>
#include <ductile/deform/press/press.h>
#include <ductile/deform/press/zone/contact_zone.h>
#include <ductile/deform/press/zone/press_stiffness.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ductile {
namespace {

// Of the stiffness at rest, which is a quarter of a ball's diameter: with it squashed balls are as
// wide as elastic ones, to 1 %, and cylinders to 4 % (validation/soft_shapes.csv).
constexpr double kDefaultExtent = 3.68;
// Rigid triangles beside an edge that juts out are halved above so many mean edges of the soft
// mesh.
constexpr double kCoarseRigid = 2.0;
constexpr const char* kSoft = "the soft surface";
constexpr const char* kRigid = "the rigid surface";

Status check_frame(std::span<const Vec3> points, std::size_t count, const char* name) {
    if (points.size() != count) {
        return Error{fmt::format("{} points instead of {}", points.size(), count), name,
                     "a frame has the points of the mesh it was made from"};
    }
    return check_points(points, name);
}

void report_stage(const PressStageCallback& on_stage, PressStage stage) {
    if (on_stage) on_stage(stage);
}

bool is_identity(const Transform& pose) {
    return pose.translation == Vec3::Zero() && pose.rotation.coeffs() == Quat::Identity().coeffs();
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
        const double stiffness =
            options.stiffness > 0
                ? at_rest
                : stiffness_at_depth(at_rest, depth_of(soft, overlap, rigid.query));
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

Status press_region_of(const PressSurface& soft, const PreparedRigid& rigid,
                       std::span<const ContactZone> zones, std::span<const RigidSide> sides,
                       const PressOptions& options, const PaintedMaps& maps, const Transform* pose,
                       const PressStageCallback& on_stage, Pressed& pressed) {
    PressReport& report = pressed.report;
    const PressRegion region = make_region(soft, zones, report.extent);
    Result<std::vector<double>> distance = radial_distance(region);
    report_stage(on_stage, PressStage::Parameter);
    if (!distance) return distance.error();
    std::vector<double> radial = std::move(distance.value());
    for (double& r : radial) r = std::clamp(r / report.extent, 0.0, 1.0);
    const Result<PressDirections> found = direction_field(region, radial);
    report_stage(on_stage, PressStage::Directions);
    if (!found) return found.error();
    const std::vector<Vec3>& directions = found.value().of_point;
    const Result<PressGuides> guides = press_guides(region, radial, directions);
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
void press_placed(const PressSurface& soft, const PreparedRigid& given, const PressOptions& options,
                  const PaintedMaps& maps, const Transform* pose,
                  const PressStageCallback& on_stage, Pressed& pressed) {
    PressReport& report = pressed.report;
    PressOverlaps found = find_overlaps(soft, given.surface(), given.query);
    std::shared_ptr<const PreparedRigid> finer;
    const double coarse = kCoarseRigid * soft.mean_edge_length;
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
    if (const Status done =
            press_region_of(soft, rigid, zones, sides, options, maps, pose, on_stage, pressed);
        !done) {
        report.fallbacks = report.overlaps;
        report.notes.push_back("nothing is pressed: " + done.error().text());
        return;
    }
    number_zones(soft, zones, pressed);
    report_stage(on_stage, PressStage::Deformation);
}

/// `rigid` drawn out where the soft surface swallows it.
Result<PressRigid> with_proxy(const PressRigid& rigid, const Transform& pose,
                              std::span<const Vec3> soft_points, const TriMesh& soft_rest,
                              const PressProxyOptions& options) {
    TriMesh soft{{}, soft_rest.triangles};
    for (const Vec3& p : soft_points) soft.points.push_back(pose.inverse_point(p));
    const TriMesh as_it_is = rigid.mesh();
    const Result<TriMesh> drawn =
        press_proxy(soft, as_it_is, {pose.inverse_direction(options.direction)});
    if (!drawn) return drawn.error();
    if (drawn.value().points == as_it_is.points) return rigid;
    return rigid.with_points(drawn.value().points);
}

}  // namespace

Pressed unpressed(std::span<const Vec3> points) {
    Pressed pressed;
    pressed.points.assign(points.begin(), points.end());
    pressed.zone.assign(points.size(), -1);
    pressed.radial.assign(points.size(), 1.0);
    pressed.amplitude.assign(points.size(), 0.0);
    return pressed;
}

struct Presser::Prepared {
    /// What a smoothed surface was made from, and how far off it.
    struct Detail {
        TriMesh at_rest;
        PressDetail split;  ///< Of the body at rest.
    };
    Prepared(const TriMesh& body, const PressSetup& given)
        : surface({body.points, marked_triangles(body.triangles, factors_of(given.maps.region))}),
          setup(given) {
        // A part of a body is as thick and as large as the body.
        if (setup.maps.region) whole.emplace(body);
        const RestSurface& sized = whole ? *whole : surface;
        const PressOptions& options = setup.options;
        const double by_shape = default_stiffness(sized);
        stiffness = options.stiffness > 0 ? options.stiffness : by_shape;
        extent = options.extent > 0 ? options.extent : kDefaultExtent * by_shape;
    }
    const RestSurface& body() const { return whole ? *whole : surface; }

    /// What is pressed: the smooth base where there is detail, of the region where there is one.
    RestSurface surface;
    std::optional<RestSurface> whole;  ///< The surface with all its triangles, if it has more.
    PressSetup setup;
    double stiffness, extent;  ///< As used; the stiffness at no depth [m].
    std::optional<Detail> detail;
};

PressRigid::PressRigid(std::shared_ptr<const PreparedRigid> prepared)
    : prepared_(std::move(prepared)) {}

Result<PressRigid> PressRigid::make(TriMesh mesh) {
    if (const Status fine = check_surface(mesh, kRigid); !fine) return fine.error();
    return PressRigid(prepare_rigid(std::move(mesh)));
}

Result<PressRigid> PressRigid::with_points(std::span<const Vec3> points) const {
    const std::size_t count = prepared_->query.points().size();
    if (const Status fine = check_frame(points, count, kRigid); !fine) return fine.error();
    auto moved = std::make_shared<PreparedRigid>(*prepared_);
    moved->query.refit(points);
    moved->planes = std::make_shared<RigidPlanes>();
    moved->finer = std::make_shared<FinerRigids>();
    return PressRigid(std::move(moved));
}

TriMesh PressRigid::mesh() const {
    const std::span<const Vec3> points = prepared_->query.points();
    return {{points.begin(), points.end()}, prepared_->rest->mesh().triangles};
}

Presser::Presser(std::shared_ptr<const Prepared> prepared) : prepared_(std::move(prepared)) {}

Result<Presser> Presser::make(TriMesh soft_rest, const PressSetup& setup) {
    if (const Status fine = check(setup); !fine) return fine.error();
    if (setup.refine) return Error{"one frame does not refine", "refine", "use press_refined"};
    if (setup.both) return Error{"one soft body is pressed here", "both", "use press_both"};
    // What cannot be pressed must not be smoothed.
    if (const Status fine = check_surface(soft_rest, kSoft); !fine) return fine.error();
    if (const Status fine = check_values(setup.maps, soft_rest.points.size()); !fine) {
        return Error{fine.error().what, "maps/" + fine.error().where, fine.error().hint};
    }
    if (marked_triangles(soft_rest.triangles, factors_of(setup.maps.region)).empty()) {
        return Error{"no triangle has all its corners in the region", "maps/region",
                     "mark what may be pressed with 1"};
    }
    if (!setup.detail) {
        return Presser(std::make_shared<const Prepared>(soft_rest, setup));
    }
    PressDetail split = split_detail(soft_rest, setup.detail->rounds);
    if (const Status fine = check_surface(split.base, kSoft); !fine) return fine.error();
    const auto prepared = std::make_shared<Prepared>(split.base, setup);
    prepared->detail.emplace(Prepared::Detail{std::move(soft_rest), std::move(split)});
    return Presser(prepared);
}

const TriMesh& Presser::rest() const {
    return prepared_->detail ? prepared_->detail->at_rest : prepared_->body().mesh();
}
const PressSetup& Presser::setup() const { return prepared_->setup; }

Result<Pressed> Presser::press(std::span<const Vec3> soft_points, const PressRigid& rigid,
                               const Transform& rigid_pose,
                               const PressStageCallback& on_stage) const {
    if (const Status fine = check_frame(soft_points, rest().points.size(), kSoft); !fine) {
        return fine.error();
    }
    if (!is_finite(rigid_pose) || std::abs(rigid_pose.rotation.squaredNorm() - 1.0) > 1e-6) {
        return Error{"a pose is not finite, or stretches instead of turning", kRigid, ""};
    }
    PressRigid by = rigid;
    if (const auto& proxy = setup().proxy) {
        Result<PressRigid> drawn = with_proxy(rigid, rigid_pose, soft_points, rest(), *proxy);
        if (!drawn) return drawn.error();
        by = std::move(drawn).value();
    }
    const auto& detail = prepared_->detail;
    if (!detail) return press_plain(soft_points, by, rigid_pose, on_stage);
    const bool is_at_rest =
        std::equal(soft_points.begin(), soft_points.end(), detail->at_rest.points.begin());
    std::optional<PressDetail> now;
    if (!is_at_rest) {
        now = split_detail({{soft_points.begin(), soft_points.end()}, rest().triangles},
                           setup().detail->rounds);
    }
    const PressDetail& split = is_at_rest ? detail->split : *now;
    if (const Status fine = check_points(split.base.points, kSoft); !fine) return fine.error();
    Pressed pressed = press_plain(split.base.points, by, rigid_pose, on_stage);
    pressed.points = restore_detail(split, pressed, setup().detail->fade);
    return pressed;
}

Pressed Presser::press_plain(std::span<const Vec3> soft_points, const PressRigid& rigid,
                             const Transform& rigid_pose,
                             const PressStageCallback& on_stage) const {
    const Prepared& prepared = *prepared_;
    // Without a pose nothing is turned there and back: not a bit is lost.
    std::vector<Vec3> placed;
    const Transform* pose = is_identity(rigid_pose) ? nullptr : &rigid_pose;
    if (pose) {
        placed.reserve(soft_points.size());
        for (const Vec3& p : soft_points) placed.push_back(pose->inverse_point(p));
    }
    const PressSurface on = pose ? PressSurface(prepared.surface, placed, soft_points, *pose)
                                 : PressSurface(prepared.surface, soft_points);
    Pressed pressed = unpressed(soft_points);
    pressed.report.stiffness = prepared.stiffness;
    pressed.report.extent = prepared.extent;
    press_placed(on, *rigid.prepared_, prepared.setup.options, prepared.setup.maps, pose, on_stage,
                 pressed);
    const double wall = prepared.setup.options.wall;
    if (wall > 0 && pressed.report.moved_points > 0) {
        carry_wall(soft_points, prepared.surface.mesh().triangles, wall, pressed.points);
    }
    return pressed;
}

void Presser::measure(std::span<const Vec3> soft_points, const PressRigid& rigid,
                      const Transform& rigid_pose, Pressed& pressed) const {
    DUCTILE_ASSERT(pressed.points.size() == soft_points.size(), "a point per point");
    const auto placed = [&](std::span<const Vec3> points) {
        std::vector<Vec3> seen;
        seen.reserve(points.size());
        for (const Vec3& p : points) seen.push_back(rigid_pose.inverse_point(p));
        return seen;
    };
    const PreparedRigid& by = *rigid.prepared_;
    pressed.report.left =
        press_residuals(placed(soft_points), placed(pressed.points), rest().triangles, pressed.zone,
                        by.query, by.rest->is_closed());
    for (std::string& note : residual_notes(*pressed.report.left, prepared_->body().size())) {
        pressed.report.notes.push_back(std::move(note));
    }
}

Result<Pressed> press_soft(const TriMesh& soft, const TriMesh& rigid, const PressSetup& setup) {
    const Result<Presser> presser = Presser::make(soft, setup);
    if (!presser) return presser.error();
    const Result<PressRigid> by = PressRigid::make(rigid);
    if (!by) return by.error();
    return presser.value().press(soft.points, by.value());
}

}  // namespace ductile
