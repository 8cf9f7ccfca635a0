// SPDX-License-Identifier: MIT
#include <ductile/io/gltf/gltf_parts.h>

#include <doctest/doctest.h>

#include <string>

using namespace ductile;

namespace {

/// Reads one part of a document; what the parts before it would have left is filled in first.
struct PartReading {
    explicit PartReading(const char* text) : json(Json::parse(text)) {}

    void add_accessor(int width, std::uint64_t count, GltfNumber type = GltfNumber::Float) {
        GltfAccessor accessor;
        accessor.width = width;
        accessor.count = count;
        accessor.type = type;
        out.accessors.push_back(accessor);
    }
    /// Where the first mistake stands; empty for none.
    std::string read(void (*part)(const JsonPlace&, GltfDocument&)) {
        std::optional<Error> error;
        part(JsonPlace(json, error), out);
        return error ? error->where : "";
    }

    Json json;
    GltfDocument out;
};

}  // namespace

TEST_CASE("materials are clamped, and name the image behind their texture") {
    PartReading reading(R"({"images": [{"uri": "a.png"}, {"uri": "b.png"}],
        "textures": [{"source": 1}, {}],
        "materials": [{"name": "glass", "alphaMode": "BLEND", "doubleSided": true,
            "pbrMetallicRoughness": {"baseColorFactor": [2, 0.5, -1, 0.25], "roughnessFactor": 0.5,
                "baseColorTexture": {"index": 0, "texCoord": 2}}}, {}]})");
    REQUIRE(reading.read(read_gltf_materials) == "");
    REQUIRE(reading.out.materials.size() == 2);
    const GltfMaterial& glass = reading.out.materials[0];
    CHECK(glass.look.base_colour == Vec3(1, 0.5, 0));
    CHECK(glass.look.opacity == 0.25);
    CHECK(glass.look.roughness == 0.5);
    CHECK(glass.look.is_two_sided);
    CHECK(glass.look.has_holes);
    CHECK(glass.image == 1);
    CHECK(glass.uv_set == 2);
    CHECK(reading.out.materials[1].look.metallic == 1.0);  // The specification's default.
    CHECK(reading.out.notes.size() == 1);                  // The texture without a source.

    PartReading bad(R"({"textures": [{"source": 0}]})");
    CHECK(bad.read(read_gltf_materials) == "#/textures/0/source");
}

TEST_CASE("a primitive's attributes have usable widths, types and one length") {
    const auto read = [](const char* primitive) {
        PartReading reading(
            (R"({"meshes": [{"primitives": [)" + std::string(primitive) + "]}]}").c_str());
        reading.add_accessor(3, 6);
        reading.add_accessor(3, 5);
        reading.add_accessor(2, 6);
        reading.add_accessor(1, 6, GltfNumber::Uint16);
        reading.add_accessor(1, 7, GltfNumber::Uint16);
        reading.add_accessor(1, 6, GltfNumber::Float);
        return reading.read(read_gltf_meshes);
    };
    const std::string at = "#/meshes/0/primitives/0/";
    CHECK(read(R"({"attributes": {"POSITION": 0, "TEXCOORD_0": 2}, "indices": 3})") == "");
    CHECK(read(R"({"attributes": {"POSITION": 2}})") == at + "attributes/POSITION");
    CHECK(read(R"({"attributes": {"POSITION": 0, "NORMAL": 1}})") == at + "attributes");
    CHECK(read(R"({"attributes": {"POSITION": 1}})") == at + "attributes/POSITION");  // 5 corners.
    CHECK(read(R"({"attributes": {"POSITION": 0}, "indices": 4})") == at + "indices");
    CHECK(read(R"({"attributes": {"POSITION": 0}, "indices": 5})") == at + "indices");
    CHECK(read(R"({"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}]})") ==
          at + "targets");
    CHECK(read(R"({"indices": 3})") == at + "attributes");
}

TEST_CASE("nodes are trees with poses, and roots are those of the default scene") {
    PartReading reading(R"({"scene": 1, "scenes": [{"nodes": [1]}, {"nodes": [2]}],
        "nodes": [{"name": "child", "translation": [1, 2, 3], "scale": [2, 2, 2]},
                  {"name": "lone"}, {"children": [0]}]})");
    REQUIRE(reading.read(read_gltf_nodes) == "");
    CHECK(reading.out.parents == std::vector<std::int32_t>{2, -1, -1});
    CHECK(reading.out.roots == std::vector<std::int32_t>{2});
    CHECK(reading.out.nodes[0].to_parent * Vec4(1, 1, 1, 1) == Vec4(3, 4, 5, 1));
    CHECK(reading.out.notes.size() == 1);  // Of two scenes one is read.

    const auto where = [](const char* text) { return PartReading(text).read(read_gltf_nodes); };
    CHECK(where(R"({"nodes": [{"children": [1]}, {"children": [0]}]})") == "#/nodes/1");
    CHECK(where(R"({"nodes": [{"children": [0]}]})") == "#/nodes/0/children/0");
    CHECK(where(R"({"nodes": [{"children": [2]}, {"children": [2]}, {}]})") ==
          "#/nodes/1/children/0");
    CHECK(where(R"({"nodes": [{"rotation": [0, 0, 0, 0]}]})") == "#/nodes/0/rotation");
    CHECK(where(R"({"nodes": [{}], "skins": [{"joints": [1]}]})") == "#/skins/0/joints/0");
}

TEST_CASE("an animation's values match its times as its target and interpolation need") {
    const auto read = [](const char* path, const char* interpolation, std::uint64_t values,
                         int width) {
        PartReading reading(R"({"animations": [{"channels": [{"sampler": 0,
            "target": {"node": 0, "path": ""}}], "samplers": [{"input": 0, "output": 1}]}]})");
        reading.json["animations"][0]["channels"][0]["target"]["path"] = path;
        reading.json["animations"][0]["samplers"][0]["interpolation"] = interpolation;
        reading.add_accessor(1, 4);
        reading.add_accessor(width, values);
        reading.out.nodes.resize(1);
        const std::string where = reading.read(read_gltf_animations);
        CHECK((where != "" || reading.out.animations[0].channels.size() == 1));
        return where;
    };
    const std::string sampler = "#/animations/0/channels/0/sampler";
    CHECK(read("translation", "LINEAR", 4, 3) == "");
    CHECK(read("rotation", "STEP", 4, 4) == "");
    CHECK(read("scale", "CUBICSPLINE", 12, 3) == "");
    CHECK(read("weights", "LINEAR", 8, 1) == "");
    CHECK(read("translation", "LINEAR", 4, 4) == sampler);
    CHECK(read("translation", "LINEAR", 12, 3) == sampler);
    CHECK(read("weights", "LINEAR", 9, 1) == sampler);
    CHECK(read("scale", "SMOOTH", 4, 3) == "#/animations/0/samplers/0/interpolation");
}
