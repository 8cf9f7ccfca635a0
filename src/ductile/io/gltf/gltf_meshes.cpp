// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/gltf_parts.h>

#include <fmt/format.h>

namespace ductile {
namespace {

constexpr std::uint64_t kMostModes = 6;  // points, 3 x lines, triangles, strip, fan
constexpr std::uint64_t kTriangles = 4;

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
    for (const std::int32_t index : p.attributes) {
        if (index < 0 || out.accessors[index].count == count) continue;
        place["attributes"].refuse(fmt::format("accessor {} has {} elements for {} vertices", index,
                                               out.accessors[index].count, count));
    }
    const std::uint64_t corners = p.indices < 0 ? count : out.accessors[p.indices].count;
    if (p.mode == kTriangles && corners % 3 != 0) {
        (p.indices < 0 ? place["attributes"]["POSITION"] : place["indices"])
            .refuse(fmt::format("{} corners are no whole number of triangles", corners));
    }
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
    p.attributes[P::Joints] = read_attribute(attributes["JOINTS_0"], out, 4, 4);
    p.attributes[P::Weights] = read_attribute(attributes["WEIGHTS_0"], out, 4, 4);
    const std::int32_t joints = p.attributes[P::Joints];
    if (joints >= 0 && !is_unsigned(out.accessors[joints].type)) {
        attributes["JOINTS_0"].refuse("joints must be unsigned whole numbers");
    }
    check_counts(place, p, out);
    return p;
}

}  // namespace

void read_gltf_meshes(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["meshes"];
    bool has_targets = false, has_more_joints = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace place = list.item(i), primitives = place["primitives"].required();
        GltfMesh mesh;
        mesh.name = place["name"].text_or("");
        for (std::size_t k = 0; k < primitives.size(); ++k) {
            mesh.primitives.push_back(read_primitive(primitives.item(k), out));
            has_targets = has_targets || primitives.item(k)["targets"].size() > 0;
            has_more_joints =
                has_more_joints || primitives.item(k)["attributes"]["JOINTS_1"].exists();
        }
        out.meshes.push_back(std::move(mesh));
    }
    if (has_targets) out.notes.push_back("morph targets are left out");
    if (has_more_joints) out.notes.push_back("of more than four joints a vertex, four are kept");
}

}  // namespace ductile
