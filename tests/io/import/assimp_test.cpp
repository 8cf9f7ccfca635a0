// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/rng.h>
#include <ductile/io/gltf/read_gltf.h>
#include <ductile/io/import/import_answer.h>
#include <ductile/io/import/model_stream.h>
#include <ductile/io/import/read_assimp.h>

#include <doctest/doctest.h>
#include <io/gltf/gltf_files.h>
#include <support/near.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

using namespace ductile;

namespace {

// A quad and a triangle in inches, Z up, below a node that moves them.
const char* const kCollada = R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="inch" meter="0.0254"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="i"><init_from>C:\art\skin.png</init_from></image></library_images>
<library_effects><effect id="fx"><profile_COMMON>
<newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam>
<technique sid="c"><lambert><diffuse><texture texture="t" texcoord="UV"/></diffuse></lambert>
</technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="paint"><instance_effect url="#fx"/></material>
</library_materials>
<library_geometries><geometry id="g" name="panel"><mesh>
<source id="p"><float_array id="pa" count="15">0 0 0 1 0 0 1 1 0 0 1 0 2 2 0</float_array>
<technique_common><accessor source="#pa" count="5" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="m" count="2"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>4 3</vcount><p>0 1 2 3 1 4 2</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n" name="door">
<translate>10 0 0</translate><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="m" target="#m"/></technique_common></bind_material>
</instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

// The same panel as ASCII FBX.
const char* const kFbx = R"(; FBX 7.4.0 project file
FBXHeaderExtension:  {
 FBXHeaderVersion: 1003
 FBXVersion: 7400
}
GlobalSettings:  {
 Version: 1000
 Properties70:  {
  P: "UpAxis", "int", "Integer", "",2
  P: "UpAxisSign", "int", "Integer", "",1
  P: "FrontAxis", "int", "Integer", "",1
  P: "FrontAxisSign", "int", "Integer", "",-1
  P: "CoordAxis", "int", "Integer", "",0
  P: "CoordAxisSign", "int", "Integer", "",1
  P: "UnitScaleFactor", "double", "Number", "",2.54
 }
}
Objects:  {
 Geometry: 1000, "Geometry::panel", "Mesh" {
  Vertices: *15 {
   a: 0,0,0,1,0,0,1,1,0,0,1,0,2,2,0
  }
  PolygonVertexIndex: *7 {
   a: 0,1,2,-4,1,4,-3
  }
  GeometryVersion: 124
 }
 Model: 2000, "Model::door", "Mesh" {
  Version: 232
  Properties70:  {
   P: "Lcl Translation", "Lcl Translation", "", "A",10,0,0
  }
 }
}
Connections:  {
 C: "OO",2000,0
 C: "OO",1000,2000
})";

struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("ductile_assimp_" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
};

Result<Model> read(const std::string& text, const char* extension,
                   const ReadContext& context = {}) {
    return read_assimp(sample::bytes_of(text), extension, context);
}

// Runs `script` in the place of ductile-import.
Result<Model> read_with(const Folder& folder, const std::string& script,
                        const ReadContext& context = {}) {
    const std::filesystem::path program = folder.path / "import.sh";
    REQUIRE(write_file(program, "#!/bin/sh\n" + script + "\n").ok());
    ::chmod(program.c_str(), 0755);
    ::setenv("DUCTILE_IMPORT", program.c_str(), 1);
    Result<Model> model = read("x", ".fbx", context);
    ::unsetenv("DUCTILE_IMPORT");
    return model;
}

Model rich_model() {
    sample::GltfSketch sketch = sample::square();
    const int colours = sketch.accessor<float>(5126, "VEC3", 3, std::vector<float>(12, 0.5f));
    sketch.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = colours;
    sketch.json["meshes"][0]["primitives"][0]["material"] = 0;
    sketch.json["materials"] = {{{"name", "m"}}, {{"name", "n"}}};
    sketch.json["nodes"].push_back({{"name", "bone"}});
    Model model = read_gltf(sample::bytes_of(sketch.file()), {}).value();
    model.looks[0].texture = model.looks[1].texture =
        std::make_shared<Texture>(Texture{"t", "image/png", std::vector<std::byte>(9)});
    model.skins = {{"s", {1}, {Mat4::Identity()}}};
    model.nodes[0].skin = 0;
    model.meshes[0].joints.assign(4, {0, 0, 0, 0});
    model.meshes[0].joint_weights.assign(4, Vec4(1, 0, 0, 0));
    model.animations = {
        {"a", {{1, ModelChannel::Target::Scale, "STEP", {0, 1}, {1, 1, 1, 2, 2, 2}}}}};
    model.notes = {"a note"};
    return model;
}

}  // namespace

