// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/press/extensions/press_detail.h>
#include <ductile/deform/press/extensions/press_proxy.h>
#include <ductile/deform/press/extensions/press_thin.h>
#include <ductile/deform/press/extensions/press_wall.h>
#include <ductile/deform/press/mapping/finer_rigid.h>
#include <ductile/deform/press/mapping/rigid_plane.h>
#include <ductile/deform/press/overlap/unite_parts.h>
#include <ductile/deform/press/press.h>
#include <ductile/deform/press/press_stages.h>
#include <ductile/deform/press/zone/press_stiffness.h>
#include <ductile/geom/mass.h>

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
// Of a body, in stiffnesses at rest.
constexpr double kThickness = 4.0;
constexpr const char* kSoft = "the soft surface";
constexpr const char* kRigid = "the rigid surface";

Status check_frame(std::span<const Vec3> points, std::size_t count, const char* name) {
    if (points.size() != count) {
        return Error{fmt::format("{} points instead of {}", points.size(), count), name,
                     "a frame has the points of the mesh it was made from"};
    }
    return check_points(points, name);
}

bool is_identity(const Transform& pose) {
    return pose.translation == Vec3::Zero() && pose.rotation.coeffs() == Quat::Identity().coeffs();
}

std::vector<Vec3> seen_from(const Transform& pose, std::span<const Vec3> points) {
    std::vector<Vec3> seen;
    seen.reserve(points.size());
    for (const Vec3& p : points) seen.push_back(pose.inverse_point(p));
    return seen;
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
    Prepared(TriMesh mesh, const PressSetup& given)
        : body(std::make_shared<const RestSurface>(std::move(mesh))),
          surface(given.maps.region ? region_of(*body, given) : body),
          setup(given),
          // A part of a body is as thick and as large as the body.
          by_shape(default_stiffness(*body)) {
        set_sizes();
    }
    void set_sizes() {
        const PressOptions& options = setup.options;
        stiffness = options.stiffness > 0 ? options.stiffness : by_shape;
        extent = options.extent > 0 ? options.extent : kDefaultExtent * by_shape;
    }

    static std::shared_ptr<const RestSurface> region_of(const RestSurface& body,
                                                        const PressSetup& setup) {
        const TriMesh& mesh = body.mesh();
        return std::make_shared<const RestSurface>(
            TriMesh{mesh.points, marked_triangles(mesh.triangles, factors_of(setup.maps.region))});
    }

    std::shared_ptr<const RestSurface> body;  ///< The surface with all its triangles.
    /// What is pressed: the smooth base where there is detail, of the region where there is one.
    std::shared_ptr<const RestSurface> surface;
    PressSetup setup;
    double by_shape;                       ///< The default of the stiffness [m].
    double stiffness = 0.0, extent = 0.0;  ///< As used; the stiffness at no depth [m].
    std::shared_ptr<const Detail> detail;
};

PressRigid::PressRigid(std::shared_ptr<const PreparedRigid> prepared,
                       std::shared_ptr<const TriMesh> parts)
    : prepared_(std::move(prepared)), parts_(std::move(parts)) {}

Result<PressRigid> PressRigid::make(TriMesh mesh) {
    if (const Status fine = check_surface(mesh, kRigid); !fine) return fine.error();
    std::shared_ptr<const PreparedRigid> prepared = prepare_rigid(std::move(mesh));
    if (prepared->rest->parts().count < 2) return PressRigid(std::move(prepared));
    std::optional<TriMesh> united = unite_parts(prepared->rest->mesh());
    if (!united) return PressRigid(std::move(prepared));
    return PressRigid(prepare_rigid(std::move(*united)),
                      std::make_shared<const TriMesh>(prepared->rest->mesh()));
}

