// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/deform/dent/dent_guard.h>
#include <ductile/deform/dent/dent_hollow.h>
#include <ductile/deform/dent/dent_law.h>
#include <ductile/deform/dent/dent_refine.h>
#include <ductile/deform/dent/dent_stamp.h>
#include <ductile/deform/dent/projectile_map.h>
#include <ductile/deform/dent/sheet_supports.h>
#include <ductile/geom/query/surface_query.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A round dent reaches a sixth of the smaller body's size: a can's width on a can, a hand's on a
// barrel.
constexpr double kRadiusPerSize = 1.0 / 6.0;
// Beyond this share of its smallest extent a body would look emptied. A plate has next to no extent
// that way: it may be dented by this share of the radius above.
constexpr double kDepthPerExtent = 0.35, kDepthPerRadius = 0.5;
// Slower impacts leave nothing to see, and bounce as the cards say [m/s].
constexpr double kSlowestImpact = 0.3;
// A sheet reaches this share of a body's size where it is only compared with another body.
constexpr double kSpanPerSize = 0.15;
// The narrowest part of a sheet that bends as one, in thicknesses.
constexpr double kLeastSpan = 10.0;
// What gives of a body at its very folds, as a share of its size.
constexpr double kFoldGives = 0.08;
// How far an arch gives, over the root of its radius times the depth.
constexpr double kArch = 2.5;
// Samples of the picture from which volumes are taken; how often and by how much it is taken
// deeper.
constexpr std::int32_t kCurveGrid = 48, kMostCurves = 8;
// Samples right on an edge of what presses would be in or out by rounding: so many cells off it.
constexpr double kOffEdges = 0.6;
constexpr double kDeeper = 2.0;
// Up to here in the hollow that an impact which grows has made itself, it was flat before.
constexpr double kOwnHollow = 1.05;
constexpr int kHollowHalvings = 20;
// Of a push, what must be left of it by the limit of all hits if that is not to have decided it.
constexpr double kFreeRoom = 0.9;

constexpr double kLeastPush = 1e-12;

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

// The energy of an impact on this body, and what it meets.
struct ImpactLoad {
    double energy = 0.0, energy_before = 0.0;  ///< Now, and in the steps before this one [J].
    ContactStrength contact;
    std::optional<SheetStrength> sheet;
    double hollow = 0.0;  ///< How deep earlier impacts have pressed this place in [m].
};

ContactStrength contact_of(const Material& m) {
    return {m.hardness(), 1.0 / m.contact_compliance(), m.hardening,
            m.youngs_modulus / m.yield_stress};
}

/// How far the other body comes in along its way, and what that leaves.
struct Ways {
    double hollow = 0.0;    ///< How deep the place was before this impact [m].
    DentDepth now, before;  ///< Beyond that; `before` in the steps before this one.
};

class DentDeformer final : public Deformer {
public:
    DentDeformer(const DentOptions& options, DentStamp stamp)
        : options_(options), stamp_(std::move(stamp)) {}

    std::string_view name() const override { return "dent"; }

    Result<std::shared_ptr<const LayerData>> prepare(const BodyShape& rest) const override {
        if (!(rest.options.thickness > 0)) return std::shared_ptr<const LayerData>();
        return std::shared_ptr<const LayerData>(std::make_shared<SheetSupports>(
            sheet_supports(rest.rest(), rest.triangles(), rest.size)));
    }

    std::vector<HitRecord> finer_meshes(const HitRecord& record,
                                        const StruckBody& body) const override {
        const auto* hit = std::get_if<DentHit>(&record);
        return hit ? meshes_under_dent(options_.refine, *hit, body) : std::vector<HitRecord>();
    }

    double yield_speed(const BodyShape&) const override { return kSlowestImpact; }

    YieldCurve yield_curve(const BodyShape& shape, const YieldQuery& query) const override {
        if (!(query.energy > 0) || !(query.radius > 0)) return {};
        const double hardness = shape.material.hardness();
        const double given = print_share(hardness, query.other_hardness);
        if (!(shape.options.thickness > 0)) {
            return solid_yield_curve(hardness, given, query.radius, query.energy);
        }
        return sheet_yield_curve(sheet_of(shape, kSpanPerSize * shape.size), hardness, given,
                                 query.radius, query.energy);
    }