TEST_CASE("a COLLADA file comes through assimp with quads cut, names, units and hierarchy") {
    const Result<Model> read_back = read(kCollada, ".dae");
    if (!read_back) FAIL(read_back.error().text());
    const Model& model = read_back.value();
    CHECK(model.format == "DAE");
    CHECK(model.metres_per_unit == 1.0);  // inches are in the root's matrix
    CHECK(model.up_axis == 1);
    REQUIRE(model.meshes.size() == 1);
    CHECK(model.meshes[0].triangles.size() == 3);
    std::int32_t door = -1;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (model.nodes[n].name == "door") door = static_cast<std::int32_t>(n);
    }
    REQUIRE_MESSAGE(door >= 0, model.nodes[0].name);
    Mat4 world = Mat4::Identity();
    for (std::int32_t n = door; n >= 0; n = model.nodes[n].parent) {
        world = model.nodes[n].to_parent * world;
    }
    Box box;
    for (const Vec3& p : model.meshes[0].points) box.add((world * p.homogeneous()).head<3>());
    CHECK(test::near(box.lower.x(), 0.254, 1e-5));
    CHECK(test::near(box.upper.x(), 12 * 0.0254, 1e-5));
    CHECK(test::within(box.upper.y() - box.lower.y(), 0.0, 1e-5 * 0.0254));  // now Y is up
}

TEST_CASE("an FBX file says its unit and its up axis") {
    const Result<Model> read_back = read(kFbx, ".fbx");
    if (!read_back) FAIL(read_back.error().text());
    const Model& model = read_back.value();
    CHECK(model.format == "FBX");
    REQUIRE(model.metres_per_unit.has_value());
    CHECK(test::near(*model.metres_per_unit, 0.0254, 1e-6));
    CHECK(model.up_axis == 2);
    REQUIRE(model.meshes.size() == 1);
    CHECK(model.meshes[0].triangles.size() == 3);
    const auto is_door = [](const ModelNode& node) { return node.name == "door"; };
    CHECK(std::any_of(model.nodes.begin(), model.nodes.end(), is_door));
}

TEST_CASE("a picture named by the artist's disk is found in the asset's folder, by its last name") {
    const Folder folder;
    const std::string png = "\x89PNG\r\n\x1a\n" + std::string(20, 'x');
    const auto textured = [](const Model& model) {
        for (const Look& look : model.looks) {
            if (look.texture) return true;
        }
        return false;
    };
    const Model without = read(kCollada, ".dae", {folder.path}).value();
    CHECK_FALSE(textured(without));
    const auto names = [&](const char* message) {
        return std::any_of(
            without.notes.begin(), without.notes.end(),
            [&](const std::string& note) { return note.find(message) != std::string::npos; });
    };
    CHECK(names("skin.png"));
    CHECK(names("ordered as the importer gives them"));
    REQUIRE(write_file(folder.path / "skin.png", png).ok());
    CHECK(textured(read(kCollada, ".dae", {folder.path}).value()));
}

TEST_CASE("assimp's own words come with a file it refuses") {
    for (const char* extension : {".fbx", ".dae", ".3ds", ".blend", ".x", ".lwo"}) {
        CAPTURE(std::string(extension));
        const Result<Model> model = read("this is no mesh at all", extension);
        if (model) {  // .3ds and the like find nothing in nonsense, and say nothing of it
            CHECK(model.value().meshes.empty());
            continue;
        }
        CHECK(model.error().what.find("assimp") != std::string::npos);
        CHECK_FALSE(model.error().hint.empty());
    }
    CHECK_FALSE(read("x", ".exe").ok());
}

