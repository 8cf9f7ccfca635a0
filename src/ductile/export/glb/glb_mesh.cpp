// SPDX-License-Identifier: MIT
#include <ductile/export/glb/glb_mesh.h>
#include <ductile/record/example_colours.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using Json = GlbBuilder::Json;

// A delta below this share of the shape tolerance is left out: it costs bytes and shows nothing.
constexpr double kNegligible = 1e-3;
// The same for normals, which have no tolerance of their own: a tenth of a grey level of 256.
constexpr double kNegligibleTurn = 4e-4;
// And for strains: a thousandth of a percent.
constexpr double kNegligibleStrain = 1e-5;
// And for colours of poses, of linear RGB: shares are recorded in 255ths.
constexpr double kNegligibleColour = 1.0 / 255.0;
// Validators take a length of 1 +- 0.0067 for a unit normal; bytes and shorts come near that.
constexpr double kUnitSlack = 5e-3;

void append(std::vector<float>& out, const Vec3& v) {
    for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]));
}

std::vector<float> gather(const std::vector<Vec3>& values, const RenderPart& part) {
    std::vector<float> out;
    out.reserve(3 * part.vertices.size());
    for (const std::int32_t v : part.vertices) append(out, values[v]);
    return out;
}

// Differences of the floats that readers will add up, so that rounding does not add up too.
std::vector<float> deltas(const std::vector<Vec3>& to, const std::vector<Vec3>& from,
                          const RenderPart& part, double negligible) {
    std::vector<float> out;
    out.reserve(3 * part.vertices.size());
    for (const std::int32_t v : part.vertices) {
        const Vec3 rest = from[v].cast<float>().cast<double>();
        const Vec3 delta = to[v] - rest;
        const bool moves = (to[v] - from[v]).norm() > negligible;
        append(out, moves ? delta : Vec3(0, 0, 0));
    }
    return out;
}

// A normal that is none (a vertex without a usable face) takes the fallback: readers want length 1.
// One that came out of a file and is of unit length for a reader goes back as it came.
Vec3 unit_or(const Vec3& n, const Vec3& fallback) {
    const double length = n.norm();
    if (std::abs(length - 1.0) <= kUnitSlack) return n;
    return length > 0.0 && std::isfinite(length) ? Vec3(n / length) : fallback;
}

bool is_damaged(const DamageMap& damage, const RenderPart& part, double negligible,
                double negligible_strain) {
    return std::any_of(part.vertices.begin(), part.vertices.end(), [&](std::int32_t v) {
        return std::abs(damage.depth[v]) > negligible || damage.scratch[v].norm() > negligible ||
               damage.strain[v] > negligible_strain;
    });
}

// Whether any of its vertices has another colour than one at rest.
bool is_posed(const std::vector<Vec3>& pose_colours, const RenderPart& part) {
    if (pose_colours.empty()) return false;
    const Vec3 rest = example_colour(Vec3::Zero());
    return std::any_of(part.vertices.begin(), part.vertices.end(), [&](std::int32_t v) {
        return (pose_colours[v] - rest).norm() > kNegligibleColour;
    });
}

std::vector<float> gather(const std::vector<double>& values, const RenderPart& part) {
    std::vector<float> out;
    out.reserve(part.vertices.size());
    for (const std::int32_t v : part.vertices) out.push_back(static_cast<float>(values[v]));
    return out;
}

bool is_still(const std::vector<float>& deltas) {
    return std::all_of(deltas.begin(), deltas.end(), [](float x) { return x == 0.0f; });
}

double unit(double x) { return std::clamp(x, 0.0, 1.0); }

}  // namespace

int GlbMeshes::add_picture(const std::shared_ptr<const Texture>& picture) {
    const auto [known, is_new] = textures_.try_emplace(picture.get(), 0);
    if (!is_new) return known->second;
    pictures_.push_back(picture);
    Json image = Json::object();
    if (!picture->name.empty()) image["name"] = picture->name;
    image["mimeType"] = picture->mime_type;
    image["bufferView"] = builder_.add_bytes(picture->bytes);
    const int source = builder_.add("images", std::move(image));
    return known->second = builder_.add("textures", {{"source", source}});
}

// Importers that file materials by their names take two of one name for the same.
std::string GlbMeshes::unique_name(const std::string& name) {
    std::string out = name;
    for (int i = 2; !look_names_.insert(out).second; ++i) out = fmt::format("{}-{}", name, i);
    return out;
}

