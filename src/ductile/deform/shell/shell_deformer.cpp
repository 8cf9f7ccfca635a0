// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/sheet_supports.h>
#include <ductile/deform/shell/shell_deformer.h>
#include <ductile/deform/shell/shell_law.h>
#include <ductile/deform/shell/shell_rig.h>
#include <ductile/deform/shell/shell_solve.h>
#include <ductile/geom/cut/point_shares.h>
#include <ductile/geom/query/surface_query.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// Slower impacts leave nothing to see [m/s].
constexpr double kSlowestCrush = 0.5;
// A sheet reaches this share of a body's size where it is only compared with another body.
constexpr double kSpanPerBody = 0.15;
// Deepest push, as a share of the body's extent along the impact; of a flat sheet, of its size.
constexpr double kDepthPerLength = 0.45, kDepthPerSheet = 0.15;
// What lies this far behind the front of a striker, as a share of the body's size, is not before
// it.
constexpr double kBehind = 0.02;
// Less than this share of the body's size is no push.
constexpr double kLeastCrush = 1e-7;
// A place with less of a triangle's corner than this lies on the edge across from it.
constexpr double kLeastShare = 1e-6;

/// An impact that is to be pressed in.
struct Crush {
    std::size_t impact = 0;  ///< Which.
    CrushDepth now, before;  ///< In all, and in the steps before this one.
};

double extent_along(const Box& box, const Vec3& direction) {
    return (box.upper - box.lower).cwiseAbs().dot(direction.cwiseAbs());
}

class ShellDeformer final : public Deformer {
public:
    explicit ShellDeformer(const ShellOptions& options) : options_(options) {}

    std::string_view name() const override { return "shell"; }

    Result<std::shared_ptr<const LayerData>> prepare(const BodyShape& rest) const override {
        if (!(rest.options.thickness > 0)) {
            return Error{"the layer `shell` is for sheets, and this body is solid", "",
                         "give it a thickness"};
        }
        Result<ShellRig> rig =
            make_shell_rig({rest.rest(), rest.triangles(), rest.asset->is_rigid}, options_);
        if (!rig) return rig.error();
        const SheetSupports supports = sheet_supports(rest.rest(), rest.triangles(), rest.size);
        rig.value().support_distance = supports.distance;
        return std::shared_ptr<const LayerData>(
            std::make_shared<const ShellRig>(std::move(rig).value()));
    }

    std::shared_ptr<const LayerData> carry(const LayerData& base, const BodyShape& finer,
                                           std::span<const MeshEdge> split) const override {
        const auto* rig = dynamic_cast<const ShellRig*>(&base);
        if (!rig) return nullptr;
        return std::make_shared<const ShellRig>(
            refined_rig(*rig, split, finer.rest(), finer.triangles()));
    }

    Result<std::shared_ptr<const LayerData>> part_data(const LayerData* whole,
                                                       const BodyShape& part,
                                                       const PartOrigin& origin) const override {
        const auto& rig = dynamic_cast<const ShellRig&>(*whole);
        return std::shared_ptr<const LayerData>(std::make_shared<const ShellRig>(
            part_rig(rig, origin.shares(), part.rest(), part.triangles())));
    }

    double yield_speed(const BodyShape&) const override { return kSlowestCrush; }

    YieldCurve yield_curve(const BodyShape& shape, const YieldQuery& query) const override {
        const auto* rig = shape.data<ShellRig>();
        if ((rig && rig->is_kept) || !(query.energy > 0) || !(query.radius > 0)) return {};
        const double hardness = shape.material.hardness();
        return sheet_yield_curve(sheet_of(shape, kSpanPerBody * shape.size), hardness,
                                 print_share(hardness, query.other_hardness), query.radius,
                                 query.energy);
    }

    // The large form first, then dents in it.
    int priority() const override { return 1; }
    double wanted_share(const BodyImpact&, const StruckBody& body) const override {
        return dynamic_cast<const ShellRig&>(*body.data).is_kept ? 0.0 : options_.share;
    }

    void respond(const BodyImpact& impact, const StruckBody& body,
                 Response& response) const override {
        respond_all(std::span(&impact, 1), body, std::span(&response, 1));
    }

    // All at once: where impacts overlap, the surface goes as deep as the deepest, not their sum.
    void respond_all(std::span<const BodyImpact> impacts, const StruckBody& body,
                     std::span<Response> responses) const override {
        const auto& rig = dynamic_cast<const ShellRig&>(*body.data);
        if (rig.is_kept) return;
        std::vector<ShellLoad> loads;
        std::vector<Crush> crushes;
        for (std::size_t i = 0; i < impacts.size(); ++i)
            add_load(impacts[i], i, body, loads, crushes);
        if (loads.empty()) return;
        const ShellState state{body.surface.points(), body.shape.rest()};
        const ShellSolution solved = solve_shell(rig, state, loads, options_);
        write(impacts, rig, loads, crushes, solved, responses);
    }

private:
    SheetStrength sheet_of(const BodyShape& shape, double span) const {
        const Material& m = shape.material;
        return {m.yield_stress, m.youngs_modulus,  m.poissons_ratio, shape.options.thickness,
                span,           SheetEdge::Clamped};
    }

    double depth_limit(const BodyShape& shape, const Vec3& direction) const {
        if (options_.depth_limit > 0) return options_.depth_limit;
        return std::max(kDepthPerLength * extent_along(shape.box, direction),
                        kDepthPerSheet * shape.size);
    }

