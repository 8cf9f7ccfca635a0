// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/export/glb/glb.h>
#include <ductile/export/sequence/write_ply.h>
#include <ductile/export/track/final_damage.h>
#include <ductile/io/gltf/read_gltf.h>
#include <ductile/io/polygons/read_ply.h>
#include <ductile/record/example_colours.h>

#include <doctest/doctest.h>
#include <export/glb/gltf_reader.h>
#include <export/sample_recording.h>
#include <unistd.h>

#include <set>
#include <sstream>

using namespace ductile;

namespace {

const gltf::Json& primitives_of(const gltf::File& file, std::size_t body) {
    for (const gltf::Json& node : file.json.at("nodes")) {
        if (node.at("name") == "body " + std::to_string(body)) {
            return gltf::mesh_of(file, node)->at("primitives");
        }
    }
    FAIL("no such body");
    return file.json;
}

bool has_damage(const gltf::Json& primitive) {
    const gltf::Json& attributes = primitive.at("attributes");
    const bool has_any = attributes.contains("_DENT_DEPTH");
    CHECK(attributes.contains("_STRAIN") == has_any);
    CHECK(attributes.contains("_SCRATCH") == has_any);
    return has_any;
}

/// Two dented balls of one asset and an untouched one; the second was mended at the last frame.
Recording three() {
    const auto asset = sample::ball();
    Recording r = sample::still({asset, asset, asset}, 4);
    const Vec3 side = Vec3(1, 1, 0).normalized();
    for (const int b : {0, 1}) {
        r.bodies[b].shapes.push_back(sample::dented(asset->surface.points, side, 0.05 + 0.03 * b));
        r.frames[1].bodies[b].shape = r.frames[2].bodies[b].shape = 1;
    }
    r.bodies[0].shapes.push_back(sample::dented(r.bodies[0].shapes[1], Vec3::UnitZ(), 0.05));
    r.frames[3].bodies[0].shape = 2;
    return r;
}

/// What a PLY file says of its vertices, by name: a reader of the tests' own.
struct PlyVertices {
    std::string header;
    std::vector<std::pair<std::string, std::string>> properties;  // name, type
    std::vector<std::vector<double>> rows;

