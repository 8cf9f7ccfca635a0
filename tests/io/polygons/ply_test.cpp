// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/io/polygons/read_ply.h>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <io/test_files.h>
#include <support/near.h>

#include <bit>
#include <string>
#include <vector>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr const char* kHead =
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
constexpr const char* kFace = "element face 1\nproperty list uchar int vertex_indices\n";

/// Writes numbers as a PLY of one format has them.
struct PlyWriter {
    std::string format;  ///< As the header names it.
    std::string out;

    void number(double value, int size, bool is_float) {
        if (format == "ascii") {
            out += fmt::format("{} ", value);
            return;
        }
        const auto whole = static_cast<std::int64_t>(value);
        std::uint64_t bits = !is_float   ? static_cast<std::uint64_t>(whole)
                             : size == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                         : std::bit_cast<std::uint64_t>(value);
        std::string bytes;
        for (int i = 0; i < size; ++i, bits >>= 8) bytes.push_back(static_cast<char>(bits & 0xff));
        if (format == "binary_big_endian") std::reverse(bytes.begin(), bytes.end());
        out += bytes;
    }
};

// A random mesh with everything a vertex may have, and a list that nobody knows.
std::string written(const std::string& format) {
    Rng rng(3);
    PlyWriter w{format, ""};
    w.out = "ply\nformat " + format + " 1.0\ncomment units: cm\nelement vertex 20\n" +
            "property double x\nproperty list ushort char history\nproperty double y\n"
            "property double z\nproperty float nx\nproperty float ny\nproperty float nz\n"
            "property uchar red\nproperty uchar green\nproperty uchar blue\n"
            "property float texture_u\nproperty float texture_v\n"
            "element face 15\nproperty int quality\nproperty list uint uint vertex_indices\n"
            "element edge 2\nproperty short a\nend_header\n";
    for (int i = 0; i < 20; ++i) {
        w.number(rng.uniform(), 8, true);
        w.number(2, 2, false);
        w.number(-1, 1, false);
        w.number(5, 1, false);
        w.number(rng.uniform(), 8, true);
        w.number(rng.uniform(), 8, true);
        for (int k = 0; k < 3; ++k) w.number(0.25 * k, 4, true);
        for (int k = 0; k < 3; ++k) w.number(100 * k, 1, false);
        w.number(0.5, 4, true);
        w.number(0.25, 4, true);
        if (format == "ascii") w.out += '\n';
    }
    for (int i = 0; i < 15; ++i) {
        w.number(-7, 4, false);
        const int corners = 3 + i % 3;
        w.number(corners, 4, false);
        for (int k = 0; k < corners; ++k) w.number(i + k, 4, false);
        if (format == "ascii") w.out += '\n';
    }
    w.number(1, 2, false);
    w.number(2, 2, false);
    return w.out;
}

std::string text_ply(const std::string& header, const std::string& body) {
    return "ply\nformat ascii 1.0\n" + header + "end_header\n" + body;
}

std::string ply_error(const std::string& text) {
    const Result<Model> model = read_text(text, "a.ply");
    return model.ok() ? "" : model.error().text();
}

}  // namespace

TEST_CASE("text and both byte orders of one mesh give equal models") {
    const Model text = read_text(written("ascii"), "a.ply").value();
    REQUIRE(text.meshes.size() == 1);
    CHECK(text.meshes[0].points.size() == 20);
    CHECK(text.meshes[0].triangles.size() == 30);
    CHECK(text.metres_per_unit == 0.01);
    CHECK(is_sound(text));
    for (const char* format : {"binary_little_endian", "binary_big_endian"}) {
        const Model other = read_text(written(format), "a.ply").value();
        CHECK(other.meshes[0].points == text.meshes[0].points);
        CHECK(other.meshes[0].normals == text.meshes[0].normals);
        CHECK(other.meshes[0].colours == text.meshes[0].colours);
        CHECK(other.meshes[0].uvs == text.meshes[0].uvs);
        CHECK(other.meshes[0].triangles == text.meshes[0].triangles);
        CHECK(other.notes == text.notes);
    }
    CHECK(text.meshes[0].uvs[0] == Vec2(0.5, 0.75));
    CHECK(text.meshes[0].normals[0] == Vec3(0, 0.25, 0.5));
}

