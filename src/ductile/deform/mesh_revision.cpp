// SPDX-License-Identifier: MIT
#include <ductile/deform/mesh_revision.h>

#include <fmt/format.h>

namespace ductile {
namespace {

// Rounds in which one record halves edges: an edge of a kilometre becomes one of a millimetre.
constexpr int kMostHalvings = 20;

}  // namespace

std::vector<std::int64_t> mesh_hits(const Journal& journal) {
    std::vector<std::int64_t> ids;
    for (const Hit& hit : journal.hits()) {
        if (record_stage(hit.record) == Stage::Mesh) ids.push_back(hit.id);
    }
    return ids;
}

bool has_mesh_of(const BodyShape& shape, const Journal& journal) {
    return shape.mesh_hits == mesh_hits(journal);
}

std::shared_ptr<const SurfaceAsset> split_asset(std::shared_ptr<const SurfaceAsset> asset,
                                                std::span<const MeshSplit> splits) {
    for (const MeshSplit& split : splits) {
        asset = std::make_shared<const SurfaceAsset>(split_edges(*asset, split));
    }
    return asset;
}

Result<RefinedMesh> refined_mesh(std::shared_ptr<const SurfaceAsset> asset,
                                 const Journal& journal) {
    RefinedMesh mesh{std::move(asset), {}};
    for (const Hit& hit : journal.hits()) {
        if (record_stage(hit.record) != Stage::Mesh) continue;
        for (int round = 0; round < kMostHalvings; ++round) {
            MeshSplit marked = record_edges(hit.record, *mesh.asset);
            if (marked.empty()) break;
            if (mesh.asset->surface.points.size() + marked.size() > kMostRefinedPoints) {
                return Error{
                    fmt::format("its mesh would get more than {} points", kMostRefinedPoints), "",
                    "refine a smaller place, or less"};
            }
            mesh.asset = split_asset(std::move(mesh.asset), std::span(&marked, 1));
            mesh.splits.push_back(std::move(marked));
        }
    }
    return mesh;
}

Result<std::shared_ptr<const BodyShape>> refined_shape(const std::shared_ptr<const BodyShape>& base,
                                                       const Journal& journal) {
    if (has_mesh_of(*base, journal)) return base;
    Result<RefinedMesh> mesh = refined_mesh(base->asset, journal);
    if (!mesh) return mesh.error();
    std::vector<std::shared_ptr<const Deformer>> rules;
    for (const Layer& layer : base->layers) rules.push_back(layer.rule);
    Result<std::shared_ptr<BodyShape>> made =
        make_mutable_body_shape(mesh.value().asset, base->options, std::move(rules));
    if (!made) return made.error();
    std::vector<MeshEdge> split;
    for (const MeshSplit& round : mesh.value().splits) {
        split.insert(split.end(), round.begin(), round.end());
    }
    for (std::size_t k = 0; k < base->layers.size(); ++k) {
        const Layer& layer = base->layers[k];
        if (!layer.rule || !layer.data) continue;
        if (auto carried = layer.rule->carry(*layer.data, *made.value(), split)) {
            made.value()->layers[k].data = std::move(carried);
        }
    }
    made.value()->splits = std::move(mesh.value().splits);
    made.value()->mesh_hits = mesh_hits(journal);
    return std::shared_ptr<const BodyShape>(std::move(made).value());
}

}  // namespace ductile
