// SPDX-License-Identifier: MIT
#include <ductile/core/file.h>
#include <ductile/core/parallel.h>
#include <ductile/export/usd/usd.h>
#include <ductile/skin/carry_damage.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <export/usd/usd_reader.h>
#include <support/near.h>
#include <support/temp_folder.h>

using namespace ductile;
using test::TempFolder;
using Names = std::vector<std::string>;

namespace {

std::string usd_text(const Recording& r, const UsdOptions& options = {}) {
    const TempFolder folder;
    const Result<UsdReport> report = write_usd(r, folder.path / "a.usda", options);
    REQUIRE(report.ok());
    return read_file(folder.path / "a.usda").value();
}

Transform pose_at(const usd::Prim& prim, double code) {
    const std::vector<double> t = prim["xformOp:translate"].at(code);
    const std::vector<double> q = prim["xformOp:orient"].at(code);
    REQUIRE(t.size() == 3);
    REQUIRE(q.size() == 4);
    return {Quat(q[0], q[1], q[2], q[3]), Vec3(t[0], t[1], t[2])};
}

// Largest difference between what the file shows at a frame and what was recorded.
double worst_point(const Recording& r, std::size_t body, const usd::Prim& prim, std::size_t f) {
    const BodyFrame& at = r.frames[f].bodies[body];
    std::vector<Vec3> points, normals;
    RenderSkin(r.bodies[body].asset).pose(r.bodies[body].shapes[at.shape], points, normals);
    const usd::Prim& mesh = prim.child("geometry");
    const std::vector<double> shown = mesh["points"].at(double(f));
    const std::vector<double> turned = mesh["normals"].at(double(f));
    REQUIRE(shown.size() == 3 * points.size());
    REQUIRE(turned.size() == shown.size());
    const Transform pose = pose_at(prim, double(f));
    double worst = 0.0;
    bool is_exact = true;
    for (std::size_t v = 0; v < points.size(); ++v) {
        // The shape is exact; motion is to the rounding of its floats.
        const Vec3 place(shown[3 * v], shown[3 * v + 1], shown[3 * v + 2]);
        const Vec3 normal(turned[3 * v], turned[3 * v + 1], turned[3 * v + 2]);
        is_exact = is_exact && place.cast<float>() == points[v].cast<float>() &&
                   normal.cast<float>() == normals[v].cast<float>();
        worst = std::max(worst, (pose.point(points[v]) - at.pose_w.point(points[v])).norm());
    }
    CHECK(is_exact);
    return worst;
}

}  // namespace

TEST_CASE("a USD stage shows every vertex where it was recorded, at every frame") {
    const Recording r = sample::busy();
    const usd::Prim layer = usd::parse(usd_text(r));
    for (const char* fact : {"metersPerUnit = 1", "upAxis = \"Y\"", "timeCodesPerSecond = 30",
                             "startTimeCode = 0", "endTimeCode = 39", "defaultPrim = \"World\""}) {
        CHECK(layer.metadata.find(fact) != std::string::npos);
    }
    const usd::Prim& world = layer.child("World");
    CHECK(world.children.size() == 6);       // four bodies, a locator, the looks
    CHECK_FALSE(world.has_child("body_4"));  // it is never there
    CHECK(world.child("locator").children.empty());
    for (const std::size_t b : {0u, 1u, 2u, 3u}) {
        const usd::Prim& prim = world.child("body_" + std::to_string(b));
        for (std::size_t f = 0; f < r.frames.size(); ++f) {
            if (!r.frames[f].bodies[b].is_present) continue;
            CAPTURE(b);
            CAPTURE(f);
            CHECK(worst_point(r, b, prim, f) <= 1e-6);
        }
    }
}

