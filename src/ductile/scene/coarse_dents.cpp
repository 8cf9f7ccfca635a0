// SPDX-License-Identifier: MIT
#include <ductile/asset/asset_options.h>
#include <ductile/geom/mass.h>
#include <ductile/scene/coarse_dents.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

namespace ductile {
namespace {

// Edges per radius that show a dent's form: some thirty points within it.
constexpr double kEdgesPerRadius = 3.0;
// Of the body's size: shallower dents are scratches, which nobody misses.
constexpr double kShallow = 1e-3;
// Points per area of a mesh whose longest edge is 1: halved edges are a good deal shorter.
constexpr double kPointsPerArea = 4.0;
// Of the depth: a point that moves less does not show the dent.
constexpr double kFollows = 0.1;

/// What was too small for one body of the scene and its copies.
struct CoarseDents {
    std::size_t dents = 0;
    double widest = 0.0;  ///< Radius of the widest of them [m].
    const PreparedBody* body = nullptr;
    double edge_length = 0.0;  ///< Mean of its mesh [m].
};

/// Whether hardly a point of the undented surface follows the dent. Its radius alone does not tell:
/// the map of a glancing impact lies drawn out along the surface, its middle beyond the body.
bool is_too_narrow(const DentHit& dent, std::span<const Vec3> points) {
    const DentPress press(dent, 1.0);
    const double least_sq = kFollows * dent.depth * kFollows * dent.depth;
    int moved = 0;
    for (const Vec3& p : points) {
        if (!press.may_move({p, p}) || (press(p, p) - p).squaredNorm() < least_sq) continue;
        if (++moved == kDentPoints) return false;
    }
    return true;
}

void count_dents(const PreparedBody& body, const BodyShape& shape, const Journal& journal,
                 CoarseDents& coarse) {
    for (const Hit& hit : journal.hits()) {
        const auto* dent = std::get_if<DentHit>(&hit.record);
        if (!dent || dent->depth < kShallow * shape.size || !is_too_narrow(*dent, shape.rest())) {
            continue;
        }
        if (coarse.dents++ == 0) {
            coarse.edge_length = mean_edge_length(shape.rest(), shape.triangles());
        }
        coarse.widest = std::max(coarse.widest, dent->radius);
        coarse.body = &body;
    }
}

/// Two digits, not above the value: as people write it.
double rounded_down(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return std::floor(value / unit) * unit;
}

std::string note_of(const SceneBody& body, const CoarseDents& coarse) {
    const SurfaceAsset& asset = *coarse.body->asset();
    const std::vector<double> areas = vertex_areas(asset.surface.points, asset.surface.triangles);
    const double area = std::accumulate(areas.begin(), areas.end(), 0.0);
    const bool is_file = !body.mesh.empty();
    const std::int32_t asked = body.mesh_options.surface_points;
    const double limit = is_file && asked > 0 ? asked : kSurfacePointLimit;
    const double fitting =
        std::max(coarse.widest / kEdgesPerRadius, std::sqrt(kPointsPerArea * area / limit));
    return fmt::format(
        "{}: {} too narrow for its mesh, {:.3g} m across where edges are {:.3g} m long: {} = "
        "{:.3g} gives {} points to move",
        body.name, coarse.dents == 1 ? "a dent is" : fmt::format("{} dents are", coarse.dents),
        2.0 * coarse.widest, coarse.edge_length,
        is_file ? "mesh_options.longest_edge" : "solid.resolution", rounded_down(fitting),
        coarse.dents == 1 ? "it" : "them");
}

}  // namespace

std::vector<std::string> coarse_dent_notes(const Scene& scene, std::span<const PreparedBody> bodies,
                                           std::span<const ObjectId> ids,
                                           const Simulation& simulation) {
    std::vector<CoarseDents> coarse(scene.bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!simulation.is_deformable(ids[i])) continue;
        count_dents(bodies[i], simulation.state(ids[i]).shape(), simulation.journal(ids[i]),
                    coarse[bodies[i].scene_body]);
    }
    std::vector<std::string> notes;
    for (std::size_t b = 0; b < coarse.size(); ++b) {
        if (coarse[b].dents > 0) notes.push_back(note_of(scene.bodies[b], coarse[b]));
    }
    return notes;
}

}  // namespace ductile
