// SPDX-License-Identifier: MIT
#include <ductile/export/usd/usd_mesh.h>

#include <doctest/doctest.h>
#include <export/sample_recording.h>
#include <export/two_sheets.h>
#include <export/usd/usd_layer.h>
#include <export/usd/usd_reader.h>
#include <support/near.h>

using namespace ductile;

namespace {

/// Five frames of the two sheets: from the fourth on a point of the right one is 0.5 m higher.
Recording raised_sheet() {
    Recording r = sample::still({sample::two_sheets()}, 5);
    r.bodies[0].shapes.push_back(r.bodies[0].asset->surface.points);
    r.bodies[0].shapes[1][6].z() += 0.5;
    for (const std::size_t f : {3, 4}) r.frames[f].bodies[0].shape = 1;
    return r;
}

}  // namespace

TEST_CASE("a body's shapes are posed once each, as floats, and known by their frames") {
    const Recording r = raised_sheet();
    const UsdShapes shapes(r, 0, true);
    REQUIRE(shapes.frame_count() == 5);
    CHECK(shapes.is_same(0, 2));
    CHECK_FALSE(shapes.is_same(2, 3));
    CHECK(&shapes.at(3) == &shapes.at(4));
    CHECK(shapes.at(0).points[6] == Eigen::Vector3f(4, 1, 0));
    CHECK(shapes.at(3).points[6] == Eigen::Vector3f(4, 1, 0.5f));
    CHECK(shapes.at(0).normals[6] == Eigen::Vector3f(0, 0, 1));
    CHECK(shapes.at(0).depth[6] == 0.0f);
    CHECK(shapes.at(3).strain.size() == 8);
    CHECK(UsdShapes(r, 0, false).at(3).strain.empty());
}

TEST_CASE("a mesh prim holds its own run of vertices, sampled where these change") {
    const Recording r = raised_sheet();
    const UsdShapes shapes(r, 0, false);
    const RenderMesh& mesh = r.bodies[0].asset->render;
    const std::vector<double> codes = {0, 1, 2, 3, 4};
    const std::vector<std::string> materials = {"/Looks/paint"};
    const UsdMeshContext context{mesh, shapes, codes, 10.0, materials, true, {.damage = false}};
    const usd::Prim layer = usd::parse(usd::layer_text([&](UsdText& text) {
        append_usd_mesh(text, context, {"still", mesh.parts[0]});
        append_usd_mesh(text, context, {"raised", mesh.parts[1]});
    }));
    const usd::Prim &still = layer.child("still"), &raised = layer.child("raised");
    for (const usd::Prim* prim : {&still, &raised}) {
        CHECK((*prim)["faceVertexIndices"].value.numbers() ==
              std::vector<double>{0, 1, 2, 0, 2, 3});
        CHECK((*prim)["doubleSided"].value.text == "1");
        CHECK((*prim)["material:binding"].value.text == "</Looks/paint>");
    }
    CHECK(still["points"].samples.empty());
    CHECK(still["points"].value.numbers() ==
          std::vector<double>{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
    CHECK_FALSE(still.attributes.contains("velocities"));

    // On the first frame, the frame before the change, and the frame of it.
    std::vector<double> times;
    for (const auto& [time, value] : raised["points"].samples) times.push_back(time);
    CHECK(times == std::vector<double>{0, 2, 3});
    CHECK(raised["points"].at(3) == std::vector<double>{3, 0, 0, 4, 0, 0, 4, 1, 0.5, 3, 1, 0});
    CHECK(raised["extent"].at(3) == std::vector<double>{3, 0, 0, 4, 1, 0.5});
    // 0.5 m within a tenth of a second.
    CHECK(test::near(raised["velocities"].at(2)[8], 5.0, 1e-6));
    CHECK(raised["velocities"].at(0)[8] == 0.0);
}