TEST_CASE("a USD mesh has samples where it changes, and one on the frame before") {
    const usd::Prim layer = usd::parse(usd_text(sample::busy()));
    const usd::Prim& mesh = layer.child("World").child("body_0").child("geometry");
    std::vector<double> times;
    for (const auto& [time, value] : mesh["points"].samples) times.push_back(time);
    CHECK(times == std::vector<double>{0, 9, 10, 24, 25});
    for (const char* other : {"normals", "extent", "velocities", "primvars:dent_depth",
                              "primvars:strain", "primvars:scratch"}) {
        CHECK(mesh[other].samples.size() == times.size());
    }
    const usd::Prim& still = layer.child("World").child("body_2").child("geometry");
    CHECK(still["points"].samples.empty());
    CHECK(still.attributes.count("velocities") == 0);
    CHECK(still.attributes.count("primvars:strain") == 0);
}

TEST_CASE("no line of a USD stage sets two things") {
    // There are readers by lines (three.js): what follows the first '=' is the value to them.
    std::istringstream text(usd_text(sample::busy()));
    std::size_t assignments = 0;
    for (std::string line; std::getline(text, line);) {
        bool is_quoted = false;
        int equals = 0;
        for (const char c : line) {
            is_quoted ^= c == '"';
            equals += c == '=' && !is_quoted;
        }
        CAPTURE(line.substr(0, 80));
        CHECK(equals <= 1);
        assignments += equals;
    }
    CHECK(assignments > 100);
}

TEST_CASE("a USD stage without time is its first frame") {
    const usd::Prim layer = usd::parse(usd_text(sample::busy()));
    std::size_t sampled = 0;
    const auto check = [&](const usd::Prim& prim, const auto& self) -> void {
        for (const auto& [name, attribute] : prim.attributes) {
            if (attribute.samples.empty()) continue;
            const std::string& label = name;  // Clang 14 captures no structured bindings.
            CAPTURE(label);
            CHECK(attribute.value.text == attribute.samples.begin()->second.text);
            ++sampled;
        }
        for (const auto& child : prim.children) self(*child, self);
    };
    check(layer, check);
    CHECK(sampled > 10);
}

TEST_CASE("USD velocities lead from each sample to the next") {
    const usd::Prim layer = usd::parse(usd_text(sample::busy()));
    for (const char* name : {"body_0", "body_1"}) {
        const usd::Prim& mesh = layer.child("World").child(name).child("geometry");
        const auto& points = mesh["points"].samples;
        for (auto now = points.begin(); now != points.end(); ++now) {
            const auto next = std::next(now);
            const std::vector<double> v = mesh["velocities"].samples.at(now->first).numbers();
            const std::vector<double> from = now->second.numbers();
            const std::vector<double> to = next == points.end() ? from : next->second.numbers();
            const double seconds = next == points.end() ? 1.0 : (next->first - now->first) / 30.0;
            REQUIRE(v.size() == from.size());
            for (std::size_t i = 0; i < v.size(); ++i) {
                CHECK(test::within(from[i] + seconds * v[i], to[i], 1e-5));
            }
        }
    }
}

TEST_CASE("bodies are visible exactly at the frames at which they are there") {
    const Recording r = sample::busy();
    const usd::Prim layer = usd::parse(usd_text(r));
    const usd::Attribute& visibility = layer.child("World").child("body_3")["visibility"];
    for (std::size_t f = 0; f < r.frames.size(); ++f) {
        const bool is_present = r.frames[f].bodies[3].is_present;
        CHECK(visibility.held_at(double(f)) == (is_present ? "\"inherited\"" : "\"invisible\""));
    }
    CHECK(layer.child("World").child("body_0").attributes.count("visibility") == 0);
}