    void respond(const BodyImpact& impact, const StruckBody& body,
                 Response& response) const override {
        const BodyShape& shape = body.shape;
        const SurfaceQuery& surface = body.surface;
        std::vector<Vec3> starts = starts_that_yield(shape, surface, impact);
        if (starts.empty()) return;
        const double reach = reference_radius(impact, shape);
        DentHit hit;
        hit.direction_b = -impact.normal_b;
        set_slant(impact, hit);
        hit.attenuation = options_.attenuation;
        hit.widening = options_.widening;
        const double limit = depth_limit(shape, reach);
        hit.total_limit = options_.total_limit > 0 ? options_.total_limit : limit;
        const double scale = options_.exaggerate * impact.exaggerate;
        const Vec3 middle = lower_to_surface(surface, hit.direction_b, reach, starts);
        const ImpactLoad load = load_of(impact, body, middle, scale);
        // What fits a hollow may touch anywhere in it.
        const auto is_far = [&](const Vec3& p) { return (p - middle).norm() > reach; };
        if (load.hollow > 0 && std::none_of(starts.begin(), starts.end(), is_far))
            starts = {middle};

        bool has_map = options_.shape.source == DentSource::Projectile && impact.other_surface &&
                       impact.other_edge > 0;
        ProjectilePress press;
        std::optional<PressCurve> curve;
        if (has_map) {
            press = projectile(impact, shape, surface, starts, hit);
            curve = curve_of(press, impact, body, load, reach);
            has_map = curve.has_value();
        }
        if (!has_map) curve = PressCurve(stamp_area(reach) * footprints(impact, reach));
        const Ways ways = ways_of(load, *curve, surface, middle, hit);
        set_rebound(impact, ways.now, response);
        const double threshold = kThresholdPerEdge * edge_under_dent(options_.refine, shape, reach);
        if (!(scale * ways.now.depth() > threshold)) return;
        const double cosine = std::cos(hit.slant_deg * (kPi / 180.0));
        const auto distance = [&](const DentDepth& d) {
            // The way in is longer on a slant; what a hit moves at most is not.
            const double way = scale * d.depth() > threshold
                                   ? std::min(std::min(limit, scale * d.depth()) / cosine, limit)
                                   : 0.0;
            return scale * ways.hollow + way;
        };
        const double now = distance(ways.now), before = distance(ways.before);
        const double room = room_left(body, middle, hit);
        response.is_limited = scale * ways.now.depth() > limit || room < kFreeRoom;
        // A limit may leave less than a place can be told by.
        if (!(now - before > kLeastPush * shape.size)) return;
        hit.depth = now - before;
        response.work = std::max(0.0, ways.now.work - ways.before.work);
        if (has_map) {
            press.reached = [&](const Vec3& place_b) {
                return reached_share(surface, place_b, hit);
            };
            hit.fade = fade_of(hit, reach);
            has_map = take_projectile(press, load, ways, {now, before}, hit);
            if (!has_map) return;
        } else {
            take_stamp(impact, starts, reach, hit);
        }
        if (ways.hollow > 0) {
            hit.position_b = lowered_to_surface(surface, hit.position_b, hit.direction_b, reach);
        }
        hit.fade = has_map ? fade_of(hit, reach) : options_.fade;
        hit.lean = foldless_lean(hit);
        guard_dent(hit, surface, shape.rest());
        response.duration = options_.duration;
        follow(hit, body, response);
        response.records.push_back(std::move(hit));
    }

private:
    /// How far the other body comes in along its way, as drawn [m].
    struct Distances {
        double now = 0.0;
        double before = 0.0;  ///< In the steps before this one.
    };

