// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/parallel.h>
#include <ductile/export/glb/glb.h>

#include <doctest/doctest.h>
#include <export/glb/gltf_reader.h>
#include <export/sample_recording.h>
#include <support/near.h>
#include <unistd.h>

#include <limits>
#include <set>

using namespace ductile;

namespace {

double size_of(const RecordedBody& body) { return bounds(body.asset->surface.points).diagonal(); }

int node_named(const gltf::File& file, const std::string& name) {
    const gltf::Json& nodes = file.json.at("nodes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].at("name") == name) return static_cast<int>(i);
    }
    return -1;
}

std::vector<std::string> channels_of(const gltf::File& file, int node) {
    std::vector<std::string> paths;
    for (const gltf::Json& animation : file.json.value("animations", gltf::Json::array())) {
        for (const gltf::Json& channel : animation.at("channels")) {
            if (channel["target"]["node"] == node) paths.push_back(channel["target"]["path"]);
        }
    }
    return paths;
}

const gltf::Json& mesh_of_body(const gltf::File& file, const std::string& name) {
    return *gltf::mesh_of(file, file.json.at("nodes").at(node_named(file, name)));
}

// The render vertices that each primitive must hold, in order.
std::vector<std::vector<std::int32_t>> vertices_by_look(const RenderMesh& mesh) {
    std::vector<std::set<std::int32_t>> used(mesh.looks.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        used[mesh.triangle_looks[t]].insert(mesh.triangles[t].begin(), mesh.triangles[t].end());
    }
    std::vector<std::vector<std::int32_t>> out;
    for (const auto& set : used) {
        if (!set.empty()) out.emplace_back(set.begin(), set.end());
    }
    return out;
}

struct Deviation {
    double distance = 0.0;  // [m]
    double angle = 0.0;     // of normals [rad]
};

// How far one body, read back at one frame's time, is from what was recorded.
Deviation deviation(const Recording& r, const gltf::File& file, std::size_t b, std::size_t f) {
    const RecordedBody& body = r.bodies[b];
    const int node = node_named(file, body.name);
    const gltf::Pose now = gltf::pose_at(file, node, r.frames[f].time - r.frames[0].time);
    const BodyFrame& at = r.frames[f].bodies[b];
    std::vector<Vec3> points, normals;
    RenderSkin(body.asset).pose(body.shapes[at.shape], points, normals);
    const auto by_look = vertices_by_look(body.asset->render);
    const gltf::Json& primitives = mesh_of_body(file, body.name).at("primitives");
    REQUIRE(primitives.size() == by_look.size());
    Deviation worst;
    for (std::size_t p = 0; p < by_look.size(); ++p) {
        const gltf::Shown shown = gltf::show(file, primitives[p], now.weights);
        REQUIRE(shown.points.size() == by_look[p].size());
        for (std::size_t i = 0; i < by_look[p].size(); ++i) {
            const std::int32_t v = by_look[p][i];
            const Vec3 place = now.pose.point(now.scale.cwiseProduct(shown.points[i]));
            worst.distance = std::max(worst.distance, (place - at.pose_w.point(points[v])).norm());
            const Vec3 n = now.pose.direction(shown.normals[i].normalized());
            const Vec3 expected = at.pose_w.direction(normals[v]);
            worst.angle =
                std::max(worst.angle, std::atan2(n.cross(expected).norm(), n.dot(expected)));
        }
    }
    return worst;
}

void check_against(const Recording& r, const GlbOptions& options, double angle) {
    const gltf::File file = gltf::exported(r, options);
    gltf::check_structure(file);
    for (std::size_t b = 0; b < r.bodies.size(); ++b) {
        if (!r.bodies[b].asset) continue;
        const double allowed =
            (options.shape_tolerance + options.motion_tolerance) * size_of(r.bodies[b]) + 2e-6;
        for (std::size_t f = 0; f < r.frames.size(); ++f) {
            if (!r.frames[f].bodies[b].is_present) continue;
            CAPTURE(b);
            CAPTURE(f);
            const Deviation d = deviation(r, file, b, f);
            CHECK(d.distance <= allowed);
            CHECK(d.angle <= angle);
        }
    }
}

}  // namespace

