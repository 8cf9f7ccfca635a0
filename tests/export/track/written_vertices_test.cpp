// SPDX-License-Identifier: MIT
// What goes in as N vertices of a file comes out as N vertices in the same order.
#include <ductile/asset/prepare_asset.h>
#include <ductile/core/file.h>
#include <ductile/export/sequence/mesh_sequence.h>
#include <ductile/export/sequence/obj.h>
#include <ductile/export/sequence/point_cache.h>
#include <ductile/export/sequence/write_ply.h>
#include <ductile/export/track/written_vertices.h>
#include <ductile/export/usd/usd.h>
#include <ductile/geom/repair/check_asset.h>
#include <ductile/io/load_asset.h>
#include <ductile/io/read_point_cache.h>
#include <ductile/skin/carry_damage.h>
#include <ductile/skin/render_skin.h>

#include <doctest/doctest.h>
#include <export/glb/gltf_reader.h>
#include <export/usd/usd_reader.h>
#include <support/skip.h>
#include <support/temp_folder.h>

#include <array>
#include <set>
#include <sstream>

using namespace ductile;
using test::TempFolder;

namespace {

// A box whose sides have texture coordinates of their own, in an order that no reader would choose,
// with a vertex that no face uses.
constexpr const char* kSeamedBox = R"(
v 1 2 1
v -1 0 -1
v 5 5 5
v 1 0 1
v -1 2 -1
v 1 2 -1
v -1 0 1
v 1 0 -1
v -1 2 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
g lid
f 9/1 1/2 6/3 5/4
g sides
f 7/1 4/2 1/3 9/4
f 4/1 8/2 6/3 1/4
f 8/1 2/2 5/3 6/4
f 2/1 7/2 9/3 5/4
f 2/1 8/2 4/3 7/4
)";

std::shared_ptr<const SurfaceAsset> seamed_box(const AssetOptions& options = {.scale = 1.0,
                                                                              .up = UpAxis::Y}) {
    const TempFolder folder;
    folder.write("box.obj", kSeamedBox);
    Result<PreparedAsset> made = load_asset(folder.path / "box.obj", options);
    REQUIRE(made.ok());
    REQUIRE(check_asset(made.value().asset).ok());
    return std::make_shared<const SurfaceAsset>(std::move(made.value().asset));
}

std::vector<Vec3> v_lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<Vec3> out;
    std::string line, word;
    while (std::getline(in, line)) {
        std::istringstream numbers(line);
        Vec3 p;
        if (numbers >> word && word == "v" && numbers >> p.x() >> p.y() >> p.z()) out.push_back(p);
    }
    return out;
}

// The box at rest, and pushed up from below.
Recording pushed_box(const std::shared_ptr<const SurfaceAsset>& asset) {
    Recording r;
    r.frame_rate = 24.0;
    RecordedBody body;
    body.name = "box";
    body.asset = asset;
    body.shapes = {asset->surface.points, asset->surface.points};
    for (Vec3& p : body.shapes[1]) {
        if (p.y() < 0.5) p.y() += 0.25;
    }
    r.bodies.push_back(std::move(body));
    for (const std::int32_t shape : {0, 1}) {
        r.frames.push_back({double(shape) / 24.0, {BodyFrame{{}, shape, true}}});
    }
    return r;
}

std::vector<Vec3> pushed_v_lines() {
    std::vector<Vec3> expected = v_lines(kSeamedBox);
    for (Vec3& p : expected) {
        if (p.y() < 0.5) p.y() += 0.25;
    }
    return expected;
}

}  // namespace