    // A flat map would carry along everything behind it up to its width: it fades sooner.
    double fade_of(const DentHit& hit, double reach) const {
        if (options_.fade > 0) return options_.fade;
        return std::max(safe_fade(hit.attenuation, hit.depth), std::sqrt(hit.depth * reach));
    }

    double depth_limit(const BodyShape& shape, double reach) const {
        if (options_.depth_limit > 0) return options_.depth_limit;
        return std::max(kDepthPerExtent * shape.smallest_extent, kDepthPerRadius * reach);
    }

    SheetStrength sheet_of(const BodyShape& shape, double span) const {
        const Material& m = shape.material;
        return {m.yield_stress, m.youngs_modulus, m.poissons_ratio, shape.options.thickness,
                span,           options_.edge};
    }

    // The energy that falls to this body, and how strong it is where it was struck.
    ImpactLoad load_of(const BodyImpact& impact, const StruckBody& body, const Vec3& place,
                       double scale) const {
        const BodyShape& shape = body.shape;
        ImpactLoad load;
        load.energy =
            impulse_energy(impact.damage_impulse, impact.restitution, impact.effective_mass);
        load.energy_before = impulse_energy(impact.previous_damage_impulse, impact.restitution,
                                            impact.effective_mass);
        load.energy *= impact.own_share;
        load.energy_before *= impact.own_share;
        load.contact = contact_of(shape.material);
        load.contact.modulus =
            1.0 / (shape.material.contact_compliance() + impact.other_compliance);
        const SurfacePoint at = body.surface.closest_point(place);
        if (at.triangle < 0) return load;
        // What cannot be seen is no hollow.
        const double pushed = pushed_in(shape, at, -impact.normal_b);
        const double edge =
            edge_under_dent(options_.refine, shape, reference_radius(impact, shape));
        if (scale > 0 && pushed > kThresholdPerEdge * edge) load.hollow = pushed / scale;
        const auto* supports = dynamic_cast<const SheetSupports*>(body.data);
        if (!supports) return load;
        const std::vector<std::uint8_t>& is_sheet = shape.asset->is_sheet;
        if (!is_sheet.empty() && !is_sheet[static_cast<std::size_t>(at.triangle)]) return load;
        load.sheet = sheet_of(shape, span_at(shape, *supports, at, load.energy));
        return load;
    }

    // How far a sheet gives around a place.
    double span_at(const BodyShape& shape, const SheetSupports& supports, const SurfacePoint& at,
                   double energy) const {
        if (options_.span > 0) return std::max(options_.span, shape.options.thickness);
        const Triangle& corners = shape.triangles()[static_cast<std::size_t>(at.triangle)];
        double distance = 0.0, curvature = 0.0;
        for (int k = 0; k < 3; ++k) {
            const std::int32_t v = corners[static_cast<std::size_t>(k)];
            distance += at.barycentric[k] * std::min(supports.distance[v], 0.5 * shape.size);
            curvature += at.barycentric[k] * supports.curvature[v];
        }
        // Near a fold the fold gives, too.
        const double edge = edge_under_dent(options_.refine, shape, kFoldGives * shape.size);
        const double least =
            std::max({kLeastSpan * shape.options.thickness, edge, kFoldGives * shape.size});
        distance = std::max(distance, least);
        if (!(curvature > 0)) return distance;
        // An arch of radius R that is bent in by w gives over about sqrt(R w) (Pogorelov 1988).
        const SheetStrength flat = sheet_of(shape, distance);
        const double depth = sheet_depth_of(flat, energy);
        const double arch = kArch * std::sqrt((depth + shape.options.thickness) / curvature);
        return std::clamp(arch, least, distance);
    }

    // Of a place that was pressed in by `hollow` before.
    static DentDepth depth_of(const ImpactLoad& load, const PressCurve& curve, double hollow,
                              double energy) {
        if (!(energy > 0)) return {};
        if (!load.sheet) return solid_dent(curve.in_hollow(hollow), load.contact, energy);
        SheetStrength sheet = *load.sheet;
        sheet.bent_in = hollow;
        return sheet_dent(curve, load.contact, sheet, energy);
    }

