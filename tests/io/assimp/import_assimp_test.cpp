// SPDX-License-Identifier: MIT
#include <ductile/io/assimp/import_assimp.h>
#include <ductile/io/import/model_stream.h>
#include <ductile/io/import/read_assimp.h>

#include <doctest/doctest.h>
#include <io/gltf/gltf_files.h>
#include <support/near.h>
#include <support/temp_folder.h>

using namespace ductile;

namespace {

// A pentagon of one material, a triangle of another that uses two of its corners, and a line.
const char* const kTwoMaterials =
    "mtllib LIBRARY\no panel\n"
    "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 3 0\nv -1 1 0\nv 5 5 0\n"
    "usemtl red\nf 1 2 3 4 5\nusemtl blue\nf 2 3 6\nl 1 6\n";

std::string with_library(const std::string& name) {
    std::string text = kTwoMaterials;
    return text.replace(text.find("LIBRARY"), 7, name);
}

Model imported(const std::string& text, const ReadContext& context) {
    Result<Model> model = import_assimp(sample::bytes_of(text), ".obj", context);
    REQUIRE_MESSAGE(model.ok(), (model.ok() ? "" : model.error().text()));
    return std::move(model).value();
}

bool has_red(const Model& model) {
    for (const Look& look : model.looks) {
        if (look.base_colour == Vec3(1, 0, 0)) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("assimp's meshes of one node become one, n-gons cut, lines left out with a note") {
    const Model model = imported(kTwoMaterials, {});
    CHECK(model.format == "OBJ");
    REQUIRE(model.meshes.size() == 1);
    const ModelMesh& mesh = model.meshes[0];
    // Three triangles for five corners, and one more; each has the look of its face.
    REQUIRE(mesh.triangles.size() == 4);
    REQUIRE(mesh.triangle_looks.size() == 4);
    CHECK(mesh.triangle_looks[0] == mesh.triangle_looks[2]);
    CHECK(mesh.triangle_looks[0] != mesh.triangle_looks[3]);
    Vec3 twice_area = Vec3::Zero();
    for (const Triangle& t : mesh.triangles) twice_area += area_vector(mesh.points, t);
    CHECK(test::near(twice_area.z(), 2 * (7.0 + 1.0)));
    bool is_noted = false;
    for (const std::string& note : model.notes) {
        is_noted = is_noted || note == "1 points or lines are left out";
    }
    CHECK(is_noted);
}

TEST_CASE("assimp opens companions in the asset's folder and below, and none outside") {
    const test::TempFolder folder;
    const std::string library = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n";
    folder.write("inner/more/a.mtl", library);
    folder.write("b.mtl", library);
    const ReadContext context{folder.path / "inner", {}};
    CHECK(has_red(imported(with_library("more/a.mtl"), context)));
    CHECK_FALSE(has_red(imported(with_library("../b.mtl"), context)));
    CHECK_FALSE(has_red(imported(with_library("more/a.mtl"), {})));
}

TEST_CASE("what is imported here and now is what a process of its own makes of it") {
    const std::string square =
        "AC3Db\nMATERIAL \"red\" rgb 1 0 0 amb 0 0 0 emis 0 0 0 spec 0 0 0 shi 10 trans 0\n"
        "OBJECT world\nkids 1\nOBJECT poly\nname \"panel\"\n"
        "numvert 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
        "numsurf 1\nSURF 0x00\nmat 0\nrefs 4\n0 0 0\n1 1 0\n2 1 1\n3 0 1\nkids 0\n";
    const Result<Model> here = import_assimp(sample::bytes_of(square), ".ac", {});
    const Result<Model> there = read_assimp(sample::bytes_of(square), ".ac", {});
    REQUIRE(here.ok());
    REQUIRE(there.ok());
    REQUIRE(here.value().meshes.size() == 1);
    CHECK(here.value().meshes[0].triangles.size() == 2);
    CHECK(pack_model(here.value()) == pack_model(there.value()));
}
