// SPDX-License-Identifier: MIT
#include <ductile/geom/mass.h>
#include <ductile/io/obj/read_obj.h>

#include <doctest/doctest.h>
#include <io/test_files.h>
#include <support/near.h>

#include <chrono>
#include <string>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr const char* kCube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

std::string with_line_ends(std::string text, const std::string& end) {
    std::string out;
    for (const char c : text) c == '\n' ? void(out += end) : out.push_back(c);
    return out;
}

void check_same(const Model& a, const Model& b) {
    REQUIRE(a.meshes.size() == b.meshes.size());
    for (std::size_t i = 0; i < a.meshes.size(); ++i) {
        CHECK(a.meshes[i].points == b.meshes[i].points);
        CHECK(a.meshes[i].triangles == b.meshes[i].triangles);
        CHECK(a.meshes[i].name == b.meshes[i].name);
    }
}

std::string error_of(std::string_view text) {
    const Result<Model> model = read_text(text, "a.obj");
    return model.ok() ? "" : model.error().text();
}

}  // namespace

TEST_CASE("a cube of quads encloses its volume") {
    const Model model = read_text(kCube, "cube.obj").value();
    REQUIRE(model.meshes.size() == 1);
    CHECK(model.format == "OBJ");
    CHECK(model.meshes[0].points.size() == 8);
    CHECK(test::near(volume(model.meshes[0].points, model.meshes[0].triangles), 1.0));
}

TEST_CASE("line ends, byte order mark, tabs and continuation do not change an OBJ") {
    const Model plain = read_text(kCube, "a.obj").value();
    for (const char* end : {"\r\n", "\r", " \t\n", "\n\n# comment\n"}) {
        check_same(plain, read_text(with_line_ends(kCube, end), "a.obj").value());
    }
    check_same(plain, read_text("\xef\xbb\xbf" + std::string(kCube), "a.obj").value());
    std::string tabs(kCube);
    for (char& c : tabs) c = c == ' ' ? '\t' : c;
    check_same(plain, read_text(tabs, "a.obj").value());
    std::string continued;
    for (const char* c = kCube; *c != '\0'; ++c) {
        *c == ' ' ? void(continued += " \\\r\n ") : continued.push_back(*c);
    }
    check_same(plain, read_text(continued, "a.obj").value());
}

TEST_CASE("faces may come before their vertices and count backwards") {
    const Model plain = read_text(kCube, "a.obj").value();
    const std::string text(kCube);
    const std::size_t faces = text.find("f ");
    check_same(plain, read_text(text.substr(faces) + text.substr(0, faces), "a.obj").value());
    std::string backwards = text.substr(0, faces);
    for (std::size_t i = faces; i < text.size(); ++i) {
        const char c = text[i];
        if (c >= '1' && c <= '8') {
            backwards += "-" + std::to_string(9 - (c - '0'));
        } else {
            backwards.push_back(c);
        }
    }
    check_same(plain, read_text(backwards, "a.obj").value());
}

TEST_CASE("a vertex is split where texture coordinates or normals differ and only there") {
    const Model model = read_text(
                            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                            "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.25 0.75\nvn 0 0 1\n"
                            "f 1/1/1 2/2/1 3/3/1\nf 1/1/1 3/3/1 4/4/1\nf 2/4/1 1/1/1 4/1/1\n",
                            "a.obj")
                            .value();
    const ModelMesh& mesh = model.meshes[0];
    CHECK(mesh.points.size() == 6);  // 2 and 4 have two texture coordinates each.
    CHECK(mesh.normals.size() == 6);
    REQUIRE(mesh.uvs.size() == 6);
    CHECK(mesh.uvs[0] == Vec2(0, 1));  // The lower left of OBJ is (0, 1) here.
    CHECK(mesh.points[mesh.triangles[1][2]] == Vec3(0, 1, 0));
    CHECK(mesh.uvs[mesh.triangles[1][2]] == Vec2(0.25, 0.25));
}

TEST_CASE("corners are written in four ways") {
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5 0.5\nvn 0 0 1\n";
    const ModelMesh plain = read_text(head + "f 1 2 3\n", "a.obj").value().meshes[0];
    CHECK(plain.uvs.empty());
    CHECK(plain.normals.empty());
    const ModelMesh uv = read_text(head + "f 1/1 2/1 3/1/\n", "a.obj").value().meshes[0];
    CHECK(uv.uvs.size() == 3);
    CHECK(uv.normals.empty());
    const ModelMesh normal = read_text(head + "f 1//1 2//1 3//1\n", "a.obj").value().meshes[0];
    CHECK(normal.uvs.empty());
    CHECK(normal.normals[2] == Vec3(0, 0, 1));
    const ModelMesh all = read_text(head + "f 1/1/1 2/-1/-1 3/1/1\n", "a.obj").value().meshes[0];
    CHECK(all.uvs.size() == 3);
    CHECK(all.normals.size() == 3);
}

