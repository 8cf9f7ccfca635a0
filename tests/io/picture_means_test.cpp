// SPDX-License-Identifier: MIT
#include <ductile/image/png.h>
#include <ductile/io/gltf/read_gltf.h>
#include <ductile/io/picture_means.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <io/gltf/gltf_files.h>
#include <support/near.h>

using namespace ductile;

namespace {

// The square shows the left half of an atlas: half smooth metal, half rough paint. The right half,
// which nothing shows, is black.
Model textured_square(const char* alpha_mode, bool is_whole = true) {
    sample::GltfSketch sketch = sample::square();
    std::vector<std::uint8_t> rgb;
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) {
            const bool is_shown = x < 8, is_metal = y < 8;
            rgb.push_back(is_shown ? 204 : 0);
            rgb.push_back(!is_shown ? 0 : is_metal ? 51 : 255);
            rgb.push_back(is_shown && is_metal ? 255 : 0);
        }
    }
    std::string png = encode_png(16, 16, rgb);
    if (!is_whole) png.resize(60);
    const int uvs = sketch.accessor<float>(5126, "VEC2", 2, {0, 0, 0.5f, 0, 0.5f, 1, 0, 1});
    const int picture = sketch.view(png.data(), png.size());
    sketch.json["images"] = {{{"bufferView", picture}, {"mimeType", "image/png"}}};
    sketch.json["textures"] = {{{"source", 0}}};
    sketch.json["materials"] = {
        {{"name", "modern"},
         {"alphaMode", alpha_mode},
         {"pbrMetallicRoughness",
          {{"baseColorTexture", {{"index", 0}}}, {"metallicRoughnessTexture", {{"index", 0}}}}},
         {"occlusionTexture", {{"index", 0}, {"strength", 0.5}}}}};
    Json& primitive = sketch.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["TEXCOORD_0"] = uvs;
    primitive["material"] = 0;
    Result<Model> model = read_gltf(sample::bytes_of(sketch.file()), {});
    if (!model) FAIL(model.error().text());
    return std::move(model).value();
}

}  // namespace

TEST_CASE("what a look cannot hold of its pictures goes into its factors, as the surface has it") {
    const Look look = textured_square("OPAQUE").looks[0];
    CHECK(test::near(look.metallic, 0.5, 0.15));
    CHECK(test::near(look.roughness, 0.6, 0.15));
    CHECK(test::near(look.base_colour.x(), 0.9));  // half of what 0.8 takes away
    CHECK_FALSE(look.has_holes);
    CHECK(textured_square("MASK").looks[0].has_holes);
}

TEST_CASE("what cannot be read of a picture of metal is no metal, and a note says so") {
    const Model model = textured_square("OPAQUE", false);
    CHECK(model.looks[0].metallic == 0.0);
    CHECK(model.looks[0].roughness == 1.0);
    CHECK(model.looks[0].base_colour == Vec3(1, 1, 1));
    const std::string notes = fmt::format("{}", fmt::join(model.notes, "\n"));
    CHECK(notes.find("#/images/0: the picture is left out: ") != notes.npos);
    CHECK(notes.find("count as no metal") != notes.npos);
    CHECK(notes.find("means") == notes.npos);
}

TEST_CASE("metal by a picture of a format that is not read is no metal") {
    sample::GltfSketch sketch = sample::square();
    sketch.json["textures"] = {{{"extensions", {{"EXT_texture_webp", {{"source", 0}}}}}}};
    sketch.json["materials"] = {
        {{"name", "by picture"},
         {"pbrMetallicRoughness", {{"metallicRoughnessTexture", {{"index", 0}}}}}},
        {{"name", "by number"}, {"pbrMetallicRoughness", {{"metallicFactor", 1.0}}}}};
    const Result<Model> model = read_gltf(sample::bytes_of(sketch.file()), {});
    REQUIRE(model);
    CHECK(model.value().looks[0].metallic == 0.0);
    CHECK(model.value().looks[1].metallic == 1.0);
}

TEST_CASE("a mean counts by area, and only where the look is") {
    RgbaImage picture{2, 1, {255, 0, 0, 255, 0, 255, 0, 255}};
    ModelMesh mesh;
    // A triangle of area 3 on the red pixel, one of area 1 on the green one, one of another look.
    mesh.points = {{0, 0, 0}, {6, 0, 0}, {0, 1, 0}, {2, 0, 0}};
    mesh.uvs = {{0.1, 0.5}, {0.2, 0.5}, {0.1, 0.4}, {0.2, 0.4}};
    mesh.triangles = {{0, 1, 2}};
    for (int i = 0; i < 2; ++i) {
        const auto first = static_cast<std::int32_t>(mesh.points.size());
        for (const Vec3& p : {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0, 1, 0)}) {
            mesh.points.push_back(p);
            mesh.uvs.emplace_back(1.7, -0.5);  // pictures repeat
        }
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    mesh.triangle_looks = {0, 0, 1};
    const auto mean = picture_mean(picture, {&mesh, 1}, 0);
    REQUIRE(mean);
    CHECK(mean->isApprox(Vec3(0.75, 0.25, 0), 1e-12));
    CHECK(picture_mean(picture, {&mesh, 1}, 1)->isApprox(Vec3(0, 1, 0)));
    CHECK_FALSE(picture_mean(picture, {&mesh, 1}, 2));
}
