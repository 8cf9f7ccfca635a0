// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/skin/vertex_weights.h>

#include <map>
#include <vector>

namespace ductile {
namespace {

using Row = std::map<std::int32_t, double>;

void add_share(const SkinWeights& surface, std::int32_t point, double share, Row& row) {
    const auto i = static_cast<std::size_t>(point);
    for (std::size_t k = 0; k < surface.handles_of(i).size(); ++k) {
        row[surface.handles_of(i)[k]] += share * surface.weights_of(i)[k];
    }
}

void add_row(const Row& row, SkinWeights& out) {
    double sum = 0.0;
    for (const auto& [handle, weight] : row) sum += weight;
    for (const auto& [handle, weight] : row) {
        if (!(weight > 0)) continue;
        out.handle.push_back(handle);
        out.weight.push_back(weight / sum);
    }
    out.start.push_back(static_cast<std::int32_t>(out.handle.size()));
}

}  // namespace

SkinWeights vertex_weights(const SurfaceAsset& asset, const SkinWeights& surface) {
    DUCTILE_ASSERT(surface.size() == asset.surface.points.size(), "a row per surface point");
    std::vector<std::int32_t> rider_of(asset.anchors.size(), -1);
    for (std::size_t r = 0; r < asset.riders.size(); ++r) {
        const MeshPart& part = asset.render.parts[static_cast<std::size_t>(asset.riders[r].part)];
        for (std::int32_t v = 0; v < part.vertex_count; ++v) {
            rider_of[static_cast<std::size_t>(part.first_vertex + v)] =
                static_cast<std::int32_t>(r);
        }
    }
    SkinWeights out;
    for (std::size_t v = 0; v < asset.anchors.size(); ++v) {
        Row row;
        if (rider_of[v] >= 0) {
            const Rider& rider = asset.riders[static_cast<std::size_t>(rider_of[v])];
            for (std::size_t k = 0; k < rider.points.size(); ++k) {
                add_share(surface, rider.points[k], rider.weights[k], row);
            }
        } else {
            for (int k = 0; k < 3; ++k) {
                const double share = asset.anchors[v].weights[k];
                if (share > 0)
                    add_share(surface, asset.anchors[v].points[static_cast<std::size_t>(k)], share,
                              row);
            }
        }
        add_row(row, out);
    }
    return out;
}

}  // namespace ductile
