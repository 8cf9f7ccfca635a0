// SPDX-License-Identifier: MIT
// The readers of small text formats, each by its own door.
#include <ductile/io/obj/obj_statements.h>
#include <ductile/io/obj/read_mtl.h>
#include <ductile/io/polygon_soup.h>
#include <ductile/io/polygons/ply_header.h>
#include <ductile/io/polygons/read_off.h>
#include <ductile/io/polygons/read_stl.h>
#include <ductile/io/tet/read_gmsh.h>
#include <ductile/io/tet/read_medit.h>
#include <ductile/io/tet/tet_surface.h>

#include <doctest/doctest.h>
#include <io/test_files.h>
#include <support/near.h>

#include <cstring>

using namespace ductile;
using namespace ductile::test;

namespace {

const std::string kTetPoints = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";

}  // namespace

TEST_CASE("an OFF is known by its first word and gives its vertices and faces") {
    CHECK(begins_like_off("OFF\n"));
    CHECK(begins_like_off("COFF 3 1 0"));
    CHECK_FALSE(begins_like_off("OFFICE"));
    const Result<Model> model = read_off(
        "OFF\n4 4 0\n" + kTetPoints + "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n", ReadContext{});
    REQUIRE(model.ok());
    CHECK(is_sound(model.value()));
    CHECK(vertex_count(model.value()) == 4);
    CHECK(triangle_count(model.value()) == 4);
    const Result<Model> broken = read_off("OFF\n4 1 0\n" + kTetPoints + "3 0 1 9\n", ReadContext{});
    REQUIRE_FALSE(broken.ok());
    CHECK(broken.error().where == "line 7");
}

TEST_CASE("a binary STL is as long as its count says, to the byte") {
    std::string bytes(84 + 50, '\0');
    const std::uint32_t one = 1;
    std::memcpy(bytes.data() + 80, &one, 4);
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    std::memcpy(bytes.data() + 84 + 12, corners, sizeof corners);
    CHECK(is_exact_binary_stl(bytes));
    CHECK_FALSE(is_exact_binary_stl(bytes + "x"));
    const Result<Model> model = read_stl(bytes, ReadContext{});
    REQUIRE(model.ok());
    CHECK(triangle_count(model.value()) == 1);
    CHECK(vertex_count(model.value()) == 3);
    CHECK_FALSE(read_stl(bytes.substr(0, 100), ReadContext{}).ok());
}

TEST_CASE("a PLY's header promises no more than its file can hold") {
    const std::string head =
        "ply\nformat binary_little_endian 1.0\nelement vertex 2\n"
        "property float x\nproperty list uchar int n\nend_header\n";
    const Result<PlyHeader> header = read_ply_header(head + std::string(10, '\0'));
    REQUIRE(header.ok());
    CHECK(header.value().body == head.size());
    REQUIRE(header.value().elements.size() == 1);
    CHECK(header.value().elements[0].least_bytes(PlyFormat::LittleEndian) == 5);
    CHECK(header.value().elements[0].properties[1].is_list);
    CHECK_FALSE(read_ply_header(head + std::string(9, '\0')).ok());
    CHECK(ply_size(PlyType::Double) == 8);
    CHECK(is_integer(PlyType::Uint16));
    CHECK_FALSE(is_integer(PlyType::Float));
}

TEST_CASE("the skin of two tetrahedra that share a face is the six others, facing out") {
    const std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1),
                                      Vec3(1, 1, 1)};
    // The second is wound inside out.
    const std::vector<Tet> tets = {{0, 1, 2, 3}, {1, 2, 3, 4}, {1, 3, 2, 4}};
    const TetSurface one = tet_surface(points, std::span(tets).first(1), {});
    CHECK(one.triangles.size() == 4);
    const TetSurface a = tet_surface(points, std::span(tets).first(2), {});
    CHECK(a.triangles.size() == 6);
    const std::vector<Tet> turned = {tets[0], tets[2]};
    const TetSurface b = tet_surface(points, turned, {});
    CHECK(b.triangles.size() == 6);
    CHECK(a.inverted_count + b.inverted_count == 1);
    for (const TetSurface* skin : {&a, &b}) {
        double volume = 0.0;
        for (const Triangle& t : skin->triangles) {
            volume += points[t[0]].dot(points[t[1]].cross(points[t[2]])) / 6.0;
        }
        CHECK(test::near(volume, 1.0 / 6.0 + 1.0 / 3.0));
    }
}

