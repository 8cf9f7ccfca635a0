// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/height_map.h>
#include <ductile/deform/dent/projectile_map.h>
#include <ductile/io/heights/read_heights.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/dent_stamp.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Samples along the side of a table's or a formula's map.
constexpr std::int32_t kSide = 105;
// What lies this near behind the foremost point of a projectile comes first with it [share].
constexpr double kForemostShare = 1e-6;
constexpr std::size_t kMostTouching = 16;

static_assert(HeightLimits{}.side == kDentMapSide, "a picture that can be read fits a map");

DentStamp stamp_of(const DentMap& map) {
    DentStamp stamp;
    stamp.map = grid_of(map);
    stamp.radius = grid_radius(*stamp.map, map.cell);
    return stamp;
}

Error at(const char* field, const Error& error) {
    return {error.where.empty() ? error.what : error.where + ": " + error.what, field, error.hint};
}

Result<DentStamp> table_stamp(const std::vector<DentTableRow>& table) {
    std::vector<std::pair<double, double>> rows;
    for (const DentTableRow& row : table) rows.emplace_back(row.distance, row.depth);
    const Result<DentMap> map = table_map(kSide, rows);
    if (!map) return at("/table", map.error());
    if (!(map.value().deepest() > 0.0)) return Error{"no depth is above 0", "/table", ""};
    return stamp_of(map.value());
}

Result<DentStamp> picture_stamp(const Scene& scene, const std::string& name) {
    if (name.empty()) {
        return Error{"names no picture", "/picture", "a PNG or PFM file, white where it is deep"};
    }
    const Result<std::filesystem::path> path = find_scene_file(scene, name);
    if (!path) return at("/picture", path.error());
    const Result<HeightPicture> picture = read_heights(path.value());
    if (!picture) return at("/picture", picture.error());
    const HeightPicture& p = picture.value();
    const Result<DentMap> map = heights_map(p.columns, p.rows, p.heights, 1.0, 1.0);
    if (!map) return at("/picture", map.error());
    DentStamp stamp = stamp_of(map.value());
    stamp.radius = 0.0;  // a picture has no size of its own
    return stamp;
}

Result<DentStamp> formula_stamp(const std::string& text) {
    const Result<Expression> formula = parse_expression(text, kDentVariables);
    if (!formula) return at("/formula", formula.error());
    const Result<DentMap> map = formula_map(formula.value(), kSide, 1.0, 1.0);
    if (!map) return at("/formula", map.error());
    DentStamp stamp = stamp_of(map.value());
    stamp.radius = 0.0;
    return stamp;
}

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
    if (target == bodies.end() || !target->shape) {
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
    const std::span<const Vec3> points = other->asset->surface.points;
    const SurfaceQuery surface(points, other->asset->surface.triangles);
    ProjectilePress press;
    press.surface = &surface;
    const Brought brought = brought_to(target->desc.pose_w.inverse() * other->desc.pose_w, points,
                                       way, dent.position_b);
    press.to_body = brought.pose;
    press.direction_b = out.direction_b;
    press.from_b = out.from_b;
    press.slant = slant;
    press.places_b = brought.touching;
    press.box_b = target->shape->box;
    press.distance = dent.depth;
    press.smoothing = target->shape->material.smoothing;
    press.edge = target->shape->edge;
    press.other_edge = mean_edge(points, surface.triangles());
    if (body != scene.bodies.end() && body->layers.dent) {
        press.smoothing = body->layers.dent->smoothing.value_or(press.smoothing);
        press.grid = body->layers.dent->grid;
    }
    const std::optional<ProjectileMap> map = projectile_map(press);
    if (!map) return Error{"nothing of it comes to that place", "/shape/projectile", ""};
    out.map = grid_of(map->map);
    out.radius = grid_radius(*out.map, map->map.cell);
    out.position_b = map->middle_b;
    return out;
}

}  // namespace

Result<DentStamp> make_stamp(const Scene& scene, const DentShapeOptions& shape) {
    switch (shape.source) {
        case DentSource::Table:
            return table_stamp(shape.table);
        case DentSource::Picture:
            return picture_stamp(scene, shape.picture);
        case DentSource::Formula:
            return formula_stamp(shape.formula);
        case DentSource::Cosine:
            return DentStamp{DentProfile::Cosine, std::nullopt, 0.0};
        case DentSource::Cap:
            return DentStamp{DentProfile::Cap, std::nullopt, 0.0};
        case DentSource::Projectile:
        case DentSource::Gaussian:
            break;
    }
    return DentStamp{};
}

Result<DentHit> directed_dent(const Scene& scene, const SceneHit& hit,
                              std::span<const PreparedBody> bodies) {
    DentHit dent = *hit.dent;
    if (Status fine = check_dent(dent); !fine) return at("/dent", fine.error());
    if (!hit.shape) return dent;
    if (hit.shape->source == DentSource::Projectile) {
        return projectile_dent(scene, hit, dent, bodies);
    }
    const Result<DentStamp> stamp = make_stamp(scene, *hit.shape);
    if (!stamp) {
        return Error{stamp.error().what, "/shape" + stamp.error().where, stamp.error().hint};
    }
    dent.profile = stamp.value().profile;
    dent.map = stamp.value().map;
    if (stamp.value().radius > 0) dent.radius = stamp.value().radius;
    return dent;
}

}  // namespace ductile