TEST_CASE("a recording read back has every vertex where it was recorded") {
    const Recording r = sample::busy();
    check_against(r, {}, 0.03);
    check_against(r, {.shape_tolerance = 1e-2, .motion_tolerance = 1e-2}, 0.2);
    check_against(r, {.shape_tolerance = 0.0, .motion_tolerance = 0.0}, 1e-3);
}

TEST_CASE("random hits, fades and tumbling stay within the tolerances") {
    Rng rng(7);
    const auto asset = sample::ball(6);
    for (int round = 0; round < 4; ++round) {
        Recording r = sample::still({asset}, 40);
        Transform pose;
        Vec3 direction = sample::random_direction(rng);
        bool is_fading = false;
        for (Frame& frame : r.frames) {
            pose.translation += 0.2 * sample::random_direction(rng);
            pose.rotation =
                Quat(Eigen::AngleAxisd{rng.uniform(0, 3), sample::random_direction(rng)}) *
                pose.rotation;
            frame.bodies[0].pose_w = pose;
            if (rng.uniform() < 0.2) is_fading = !is_fading;
            if (rng.uniform() < 0.2) direction = sample::random_direction(rng);
            if (is_fading || rng.uniform() < 0.1) {
                auto& shapes = r.bodies[0].shapes;
                shapes.push_back(sample::dented(shapes.back(), direction, rng.uniform(0, 0.02)));
            }
            frame.bodies[0].shape = static_cast<std::int32_t>(r.bodies[0].shapes.size()) - 1;
        }
        check_against(r, {}, 0.05);
    }
}

TEST_CASE("the same recording gives the same bytes on any number of threads") {
    const Recording r = sample::busy();
    const std::string first = glb_bytes(r).value();
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        CHECK(glb_bytes(r).value() == first);
    }
}

TEST_CASE("only what changes is animated") {
    const gltf::File file = gltf::exported(sample::busy());
    using Paths = std::vector<std::string>;
    CHECK(channels_of(file, node_named(file, "body 0")) ==
          Paths{"translation", "rotation", "weights"});
    CHECK(channels_of(file, node_named(file, "body 1")) == Paths{"weights"});
    CHECK(channels_of(file, node_named(file, "body 2")).empty());
    CHECK(channels_of(file, node_named(file, "body 3")) == Paths{"translation", "scale"});
    CHECK(channels_of(file, node_named(file, "locator")) == Paths{"translation"});
    CHECK_FALSE(file.json["nodes"][node_named(file, "locator")].contains("mesh"));
    CHECK(node_named(file, "body 4") == -1);

    const gltf::File still = gltf::exported(sample::still({sample::ball(3)}, 10));
    CHECK_FALSE(still.json.contains("animations"));
}

TEST_CASE("a body is drawn exactly at the frames at which it is present") {
    const Recording r = sample::busy();
    const gltf::File file = gltf::exported(r);
    const int node = node_named(file, "body 3");
    for (const Frame& frame : r.frames) {
        const Vec3 expected = frame.bodies[3].is_present ? Vec3(1, 1, 1) : Vec3(0, 0, 0);
        for (const double later : {-1e-6, 0.0, 1e-6, 0.9 / 30}) {  // however a reader rounds
            CHECK(gltf::pose_at(file, node, frame.time + later).scale == expected);
        }
    }
}

