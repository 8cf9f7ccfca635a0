// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/geom/model.h>
#include <ductile/io/gltf/gltf_data.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ductile {

/// Adds skins and animations of a checked document to a model that has its nodes and meshes. What
/// is of no use is left out, with a note.
class GltfMotions {
public:
    /// `node_place`: of each glTF node in the model, -1 where it is left out. `spare_numbers`: how
    /// many may be read in all; what is read is taken off. All must outlive this.
    GltfMotions(const GltfDocument& document, GltfData& data,
                std::span<const std::int32_t> node_place, std::uint64_t& spare_numbers,
                Model& model)
        : document_(document),
          data_(data),
          node_place_(node_place),
          spare_numbers_(spare_numbers),
          model_(model) {}

    /// Nodes then name the model's skins, no longer the document's.
    Status add_skins();
    Status add_animations();

private:
    void drop_unfit_skins();
    /// Those of an accessor, or none where one of them is not finite (a note says so).
    Result<std::vector<double>> numbers(std::int32_t accessor, const char* what);

    const GltfDocument& document_;
    GltfData& data_;
    std::span<const std::int32_t> node_place_;
    std::uint64_t& spare_numbers_;
    Model& model_;
    std::vector<std::int32_t> skin_place_;
};

}  // namespace ductile
