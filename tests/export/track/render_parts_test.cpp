// SPDX-License-Identifier: MIT
// What several exporters share: parts by look, posed bodies, names and numbers as text.
#include <ductile/core/file.h>
#include <ductile/core/file_writer.h>
#include <ductile/export/glb/glb_builder.h>
#include <ductile/export/sequence/obj_text.h>
#include <ductile/export/sequence/ply_buffer.h>
#include <ductile/export/track/body_poser.h>
#include <ductile/export/track/render_parts.h>
#include <ductile/export/usd/usd_text.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/near.h>
#include <support/temp_folder.h>

#include <cstring>

using namespace ductile;

TEST_CASE("a mesh cut by look has every triangle once, and no vertex in vain") {
    const auto asset = sample::ball(4);
    RenderMesh mesh = asset->render;
    mesh.looks.resize(3);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        mesh.triangle_looks[t] = t % 2 ? 2 : 0;
    }
    const std::vector<RenderPart> parts = split_by_look(mesh);
    REQUIRE(parts.size() == 2);  // look 1 has no triangle
    std::size_t triangles = 0;
    for (const RenderPart& part : parts) {
        CHECK(std::is_sorted(part.vertices.begin(), part.vertices.end()));
        std::vector<int> uses(part.vertices.size(), 0);
        for (const Triangle& t : part.triangles) {
            for (const std::int32_t v : t) ++uses.at(v);
        }
        CHECK(std::count(uses.begin(), uses.end(), 0) == 0);
        triangles += part.triangles.size();
    }
    CHECK(parts[1].look == 2);
    CHECK(triangles == mesh.triangles.size());
}

TEST_CASE("a poser shows the shape and pose of each frame, and stays while nothing changes") {
    const Recording recording = sample::busy();
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        if (!BodyPoser::can_show(recording, b)) continue;
        BodyPoser poser(recording, b);
        for (std::size_t f = 0; f < recording.frames.size(); ++f) {
            const std::int32_t shape = poser.shape();
            const std::vector<Vec3> points(poser.points().begin(), poser.points().end());
            poser.show(f);
            if (poser.shape() == shape) {
                CHECK(std::equal(points.begin(), points.end(), poser.points().begin()));
            }
            CHECK(poser.points().size() == poser.asset().render.points.size());
            for (const Vec3& n : poser.normals()) CHECK(test::near(n.norm(), 1.0, 1e-6));
        }
    }
}

TEST_CASE("bytes of a PLY are little-endian floats, and what fits no float is remembered") {
    PlyBuffer buffer("head\n");
    buffer.add(1.5);
    buffer.add(Triangle{1, 2, 3});
    buffer.add_byte(1.0);
    CHECK(buffer.all_fit());
    const std::string bytes = buffer.take();
    REQUIRE(bytes.size() == 5 + 4 + 13 + 1);
    float first = 0.0f;
    std::memcpy(&first, bytes.data() + 5, 4);
    CHECK(first == 1.5f);
    CHECK(bytes[9] == 3);
    CHECK(static_cast<unsigned char>(bytes.back()) == 255);
    PlyBuffer large;
    large.add(1e300);
    CHECK_FALSE(large.all_fit());
    PlyBuffer none;
    none.add(std::nan(""));
    CHECK_FALSE(none.all_fit());
}

TEST_CASE("names in OBJ files end neither their line nor, where it matters, their word") {
    CHECK(obj_line_of("left door") == "left door");
    CHECK(obj_line_of("left\ndoor").find('\n') == std::string::npos);
    CHECK(obj_word_of("left door").find(' ') == std::string::npos);
    ObjMaterials materials("car");
    RenderMesh mesh;
    mesh.looks = {Look{.name = "red paint"}, Look{.name = "red paint"}};
    const std::vector<std::string> names = materials.add(mesh);
    REQUIRE(names.size() == 2);
    CHECK(names[0] != names[1]);
    CHECK(names[0].find(' ') == std::string::npos);
}

TEST_CASE("a sample in USD stands at every change and just before it") {
    const std::vector<int> values = {1, 1, 1, 2, 3, 3, 3, 1};
    const auto same = [&](std::size_t a, std::size_t b) { return values[a] == values[b]; };
    CHECK(usd_frames(values.size(), same) == std::vector<std::size_t>{0, 2, 3, 4, 6, 7});
    CHECK(usd_frames(1, same) == std::vector<std::size_t>{0});
}

TEST_CASE("USD names are words of their own, and texts cannot break out of their quotes") {
    std::set<std::string> taken;
    CHECK(usd_name("door", taken) == "door");
    CHECK(usd_name("door", taken) != "door");
    const std::string digit = usd_name("1st", taken);
    CHECK_FALSE(std::isdigit(static_cast<unsigned char>(digit[0])));
    CHECK(taken.size() == 3);
    const std::string quoted = usd_string("a\"b\n");
    CHECK(quoted.find('\n') == std::string::npos);
    CHECK(quoted.find("\\\"") != std::string::npos);
    std::string out;
    const float numbers[] = {0.1f, 2.0f};
    append_usd(out, std::span<const float>(numbers));
    CHECK(out.find("0.1") != std::string::npos);
    CHECK(out.find("0.10000000149") == std::string::npos);
}

TEST_CASE("a layer of text is indented where it is open, and whole once finished") {
    const test::TempFolder folder;
    {
        Result<FileWriter> file = FileWriter::open(folder.path / "a.usda");
        REQUIRE(file.ok());
        UsdText text(file.value());
        text.open("def Xform \"a\"");
        text.line("int x = 1");
        text.close();
        CHECK(text.finish().ok());
    }
    const std::string written = read_file(folder.path / "a.usda").value();
    CHECK(written.find("\n    int x = 1\n") != std::string::npos);
    CHECK(std::count(written.begin(), written.end(), '{') == 1);
    CHECK(std::count(written.begin(), written.end(), '}') == 1);
}

TEST_CASE("a GLB's accessors say what its one buffer holds, and equal times are stored once") {
    GlbBuilder builder(1 << 20);
    const float corners[] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
    const int points = builder.add_vertices(corners, 3);
    const std::uint32_t triangle[] = {0, 1, 2};
    builder.add_indices(triangle, 3);
    CHECK(builder.add_times({0.0f, 1.0f}) == builder.add_times({0.0f, 1.0f}));
    const Result<std::string> file = builder.finish();
    REQUIRE(file.ok());
    CHECK(file.value().starts_with("glTF"));
    CHECK(file.value().size() % 4 == 0);
    const auto& accessor = builder.root.at("accessors").at(points);
    CHECK(accessor.at("count") == 3);
    CHECK(accessor.at("max") == GlbBuilder::Json({1.0, 2.0, 0.0}));
    GlbBuilder small(100);
    small.add_vertices(std::vector<float>(3000, 1.0f), 3);
    CHECK_FALSE(small.finish().ok());
}
