// SPDX-License-Identifier: MIT
// STL, OFF, Medit and Gmsh, and how a format is told from another.
#include <ductile/geom/mass.h>
#include <ductile/io/mesh_format.h>

#include <doctest/doctest.h>
#include <io/test_files.h>
#include <support/near.h>

#include <bit>
#include <string>

using namespace ductile;
using namespace ductile::test;

namespace {

std::string error_of(const std::string& text, const char* name) {
    const Result<Model> model = read_text(text, name);
    return model.ok() ? "" : model.error().text();
}

bool contains(const std::string& text, const char* message) {
    return text.find(message) != std::string::npos;
}

constexpr const char* kFacet =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    "endloop\nendfacet\n";

std::string binary_stl(const std::string& header, std::uint32_t count, int triangles) {
    std::string bytes = header;
    bytes.resize(80, ' ');
    const auto add = [&](std::uint32_t value) {
        for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(value >> (8 * i) & 0xff));
    };
    add(count);
    for (int t = 0; t < triangles; ++t) {
        const float numbers[] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, static_cast<float>(t)};
        for (const float x : numbers) add(std::bit_cast<std::uint32_t>(x));
        bytes += std::string(2, '\0');
    }
    return bytes;
}

constexpr const char* kMedit =
    "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
    "1 1 1 0\n";
constexpr const char* kNodes = "5\n1 0 0 0\n2 1 0 0\n5 0 1 0\n7 0 0 1\n9 1 1 1\n";

double enclosed(const Model& model) {
    return volume(model.meshes[0].points, model.meshes[0].triangles);
}

}  // namespace

TEST_CASE("STL as text and as bytes give the same triangle") {
    const Model text =
        read_text("solid a b\n" + std::string(kFacet) + "endsolid a b\n", "a.stl").value();
    const Model binary = read_text(binary_stl("solid but binary", 1, 1), "a.stl").value();
    CHECK(text.meshes[0].name == "a b");
    CHECK(text.meshes[0].points == binary.meshes[0].points);
    CHECK(text.meshes[0].triangles == binary.meshes[0].triangles);
}

TEST_CASE("every solid of an STL is a mesh, and keywords may be in capitals") {
    std::string capitals(kFacet);
    for (char& c : capitals) c = static_cast<char>(std::toupper(c));
    const Model model = read_text("solid a\n" + std::string(kFacet) + "endsolid\nSOLID b\n" +
                                      capitals + capitals + "ENDSOLID\n",
                                  "a.stl")
                            .value();
    REQUIRE(model.meshes.size() == 2);
    CHECK(model.meshes[0].triangles.size() == 1);
    CHECK(model.meshes[1].name == "b");
    CHECK(model.meshes[1].triangles.size() == 2);
}

TEST_CASE("an STL's count is held against its bytes") {
    CHECK(contains(error_of(binary_stl("x", 3, 2), "a.stl"),
                   "byte 80: promises 3 triangles, but has room for 2"));
    const Model longer = read_text(binary_stl("x", 1, 2), "a.stl").value();
    CHECK(triangle_count(longer) == 1);
    CHECK(has_note(longer, "50 bytes after the last triangle left out, from byte 134"));
    CHECK(contains(error_of(binary_stl("x", 0, 0), "a.stl"), "has no triangles"));
    CHECK(contains(error_of("short", "a.stl"), "too short"));
    std::string broken = binary_stl("x", 1, 1);
    broken[98] = static_cast<char>(0x80);  // The first coordinate becomes infinite.
    broken[99] = static_cast<char>(0x7f);
    CHECK(contains(error_of(broken, "a.stl"), "triangle 0 has a coordinate that is not finite"));
}

