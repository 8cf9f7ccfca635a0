// SPDX-License-Identifier: MIT
// Groups of a body of which a part is solid and another a sheet.
#include <ductile/deform/bend/sub_bodies.h>
#include <ductile/geom/mass.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>
#include <support/reason.h>

using namespace ductile;

TEST_CASE("a sheet needs no wall where its groups part, a solid beside it does") {
    const auto bar =
        make_solid({.kind = SolidKind::Box, .size = {2.0, 0.2, 0.3}, .resolution = 0.1});
    REQUIRE(bar.ok());
    TriMesh mesh = bar.value().surface;
    std::vector<std::uint8_t> is_sheet(mesh.triangles.size(), 0);
    const TriMesh sheet = test::grid_mesh(
        8, 2, false, false, [](int i, int j) { return Vec3(0.25 * i - 1.0, 1.0, 0.2 * j); });
    const auto first = static_cast<std::int32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), sheet.points.begin(), sheet.points.end());
    for (const Triangle& t : sheet.triangles) {
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        is_sheet.push_back(1);
    }
    std::vector<std::int32_t> group;
    for (const Triangle& t : mesh.triangles) {
        const double x = mesh.points[t[0]].x() + mesh.points[t[1]].x() + mesh.points[t[2]].x();
        group.push_back(x < 0 ? 0 : 1);
    }
    const std::vector<Triangle> neighbours = face_neighbours(mesh.triangles);
    const MassModel model{.density = 1000.0, .thickness = 0.01};
    const auto made =
        group_masses({mesh.points, mesh.triangles, neighbours, group, 2, model, is_sheet, {}});
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    CHECK(made.value().notes.empty());
    const double solid = 1000.0 * 2.0 * 0.2 * 0.3, skin = 1000.0 * 0.01 * 2.0 * 0.4;
    CHECK(test::near(made.value().whole.mass, solid + skin));
    for (const MassProperties& m : made.value().groups) {
        CHECK(test::near(m.mass, 0.5 * (solid + skin)));
        // The middles of half a bar and of half a sheet.
        CHECK(test::near(std::abs(m.centre_b.x()), 0.5));
        CHECK(test::near(m.centre_b.y(), skin / (solid + skin)));
    }
}