TEST_CASE("an OBJ comes out with the vertices of the file, in their order") {
    const auto asset = seamed_box();
    CHECK(asset->render.points.size() > 9);
    const WrittenVertices written(asset->render);
    CHECK(written.count() == 9);
    CHECK_FALSE(written.are_drawn());
    CHECK(written.points(asset->render.points) == v_lines(kSeamedBox));

    const TempFolder folder;
    const Recording r = pushed_box(asset);
    std::vector<Vec3> points, normals;
    RenderSkin(asset).pose(r.bodies[0].shapes[1], points, normals);
    REQUIRE(write_obj(*asset, points, normals, folder.path / "out.obj").ok());
    CHECK(v_lines(read_file(folder.path / "out.obj").value()) == pushed_v_lines());
    // Every corner is where it was, with its texture coordinates.
    const Model model = read_model(folder.path / "out.obj").value();
    std::multiset<std::array<double, 5>> corners, expected;
    for (const ModelMesh& mesh : model.meshes) {
        for (const Triangle& t : mesh.triangles) {
            for (const std::int32_t v : t) {
                const Vec3& p = mesh.points[v];
                corners.insert({p.x(), p.y(), p.z(), mesh.uvs[v].x(), mesh.uvs[v].y()});
            }
        }
    }
    for (const Triangle& t : asset->render.triangles) {
        for (const std::int32_t v : t) {
            const Vec2& uv = asset->render.uvs[v];
            expected.insert({points[v].x(), points[v].y(), points[v].z(), uv.x(), uv.y()});
        }
    }
    CHECK(corners == expected);
}

TEST_CASE("point caches and sequences hold the vertices of the file") {
    const auto asset = seamed_box();
    const Recording r = pushed_box(asset);
    const TempFolder folder;
    for (const PointCacheKind kind : {PointCacheKind::Pc2, PointCacheKind::Mdd}) {
        REQUIRE(write_point_cache(r, 0, kind, CacheSpace::World, folder.path / "cache").ok());
        const PointCache cache = read_point_cache(folder.path / "cache").value();
        REQUIRE(cache.samples.size() == 2);
        CHECK(cache.samples[0] == v_lines(kSeamedBox));
        CHECK(cache.samples[1] == pushed_v_lines());
    }
    REQUIRE(write_obj_sequence(r, folder.path / "obj", "a").ok());
    CHECK(v_lines(read_file(folder.path / "obj" / "a.0001.obj").value()) == pushed_v_lines());
    CHECK(read_model(folder.path / "obj" / "a.0001.obj").ok());
    REQUIRE(write_ply_sequence(r, folder.path / "ply", "a").ok());
    const Model sequence = read_model(folder.path / "ply" / "a.0001.ply").value();
    CHECK(sequence.meshes[0].points == pushed_v_lines());
    CHECK(sequence.meshes[0].triangles.size() == asset->render.triangles.size());
    const DamageMap none = carry_damage(
        *asset, damage_map(asset->surface.points, asset->surface.points, asset->surface.triangles));
    const Result<std::string> ply =
        ply_bytes(*asset, asset->render.points, asset->render.normals, none);
    REQUIRE(ply.ok());
    folder.write("one.ply", ply.value());
    CHECK(read_model(folder.path / "one.ply").value().meshes[0].points == v_lines(kSeamedBox));
}

