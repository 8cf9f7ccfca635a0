// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/gltf_parts.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile {
namespace {

constexpr std::uint64_t kMostUvSets = 15;
constexpr std::uint64_t kRepeat = 10497;

double unit(double x) { return std::clamp(x, 0.0, 1.0); }

void add_note_once(GltfDocument& out, std::string note) {
    if (std::find(out.notes.begin(), out.notes.end(), note) == out.notes.end()) {
        out.notes.push_back(std::move(note));
    }
}

void read_images(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace list = root["images"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace place = list.item(i);
        GltfImage image;
        image.name = place["name"].text_or("");
        image.uri = place["uri"].text();
        image.view = place["bufferView"].reference(out.views.size(), "bufferView");
        if (!image.uri && image.view < 0) place.refuse("has neither uri nor bufferView");
        out.images.push_back(std::move(image));
    }
}

// The image of each texture, or -1 where only an extension has one.
std::vector<std::int32_t> read_textures(const JsonPlace& root, GltfDocument& out) {
    const JsonPlace samplers = root["samplers"], list = root["textures"];
    std::vector<bool> repeats;
    for (std::size_t s = 0; s < samplers.size(); ++s) {
        repeats.push_back(samplers.item(s)["wrapS"].whole(kRepeat, 0xffff) == kRepeat &&
                          samplers.item(s)["wrapT"].whole(kRepeat, 0xffff) == kRepeat);
    }
    std::vector<std::int32_t> images;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonPlace place = list.item(i);
        images.push_back(place["source"].reference(out.images.size(), "image"));
        if (images.back() < 0) {
            add_note_once(out, "a picture that is neither PNG nor JPEG is left out");
        }
        const std::int32_t s = place["sampler"].reference(samplers.size(), "sampler");
        if (s >= 0 && !repeats[s]) {
            add_note_once(out, "pictures are taken to repeat, though a sampler says otherwise");
        }
    }
    return images;
}

void read_picture(const JsonPlace& place, const std::vector<std::int32_t>& textures,
                  GltfMaterial& material, GltfDocument& out) {
    if (!place.exists()) return;
    const std::int32_t texture = place["index"].required().reference(textures.size(), "texture");
    if (texture >= 0) material.image = textures[texture];
    material.uv_set = static_cast<int>(place["texCoord"].whole(0, kMostUvSets));
    if (place["extensions"]["KHR_texture_transform"].exists()) {
        add_note_once(out, "KHR_texture_transform is left out: pictures may sit elsewhere");
    }
}

// The image of a picture that is not shown as such.
std::int32_t read_image(const JsonPlace& place, const std::vector<std::int32_t>& textures) {
    if (!place.exists()) return -1;
    const std::int32_t texture = place["index"].required().reference(textures.size(), "texture");
    return texture < 0 ? -1 : textures[texture];
}

void set_colour(const JsonPlace& place, GltfMaterial& material, double* rgba) {
    place.numbers(rgba, 4);
    material.look.base_colour = Vec3(unit(rgba[0]), unit(rgba[1]), unit(rgba[2]));
}

GltfMaterial read_material(const JsonPlace& place, const std::vector<std::int32_t>& textures,
                           GltfDocument& out) {
    GltfMaterial material;
    Look& look = material.look;
    look.name = place["name"].text_or("");
    double rgba[4] = {1, 1, 1, 1};
    const JsonPlace pbr = place["pbrMetallicRoughness"];
    set_colour(pbr["baseColorFactor"], material, rgba);
    look.metallic = unit(pbr["metallicFactor"].number(1.0));
    look.roughness = unit(pbr["roughnessFactor"].number(1.0));
    read_picture(pbr["baseColorTexture"], textures, material, out);
    const JsonPlace glossy = place["extensions"]["KHR_materials_pbrSpecularGlossiness"];
    if (glossy.exists() && !pbr.exists()) {
        set_colour(glossy["diffuseFactor"], material, rgba);
        look.metallic = 0.0;
        look.roughness = 1.0 - unit(glossy["glossinessFactor"].number(1.0));
        read_picture(glossy["diffuseTexture"], textures, material, out);
        add_note_once(out, "materials by specular and glossiness keep their diffuse colour only");
    }
    const std::string mode = place["alphaMode"].text_or("OPAQUE");
    look.opacity = mode == "BLEND" ? unit(rgba[3]) : 1.0;
    look.has_holes = mode != "OPAQUE" && material.image >= 0;
    look.is_two_sided = place["doubleSided"].flag(false);
    material.metal_image = read_image(pbr["metallicRoughnessTexture"], textures);
    material.has_metal_picture = pbr["metallicRoughnessTexture"].exists();
    material.occlusion_image = read_image(place["occlusionTexture"], textures);
    material.occlusion_strength = unit(place["occlusionTexture"]["strength"].number(1.0));
    if (place["normalTexture"].exists() || place["emissiveTexture"].exists()) {
        add_note_once(out, "pictures of normals and glow are left out");
    }
    return material;
}

}  // namespace

void read_gltf_materials(const JsonPlace& root, GltfDocument& out) {
    read_images(root, out);
    const std::vector<std::int32_t> textures = read_textures(root, out);
    const JsonPlace list = root["materials"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        out.materials.push_back(read_material(list.item(i), textures, out));
    }
}

}  // namespace ductile
