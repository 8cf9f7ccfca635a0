// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/parallel.h>
#include <ductile/export/sequence/mesh_sequence.h>
#include <ductile/io/read_model.h>
#include <ductile/skin/carry_damage.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <support/temp_folder.h>

#include <cstring>

using namespace ductile;
using test::TempFolder;

namespace {

std::vector<Vec3> places(const Recording& r, std::size_t body, std::size_t frame) {
    const BodyFrame& at = r.frames[frame].bodies[body];
    std::vector<Vec3> points, normals;
    RenderSkin(r.bodies[body].asset).pose(r.bodies[body].shapes[at.shape], points, normals);
    for (Vec3& p : points) p = at.pose_w.point(p);
    return points;
}

// Bodies 0 to 3 of the busy recording that are there at a frame.
std::vector<std::size_t> cast_at(const Recording& r, std::size_t frame) {
    std::vector<std::size_t> out;
    for (const std::size_t b : {0u, 1u, 2u, 3u}) {
        if (r.frames[frame].bodies[b].is_present) out.push_back(b);
    }
    return out;
}

// All places of one colour are as good as their set: readers may split and sort vertices.
std::vector<std::array<float, 3>> sorted(const std::vector<Vec3>& points) {
    std::vector<std::array<float, 3>> out;
    for (const Vec3& p : points) out.push_back({float(p.x()), float(p.y()), float(p.z())});
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

TEST_CASE("an OBJ sequence shows all bodies that are there, where they were") {
    const TempFolder folder;
    const Recording r = sample::busy();
    REQUIRE(write_obj_sequence(r, folder.path / "frames", "crash").ok());
    const std::vector<std::string> names = folder.names("frames");
    REQUIRE(names.size() == r.frames.size() + 1);
    CHECK(names.front() == "crash.0000.obj");
    CHECK(names[39] == "crash.0039.obj");
    CHECK(names.back() == "crash.mtl");
    for (const std::size_t f : {0u, 10u, 39u}) {
        const Result<Model> model = read_model(folder.path / "frames" / names[f]);
        REQUIRE(model.ok());
        const std::vector<std::size_t> cast = cast_at(r, f);
        REQUIRE(model.value().meshes.size() == cast.size());
        for (std::size_t i = 0; i < cast.size(); ++i) {
            const ModelMesh& mesh = model.value().meshes[i];
            const RenderMesh& render = r.bodies[cast[i]].asset->render;
            CHECK(mesh.name == r.bodies[cast[i]].name);
            CHECK(sorted(mesh.points) == sorted(places(r, cast[i], f)));
            CHECK(mesh.triangles.size() == render.triangles.size());
            CHECK(mesh.uvs.size() == mesh.points.size());
        }
        CHECK(model.value().looks.size() == 6);  // two per asset, and bodies 0 and 1 share theirs
    }
}

TEST_CASE("a PLY sequence has places, damage and the body of every vertex") {
    const TempFolder folder;
    const Recording r = sample::busy();
    REQUIRE(write_ply_sequence(r, folder.path / "frames", "crash").ok());
    CHECK(folder.names("frames").size() == r.frames.size());
    for (const std::size_t f : {0u, 12u, 39u}) {
        const std::string name =
            f == 0 ? "crash.0000.ply" : "crash.00" + std::to_string(f) + ".ply";
        const std::string bytes = read_file(folder.path / "frames" / name).value();
        std::size_t at = bytes.find("end_header\n") + 11;
        const auto next = [&](auto value) {
            std::memcpy(&value, bytes.data() + at, sizeof value);
            at += sizeof value;
            return value;
        };
        std::size_t faces = 0;
        for (const std::size_t b : cast_at(r, f)) {
            const SurfaceAsset& asset = *r.bodies[b].asset;
            const BodyFrame& frame = r.frames[f].bodies[b];
            const DamageMap damage = carry_damage(
                asset, damage_map(asset.surface.points, r.bodies[b].shapes[frame.shape],
                                  asset.surface.triangles));
            const std::vector<Vec3> expected = places(r, b, f);
            for (std::size_t v = 0; v < expected.size(); ++v) {
                float numbers[13];
                for (float& x : numbers) x = next(0.0f);
                CHECK(Eigen::Vector3f(numbers[0], numbers[1], numbers[2]) ==
                      expected[v].cast<float>());
                CHECK(numbers[8] == float(damage.depth[v]));
                CHECK(numbers[9] == float(damage.strain[v]));
                CHECK(next(std::int32_t(0)) == std::int32_t(b));
            }
            faces += asset.render.triangles.size();
        }
        CHECK(at + 13 * faces == bytes.size());
        // A reader of another kind finds the same mesh.
        const Result<Model> model = read_model(folder.path / "frames" / name);
        REQUIRE(model.ok());
        CHECK(model.value().meshes[0].triangles.size() == faces);
    }
}

TEST_CASE("sequences are the same on any number of threads, and stop when told to") {
    const TempFolder folder;
    Recording r = sample::busy();
    r.frames.resize(12);
    for (const int threads : {1, 8}) {
        const ThreadLimit limit(threads);
        const std::string name = std::to_string(threads);
        REQUIRE(write_obj_sequence(r, folder.path / ("obj" + name), "a").ok());
        REQUIRE(write_ply_sequence(r, folder.path / ("ply" + name), "a").ok());
    }
    for (const std::string kind : {"obj", "ply"}) {
        for (const std::string& file : folder.names(kind + "1")) {
            CHECK(read_file(folder.path / (kind + "1") / file).value() ==
                  read_file(folder.path / (kind + "8") / file).value());
        }
    }
    const auto stop = [](double) -> Status { return Error{"enough", "", ""}; };
    CHECK_FALSE(write_obj_sequence(r, folder.path / "stopped", "a", stop).ok());
    CHECK_FALSE(write_ply_sequence(r, folder.path / "stopped", "a", stop).ok());
    CHECK(folder.names() == std::vector<std::string>{"obj1", "obj8", "ply1", "ply8"});

    Recording bare;
    bare.bodies.push_back({"locator", nullptr, false, {}});
    bare.frames.push_back({0.0, {BodyFrame{}}});
    CHECK_FALSE(write_obj_sequence(bare, folder.path / "bare", "a").ok());
}