TEST_CASE("a dent appears within one frame of its hit and not before") {
    const Recording r = sample::busy();
    const gltf::File file = gltf::exported(r);
    const int node = node_named(file, "body 0");
    const auto weights_at = [&](double frame) {
        return gltf::pose_at(file, node, frame / 30.0).weights;
    };
    using Weights = std::vector<double>;
    CHECK(weights_at(0) == Weights{0, 0});
    CHECK(weights_at(8.9) == Weights{0, 0});
    CHECK(test::near(weights_at(9.5)[0], 0.5, 1e-3));
    CHECK(weights_at(10.1) == Weights{1, 0});
    CHECK(weights_at(23.9) == Weights{1, 0});
    CHECK(weights_at(25.1) == Weights{0, 1});
    CHECK(weights_at(100) == Weights{0, 1});
}

TEST_CASE("a dent that is pressed in over many frames costs one morph target") {
    const gltf::File file = gltf::exported(sample::busy());
    CHECK(mesh_of_body(file, "body 1").at("weights").size() == 1);
}

TEST_CASE("bodies of one asset share its vertices, and its mesh while they keep their shape") {
    const auto asset = sample::ball();
    Recording r = sample::still({asset, asset, asset, asset, sample::ball()}, 3);
    for (const int b : {2, 3}) {
        r.bodies[b].shapes.push_back(sample::dented(asset->surface.points, Vec3::UnitX(), 0.1 * b));
        r.frames[1].bodies[b].shape = r.frames[2].bodies[b].shape = 1;
    }
    const gltf::File file = gltf::exported(r);
    gltf::check_structure(file);
    CHECK(file.json.at("meshes").size() == 4);
    CHECK(file.json.at("nodes")[0].at("mesh") == file.json.at("nodes")[1].at("mesh"));
    const gltf::Json& still = mesh_of_body(file, "body 0").at("primitives");
    for (const char* name : {"body 2", "body 3"}) {
        const gltf::Json& moved = mesh_of_body(file, name).at("primitives");
        for (std::size_t p = 0; p < still.size(); ++p) {
            // Only the damage is a body's own.
            for (const auto& [attribute, accessor] : still[p].at("attributes").items()) {
                CHECK(moved[p].at("attributes").at(attribute) == accessor);
            }
            CHECK(moved[p].at("indices") == still[p].at("indices"));
        }
    }
    CHECK(mesh_of_body(file, "body 4").at("primitives")[0].at("attributes") !=
          still[0].at("attributes"));
    CHECK(file.json.at("materials").size() == 2);  // equal looks are one material
}

TEST_CASE("a local dent is stored by its own vertices only") {
    const auto asset = sample::ball(16);
    Recording r = sample::still({asset}, 2);
    r.bodies[0].shapes.push_back(sample::dented(asset->surface.points, -Vec3::UnitY(), 0.05, 0.2));
    r.frames[1].bodies[0].shape = 1;
    const gltf::File file = gltf::exported(r);
    gltf::check_structure(file);
    const gltf::Json& primitives = mesh_of_body(file, "body 0").at("primitives");
    const auto moves = [&](int p) -> const gltf::Json& {
        return file.json.at("accessors").at(int(primitives[p].at("targets")[0].at("POSITION")));
    };
    CHECK(moves(0).contains("sparse"));
    CHECK(moves(0).at("sparse").at("count") < 100);
    CHECK_FALSE(moves(0).contains("bufferView"));
    // The glass, far from the dent, costs next to nothing.
    CHECK(moves(1).at("sparse").at("count") == 1);
    CHECK_FALSE(moves(1).contains("bufferView"));
    CHECK(primitives[1].at("targets")[0].at("NORMAL") ==
          primitives[1].at("targets")[0].at("POSITION"));
}

