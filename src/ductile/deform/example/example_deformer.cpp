// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/example/example_deformer.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/skin/blend_skin.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ductile {
namespace {

// How far an impact reaches where nobody says, share of the body's size: a barrel that lands on its
// rim crumples to its middle, a car that is struck in front keeps its tail.
constexpr double kRadiusPerSize = 0.45;
// An approach at v gives a body at most 2 v (1 + friction) of speed: slower ones need not be looked
// at.
constexpr double kYieldPerSpeed = 0.3;
// Places that touch within this share of the radius count as their mean: how many of them an engine
// names hangs on the step, where they are on the whole does not.
constexpr double kOnePlace = 0.15;
// A fade is over after so many of its times: a thousandth is left.
constexpr double kFadeTimes = 7.0;
constexpr double kEasedTimes = 3.0;

/// Of a change, the rest pose's part included.
double whole_length(const std::vector<double>& change) {
    double rest = 0.0, sum = 0.0;
    for (const double c : change) {
        rest -= c;
        sum += c * c;
    }
    return std::sqrt(sum + rest * rest);
}

// One impact comes to a whole pose at most: more of it would only reach the kernel's edge as a
// step.
void limit_change(std::vector<double>& change) {
    const double length = whole_length(change);
    if (!(length > std::numbers::sqrt2)) return;
    for (double& c : change) c *= std::numbers::sqrt2 / length;
}

// The places that an impact spreads from.
std::vector<Vec3> impact_places(const BodyImpact& impact, double radius) {
    const bool is_one = std::all_of(
        impact.starts_b.begin(), impact.starts_b.end(),
        [&](const Vec3& start) { return (start - impact.point_b).norm() < kOnePlace * radius; });
    return is_one ? std::vector<Vec3>{impact.point_b} : impact.starts_b;
}

/// A struck place as the skin has it.
struct StruckPlace {
    Eigen::Matrix3Xd jacobian;
    ExampleRow row;
    Mat3 linear = Mat3::Zero();
};

/// What is painted where a body was struck.
struct PaintedPlace {
    double yield = 1.0, radius = 1.0;
};

class ExampleDeformer final : public Deformer {
public:
    ExampleDeformer(const ExampleOptions& options, std::shared_ptr<const ExampleRig> rig)
        : options_(options), rig_(std::move(rig)) {}

    std::string_view name() const override { return "example"; }

    Result<std::shared_ptr<const LayerData>> prepare(const BodyShape& rest) const override {
        Result<std::shared_ptr<const ExampleData>> data =
            ExampleData::make(rig_, rest, options_.paint);
        if (!data) return data.error();
        return std::shared_ptr<const LayerData>(std::move(data).value());
    }

    std::shared_ptr<const LayerData> carry(const LayerData& base, const BodyShape& finer,
                                           std::span<const MeshEdge> split) const override {
        auto data = dynamic_cast<const ExampleData&>(base).carried(finer, split, options_.paint);
        return data ? std::move(data).value() : nullptr;
    }

    Result<std::shared_ptr<const LayerData>> part_data(const LayerData* whole,
                                                       const BodyShape& part,
                                                       const PartOrigin& origin) const override {
        auto data = dynamic_cast<const ExampleData&>(*whole).on_part(part, origin, options_.paint);
        if (!data) return data.error();
        return std::shared_ptr<const LayerData>(std::move(data).value());
    }

    double yield_speed(const BodyShape& shape) const override {
        const auto* data = shape.data<ExampleData>();
        const bool is_painted = data && !data->factors().yield.empty();
        const double least = is_painted ? *std::min_element(data->factors().yield.begin(),
                                                            data->factors().yield.end())
                                        : 1.0;
        return kYieldPerSpeed * least * options_.yield_speed;
    }

    // What an impact does to the whole comes before what it does to the skin.
    int priority() const override { return 1; }

    double wanted_share(const BodyImpact&, const StruckBody& body) const override {
        const std::vector<Layer>& layers = body.shape.layers;
        const auto takers = std::count_if(layers.begin(), layers.end(), [](const Layer& layer) {
            return layer.rule && layer.rule->takes_energy();
        });
        return takers > 1 ? options_.share : 1.0;
    }