TEST_CASE("objects name meshes, and groups do where there are no objects") {
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    const Model objects =
        read_text(head + "o body\ng inner\nf 1 2 3\no wheel\nf 1 2 4\no body\nf 2 3 4\n", "a.obj")
            .value();
    REQUIRE(objects.meshes.size() == 2);
    CHECK(objects.meshes[0].name == "body");
    CHECK(objects.meshes[0].triangles.size() == 2);
    CHECK(objects.meshes[1].name == "wheel");
    CHECK(objects.meshes[1].points.size() == 3);
    CHECK(objects.nodes.size() == 2);
    CHECK(objects.nodes[1].name == "wheel");
    const Model groups =
        read_text(head + "f 1 2 3\ng left door\nf 1 2 4\ng empty\n", "a.obj").value();
    REQUIRE(groups.meshes.size() == 2);
    CHECK(groups.meshes[0].name.empty());
    CHECK(groups.meshes[1].name == "left door");
}

TEST_CASE("vertex colours are kept and a weight is no colour") {
    const Model model =
        read_text("v 0 0 0 1 0.5 0.25\nv 1 0 0 1.0\nv 0 1 0 0 1 0 0.5\nf 1 2 3\n", "a.obj").value();
    const ModelMesh& mesh = model.meshes[0];
    REQUIRE(mesh.colours.size() == 3);
    CHECK(mesh.colours[0] == Vec4(1, 0.5, 0.25, 1));
    CHECK(mesh.colours[1] == Vec4(1, 1, 1, 1));
    CHECK(mesh.colours[2] == Vec4(0, 1, 0, 0.5));
}

TEST_CASE("comments may say units and the up axis") {
    const std::string body = std::string("\n") + kCube;
    const auto units = [&](const std::string& comment) {
        return read_text(comment + body, "a.obj").value().metres_per_unit.value_or(0.0);
    };
    CHECK(units("# File units = inches") == 0.0254);
    CHECK(units("#Units: Millimeters") == 0.001);
    CHECK(units("# This file uses centimeters as units for coordinates.") == 0.01);
    CHECK(units("# unit=0.3048; source units kept") == 0.3048);
    CHECK(units("# the units are unknown") == 0.0);
    CHECK(units("# unit=1e300") == 0.0);
    CHECK(read_text("# up=Z_UP" + body, "a.obj").value().up_axis == 2);
    CHECK_FALSE(read_text("# cheer up a bit" + body, "a.obj").value().up_axis.has_value());
}

TEST_CASE("what is wrong in an OBJ is told with its line") {
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    CHECK(error_of(head + "v 1 2\nf 1 2 3\n") == "a.obj: line 4: a number is missing");
    CHECK(error_of(head + "v 1 x 3\nf 1 2 3\n").starts_with("a.obj: line 4: \"x\" is not a fin"));
    CHECK(error_of(head + "v 1 1e999 3\nf 1 2 3\n").find("line 4: the number \"1e999\" is too") !=
          std::string::npos);
    CHECK(error_of(head + "f 1 2 3\nf 1 2 4\n").find("line 5: the face \"1 2 4\" names a vertex") !=
          std::string::npos);
    CHECK(error_of(head + "f 1 2 3\nf 1 2 -4\n").find("line 5") != std::string::npos);
    CHECK(error_of(head + "f 1 2 99999999999999999999\n").find("line 4") != std::string::npos);
    CHECK(error_of(head + "f 1 2 3.5\n").find("line 4: a face corner is no whole number") !=
          std::string::npos);
    CHECK(error_of(head + "f 1 2 3\nf 1 2").find("line 5: the file ends within a face") !=
          std::string::npos);
    CHECK(error_of("\r\rv 1 0\r").find("line 3") != std::string::npos);
}

TEST_CASE("faces of fewer than three different corners are left out and told") {
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    const Model model =
        read_text(head + "f 1 2\nf 1 1 2\nf\nf 1 2 3\nf 3 3 2 1 1\nf 1 2 1 2\n", "a.obj").value();
    CHECK(triangle_count(model) == 2);
    CHECK(has_note(model, "4 faces without three different corners left out, first in line 4"));
}

TEST_CASE("numbers are read to the nearest double") {
    const char* texts[] = {"0.1",
                           "-1e-5",
                           "123456789.123456789",
                           "1e22",
                           "1e23",
                           "+.5",
                           "5.",
                           "9007199254740993",
                           "1e-400",
                           "2.2250738585072014e-308",
                           "1e+2",
                           "0.30000000000000004",
                           "179769313486231570000e288"};
    for (const char* text : texts) {
        CAPTURE(text);
        const Model model =
            read_text(std::string("v ") + text + " 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj")
                .value();
        CHECK(model.meshes[0].points[0].x() == std::strtod(text, nullptr));
    }
}

TEST_CASE("limits hold before memory is used") {
    ReadLimits limits;
    limits.vertices = 8;
    limits.triangles = 12;
    CHECK(read_text(kCube, "a.obj", limits).ok());
    limits.vertices = 7;
    CHECK_FALSE(read_text(kCube, "a.obj", limits).ok());
    limits.vertices = 8;
    limits.triangles = 11;
    CHECK_FALSE(read_text(kCube, "a.obj", limits).ok());
    limits.file_bytes = 10;
    const Result<Model> refused = read_text(kCube, "a.obj", limits);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().what.find("limit of 10 bytes") != std::string::npos);
}