TEST_CASE("USD meshes have the vertices of the file, and corners what is split") {
    const auto asset = seamed_box();
    const Recording r = pushed_box(asset);
    const TempFolder folder;
    REQUIRE(write_usd(r, folder.path / "a.usda").ok());
    const usd::Prim layer = usd::parse(read_file(folder.path / "a.usda").value());
    const usd::Prim& body = layer.child("World").child("box");
    const std::size_t used[] = {4, 8};  // a part of several has the vertices that it uses
    for (std::size_t p = 0; p < 2; ++p) {
        const MeshPart& part = asset->render.parts[p];
        const usd::Prim& mesh = body.child(part.name).child("geometry");
        const std::vector<double> points = mesh["points"].at(1.0);
        const std::vector<double> vertices = mesh["faceVertexIndices"].value.numbers();
        CHECK(points.size() == 3 * used[p]);
        if (!mesh.attributes.count("primvars:st:indices")) continue;
        const std::vector<double> uvs = mesh["primvars:st"].value.numbers();
        const std::vector<double> corners = mesh["primvars:st:indices"].value.numbers();
        CHECK(mesh["primvars:st"].metadata.find("\"faceVarying\"") != std::string::npos);
        CHECK(mesh["primvars:normals"].metadata.find("\"faceVarying\"") != std::string::npos);
        CHECK(mesh["primvars:normals:indices"].value.numbers() == corners);
        REQUIRE(corners.size() == vertices.size());
        std::vector<Vec3> drawn, normals;
        RenderSkin(asset).pose(r.bodies[0].shapes[1], drawn, normals);
        for (std::size_t c = 0; c < corners.size(); ++c) {
            const std::int32_t v = asset->render.triangles[part.first_triangle + c / 3][c % 3];
            const auto at = std::size_t(3 * vertices[c]);
            CHECK(Vec3(points[at], points[at + 1], points[at + 2]).isApprox(drawn[v], 1e-6));
            const auto uv = std::size_t(2 * corners[c]);
            CHECK(uvs[uv] == asset->render.uvs[v].x());
            CHECK(uvs[uv + 1] == 1.0 - asset->render.uvs[v].y());
        }
    }
    CHECK(body.child("sides").child("geometry").attributes.count("primvars:st:indices") == 1);
    CHECK(body.child("lid").child("geometry")["normals"].metadata.find("\"vertex\"") !=
          std::string::npos);
}

TEST_CASE("a GLB, which must split vertices, names those of the file") {
    const auto asset = seamed_box();
    const gltf::File file = gltf::exported(pushed_box(asset));
    const std::vector<Vec3> places = v_lines(kSeamedBox);
    std::set<int> seen;
    for (const auto& mesh : file.json["meshes"]) {
        for (const auto& primitive : mesh["primitives"]) {
            const auto& attributes = primitive["attributes"];
            const std::vector<Vec3> points = gltf::read_vectors(file, attributes["POSITION"]);
            const std::vector<double> of_file = gltf::read(file, attributes["_FILE_VERTEX"]);
            REQUIRE(of_file.size() == points.size());
            for (std::size_t v = 0; v < points.size(); ++v) {
                CHECK(points[v] == places[std::size_t(of_file[v])]);
                seen.insert(int(of_file[v]));
            }
        }
    }
    CHECK(seen.size() == 8);
}

TEST_CASE("halved edges come after the vertices of the file, once each") {
    const auto asset =
        seamed_box({.scale = 1.0, .up = UpAxis::Y, .join_parts = true, .longest_edge = 1.2});
    const std::vector<Vec3> points = WrittenVertices(asset->render).points(asset->render.points);
    const std::vector<Vec3> own = v_lines(kSeamedBox);
    REQUIRE(points.size() > own.size());
    CHECK(std::vector<Vec3>(points.begin(), points.begin() + 9) == own);
    // One per place of the surface, and the one that no face uses.
    CHECK(points.size() == asset->surface.points.size() + 1);
}

TEST_CASE("real OBJ files keep their number of vertices") {
    for (const char* name : {"meshes/soda_can.obj", "meshes/oil_barrel.obj", "meshes/spot_3k.obj",
                             "meshes/bucket.obj", "meshes/rocket_toy_01.obj"}) {
        DUCTILE_NEEDS_REAL_FILE(name);
        CAPTURE(name);
        const std::vector<Vec3> own = v_lines(read_file(test::real_file(name)).value());
        const Result<PreparedAsset> made =
            load_asset(test::real_file(name), {.scale = 1.0, .up = UpAxis::Y});
        REQUIRE(made.ok());
        const RenderMesh& render = made.value().asset.render;
        CHECK(check_asset(made.value().asset).ok());
        CHECK(WrittenVertices(render).points(render.points) == own);
    }
}