    double at(std::size_t row, const std::string& name) const {
        for (std::size_t p = 0; p < properties.size(); ++p) {
            if (properties[p].first == name) return rows[row][p];
        }
        FAIL("no property " << name);
        return 0.0;
    }
};

PlyVertices vertices_of(const std::string& bytes) {
    PlyVertices out;
    const std::string last = "end_header\n";
    const std::size_t body = bytes.find(last) + last.size();
    out.header = bytes.substr(0, body);
    std::istringstream lines(out.header);
    std::string line, word, type, name;
    std::size_t count = 0;
    bool in_vertex = false;
    while (std::getline(lines, line)) {
        std::istringstream in(line);
        in >> word >> name;
        if (word == "element") {
            in_vertex = name == "vertex";
            if (in_vertex) in >> count;
        } else if (word == "property" && in_vertex) {
            type = name;
            in >> name;
            out.properties.emplace_back(name, type);
        }
    }
    std::size_t at = body;
    for (std::size_t i = 0; i < count; ++i) {
        out.rows.emplace_back();
        for (const auto& [property, kind] : out.properties) {
            REQUIRE((kind == "float" || kind == "uchar"));
            REQUIRE(at + 4 <= bytes.size());
            float value = static_cast<unsigned char>(bytes[at]);
            if (kind == "float") std::memcpy(&value, bytes.data() + at, 4);
            at += kind == "float" ? 4 : 1;
            out.rows.back().push_back(value);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("the damage a body ended with is in its vertices' attributes") {
    const Recording r = three();
    const gltf::File file = gltf::exported(r);
    const SurfaceAsset& asset = *r.bodies[0].asset;
    const DamageMap map =
        damage_map(asset.surface.points, r.bodies[0].shapes[2], asset.surface.triangles);
    double deepest = 0.0, longest = 0.0;
    std::set<std::int32_t> seen;
    for (const gltf::Json& primitive : primitives_of(file, 0)) {
        REQUIRE(has_damage(primitive));
        const gltf::Json& attributes = primitive.at("attributes");
        for (const char* name : {"_DENT_DEPTH", "_STRAIN", "_SCRATCH"}) {
            const gltf::Json& accessor = file.json["accessors"][int(attributes.at(name))];
            CHECK(accessor.at("componentType") == 5126);
            CHECK(accessor.at("type") == (name == std::string("_SCRATCH") ? "VEC3" : "SCALAR"));
            gltf::check_bounds(file, attributes.at(name));
        }
        const auto points = gltf::read_vectors(file, attributes.at("POSITION"));
        const auto depth = gltf::read(file, attributes.at("_DENT_DEPTH"));
        const auto strain = gltf::read(file, attributes.at("_STRAIN"));
        const auto scratch = gltf::read_vectors(file, attributes.at("_SCRATCH"));
        for (std::size_t i = 0; i < points.size(); ++i) {
            std::size_t s = 0;  // the surface point at that place
            while ((asset.surface.points[s] - points[i]).norm() > 1e-6) ++s;
            seen.insert(static_cast<std::int32_t>(s));
            CHECK(float(depth[i]) == float(map.depth[s]));
            CHECK(float(strain[i]) == float(map.strain[s]));
            CHECK(scratch[i].cast<float>() == map.scratch[s].cast<float>());
            deepest = std::max(deepest, depth[i]);
            longest = std::max(longest, scratch[i].norm());
        }
    }
    CHECK(seen.size() == asset.surface.points.size());
    CHECK(deepest > 0.04);
    CHECK(longest > 0.001);
}

TEST_CASE("what ended as it was at rest, and what is far from any dent, has no damage") {
    Recording r = three();
    const gltf::File file = gltf::exported(r);
    for (const int body : {1, 2}) {
        for (const gltf::Json& primitive : primitives_of(file, body)) {
            CHECK_FALSE(has_damage(primitive));
        }
    }
    CHECK(damaged_surface(r, 0) == &r.bodies[0].shapes[2]);
    CHECK_FALSE(damaged_surface(r, 1));
    CHECK_FALSE(damaged_surface(r, 2));
    // The glass is above, the dent below.
    r.bodies[0].shapes[2] =
        sample::dented(r.bodies[0].asset->surface.points, -Vec3::UnitY(), 0.05, 0.2);
    const gltf::File below = gltf::exported(r);
    CHECK(has_damage(primitives_of(below, 0)[0]));
    CHECK_FALSE(has_damage(primitives_of(below, 0)[1]));
}

TEST_CASE("a body has the colours of the poses it ended with, where it has any of them") {
    Recording r = three();
    CHECK(final_pose_colours(r, 0).empty());
    RecordedBody& body = r.bodies[0];
    const std::vector<Vec3>& points = body.asset->surface.points;
    body.poses = {"crushed", "bent"};
    body.shares.resize(3);
    for (const Vec3& p : points) {
        const std::uint8_t share = p.y() < -0.1 ? 255 : 0;  // The glass is above.
        body.shares[2].insert(body.shares[2].end(), {0, share});
    }
    const std::vector<Vec3> colours = final_pose_colours(r, 0);
    REQUIRE(colours.size() == body.asset->render.points.size());
    const Vec3 bent = example_colour(example_tint(1)), rest = example_colour(Vec3::Zero());
    for (std::size_t v = 0; v < colours.size(); ++v) {
        const Vec3& p = body.asset->render.points[v];
        CHECK((colours[v] - (p.y() < -0.1 ? bent : rest)).norm() < 1e-12);
    }
    const gltf::File file = gltf::exported(r);
    const gltf::Json& paint = primitives_of(file, 0)[0].at("attributes");
    REQUIRE(paint.contains("_POSE_COLOUR"));
    const std::vector<Vec3> written = gltf::read_vectors(file, paint.at("_POSE_COLOUR"));
    const std::vector<Vec3> places = gltf::read_vectors(file, paint.at("POSITION"));
    for (std::size_t i = 0; i < written.size(); ++i) {
        CHECK((written[i] - (places[i].y() < -0.1 ? bent : rest)).norm() < 1e-6);
    }
    CHECK_FALSE(primitives_of(file, 0)[1].at("attributes").contains("_POSE_COLOUR"));
    CHECK_FALSE(primitives_of(file, 2)[0].at("attributes").contains("_POSE_COLOUR"));
    const gltf::Json& extras = file.json.at("nodes")[0].at("extras");
    CHECK(extras.at("pose_names") == gltf::Json({"crushed", "bent"}));
    CHECK(extras.at("pose_colours").size() == 6);
}

TEST_CASE("a body that vanished has the damage it was last seen with") {
    Recording r = three();
    r.frames[2].bodies[0].is_present = r.frames[3].bodies[0].is_present = false;
    CHECK(damaged_surface(r, 0) == &r.bodies[0].shapes[1]);
    for (Frame& frame : r.frames) frame.bodies[0].is_present = false;
    CHECK_FALSE(damaged_surface(r, 0));
}

TEST_CASE("a mark too small for a morph target is still in the damage, and shares no mesh") {
    const auto asset = sample::ball();
    Recording r = sample::still({asset, asset, asset}, 2);
    r.bodies[0].shapes.push_back(sample::dented(asset->surface.points, Vec3::UnitX(), 5e-4));
    r.frames[1].bodies[0].shape = 1;
    const gltf::File file = gltf::exported(r);
    CHECK(has_damage(primitives_of(file, 0)[0]));
    CHECK_FALSE(primitives_of(file, 0)[0].contains("targets"));
    CHECK_FALSE(has_damage(primitives_of(file, 1)[0]));
    CHECK(file.json.at("meshes").size() == 2);
}

TEST_CASE("without the option no body of a file has damage") {
    const gltf::File file = gltf::exported(three(), {.damage = false});
    for (const gltf::Json& mesh : file.json.at("meshes")) {
        for (const gltf::Json& primitive : mesh.at("primitives"))
            CHECK_FALSE(has_damage(primitive));
    }
}

TEST_CASE("our own reader takes a GLB with damage") {
    const std::string bytes = glb_bytes(three()).value();
    const Result<Model> model = read_gltf(std::as_bytes(std::span(bytes)), {});
    REQUIRE(model.ok());
    CHECK(model.value().meshes.size() == 3);
}

TEST_CASE("a PLY file gives back the final shape and its damage") {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("ductile_" + std::to_string(::getpid()) + ".ply");
    Recording r = three();
    auto asset = std::make_shared<SurfaceAsset>(*r.bodies[0].asset);
    Rng rng(4);
    for (std::size_t i = 0; i < asset->render.points.size(); ++i) {
        asset->render.colours.push_back(
            Vec4{rng.uniform(), rng.uniform(), rng.uniform(), rng.uniform()});
    }
    r.bodies[0].asset = asset;
    REQUIRE(write_final_ply(r, 0, path).ok());
    const std::string bytes = read_file(path).value();
    std::filesystem::remove(path);

    std::vector<Vec3> points, normals;
    RenderSkin(asset).pose(r.bodies[0].shapes[2], points, normals);
    const Result<Model> read = read_ply(bytes, {});
    REQUIRE(read.ok());
    REQUIRE(read.value().meshes.size() == 1);
    CHECK(read.value().metres_per_unit == 1.0);
    CHECK(read.value().notes.empty());
    const ModelMesh& mesh = read.value().meshes[0];
    CHECK(mesh.triangles == asset->render.triangles);
    REQUIRE(mesh.points.size() == points.size());
    REQUIRE(mesh.normals.size() == points.size());
    REQUIRE(mesh.uvs.size() == points.size());
    REQUIRE(mesh.colours.size() == points.size());
    const DamageMap damage = final_damage(r, 0);
    const PlyVertices own = vertices_of(bytes);
    REQUIRE(own.rows.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(mesh.points[i].cast<float>() == points[i].cast<float>());
        CHECK(mesh.normals[i].cast<float>() == normals[i].cast<float>());
        CHECK((mesh.uvs[i] - asset->render.uvs[i]).norm() < 1e-6);
        // Half a step of 255, at most 2.4 / 1.055 times that in light.
        CHECK((mesh.colours[i] - asset->render.colours[i]).cwiseAbs().maxCoeff() < 2.3 * 0.5 / 255);
        CHECK(float(own.at(i, "dent_depth")) == float(damage.depth[i]));
        CHECK(float(own.at(i, "strain")) == float(damage.strain[i]));
        CHECK(float(own.at(i, "scratch_x")) == float(damage.scratch[i].x()));
        CHECK(float(own.at(i, "scratch_y")) == float(damage.scratch[i].y()));
        CHECK(float(own.at(i, "scratch_z")) == float(damage.scratch[i].z()));
    }
}

TEST_CASE("a PLY file has UVs and colours only where the mesh has them") {
    auto asset = sample::ball(3);
    const auto bytes = [&] {
        const std::size_t n = asset->render.points.size();
        const DamageMap none{std::vector<double>(n), std::vector<double>(n),
                             std::vector<Vec3>(n, Vec3::Zero())};
        return ply_bytes(*asset, asset->render.points, asset->render.normals, none).value();
    };
    CHECK(vertices_of(bytes()).header.find("property float s\n") != std::string::npos);
    CHECK(vertices_of(bytes()).header.find("red") == std::string::npos);
    asset->render.uvs.clear();
    CHECK(vertices_of(bytes()).header.find("property float s\n") == std::string::npos);
    REQUIRE(read_ply(bytes(), {}).ok());
    CHECK(read_ply(bytes(), {}).value().meshes[0].uvs.empty());
}

TEST_CASE("a PLY file is not written of nothing, or of numbers that are none") {
    const Recording r = three();
    const std::filesystem::path never = "never.ply";
    for (const std::size_t body : {1, 2}) {
        const Status refused = write_final_ply(r, body, never);
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().text().find("never.ply") != std::string::npos);
    }
    CHECK_FALSE(std::filesystem::exists(never));
    const SurfaceAsset& asset = *r.bodies[0].asset;
    DamageMap damage = final_damage(r, 0);
    const std::vector<Vec3>& points = asset.render.points;
    CHECK(ply_bytes(asset, points, asset.render.normals, damage).ok());
    CHECK_FALSE(ply_bytes(asset, std::span(points).first(3), asset.render.normals, damage).ok());
    for (const double bad : {std::nan(""), kInfinity, 1e200}) {
        damage.strain[5] = bad;
        CHECK_FALSE(ply_bytes(asset, points, asset.render.normals, damage).ok());
    }
    damage.strain.pop_back();
    CHECK_FALSE(ply_bytes(asset, points, asset.render.normals, damage).ok());
}
