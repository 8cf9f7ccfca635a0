// SPDX-License-Identifier: MIT
#include <ductile/scene/body_asset.h>
#include <ductile/scene/placement.h>
#include <ductile/scene/tissue_model.h>
#include <ductile/sim/drive.h>
#include <ductile/sim/tissue_layer.h>
#include <ductile/skin/render_skin.h>

#include <algorithm>

namespace ductile {
namespace {

// Of the skin's smallest size: rounding of its edges, and how fine it is drawn.
constexpr double kSkinRounding = 0.08;
constexpr double kSkinEdges = 28.0;
constexpr double kChainEdges = 10.0;

Look flesh_look() {
    Look look;
    look.name = "skin";
    look.base_colour = Vec3(0.62, 0.30, 0.21);
    look.roughness = 0.5;
    return look;
}

Result<SurfaceAsset> box_skin(const SceneBody& body, const StopFlag* stop) {
    SolidOptions solid = body.solid;
    solid.size = body.tissue->extrusion * solid_size(body.solid);
    solid.rounding = kSkinRounding * solid.size.minCoeff();
    solid.resolution = solid.size.minCoeff() / kSkinEdges;
    return make_solid(solid, stop);
}

/// A bar around the bone and the chain above it.
Result<SurfaceAsset> chain_skin(const SceneBody& body, const TriMesh& bone, const StopFlag* stop) {
    if (Status fine = check_thickness(bone, body.tissue->thickness); !fine) return fine.error();
    const Box box = bounds(bone.points);
    const Vec3 longer = body.tissue->thickness * Vec3::UnitY();
    SolidOptions solid;
    solid.kind = SolidKind::Box;
    solid.size = box.upper - box.lower + longer;
    solid.rounding = kSkinRounding * solid.size.minCoeff();
    solid.resolution = solid.size.minCoeff() / kChainEdges;
    Result<SurfaceAsset> made = make_solid(solid, stop);
    if (!made) return made.error();
    SurfaceAsset& bar = made.value();
    const Vec3 shift = box.centre() + 0.5 * longer - bounds(bar.surface.points).centre();
    for (Vec3& p : bar.surface.points) p += shift;
    for (Vec3& p : bar.render.points) p += shift;
    return made;
}

/// The bone's own surface, moved outwards.
SurfaceAsset blown_up(const std::shared_ptr<const SurfaceAsset>& bone, std::vector<Vec3> points) {
    SurfaceAsset out = *bone;
    out.surface.points = std::move(points);
    RenderSkin(bone).pose(out.surface.points, out.render.points, out.render.normals);
    return out;
}

/// Whether a coat's skin is the bone's own surface, moved outwards.
bool is_moved_out(const TissueOptions& options) {
    return options.skin.empty() && options.layout == TissueLayout::Surface;
}

/// A skin of its own.
Result<SurfaceAsset> skin_of(const Scene& scene, const SceneBody& body, const BodyAsset& bone,
                             const StopFlag* stop) {
    const TissueOptions& options = *body.tissue;
    if (!options.skin.empty()) {
        SceneBody skin = body;
        skin.mesh = options.skin;
        skin.surface_mesh.clear();
        const Result<BodyAsset> made = make_body_asset(scene, skin, stop);
        if (!made) return made.error();
        return *made.value().asset;
    }
    return options.layout == TissueLayout::Box ? box_skin(body, stop)
                                               : chain_skin(body, bone.asset->surface, stop);
}

/// A coat, and what is drawn of it.
struct DrawnCoat {
    SoftCoat coat;
    std::shared_ptr<SurfaceAsset> drawn;
};

// Error: `where` from the body on.
Result<DrawnCoat> make_drawn_coat(const Scene& scene, const SceneBody& body, const BodyAsset& bone,
                                  double bone_mass, const StopFlag* stop) {
    const auto in_tissue = [](const Error& error) {
        const bool is_placed = error.where.starts_with("/tissue");
        return Error{error.what, is_placed ? error.where : "/tissue" + error.where, error.hint};
    };
    const TissueOptions& options = *body.tissue;
    auto drawn = std::make_shared<SurfaceAsset>();
    if (!is_moved_out(options)) {
        Result<SurfaceAsset> skin = skin_of(scene, body, bone, stop);
        if (!skin) return in_tissue(skin.error());
        *drawn = std::move(skin).value();
    }
    Result<SoftCoat> coat = make_soft_coat(bone.asset->surface, options, bone_mass,
                                           is_moved_out(options) ? nullptr : &drawn->surface);
    if (!coat) return in_tissue(coat.error());
    if (is_moved_out(options)) *drawn = blown_up(bone.asset, coat.value().surface);
    if (options.skin.empty()) {
        for (Look& look : drawn->render.looks) look = flesh_look();
    }
    return DrawnCoat{std::move(coat).value(), std::move(drawn)};
}

/// One coat of a layer, as the recorder asks for it.
class CoatShape final : public ShapeSource {
public:
    CoatShape(std::shared_ptr<const TissueLayer> layer, std::size_t coat,
              std::shared_ptr<const TissueSkin> skin)
        : layer_(std::move(layer)), coat_(coat), skin_(std::move(skin)) {}
    std::uint64_t revision() const override { return layer_->world().revision(coat_); }
    std::vector<Vec3> points(const Transform& pose_w) const override {
        return skin_->points(layer_->world().coat(coat_), pose_w);
    }

private:
    std::shared_ptr<const TissueLayer> layer_;
    std::size_t coat_;
    std::shared_ptr<const TissueSkin> skin_;
};

void add_drives(const Scene& scene, std::span<const PreparedBody> bodies,
                std::span<const ObjectId> ids, Simulation& simulation) {
    auto drives = std::make_shared<DriveLayer>(scene.gravity);
    bool has_drive = false;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const SceneBody& body = scene.bodies[bodies[i].scene_body];
        if (!body.drive) continue;
        DriveDesc desc;
        desc.body = simulation.body(ids[i]);
        desc.options = *body.drive;
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            if (bodies[k].name == body.drive->in_step_with) {
                desc.in_step_with = simulation.body(ids[k]);
            }
        }
        if (!body.keys.empty()) {
            const Transform pose = bodies[i].placement.pose_w;
            const Vec3 start = pose.point(bodies[i].middle_b);
            desc.path = [keys = body.keys, start, pose](double time) {
                return keyed_pose(keys, start, pose, time);
            };
        }
        drives->add(desc, simulation.engine());
        has_drive = true;
    }
    if (has_drive) simulation.add_live_layer(drives);
}

}  // namespace