    // An impact into a hollow that fits goes on where the last one ended.
    static Ways ways_of(const ImpactLoad& load, const PressCurve& curve,
                        const SurfaceQuery& surface, const Vec3& place, const DentHit& hit) {
        Ways ways;
        ways.before = depth_of(load, curve, 0.0, load.energy_before);
        // Of what it made in the steps before this one it knows.
        if (load.hollow > kOwnHollow * ways.before.depth()) {
            const double fit =
                load.sheet
                    ? 1.0
                    : hollow_fit(surface, curve, {place, hit.direction_b, hit.from_b}, load.hollow);
            ways.hollow = hollow_before(load, curve, fit * load.hollow);
            ways.before = depth_of(load, curve, ways.hollow, load.energy_before);
        }
        ways.now = depth_of(load, curve, ways.hollow, load.energy);
        return ways;
    }

    // How deep a place was before this impact, which is `hollow` deep now.
    static double hollow_before(const ImpactLoad& load, const PressCurve& curve, double hollow) {
        if (!(load.energy_before > 0)) return hollow;
        double low = 0.0, high = hollow;
        for (int k = 0; k < kHollowHalvings; ++k) {
            const double middle = 0.5 * (low + high);
            const double depth = depth_of(load, curve, middle, load.energy_before).depth();
            (middle + depth < hollow ? low : high) = middle;
        }
        return low;
    }

    // What comes back is what was stored, not what went into the shape.
    void set_rebound(const BodyImpact& impact, const DentDepth& depth, Response& response) const {
        if (options_.after == AfterDent::Leave || !(impact.restitution > 0)) return;
        const double share = std::min(1.0, depth.restitution / impact.restitution);
        if (share < 1.0) response.requests.push_back(LowerRebound{share});
    }

    // What the limit of all hits leaves of a push there, in [0, 1].
    static double room_left(const StruckBody& body, const Vec3& place, const DentHit& hit) {
        const SurfacePoint at = body.surface.closest_point(place);
        if (at.triangle < 0) return 1.0;
        const double moved = (at.position - rest_place(body.shape, at)).norm();
        return std::max(0.0, 1.0 - moved / hit.total_limit);
    }