TEST_CASE("what is wrong in an STL text is told with its line") {
    CHECK(contains(error_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                            "endloop\nendfacet\n",
                            "a.stl"),
                   "line 7: a facet of 2 vertices"));
    CHECK(contains(error_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 x 0\n", "a.stl"),
                   "line 4: \"x\" is not a finite number"));
    CHECK(contains(error_of("solid a\nnonsense\n", "a.stl"), "line 2: \"nonsense\" is no word"));
    CHECK(contains(error_of("solid a\nendsolid\n", "a.stl"), "has no triangles"));
}

TEST_CASE("OFF has counts on the first line or the next, colours and normals") {
    const std::string body =
        " 4 4 6\n0 0 0\n1 0 0 # here\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3 255 0 0\n"
        "3 1 2 3\n3 0 3 2\n";
    for (const char* head : {"OFF", "OFF\n# comment\n\n"}) {
        const Model model = read_text(head + body, "a.off").value();
        CHECK(model.format == "OFF");
        CHECK(test::near(enclosed(model), 1.0 / 6.0));
    }
    const Model full = read_text(
                           "STCNOFF\n3 1 0\n0 0 0 0 0 1 255 0 0 255 0 0\n"
                           "1 0 0 0 0 1 0.5 0.5 0.5 0.5 1 0\n0 1 0 0 0 1 0 0 255 255 0 1\n"
                           "3 0 1 2\n",
                           "a.off")
                           .value();
    CHECK(full.meshes[0].colours[0] == Vec4(1, 0, 0, 1));
    CHECK(full.meshes[0].colours[1] == Vec4(0.5, 0.5, 0.5, 0.5));
    CHECK(full.meshes[0].normals[2] == Vec3(0, 0, 1));
    CHECK(full.meshes[0].uvs[0] == Vec2(0, 1));
}

TEST_CASE("what is wrong in an OFF is told with its line") {
    CHECK(contains(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "a.off"),
                   "line 6: a face names vertex 3, but there are 3"));
    CHECK(contains(error_of("OFF\n3 1 0\n0.0000 0 0\n1.00000 0\n", "a.off"), "ends too early"));
    CHECK(
        contains(error_of("OFF\n999999999 1 0\n0 0 0\n", "a.off"), "promises 999999999 vertices"));
    CHECK(contains(error_of("OFF BINARY\n....", "a.off"), "binary OFF"));
    CHECK(contains(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 inf 0\n3 0 1 2\n", "a.off"),
                   "line 5: \"inf\" is not a finite number"));
}

TEST_CASE("tetrahedra show their skin, facing outward whatever their winding") {
    const std::string two = "Tetrahedra\n2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n";
    const Model model = read_text(kMedit + two, "a.mesh").value();
    CHECK(model.meshes[0].tets.size() == 2);
    CHECK(model.meshes[0].triangles.size() == 6);
    CHECK(test::near(enclosed(model), 1.0 / 6.0 + 1.0 / 3.0));
    const std::string inverted = "Tetrahedra\n2\n1 3 2 4 0\n2 3 4 5 0\nEnd\n";
    const Model turned = read_text(kMedit + inverted, "a.mesh").value();
    CHECK(test::near(enclosed(turned), 0.5));
    CHECK(has_note(turned, "1 tetrahedra are inside out (negative volume), first tetrahedron 0"));
}

TEST_CASE("faces that belong to no tetrahedron are kept, others are not shown twice") {
    const Model model = read_text(std::string(kMedit) +
                                      "Triangles 2\n1 2 3 0\n2 3 5 0\n"
                                      "Tetrahedra\n1\n1 2 3 4 0\nEdges 1 1 2 0\nEnd",
                                  "a.mesh")
                            .value();
    CHECK(model.meshes[0].triangles.size() == 5);
}

