// SPDX-License-Identifier: MIT
// Khronos Group, "glTF 2.0 Specification", sections 3.6 (binary data) and 5 (properties).
//
// The issue of reading strangers' glTF is to believe nothing. tinygltf copies and decodes while it
// reads, by recursion and without limits; everything it would look at has to be checked before,
// and after that check nothing but a few loops over plain numbers is left to do. So they are here.
#include <ductile/io/gltf/gltf_document.h>
#include <ductile/io/gltf/gltf_parts.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile {
namespace {

// No file is longer; sums and products of two such numbers fit 64 bits.
constexpr std::uint64_t kMostBytes = 0xffffffff;
constexpr std::uint64_t kMostStride = 252;
// Of nodes, meshes and so on, each: far beyond real scenes, and it keeps "{},{},..." cheap.
constexpr std::size_t kMostItems = 500'000;

// What may be required although it is not read: it changes how a surface looks, not where it is.
bool is_harmless(std::string_view extension) {
    static constexpr std::string_view known[] = {"KHR_mesh_quantization", "KHR_texture_transform",
                                                 "KHR_lights_punctual",   "KHR_texture_basisu",
                                                 "EXT_texture_webp",      "KHR_xmp_json_ld",
                                                 "KHR_animation_pointer", "KHR_node_visibility"};
    return extension.starts_with("KHR_materials_") ||
           std::find(std::begin(known), std::end(known), extension) != std::end(known);
}

void check_extensions(const JsonPlace& root) {
    const JsonPlace required = root["extensionsRequired"];
    for (std::size_t i = 0; i < required.size(); ++i) {
        const std::string name = required.item(i).text_or("");
        if (is_harmless(name)) continue;
        const bool is_packed = name == "KHR_draco_mesh_compression" ||
                               name == "EXT_meshopt_compression" ||
                               name == "KHR_meshopt_compression";
        required.item(i).refuse(
            fmt::format("the file needs the extension {}, which is not read", name),
            is_packed ? "export it again without mesh compression" : "export it again without it");
    }
}

void check_sizes(const JsonPlace& root) {
    for (const char* list : {"buffers", "bufferViews", "accessors", "images", "samplers",
                             "textures", "materials", "meshes", "nodes", "skins", "animations"}) {
        const std::size_t size = root[list].size();
        if (size > kMostItems) {
            root[list].refuse(fmt::format("{} items are more than {}", size, kMostItems));
        }
    }
}

void read_buffers(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["buffers"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace place = list.item(i);
        GltfBuffer buffer;
        buffer.length = place["byteLength"].required().whole(0, kMostBytes);
        buffer.uri = place["uri"].text();
        out.buffers.push_back(buffer);
    }
}

void read_views(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["bufferViews"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace place = list.item(i);
        GltfView view;
        view.buffer = place["buffer"].required().reference(out.buffers.size(), "buffer");
        view.offset = place["byteOffset"].whole(0, kMostBytes);
        view.length = place["byteLength"].required().whole(0, kMostBytes);
        view.stride = place["byteStride"].whole(0, kMostStride);
        const std::uint64_t room = view.buffer < 0 ? 0 : out.buffers[view.buffer].length;
        if (view.offset > room) {
            place["byteOffset"].refuse(
                fmt::format("begins at byte {} of a buffer of {}", view.offset, room));
        } else if (view.length > room - view.offset) {
            place["byteLength"].refuse(fmt::format("{} bytes from byte {} on, in a buffer of {}",
                                                   view.length, view.offset, room));
        }
        out.views.push_back(view);
    }
}

int width_of(const JsonPlace& place) {
    const std::string name = place.required().text_or("");
    static constexpr std::pair<std::string_view, int> known[] = {
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
        {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (const auto& [type, width] : known) {
        if (name == type) return width;
    }
    place.refuse("must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
    return 1;
}

GltfNumber number_type(const JsonPlace& place) {
    const std::uint64_t code = place.required().whole(5126, kMostBytes);
    if ((code >= 5120 && code <= 5123) || code == 5125 || code == 5126) {
        return static_cast<GltfNumber>(code);
    }
    place.refuse(fmt::format("{} is no type of numbers", code), "5120 to 5123, 5125 and 5126 are");
    return GltfNumber::Float;
}

// `place` is what claims `count` elements of `size` bytes, `stride` apart, from `offset` on.
void check_range(const JsonPlace& place, const GltfView& view, std::uint64_t offset,
                 std::uint64_t size, std::uint64_t stride, std::uint64_t count) {
    if (count == 0) return;
    const std::uint64_t last = stride * (count - 1) + size;  // both below 2^32
    if (offset > view.length || last > view.length - offset) {
        place.refuse(fmt::format("{} elements from byte {} on do not fit a view of {} bytes", count,
                                 offset, view.length));
    }
}

GltfSparse read_sparse(const JsonPlace& place, const GltfDocument& out, const GltfAccessor& of) {
    GltfSparse sparse;
    if (!place.exists()) return sparse;
    const std::size_t views = out.views.size();
    sparse.count = place["count"].required().whole(0, kMostBytes);
    if (sparse.count > of.count) {
        place["count"].refuse(fmt::format("replaces {} elements of {}", sparse.count, of.count));
    }
    const JsonPlace indices = place["indices"].required();
    sparse.index_view = indices["bufferView"].required().reference(views, "bufferView");
    sparse.index_offset = indices["byteOffset"].whole(0, kMostBytes);
    sparse.index_type = number_type(indices["componentType"]);
    const GltfNumber t = sparse.index_type;
    if (t != GltfNumber::Uint8 && t != GltfNumber::Uint16 && t != GltfNumber::Uint32) {
        indices["componentType"].refuse("indices must be unsigned whole numbers");
    }
    const JsonPlace values = place["values"].required();
    sparse.value_view = values["bufferView"].required().reference(views, "bufferView");
    sparse.value_offset = values["byteOffset"].whole(0, kMostBytes);
    if (sparse.index_view < 0 || sparse.value_view < 0) return {};
    check_range(indices, out.views[sparse.index_view], sparse.index_offset, size_of(t), size_of(t),
                sparse.count);
    check_range(values, out.views[sparse.value_view], sparse.value_offset, of.element_size(),
                of.element_size(), sparse.count);
    return sparse;
}

void read_accessors(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["accessors"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace place = list.item(i);
        GltfAccessor accessor;
        accessor.view = place["bufferView"].reference(out.views.size(), "bufferView");
        accessor.offset = place["byteOffset"].whole(0, kMostBytes);
        accessor.type = number_type(place["componentType"]);
        accessor.width = width_of(place["type"]);
        accessor.is_normalized = place["normalized"].flag(false);
        accessor.count = place["count"].required().whole(0, kMostBytes);
        if (accessor.view >= 0) {
            const GltfView& view = out.views[accessor.view];
            const std::uint64_t size = accessor.element_size();
            if (view.stride != 0 && view.stride < size) {
                place["bufferView"].refuse(
                    fmt::format("elements of {} bytes overlap in a view with a byteStride of {}",
                                size, view.stride));
            }
            check_range(place["count"], view, accessor.offset, size, std::max(size, view.stride),
                        accessor.count);
        }
        accessor.sparse = read_sparse(place["sparse"], out, accessor);
        out.accessors.push_back(accessor);
    }
}

}  // namespace

std::size_t size_of(GltfNumber type) {
    switch (type) {
        case GltfNumber::Int8:
        case GltfNumber::Uint8:
            return 1;
        case GltfNumber::Int16:
        case GltfNumber::Uint16:
            return 2;
        default:
            return 4;
    }
}

Result<GltfDocument> read_gltf_document(const Json& json) {
    if (!json.is_object() || !json.contains("asset")) {
        const bool is_scene = json.is_object() && json.contains("bodies");
        return Error{"is not glTF: it has no \"asset\"", "#/asset",
                     is_scene ? "this is a scene: `ductile check` and `ductile run` read it" : ""};
    }
    std::optional<Error> error;
    const JsonPlace root(json, error);
    GltfDocument out;
    const JsonPlace asset = root["asset"].required();
    const std::string version = asset["version"].required().text_or("");
    if (!error && !version.starts_with("2.")) {
        asset["version"].refuse(fmt::format("is glTF {}, and only 2.0 is read", version),
                                "export it again as glTF 2.0");
    }
    check_extensions(root);
    check_sizes(root);
    if (error) return *error;
    read_buffers(root, out);
    read_views(root, out);
    read_accessors(root, out);
    read_gltf_materials(root, out);
    read_gltf_meshes(root, out);
    read_gltf_nodes(root, out);
    read_gltf_animations(root, out);
    if (error) return *error;
    return out;
}

}  // namespace ductile
