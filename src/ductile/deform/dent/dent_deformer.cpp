// SPDX-License-Identifier: MIT
#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_deformer.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A dent reaches a sixth of the smaller body's size: a can's width on a can, a hand's on a barrel.
constexpr double kRadiusPerSize = 1.0 / 6.0;
// A Gaussian of depth radius / 2 is steepest at 42 degrees: a hard dent, not yet a hole.
constexpr double kDepthPerRadius = 0.5;
// Beyond this share of its smallest extent a body would look emptied. (A plate has next to no
// extent that way, but one hit's depth is always allowed.)
constexpr double kTotalPerExtent = 0.35;

// Whether the surface point nearest to a place belongs to a part that keeps its form.
bool falls_on_rigid(const BodyShape& shape, std::span<const Vec3> surface, const Vec3& place) {
    if (shape.rigid_points.empty()) return false;
    const auto nearer = [&](const Vec3& a, const Vec3& b) {
        return (a - place).squaredNorm() < (b - place).squaredNorm();
    };
    const auto nearest = std::min_element(surface.begin(), surface.end(), nearer);
    return shape.asset->is_rigid[nearest - surface.begin()] != 0;
}

// Where the surface is pressed in: all of the footprint but what lies on rigid parts.
std::vector<Vec3> starts_that_yield(const BodyShape& shape, std::span<const Vec3> surface,
                                    const BodyImpact& impact) {
    std::vector<Vec3> starts = impact.starts_b;
    if (starts.size() <= 1) starts = {impact.point_b};
    std::erase_if(starts, [&](const Vec3& p) { return falls_on_rigid(shape, surface, p); });
    return starts;
}

class DentDeformer final : public Deformer {
public:
    explicit DentDeformer(const DentOptions& options) : options_(options) {}

    std::string_view name() const override { return "dent"; }

    void respond(const BodyImpact& impact, const BodyShape& shape, std::span<const Vec3> surface,
                 Response& response) const override {
        const std::vector<Vec3> starts = starts_that_yield(shape, surface, impact);
        if (starts.empty()) return;
        DentHit hit;
        hit.radius = options_.radius;
        if (!(hit.radius > 0)) {
            hit.radius = kRadiusPerSize * std::min(shape.size, impact.other_size);
        }
        // What falls on rigid parts is a share of the blow, too; it leaves no mark.
        const double spread = std::sqrt(footprint_count(impact.starts_b, hit.radius));
        const double limit =
            options_.depth_limit > 0 ? options_.depth_limit : kDepthPerRadius * hit.radius;
        const auto depth = [&](double impulse) {
            return std::min(limit, dent_depth(shape.material, impulse, impact.restitution,
                                              impact.effective_mass) /
                                       spread);
        };
        hit.depth = depth(impact.damage_impulse) - depth(impact.previous_damage_impulse);
        if (!(hit.depth > 0)) return;
        hit.position_b = starts.size() > 1 ? impact.point_b : starts[0];
        hit.direction_b = -impact.normal_b;
        if (starts.size() > 1) {
            for (const Vec3& start : starts) hit.starts.push_back({start});
        }
        hit.total_limit = options_.total_limit > 0
                              ? options_.total_limit
                              : std::max(kTotalPerExtent * shape.smallest_extent, limit);
        hit.attenuation = options_.attenuation;
        response.duration = options_.duration;
        response.records.push_back(std::move(hit));
    }

private:
    DentOptions options_;
};

}  // namespace

double dent_depth(const Material& material, double damage_impulse, double restitution,
                  double effective_mass) {
    if (!(damage_impulse > material.yield_impulse) || !(effective_mass > 0)) return 0.0;
    return material.dent_depth_per_speed * (damage_impulse - material.yield_impulse) /
           ((1.0 + restitution) * std::sqrt(effective_mass));
}

std::shared_ptr<const Deformer> make_dent_deformer(const DentOptions& options) {
    return std::make_shared<DentDeformer>(options);
}

}  // namespace ductile
