// SPDX-License-Identifier: MIT
#include <ductile/core/field_ranges.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/deform/dent/dent_guard.h>
#include <ductile/deform/dent/dent_stamp.h>
#include <ductile/deform/dent/projectile_map.h>
#include <ductile/geom/query/surface_query.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A round dent reaches a sixth of the smaller body's size: a can's width on a can, a hand's on a
// barrel.
constexpr double kRadiusPerSize = 1.0 / 6.0;
// A Gaussian of depth radius / 2 is steepest at 42 degrees: a hard dent, not yet a hole.
constexpr double kDepthPerRadius = 0.5;
// Beyond this share of its smallest extent a body would look emptied. (A plate has next to no
// extent that way, but one hit's depth is always allowed.)
constexpr double kTotalPerExtent = 0.35;

// What is shallower than this share of an edge cannot be seen.
constexpr double kThresholdPerEdge = 0.01;

// Where the surface is pressed in: all of the footprint but what lies on parts that keep their
// form.
std::vector<Vec3> starts_that_yield(const BodyShape& shape, const SurfaceQuery& surface,
                                    const BodyImpact& impact) {
    std::vector<Vec3> starts = impact.starts_b;
    if (starts.size() <= 1) starts = {impact.point_b};
    if (shape.rigid_points.empty()) return starts;
    std::erase_if(starts, [&](const Vec3& p) {
        const SurfacePoint at = surface.closest_point(p);
        if (at.triangle < 0) return false;
        int corner = 0;
        at.barycentric.maxCoeff(&corner);
        const Triangle& corners = surface.triangles()[at.triangle];
        return shape.asset->is_rigid[corners[static_cast<std::size_t>(corner)]] != 0;
    });
    return starts;
}

// What is new in a map against an earlier, shallower one of the same impact.
DentMap growth(const ProjectileMap& now, const ProjectileMap& before, const Vec3& side,
               const Vec3& across) {
    DentMap map = now.map;
    const Vec3 apart = now.middle_b - before.middle_b;
    const double x = apart.dot(side), y = apart.dot(across);
    for (std::int32_t j = 0; j < map.rows; ++j) {
        for (std::int32_t i = 0; i < map.columns; ++i) {
            double& z = map.depths[static_cast<std::size_t>(j * map.columns + i)];
            z = std::max(0.0, z - before.map.depth(map.x(i) + x, map.y(j) + y));
        }
    }
    return map;
}

// Whether journals can hold dents of the size that the options ask for, where they ask for one.
Status check_size(const DentOptions& options, const DentStamp& stamp) {
    const double radius = options.radius > 0 ? options.radius : stamp.radius;
    if (!(radius > 0)) return {};
    const Status fine = check_range(length_field("radius", "how far a dent reaches"), radius);
    if (fine) return {};
    return Error{fine.error().what, options.radius > 0 ? "/radius" : "/shape/table",
                 fine.error().hint};
}

class DentDeformer final : public Deformer {
public:
    DentDeformer(const DentOptions& options, DentStamp stamp)
        : options_(options), stamp_(std::move(stamp)) {}

    std::string_view name() const override { return "dent"; }

    double yield_speed(const BodyShape& shape) const override { return shape.material.yield_speed; }

    void respond(const BodyImpact& impact, const StruckBody& body,
                 Response& response) const override {
        const BodyShape& shape = body.shape;
        const SurfaceQuery& surface = body.surface;
        const std::vector<Vec3> starts = starts_that_yield(shape, surface, impact);
        if (starts.empty()) return;
        const double reach = reference_radius(impact, shape);
        const double limit =
            options_.depth_limit > 0 ? options_.depth_limit : kDepthPerRadius * reach;
        DentHit hit;
        hit.direction_b = -impact.normal_b;
        set_slant(impact, hit);
        const Distances way = distances(impact, shape, reach, limit, hit.slant_deg);
        if (!(way.now > way.before)) return;
        hit.depth = way.now - way.before;
        hit.attenuation = options_.attenuation;
        hit.widening = options_.widening;
        hit.total_limit = options_.total_limit > 0
                              ? options_.total_limit
                              : std::max(kTotalPerExtent * shape.smallest_extent, limit);
        const bool has_map = options_.shape.source == DentSource::Projectile &&
                             take_projectile(impact, shape, surface, starts, way, hit);
        if (!has_map) take_stamp(impact, starts, reach, hit);
        hit.fade = options_.fade;
        // A flat map would carry along everything behind it up to its width: fade sooner.
        if (has_map && !(hit.fade > 0)) {
            hit.fade =
                std::max(safe_fade(hit.attenuation, hit.depth), std::sqrt(hit.depth * reach));
        }
        hit.lean = foldless_lean(hit);
        guard_dent(hit, surface, shape.rest());
        if (options_.rim > 0) fit_rim(hit, options_.rim, surface, shape.rest());
        set_aftermath(impact, shape, hit, response);
        response.records.push_back(std::move(hit));
    }

private:
    /// How far the other body comes in along its way [m].
    struct Distances {
        double now = 0.0;
        double before = 0.0;  ///< In the steps before this one.
    };
    Distances distances(const BodyImpact& impact, const BodyShape& shape, double reach,
                        double limit, double slant_deg) const {
        // What falls on rigid parts is a share of the impact, too; it leaves no mark. Both bodies
        // count alike, or equal ones would come out unequal.
        const double spread = std::sqrt(std::max(footprint_count(impact.starts_b, reach),
                                                 footprint_count(impact.other_starts, reach)));
        const double threshold = kThresholdPerEdge * shape.edge;
        const double cosine = std::cos(slant_deg * (kPi / 180.0));
        const auto distance = [&](double impulse) {
            const double depth =
                dent_depth(shape.material, impulse, impact.restitution, impact.effective_mass) /
                spread;
            if (depth < threshold) return 0.0;
            // The way in is longer on a slant; what a hit moves at most is not.
            return std::min(std::min(limit, depth) / cosine, limit);
        };
        return {distance(impact.damage_impulse), distance(impact.previous_damage_impulse)};
    }