    // What there is for crumpling: what the rebound gives back is not.
    static double energy_of(const BodyImpact& impact, double impulse) {
        const double e = impact.restitution;
        return impact.own_share * (1.0 - e * e) * impulse_energy(impulse, e, impact.effective_mass);
    }

    void add_load(const BodyImpact& impact, std::size_t index, const StruckBody& body,
                  std::vector<ShellLoad>& loads, std::vector<Crush>& crushes) const {
        const BodyShape& shape = body.shape;
        const auto& rig = dynamic_cast<const ShellRig&>(*body.data);
        const Vec3 direction = push_direction(impact, options_.friction);
        StrikerMap striker(impact, direction, body.surface.box(), shape.size);
        if (!striker.touch(body.surface.points(), kBehind * shape.size)) return;
        const std::vector<SweptPlace> places = swept_places(striker, body);
        const CrushStrength strength = strength_at(impact.point_b, body, rig);
        const double limit = depth_limit(shape, direction) / impact.exaggerate;
        Crush crush{index,
                    crush_depth(places, strength, energy_of(impact, impact.damage_impulse), limit),
                    crush_depth(places, strength, energy_of(impact, impact.previous_damage_impulse),
                                limit)};
        const double depth = impact.exaggerate * (crush.now.depth - crush.before.depth);
        if (!(depth > kLeastCrush * shape.size)) return;
        loads.push_back({std::move(striker), depth, places_struck(impact, body)});
        crushes.push_back(crush);
    }

    std::vector<SweptPlace> swept_places(const StrikerMap& striker, const StruckBody& body) const {
        const auto& rig = dynamic_cast<const ShellRig&>(*body.data);
        std::vector<SweptPlace> places;
        const std::span<const Vec3> points = body.surface.points();
        for (std::size_t v = 0; v < points.size(); ++v) {
            const double gap = striker.gap(points[v]);
            if (!std::isfinite(gap) || gap < 0) continue;
            const double cosine = body.shape.normals[v].dot(striker.direction());
            const double along = std::max(0.0, 1.0 - cosine * cosine);
            places.push_back({gap, std::abs(std::min(0.0, cosine)) * rig.point_area[v],
                              along * rig.point_area[v]});
        }
        return places;
    }

    CrushStrength strength_at(const Vec3& place, const StruckBody& body,
                              const ShellRig& rig) const {
        const BodyShape& shape = body.shape;
        double span = 0.5 * shape.size;
        const SurfacePoint at = body.surface.closest_point(place);
        if (at.triangle >= 0) {
            const Triangle& corners = shape.triangles()[std::size_t(at.triangle)];
            double distance = 0.0;
            for (int k = 0; k < 3; ++k) {
                const double of_corner = rig.support_distance[std::size_t(corners[k])];
                distance += at.barycentric[k] * std::min(span, of_corner);
            }
            span = distance;
        }
        span = std::max({span, rig.shell_size, 10.0 * shape.options.thickness});
        return {sheet_of(shape, span), std::max(0.5 * shape.smallest_extent, rig.shell_size),
                std::max(shape.edge, 1e-9)};
    }

    // Points next to the places that touch, so that a striker between samples is felt. What lies on
    // an edge or a corner is its ends' alone: which triangle it is named by, last digits decide.
    static std::vector<std::int32_t> places_struck(const BodyImpact& impact,
                                                   const StruckBody& body) {
        std::vector<Vec3> starts = impact.starts_b;
        starts.push_back(impact.point_b);
        std::vector<std::int32_t> places;
        for (const Vec3& p : starts) {
            const SurfacePoint at = body.surface.closest_point(p);
            if (at.triangle < 0) continue;
            const Triangle& corners = body.shape.triangles()[std::size_t(at.triangle)];
            for (int k = 0; k < 3; ++k) {
                if (at.barycentric[k] > kLeastShare) places.push_back(corners[k]);
            }
        }
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        return places;
    }

    // One record for all impacts of the step, at the strongest; every striker goes into its own
    // room.
    void write(std::span<const BodyImpact> impacts, const ShellRig& rig,
               std::span<const ShellLoad> loads, std::span<const Crush> crushes,
               const ShellSolution& solved, std::span<Response> responses) const {
        ShellHit hit;
        for (std::size_t c = 0; c < solved.shift.size(); ++c) {
            if (solved.shift[c].isZero(0.0)) continue;
            hit.moves.push_back({rig.control_rest[c], solved.shift[c]});
        }
        if (hit.moves.empty()) return;
        std::size_t strongest = 0;
        for (std::size_t k = 0; k < loads.size(); ++k) {
            if (crushes[k].now.work > crushes[strongest].now.work) strongest = k;
            const BodyImpact& impact = impacts[crushes[k].impact];
            Response& response = responses[crushes[k].impact];
            response.work = std::max(0.0, crushes[k].now.work - crushes[k].before.work);
            response.is_limited = crushes[k].now.is_limited || solved.refused > 0;
            const double way = solved.depth[k] * -loads[k].striker.direction().dot(impact.normal_b);
            if (way > 0) response.requests.push_back(FollowShape{way});
        }
        hit.position_b = impacts[crushes[strongest].impact].point_b;
        hit.depth = solved.depth[strongest];
        responses[crushes[strongest].impact].records.push_back(std::move(hit));
    }

    ShellOptions options_;
};

}  // namespace

std::shared_ptr<const Deformer> make_shell_deformer(const ShellOptions& options) {
    return std::make_shared<ShellDeformer>(options);
}

Result<std::shared_ptr<const Deformer>> make_layer(const ShellOptions& options, const LayerFiles&) {
    return make_shell_deformer(options);
}

}  // namespace ductile