    void respond(const BodyImpact& impact, const StruckBody& body,
                 Response& response) const override {
        const auto* data = dynamic_cast<const ExampleData*>(body.data);
        if (!data) return;
        const Vec3 impulse = impact.friction_b - impact.normal_b;  // per unit along the normal
        const PaintedPlace painted = painted_place(impact.point_b, body, *data);
        const double length =
            wanted_length(impact, impulse.norm() / body.shape.mass.mass, painted.yield);
        if (!(length > 0)) return;
        const double radius = painted.radius * radius_of(body.shape);
        const std::vector<Vec3> places = impact_places(impact, radius);
        const StruckPlace place = struck_place(places, body, *data);
        ExampleWish wish;
        wish.move = length * (nearest_rotation(place.linear) * impulse.normalized());
        wish.mapping = options_.mapping;
        wish.softness = options_.softness;
        wish.size = body.shape.size;
        std::vector<double> change = example_step(place.jacobian, place.row, wish);
        limit_change(change);
        if (std::all_of(change.begin(), change.end(), [](double c) { return c == 0.0; })) return;
        ExampleHit hit;
        hit.position_b = impact.point_b;
        hit.radius = radius;
        if (places.size() > 1) {
            for (const Vec3& start : places) hit.starts.push_back({start});
        }
        write(impact, *data, change, std::move(hit), response);
    }

private:
    double radius_of(const BodyShape& shape) const {
        return options_.radius > 0 ? options_.radius : kRadiusPerSize * shape.size;
    }

    static PaintedPlace painted_place(const Vec3& place, const StruckBody& body,
                                      const ExampleData& data) {
        PaintedPlace out;
        const ExampleFactors& factors = data.factors();
        if (factors.yield.empty() && factors.radius.empty()) return out;
        const SurfacePoint at = body.surface.closest_point(place);
        if (at.triangle < 0) return out;
        const Triangle& corners = body.shape.triangles()[static_cast<std::size_t>(at.triangle)];
        const auto factor = [&](const std::vector<double>& of_points) {
            if (of_points.empty()) return 1.0;
            double sum = 0.0;
            for (int k = 0; k < 3; ++k)
                sum += at.barycentric[k] * of_points[static_cast<std::size_t>(corners[k])];
            return sum;
        };
        out.yield = factor(factors.yield);
        out.radius = factor(factors.radius);
        return out;
    }

    // What of the change of speed is beyond the yield, and new in this step, as a way [m].
    double wanted_length(const BodyImpact& impact, double per_impulse, double yield_factor) const {
        const auto beyond = [&](double damage_impulse) {
            return std::max(0.0,
                            per_impulse * damage_impulse - yield_factor * options_.yield_speed);
        };
        const double speed = beyond(impact.damage_impulse) - beyond(impact.previous_damage_impulse);
        return impact.exaggerate * options_.reference_time * std::max(0.0, speed);
    }

    // The mean over all places that touch.
    static StruckPlace struck_place(const std::vector<Vec3>& places, const StruckBody& body,
                                    const ExampleData& data) {
        StruckPlace mean;
        const auto poses = static_cast<Eigen::Index>(data.pose_count());
        mean.jacobian = Eigen::Matrix3Xd::Zero(3, poses);
        const double part = 1.0 / static_cast<double>(places.size());
        for (const Vec3& start : places) {
            const SurfacePoint at = body.surface.closest_point(start);
            if (at.triangle < 0) continue;
            const Triangle& corners = body.shape.triangles()[static_cast<std::size_t>(at.triangle)];
            for (int k = 0; k < 3; ++k)
                add_corner(body, data, corners[k], part * at.barycentric[k], mean);
        }
        return mean;
    }

