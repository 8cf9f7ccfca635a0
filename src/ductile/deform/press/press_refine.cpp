// SPDX-License-Identifier: MIT
// Figure 11 of Brunel et al. 2020 shows the trouble and names the cure.
#include <ductile/deform/press/press_refine.h>
#include <ductile/geom/edge_uses.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// An edge that was long before is not the press's doing.
constexpr double kLeastStretch = 1.2;

void grow_map(std::span<const MeshEdge> split, std::vector<double>& map) {
    if (map.empty()) return;
    for (const MeshEdge& e : split) map.push_back(0.5 * (map[e[0]] + map[e[1]]));
}

Status check_refine(const PressRefineOptions& options) {
    PressRefineOptions copy = options;
    Status status;
    visit_fields(copy, [&](const Field& field, auto value) {
        const auto number = static_cast<double>(value);
        if (status.ok() && !(number >= field.min && number <= field.max)) {
            status = Error{"the value is out of range", std::string(field.name), ""};
        }
    });
    return status;
}

}  // namespace

std::vector<MeshEdge> stretched_edges(const TriMesh& soft, std::span<const Vec3> pressed,
                                      double bound, std::size_t most) {
    std::vector<std::pair<double, MeshEdge>> found;
    EdgeUses(soft.points.size(), soft.triangles)
        .for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
            const std::int32_t high = uses[0].high;
            const double now = (pressed[low] - pressed[high]).norm();
            const double rest = (soft.points[low] - soft.points[high]).norm();
            if (now > bound && now > kLeastStretch * rest) found.push_back({-now, {low, high}});
        });
    if (found.size() > most) {
        std::sort(found.begin(), found.end());
        found.resize(most);
    }
    std::vector<MeshEdge> edges;
    for (const auto& [length, edge] : found) edges.push_back(edge);
    std::sort(edges.begin(), edges.end());
    return edges;
}

Result<RefinedPress> press_refined(SurfaceAsset soft, const TriMesh& rigid,
                                   const PressOptions& options, const PressRefineOptions& refine,
                                   PressMaps maps) {
    if (const Status fine = check_refine(refine); !fine) return fine.error();
    const Result<PressRigid> by = PressRigid::make(rigid);
    if (!by) return by.error();
    const double bound = refine.edge * mean_edge(soft.surface.points, soft.surface.triangles);
    const auto limit =
        static_cast<std::size_t>(refine.growth * static_cast<double>(soft.surface.points.size()));
    RefinedPress result;
    while (true) {
        const Result<Presser> presser = Presser::make(soft.surface, options, maps);
        if (!presser) return presser.error();
        Result<Pressed> pressed = presser.value().press(soft.surface.points, by.value());
        if (!pressed) return pressed.error();
        result.pressed = std::move(pressed.value());
        const std::size_t points = soft.surface.points.size();
        if (result.rounds >= refine.rounds || points >= limit) break;
        const std::vector<MeshEdge> edges =
            stretched_edges(soft.surface, result.pressed.points, bound, limit - points);
        if (edges.empty()) break;
        soft = split_edges(soft, edges);
        grow_map(edges, maps.stiffness);
        grow_map(edges, maps.bulge);
        ++result.rounds;
    }
    result.asset = std::move(soft);
    return result;
}

}  // namespace ductile