Status try_coat(const Scene& scene, const SceneBody& body, const BodyAsset& bone) {
    // What the bone weighs makes no coat impossible.
    const Result<DrawnCoat> made = make_drawn_coat(scene, body, bone, 0.0, nullptr);
    return made ? Status() : Status(made.error());
}

Result<BodyModel> make_coated_model(const Scene& scene, const SceneBody& body,
                                    const BodyAsset& bone, const Material& material,
                                    const StopFlag* stop) {
    const TissueOptions& options = *body.tissue;
    Result<BodyModel> model = make_body_model(bone, body, material, body_layer_files(scene, bone));
    if (!model) return model.error();
    const double bone_mass = body.motion == Motion::Dynamic ? model.value().mass.mass : 0.0;
    Result<DrawnCoat> made = make_drawn_coat(scene, body, bone, bone_mass, stop);
    if (!made) return made.error();
    auto& [coat, drawn] = made.value();
    if (options.is_rigid) {
        SceneBody rigid = body;
        rigid.mass = model.value().mass.mass + coat.mass;
        rigid.solid.size = options.extrusion * solid_size(body.solid);
        return make_body_model({drawn, 0.0, bone.centre_b}, rigid, material,
                               scene_layer_files(scene));
    }
    model.value().tissue = std::make_shared<const SoftCoat>(std::move(coat));
    model.value().asset = drawn;
    return model;
}

void add_live_layers(const Scene& scene, std::span<const PreparedBody> bodies,
                     std::span<const ObjectId> ids, std::span<const std::int32_t> filmed,
                     Simulation& simulation, Recorder& recorder) {
    add_drives(scene, bodies, ids, simulation);
    auto layer = std::make_shared<TissueLayer>(scene.tissue, scene.gravity, simulation.engine());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::shared_ptr<const SoftCoat>& model = bodies[i].model.tissue;
        if (!model) continue;
        const SceneBody& body = scene.bodies[bodies[i].scene_body];
        const std::size_t coat =
            layer->add(*model, simulation.body(ids[i]), body.drive || !body.keys.empty());
        recorder.follow(filmed[i], std::make_shared<CoatShape>(layer, coat, model->skin));
    }
    if (layer->world().size() > 0) simulation.add_live_layer(layer);
}

}  // namespace ductile