TEST_CASE("three versions of Gmsh give equal models") {
    const Model one = read_text("$NOD\n" + std::string(kNodes) +
                                    "$ENDNOD\n$ELM\n3\n1 4 0 0 4 1 2 5 7\n2 15 0 0 1 1\n"
                                    "3 4 0 0 4 2 5 7 9\n$ENDELM\n",
                                "a.msh")
                          .value();
    const Model two =
        read_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::string(kNodes) +
                      "$EndNodes\n$Elements\n3\n1 4 2 0 1 1 2 5 7\n2 15 0 1\n"
                      "3 4 0 2 5 7 9\n$EndElements\n",
                  "a.msh")
            .value();
    const Model four = read_text(
                           "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n"
                           "$EndEntities\n$Nodes\n2 5 1 9\n3 1 0 3\n1\n2\n5\n0 0 0\n1 0 0\n0 1 0\n"
                           "3 1 0 2\n7\n9\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n2 3 1 3\n3 1 4 2\n"
                           "1 1 2 5 7\n3 2 5 7 9\n0 1 15 1\n2 1\n$EndElements\n",
                           "a.msh")
                           .value();
    CHECK(test::near(enclosed(one), 0.5));
    for (const Model* other : {&two, &four}) {
        CHECK(other->meshes[0].points == one.meshes[0].points);
        CHECK(other->meshes[0].triangles == one.meshes[0].triangles);
        CHECK(other->meshes[0].tets == one.meshes[0].tets);
        CHECK(other->notes == one.notes);
    }
}

TEST_CASE("what is wrong in a volume file is told with its line") {
    CHECK(contains(
        error_of("$NOD\n" + std::string(kNodes) + "$ENDNOD\n$ELM\n1\n1 4 0 0 4 1 2 5 8\n", "a.msh"),
        "line 11: names node 8, which does not exist"));
    CHECK(contains(error_of("$NOD\n1\n1 0 0", "a.msh"), "line 3: the file ends too early"));
    CHECK(contains(error_of("$MeshFormat\n3 0 8\n$EndMeshFormat\n", "a.msh"), "version 3 is not"));
    // Found by fuzzing: a version beyond every integer.
    CHECK(contains(error_of("$MeshFormat\n4444144444.1 0 8\n", "a.msh"), "is not read"));
    CHECK(contains(error_of("$NOD\n99999999\n1 0 0 0\n", "a.msh"), "promises 99999999 items"));
    CHECK(
        contains(error_of("MeshVersionFormatted 1\nDimension 2\n", "a.mesh"), "has 2 dimensions"));
    CHECK(contains(error_of(std::string(kMedit) + "Tetrahedra\n1\n1 2 3\n", "a.mesh"),
                   "ends too early"));
    CHECK(contains(error_of(std::string(kMedit) + "End\n", "a.mesh"), "has no faces (5 vertices)"));
}

TEST_CASE("the content decides what a file is, its name where content does not") {
    CHECK(format_of_content("ply\nformat") == MeshFormat::Ply);
    CHECK(format_of_content("# note\r\n\r\n  v 1 2 3\n") == MeshFormat::Obj);
    CHECK(format_of_content("# note\nCOFF\n") == MeshFormat::Off);
    CHECK(format_of_content("glTF\2") == MeshFormat::Gltf);
    CHECK(format_of_content("\n{ \"asset\"") == MeshFormat::Gltf);
    CHECK(format_of_content("$MeshFormat\n") == MeshFormat::Gmsh);
    CHECK(format_of_content("solid\n") == MeshFormat::Stl);
    CHECK(format_of_content(binary_stl("anything", 2, 2)) == MeshFormat::Stl);
    CHECK(format_of_content("plyx\n") == MeshFormat::Unknown);
    CHECK(format_of_content("") == MeshFormat::Unknown);
    CHECK(format_of_extension(".OBJ") == MeshFormat::Obj);
    CHECK(format_of_extension("obj") == MeshFormat::Unknown);
    const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    CHECK(has_note(read_text(obj, "a.stl").value(), "the file is called .stl but holds OBJ"));
    CHECK(read_text(obj, "no extension").value().notes.empty());
    CHECK(contains(error_of("what is this", "a.txt"), "a.txt: is of no format that ductile reads"));
}