TEST_CASE("a material library gives looks and textures of the asset's folder only") {
    const TempFolder folder;
    const std::string png = "\x89PNG\r\n\x1a\nrest";
    folder.write("asset/tex/skin one.png", png);
    folder.write("secret.png", png);
    folder.write("asset/bad.png", "GIF89a");
    folder.write("asset/car.mtl",
                 "newmtl paint\nKd 0.8 0.1 0.2\nd 0.5\nPm 1\nPr 0.25\nNs 10\n"
                 "map_Kd tex\\skin one.png\n"
                 "newmtl glass\nTr 0.75\nNs 0\nmap_Kd ../secret.png\n"
                 "newmtl odd\nKd 2 0 0\nmap_Kd bad.png\nPr x\n");
    std::filesystem::create_symlink("../secret.png", folder.path / "asset" / "link.png");
    folder.write("asset/more.mtl", "newmtl linked\nmap_Kd link.png\nnewmtl paint\nKd 0 0 0\n");
    const std::string text =
        "mtllib car.mtl more.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl glass\nf 1 2 3\n"
        "usemtl paint\nf 3 2 1\nusemtl unknown\nf 1 3 2\nusemtl paint\nf 2 3 1\n";
    folder.write("asset/car.obj", text);
    const Model model = read_model(folder.path / "asset" / "car.obj").value();
    REQUIRE(model.looks.size() == 5);
    const Look& paint = model.looks[0];
    CHECK(paint.name == "paint");
    CHECK(paint.base_colour == Vec3(0.8, 0.1, 0.2));
    CHECK(paint.opacity == 0.5);
    CHECK(paint.metallic == 1.0);
    CHECK(paint.roughness == 0.25);
    REQUIRE(paint.texture);
    CHECK(paint.texture->mime_type == "image/png");
    CHECK(paint.texture->bytes.size() == png.size());
    CHECK(model.looks[1].opacity == 0.25);
    CHECK(model.looks[1].roughness == 1.0);
    CHECK_FALSE(model.looks[1].texture);
    CHECK(model.looks[2].base_colour == Vec3(1, 0, 0));
    CHECK_FALSE(model.looks[2].texture);
    CHECK_FALSE(model.looks[3].texture);
    CHECK(has_note(model, "a link out of the asset's folder, which is not opened"));
    CHECK(has_note(model, "a path out of the asset's folder, which is not opened"));
    CHECK(has_note(model, "is neither PNG nor JPEG"));
    CHECK(has_note(model, "car.mtl, line 15: Pr without a number"));
    CHECK(model.meshes[0].triangle_looks == std::vector<std::int32_t>{1, 0, 4, 0});
    CHECK(model.looks[4].name == "unknown");
}

TEST_CASE("absolute paths of libraries are never opened") {
    const TempFolder folder;
    folder.write("car.mtl", "newmtl paint\nKd 1 0 0\n");
    folder.write("car.obj", "mtllib " + (folder.path / "car.mtl").string() +
                                "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl paint\nf 1 2 3\n");
    const Model model = read_model(folder.path / "car.obj").value();
    CHECK(has_note(model, "an absolute path, which is not opened"));
    CHECK(model.looks[0].base_colour == Look().base_colour);
}

TEST_CASE("normals and texture coordinates that are no numbers are told and set to zero") {
    const Model model = read_text(
                            "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn nan 0 0\nvn 0 0 1\nvt 0.5 -nan(ind)\n"
                            "vt 1.#QNAN 0\nf 1/1/1 2/2/2 3/1/2\n",
                            "a.obj")
                            .value();
    CHECK(model.meshes[0].normals[0] == Vec3(0, 0, 0));
    CHECK(model.meshes[0].uvs[0] == Vec2(0, 0));
    CHECK(has_note(model, "3 normals or texture coordinates that are no numbers set to zero"));
    CHECK(error_of("vn x 0 0\n").find("line 1: \"x\" is not a finite number") != std::string::npos);
}

TEST_CASE("the time to read grows with the file and not with its square") {
    const TempFolder folder;
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nmtllib bad.mtl\n";
    for (int i = 0; i < 200000; ++i) text += "vn nan nan nan\nf 1 1 2\ncurv 1\nf 1/9 2/9 3/9\n";
    for (int i = 0; i < 20000; ++i) text += "mtllib none" + std::to_string(i) + ".mtl\n";
    std::string library = "newmtl a\n";
    for (int i = 0; i < 200000; ++i) library += "Kd x\nmap_Kd none.png\n";
    folder.write("bad.mtl", library);
    folder.write("a.obj", text);
    const auto began = std::chrono::steady_clock::now();
    const Model model = read_model(folder.path / "a.obj").value();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    CHECK(took.count() < 30.0);  // One second alone; hours if a line were counted for each note.
    CHECK(model.notes.size() < 200);
    CHECK(has_note(model, "200000 normals or texture coordinates that are no numbers"));
    CHECK(has_note(model, "material libraries beyond 64 left out"));
}
