// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/export/sequence/obj.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/near.h>
#include <unistd.h>

#include <map>
#include <sstream>

using namespace ductile;

TEST_CASE("an OBJ file gives back points, normals, UVs, triangles and looks") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("ductile_obj_" + std::to_string(::getpid()));
    auto asset = sample::ball(3);
    asset->render.looks[1].name = "tinted glass";
    std::vector<Vec3> points, normals;
    const RenderSkin skin(asset);
    skin.pose(sample::dented(asset->surface.points, Vec3::UnitX(), 0.1), points, normals);
    REQUIRE(write_obj(*asset, points, normals, folder / "a.obj").ok());

    std::istringstream text(read_file(folder / "a.obj").value());
    std::map<std::string, std::size_t> counts;
    std::map<std::string, std::size_t> faces;  // per material
    std::string line, word, library, material;
    double a, b, c;
    while (std::getline(text, line)) {
        std::istringstream in(line);
        if (!(in >> word)) continue;
        const std::size_t i = counts[word]++;
        if (word == "mtllib") in >> library;
        if (word == "usemtl") in >> material;
        if (word == "f") ++faces[material];
        if (word == "vt" && in >> a >> b) {
            CHECK(float(a) == float(asset->render.uvs[i].x()));
            CHECK(test::within(b, 1.0 - asset->render.uvs[i].y(), 1e-6));
        }
        if ((word != "v" && word != "vn") || !(in >> a >> b >> c)) continue;
        const Vec3& expected = word == "v" ? points[i] : normals[i];
        CHECK(Vec3(a, b, c).cast<float>() == expected.cast<float>());
    }
    CHECK(counts["v"] == points.size());
    CHECK(counts["vn"] == points.size());
    CHECK(counts["vt"] == points.size());
    CHECK(counts["f"] == asset->render.triangles.size());
    CHECK(faces.size() == 2);
    REQUIRE(library == "a.mtl");
    const std::string materials = read_file(folder / library).value();
    for (const auto& [name, count] : faces) {
        CHECK(materials.find("newmtl " + name + "\n") != std::string::npos);
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("an OBJ file is not written from numbers that are none") {
    const auto asset = sample::ball(2);
    std::vector<Vec3> points = asset->render.points;
    CHECK_FALSE(write_obj(*asset, std::span(points).first(3), points, "never.obj").ok());
    points[2].y() = std::nan("");
    const Status refused = write_obj(*asset, points, asset->render.normals, "never.obj");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().text().find("never.obj") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists("never.obj"));
}