TEST_CASE("looks become materials") {
    const gltf::File file =
        gltf::exported(sample::still({sample::ball(3), sample::ball(8, true)}, 1));
    const gltf::Json& materials = file.json.at("materials");
    REQUIRE(materials.size() == 4);
    CHECK(materials[0].at("name") == "paint");
    const gltf::Json& paint = materials[0].at("pbrMetallicRoughness");
    CHECK(paint.at("baseColorFactor") == gltf::Json({0.8, 0.1, 0.1, 1.0}));
    CHECK(paint.at("metallicFactor") == 0.0);
    CHECK(paint.at("roughnessFactor") == 0.4);
    CHECK_FALSE(materials[0].contains("alphaMode"));
    CHECK_FALSE(materials[0].contains("doubleSided"));
    CHECK(materials[1].at("alphaMode") == "BLEND");
    CHECK(materials[1].at("pbrMetallicRoughness").at("baseColorFactor")[3] == 0.3);
    CHECK(materials[2].at("doubleSided") == true);  // the open ball shows its inside
    CHECK(materials[3].at("doubleSided") == true);
}

TEST_CASE("hits are listed with the node, in its frame") {
    const Recording r = sample::busy();
    const gltf::File file = gltf::exported(r);
    const gltf::Json& extras = file.json["nodes"][node_named(file, "body 0")].at("extras");
    CHECK(extras.at("hit_times") == gltf::Json({10 / 30.0, 25 / 30.0}));
    CHECK(extras.at("hit_sizes") == gltf::Json({0.08, 0.05}));
    CHECK(extras.at("hit_kinds") == gltf::Json({"dent", "dent"}));
    CHECK(extras.at("hit_positions").size() == 6);
    CHECK(extras.at("hit_positions")[5] == 0.5);
    CHECK_FALSE(file.json["nodes"][node_named(file, "body 1")].contains("extras"));
    const gltf::File without = gltf::exported(r, {.hits = false});
    CHECK_FALSE(without.json["nodes"][node_named(without, "body 0")].contains("extras"));
}

TEST_CASE("time begins with the first frame") {
    Recording r = sample::busy();
    const std::string from_zero = glb_bytes(r, {.hits = false}).value();
    for (Frame& frame : r.frames) frame.time += 1024.0;
    const gltf::File file = gltf::exported(r);
    gltf::check_structure(file);
    check_against(r, {}, 0.03);
    CHECK(file.json["nodes"][node_named(file, "body 0")]["extras"]["hit_times"][0] < 0.0);
    CHECK(glb_bytes(r, {.hits = false}).value().size() == from_zero.size());
}

TEST_CASE("with too few shape keys the error grows, and the file says by how much") {
    Rng rng(3);
    const auto asset = sample::ball(6);
    Recording r = sample::still({asset}, 30);
    for (int f = 1; f < 30; ++f) {
        r.bodies[0].shapes.push_back(
            sample::dented(r.bodies[0].shapes.back(), sample::random_direction(rng), 0.03));
        r.frames[f].bodies[0].shape = f;
    }
    for (const int most : {0, 1, 5}) {
        const gltf::File file = gltf::exported(r, {.max_shape_keys = most});
        gltf::check_structure(file);
        const gltf::Json& mesh = mesh_of_body(file, "body 0");
        CHECK(mesh.value("weights", gltf::Json::array()).size() <= std::size_t(most));
        double worst = 0.0;
        for (std::size_t f = 0; f < 30; ++f) {
            worst = std::max(worst, deviation(r, file, 0, f).distance);
        }
        CHECK(worst > 1e-3 * size_of(r.bodies[0]));
        if (most > 0) {
            const double stated = mesh.at("extras").at("shape_error");
            CHECK(worst <= stated + 1e-6);
            CHECK(stated <= 1.01 * worst + 0.25e-3 * size_of(r.bodies[0]));
        }
    }
}

