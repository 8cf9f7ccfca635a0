// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/gltf_parts.h>

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace ductile {
namespace {

constexpr std::uint64_t kMostModes = 6;  // points, 3 x lines, triangles, strip, fan
constexpr std::uint64_t kTriangles = 4;
// Sets of four joints a vertex may hang on, and shapes a mesh may take; real files stay far below.
constexpr std::size_t kMostJointSets = 64, kMostMorphs = 1024;

bool is_unsigned(GltfNumber type) {
    return type == GltfNumber::Uint8 || type == GltfNumber::Uint16 || type == GltfNumber::Uint32;
}

std::int32_t read_attribute(const JsonPlace& place, const GltfDocument& out, int narrow, int wide) {
    const std::int32_t index = place.reference(out.accessors.size(), "accessor");
    if (index < 0) return index;
    const GltfAccessor& accessor = out.accessors[index];
    if (accessor.width < narrow || accessor.width > wide) {
        place.refuse(fmt::format("accessor {} has {} numbers per vertex, not {}", index,
                                 accessor.width, narrow));
    }
    return index;
}

void check_counts(const JsonPlace& place, const GltfPrimitive& p, const GltfDocument& out) {
    if (p.attributes[GltfPrimitive::Position] < 0) return;
    const std::uint64_t count = out.accessors[p.attributes[GltfPrimitive::Position]].count;
    const auto check = [&](const char* key, std::span<const std::int32_t> accessors) {
        for (const std::int32_t index : accessors) {
            if (index < 0 || out.accessors[index].count == count) continue;
            place[key].refuse(fmt::format("accessor {} has {} elements for {} vertices", index,
                                          out.accessors[index].count, count));
        }
    };
    check("attributes", p.attributes);
    check("attributes", p.joints);
    check("attributes", p.weights);
    check("targets", p.morphs);
    const std::uint64_t corners = p.indices < 0 ? count : out.accessors[p.indices].count;
    if (p.mode == kTriangles && corners % 3 != 0) {
        (p.indices < 0 ? place["attributes"]["POSITION"] : place["indices"])
            .refuse(fmt::format("{} corners are no whole number of triangles", corners));
    }
}

// All sets of joints; one that lacks its weights, or the other way round, ends them.
void read_joints(const JsonPlace& attributes, const GltfDocument& out, GltfPrimitive& p) {
    for (std::size_t set = 0; set < kMostJointSets; ++set) {
        const std::string joints = fmt::format("JOINTS_{}", set);
        const std::string weights = fmt::format("WEIGHTS_{}", set);
        const std::int32_t index = read_attribute(attributes[joints.c_str()], out, 4, 4);
        if (index >= 0 && !is_unsigned(out.accessors[index].type)) {
            attributes[joints.c_str()].refuse("joints must be unsigned whole numbers");
        }
        const std::int32_t shares = read_attribute(attributes[weights.c_str()], out, 4, 4);
        if (index < 0 || shares < 0) return;
        p.joints.push_back(index);
        p.weights.push_back(shares);
    }
}

void read_morphs(const JsonPlace& targets, const GltfDocument& out, GltfPrimitive& p) {
    if (targets.size() > kMostMorphs) {
        targets.refuse(
            fmt::format("{} morph targets; at most {} are taken", targets.size(), kMostMorphs));
        return;
    }
    for (std::size_t t = 0; t < targets.size(); ++t) {
        p.morphs.push_back(read_attribute(targets.item(t)["POSITION"], out, 3, 3));
    }
}

// All primitives of a mesh have the same targets; their names are where Blender writes them.
std::vector<std::string> read_morph_names(const JsonPlace& mesh, const GltfMesh& read) {
    std::size_t count = 0;
    for (const GltfPrimitive& p : read.primitives) count = std::max(count, p.morphs.size());
    std::vector<std::string> out;
    for (std::size_t t = 0; t < count; ++t) out.push_back(fmt::format("morph {}", t));
    // Extras are anybody's: what is not as Blender writes it says nothing, and is no mistake.
    const Json* extras = mesh["extras"].json();
    if (!extras || !extras->is_object() || !extras->contains("targetNames")) return out;
    const Json& names = (*extras)["targetNames"];
    for (std::size_t t = 0; t < count && names.is_array() && t < names.size(); ++t) {
        if (names[t].is_string()) out[t] = names[t].get<std::string>();
    }
    return out;
}

GltfPrimitive read_primitive(const JsonPlace& place, const GltfDocument& out) {
    using P = GltfPrimitive;
    P p;
    p.mode = place["mode"].whole(kTriangles, kMostModes);
    p.material = place["material"].reference(out.materials.size(), "material");
    p.indices = read_attribute(place["indices"], out, 1, 1);
    if (p.indices >= 0 && !is_unsigned(out.accessors[p.indices].type)) {
        place["indices"].refuse("indices must be unsigned whole numbers");
    }
    const JsonPlace attributes = place["attributes"].required();
    const int uv_set = p.material < 0 ? 0 : out.materials[p.material].uv_set;
    p.attributes[P::Position] = read_attribute(attributes["POSITION"], out, 3, 3);
    p.attributes[P::Normal] = read_attribute(attributes["NORMAL"], out, 3, 3);
    p.attributes[P::Uv] =
        read_attribute(attributes[fmt::format("TEXCOORD_{}", uv_set).c_str()], out, 2, 2);
    p.attributes[P::Colour] = read_attribute(attributes["COLOR_0"], out, 3, 4);
    read_joints(attributes, out, p);
    read_morphs(place["targets"], out, p);
    check_counts(place, p, out);
    return p;
}

}  // namespace

void read_gltf_meshes(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["meshes"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace place = list.item(i), primitives = place["primitives"].required();
        GltfMesh mesh;
        mesh.name = place["name"].text_or("");
        for (std::size_t k = 0; k < primitives.size(); ++k) {
            mesh.primitives.push_back(read_primitive(primitives.item(k), out));
        }
        mesh.morph_names = read_morph_names(place, mesh);
        out.meshes.push_back(std::move(mesh));
    }
}

}  // namespace ductile