Result<PressRigid> PressRigid::with_points(std::span<const Vec3> points) const {
    const std::size_t count = parts_ ? parts_->points.size() : prepared_->query.points().size();
    if (const Status fine = check_frame(points, count, kRigid); !fine) return fine.error();
    if (parts_ || prepared_->rest->parts().count > 1) {
        TriMesh mesh = this->mesh();
        mesh.points.assign(points.begin(), points.end());
        std::optional<TriMesh> united = unite_parts(mesh);
        if (united) {
            return PressRigid(prepare_rigid(std::move(*united)),
                              std::make_shared<const TriMesh>(std::move(mesh)));
        }
        if (parts_) return PressRigid(prepare_rigid(std::move(mesh)));
    }
    auto moved = std::make_shared<PreparedRigid>(*prepared_);
    moved->query.refit(points);
    moved->planes = std::make_shared<RigidPlanes>();
    moved->finer = std::make_shared<FinerRigids>();
    moved->is_at_rest = false;
    return PressRigid(std::move(moved));
}

Vec3 PressRigid::nearest_outside(const Vec3& point) const {
    if (!prepared_->rest->is_closed() || !prepared_->query.is_inside(point)) return point;
    return prepared_->query.closest_point(point).position;
}

TriMesh PressRigid::mesh() const {
    if (parts_) return *parts_;
    const std::span<const Vec3> points = prepared_->query.points();
    return {{points.begin(), points.end()}, prepared_->rest->mesh().triangles};
}

Presser::Presser(std::shared_ptr<const Prepared> prepared) : prepared_(std::move(prepared)) {}

Result<Presser> Presser::make(TriMesh soft_rest, const PressSetup& setup) {
    if (const Status fine = check(setup); !fine) return fine.error();
    if (setup.refine) return Error{"one frame does not refine", "refine", "use press_refined"};
    if (setup.both) return Error{"one soft body is pressed here", "both", "use press_both"};
    if (setup.rigid_region) {
        return Error{"the soft body is made here", "rigid_region",
                     "leave triangles out of the rigid surface, or use press_soft"};
    }
    if (!setup.keys.empty()) {
        return Error{"a press by itself has no time", "keys", "press an animation, or a scene"};
    }
    // What cannot be pressed must not be smoothed.
    if (const Status fine = check_surface(soft_rest, kSoft); !fine) return fine.error();
    if (const Status fine = check_values(setup.maps, soft_rest.points.size()); !fine) {
        return Error{fine.error().what, "maps/" + fine.error().where, fine.error().hint};
    }
    if (setup.maps.region &&
        marked_triangles(soft_rest.triangles, factors_of(setup.maps.region)).empty()) {
        return Error{"no triangle has all its corners in the region", "maps/region",
                     "mark what may be pressed with 1"};
    }
    if (!setup.detail) {
        return Presser(std::make_shared<const Prepared>(std::move(soft_rest), setup));
    }
    PressDetail split = split_detail(soft_rest, setup.detail->rounds);
    if (const Status fine = check_surface(split.base, kSoft); !fine) return fine.error();
    const auto prepared = std::make_shared<Prepared>(split.base, setup);
    prepared->detail = std::make_shared<const Prepared::Detail>(
        Prepared::Detail{std::move(soft_rest), std::move(split)});
    return Presser(prepared);
}

Result<Presser> Presser::with_options(const PressOptions& options) const {
    PressSetup setup = prepared_->setup;
    setup.options = options;
    if (const Status fine = check(setup); !fine) return fine.error();
    const auto changed = std::make_shared<Prepared>(*prepared_);
    changed->setup.options = options;
    changed->set_sizes();
    return Presser(changed);
}

const TriMesh& Presser::rest() const {
    return prepared_->detail ? prepared_->detail->at_rest : prepared_->body->mesh();
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
    if (pose) placed = seen_from(*pose, soft_points);
    const PressSurface on = pose ? PressSurface(*prepared.surface, placed, soft_points, *pose)
                                 : PressSurface(*prepared.surface, soft_points);
    Pressed pressed = unpressed(soft_points);
    pressed.report.stiffness = prepared.stiffness;
    pressed.report.extent = prepared.extent;
    // Where a region was chosen, so was what goes along.
    PressWall wall{prepared.setup.maps.region ? nullptr : prepared.body.get(),
                   kThickness * prepared.by_shape};
    press_placed(on, *rigid.prepared_, prepared.setup.options, prepared.setup.maps, wall, pose,
                 on_stage, pressed);
    if (wall.share > 0) carry_thin(soft_points, wall.share, pressed);
    const double chosen = prepared.setup.options.wall;
    if (chosen > 0 && pressed.report.moved_points > 0) {
        carry_wall(soft_points, prepared.surface->mesh().triangles, chosen, pressed.points);
    }
    return pressed;
}

