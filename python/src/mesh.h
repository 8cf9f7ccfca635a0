// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/asset/asset_report.h>
#include <ductile/core/field.h>
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

/// How the main surface of a mesh looks.
struct PaintOptions {
    Vec3 colour = Vec3(0.8, 0.8, 0.8);
    double metallic = 0.0;
    double roughness = 0.6;
};
template <class Visitor>
void visit_fields(PaintOptions& o, Visitor&& field) {
    field(Field{"colour", "", 0.0, 1.0, "linear RGB"}, o.colour);
    field(Field{"metallic", "", 0.0, 1.0, "1 for bare metal, 0 for the rest"}, o.metallic);
    field(Field{"roughness", "", 0.0, 1.0, "0 mirror, 1 chalk"}, o.roughness);
}

}  // namespace ductile::python
