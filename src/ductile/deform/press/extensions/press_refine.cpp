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

void grow_map(std::span<const MeshEdge> split, std::optional<PaintedMap>& map) {
    if (!map) return;
    std::vector<double>& values = map->values;
    for (const MeshEdge& e : split) values.push_back(0.5 * (values[e[0]] + values[e[1]]));
}

}  // namespace

void grow_maps(std::span<const MeshEdge> split, PaintedMaps& maps) {
    grow_map(split, maps.stiffness);
    grow_map(split, maps.bulge);
    grow_map(split, maps.region);
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
    : longest_edge_(options.edge * mean_edge_length(asset.surface.points, asset.surface.triangles)),
      most_points_(static_cast<std::size_t>(options.growth *
                                            static_cast<double>(asset.surface.points.size()))),
      rounds_left_(options.rounds) {}

std::vector<MeshEdge> PressRefiner::next(const EdgeStretch& stretch, std::size_t points) {
    if (rounds_left_ <= 0 || points >= most_points_) return {};
    --rounds_left_;
    return stretch.edges_above(longest_edge_, most_points_ - points);
}

Result<RefinedPress> press_refined(SurfaceAsset soft, const TriMesh& rigid, PressSetup setup) {
    if (const Status fine = check(setup); !fine) return fine.error();
    const Result<PressRigid> by = PressRigid::make(rigid);
    if (!by) return by.error();
    PressRefiner refiner(soft, setup.refine.value_or(PressRefineOptions{.rounds = 0}));
    setup.refine.reset();
    RefinedPress result;
    while (true) {
        const Result<Presser> presser = Presser::make(soft.surface, setup);
        if (!presser) return presser.error();
        Result<Pressed> pressed = presser.value().press(soft.surface.points, by.value());
        if (!pressed) return pressed.error();
        result.pressed = std::move(pressed.value());
        EdgeStretch stretch(soft.surface);
        stretch.add(soft.surface.points, result.pressed.points);
        const std::vector<MeshEdge> edges = refiner.next(stretch, soft.surface.points.size());
        if (edges.empty()) break;
        soft = split_edges(soft, edges);
        grow_maps(edges, setup.maps);
        ++result.rounds;
    }
    result.asset = std::move(soft);
    return result;
}

}  // namespace ductile