int GlbMeshes::add_look(const Look& look, bool is_two_sided) {
    const std::vector<double> numbers = {unit(look.base_colour.x()), unit(look.base_colour.y()),
                                         unit(look.base_colour.z()), unit(look.opacity),
                                         unit(look.metallic),        unit(look.roughness)};
    const Texture* picture =
        look.texture && !look.texture->bytes.empty() ? look.texture.get() : nullptr;
    const bool has_holes = picture && look.has_holes;
    const auto [known, is_new] =
        looks_.try_emplace({look.name, numbers, is_two_sided, has_holes, picture}, 0);
    if (!is_new) return known->second;
    Json material = Json::object();
    material["name"] = unique_name(look.name.empty() ? "material" : look.name);
    Json& shading = material["pbrMetallicRoughness"];
    shading["baseColorFactor"] = {numbers[0], numbers[1], numbers[2], numbers[3]};
    if (picture) shading["baseColorTexture"] = {{"index", add_picture(look.texture)}};
    shading["metallicFactor"] = numbers[4];
    shading["roughnessFactor"] = numbers[5];
    if (has_holes) material["alphaMode"] = "MASK";
    if (numbers[3] < 1.0) material["alphaMode"] = "BLEND";
    if (is_two_sided) material["doubleSided"] = true;
    return known->second = builder_.add("materials", std::move(material));
}

Json GlbMeshes::primitive_of(const Asset& asset, const RenderPart& part, bool is_open) {
    const RenderMesh& mesh = asset.source->render;
    const Look& look = mesh.looks[part.look];
    Json attributes = Json::object();
    attributes["POSITION"] = builder_.add_vertices(gather(mesh.points, part), 3);
    attributes["NORMAL"] = builder_.add_vertices(gather(asset.normals, part), 3);
    if (!mesh.uvs.empty()) {
        std::vector<float> uvs;
        uvs.reserve(2 * part.vertices.size());
        for (const std::int32_t v : part.vertices) {
            for (int i = 0; i < 2; ++i) uvs.push_back(static_cast<float>(mesh.uvs[v][i]));
        }
        attributes["TEXCOORD_0"] = builder_.add_vertices(uvs, 2);
    }
    if (!mesh.colours.empty()) {
        std::vector<float> colours;
        colours.reserve(4 * part.vertices.size());
        for (const std::int32_t v : part.vertices) {
            for (int i = 0; i < 4; ++i) colours.push_back(static_cast<float>(mesh.colours[v][i]));
        }
        attributes["COLOR_0"] = builder_.add_vertices(colours, 4);
    }
    if (!mesh.file_vertices.empty()) {
        std::vector<float> file_vertices;  // Floats hold whole numbers up to 16 million.
        file_vertices.reserve(part.vertices.size());
        for (const std::int32_t v : part.vertices) {
            file_vertices.push_back(static_cast<float>(mesh.file_vertices.of_drawn[v]));
        }
        attributes["_FILE_VERTEX"] = builder_.add_vertices(file_vertices, 1);
    }
    std::vector<std::uint32_t> corners;
    corners.reserve(3 * part.triangles.size());
    for (const Triangle& t : part.triangles) {
        for (const std::int32_t v : t) corners.push_back(static_cast<std::uint32_t>(v));
    }
    return {{"attributes", std::move(attributes)},
            {"indices", builder_.add_indices(corners, part.vertices.size())},
            {"material", add_look(look, look.is_two_sided || is_open)}};
}

GlbMeshes::Asset& GlbMeshes::asset_of(const RecordedBody& body) {
    for (const std::unique_ptr<Asset>& known : assets_) {
        if (known->source == body.asset) return *known;
    }
    assets_.push_back(std::make_unique<Asset>());
    Asset& asset = *assets_.back();
    asset.source = body.asset;
    const RenderMesh& mesh = body.asset->render;
    asset.normals = mesh.normals;
    for (Vec3& n : asset.normals) n = unit_or(n, Vec3::UnitY());
    if (mesh.parts.empty()) asset.parts.push_back({"", split_by_look(mesh), Json::array()});
    for (const MeshPart& part : mesh.parts) {
        asset.parts.push_back({part.name, split_by_look(mesh, part), Json::array()});
    }
    // Parts come from a file: its materials keep their order, used or not, and know their sides.
    if (!mesh.parts.empty()) {
        for (const Look& look : mesh.looks) add_look(look, look.is_two_sided);
    }
    const bool is_open = mesh.parts.empty() && !is_closed(body.asset->surface.triangles);
    for (Part& part : asset.parts) {
        for (const RenderPart& look : part.looks) {
            part.primitives.push_back(primitive_of(asset, look, is_open));
        }
    }
    return asset;
}