TEST_CASE("Medit and Gmsh tell the same tetrahedron") {
    const Result<Model> medit = read_medit(
        "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
        "Tetrahedra\n1\n1 2 3 4 0\nEnd\n",
        ReadContext{});
    const Result<Model> gmsh = read_gmsh(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
        "$EndNodes\n$Elements\n1\n1 4 2 0 0 1 2 3 4\n$EndElements\n",
        ReadContext{});
    REQUIRE(medit.ok());
    REQUIRE(gmsh.ok());
    CHECK(medit.value().meshes[0].points == gmsh.value().meshes[0].points);
    CHECK(medit.value().meshes[0].triangles == gmsh.value().meshes[0].triangles);
    CHECK(medit.value().meshes[0].tets == gmsh.value().meshes[0].tets);
}

TEST_CASE("corners that agree in everything share a vertex, others do not") {
    PolygonSoup soup;
    soup.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
    soup.uvs = {Vec2(0, 0), Vec2(1, 1)};
    soup.corners = {{0, 0}, {1, 0}, {2, 0}};
    soup.end_face();
    soup.corners.insert(soup.corners.end(), {{0, 0}, {2, 1}, {3, 0}});
    soup.end_face();
    CHECK(soup.face_count() == 2);
    const std::vector<std::uint32_t> faces = {0, 1};
    const std::vector<std::int32_t> looks = {4, 5};
    const ModelMesh mesh = SoupCutter(soup).cut(faces, looks);
    CHECK(mesh.points.size() == 5);  // point 2 twice, for its two texture coordinates
    CHECK(mesh.uvs.size() == 5);
    CHECK(mesh.triangles.size() == 2);
    CHECK(mesh.triangle_looks == looks);
}

TEST_CASE("an OBJ's statements keep names, states and faces in the order of the file") {
    const Result<ObjStatements> read = read_obj_statements(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\no door\nusemtl red\nf 1 2 3\no wall\nf -3 -2 -1\n",
        ReadLimits{});
    REQUIRE(read.ok());
    const ObjStatements& s = read.value();
    CHECK(s.soup.face_count() == 2);
    CHECK(s.objects.size() == 3);
    CHECK(s.objects.name(1) == "door");
    CHECK(s.materials.name(0) == "red");
    CHECK(s.soup.face(0)[2].point == s.soup.face(1)[2].point);
    CHECK(s.states.back().material == 0);
    const Result<ObjStatements> broken = read_obj_statements("v 0 0 0\nf 1 1 4\n", ReadLimits{});
    REQUIRE_FALSE(broken.ok());
    CHECK(broken.error().where == "line 2");
}

TEST_CASE("a material library gives looks their numbers, and notes what it cannot read") {
    std::vector<Look> looks;
    std::vector<std::string> notes;
    read_mtl("newmtl red\nKd 1 0.5 0\nd 0.25\nPr 0.75\nnewmtl red\nKd 0 0 0\nnewmtl odd\nKd x\n",
             "a.mtl", ReadContext{}, looks, notes);
    REQUIRE(looks.size() >= 2);
    CHECK(looks[0].name == "red");
    CHECK(looks[0].base_colour == Vec3(1, 0.5, 0));
    CHECK(looks[0].opacity == 0.25);
    CHECK(looks[0].roughness == 0.75);
    CHECK_FALSE(notes.empty());
}
