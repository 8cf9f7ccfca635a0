// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_report.h>
#include <ductile/geom/model.h>
#include <ductile/geom/repair/mend.h>

#include <cstdint>
#include <span>

namespace ductile {

/// What preparing an asset came across.
struct AssetFacts {
    const Model& model;
    const PlacementReport& placement;
    const MendCounts& counts;
    double weld_tolerance = 0.0;
    std::int32_t welded = 0;
    std::span<const PartRole> roles;             ///< Per part of the drawn mesh.
    const Mended& surface;                       ///< What is simulated.
    std::span<const std::int32_t> surface_part;  ///< Per surface triangle.
    std::span<const MeshPart> surface_parts;     ///< What `surface_part` counts.
    bool is_simplified = false;
    std::int32_t point_limit = 0;
    double thickness = 0.0;
    Fill fill = Fill::Auto;
    std::int32_t added_vertices = 0;
};

/// The report of an asset. O(n).
AssetReport describe_asset(const AssetFacts& facts, const SurfaceAsset& asset);

}  // namespace ductile