TEST_CASE("a mesh of more than 65535 vertices has wide indices") {
    auto asset = std::make_shared<SurfaceAsset>();
    const int columns = 256, rows = 257;
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) asset->render.points.push_back(Vec3(i, 0, j));
    }
    for (int j = 0; j + 1 < rows; ++j) {
        for (int i = 0; i + 1 < columns; ++i) {
            const std::int32_t a = j * columns + i;
            asset->render.triangles.push_back({a, a + columns, a + 1});
            asset->render.triangles.push_back({a + 1, a + columns, a + columns + 1});
        }
    }
    asset->render.normals.assign(asset->render.points.size(), Vec3::UnitY());
    asset->render.looks = {Look{}};
    asset->render.triangle_looks.assign(asset->render.triangles.size(), 0);
    asset->surface = {asset->render.points, asset->render.triangles};
    for (std::size_t i = 0; i < asset->render.points.size(); ++i) {
        asset->anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(i)));
    }
    Recording r = sample::still({asset}, 2);
    r.bodies[0].shapes.push_back(asset->surface.points);
    r.bodies[0].shapes[1].back().y() = -20.0;
    r.frames[1].bodies[0].shape = 1;
    const gltf::File file = gltf::exported(r);
    const gltf::Json& p = mesh_of_body(file, "body 0").at("primitives")[0];
    CHECK(file.json["accessors"][int(p["indices"])]["componentType"] == 5125);
    CHECK_FALSE(p.at("attributes").contains("TEXCOORD_0"));  // it has none
    CHECK(deviation(r, file, 0, 1).distance < 1e-5);
    CHECK(deviation(r, file, 0, 0).distance < 1e-5);
}

TEST_CASE("bad recordings are refused, by the name of the body and the frame") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto refusal = [](const Recording& r, const GlbOptions& options = {}) {
        const Result<std::string> bytes = glb_bytes(r, options);
        REQUIRE_FALSE(bytes.ok());
        return bytes.error().text();
    };
    const auto has = [](const std::string& text, const std::string& part) {
        CHECK_MESSAGE(text.find(part) != std::string::npos, text);
    };
    Recording r = sample::busy();
    r.frames[17].bodies[1].pose_w.translation.y() = nan;
    has(refusal(r), "body 1 ('body 1'), frame 17: the pose is not finite");
    r = sample::busy();
    r.frames[17].bodies[1].pose_w.rotation.coeffs().setZero();
    has(refusal(r), "frame 17: the rotation is not of unit length");
    r = sample::busy();
    r.bodies[0].shapes[2][5].x() = std::numeric_limits<double>::infinity();
    has(refusal(r), "body 0 ('body 0'), frame 25: point 5 of shape 2");
    r.bodies[0].shapes[2][5].x() = 1e39;  // no float holds it
    has(refusal(r), "point 5 of shape 2");
    r = sample::busy();
    r.bodies[0].shapes[1].pop_back();
    has(refusal(r), "body 0 ('body 0'), frame 10: shape 1 has");
    for (const int shape : {-1, 3, std::numeric_limits<int>::max()}) {
        r = sample::busy();
        r.frames[4].bodies[0].shape = shape;
        has(refusal(r), "does not exist");
    }
    r = sample::busy();
    r.frames[4].bodies.pop_back();
    has(refusal(r), "frame 4: holds 5 bodies, the recording 6");
    r = sample::busy();
    r.frames[4].time = r.frames[3].time;
    has(refusal(r), "frame 4: the time does not come after");
    r = sample::busy();
    r.frames[4].time = nan;
    has(refusal(r), "frame 4: the time is not finite");
    r = sample::busy();
    r.frames.back().time = 1e9;
    r.frames[38].time = 1e9 - 1.0;
    has(refusal(r), "frame 39: the time is too close");
    r = sample::busy();
    r.hits[1].body = 6;
    has(refusal(r), "hit 1: body 6 does not exist");
    r = sample::busy();
    r.frames.clear();
    has(refusal(r), "no frame");
    has(refusal(Recording{}), "no body");
    r = sample::busy();
    has(refusal(r, {.size_limit = 20000}), "larger than 20000 bytes");
    has(refusal(r, {.shape_tolerance = nan}), "shape_tolerance");
    has(refusal(r, {.motion_tolerance = -1}), "motion_tolerance");
    has(refusal(r, {.max_shape_keys = -1}), "max_shape_keys");
    has(refusal(r, {.size_limit = 1e12}), "size_limit");
}

