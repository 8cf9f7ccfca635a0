// SPDX-License-Identifier: MIT
#include <ductile/export/glb/glb_mesh.h>

#include <doctest/doctest.h>
#include <export/glb/gltf_reader.h>
#include <export/two_sheets.h>

using namespace ductile;

namespace {

/// The two sheets, and a shape for each push: [which point, how far along z].
RecordedBody pushed_sheets(const std::vector<std::pair<std::size_t, double>>& pushes) {
    const auto asset = sample::two_sheets();
    RecordedBody body{"sheets", asset, false, {asset->surface.points}};
    for (const auto& [point, way] : pushes) {
        body.shapes.push_back(asset->surface.points);
        body.shapes.back()[point].z() += way;
    }
    return body;
}

ShapeTrack keys_for_all(const RecordedBody& body) {
    ShapeTrack track;
    for (std::size_t s = 1; s < body.shapes.size(); ++s) {
        track.keys.push_back(static_cast<std::int32_t>(s));
    }
    track.frames = {{0, 1, 0.5}};
    return track;
}

}  // namespace

TEST_CASE("a part has targets for those shape keys only that move it") {
    const RecordedBody body = pushed_sheets({{1, 0.25}, {6, -0.5}});
    GlbBuilder builder(1 << 20);
    const std::vector<GlbPartMesh> parts =
        GlbMeshes(builder).add_body(body, keys_for_all(body), 1e-3);
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].keys == std::vector<std::size_t>{0});
    CHECK(parts[1].keys == std::vector<std::size_t>{1});

    const gltf::File file = gltf::parse(builder.finish().value());
    const gltf::Json& left = file.json.at("meshes").at(parts[0].mesh);
    const gltf::Json& right = file.json.at("meshes").at(parts[1].mesh);
    CHECK(left.at("name") == "left");
    CHECK(left.at("extras").at("targetNames") == gltf::Json{"shape 1"});
    CHECK(right.at("extras").at("targetNames") == gltf::Json{"shape 2"});
    CHECK(left.at("weights") == gltf::Json{0.5});
    CHECK(right.at("weights") == gltf::Json{0.0});
    const auto moves = [&](const gltf::Json& mesh) {
        return gltf::read_vectors(file, mesh.at("primitives")[0].at("targets")[0].at("POSITION"));
    };
    const Vec3 none = Vec3::Zero();
    CHECK(moves(left) == std::vector<Vec3>{none, Vec3(0, 0, 0.25), none, none});
    CHECK(moves(right) == std::vector<Vec3>{none, none, Vec3(0, 0, -0.5), none});
}

TEST_CASE("bodies of one asset share the meshes that neither moves nor marks") {
    const RecordedBody still = pushed_sheets({});
    RecordedBody bent = still;
    bent.shapes.push_back(still.shapes[0]);
    bent.shapes[1][1].z() += 0.25;
    GlbBuilder builder(1 << 20);
    GlbMeshes meshes(builder);
    const auto first = meshes.add_body(still, {}, 1e-3), again = meshes.add_body(still, {}, 1e-3);
    const auto moved = meshes.add_body(bent, keys_for_all(bent), 1e-3);
    for (int part = 0; part < 2; ++part) CHECK(again[part].mesh == first[part].mesh);
    CHECK(moved[0].mesh != first[0].mesh);
    CHECK(moved[1].mesh == first[1].mesh);
    // What is far below the tolerance is written as none.
    RecordedBody hardly = bent;
    hardly.shapes[1][1].z() = 1e-9;
    CHECK(meshes.add_body(hardly, keys_for_all(hardly), 1e-3)[0].mesh == first[0].mesh);

    DamageMap damage;
    damage.depth.assign(8, 0.0);
    damage.strain.assign(8, 0.0);
    damage.scratch.assign(8, Vec3::Zero());
    damage.depth[5] = 0.125;
    const auto marked = meshes.add_body(still, {}, 1e-3, {&damage});
    CHECK(marked[0].mesh == first[0].mesh);
    REQUIRE(marked[1].mesh != first[1].mesh);
    const gltf::File file = gltf::parse(builder.finish().value());
    const gltf::Json& attributes =
        file.json.at("meshes").at(marked[1].mesh).at("primitives")[0].at("attributes");
    CHECK(gltf::read(file, attributes.at("_DENT_DEPTH")) == std::vector<double>{0, 0.125, 0, 0});
}
