// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_report.h>
#include <ductile/geom/render_mesh.h>
#include <ductile/solids/solids.h>

#include <memory>
#include <optional>

namespace ductile::python {

/// A shape as Python holds it: never changed, so its arrays may be seen without a copy.
struct Mesh {
    std::shared_ptr<const SurfaceAsset> asset;  ///< Passes check_asset, has triangles.
    double thickness = 0.0;                     ///< Of its sheets as its file tells [m]; 0: solid.
    std::optional<AssetReport> report;          ///< Of a file.
    std::optional<SolidOptions> solid;          ///< What `make_solid` made it of.
};

}  // namespace ductile::python