TEST_CASE("bytes are colours of screens, floats amounts of light") {
    const std::string bytes =
        text_ply(std::string(kHead) +
                     "property uchar red\nproperty uchar green\nproperty uchar blue\n" + kFace,
                 "0 0 0 255 0 188\n1 0 0 0 0 0\n0 1 0 0 0 0\n3 0 1 2\n");
    const Vec4 from_bytes = read_text(bytes, "a.ply").value().meshes[0].colours[0];
    CHECK(from_bytes[0] == 1.0);
    CHECK(from_bytes[1] == 0.0);
    CHECK(test::near(from_bytes[2], 0.5, 0.01));  // 188 is half the light of 255.
    CHECK(from_bytes[3] == 1.0);
    const std::string floats =
        text_ply(std::string(kHead) +
                     "property float red\nproperty float green\nproperty float blue\nproperty "
                     "float alpha\n" +
                     kFace,
                 "0 0 0 1 0.5 0.25 0.75\n1 0 0 2 -1 nan 1\n0 1 0 0 0 0 0\n3 0 1 2\n");
    const ModelMesh mesh = read_text(floats, "a.ply").value().meshes[0];
    CHECK(mesh.colours[0] == Vec4(1, 0.5, 0.25, 0.75));
    CHECK(mesh.colours[1] == Vec4(1, 0, 1, 1));
}

TEST_CASE("triangle strips turn over at every other triangle") {
    const Model model =
        read_text(text_ply("element vertex 5\nproperty float x\nproperty float y\n"
                           "property float z\nelement tristrips 1\n"
                           "property list int int vertex_indices\n",
                           "0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 1 0\n8 0 1 2 3 -1 1 4 3\n"),
                  "a.ply")
            .value();
    REQUIRE(model.meshes[0].triangles.size() == 3);
    for (const Triangle& t : model.meshes[0].triangles) {
        CHECK(area_vector(model.meshes[0].points, t).z() > 0);
    }
}

TEST_CASE("what is wrong in a PLY is told with its place") {
    const std::string body = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    const std::string header = std::string(kHead) + kFace;
    CHECK(ply_error(text_ply(header, body)).empty());
    CHECK(ply_error(text_ply(header, "0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n"))
              .starts_with("a.ply: line 11: \"x\" is not a finite number"));
    CHECK(ply_error(text_ply(header, "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n")).find("not finite") !=
          std::string::npos);
    CHECK(ply_error(text_ply(header, "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"))
              .starts_with("a.ply: face 0: names vertex 3, but there are 3"));
    CHECK(ply_error(text_ply(header, "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n")).find("face 0") !=
          std::string::npos);
    CHECK(ply_error(text_ply(header, "0 0 0\n1 0 0\n0 1 0\n3 0 1\n")).find("ends too early") !=
          std::string::npos);
    CHECK(ply_error(text_ply(header, "0 0 0\n1 0 0\n0 1 0\n300 0 1 2\n"))
              .find("line 13: a list of") != std::string::npos);
    CHECK(ply_error("ply\nformat ascii 2.0\nelement vertex x\nend_header\n").find("line 3") !=
          std::string::npos);
    CHECK(ply_error("ply\nelement vertex 1\nproperty float x\nend_header\n0\n").find("no format") !=
          std::string::npos);
    CHECK(ply_error(text_ply(kHead, "0 0 0\n1 0 0\n0 1 0\n")).find("has no faces (3 vertices)") !=
          std::string::npos);
    CHECK(
        ply_error(text_ply("element vertex 1\nproperty float x\n", "0\n")).find("no x, y and z") !=
        std::string::npos);
}

TEST_CASE("a header may not ask for more than the file holds") {
    const std::string header = "element vertex 4000000000\nproperty float x\n" + std::string(kFace);
    CHECK(ply_error(text_ply(header, "0\n")).find("promises 4000000000 of element") !=
          std::string::npos);
    // Found by fuzzing: without properties, no bytes hold a count down.
    CHECK(
        ply_error(text_ply("element face 9223372036854775807\n", "0 0 0\n")).find("has no faces") !=
        std::string::npos);
    CHECK(ply_error(text_ply("element vertex 9223372036854775807\n", "0\n")).find("has no faces") !=
          std::string::npos);
    // Found by fuzzing: a header with the line ends of old Macs and nothing behind it.
    CHECK_FALSE(ply_error("ply\rformat binary_big_endian 1.0\nelement face 1\n"
                          "property list uint int vertex_indices\nend_header")
                    .empty());
    ReadLimits limits;
    limits.vertices = 2;
    CHECK_FALSE(read_text(text_ply(std::string(kHead) + kFace, "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
                          "a.ply", limits)
                    .ok());
}
