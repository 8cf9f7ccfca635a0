// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_options.h>
#include <ductile/core/result.h>
#include <ductile/geom/model.h>
#include <ductile/geom/rig.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ductile {

/// A model without its hierarchy: every node that shows a mesh is a part.
struct FlatModel {
    RenderMesh render;                        ///< Normals are zero where the file has none.
    std::vector<PartRole> roles;              ///< Per part.
    std::vector<std::uint8_t> lacks_normals;  ///< Per part: none of its vertices has one.
    std::vector<std::int32_t> joints;         ///< The model's nodes that carry vertices, ascending.
    /// How much each vertex follows which of `joints`; rows of vertices that hang on none are
    /// empty. Without joints there are no rows.
    SkinWeights weights;
    std::vector<ModelMorph> morphs;  ///< One per name; moves of all vertices, in the model's frame.
    std::vector<std::string> notes;
};

/// Puts all meshes of a model into one frame, in the unit of the file, and deals out the roles.
///
/// Points of a node that is not moved come out bit for bit; a node that mirrors turns its windings.
/// A skinned mesh is where its joints carry it as the file's nodes stand (not as they stood when it
/// was bound); one without a skin that hangs below a joint goes with that joint alone.
/// Parts have unique names ("wheel", "wheel.2") and the nearest part above them as parent. What a
/// rule drops and parts without triangles are left out. Vertices that no triangle uses stay.
/// Error: an index out of range, a number or place that is not finite, more than five million
/// vertices or ten million triangles once every node has its own, a rule that fits no part
/// (unless `may_miss`).
Result<FlatModel> flatten_model(const Model& model, const std::vector<PartRule>& rules,
                                bool may_miss = false);

/// Whether a text fits a pattern: * for any text, ? for one letter, case does not count.
bool fits_pattern(std::string_view text, std::string_view pattern);

}  // namespace ductile
