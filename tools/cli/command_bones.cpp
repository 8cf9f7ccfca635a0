// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/bend/sub_bodies.h>
#include <ductile/deform/bend/voxel_march.h>
#include <ductile/render/contact_sheet.h>
#include <ductile/render/image.h>
#include <ductile/scene/body_model.h>

#include "command.h"
#include "interrupt.h"
#include "picture.h"
#include "print.h"
#include "progress_bar.h"
#include "rig_pictures.h"
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

namespace ductile::cli {
namespace {

// Cubes of the field along the body's size.
constexpr double kCubesPerSize = 64.0;
// Rings of cubes around the body's box.
constexpr std::int32_t kRings = 2;

struct BonesArgs {
    std::string scene;
    std::vector<std::string> overrides;
    std::string body;
    std::string picture;
    ViewArgs view;  ///< Of the picture.
};

/// A body that bends, and what its bones make of it.
struct BonedBody {
    BodyModel model;
    const BendData* data = nullptr;
    std::vector<std::int32_t> triangles;  ///< Bone of each.
    GroupMasses masses;                   ///< Of what follows each bone.
};

Result<BonedBody> boned_body(const Scene& scene, const BonesArgs& args) {
    const auto is_it = [&](const SceneBody& body) {
        return body.layers.bend && (args.body.empty() || body.name == args.body);
    };
    const auto body = std::find_if(scene.bodies.begin(), scene.bodies.end(), is_it);
    if (body == scene.bodies.end()) {
        return Error{"the scene has no such body with a layer `bend`", args.body,
                     "name one of those that bend with --body"};
    }
    const Result<Material> card = find_material(body->material);
    if (!card) return card.error();
    const Result<BodyAsset> asset = make_body_asset(scene, *body, stop_flag());
    if (!asset) return asset.error();
    Result<BodyModel> model =
        make_body_model(asset.value(), *body, changed(card.value(), body->material_changes),
                        body_layer_files(scene, asset.value()));
    if (!model) return model.error();
    BonedBody out{std::move(model).value(), nullptr, {}, {}};
    const BodyShape& shape = *out.model.shape;
    out.data = shape.data<BendData>();
    out.triangles = triangle_bones(shape.triangles(), out.data->weights());
    std::vector<SeamJoint> joints;
    for (const SkeletonJoint& j : out.data->skeleton().joints) {
        joints.push_back({j.place, j.a, j.b});
    }
    GroupedSurface surface;
    surface.points = shape.rest();
    surface.triangles = shape.triangles();
    surface.neighbours = out.data->neighbours();
    surface.group = out.triangles;
    surface.group_count = static_cast<std::int32_t>(out.data->skeleton().bones.size());
    surface.model = shape.mass_model;
    surface.is_sheet = shape.asset->is_sheet;
    surface.joints = joints;
    Result<GroupMasses> masses = group_masses(surface);
    if (!masses) return masses.error();
    out.masses = std::move(masses).value();
    return out;
}

void print_bones(const BonedBody& body) {
    const Skeleton& skeleton = body.data->skeleton();
    print_out("{} bones, {} joints\n", skeleton.bones.size(), skeleton.joints.size());
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
        const auto count =
            std::count(body.triangles.begin(), body.triangles.end(), static_cast<std::int32_t>(b));
        print_out("  {:<18} {:.3f} m, {} triangles, {:.3f} of the mass\n", skeleton.bones[b].name,
                  (skeleton.bones[b].to - skeleton.bones[b].from).norm(), count,
                  body.masses.groups[b].mass / body.masses.whole.mass);
    }
    for (const std::string& note : body.masses.notes) print_out("  {}\n", note);
}

// Bones are handles of a rig to those who draw them.
BuiltRig rig_of_bones(const BonedBody& body) {
    BuiltRig out;
    out.asset = body.model.shape->asset;
    out.size = body.model.shape->size;
    for (const Bone& bone : body.data->skeleton().bones) {
        const HandleKind kind = bone.is_ball() ? HandleKind::Point : HandleKind::Bone;
        out.rig.handles.push_back({bone.name, kind, bone.from, bone.to});
    }
    out.rig.weights = body.data->weights();
    return out;
}

// Patkar et al. 2014, Figure 12: the body, its bones, the open surface of each, the field.
Status draw_bones(const BonedBody& body, const BonesArgs& args) {
    const BodyShape& shape = *body.model.shape;
    const Result<VoxelGroups> cubes =
        march_voxels(*shape.rest_surface, body.triangles, shape.size / kCubesPerSize, kRings);
    if (!cubes) return cubes.error();
    const BuiltRig rig = rig_of_bones(body);
    const RigPictures pictures(rig, {.width = 480, .height = 360, .view = args.view});
    const std::size_t bones = rig.rig.handles.size();
    const std::vector<std::pair<std::string, std::function<Result<Image>()>>> panels = {
        {"the body", [&] { return pictures.draw_body(); }},
        {fmt::format("bones: {}", bones), [&] { return pictures.draw_handles(bones); }},
        {"sub-bodies", [&] { return pictures.draw_parts(body.triangles); }},
        {"field, cut open", [&] { return pictures.draw_cubes(cubes.value()); }}};
    std::vector<Image> images;
    std::vector<std::string> captions;
    for (const auto& [caption, draw] : panels) {
        Result<Image> image = draw();
        if (!image) return image.error();
        images.push_back(std::move(image).value());
        captions.push_back(caption);
    }
    const Result<Image> sheet = contact_sheet(images, captions, 2);
    if (!sheet) return sheet.error();
    return write_png(args.picture, sheet.value());
}

int show_bones(const BonesArgs& args) {
    const std::optional<Scene> scene = open_scene(args.scene, args.overrides);
    if (!scene) return kBadInput;
    const Result<BonedBody> body = boned_body(*scene, args);
    if (!body) {
        print_error(error_to_print(body.error()));
        return exit_code_after(kBadInput);
    }
    print_bones(body.value());
    if (args.picture.empty()) return kFine;
    if (const Status drawn = draw_bones(body.value(), args); !drawn) {
        print_error(error_to_print(drawn.error()));
        return exit_code_after(kFailed);
    }
    return kFine;
}

}  // namespace

void add_bones(CLI::App& app, int& exit_code) {
    auto args = std::make_shared<BonesArgs>();
    CLI::App* command =
        app.add_subcommand("bones", "show the bones of a body that bends, and what follows each");
    command->add_option("scene", args->scene, "a scene file, or the name of a built-in scene")
        ->type_name("SCENE")
        ->required();
    command->add_option("--body", args->body, "which one [the first that bends]")
        ->type_name("NAME")
        ->check(not_empty);
    add_overrides(*command, args->overrides);
    add_view_options(*command, args->view);
    command
        ->add_option("--picture", args->picture, "draw bones, sub-bodies and field into this PNG")
        ->type_name("FILE")
        ->check(ends_in(".png"));
    command->callback([args, &exit_code] {
        if (const Status fine = begin_picture(args->view, args->picture, args->scene); !fine) {
            print_error(fine.error());
            exit_code = kBadInput;
            return;
        }
        exit_code = show_bones(*args);
    });
}

}  // namespace ductile::cli