TEST_CASE("limits hold for what assimp makes of a file") {
    CHECK(read(kCollada, ".dae", {.limits = {.triangles = 3}}).ok());
    const Result<Model> model = read(kCollada, ".dae", {.limits = {.triangles = 1}});
    REQUIRE_FALSE(model.ok());
    CHECK(model.error().what.find("more than") != std::string::npos);
}

TEST_CASE("whatever becomes of the child, the caller gets an error with a message") {
    const Folder folder;
    const auto what = [&](const std::string& script) {
        const Result<Model> model = read_with(folder, script);
        REQUIRE_FALSE(model.ok());
        return model.error().what;
    };
    CHECK(what("kill -SEGV $$").find("crashed") != std::string::npos);
    CHECK(what("kill -XCPU $$").find("too long") != std::string::npos);
    ::setenv("DUCTILE_IMPORT_SECONDS", "1", 1);
    CHECK(what("exec sleep 60").find("too long") != std::string::npos);
    ::unsetenv("DUCTILE_IMPORT_SECONDS");
    CHECK(what("exit 3").find("code 3") != std::string::npos);
    CHECK(what("printf M").find("nonsense") != std::string::npos);
    CHECK(what("printf Zabc").find("nonsense") != std::string::npos);
    CHECK(what("printf E").find("without a reason") != std::string::npos);
    CHECK(what("true").find("nothing") != std::string::npos);
    CHECK(what("yes").find("nonsense") != std::string::npos);
    CHECK(what("printf E; exec yes bad").find("bad bad") != std::string::npos);
    CHECK(what("printf M; exec cat /dev/zero").find("more of this file") != std::string::npos);
    CHECK(what("printf 'Ebad \\033[2J thing'") == "bad  [2J thing");
    ::setenv("DUCTILE_IMPORT", "/nowhere/at/all", 1);
    CHECK(read("x", ".fbx").error().hint.find("DUCTILE_IMPORT") != std::string::npos);
    ::unsetenv("DUCTILE_IMPORT");
}

TEST_CASE("a reading that is stopped ends at once, and with it the child") {
    const Folder folder;
    StopFlag stop;
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        stop.set();
    });
    const auto begin = std::chrono::steady_clock::now();
    const Result<Model> model = read_with(folder, "exec sleep 60", {.limits = {.stop = &stop}});
    later.join();
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    REQUIRE_FALSE(model.ok());
    CHECK(model.error().what.find("stopped") == 0);
}

TEST_CASE("a packed model comes back the same") {
    const Model model = rich_model();
    const std::string packed = pack_model(model);
    const Result<Model> back = unpack_model(sample::bytes_of(packed), {});
    if (!back) FAIL(back.error().text());
    CHECK(pack_model(back.value()) == packed);
    CHECK(back.value().meshes[0].points == model.meshes[0].points);
    CHECK(back.value().looks[0].texture == back.value().looks[1].texture);
    CHECK(back.value().animations[0].channels[0].values == model.animations[0].channels[0].values);
    CHECK_FALSE(unpack_model(sample::bytes_of(packed), {.vertices = 3}).ok());
    CHECK_FALSE(unpack_model(sample::bytes_of(packed), {.triangles = 1}).ok());
}

TEST_CASE("bytes that are no packed model are refused, and nothing bad comes of them") {
    const std::string packed = pack_model(rich_model());
    for (std::size_t size = 0; size < packed.size(); ++size) {
        CHECK_FALSE(unpack_model(sample::bytes_of(packed).first(size), {}).ok());
    }
    Rng rng(11);
    for (int round = 0; round < 4000; ++round) {
        std::string spoilt = packed;
        for (int i = 0; i < 2; ++i) {
            const auto at = static_cast<std::size_t>(rng.uniform(0, double(packed.size())));
            spoilt[at] = static_cast<char>(static_cast<unsigned char>(rng.uniform(0, 256)));
        }
        const Result<Model> model = unpack_answer(sample::bytes_of("M" + spoilt), {});
        if (!model) continue;
        for (const ModelMesh& mesh : model.value().meshes) {
            CHECK(has_valid_indices(mesh.points.size(), mesh.triangles));
            for (const Vec3& p : mesh.points) CHECK(p.allFinite());
        }
    }
}