TEST_CASE("USD damage is that of the shape at each sample") {
    const Recording r = sample::busy();
    const SurfaceAsset& asset = *r.bodies[0].asset;
    const usd::Prim layer = usd::parse(usd_text(r));
    const usd::Prim& mesh = layer.child("World").child("body_0").child("geometry");
    for (const std::size_t f : {0u, 10u, 24u, 39u}) {
        const std::vector<Vec3>& now = r.bodies[0].shapes[r.frames[f].bodies[0].shape];
        const DamageMap damage =
            carry_damage(asset, damage_map(asset.surface.points, now, asset.surface.triangles));
        const std::vector<double> depth = mesh["primvars:dent_depth"].at(double(f));
        const std::vector<double> scratch = mesh["primvars:scratch"].at(double(f));
        REQUIRE(depth.size() == damage.depth.size());
        for (std::size_t v = 0; v < depth.size(); ++v) {
            CHECK(float(depth[v]) == float(damage.depth[v]));
            CHECK(float(scratch[3 * v + 1]) == float(damage.scratch[v].y()));
        }
    }
    CHECK(mesh["primvars:strain"].metadata.find("interpolation = \"vertex\"") != std::string::npos);
    const usd::Prim without = usd::parse(usd_text(r, {.velocities = false, .damage = false}));
    const usd::Prim& plain = without.child("World").child("body_0").child("geometry");
    CHECK(plain.attributes.count("primvars:strain") == 0);
    CHECK(plain.attributes.count("velocities") == 0);
}

TEST_CASE("USD meshes keep topology, UVs and looks") {
    Recording r = sample::still({sample::ball(3)}, 1);
    auto asset = std::make_shared<SurfaceAsset>(*r.bodies[0].asset);
    auto picture = std::make_shared<Texture>();
    picture->mime_type = "image/png";
    picture->bytes = {std::byte{1}, std::byte{2}, std::byte{3}};
    asset->render.looks[0].texture = picture;
    r.bodies[0].asset = asset;
    const TempFolder folder;
    REQUIRE(write_usd(r, folder.path / "a.usda").ok());
    CHECK(folder.names() == Names{"a.usda", "a_usd"});
    CHECK(read_file(folder.path / "a_usd" / "picture_0.png").value() == "\1\2\3");
    const usd::Prim layer = usd::parse(read_file(folder.path / "a.usda").value());
    const usd::Prim& body = layer.child("World").child("body_0");
    const usd::Prim& mesh = body.child("geometry");
    const RenderMesh& render = asset->render;
    const std::vector<double> corners = mesh["faceVertexIndices"].value.numbers();
    REQUIRE(corners.size() == 3 * render.triangles.size());
    CHECK(mesh["faceVertexCounts"].value.numbers() ==
          std::vector<double>(render.triangles.size(), 3.0));
    const std::vector<double> uvs = mesh["primvars:st"].value.numbers();
    REQUIRE(uvs.size() == 2 * render.uvs.size());
    for (std::size_t v = 0; v < render.uvs.size(); ++v) {
        CHECK(test::within(uvs[2 * v], render.uvs[v].x(), 1e-6));
        CHECK(test::within(uvs[2 * v + 1], 1.0 - render.uvs[v].y(), 1e-6));
    }
    std::size_t faces = 0;
    for (int look = 0; look < 2; ++look) {
        const usd::Prim& subset = mesh.child(render.looks[look].name);
        CHECK(subset.type == "GeomSubset");
        CHECK(subset["familyName"].value.text == "\"materialBind\"");
        for (const double t : subset["indices"].value.numbers()) {
            for (int k = 0; k < 3; ++k) {
                CHECK(corners[3 * std::size_t(t) + k] == render.triangles[std::size_t(t)][k]);
            }
            CHECK(render.triangle_looks[std::size_t(t)] == look);
            ++faces;
        }
        CHECK(subset["material:binding"].value.text ==
              "</World/Looks/" + render.looks[look].name + ">");
    }
    CHECK(faces == render.triangles.size());
    const usd::Prim& looks = layer.child("World").child("Looks");
    const usd::Prim& paint = looks.child("paint");
    CHECK(paint.child("picture")["inputs:file"].value.text == "@./a_usd/picture_0.png@");
    CHECK(paint.child("surface")["inputs:roughness"].value.text == "0.4");
    CHECK(looks.child("glass").child("surface")["inputs:opacity"].value.text == "0.3");
    // The looks' own colours, face by face.
    CHECK(mesh["primvars:displayColor"].metadata.find("interpolation = \"uniform\"") !=
          std::string::npos);
    const std::vector<double> colours = mesh["primvars:displayColor"].value.numbers();
    REQUIRE(colours.size() == 3 * render.triangles.size());
    for (std::size_t t = 0; t < render.triangles.size(); ++t) {
        const Vec3& colour = render.looks[render.triangle_looks[t]].base_colour;
        CHECK(test::within(colours[3 * t], colour.x(), 1e-6));
    }
}

