// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent_stamp.h>
#include <ductile/deform/dent/projectile_map.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/directed_hit.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// What lies this near behind the foremost point of a projectile comes first with it [share].
constexpr double kForemostShare = 1e-6;
constexpr std::size_t kMostTouching = 16;

// A projectile where it touches, and the points that touch.
struct Brought {
    Transform pose;
    std::vector<Vec3> touching;
};

// Moves a projectile so that the middle of its foremost points along `way` comes to `place`.
Brought brought_to(const Transform& pose, std::span<const Vec3> points, const Vec3& way,
                   const Vec3& place) {
    double foremost = -kInfinity;
    for (const Vec3& p : points) foremost = std::max(foremost, pose.direction(p).dot(way));
    const double near = foremost - kForemostShare * bounds(points).diagonal();
    Brought out;
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : points) {
        const Vec3 turned = pose.direction(p);
        if (turned.dot(way) < near) continue;
        sum += turned;
        out.touching.push_back(turned);
    }
    out.pose = {pose.rotation, place - sum / static_cast<double>(out.touching.size())};
    for (Vec3& p : out.touching) p += out.pose.translation;
    // A few will do to find it by.
    const std::size_t stride = out.touching.size() / kMostTouching + 1;
    for (std::size_t i = 0; i * stride < out.touching.size(); ++i) {
        out.touching[i] = out.touching[i * stride];
    }
    out.touching.resize((out.touching.size() + stride - 1) / stride);
    return out;
}

// Whether `name` is the body's, or that of one of its copies ("barrel-3").
bool is_named(const SceneBody& body, std::string_view name) {
    if (!name.starts_with(body.name)) return false;
    name.remove_prefix(body.name.size());
    return name.empty() || (name.size() > 1 && name[0] == '-' &&
                            name.find_first_not_of("0123456789", 1) == name.npos);
}

Result<DentHit> projectile_dent(const Scene& scene, const SceneHit& hit, const DentHit& dent,
                                std::span<const PreparedBody> bodies) {
    const auto named = [&](const std::string& name) {
        return std::find_if(bodies.begin(), bodies.end(),
                            [&](const PreparedBody& b) { return b.name == name; });
    };
    const auto target = named(hit.body), other = named(hit.shape->projectile);
    if (other == bodies.end()) {
        return Error{"no body of that name is there to be pressed in", "/shape/projectile", ""};
    }
    if (target == bodies.end() || !target->shape()) {
        return Error{"a body of that name that deforms is not there", "/body", ""};
    }
    if (!(dent.depth > 0)) {
        return Error{"a depth of 0 presses nothing in", "/dent/depth", "give one above 0"};
    }
    const auto body = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                   [&](const SceneBody& b) { return is_named(b, hit.body); });
    const double slant = std::min(dent.slant_deg * (kPi / 180.0), std::acos(kLeastDentCosine));
    DentHit out = dent;
    if (out.from_b.isZero()) out.from_b = any_perpendicular(out.direction_b);
    const Vec3 way = std::cos(slant) * out.direction_b - std::sin(slant) * out.from_b;
    const std::span<const Vec3> points = other->asset()->surface.points;
    const SurfaceQuery surface(points, other->asset()->surface.triangles);
    ProjectilePress press;
    press.surface = &surface;
    const Brought brought = brought_to(target->placement.pose_w.inverse() * other->placement.pose_w,
                                       points, way, dent.position_b);
    press.to_body = brought.pose;
    press.direction_b = out.direction_b;
    press.from_b = out.from_b;
    press.slant = slant;
    press.places_b = brought.touching;
    press.box_b = target->shape()->box;
    press.distance = dent.depth;
    press.edge = target->shape()->edge;
    press.other_edge = mean_edge_length(points, surface.triangles());
    if (body != scene.bodies.end() && body->layers.dent) {
        press.smoothing = body->layers.dent->smoothing;
        press.grid = body->layers.dent->grid;
    }
    const std::optional<ProjectileMap> map = projectile_map(press);
    if (!map) return Error{"nothing of it comes to that place", "/shape/projectile", ""};
    out.map = grid_of(map->map);
    out.radius = grid_radius(*out.map, map->map.cell);
    out.position_b = map->middle_b;
    return out;
}

// From here on (the cosine to straight up or down) a wall is a floor or ceiling, which has no
// upright.
constexpr double kLevel = 0.9;

// What is to the right on a wall for whoever looks along `direction`, so that a picture stands
// upright there; on a floor or ceiling as near to x as can be.
Vec3 right_hand_side(const Vec3& direction) {
    if (std::abs(direction.y()) < kLevel) return direction.cross(Vec3::UnitY()).normalized();
    return (Vec3::UnitX() - direction.x() * direction).normalized();
}

// A dent in the shape that the hit names.
Result<DentHit> shaped_dent(const Scene& scene, const SceneHit& hit, DentHit dent,
                            std::span<const PreparedBody> bodies) {
    if (hit.shape->source == DentSource::Projectile) {
        if (hit.space == HitSpace::World) {
            return Error{"a projectile is pressed in as it stands to the body at the start",
                         "/space", "leave it out, and place the dent in the body's own frame"};
        }
        return projectile_dent(scene, hit, dent, bodies);
    }
    const Result<DentStamp> stamp = make_stamp(*hit.shape, scene_layer_files(scene));
    if (!stamp) {
        return Error{stamp.error().what, "/shape" + stamp.error().where, stamp.error().hint};
    }
    dent.profile = stamp.value().profile;
    dent.map = stamp.value().map;
    if (dent.map && dent.from_b.isZero()) dent.from_b = right_hand_side(dent.direction_b);
    if (stamp.value().radius > 0) dent.radius = stamp.value().radius;
    return dent;
}

Status check_at_kind(HitRecord& record) {
    const Status fine = check_record(record);
    if (fine) return {};
    const std::string kind(record_name(record));
    return Error{fine.error().what, "/" + kind + fine.error().where, fine.error().hint};
}

}  // namespace

Result<HitRecord> directed_record(const Scene& scene, const SceneHit& hit,
                                  std::span<const PreparedBody> bodies) {
    std::optional<HitRecord> record = hit.record.record();
    if (!record) {
        return Error{"a hit needs exactly one record", "", "one of: " + RecordFields::kind_names()};
    }
    const auto body = std::find_if(bodies.begin(), bodies.end(),
                                   [&](const PreparedBody& b) { return b.name == hit.body; });
    if (hit.space == HitSpace::Body && body != bodies.end()) {
        move_record(*record, {Quat::Identity(), body->middle_b});
    }
    if (Status fine = check_at_kind(*record); !fine) return fine.error();
    if (!hit.shape) return std::move(*record);
    if (!std::holds_alternative<DentHit>(*record)) {
        return Error{"only a dent has a shape", "/shape", "leave it out"};
    }
    Result<DentHit> dent = shaped_dent(scene, hit, std::get<DentHit>(*record), bodies);
    if (!dent) return dent.error();
    // A shape may bring a size of its own.
    record = std::move(dent).value();
    if (Status fine = check_at_kind(*record); !fine) return fine.error();
    return std::move(*record);
}

}  // namespace ductile
