// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/export/glb_builder.h>
#include <ductile/export/render_parts.h>
#include <ductile/export/shape_track.h>
#include <ductile/skin/render_skin.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ductile {

/// Writes the meshes of one GLB file; knows which assets and looks it has written already.
class GlbMeshes {
public:
    explicit GlbMeshes(GlbBuilder& builder) : builder_(builder) {}

    /// The index of the mesh for a body with these shape keys, or -1 if it has no triangle.
    /// `tolerance` is that of its shapes [m]: far smaller displacements are written as none.
    /// Requires: check_recording is content; the body has an asset.
    int add_body(const RecordedBody& body, const ShapeTrack& shapes, double tolerance);

private:
    using Json = GlbBuilder::Json;
    using LookKey = std::tuple<std::string, std::vector<double>, bool>;

    /// What the bodies of one asset share.
    struct Asset {
        std::shared_ptr<const SurfaceAsset> source;
        std::vector<RenderPart> parts;
        std::vector<Vec3> normals;  ///< Of the render mesh, unit length for certain.
        Json primitives;            ///< Without targets.
        int rest_mesh = -1;         ///< Once a body without shape keys has asked for it.
    };

    Asset& asset_of(const RecordedBody& body);
    int add_look(const Look& look, bool is_open);
    Json primitive_of(const Asset& asset, const RenderPart& part, bool is_open);
    Json targets_of(const Asset& asset, const RecordedBody& body, const ShapeTrack& shapes,
                    double tolerance);

    GlbBuilder& builder_;
    std::vector<std::unique_ptr<Asset>> assets_;
    std::map<LookKey, int> looks_;
};

}  // namespace ductile