    static void add_corner(const StruckBody& body, const ExampleData& data, std::int32_t v,
                           double share, StruckPlace& mean) {
        const std::vector<std::int32_t>& anchors = body.shape.skin_anchor;
        const auto anchor =
            static_cast<std::size_t>(anchors.empty() ? v : anchors[static_cast<std::size_t>(v)]);
        const ExampleRow row = body.rows.empty() ? ExampleRow{} : body.rows[v];
        const std::span<const double> shares = row.first(data.pose_count());
        Eigen::Matrix3Xd jacobian =
            blend_jacobian(data.rig(), anchor, body.surface.points()[v], shares);
        for (Eigen::Index e = 0; e < jacobian.cols(); ++e)
            jacobian.col(e) *= data.factors().of_pose(static_cast<std::size_t>(e), anchor);
        mean.jacobian += share * jacobian;
        mean.linear += share * data.frames().frame(anchor, shares).linear;
        for (std::size_t e = 0; e < shares.size(); ++e) mean.row.shares[e] += share * shares[e];
    }

    void write(const BodyImpact& impact, const ExampleData& data, const std::vector<double>& change,
               ExampleHit hit, Response& response) const {
        for (std::size_t e = 0; e < change.size(); ++e) {
            if (change[e] != 0.0) hit.changes.push_back({data.rig().poses[e].name, change[e]});
        }

        const double kept = rebound_share(hit, change, data);
        const auto energy = [&](double impulse) {
            return impulse_energy(impulse, impact.restitution, impact.effective_mass);
        };
        const double lasting = 1.0 - square(kept * impact.restitution);
        response.work =
            lasting * (energy(impact.damage_impulse) - energy(impact.previous_damage_impulse));
        if (kept < 1.0) {
            response.requests.push_back(LowerRebound{kept});
            response.requests.push_back(LowerRestitution{kept, options_.recovery});
        }
        const bool is_eased = options_.fade == ExampleFade::Eased;
        response.duration = (is_eased ? kEasedTimes : kFadeTimes) * options_.fade_time;
        response.growth = is_eased ? HitGrowth::Smooth : HitGrowth::Fading;
        response.records.push_back(std::move(hit));
    }

    static double square(double x) { return x * x; }

    // Equation 15's third term; the mean over the area stands for the norm over all points, which
    // would depend on how many there are.
    double rebound_share(const ExampleHit& hit, const std::vector<double>& change,
                         const ExampleData& data) const {
        std::vector<double> lengths = *data.spread(example_starts(hit), hit.radius);
        std::vector<double> painted = change;
        for (std::size_t v = 0; v < lengths.size(); ++v) {
            if (!(lengths[v] > 0)) continue;
            data.factors().paint(v, change, painted);
            lengths[v] *= whole_length(painted);
        }
        return std::exp(-options_.rebound_loss * data.area_mean(lengths));
    }

    ExampleOptions options_;
    std::shared_ptr<const ExampleRig> rig_;
};

}  // namespace

std::shared_ptr<const Deformer> make_example_deformer(const ExampleOptions& options,
                                                      std::shared_ptr<const ExampleRig> rig) {
    return std::make_shared<ExampleDeformer>(options, std::move(rig));
}

Result<std::shared_ptr<const Deformer>> make_layer(const ExampleOptions& options,
                                                   const LayerFiles& files) {
    if (options.rig.empty()) {
        return Error{"example poses come from a rig, and none is named", "/rig",
                     "name a rig file, or one that comes along: `ductile rig --help` lists them"};
    }
    if (!files.rig) return Error{"no rigs can be read here", "/rig", ""};
    Result<std::shared_ptr<const ExampleRig>> read = files.rig(options.rig);
    if (!read) return Error{read.error().text(), "/rig", ""};
    auto rig = std::make_shared<ExampleRig>(*read.value());
    for (const std::string& name : options.left_out) {
        std::vector<std::string_view> names;
        for (const RigPose& pose : rig->rig.poses) names.push_back(pose.name);
        const auto is_it = [&](const RigPose& pose) { return pose.name == name; };
        if (std::erase_if(rig->rig.poses, is_it) == 0) {
            return Error{"the rig has no pose '" + name + "'", "/left_out",
                         suggestion(name, names)};
        }
    }
    if (Status fine = check(options.paint, rig->rig); !fine) {
        return Error{fine.error().what, "/paint" + fine.error().where, fine.error().hint};
    }
    return make_example_deformer(options, std::move(rig));
}

}  // namespace ductile