void GlbMeshes::add_targets(const Asset& asset, const Part& part, std::size_t key, double tolerance,
                            Targets& targets) {
    const std::vector<Vec3>& rest = asset.source->render.points;
    std::vector<std::vector<float>> moves, turns;
    // A body without parts has a target for every key.
    bool moves_at_all = asset.source->render.parts.empty();
    for (const RenderPart& look : part.looks) {
        moves.push_back(deltas(points_, rest, look, kNegligible * tolerance));
        turns.push_back(
            deltas(normals_, asset.normals, look, tolerance > 0.0 ? kNegligibleTurn : 0.0));
        moves_at_all = moves_at_all || !is_still(moves.back()) || !is_still(turns.back());
    }
    if (!moves_at_all) return;
    targets.keys.push_back(key);
    for (std::size_t p = 0; p < part.looks.size(); ++p) {
        targets.of_primitive[p].push_back({{"POSITION", builder_.add_deltas(moves[p])},
                                           {"NORMAL", builder_.add_deltas(turns[p])}});
    }
}

std::vector<GlbMeshes::Targets> GlbMeshes::targets_of(const Asset& asset, const RecordedBody& body,
                                                      const ShapeTrack& shapes, double tolerance) {
    std::vector<Targets> targets;
    for (const Part& part : asset.parts) {
        targets.push_back({{}, std::vector<Json>(part.looks.size(), Json::array())});
    }
    if (shapes.keys.empty()) return targets;
    const RenderSkin skin(asset.source);
    for (std::size_t key = 0; key < shapes.keys.size(); ++key) {
        skin.pose(body.shapes[shapes.keys[key]], points_, normals_);
        for (std::size_t v = 0; v < normals_.size(); ++v) {
            normals_[v] = unit_or(normals_[v], asset.normals[v]);
        }
        for (std::size_t p = 0; p < asset.parts.size(); ++p) {
            add_targets(asset, asset.parts[p], key, tolerance, targets[p]);
        }
    }
    return targets;
}

Json GlbMeshes::damage_of(const RenderPart& look, const DamageMap& damage, double tolerance) {
    const double least_strain = tolerance > 0.0 ? kNegligibleStrain : 0.0;
    if (!is_damaged(damage, look, kNegligible * tolerance, least_strain)) return {};
    return {{"_DENT_DEPTH", builder_.add_vertices(gather(damage.depth, look), 1)},
            {"_STRAIN", builder_.add_vertices(gather(damage.strain, look), 1)},
            {"_SCRATCH", builder_.add_vertices(gather(damage.scratch, look), 3)}};
}

std::vector<GlbPartMesh> GlbMeshes::add_body(const RecordedBody& body, const ShapeTrack& shapes,
                                             double tolerance, const GlbMarks& marks) {
    Asset& asset = asset_of(body);
    std::vector<Targets> targets = targets_of(asset, body, shapes, tolerance);
    std::vector<GlbPartMesh> meshes(asset.parts.size());
    for (std::size_t p = 0; p < asset.parts.size(); ++p) {
        Part& part = asset.parts[p];
        if (part.looks.empty()) continue;
        std::vector<Json> attributes;
        for (const RenderPart& look : part.looks) {
            Json of_look = marks.damage ? damage_of(look, *marks.damage, tolerance) : Json();
            if (is_posed(marks.pose_colours, look)) {
                of_look["_POSE_COLOUR"] =
                    builder_.add_vertices(gather(marks.pose_colours, look), 3);
            }
            attributes.push_back(std::move(of_look));
        }
        const bool is_marked = std::any_of(attributes.begin(), attributes.end(),
                                           [](const Json& a) { return !a.is_null(); });
        const bool is_at_rest = targets[p].keys.empty() && !is_marked;
        if (is_at_rest && part.rest_mesh >= 0) {
            meshes[p].mesh = part.rest_mesh;
            continue;
        }
        const bool is_whole = asset.source->render.parts.empty();
        Json mesh = {{"name", is_whole ? body.name : part.name}, {"primitives", part.primitives}};
        for (std::size_t k = 0; k < attributes.size(); ++k) {
            if (!attributes[k].is_null()) mesh["primitives"][k]["attributes"].update(attributes[k]);
        }
        if (!targets[p].keys.empty()) {
            const std::vector<double> weights = key_weights(shapes, shapes.frames[0]);
            Json names = Json::array(), first = Json::array();
            for (const std::size_t key : targets[p].keys) {
                // targetNames is what Blender and three.js read to label shape keys.
                names.push_back("shape " + std::to_string(shapes.keys[key]));
                first.push_back(weights[key]);
            }
            for (std::size_t k = 0; k < part.looks.size(); ++k) {
                mesh["primitives"][k]["targets"] = std::move(targets[p].of_primitive[k]);
            }
            mesh["weights"] = std::move(first);
            mesh["extras"] = {{"targetNames", std::move(names)}, {"shape_error", shapes.error}};
        }
        meshes[p].mesh = builder_.add("meshes", std::move(mesh));
        meshes[p].keys = std::move(targets[p].keys);
        if (is_at_rest) part.rest_mesh = meshes[p].mesh;
    }
    return meshes;
}

}  // namespace ductile
