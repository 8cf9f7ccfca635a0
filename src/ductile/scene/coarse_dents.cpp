// SPDX-License-Identifier: MIT
#include <ductile/asset/asset_options.h>
#include <ductile/geom/mass.h>
#include <ductile/scene/coarse_dents.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <variant>

namespace ductile {
namespace {

// Edges per radius that show a dent's form: some thirty points within it.
constexpr double kEdgesPerRadius = 3.0;
// What is proposed for a mesh that is made finer under its dents.
constexpr int kRefineEdges = 3;
// Of the body's size: shallower dents are scratches, which nobody misses.
constexpr double kShallow = 1e-3;
// Points per area of a mesh whose longest edge is 1: halved edges are a good deal shorter.
constexpr double kPointsPerArea = 4.0;
// Of the depth: a point that moves less does not show the dent.
constexpr double kFollows = 0.1;
// Of the depth that a finer mesh would show, what this one must.
constexpr double kShown = 0.7;
// Places per side of a triangle at which a dent is looked for between points.
constexpr int kPlacesPerSide = 6;
// Of a dent's deep part, as a share of its radius: edges over it that put a point into it.
constexpr double kEdgesInside = 1.5;
constexpr int kShareSamples = 64;
// Of the mean edge: what is proposed is finer than that, or it would not help.
constexpr double kFiner = 0.9;

/// What was too small for one body of the scene and its copies.
struct CoarseDents {
    std::size_t dents = 0;
    double widest = 0.0;  ///< Radius of the widest of those that hardly move a point [m]; 0: none.
    const PreparedBody* body = nullptr;
    double edge_length = 0.0;        ///< Mean of its mesh [m].
    double shown = 0.0;              ///< Of the one that loses most, what its points show [m] ...
    double depth = 0.0;              ///< ... of so much [m]; 0: none loses much.
    double needed_edge = kInfinity;  ///< For that one [m].
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

/// How deep a dent goes into the undented surface [m].
struct SeenDepth {
    double shown = 0.0;  ///< Where the mesh has points.
    double real = 0.0;   ///< Anywhere on its triangles.
};

/// The deepest of places spread over a triangle.
double deepest_within(const DentPress& press, const Vec3& way, const std::array<Vec3, 3>& p) {
    double deepest = 0.0;
    for (int i = 0; i <= kPlacesPerSide; ++i) {
        for (int j = 0; i + j <= kPlacesPerSide; ++j) {
            const double u = double(i) / kPlacesPerSide, v = double(j) / kPlacesPerSide;
            const Vec3 at = p[0] + u * (p[1] - p[0]) + v * (p[2] - p[0]);
            deepest = std::max(deepest, (press(at, at) - at).dot(way));
        }
    }
    return deepest;
}

SeenDepth seen_depth(const DentHit& dent, const BodyShape& shape) {
    const DentPress press(dent, 1.0);
    const std::span<const Vec3> points = shape.rest();
    SeenDepth seen;
    for (const Vec3& p : points) {
        if (!press.may_move({p, p})) continue;
        seen.shown = std::max(seen.shown, (press(p, p) - p).dot(dent.direction_b));
    }
    seen.real = seen.shown;
    if (seen.shown >= kShown * dent.depth) return seen;
    for (const Triangle& t : shape.triangles()) {
        const std::array<Vec3, 3> corners = {points[t[0]], points[t[1]], points[t[2]]};
        Box box;
        for (const Vec3& p : corners) box.add(p);
        if (press.may_move(box)) {
            seen.real = std::max(seen.real, deepest_within(press, dent.direction_b, corners));
        }
    }
    return seen;
}

/// Edges that put a point where a dent is deep [m].
double edge_for_depth(const DentHit& dent) {
    const DentPress press(dent, 1.0);
    const double step = 2.0 * dent.radius / kShareSamples;
    double area = 0.0;
    for (int i = 0; i < kShareSamples; ++i) {
        for (int j = 0; j < kShareSamples; ++j) {
            const double x = (i + 0.5) * step - dent.radius, y = (j + 0.5) * step - dent.radius;
            if (press.share(x, y) > kShown) area += step * step;
        }
    }
    return std::max(kEdgesInside * std::sqrt(area / kPi), step);
}

/// Whether points show much less of a dent than there is; then the worst is kept.
bool is_too_faint(const DentHit& dent, const BodyShape& shape, CoarseDents& coarse) {
    const SeenDepth seen = seen_depth(dent, shape);
    const double lost = seen.real - seen.shown;
    if (!(seen.shown < kShown * seen.real) || lost < kShallow * shape.size) return false;
    if (lost > coarse.depth - coarse.shown) {
        coarse.shown = seen.shown;
        coarse.depth = seen.real;
        coarse.needed_edge = edge_for_depth(dent);
    }
    return true;
}

void count_dents(const PreparedBody& body, const BodyShape& shape, const Journal& journal,
                 CoarseDents& coarse) {
    for (const Hit& hit : journal.hits()) {
        const auto* dent = std::get_if<DentHit>(&hit.record);
        if (!dent || dent->depth < kShallow * shape.size) continue;
        const bool is_faint = is_too_faint(*dent, shape, coarse);
        const bool is_narrow = is_too_narrow(*dent, shape.rest());
        if (!is_faint && !is_narrow) continue;
        if (coarse.dents++ == 0) {
            coarse.edge_length = mean_edge_length(shape.rest(), shape.triangles());
        }
        if (is_narrow) coarse.widest = std::max(coarse.widest, dent->radius);
        coarse.body = &body;
    }
}

/// Two digits, not above the value: as people write it.
double rounded_down(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return std::floor(value / unit) * unit;
}

/// The field that makes a mesh finer under dents alone, with a value that it does not have yet.
std::string refine_of(const SceneBody& body) {
    const double edges = body.layers.dent ? body.layers.dent->refine.edges : 0.0;
    if (edges < kRefineEdges) return fmt::format("layers.dent.refine.edges = {}", kRefineEdges);
    return fmt::format("layers.dent.refine.edges = {} and a budget above {}", 2.0 * edges,
                       body.layers.dent->refine.budget);
}

std::string note_of(const SceneBody& body, const CoarseDents& coarse) {
    const SurfaceAsset& asset = *coarse.body->asset();
    const std::vector<double> areas = vertex_areas(asset.surface.points, asset.surface.triangles);
    const double area = std::accumulate(areas.begin(), areas.end(), 0.0);
    const bool is_file = !body.mesh.empty();
    const std::int32_t asked = body.mesh_options.surface_points;
    const double limit = is_file && asked > 0 ? asked : kSurfacePointLimit;
    const double wanted = coarse.widest > 0.0 ? coarse.widest / kEdgesPerRadius : kInfinity;
    const double fitting =
        std::max(std::min(wanted, coarse.needed_edge), std::sqrt(kPointsPerArea * area / limit));
    const std::string count =
        coarse.dents == 1 ? "a dent is" : fmt::format("{} dents are", coarse.dents);
    // A wide one that reaches hardly a point lies beside a narrow part of the body, as a rim.
    const bool is_beside = coarse.widest > kEdgesPerRadius * coarse.edge_length;
    const std::string edges = fmt::format("edges are {:.3g} m long", coarse.edge_length);
    const std::string how = is_beside ? "beside all but few points of its mesh, whose " + edges
                            : coarse.widest > 0.0
                                ? fmt::format("too narrow for its mesh, {:.3g} m across where {}",
                                              2.0 * coarse.widest, edges)
                                : "deepest between the points of its mesh, whose " + edges;
    const std::string seen = coarse.depth > 0.0 ? fmt::format(", and {:.2g} m of {:.2g} m are seen",
                                                              coarse.shown, coarse.depth)
                                                : "";
    // As fine as it may be already: only where dents are it can be finer.
    const bool helps = fitting < kFiner * coarse.edge_length;
    const std::string gives =
        fmt::format(" gives {} points to move", coarse.dents == 1 ? "it" : "them");
    const std::string all =
        fmt::format("{} = {:.3g}{}, ", is_file ? "mesh_options.longest_edge" : "solid.resolution",
                    rounded_down(fitting), gives);
    const std::string where = refine_of(body) + (helps ? " where dents are alone" : gives);
    return fmt::format("{}: {} {}{}: {}{}", body.name, count, how, seen, helps ? all : "", where);
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
