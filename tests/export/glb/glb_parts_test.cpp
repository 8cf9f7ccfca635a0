// SPDX-License-Identifier: MIT
#include <ductile/asset/prepare_asset.h>
#include <ductile/core/file.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/sequence/obj.h>
#include <ductile/io/gltf/read_gltf.h>

#include <doctest/doctest.h>
#include <export/glb/gltf_reader.h>
#include <export/sample_recording.h>
#include <support/skip.h>
#include <unistd.h>

#include <set>

using namespace ductile;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::shared_ptr<const Texture> picture(const char* name, char fill) {
    const std::string png = "\x89PNG\r\n\x1a\n" + std::string(33, fill);
    return std::make_shared<Texture>(
        Texture{name, "image/png", {bytes_of(png).begin(), bytes_of(png).end()}});
}

// Three balls in a row: a body, a lamp below it in the hierarchy, a group without triangles above.
std::shared_ptr<SurfaceAsset> car() {
    auto car = std::make_shared<SurfaceAsset>();
    const auto one = sample::ball(4);
    RenderMesh& mesh = car->render;
    mesh.looks = one->render.looks;
    mesh.looks.push_back(Look{"never used"});
    mesh.looks[0].texture = picture("rust", 'r');
    mesh.looks[2].texture = mesh.looks[0].texture;
    mesh.looks[1].is_two_sided = true;
    mesh.parts.push_back({"everything", -1, 0, 0, 0, 0});
    for (const auto& [name, parent] : {std::pair("hull", 0), std::pair("lamp \"left\"", 1)}) {
        const auto first = static_cast<std::int32_t>(mesh.points.size());
        const auto first_surface = static_cast<std::int32_t>(car->surface.points.size());
        const Vec3 shift(3.0 * double(mesh.parts.size()), 0.1, 0);
        mesh.parts.push_back({name, parent, static_cast<std::int32_t>(mesh.triangles.size()),
                              static_cast<std::int32_t>(one->render.triangles.size()), first,
                              static_cast<std::int32_t>(one->render.points.size())});
        for (std::size_t v = 0; v < one->render.points.size(); ++v) {
            mesh.points.push_back(one->render.points[v] + shift);
            mesh.normals.push_back(one->render.normals[v]);
            mesh.uvs.push_back(one->render.uvs[v]);
            mesh.colours.push_back(Vec4(0.1, 0.2, 0.3, 1));
            const std::int32_t s = one->anchors[v].points[0] + first_surface;
            car->anchors.push_back(SurfaceAnchor::on_point(s));
        }
        for (std::size_t t = 0; t < one->render.triangles.size(); ++t) {
            Triangle triangle = one->render.triangles[t];
            for (std::int32_t& v : triangle) v += first;
            mesh.triangles.push_back(triangle);
            mesh.triangle_looks.push_back(one->render.triangle_looks[t]);
        }
        for (const Vec3& p : one->surface.points) car->surface.points.push_back(p + shift);
        for (Triangle t : one->surface.triangles) {
            for (std::int32_t& v : t) v += first_surface;
            car->surface.triangles.push_back(t);
        }
    }
    return car;
}

// The plainest body that can be made of a model: every vertex a surface point of its own.
std::shared_ptr<SurfaceAsset> asset_of(const Model& model) {
    auto asset = std::make_shared<SurfaceAsset>();
    RenderMesh& mesh = asset->render;
    mesh.looks = model.looks;
    for (const ModelNode& node : model.nodes) {
        MeshPart part{node.name, node.parent};
        part.first_triangle = static_cast<std::int32_t>(mesh.triangles.size());
        part.first_vertex = static_cast<std::int32_t>(mesh.points.size());
        if (node.mesh >= 0) {
            const ModelMesh& from = model.meshes[node.mesh];
            part.triangle_count = static_cast<std::int32_t>(from.triangles.size());
            part.vertex_count = static_cast<std::int32_t>(from.points.size());
            mesh.points.insert(mesh.points.end(), from.points.begin(), from.points.end());
            mesh.normals.insert(mesh.normals.end(), from.normals.begin(), from.normals.end());
            mesh.uvs.insert(mesh.uvs.end(), from.uvs.begin(), from.uvs.end());
            mesh.colours.insert(mesh.colours.end(), from.colours.begin(), from.colours.end());
            mesh.triangle_looks.insert(mesh.triangle_looks.end(), from.triangle_looks.begin(),
                                       from.triangle_looks.end());
            for (Triangle t : from.triangles) {
                for (std::int32_t& v : t) v += part.first_vertex;
                mesh.triangles.push_back(t);
            }
        }
        mesh.parts.push_back(part);
    }
    asset->surface = {mesh.points, mesh.triangles};
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        asset->anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(v)));
    }
    return asset;
}

std::string written(const Recording& r) {
    Result<std::string> bytes = glb_bytes(r);
    if (!bytes) FAIL(bytes.error().text());
    return std::move(bytes).value();
}

