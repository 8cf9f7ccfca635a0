// SPDX-License-Identifier: MIT
#include <ductile/asset/crease_normals.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <string>
#include <vector>

using namespace ductile;

namespace {

/// Parts that follow each other, with a normal of zero and a UV of its own at each vertex.
RenderMesh unlit(const std::vector<TriMesh>& meshes) {
    RenderMesh out;
    for (const TriMesh& mesh : meshes) {
        const auto first = static_cast<std::int32_t>(out.points.size());
        out.parts.push_back({"part", -1, static_cast<std::int32_t>(out.triangles.size()),
                             static_cast<std::int32_t>(mesh.triangles.size()), first,
                             static_cast<std::int32_t>(mesh.points.size())});
        for (const Vec3& p : mesh.points) {
            out.uvs.emplace_back(0.01 * static_cast<double>(out.points.size()), 0.5);
            out.points.push_back(p);
        }
        for (const Triangle& t : mesh.triangles) {
            out.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
    }
    out.normals.assign(out.points.size(), Vec3::Zero());
    return out;
}

std::vector<std::int32_t> light(RenderMesh& mesh, std::vector<std::uint8_t> lacks,
                                double crease_deg) {
    const std::vector<Triangle> places = mesh.triangles;
    return add_normals(mend_surface(mesh.points, places), places, lacks, crease_deg, mesh);
}

}  // namespace

TEST_CASE("a cube has the normals of its faces below its creases, and of its corners above") {
    const RenderMesh cube = unlit({test::box_mesh({-1, -1, -1}, {1, 1, 1})});
    RenderMesh sharp = cube;
    const std::vector<std::int32_t> source = light(sharp, {1}, 89.0);
    REQUIRE(sharp.points.size() == 24);
    REQUIRE(source.size() == 24);
    CHECK(sharp.parts[0].vertex_count == 24);
    CHECK(sharp.file_vertices.points == cube.points);
    CHECK(sharp.file_vertices.of_drawn == source);
    for (std::size_t f = 0; f < sharp.triangles.size(); ++f) {
        const Vec3 face = area_vector(sharp.points, sharp.triangles[f]).normalized();
        for (int k = 0; k < 3; ++k) {
            const std::int32_t v = sharp.triangles[f][k];
            CHECK((sharp.normals[v] - face).norm() < 1e-15);
            // Each corner keeps its place and UVs.
            CHECK(source[v] == cube.triangles[f][k]);
            CHECK(sharp.points[v] == cube.points[source[v]]);
            CHECK(sharp.uvs[v] == cube.uvs[source[v]]);
        }
    }

    RenderMesh smooth = cube;
    CHECK(light(smooth, {1}, 91.0).size() == 8);
    CHECK(smooth.triangles == cube.triangles);
    CHECK(smooth.file_vertices.empty());
    for (std::size_t v = 0; v < 8; ++v) {
        CHECK((smooth.normals[v] - cube.points[v].normalized()).norm() < 1e-15);
    }
}

TEST_CASE("the back of a two-sided face is lit from the other side, by vertices of its own") {
    TriMesh sheet;
    sheet.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    sheet.triangles = {{0, 1, 2}, {1, 0, 2}};
    RenderMesh drawn = unlit({sheet});
    CHECK(light(drawn, {1}, 30.0) == std::vector<std::int32_t>{0, 1, 2, 0, 1, 2});
    REQUIRE(drawn.triangles.size() == 2);
    for (const std::int32_t v : drawn.triangles[0]) CHECK(drawn.normals[v] == Vec3(0, 0, 1));
    for (const std::int32_t v : drawn.triangles[1]) CHECK(drawn.normals[v] == Vec3(0, 0, -1));
}

TEST_CASE("a part that came with normals keeps them, and gets those that it lacks") {
    const TriMesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
    TriMesh lone = test::placed(box, {Quat::Identity(), Vec3(5, 0, 0)});
    lone.points.emplace_back(7, 7, 7);
    RenderMesh drawn = unlit({box, lone});
    const Vec3 given = Vec3(1, 2, 2) / 3;
    for (std::size_t v = 8; v < 15; ++v) drawn.normals[v] = given;
    const std::vector<std::int32_t> source = light(drawn, {1, 0}, 30.0);
    // The cube before it was split into 24; no vertex of this part was.
    REQUIRE(source.size() == 24 + 9);
    CHECK(drawn.parts[1].first_vertex == 24);
    for (std::size_t v = 24; v < 31; ++v) CHECK(drawn.normals[v] == given);
    CHECK((drawn.normals[31] - Vec3(1, 1, 1).normalized()).norm() < 1e-15);
    CHECK(drawn.normals[32] == Vec3(0, 1, 0));
}
