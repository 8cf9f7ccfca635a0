// SPDX-License-Identifier: MIT
// The ground, camera and sun of a film, in GLB and USD.
#include <ductile/core/file.h>
#include <ductile/export/track/set_bodies.h>
#include <ductile/export/usd/usd.h>

#include <doctest/doctest.h>
#include <export/glb/gltf_reader.h>
#include <export/sample_recording.h>
#include <export/usd/usd_reader.h>
#include <support/near.h>
#include <support/temp_folder.h>

using namespace ductile;

namespace {

// A camera that goes along above a floor at -0.5.
FilmSet travelling_set(const Recording& r) {
    FilmSet set;
    set.ground = {-0.5, Vec3(0.2, 0.3, 0.4)};
    set.camera = FilmSet::Camera{{}, 40.0, 1.5};
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        const Vec3 along(0.1 * double(f), 0, 0);
        set.camera->poses_w.push_back(looking_pose(Vec3(4, 2, 6) + along, along));
    }
    set.sun = {Vec3(1, 2, 0), 2.0, 0.5};
    return set;
}

std::string glb_of(const Recording& r, const FilmSet& set, const GlbOptions& options = {}) {
    const Result<std::string> bytes = glb_bytes(r, options, set);
    REQUIRE(bytes.ok());
    return bytes.value();
}

int node_called(const gltf::File& file, const std::string& name) {
    const auto& nodes = file.json["nodes"];
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (nodes[n].value("name", "") == name) return int(n);
    }
    return -1;
}

}  // namespace

TEST_CASE("a GLB holds the ground under the bodies, the film's camera and its sun") {
    const Recording r = sample::busy();
    const FilmSet set = travelling_set(r);
    const gltf::File file = gltf::parse(glb_of(r, set));
    gltf::check_structure(file);
    const int ground = node_called(file, "ground"), camera = node_called(file, "camera"),
              sun = node_called(file, "sun");
    REQUIRE(ground >= 0);
    const auto& mesh = file.json["meshes"][file.json["nodes"][ground]["mesh"].get<int>()];
    for (const Vec3& p :
         gltf::read_vectors(file, mesh["primitives"][0]["attributes"]["POSITION"])) {
        CHECK(p.y() == -0.5);
    }
    REQUIRE(camera >= 0);
    const auto& lens = file.json["cameras"][0]["perspective"];
    CHECK(test::near(lens["yfov"].get<double>(), 40.0 * kPi / 180.0, 1e-6));
    CHECK(lens["aspectRatio"].get<double>() == 1.5);
    for (const std::size_t f : {0u, 7u, 39u}) {
        const gltf::Pose pose = gltf::pose_at(file, camera, r.frames[f].time - r.frames[0].time);
        CHECK(pose.pose.translation.isApprox(set.camera->poses_w[f].translation, 1e-5));
        CHECK(std::abs(pose.pose.rotation.dot(set.camera->poses_w[f].rotation)) > 1.0 - 1e-6);
    }
    REQUIRE(sun >= 0);
    CHECK(file.json["extensionsUsed"] == gltf::Json::array({"KHR_lights_punctual"}));
    const auto& light = file.json["extensions"]["KHR_lights_punctual"]["lights"][0];
    CHECK(light["type"] == "directional");
    const gltf::Pose pose = gltf::pose_at(file, sun, 0.0);
    CHECK((pose.pose.rotation * -Vec3::UnitZ()).isApprox(-Vec3(1, 2, 0).normalized(), 1e-6));

    const gltf::File bare = gltf::parse(glb_of(r, {}));
    CHECK(node_called(bare, "ground") < 0);
    CHECK(bare.json.count("cameras") == 0);
}

TEST_CASE("USD holds the same set, in one file or many") {
    const Recording r = sample::busy();
    const FilmSet set = travelling_set(r);
    const test::TempFolder folder;
    for (const UsdSplit split : {UsdSplit::One, UsdSplit::Bodies}) {
        REQUIRE(write_usd(r, folder.path / "a.usda", {.split = split}, {}, set).ok());
        const usd::Prim layer = usd::parse(read_file(folder.path / "a.usda").value());
        const usd::Prim& world = layer.child("World");
        CHECK(world.child("ground").child("geometry")["points"].value.numbers()[1] == -0.5);
        const usd::Prim& camera = world.child("camera");
        CHECK(camera.type == "Camera");
        const double focal = camera["focalLength"].value.numbers()[0];
        const double height = camera["verticalAperture"].value.numbers()[0];
        CHECK(test::near(2.0 * std::atan(0.5 * height / focal), 40.0 * kPi / 180.0, 1e-6));
        CHECK(test::near(camera["xformOp:translate"].at(7.0)[0], 4.7, 1e-6));
        CHECK(world.child("sun").type == "DistantLight");
        CHECK(world.child("sun")["inputs:angle"].value.numbers()[0] == 0.5);
    }
}

TEST_CASE("a set that does not fit is refused") {
    const Recording r = sample::busy();
    FilmSet set = travelling_set(r);
    set.camera->poses_w.resize(3);
    CHECK_FALSE(check_set(set, r).ok());
    CHECK_FALSE(glb_bytes(r, {}, set).ok());
    set = travelling_set(r);
    set.sun->direction_w = Vec3::Zero();
    CHECK_FALSE(check_set(set, r).ok());
    set = travelling_set(r);
    set.ground->height = std::nan("");
    CHECK_FALSE(check_set(set, r).ok());
    CHECK(check_set({}, r).ok());
}

TEST_CASE("dense morphs have no sparse accessor and show the same shapes") {
    const Recording r = sample::busy();
    const gltf::File sparse = gltf::exported(r);
    const gltf::File dense = gltf::exported(r, {.dense_morphs = true});
    std::size_t count = 0;
    for (const auto& accessor : sparse.json["accessors"]) count += accessor.count("sparse");
    CHECK(count > 0);
    for (const auto& accessor : dense.json["accessors"]) {
        CHECK(accessor.count("sparse") == 0);
        CHECK(accessor.count("bufferView") == 1);
    }
    REQUIRE(dense.json["meshes"].size() == sparse.json["meshes"].size());
    for (std::size_t m = 0; m < dense.json["meshes"].size(); ++m) {
        const auto &a = sparse.json["meshes"][m]["primitives"],
                   &b = dense.json["meshes"][m]["primitives"];
        for (std::size_t p = 0; p < a.size(); ++p) {
            if (!a[p].count("targets")) continue;
            for (std::size_t t = 0; t < a[p]["targets"].size(); ++t) {
                CHECK(gltf::read(sparse, a[p]["targets"][t]["POSITION"]) ==
                      gltf::read(dense, b[p]["targets"][t]["POSITION"]));
            }
        }
    }
}
