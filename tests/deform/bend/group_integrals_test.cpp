// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/bend/group_integrals.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/reason.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

// Triangle by triangle, in order.
MassIntegrals integrals_one_by_one(const GroupedSurface& surface, std::int32_t group,
                                   const Vec3& reference) {
    MassIntegrals sum;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        if (surface.group[t] != group) continue;
        const Triangle& corners = surface.triangles[t];
        const Vec3 a = surface.points[corners[0]] - reference;
        const Vec3 b = surface.points[corners[1]] - reference;
        const Vec3 c = surface.points[corners[2]] - reference;
        if (surface.is_sheet[t]) {
            add_sheet_triangle(sum, a, b, c, (b - a).cross(c - a), surface.model.thickness);
        } else {
            add_tetrahedron(sum, a, b, c);
        }
    }
    return sum;
}

}  // namespace

TEST_CASE("integrals of groups are those of their triangles, one by one") {
    Rng rng(5);
    const auto solid =
        make_solid({.kind = SolidKind::Barrel, .size = {0.6, 0.9, 0.6}, .resolution = 0.08});
    REQUIRE_MESSAGE(solid.ok(), test::reason(solid));
    const TriMesh& mesh = solid.value().surface;
    const std::vector<Triangle> neighbours = face_neighbours(mesh.triangles);
    std::vector<std::int32_t> group;
    std::vector<std::uint8_t> is_sheet;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        // Runs of any length, alone and in pairs, and points that three groups share.
        const bool goes_on = t > 0 && rng.uniform(0, 1) < 0.6;
        group.push_back(goes_on ? group.back() : static_cast<std::int32_t>(rng.uniform(0, 2.999)));
        is_sheet.push_back(rng.uniform(0, 1) < 0.1);
    }
    const MassModel model{.density = 1000.0, .thickness = 0.003};
    const GroupedSurface surface{mesh.points, mesh.triangles, neighbours, group,
                                 3,           model,          is_sheet,   {}};
    const Vec3 reference(0.1, -0.05, 0.02);
    const GroupIntegrals made = group_integrals(surface, reference);
    REQUIRE(made.sums.size() == 3);
    for (std::int32_t g = 0; g < 3; ++g) {
        CAPTURE(g);
        const MassIntegrals by_hand = integrals_one_by_one(surface, g, reference);
        const MassIntegrals& sum = made.sums[g];
        CHECK(std::abs(sum.zeroth - by_hand.zeroth) < 1e-15);
        CHECK((sum.first - by_hand.first).norm() < 1e-15);
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(std::abs(sum.second[i] - by_hand.second[i]) < 1e-15);
        }
        Box box;
        for (std::size_t t = 0; t < group.size(); ++t) {
            if (group[t] != g) continue;
            for (const std::int32_t v : mesh.triangles[t]) box.add(mesh.points[v] - reference);
        }
        CHECK(made.boxes[g].lower == box.lower);
        CHECK(made.boxes[g].upper == box.upper);
    }
}