// Every corner of every triangle, so that the order of vertices does not matter.
std::vector<std::array<float, 12>> corners_of(const ModelMesh& mesh) {
    std::vector<std::array<float, 12>> out;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (const std::int32_t v : mesh.triangles[t]) {
            std::array<float, 12> corner = {};
            for (int k = 0; k < 3; ++k) corner[k] = static_cast<float>(mesh.points[v][k]);
            for (int k = 0; k < 3 && !mesh.normals.empty(); ++k) {
                corner[3 + k] = static_cast<float>(mesh.normals[v][k]);
            }
            for (int k = 0; k < 2 && !mesh.uvs.empty(); ++k) {
                corner[6 + k] = static_cast<float>(mesh.uvs[v][k]);
            }
            for (int k = 0; k < 3 && !mesh.colours.empty(); ++k) {
                corner[8 + k] = static_cast<float>(mesh.colours[v][k]);
            }
            corner[11] = static_cast<float>(mesh.triangle_looks[t]);
            out.push_back(corner);
        }
    }
    return out;
}

void check_same(const Model& before, const Model& after) {
    REQUIRE(after.nodes.size() == before.nodes.size() + 1);  // the body's own comes first
    for (std::size_t n = 0; n < before.nodes.size(); ++n) {
        const ModelNode &a = before.nodes[n], &b = after.nodes[n + 1];
        CHECK(b.name == a.name);
        CHECK(b.parent == a.parent + 1);
        REQUIRE((b.mesh < 0) == (a.mesh < 0));
        if (a.mesh < 0) continue;
        const auto expected = corners_of(before.meshes[a.mesh]);
        const auto got = corners_of(after.meshes[b.mesh]);
        CHECK(std::multiset(got.begin(), got.end()) ==
              std::multiset(expected.begin(), expected.end()));
        CHECK(after.meshes[b.mesh].points.size() == before.meshes[a.mesh].points.size());
    }
    REQUIRE(after.looks.size() == before.looks.size());
    for (std::size_t i = 0; i < before.looks.size(); ++i) {
        const Look &a = before.looks[i], &b = after.looks[i];
        CHECK(b.name == a.name);
        CHECK(b.base_colour == a.base_colour);
        CHECK(b.opacity == a.opacity);
        CHECK(b.metallic == a.metallic);
        CHECK(b.roughness == a.roughness);
        CHECK(b.is_two_sided == a.is_two_sided);
        REQUIRE((b.texture == nullptr) == (a.texture == nullptr));
        if (!a.texture) continue;
        CHECK(b.texture->bytes == a.texture->bytes);
        CHECK(b.texture->mime_type == a.texture->mime_type);
        CHECK(b.texture->name == a.texture->name);
    }
}

}  // namespace

TEST_CASE("a body with parts is a node with a named child for each, in their hierarchy") {
    const auto asset = car();
    const gltf::File file = gltf::parse(written(sample::still({asset}, 2)));
    gltf::check_structure(file);
    const gltf::Json& nodes = file.json.at("nodes");
    REQUIRE(nodes.size() == 4);
    CHECK(nodes[0].at("name") == "body 0");
    CHECK(nodes[0].at("children") == gltf::Json({1}));
    CHECK_FALSE(nodes[0].contains("mesh"));
    CHECK(nodes[1].at("name") == "everything");
    CHECK_FALSE(nodes[1].contains("mesh"));
    CHECK(nodes[1].at("children") == gltf::Json({2}));
    CHECK(nodes[2].at("children") == gltf::Json({3}));
    CHECK(nodes[3].at("name") == "lamp \"left\"");
    CHECK(file.json.at("meshes")[1].at("name") == "lamp \"left\"");
}

TEST_CASE("materials keep their order, their sides and their picture, which is stored once") {
    const gltf::File file = gltf::parse(written(sample::still({car(), car()}, 1)));
    const gltf::Json& materials = file.json.at("materials");
    REQUIRE(materials.size() >= 3);
    CHECK(materials[0].at("name") == "paint");
    CHECK(materials[1].at("name") == "glass");
    CHECK(materials[1].at("doubleSided") == true);
    CHECK_FALSE(materials[0].contains("doubleSided"));
    CHECK(materials[2].at("name") == "never used");
    CHECK(materials[0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] == 0);
    CHECK(materials[2]["pbrMetallicRoughness"]["baseColorTexture"]["index"] == 0);
    CHECK(file.json.at("images").size() == 2);  // one for each of two assets
    CHECK(file.json.at("images")[0].at("mimeType") == "image/png");
    const gltf::Json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
    CHECK(gltf::read(file, attributes.at("COLOR_0"))[1] == double(0.2f));
}

