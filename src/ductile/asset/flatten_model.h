// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_options.h>
#include <ductile/core/result.h>
#include <ductile/geom/model.h>

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
    std::vector<std::string> notes;
};

/// Puts all meshes of a model into one frame, in the unit of the file, and deals out the roles.
///
/// Points of a node that is not moved come out bit for bit; a node that mirrors turns its windings.
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
