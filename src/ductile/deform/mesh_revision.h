// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/deform/body_shape.h>
#include <ductile/deform/journal.h>

#include <memory>
#include <vector>

namespace ductile {

// Records of Stage::Mesh change a body's rest mesh, and with it everything that follows from that.
// The mesh of a journal is that of all its mesh records, at any time: points that a record added
// are points of the rest shape like all others, and offsets and skins act on them alike.

/// The mesh records of a journal, by id.
std::vector<std::int64_t> mesh_hits(const Journal& journal);

/// Whether a shape has just the mesh that the journal asks for.
bool has_mesh_of(const BodyShape& shape, const Journal& journal);

/// An asset as some splits change it, one after the other.
std::shared_ptr<const SurfaceAsset> split_asset(std::shared_ptr<const SurfaceAsset> asset,
                                                std::span<const MeshSplit> splits);

/// A mesh as a journal's records refine it, and by which splits.
struct RefinedMesh {
    std::shared_ptr<const SurfaceAsset> asset;
    std::vector<MeshSplit> splits;
};
/// Error: a mesh that would be too large (`kMostRefinedPoints`).
Result<RefinedMesh> refined_mesh(std::shared_ptr<const SurfaceAsset> asset, const Journal& journal);

/// The shape with the journal's mesh, made from the one without any mesh record: a new one, with
/// the same material and rules, or `base` itself if the journal has none. Points of `base` come
/// first, in their order. Pieces of its collider are carried over record by record
/// (refined_pieces), not cut again.
/// `last`: a shape of the first of these records, whose mesh and pieces it goes on from, to the
/// same bits.
/// Error: as above, or a mesh that cannot be a body.
Result<std::shared_ptr<const BodyShape>> refined_shape(const std::shared_ptr<const BodyShape>& base,
                                                       const Journal& journal,
                                                       const BodyShape* last = nullptr);

/// Whether a shape has the mesh of the first records that the journal asks for, or of all.
bool leads_to(const BodyShape& shape, const Journal& journal);

/// Surface points that records may bring a body to.
inline constexpr std::size_t kMostRefinedPoints = 500'000;

}  // namespace ductile