    /// What becomes of the body that struck.
    void set_aftermath(const BodyImpact& impact, const BodyShape& shape, const DentHit& hit,
                       Response& response) const {
        response.duration = options_.duration;
        if (options_.after == AfterDent::Leave) return;
        response.requests.push_back(LowerRebound{rebound(shape.material, impact)});
        // What is pressed in slowly is followed by what presses, not led.
        if (options_.after != AfterDent::Move || options_.duration > 0) return;
        const double slant = hit.slant_deg * (kPi / 180.0);
        response.requests.push_back(MoveOther{
            hit.depth * (std::cos(slant) * hit.direction_b - std::sin(slant) * hit.from_b)});
    }

    double reference_radius(const BodyImpact& impact, const BodyShape& shape) const {
        if (options_.radius > 0) return options_.radius;
        if (stamp_.radius > 0 && options_.shape.source != DentSource::Projectile) {
            return stamp_.radius;
        }
        return kRadiusPerSize * std::min(shape.size, impact.other_size);
    }

    // From which side, and how far from the normal, the other body came.
    static void set_slant(const BodyImpact& impact, DentHit& hit) {
        const double in = impact.velocity_b.dot(hit.direction_b);
        const Vec3 sideways = impact.velocity_b - in * hit.direction_b;
        // Head-on the map lies along the body's own axes: turned bodies have turned dents.
        hit.from_b = any_perpendicular(hit.direction_b);
        if (!(in > 0) || !(sideways.norm() > 1e-6 * in)) return;
        hit.from_b = -sideways.normalized();
        hit.from_b = (hit.from_b - hit.from_b.dot(hit.direction_b) * hit.direction_b).normalized();
        // The normal part of a flatter impact, which makes the dent, is next to nothing.
        const double cosine = std::max(kLeastDentCosine, in / impact.velocity_b.norm());
        hit.slant_deg = std::acos(std::min(1.0, cosine)) * (180.0 / kPi);
    }

    // Round, or as the picture, table or formula says, at every place that touches.
    void take_stamp(const BodyImpact& impact, const std::vector<Vec3>& starts, double reach,
                    DentHit& hit) const {
        hit.radius = reach;
        hit.profile = stamp_.profile;
        hit.map = stamp_.map;
        hit.position_b = starts.size() > 1 ? impact.point_b : starts[0];
        if (starts.size() > 1) {
            for (const Vec3& start : starts) hit.starts.push_back({start});
        }
    }

    // In the shape of what struck. False: it is not known, or does not come this way.
    bool take_projectile(const BodyImpact& impact, const BodyShape& shape,
                         const SurfaceQuery& surface, const std::vector<Vec3>& starts,
                         const Distances& way, DentHit& hit) const {
        if (!impact.other_surface || !(impact.other_edge > 0)) return false;
        ProjectilePress press;
        press.surface = impact.other_surface;
        press.to_body = impact.other_to_body;
        press.direction_b = hit.direction_b;
        press.from_b = hit.from_b;
        press.slant = hit.slant_deg * (kPi / 180.0);
        press.places_b = starts;
        press.box_b = surface.box();
        press.distance = way.now;
        press.smoothing = options_.smoothing.value_or(shape.material.smoothing);
        press.edge = shape.edge;
        press.other_edge = impact.other_edge;
        press.grid = options_.grid;
        std::optional<ProjectileMap> map = projectile_map(press);
        if (!map) return false;
        if (way.before > 0) {
            press.distance = way.before;
            if (const std::optional<ProjectileMap> earlier = projectile_map(press)) {
                const Vec3 side = std::cos(press.slant) * press.from_b;
                map->map = growth(*map, *earlier, side, hit.direction_b.cross(hit.from_b));
            }
        }
        hit.depth = map->map.deepest();
        if (!(hit.depth > 0)) return false;
        hit.map = grid_of(map->map);
        hit.radius = grid_radius(*hit.map, map->map.cell);
        hit.position_b = map->middle_b;
        return true;
    }

    // The elastic part of the approach: all of it at yield, less and less beyond.
    static double rebound(const Material& material, const BodyImpact& impact) {
        const double speed =
            impact.damage_impulse / ((1.0 + impact.restitution) * impact.effective_mass);
        return std::min(1.0, material.yield_speed / speed);
    }

    DentOptions options_;
    DentStamp stamp_;
};

}  // namespace

double dent_depth(const Material& material, double damage_impulse, double restitution,
                  double effective_mass) {
    if (!(effective_mass > 0)) return 0.0;
    const double speed = damage_impulse / ((1.0 + restitution) * effective_mass);
    if (!(speed > material.yield_speed)) return 0.0;
    return material.dent_depth_per_speed * (speed - material.yield_speed) *
           std::sqrt(effective_mass);
}

std::shared_ptr<const Deformer> make_dent_deformer(const DentOptions& options, DentStamp stamp) {
    return std::make_shared<DentDeformer>(options, std::move(stamp));
}

Result<std::shared_ptr<const Deformer>> make_layer(const DentOptions& options,
                                                   const LayerFiles& files) {
    Result<DentStamp> stamp = make_stamp(options.shape, files);
    if (!stamp) {
        return Error{stamp.error().what, "/shape" + stamp.error().where, stamp.error().hint};
    }
    if (Status fine = check_size(options, stamp.value()); !fine) return fine.error();
    return make_dent_deformer(options, std::move(stamp).value());
}

}  // namespace ductile