TEST_CASE("bodies with equal looks share their materials in a stage") {
    Recording r = sample::busy();
    const usd::Prim layer = usd::parse(usd_text(r));
    const usd::Prim& world = layer.child("World");
    // Two looks each, the same in all of them.
    CHECK(world.child("Looks").children.size() == 2);
    for (const char* name : {"body_0", "body_1", "body_2"}) {
        CHECK_FALSE(world.child(name).has_child("Looks"));
        CHECK(world.child(name).child("geometry").child("paint")["material:binding"].value.text ==
              "</World/Looks/paint>");
    }
    // One of another colour has one of its own.
    auto asset = std::make_shared<SurfaceAsset>(*r.bodies[2].asset);
    asset->render.looks[0].base_colour = Vec3(0.1, 0.9, 0.1);
    r.bodies[2].asset = asset;
    const usd::Prim other = usd::parse(usd_text(r));
    CHECK(other.child("World").child("Looks").children.size() == 3);
}

TEST_CASE("a split stage has a file per body that shows the same") {
    Recording r = sample::busy();
    r.bodies[1].name = "1: \"half\\way\"";
    const TempFolder folder;
    const Result<UsdReport> report =
        write_usd(r, folder.path / "a.usda", {.split = UsdSplit::Bodies});
    REQUIRE(report.ok());
    CHECK(report.value().is_split);
    CHECK(report.value().note.empty());
    CHECK(folder.names("a_usd") == Names{"_1___half_way_.usda", "body_0.usda", "body_2.usda",
                                         "body_3.usda", "locator.usda"});
    const usd::Prim layer = usd::parse(read_file(folder.path / "a.usda").value());
    const usd::Prim& payload = layer.child("World").child("_1___half_way_");
    CHECK(payload.metadata == "(\n        prepend payload = @./a_usd/_1___half_way_.usda@\n    )");
    const usd::Prim one =
        usd::parse(read_file(folder.path / "a_usd" / "_1___half_way_.usda").value());
    CHECK(one.metadata.find("defaultPrim = \"_1___half_way_\"") != std::string::npos);
    const usd::Prim& body = one.child("_1___half_way_");
    CHECK(body.metadata ==
          "(\n    displayName = \"1: \\\"half\\\\way\\\"\"\n    kind = \"component\"\n)");
    for (std::size_t f = 0; f < r.frames.size(); ++f) CHECK(worst_point(r, 1, body, f) <= 1e-6);
    const std::string& bound = body.child("geometry").child("paint")["material:binding"].value.text;
    CHECK(bound == "</_1___half_way_/Looks/paint>");
}

TEST_CASE("a large stage is split, and the note says why") {
    const Recording r = sample::busy();
    const TempFolder folder;
    const auto write = [&](UsdSplit split) {
        return write_usd(r, folder.path / "a.usda", {.split = split, .split_size = 1e4}).value();
    };
    CHECK(write(UsdSplit::Auto).is_split);
    CHECK(write(UsdSplit::Auto).note.find("a file of its own") != std::string::npos);
    CHECK_FALSE(write(UsdSplit::One).is_split);
    CHECK(write(UsdSplit::One).note.find("MB of text") != std::string::npos);
    // What is estimated is what comes, roughly.
    const double size = double(std::filesystem::file_size(folder.path / "a.usda"));
    const double estimate = write(UsdSplit::One).estimate;
    CHECK(estimate > 0.5 * size);
    CHECK(estimate < 2.0 * size);
}

