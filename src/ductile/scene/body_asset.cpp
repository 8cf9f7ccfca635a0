// SPDX-License-Identifier: MIT
#include <ductile/core/field_messages.h>
#include <ductile/core/file.h>
#include <ductile/core/json_fields.h>
#include <ductile/deform/bend/skeleton.h>
#include <ductile/deform/dent/dent_stamp.h>
#include <ductile/deform/dent/height_map.h>
#include <ductile/deform/layers.h>
#include <ductile/geom/mass.h>
#include <ductile/io/heights/read_heights.h>
#include <ductile/io/load_asset.h>
#include <ductile/material/material.h>
#include <ductile/scene/body_asset.h>
#include <ductile/scene/builtin_rigs.h>
#include <ductile/scene/find_file.h>
#include <ductile/scene/tissue_model.h>

#include <fmt/format.h>

#include <set>
#include <system_error>

namespace ductile {
namespace {

static_assert(HeightLimits{}.side == kDentMapSide, "a picture that can be read fits a map");

constexpr double kPaintRoughness = 0.4;
// Samples along the longer side of a table of vectors, frame included.
constexpr std::int32_t kVectorTableSide = 105;

bool comes_painted(SolidKind kind) { return kind == SolidKind::Barrel || kind == SolidKind::Car; }

void paint(Look& look, const Material& material) {
    look.base_colour = material.colour;
    look.metallic = material.metallic;
    look.roughness = material.roughness;
    look.opacity = material.opacity;
}

void paint(RenderMesh& mesh, const Material& material) {
    if (mesh.looks.empty()) return;
    paint(mesh.looks[0], material);
    mesh.looks[0].name = material.name;
}

// Whether a file says nothing of a look but its name: of an OBJ whose MTL is missing.
bool is_bare(const Look& look) {
    const Look bare;
    return !look.texture && look.base_colour == bare.base_colour &&
           look.metallic == bare.metallic && look.roughness == bare.roughness &&
           look.opacity == bare.opacity;
}

std::shared_ptr<const FileSkeleton> file_skeleton(const PreparedAsset& made) {
    if (made.joints.empty()) return nullptr;
    auto out = std::make_shared<FileSkeleton>();
    for (const BodyJoint& joint : made.joints) {
        out->joints.push_back({joint.name, joint.place, joint.parent});
    }
    out->weights = made.joint_weights;
    return out;
}

Result<PreparedAsset> prepare_mesh(const Scene& scene, const SceneBody& body,
                                   const StopFlag* stop) {
    AssetOptions options = body.mesh_options;
    if (body.thickness > 0.0) {
        options.thickness = body.thickness;
        if (options.fill == Fill::Auto) options.fill = Fill::Sheet;
    }
    const Result<std::filesystem::path> drawn = find_scene_file(scene, body.mesh);
    if (!drawn) return drawn.error();
    if (body.surface_mesh.empty()) return load_asset(drawn.value(), options, {.stop = stop});
    const Result<std::filesystem::path> surface = find_scene_file(scene, body.surface_mesh);
    if (!surface) return surface.error();
    return load_asset(drawn.value(), surface.value(), options, {.stop = stop});
}

}  // namespace

std::string shape_key(const SceneBody& body) {
    Json key = write_fields(body);
    for (const char* field : {"motion", "position", "rotation", "velocity", "spin", "keys", "drive",
                              "colours", "copies"}) {
        key.erase(field);
    }
    return key.dump();
}

namespace {

// What a scene calls a rig: a file, or one that comes along.
Result<LoadedRigFile> find_rig(const Scene& scene, const std::string& name) {
    if (const auto path = find_scene_file(scene, name); path) return load_rig(path.value());
    if (const BuiltinRig* rig = find_builtin_rig(name)) return load_builtin_rig(*rig);
    return Error{"there is no rig file and no built-in rig of this name", name,
                 builtin_rig_hint(name)};
}

Result<std::shared_ptr<const ExampleRig>> read_rig(const Scene& scene, const std::string& name) {
    const Result<LoadedRigFile> loaded = find_rig(scene, name);
    if (!loaded) return loaded.error();
    if (!loaded.value().ok()) return loaded.value().errors[0];
    const Result<BuiltRig> built = build_rig(loaded.value().rig);
    if (!built) return built.error();
    return example_rig(built.value(), loaded.value().rig.weight_options.threshold);
}

}  // namespace

Result<VectorFile> read_vector_file(const std::filesystem::path& path) {
    const Result<std::string> content = read_file(path, HeightLimits{}.file_bytes);
    if (!content) return content.error();
    const std::string& text = content.value();
    const auto named = [&](const Error& error) {
        const std::string where = error.where.empty() ? "" : ": " + error.where;
        return Error{error.what, path.string() + where, error.hint};
    };
    if (!text.starts_with("PF") && !text.starts_with("Pf")) {
        Result<VectorMap> map = vector_table(text, kVectorTableSide);
        if (!map) return named(map.error());
        return VectorFile{std::move(map).value(), false};
    }
    const Result<VectorPicture> picture = read_vectors(std::as_bytes(std::span(text)));
    if (!picture) return named(picture.error());
    const VectorPicture& p = picture.value();
    Result<VectorMap> map = vector_picture(p.columns, p.rows, p.vectors, 1.0, kHeightMapSide);
    if (!map) return named(map.error());
    return VectorFile{std::move(map).value(), true};
}

LayerFiles scene_layer_files(const Scene& scene) {
    LayerFiles files;
    files.vectors = [&scene](const std::string& name) -> Result<VectorFile> {
        const Result<std::filesystem::path> path = find_scene_file(scene, name);
        if (!path) return path.error();
        return read_vector_file(path.value());
    };
    files.relief = [&scene](const std::string& name) -> Result<DentMap> {
        const Result<std::filesystem::path> path = find_scene_file(scene, name);
        if (!path) return path.error();
        const Result<HeightPicture> picture = read_heights(path.value());
        if (!picture) return picture.error();
        const HeightPicture& p = picture.value();
        return heights_map(p.columns, p.rows, p.heights, 1.0, 1.0);
    };
    files.rig = [&scene](const std::string& name) { return read_rig(scene, name); };
    return files;
}

LayerFiles body_layer_files(const Scene& scene, const BodyAsset& asset) {
    LayerFiles files = scene_layer_files(scene);
    files.skeleton = [skeleton = asset.skeleton] { return skeleton; };
    return files;
}

Result<std::filesystem::path> find_scene_file(const Scene& scene, const std::string& name) {
    return find_file(scene.folder, name, "scene");
}

std::shared_ptr<const SurfaceAsset> repainted(const std::shared_ptr<const SurfaceAsset>& asset,
                                              const Vec3& colour) {
    auto copy = std::make_shared<SurfaceAsset>(*asset);
    if (copy->render.looks.empty()) return copy;
    Look& look = copy->render.looks[0];
    look.base_colour = colour;
    // A colour is a coat of paint: bare metal has its own.
    if (look.metallic > 0.5) {
        look.metallic = 0.0;
        look.roughness = kPaintRoughness;
        look.name = "paint";
    }
    return copy;
}

Result<BodyAsset> make_body_asset(const Scene& scene, const SceneBody& body, const StopFlag* stop) {
    const Result<Material> card = find_material(body.material);
    if (!card) return card.error();
    const Material material = changed(card.value(), body.material_changes);
    BodyAsset out;
    if (body.mesh.empty()) {
        Result<SurfaceAsset> solid = make_solid(body.solid, stop);
        if (!solid) return solid.error();
        if (!comes_painted(body.solid.kind)) paint(solid.value().render, material);
        out.asset = std::make_shared<const SurfaceAsset>(std::move(solid).value());
        out.thickness = body.thickness;
        return out;
    }
    Result<PreparedAsset> prepared = prepare_mesh(scene, body, stop);
    if (!prepared) return prepared.error();
    PreparedAsset& made = prepared.value();
    if (made.report.file.looks == 0) paint(made.asset.render, material);
    for (Look& look : made.asset.render.looks) {
        if (is_bare(look)) paint(look, material);
    }
    const Box box = bounds(made.asset.surface.points);
    out.centre_b = 0.5 * (box.lower + box.upper);
    out.thickness = made.thickness;
    out.asset = std::make_shared<const SurfaceAsset>(std::move(made.asset));
    out.skeleton = file_skeleton(made);
    for (const std::string& note : made.report.notes) {
        out.notes.push_back(fmt::format("{}: {}", body.mesh, note));
    }
    return out;
}

std::vector<Error> check_shapes(const Scene& scene) {
    std::vector<Error> errors;
    std::set<std::string> tried;
    for (const SceneBody& body : scene.bodies) {
        if (!tried.insert(shape_key(body)).second) continue;
        const auto refuse = [&](const Error& error) {
            const std::string what =
                error.where.empty() ? error.what : error.where + ": " + error.what;
            const char* field = body.mesh.empty() ? "solid" : "mesh";
            errors.push_back(
                {what, pointer_below(pointer_below("/bodies", body.name), field), error.hint});
        };
        const Result<BodyAsset> made = make_body_asset(scene, body);
        if (!made) {
            refuse(made.error());
            continue;
        }
        if (const auto layers = make_layers(body.layers, body_layer_files(scene, made.value()));
            !layers) {
            errors.push_back(
                {layers.error().what,
                 pointer_below("/bodies", body.name) + "/layers" + layers.error().where,
                 layers.error().hint});
        }
        if (body.tissue) {
            if (const Status coat = try_coat(scene, body, made.value()); !coat) {
                const Error& error = coat.error();
                errors.push_back(
                    {error.what, pointer_below("/bodies", body.name) + error.where, error.hint});
            }
        }
        if (body.collider == ColliderKind::HalfSpace) continue;
        const SurfaceAsset& asset = *made.value().asset;
        const Material material =
            changed(find_material(body.material).value(), body.material_changes);
        const Result<MassProperties> mass =
            mass_properties(asset.surface.points, asset.surface.triangles,
                            {material.density, made.value().thickness}, asset.is_sheet);
        if (!mass) refuse(mass.error());
    }
    for (std::size_t i = 0; i < scene.hits.size(); ++i) {
        const std::optional<DentShapeOptions>& shape = scene.hits[i].shape;
        if (!shape) continue;
        if (const Result<DentStamp> stamp = make_stamp(*shape, scene_layer_files(scene)); !stamp) {
            const Error& error = stamp.error();
            errors.push_back(
                {error.what, fmt::format("/hits/{}/shape{}", i, error.where), error.hint});
        }
    }
    return errors;
}

}  // namespace ductile