TEST_CASE("only the parts that move have morph targets, and only for the shapes that move them") {
    const auto asset = car();
    Recording r = sample::still({asset}, 30);
    const std::size_t half = asset->surface.points.size() / 2;
    for (int key = 1; key <= 2; ++key) {  // first the hull, then the lamp
        std::vector<Vec3> points = r.bodies[0].shapes.back();
        points[key == 1 ? 0 : half] += Vec3(0, 0.2, 0);
        r.bodies[0].shapes.push_back(points);
    }
    for (int f = 10; f < 30; ++f) r.frames[f].bodies[0].shape = f < 20 ? 1 : 2;
    const gltf::File file = gltf::parse(written(r));
    gltf::check_structure(file);
    const gltf::Json& meshes = file.json.at("meshes");
    REQUIRE(meshes.size() == 2);
    CHECK(meshes[0].at("weights").size() == 2);  // the hull stays dented in the second
    CHECK(meshes[1].at("weights").size() == 1);
    CHECK(gltf::pose_at(file, 2, 15 / 30.0).weights == std::vector<double>{1, 0});
    CHECK(gltf::pose_at(file, 2, 25 / 30.0).weights == std::vector<double>{0, 1});
    CHECK(gltf::pose_at(file, 3, 15 / 30.0).weights == std::vector<double>{0});
    CHECK(gltf::pose_at(file, 3, 25 / 30.0).weights == std::vector<double>{1});

    Recording hull_only = r;
    hull_only.bodies[0].shapes.pop_back();
    for (Frame& frame : hull_only.frames)
        frame.bodies[0].shape = std::min(frame.bodies[0].shape, 1);
    const gltf::File still_lamp = gltf::parse(written(hull_only));
    CHECK_FALSE(still_lamp.json.at("meshes")[1].contains("weights"));
}

TEST_CASE("what nothing moved comes back from a file bit for bit") {
    const std::string first = written(sample::still({car()}, 1));
    const Model before = read_gltf(bytes_of(first), {}).value();
    const std::string second = written(sample::still({asset_of(before)}, 1));
    const Model after = read_gltf(bytes_of(second), {}).value();
    check_same(before, after);
    CHECK(before.looks[0].texture == before.looks[2].texture);
}

TEST_CASE("real GLB files go in and out with positions, normals, UVs, materials and names") {
    DUCTILE_NEEDS_REAL_FILE("meshes");
    const std::filesystem::path meshes = test::real_file("meshes");
    for (const char* name : {"oil_barrel.glb", "soda_can.glb"}) {
        const Model before = read_gltf(bytes_of(read_file(meshes / name).value()), {}).value();
        const std::string bytes = written(sample::still({asset_of(before)}, 1));
        check_same(before, read_gltf(bytes_of(bytes), {}).value());
    }
}

TEST_CASE("a GLB file that becomes a body and goes out again is the same to the last bit") {
    DUCTILE_NEEDS_REAL_FILE("meshes/oil_barrel.glb");
    const std::filesystem::path file = test::real_file("meshes/oil_barrel.glb");
    const Model before = read_gltf(bytes_of(read_file(file).value()), {}).value();
    Result<PreparedAsset> prepared = prepare_asset(before);
    if (!prepared) FAIL(prepared.error().text());
    const auto asset = std::make_shared<SurfaceAsset>(std::move(prepared.value().asset));
    const std::string bytes = written(sample::still({asset}, 1));
    const Model after = read_gltf(bytes_of(bytes), {}).value();
    REQUIRE(after.meshes.size() == 1);
    CHECK(after.meshes[0].points == before.meshes[0].points);
    CHECK(after.meshes[0].normals == before.meshes[0].normals);
    CHECK(after.meshes[0].uvs == before.meshes[0].uvs);
    CHECK(after.meshes[0].triangles == before.meshes[0].triangles);
    CHECK(after.meshes[0].triangle_looks == before.meshes[0].triangle_looks);
    REQUIRE(after.looks.size() == before.looks.size());
    CHECK(after.looks[0].name == before.looks[0].name);
    CHECK(after.looks[0].base_colour == before.looks[0].base_colour);
    CHECK(after.nodes.back().name == before.nodes.back().name);
}

TEST_CASE("an OBJ file keeps the names of parts and the pictures of looks") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("ductile_parts_" + std::to_string(::getpid()));
    const auto asset = car();
    REQUIRE(
        write_obj(*asset, asset->render.points, asset->render.normals, folder / "my car.obj").ok());
    const std::string text = read_file(folder / "my car.obj").value();
    CHECK(text.find("\no hull\nusemtl paint_0\n") != std::string::npos);
    CHECK(text.find("\no lamp \"left\"\nusemtl paint_0\n") != std::string::npos);
    const std::string materials = read_file(folder / "my car.mtl").value();
    CHECK(materials.find("newmtl paint_0") != std::string::npos);
    CHECK(materials.find("map_Kd my_car_0.png\n") != std::string::npos);
    CHECK(read_file(folder / "my_car_0.png").value().size() ==
          asset->render.looks[0].texture->bytes.size());
    CHECK_FALSE(std::filesystem::exists(folder / "my_car_1.png"));
    std::filesystem::remove_all(folder);
}