TEST_CASE("USD parts are prims in their hierarchy, sampled where they move") {
    auto asset = std::make_shared<SurfaceAsset>(*sample::ball(4));
    // Two parts: the triangles of each look, which share no vertex.
    RenderMesh& render = asset->render;
    RenderMesh sorted = render;
    sorted.points.clear(), sorted.normals.clear(), sorted.uvs.clear();
    sorted.triangles.clear(), sorted.triangle_looks.clear();
    std::vector<SurfaceAnchor> anchors;
    std::vector<std::int32_t> place(render.points.size(), -1);
    for (int look = 0; look < 2; ++look) {
        MeshPart part{look == 0 ? "body" : "lid", look - 1};
        part.first_triangle = static_cast<std::int32_t>(sorted.triangles.size());
        part.first_vertex = static_cast<std::int32_t>(sorted.points.size());
        for (std::size_t t = 0; t < render.triangles.size(); ++t) {
            if (render.triangle_looks[t] != look) continue;
            Triangle corners = render.triangles[t];
            for (std::int32_t& v : corners) {
                if (place[v] < 0) {
                    place[v] = static_cast<std::int32_t>(sorted.points.size());
                    sorted.points.push_back(render.points[v]);
                    sorted.normals.push_back(render.normals[v]);
                    sorted.uvs.push_back(render.uvs[v]);
                    anchors.push_back(asset->anchors[v]);
                }
                v = place[v];
            }
            sorted.triangles.push_back(corners);
            sorted.triangle_looks.push_back(look);
        }
        part.triangle_count =
            static_cast<std::int32_t>(sorted.triangles.size()) - part.first_triangle;
        part.vertex_count = static_cast<std::int32_t>(sorted.points.size()) - part.first_vertex;
        sorted.parts.push_back(part);
    }
    render = sorted;
    asset->anchors = anchors;
    Recording r = sample::still({asset}, 3);
    r.bodies[0].shapes.push_back(
        sample::dented(asset->surface.points, Vec3::UnitY(), 0.05, 0.2));  // the lid alone
    r.frames[2].bodies[0].shape = 1;
    const usd::Prim layer = usd::parse(usd_text(r));
    const usd::Prim& body = layer.child("World").child("body_0").child("body");
    CHECK(body.type == "Xform");
    CHECK(body.child("geometry")["points"].samples.empty());
    const usd::Prim& lid = body.child("lid").child("geometry");
    CHECK(lid["points"].samples.size() == 3);
    CHECK(lid["points"].at(0).size() + body.child("geometry")["points"].at(0).size() ==
          3 * render.points.size());
    CHECK(lid["material:binding"].value.text == "</World/Looks/glass>");
}

TEST_CASE("a USD stage is whole or not there, and the same on any number of threads") {
    const Recording r = sample::busy();
    const std::string first = usd_text(r);
    for (const int threads : {1, 8}) {
        const ThreadLimit limit(threads);
        CHECK(usd_text(r) == first);
    }
    const TempFolder folder;
    for (const UsdSplit split : {UsdSplit::One, UsdSplit::Bodies}) {
        int calls = 0;
        const Result<UsdReport> stopped =
            write_usd(r, folder.path / "a.usda", {.split = split}, [&](double) -> Status {
                return ++calls < 3 ? Status() : Error{"enough", "", ""};
            });
        REQUIRE_FALSE(stopped.ok());
        CHECK(stopped.error().what == "enough");
        CHECK(folder.names().empty());
    }
    Recording bad = sample::busy();
    bad.frames[4].bodies[0].pose_w.translation.x() = std::nan("");
    CHECK_FALSE(write_usd(bad, folder.path / "a.usda").ok());
    CHECK_FALSE(write_usd(r, "/dev/null/a.usda").ok());
    CHECK(folder.names().empty());
}
