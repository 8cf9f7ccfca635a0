// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/rng.h>
#include <ductile/io/gltf/read_gltf.h>

#include <doctest/doctest.h>
#include <io/gltf/gltf_files.h>
#include <support/near.h>
#include <support/skip.h>
#include <unistd.h>

#include <filesystem>

using namespace ductile;

namespace {

const std::string kPng = "\x89PNG\r\n\x1a\n" + std::string(20, 'x');

Result<Model> read(const std::string& file, const ReadContext& context = {}) {
    return read_gltf(sample::bytes_of(file), context);
}

Model good(const std::string& file, const ReadContext& context = {}) {
    Result<Model> model = read(file, context);
    if (!model) FAIL(model.error().text());
    return std::move(model).value();
}

Error bad(const std::string& file, const ReadContext& context = {}) {
    const Result<Model> model = read(file, context);
    REQUIRE_FALSE(model.ok());
    CHECK_FALSE(model.error().what.empty());
    return model.error();
}

// Where it stands when one value of a good document is replaced.
std::string place_of(const char* pointer, const Json& value) {
    sample::GltfSketch sketch = sample::square();
    sketch.text();
    sketch.json[Json::json_pointer(pointer)] = value;
    return bad(sample::glb_of(sketch.json.dump(), sketch.binary)).where;
}

struct AssetFolder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("ductile_gltf_" + std::to_string(::getpid()));
    AssetFolder() { std::filesystem::create_directories(path / "asset/sub"); }
    ~AssetFolder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("a square keeps its points to the last bit") {
    const Model model = good(sample::square().file());
    CHECK(model.format == "GLB");
    CHECK(model.metres_per_unit == 1.0);
    CHECK(model.up_axis == 1);
    REQUIRE(model.meshes.size() == 1);
    REQUIRE(model.nodes.size() == 1);
    CHECK(model.nodes[0].name == "part");
    CHECK(model.meshes[0].points[3] == Vec3(0, 1, double(0.1f)));
    CHECK(model.meshes[0].triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    CHECK(model.meshes[0].triangle_looks == std::vector<std::int32_t>{-1, -1});
    CHECK(model.meshes[0].normals.empty());
    CHECK(model.notes.empty());
}

TEST_CASE("every type of numbers gives the value that glTF means") {
    sample::GltfSketch sketch;
    sketch.accessor<std::int16_t>(5122, "VEC3", 3, {0, 0, 0, 9, 0, 0, 9, -9, 0});
    sketch.accessor<std::int8_t>(5120, "VEC3", 3, {127, 0, 0, 0, -127, 0, 0, -128, 127});
    sketch.accessor<std::uint16_t>(5123, "VEC2", 2, {0, 65535, 0, 0, 13107, 0});
    sketch.accessor<std::uint8_t>(5121, "VEC4", 4, {255, 0, 51, 255, 1, 2, 3, 4, 0, 0, 0, 0});
    for (const int i : {1, 2, 3}) sketch.json["accessors"][i]["normalized"] = true;
    sketch.json["extensionsUsed"] = sketch.json["extensionsRequired"] = {"KHR_mesh_quantization"};
    sketch.show(
        {{"attributes", {{"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}, {"COLOR_0", 3}}}});
    const Model model = good(sketch.file());
    const ModelMesh& mesh = model.meshes[0];
    CHECK(mesh.points[2] == Vec3(9, -9, 0));
    CHECK(mesh.normals[0] == Vec3(1, 0, 0));
    CHECK(mesh.normals[2] == Vec3(0, -1, 1));  // -128 is -1, too
    CHECK(mesh.uvs[0] == Vec2(0, 1));
    CHECK(test::near(mesh.uvs[2].x(), 0.2, 1e-12));
    CHECK(test::near(mesh.colours[0].z(), 0.2, 1e-12));
    CHECK(mesh.triangles == std::vector<Triangle>{{0, 1, 2}});  // without indices: in order
}

TEST_CASE("interleaved and sparse accessors are read") {
    sample::GltfSketch sketch;
    const std::vector<float> raw = {0, 0, 0, 7, 1, 0, 0, 7, 0, 1, 0, 7};
    sketch.accessor<float>(5126, "VEC3", 3, raw);
    sketch.json["bufferViews"][0]["byteStride"] = 16;
    sketch.json["accessors"][0]["count"] = 3;
    const std::vector<std::uint8_t> place = {2};
    const std::vector<float> value = {5, 6, 7};
    const int places = sketch.view(place.data(), 1), values = sketch.view(value.data(), 12);
    sketch.json["accessors"][0]["sparse"] = {
        {"count", 1},
        {"indices", {{"bufferView", places}, {"componentType", 5121}}},
        {"values", {{"bufferView", values}}}};
    sketch.show({{"attributes", {{"POSITION", 0}}}});
    const Model model = good(sketch.file());
    CHECK(model.meshes[0].points == std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {5, 6, 7}});
}

TEST_CASE("strips and fans face as their first triangle does") {
    sample::GltfSketch sketch;
    sketch.accessor<float>(5126, "VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0});
    for (const int mode : {5, 6}) sketch.show({{"attributes", {{"POSITION", 0}}}, {"mode", mode}});
    const Model model = good(sketch.file());
    CHECK(model.meshes[0].triangles == std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}});
    CHECK(model.meshes[1].triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}});
}

TEST_CASE("primitives of one mesh are merged: looks by triangle, shared vertices once") {
    sample::GltfSketch sketch = sample::square();
    sketch.accessor<float>(5126, "VEC3", 3, {0, 0, 5, 1, 0, 5, 0, 1, 5});
    sketch.accessor<float>(5126, "VEC3", 3, {0, 0, 1, 0, 0, 1, 0, 0, 1});
    sketch.json["materials"] = {{{"name", "a"}}, {{"name", "b"}}};
    Json& primitives = sketch.json["meshes"][0]["primitives"];
    primitives[0]["material"] = 1;
    primitives.push_back({{"attributes", {{"POSITION", 0}}}, {"indices", 1}, {"material", 0}});
    primitives.push_back({{"attributes", {{"POSITION", 2}, {"NORMAL", 3}}}, {"material", 0}});
    const Model model = good(sketch.file());
    const ModelMesh& mesh = model.meshes[0];
    CHECK(mesh.points.size() == 7);
    CHECK(mesh.triangle_looks == std::vector<std::int32_t>{1, 1, 0, 0, 0});
    CHECK(mesh.triangles[2] == Triangle{0, 1, 2});
    CHECK(mesh.triangles[4] == Triangle{4, 5, 6});
    CHECK(mesh.normals[0] == Vec3(0, 0, 0));  // not given: to be found by who needs it
    CHECK(mesh.normals[6] == Vec3(0, 0, 1));
}

TEST_CASE("nodes come parents first, of the default scene only") {
    sample::GltfSketch sketch = sample::square();
    sketch.json["nodes"] = {{{"name", "wheel"}, {"mesh", 0}, {"translation", {1, 2, 3}}},
                            {{"name", "stranger"}, {"mesh", 0}},
                            {{"name", "car"}, {"children", {0, 3}}, {"scale", {2, 2, 2}}},
                            {{"name", "turned"}, {"rotation", {0, 0, 2, 0}}}};
    sketch.json["scenes"] = {{{"nodes", {1}}}, {{"nodes", {2}}}};
    sketch.json["scene"] = 1;
    const Model model = good(sketch.file());
    REQUIRE(model.nodes.size() == 3);
    CHECK(model.nodes[0].name == "car");
    CHECK(model.nodes[1].name == "wheel");
    CHECK(model.nodes[1].parent == 0);
    CHECK(model.nodes[1].mesh == 0);
    CHECK(model.nodes[0].to_parent(1, 1) == 2.0);
    CHECK(model.nodes[1].to_parent(2, 3) == 3.0);
    CHECK(test::near(model.nodes[2].to_parent(0, 0), -1.0));  // half a turn about z
    CHECK(has_note(model, "2 scenes"));
}

TEST_CASE("materials keep colour, sides and the bytes of their picture") {
    sample::GltfSketch sketch = sample::square();
    const int picture = sketch.view(kPng.data(), kPng.size());
    sketch.json["images"] = {{{"bufferView", picture}, {"mimeType", "image/png"}, {"name", "p"}}};
    sketch.json["textures"] = {{{"source", 0}}};
    Json pbr = {{"baseColorFactor", {0.25, 0.5, 0.75, 0.5}},
                {"baseColorTexture", {{"index", 0}}},
                {"metallicFactor", 0.0}};
    sketch.json["materials"] = {{{"name", "glass"},
                                 {"pbrMetallicRoughness", pbr},
                                 {"alphaMode", "BLEND"},
                                 {"doubleSided", true}},
                                {{"name", "same picture"}, {"pbrMetallicRoughness", pbr}},
                                {{"name", "plain"}}};
    const Model model = good(sketch.file());
    REQUIRE(model.looks.size() == 3);
    CHECK(model.looks[0].base_colour == Vec3(0.25, 0.5, 0.75));
    CHECK(model.looks[0].opacity == 0.5);
    CHECK(model.looks[0].is_two_sided);
    CHECK(model.looks[1].opacity == 1.0);  // opaque, whatever its alpha
    CHECK(model.looks[1].roughness == 1.0);
    CHECK(model.looks[2].metallic == 1.0);
    REQUIRE(model.looks[0].texture != nullptr);
    CHECK(model.looks[0].texture == model.looks[1].texture);
    CHECK(model.looks[0].texture->mime_type == "image/png");
    CHECK(model.looks[0].texture->bytes.size() == kPng.size());
}

TEST_CASE("skins and animations come along as plain data") {
    sample::GltfSketch sketch = sample::square();
    const int joints = sketch.accessor<std::uint8_t>(
        5121, "VEC4", 4, {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
    const int weights = sketch.accessor<float>(
        5126, "VEC4", 4, {.5f, .5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    const int times = sketch.accessor<float>(5126, "SCALAR", 1, {0, 0.5f});
    const int moves = sketch.accessor<float>(5126, "VEC3", 3, {0, 0, 0, 1, 2, 3});
    Json& attributes = sketch.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = joints;
    attributes["WEIGHTS_0"] = weights;
    sketch.json["nodes"][0]["skin"] = 0;
    sketch.json["nodes"].push_back({{"name", "bone"}, {"children", {2}}});
    sketch.json["nodes"].push_back({{"name", "tip"}});
    sketch.json["skins"] = {{{"joints", {1, 2}}}};
    sketch.json["animations"] = {
        {{"name", "wave"},
         {"samplers", {{{"input", times}, {"output", moves}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}}}}};
    const Model model = good(sketch.file());
    CHECK(model.meshes[0].joints[0] == std::array<std::int32_t, 4>{0, 1, 0, 0});
    CHECK(model.meshes[0].joint_weights[0] == Vec4(0.5, 0.5, 0, 0));
    REQUIRE(model.skins.size() == 1);
    CHECK(model.nodes[model.skins[0].joints[1]].name == "tip");
    REQUIRE(model.animations.size() == 1);
    const ModelChannel& channel = model.animations[0].channels.at(0);
    CHECK(model.nodes[channel.node].name == "tip");
    CHECK(channel.times == std::vector<double>{0, 0.5});
    CHECK(channel.values == std::vector<double>{0, 0, 0, 1, 2, 3});

    sketch.json["skins"][0]["joints"] = {1};  // vertices ask for a second one
    const Model without = good(sketch.file());
    CHECK(without.nodes[0].skin == -1);
    CHECK(has_note(without, "skin"));
}

TEST_CASE("buffers and pictures come from the asset's folder and data URIs, never from outside") {
    const AssetFolder folder;
    const ReadContext context = {folder.path / "asset"};
    sample::GltfSketch sketch = sample::square();
    sketch.text();
    REQUIRE(write_file(context.folder / "sub/a b.bin", sketch.binary).ok());
    REQUIRE(write_file(folder.path / "outside.bin", sketch.binary).ok());
    REQUIRE(write_file(folder.path / "secret.png", kPng).ok());
    REQUIRE(write_file(context.folder / "skin.png", kPng).ok());
    std::filesystem::create_symlink(folder.path / "outside.bin", context.folder / "link.bin");
    const auto with_uri = [&](const std::string& uri) {
        Json json = sketch.json;
        json["buffers"][0]["uri"] = uri;
        return json.dump();
    };
    CHECK(good(with_uri("sub/a%20b.bin"), context).meshes[0].points.size() == 4);
    CHECK(good(with_uri("sub/a%20b.bin"), context).format == "glTF");
    for (const char* uri :
         {"../outside.bin", "sub/../../outside.bin", "%2e%2e/outside.bin", "..\\outside.bin",
          "link.bin", "/etc/passwd", "file:///etc/passwd", "http://a.b/c.bin", "C:\\a.bin", "",
          "missing.bin", "sub", "%zz", "data:nothing"}) {
        CAPTURE(std::string(uri));
        CHECK(bad(with_uri(uri), context).where == "#/buffers/0/uri");
    }
    CHECK(bad(with_uri("sub/a%20b.bin")).where == "#/buffers/0/uri");  // no folder: no files

    sample::GltfSketch tiny;
    tiny.json["buffers"] = {{{"byteLength", 9}, {"uri", "data:a/b;base64,AAECAwQFBgcI"}}};
    tiny.json["bufferViews"] = {{{"buffer", 0}, {"byteLength", 9}}};
    tiny.json["accessors"] = {
        {{"bufferView", 0}, {"componentType", 5121}, {"type", "VEC3"}, {"count", 3}}};
    tiny.show({{"attributes", {{"POSITION", 0}}}});
    CHECK(good(tiny.json.dump()).meshes[0].points[2] == Vec3(6, 7, 8));
    tiny.json["buffers"][0]["uri"] = "data:a/b;base64,AAEC!wQF";
    CHECK(bad(tiny.json.dump()).where == "#/buffers/0/uri");

    for (const char* uri : {"skin.png", "../secret.png", "missing.png"}) {
        CAPTURE(std::string(uri));
        sketch.json["images"] = {{{"uri", uri}}};
        sketch.json["textures"] = {{{"source", 0}}};
        sketch.json["materials"] = {
            {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
        const Model model = good(sample::glb_of(sketch.json.dump(), sketch.binary), context);
        CHECK((model.looks[0].texture != nullptr) == (uri == std::string("skin.png")));
        CHECK(has_note(model, "#/images/0") == (uri != std::string("skin.png")));
    }
}

TEST_CASE("what does not fit together is refused at the place where it stands") {
    using Case = std::pair<const char*, Json>;
    const Json null;
    const Case wrong[] = {{"/bufferViews/0/byteOffset", 1u << 31},
                          {"/bufferViews/0/byteLength", 1000},
                          {"/bufferViews/1/buffer", 1},
                          {"/bufferViews/0/byteStride", 300},
                          {"/bufferViews/0/byteLength", -1},
                          {"/bufferViews/0/byteLength", 1e300},
                          {"/accessors/0/count", 5},
                          {"/accessors/0/count", 4294967295u},
                          {"/accessors/0/count", 1e18},
                          {"/accessors/0/count", "4"},
                          {"/accessors/0/count", 1.5},
                          {"/accessors/0/componentType", 5124},
                          {"/accessors/0/type", "VEC5"},
                          {"/accessors/0/bufferView", 2},
                          {"/buffers/0/byteLength", 1000},
                          {"/asset/version", "1.0"},
                          {"/meshes/0/primitives/0/attributes/POSITION", 99},
                          {"/meshes/0/primitives/0/attributes/POSITION", 1},
                          {"/meshes/0/primitives/0/indices", 0},
                          {"/meshes/0/primitives/0/mode", 7},
                          {"/meshes/0/primitives/0/material", 0},
                          {"/nodes/0/mesh", 1},
                          {"/nodes/0/skin", 0},
                          {"/nodes/0/children/0", 0},
                          {"/nodes/0/children/0", 1},
                          {"/nodes/0/rotation", {0, 0, 0, 0}},
                          {"/nodes/0/translation", {1, 2}},
                          {"/nodes/0/scale", {1, 1, 1e60}},
                          {"/scene", 0},
                          {"/nodes/0/name", 7},
                          {"/extensionsRequired/0", "KHR_draco_mesh_compression"}};
    for (const auto& [pointer, value] : wrong) {
        const std::string at = pointer;
        CAPTURE(at);
        CHECK(place_of(pointer, value).starts_with(std::string("#") + pointer));
    }
    CHECK(place_of("/accessors/0/count", 3) == "#/meshes/0/primitives/0/indices");
    CHECK(place_of("/meshes", 7) == "#/meshes");
    CHECK(place_of("/nodes", Json::array({7})) == "#/nodes/0");
}

TEST_CASE("nodes that go round in a circle are refused") {
    sample::GltfSketch sketch = sample::square();
    sketch.json["nodes"] = {{{"children", {1}}}, {{"children", {2}}}, {{"children", {0}}}};
    CHECK(bad(sketch.file()).what.find("descendants") != std::string::npos);
    sketch.json["nodes"] = {{{"children", {2}}}, {{"children", {2}}}, {{"name", "shared"}}};
    CHECK(bad(sketch.file()).where == "#/nodes/1/children/0");
}

TEST_CASE("a small file cannot ask for much") {
    sample::GltfSketch sketch;  // vertices that are not there at all
    sketch.json["accessors"] = {{{"componentType", 5126}, {"type", "VEC3"}, {"count", 4'999'998}}};
    sketch.show({{"attributes", {{"POSITION", 0}}}});
    CHECK(bad(sketch.file()).where == "#/meshes/0/primitives/0");
    sketch.json["accessors"][0]["count"] = 5'000'001;
    CHECK(bad(sketch.file()).where == "#/meshes/0/primitives/0");

    sample::GltfSketch many = sample::square();  // one accessor, again and again
    const Json primitive = many.json["meshes"][0]["primitives"][0];
    for (int i = 0; i < 20; ++i) many.show(primitive);
    CHECK(good(many.file()).meshes.size() == 21);
    CHECK(bad(many.file(), {.limits = {.vertices = 83}}).where == "#/meshes/20/primitives/0");
    CHECK(bad(many.file(), {.limits = {.triangles = 41}}).where == "#/meshes/20/primitives/0");

    std::string deep = "{\"asset\":" + std::string(100, '[') + std::string(100, ']') + "}";
    CHECK(bad(deep).what.find("64 levels") != std::string::npos);
    std::string wide = "{\"a\":[0";
    for (int i = 0; i < 4'000'001; ++i) wide += ",0";
    CHECK(bad(wide + "]}").what.find("values") != std::string::npos);
    CHECK(bad(sample::square().file(), {.limits = {.file_bytes = 100}}).what.find("100") !=
          std::string::npos);
}

TEST_CASE("positions that are not finite are refused, other numbers become 0 and are counted") {
    sample::GltfSketch sketch = sample::square();
    const float nan = std::nanf("");
    const int normals =
        sketch.accessor<float>(5126, "VEC3", 3, {0, nan, 1, 0, 0, 1, 0, 0, 1, 0, 0, nan});
    sketch.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = normals;
    const Model model = good(sketch.file());
    CHECK(model.meshes[0].normals[0] == Vec3(0, 0, 1));
    CHECK(has_note(model, "2 numbers"));
    std::memcpy(sketch.binary.data() + 4, &nan, 4);
    CHECK(bad(sketch.file()).where == "#/accessors/0");
}

TEST_CASE("an index beyond the vertices is refused") {
    sample::GltfSketch sketch = sample::square();
    sketch.binary[sketch.json["bufferViews"][1]["byteOffset"].get<std::size_t>()] = 4;
    const Error error = bad(sketch.file());
    CHECK(error.where == "#/meshes/0/primitives/0/indices");
    CHECK(error.what == "corner 0 asks for vertex 4 of 4");
}

TEST_CASE("a file that is cut anywhere or has any byte changed is read or refused, no more") {
    sample::GltfSketch sketch = sample::square();
    sketch.json["materials"] = {{{"name", "m"}}};
    const std::string file = sketch.file();
    for (std::size_t size = 0; size < file.size(); ++size) bad(file.substr(0, size));
    Rng rng(3);
    for (int round = 0; round < 3000; ++round) {
        std::string spoilt = file;
        for (int i = 0; i < 3; ++i) {
            const auto at = static_cast<std::size_t>(rng.uniform(0, double(file.size())));
            spoilt[at] = static_cast<char>(static_cast<unsigned char>(rng.uniform(0, 256)));
        }
        const Result<Model> model = read(spoilt);
        if (!model) {
            CHECK_FALSE(model.error().text().empty());
            continue;
        }
        for (const ModelMesh& mesh : model.value().meshes) {
            CHECK(has_valid_indices(mesh.points.size(), mesh.triangles));
            for (const Vec3& p : mesh.points) CHECK(p.allFinite());
        }
    }
}

TEST_CASE("the broken GLB files that we keep are refused by what is wrong with them") {
    DUCTILE_NEEDS_REAL_FILE("meshes-hostile");
    const std::filesystem::path hostile = test::real_file("meshes-hostile");
    const std::pair<const char*, const char*> files[] = {
        {"garbage.glb", "byte 0"},
        {"glb_truncated.glb", "byte 8"},
        {"glb_length_lies.glb", "byte 8"},
        {"glb_view_offset.glb", "#/bufferViews/0/byteOffset"},
        {"glb_node_cycle.glb", "#/nodes/0/children/0"},
        {"glb_bad_ref.glb", "#/meshes/0/primitives/0/attributes/POSITION"},
        {"glb_draco_required.glb", "#/extensionsRequired/0"}};
    for (const auto& [name, where] : files) {
        const std::string file = name;
        CAPTURE(file);
        const Error error = bad(read_file(hostile / name).value());
        CHECK(error.where == where);
    }
}

TEST_CASE("the real GLB files that we keep load with all they have") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    const std::filesystem::path meshes = test::real_file("meshes");
    const Model barrel = good(read_file(meshes / "oil_barrel.glb").value());
    REQUIRE(barrel.meshes.size() == 1);
    CHECK(barrel.meshes[0].name == "oil_barrel");
    CHECK(barrel.meshes[0].points.size() == 2362);
    CHECK(barrel.meshes[0].normals.size() == 2362);
    CHECK(barrel.meshes[0].uvs.size() == 2362);
    CHECK(barrel.meshes[0].triangles.size() == 3680);
    CHECK(barrel.looks.at(0).name == "DefaultMaterial");
    const Model can = good(read_file(meshes / "soda_can.glb").value());
    CHECK(can.meshes.at(0).triangles.size() == 2326);
    CHECK(can.nodes.size() >= 2);
}

TEST_CASE("a vertex may hang on more than four joints: every set is read") {
    sample::GltfSketch sketch = sample::square();
    Json& attributes = sketch.json["meshes"][0]["primitives"][0]["attributes"];
    const std::vector<std::uint8_t> first = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    const std::vector<std::uint8_t> second = {4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0};
    attributes["JOINTS_0"] = sketch.accessor<std::uint8_t>(5121, "VEC4", 4, first);
    attributes["WEIGHTS_0"] =
        sketch.accessor<float>(5126, "VEC4", 4, std::vector<float>(16, 0.125f));
    attributes["JOINTS_1"] = sketch.accessor<std::uint8_t>(5121, "VEC4", 4, second);
    std::vector<float> rest(16, 0.0f);
    for (std::size_t v = 0; v < 4; ++v) rest[4 * v] = 0.5f;
    attributes["WEIGHTS_1"] = sketch.accessor<float>(5126, "VEC4", 4, rest);
    const Model model = good(sketch.file());
    const ModelMesh& mesh = model.meshes[0];
    CHECK(mesh.joint_sets() == 2);
    REQUIRE(mesh.joints.size() == 2 * mesh.points.size());
    REQUIRE(mesh.joint_weights.size() == mesh.joints.size());
    CHECK(mesh.joints[1] == std::array<std::int32_t, 4>{0, 1, 2, 3});
    CHECK(mesh.joints[mesh.points.size() + 1][0] == 4);
    CHECK(mesh.joint_weights[mesh.points.size() + 1] == Vec4(0.5, 0, 0, 0));
    CHECK(model.notes.empty());
}

TEST_CASE("morph targets are read with their names, made up where there are none") {
    sample::GltfSketch sketch = sample::square();
    const int moves = sketch.accessor<float>(5126, "VEC3", 3, {0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4});
    Json& mesh = sketch.json["meshes"][0];
    mesh["primitives"][0]["targets"] = {{{"POSITION", moves}}, {{"NORMAL", moves}}};
    mesh["extras"] = {{"targetNames", {"crushed"}}};
    const Model named = good(sketch.file());
    REQUIRE(named.meshes[0].morphs.size() == 2);
    CHECK(named.meshes[0].morphs[0].name == "crushed");
    CHECK(named.meshes[0].morphs[1].name == "morph 1");
    REQUIRE(named.meshes[0].morphs[0].moves.size() == 4);
    CHECK(named.meshes[0].morphs[0].moves[2] == Vec3(0, 0, 3));
    CHECK(named.meshes[0].morphs[1].moves[2] == Vec3(0, 0, 0));
    for (const Json& odd : {Json(3), Json::array({1}), Json{{"targetNames", 5}}}) {
        mesh["extras"] = odd;  // anybody's: no mistake
        CHECK(good(sketch.file()).meshes[0].morphs[0].name == "morph 0");
    }
    mesh["primitives"][0]["targets"] = {{{"POSITION", 99}}};
    CHECK(bad(sketch.file()).where == "#/meshes/0/primitives/0/targets/0/POSITION");
    const int few = sketch.accessor<float>(5126, "VEC3", 3, {0, 0, 1});
    mesh["primitives"][0]["targets"] = {{{"POSITION", few}}};
    CHECK(bad(sketch.file()).where == "#/meshes/0/primitives/0/targets");
}
