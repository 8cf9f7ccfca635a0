// SPDX-License-Identifier: MIT
// Figure 11 of Brunel et al. 2020 shows the trouble and names the cure.
#include <ductile/deform/press/extensions/press_refine.h>
#include <ductile/geom/edge_uses.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// An edge that was long before is not the press's doing.
constexpr double kLeastStretch = 1.2;

}  // namespace

Status check(const PressRefineOptions& options) { return check_ranges(options); }

void grow_map(std::span<const MeshEdge> split, std::vector<double>& map) {
    if (map.empty()) return;
    for (const MeshEdge& e : split) map.push_back(0.5 * (map[e[0]] + map[e[1]]));
}

void grow_points(std::span<const MeshEdge> split, std::vector<Vec3>& points) {
    for (const MeshEdge& e : split) points.push_back(0.5 * (points[e[0]] + points[e[1]]));
}

EdgeStretch::EdgeStretch(const TriMesh& mesh) {
    EdgeUses(mesh.points.size(), mesh.triangles)
        .for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
            edges_.push_back({low, uses[0].high});
        });
    longest_.assign(edges_.size(), 0.0);
}

void EdgeStretch::add(std::span<const Vec3> before, std::span<const Vec3> pressed) {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const auto [low, high] = edges_[i];
        const double now = (pressed[low] - pressed[high]).norm();
        if (now > longest_[i] && now > kLeastStretch * (before[low] - before[high]).norm()) {
            longest_[i] = now;
        }
    }
}

std::vector<MeshEdge> EdgeStretch::edges_above(double bound, std::size_t most) const {
    std::vector<std::pair<double, MeshEdge>> found;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        if (longest_[i] > bound) found.push_back({-longest_[i], edges_[i]});
    }
    if (found.size() > most) {
        std::sort(found.begin(), found.end());
        found.resize(most);
    }
    std::vector<MeshEdge> edges;
    for (const auto& [length, edge] : found) edges.push_back(edge);
    std::sort(edges.begin(), edges.end());
    return edges;
}

PressRefiner::PressRefiner(const SurfaceAsset& asset, const PressRefineOptions& options)
    : bound_(options.edge * mean_edge_length(asset.surface.points, asset.surface.triangles)),
      limit_(static_cast<std::size_t>(options.growth *
                                      static_cast<double>(asset.surface.points.size()))),
      rounds_left_(options.rounds) {}

std::vector<MeshEdge> PressRefiner::next(const EdgeStretch& stretch, std::size_t points) {
    if (rounds_left_ <= 0 || points >= limit_) return {};
    --rounds_left_;
    return stretch.edges_above(bound_, limit_ - points);
}

Result<RefinedPress> press_refined(SurfaceAsset soft, const TriMesh& rigid,
                                   const PressOptions& options, const PressRefineOptions& refine,
                                   PressMaps maps) {
    if (const Status fine = check(refine); !fine) return fine.error();
    const Result<PressRigid> by = PressRigid::make(rigid);
    if (!by) return by.error();
    PressRefiner refiner(soft, refine);
    RefinedPress result;
    while (true) {
        const Result<Presser> presser = Presser::make(soft.surface, options, maps);
        if (!presser) return presser.error();
        Result<Pressed> pressed = presser.value().press(soft.surface.points, by.value());
        if (!pressed) return pressed.error();
        result.pressed = std::move(pressed.value());
        EdgeStretch stretch(soft.surface);
        stretch.add(soft.surface.points, result.pressed.points);
        const std::vector<MeshEdge> edges = refiner.next(stretch, soft.surface.points.size());
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