void Presser::carry_thin(std::span<const Vec3> soft_points, double share, Pressed& pressed) const {
    double most = 0.0;
    for (std::size_t v = 0; v < pressed.zone.size(); ++v) {
        if (pressed.zone[v] < 0) continue;
        most = std::max(most, (pressed.points[v] - soft_points[v]).norm());
    }
    if (!(most > kThroughShare * kThickness * prepared_->by_shape)) return;
    const std::vector<Triangle>& triangles = prepared_->body->mesh().triangles;
    const double before = volume(pressed.points, triangles);
    const std::int32_t carried =
        carry_backs(soft_points, triangles, pressed.zone, share, pressed.points);
    if (carried == 0) return;
    pressed.report.volume_change += volume(pressed.points, triangles) - before;
    pressed.report.notes.push_back(fmt::format(
        "the wall is thinner than it is pressed: {} points behind it went along", carried));
}

void Presser::measure(std::span<const Vec3> soft_points, const PressRigid& rigid,
                      const Transform& rigid_pose, Pressed& pressed) const {
    DUCTILE_ASSERT(pressed.points.size() == soft_points.size(), "a point per point");
    const PreparedRigid& by = *rigid.prepared_;
    const std::vector<Vec3> after = seen_from(rigid_pose, pressed.points);
    const PressResiduals left =
        press_residuals(seen_from(rigid_pose, soft_points), after, rest().triangles, pressed.zone,
                        by.query, by.rest->is_closed());
    pressed.report.left = left;
    const double size = prepared_->body->size();
    PressResiduals of_region = left;
    if (prepared_->setup.maps.region && left.depth_left > PressResidualLimits{}.depth_left * size) {
        of_region.depth_left =
            deepest_inside(after, prepared_->surface->mesh().triangles, by.query);
        if (of_region.depth_left < left.depth_left) {
            pressed.report.notes.push_back(
                fmt::format("the soft body is left up to {:.2g} m inside the rigid one where its "
                            "region leaves it out",
                            left.depth_left));
        }
    }
    for (std::string& note : residual_notes(of_region, size)) {
        pressed.report.notes.push_back(std::move(note));
    }
}

std::vector<MeshEdge> Presser::coarse_edges(std::span<const Vec3> soft_points,
                                            const PressRigid& rigid, const Transform& rigid_pose,
                                            const Pressed& pressed) const {
    const PreparedRigid& by = *rigid.prepared_;
    return edges_to_split(seen_from(rigid_pose, soft_points), seen_from(rigid_pose, pressed.points),
                          rest().triangles, by.query, by.rest->is_closed(),
                          prepared_->body->size());
}

Result<TriMesh> pressing_part(TriMesh rigid, const PressSetup& setup) {
    if (!setup.rigid_region) return rigid;
    const Status fits = check_values(rigid_maps(setup), rigid.points.size());
    if (!fits) return Error{fits.error().what, "rigid_region", fits.error().hint};
    rigid.triangles = marked_triangles(rigid.triangles, factors_of(setup.rigid_region));
    if (!rigid.triangles.empty()) return rigid;
    return Error{"no triangle of the rigid surface has all its corners in the region",
                 "rigid_region", "mark what presses with 1"};
}

Result<Pressed> press_soft(const TriMesh& soft, const TriMesh& rigid, const PressSetup& setup) {
    PressSetup of_soft = setup;
    of_soft.rigid_region.reset();
    const Result<Presser> presser = Presser::make(soft, of_soft);
    if (!presser) return presser.error();
    Result<TriMesh> pressing = pressing_part(rigid, setup);
    if (!pressing) return pressing.error();
    const Result<PressRigid> by = PressRigid::make(std::move(pressing).value());
    if (!by) return by.error();
    return presser.value().press(soft.points, by.value());
}

}  // namespace ductile