    // Who pressed goes as far as the surface gives way where it was struck.
    void follow(const DentHit& hit, const StruckBody& body, Response& response) const {
        if (options_.after != AfterDent::Move) return;
        const double room = room_left(body, hit.position_b, hit);
        const double way = room * hit.depth * std::cos(hit.slant_deg * (kPi / 180.0));
        if (way > 0) response.requests.push_back(FollowShape{way});
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

    // How much ground a stamp covers, as deep as in its middle [m^2].
    double stamp_area(double reach) const {
        DentHit round;
        round.radius = reach;
        round.depth = kDepthPerRadius * reach;
        round.profile = stamp_.profile;
        round.map = stamp_.map;
        const DentPress press(round, 1.0);
        constexpr int kSide = 32;
        double sum = 0.0;
        for (int i = 0; i < kSide; ++i) {
            for (int j = 0; j < kSide; ++j) {
                const double x = reach * (2.0 * (i + 0.5) / kSide - 1.0);
                const double y = reach * (2.0 * (j + 0.5) / kSide - 1.0);
                sum += std::max(0.0, press.share(x, y));
            }
        }
        return sum * (2.0 * reach / kSide) * (2.0 * reach / kSide);
    }

    // How many stamps share the energy. Both bodies count alike, or equal ones would come out
    // unequal.
    static double footprints(const BodyImpact& impact, double reach) {
        return std::max(footprint_count(impact.starts_b, reach),
                        footprint_count(impact.other_starts, reach));
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

    ProjectilePress projectile(const BodyImpact& impact, const BodyShape& shape,
                               const SurfaceQuery& surface, const std::vector<Vec3>& starts,
                               const DentHit& hit) const {
        ProjectilePress press;
        press.surface = impact.other_surface;
        press.to_body = impact.other_to_body;
        press.direction_b = hit.direction_b;
        press.from_b = hit.from_b;
        press.slant = hit.slant_deg * (kPi / 180.0);
        press.places_b = starts;
        press.box_b = surface.box();
        press.edge = edge_under_dent(options_.refine, shape, reference_radius(impact, shape));
        press.other_edge = impact.other_edge;
        press.grid = options_.grid;
        return press;
    }

    // How the striker's volume grows with its depth, as deep as the energy can take it. Nothing: it
    // does not come this way.
    static std::optional<PressCurve> curve_of(ProjectilePress press, const BodyImpact& impact,
                                              const StruckBody& body, const ImpactLoad& load,
                                              double reach) {
        // As deep as a ball of its size would go.
        const double facets = std::max(impact.other_facets, body.shape.facets);
        const double radius = std::max(reach, 1e-9);
        press.grid = std::min(press.grid, kCurveGrid);
        press.is_even = true;
        press.margin = kOffEdges;
        press.edge = press.other_edge = 1e-6 * radius;  // the curve is not for a mesh
        press.distance =
            load.hollow + std::max(PressCurve::trusted_from(facets),
                                   std::sqrt(load.energy / (kPi * radius * load.contact.hardness)));
        for (std::int32_t k = 0; k < kMostCurves; ++k) {
            std::optional<ProjectileMap> map = projectile_map(press);
            if (!map) return std::nullopt;
            lower_by_relief(body.surface, press, *map);
            const PressCurve curve(map->map, press.distance, facets);
            const double work =
                load.contact.hardness * curve.in_hollow(load.hollow).volume(press.distance);
            if (work > load.energy || k + 1 == kMostCurves) return curve;
            press.distance *= kDeeper;
        }
        return std::nullopt;
    }

    // In the shape of what struck. False: nothing is pressed in.
    bool take_projectile(ProjectilePress press, const ImpactLoad& load, const Ways& ways,
                         const Distances& way, DentHit& hit) const {
        press.smoothing = options_.smoothing;
        const auto map_at = [&](double distance, const DentDepth& depth) {
            press.distance = ways.now.flattening * distance;
            if (load.sheet) {
                press.basin =
                    basin_shape(*load.sheet, ways.hollow + depth.basin, ways.now.tip_radius);
            } else {
                // What runs out softly has no rim.
                const double rim = depth.rim > 0 ? depth.rim : ways.now.rim;
                press.rim_height = options_.smoothing > 0 ? 0.0 : options_.rim * rim;
                press.rim_width = options_.rim_width;
                press.rim_volume = options_.rim_volume;
            }
            return projectile_map(press);
        };
        std::optional<ProjectileMap> map = map_at(way.now, ways.now);
        if (!map) return false;
        if (way.before > 0) {
            if (const std::optional<ProjectileMap> earlier = map_at(way.before, ways.before)) {
                const Vec3 side = std::cos(press.slant) * press.from_b;
                map->map = growth(*map, *earlier, side, hit.direction_b.cross(hit.from_b));
            }
        }
        hit.depth = map->map.deepest() / ways.now.flattening;
        if (!(hit.depth > 0)) return false;
        hit.map = grid_of(map->map);
        hit.radius = grid_radius(*hit.map, map->map.cell);
        hit.position_b = map->middle_b;
        return true;
    }

    DentOptions options_;
    DentStamp stamp_;
};

}  // namespace

std::shared_ptr<const Deformer> make_dent_deformer(const DentOptions& options, DentStamp stamp) {
    return std::make_shared<DentDeformer>(options, std::move(stamp));
}

Result<std::shared_ptr<const Deformer>> make_layer(const DentOptions& options,
                                                   const LayerFiles& files) {
    Result<DentStamp> stamp = make_stamp(options.shape, files);
    if (!stamp) {
        return Error{stamp.error().what, "/shape" + stamp.error().where, stamp.error().hint};
    }
    if (Status fine = check_dent_size(options, stamp.value()); !fine) return fine.error();
    return make_dent_deformer(options, std::move(stamp).value());
}

}  // namespace ductile
