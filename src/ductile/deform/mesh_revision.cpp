// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/deform/mesh_revision.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile {
namespace {

// Rounds in which one record splits edges. An edge of a kilometre becomes one of a millimetre in 20
// halvings; each may take three rounds, one per side of a slender triangle.
constexpr int kMostRounds = 60;

// Executes a record. `sources`: per triangle, of which it is a part; stays empty if none is split.
Status split_by(const HitRecord& record, RefinedMesh& mesh, std::vector<std::int32_t>* sources) {
    for (int round = 0; round < kMostRounds; ++round) {
        MeshSplit marked = record_edges(record, *mesh.asset);
        if (marked.empty()) break;
        if (mesh.asset->surface.points.size() + marked.size() > kMostRefinedPoints) {
            return Error{fmt::format("its mesh would get more than {} points", kMostRefinedPoints),
                         "", "refine a smaller place, or less"};
        }
        if (sources) {
            std::vector<std::int32_t> parts = split_sources(mesh.asset->surface.triangles, marked);
            for (std::int32_t& part : parts) part = sources->empty() ? part : (*sources)[part];
            *sources = std::move(parts);
        }
        mesh.asset = split_asset(std::move(mesh.asset), std::span(&marked, 1));
        mesh.splits.push_back(std::move(marked));
    }
    return {};
}

bool is_among(std::span<const std::int64_t> ids, std::int64_t id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// What layers prepared for the coarse mesh, on the finer one.
Status carry_layers(const BodyShape& base, BodyShape& finer) {
    std::vector<MeshEdge> split;
    for (const MeshSplit& round : finer.splits) {
        split.insert(split.end(), round.begin(), round.end());
    }
    for (const Layer& layer : base.layers) {
        std::shared_ptr<const LayerData> data;
        if (layer.data) data = layer.rule->carry(*layer.data, finer, split);
        if (!data) {
            Result<std::shared_ptr<const LayerData>> prepared = layer.rule->prepare(finer);
            if (!prepared) return prepared.error();
            data = std::move(prepared).value();
        }
        finer.layers.push_back({layer.rule, std::move(data)});
    }
    return {};
}

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

bool leads_to(const BodyShape& shape, const Journal& journal) {
    const std::vector<std::int64_t> wanted = mesh_hits(journal);
    return shape.mesh_hits.size() <= wanted.size() &&
           std::equal(shape.mesh_hits.begin(), shape.mesh_hits.end(), wanted.begin());
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
        if (const Status fine = split_by(hit.record, mesh, nullptr); !fine) return fine.error();
    }
    return mesh;
}

Result<std::shared_ptr<const BodyShape>> refined_shape(const std::shared_ptr<const BodyShape>& base,
                                                       const Journal& journal,
                                                       const BodyShape* last) {
    if (has_mesh_of(*base, journal)) return base;
    const BodyShape& from = last ? *last : *base;
    DUCTILE_ASSERT(leads_to(from, journal), "a shape of the journal's first mesh records");
    RefinedMesh mesh{from.asset, from.splits};
    PieceTree pieces = from.pieces;
    for (const Hit& hit : journal.hits()) {
        if (record_stage(hit.record) != Stage::Mesh || is_among(from.mesh_hits, hit.id)) continue;
        std::vector<std::int32_t> sources;
        if (const Status fine = split_by(hit.record, mesh, &sources); !fine) return fine.error();
        if (sources.empty()) continue;
        const TriMesh& surface = mesh.asset->surface;
        pieces = refined_pieces(pieces, surface.points, surface.triangles, sources,
                                base->options.pieces);
    }
    Result<std::shared_ptr<BodyShape>> made =
        make_mutable_body_shape(mesh.asset, base->options, {}, {}, std::move(pieces));
    if (!made) return made.error();
    made.value()->splits = std::move(mesh.splits);
    made.value()->mesh_hits = mesh_hits(journal);
    if (const Status fine = carry_layers(*base, *made.value()); !fine) return fine.error();
    return std::shared_ptr<const BodyShape>(std::move(made).value());
}

}  // namespace ductile