TEST_CASE("broken assets are refused") {
    const auto refused = [](auto&& spoil) {
        auto asset = sample::ball(3);
        spoil(*asset);
        const Result<std::string> bytes = glb_bytes(sample::still({asset}, 2));
        REQUIRE_FALSE(bytes.ok());
        CHECK(bytes.error().where == "body 0 ('body 0')");
    };
    refused([](SurfaceAsset& a) { a.render.triangles[2][1] = -1; });
    refused([](SurfaceAsset& a) { a.render.triangles[2][1] = int(a.render.points.size()); });
    refused([](SurfaceAsset& a) { a.surface.triangles[2][1] = int(a.surface.points.size()); });
    refused([](SurfaceAsset& a) { a.anchors[0].points[0] = int(a.surface.points.size()); });
    refused([](SurfaceAsset& a) { a.render.triangle_looks[0] = 2; });
    refused([](SurfaceAsset& a) { a.render.triangle_looks.pop_back(); });
    refused([](SurfaceAsset& a) { a.render.normals.pop_back(); });
    refused([](SurfaceAsset& a) { a.render.uvs.pop_back(); });
    refused([](SurfaceAsset& a) { a.render.points[3].z() = std::nan(""); });
    refused([](SurfaceAsset& a) { a.render.looks[1].opacity = std::nan(""); });
}

TEST_CASE("odd but harmless data is written so that readers take it") {
    auto asset = sample::ball(3);
    asset->render.looks[0].base_colour = Vec3(7, -1, 0.5);
    asset->render.looks[0].name = "\xff\xfe";  // no text
    asset->render.normals[0].setZero();
    asset->render.looks.push_back(Look{"unused"});
    Recording r = sample::still({asset, std::make_shared<SurfaceAsset>()}, 2);
    r.bodies[0].shapes.clear();
    r.bodies[0].name = "quote \" and \n newline";
    const gltf::File file = gltf::exported(r);
    gltf::check_structure(file);
    CHECK(file.json.at("materials").size() == 2);
    CHECK(file.json.at("materials")[0].at("pbrMetallicRoughness").at("baseColorFactor") ==
          gltf::Json({1.0, 0.0, 0.5, 1.0}));
    CHECK(file.json.at("nodes")[0].at("name") == r.bodies[0].name);
    CHECK_FALSE(file.json.at("nodes")[1].contains("mesh"));
}

TEST_CASE("write_glb leaves a whole file or none") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("ductile_glb_" + std::to_string(::getpid()));
    Recording r = sample::busy();
    REQUIRE(write_glb(r, folder / "a.glb").ok());
    CHECK(read_file(folder / "a.glb").value() == glb_bytes(r).value());

    r.frames[3].bodies[0].pose_w.translation.x() = std::nan("");
    const Status refused = write_glb(r, folder / "b.glb");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().where == (folder / "b.glb").string() + ", body 0 ('body 0'), frame 3");
    const auto left = std::distance(std::filesystem::directory_iterator(folder),
                                    std::filesystem::directory_iterator());
    CHECK(left == 1);
    std::filesystem::remove_all(folder);
}

TEST_CASE("materials of one name that look different get names of their own") {
    Recording r = sample::still({sample::ball(3), sample::ball(3), sample::ball(3)}, 1);
    for (std::size_t b = 0; b < 3; ++b) {
        auto asset = std::make_shared<SurfaceAsset>(*r.bodies[b].asset);
        for (Look& look : asset->render.looks) {
            look = {.name = "paint", .base_colour = Vec3::Constant(b == 1 ? 0.5 : 0.25)};
        }
        r.bodies[b].asset = asset;
    }
    const gltf::File file = gltf::exported(r);
    const gltf::Json& materials = file.json.at("materials");
    REQUIRE(materials.size() == 2);  // the first and the last look the same
    CHECK(materials[0].at("name") == "paint");
    CHECK(materials[1].at("name") == "paint-2");
}
