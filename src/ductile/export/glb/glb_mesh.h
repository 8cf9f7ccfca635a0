// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/export/glb/glb_builder.h>
#include <ductile/export/track/render_parts.h>
#include <ductile/export/track/shape_track.h>
#include <ductile/geom/damage_map.h>
#include <ductile/skin/render_skin.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ductile {

/// The mesh of one part of a body, or of the whole body where it has no parts.
struct GlbPartMesh {
    int mesh = -1;                  ///< -1: no triangle.
    std::vector<std::size_t> keys;  ///< Of the body's shape keys: those it has targets for.
};

/// What became of a body, for whoever colours by it. Primitives with nothing of it go without.
struct GlbMarks {
    const DamageMap* damage = nullptr;    ///< Per render vertex; null: none.
    std::vector<Vec3> pose_colours = {};  ///< Linear RGB per render vertex; empty: none.
};

/// Writes the meshes of one GLB file; knows which assets, looks and pictures it has written.
class GlbMeshes {
public:
    explicit GlbMeshes(GlbBuilder& builder) : builder_(builder) {}

    /// The meshes for a body with these shape keys: one per part of its render mesh, or a single
    /// one. A part has targets for those keys only that move it.
    /// `tolerance` is that of its shapes [m]: far smaller displacements are written as none.
    /// Requires: check_recording is content; the body has an asset.
    std::vector<GlbPartMesh> add_body(const RecordedBody& body, const ShapeTrack& shapes,
                                      double tolerance, const GlbMarks& marks = {});

private:
    using Json = GlbBuilder::Json;
    using LookKey = std::tuple<std::string, std::vector<double>, bool, bool, const Texture*>;

    struct Part {
        std::string name;               ///< Empty where the asset has no parts.
        std::vector<RenderPart> looks;  ///< One per primitive.
        Json primitives;                ///< Without targets.
        int rest_mesh = -1;             ///< Once a body that it does not move on has asked for it.
    };
    /// What the bodies of one asset share.
    struct Asset {
        std::shared_ptr<const SurfaceAsset> source;
        std::vector<Part> parts;
        std::vector<Vec3> normals;  ///< Of the render mesh, unit length for certain.
    };
    /// The targets of one part: per primitive, per key that moves it.
    struct Targets {
        std::vector<std::size_t> keys;
        std::vector<Json> of_primitive;
    };

    Asset& asset_of(const RecordedBody& body);
    int add_picture(const std::shared_ptr<const Texture>& picture);
    int add_look(const Look& look, bool is_two_sided);
    std::string unique_name(const std::string& name);
    Json primitive_of(const Asset& asset, const RenderPart& part, bool is_open);
    void add_targets(const Asset& asset, const Part& part, std::size_t key, double tolerance,
                     Targets& targets);
    /// The damage of one primitive's vertices as attributes; null where there is none.
    Json damage_of(const RenderPart& look, const DamageMap& damage, double tolerance);
    std::vector<Targets> targets_of(const Asset& asset, const RecordedBody& body,
                                    const ShapeTrack& shapes, double tolerance);

    GlbBuilder& builder_;
    std::vector<std::unique_ptr<Asset>> assets_;
    std::map<LookKey, int> looks_;  ///< For look-up only: its order is never used.
    std::set<std::string> look_names_;
    std::map<const Texture*, int> textures_;
    std::vector<std::shared_ptr<const Texture>> pictures_;  ///< Kept, so that no address recurs.
    std::vector<Vec3> points_, normals_;                    ///< The key being written.
};

}  // namespace ductile
