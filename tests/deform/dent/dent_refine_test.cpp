// SPDX-License-Identifier: MIT
#include <ductile/deform/body_state.h>
#include <ductile/deform/dent/dent_refine.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

DentHit dent_in_beam() {
    DentHit hit;
    hit.position_b = {0.02, 0.15, 0.2};
    hit.direction_b = {0, -1, 0};
    hit.depth = 0.02;
    hit.radius = 0.06;
    return hit;
}

std::shared_ptr<const BodyShape> coarse_beam() {
    return dentable(solid(SolidKind::Beam, Vec3(0.2, 0.3, 3.0), 1.5), 0.0,
                    find_material("steel").value());
}

std::vector<HitRecord> meshes_for(const DentHit& hit, const BodyShape& shape, double edges) {
    return meshes_under_dent({.edges = edges, .budget = 500}, hit,
                             {shape, *shape.rest_surface, nullptr});
}

}  // namespace

TEST_CASE("a round print is as wide as it reaches, a slanted one reaches further") {
    DentHit hit = dent_in_beam();
    hit.profile = DentProfile::Cosine;  // half as deep at half its radius
    const DentPrint round = dent_print(hit);
    CHECK(test::near(round.reach, 0.5 * hit.radius, 0.05));
    CHECK(test::near(round.width, round.reach, 0.05));
    hit.slant_deg = 60.0;
    const DentPrint slanted = dent_print(hit);
    CHECK(test::near(slanted.reach, 2.0 * round.reach, 0.05));
    CHECK(test::near(slanted.width, round.width, 0.05));
}

TEST_CASE("a dent asks for a finer mesh where its body's cannot show it") {
    const auto beam = coarse_beam();
    const DentHit hit = dent_in_beam();
    CHECK(meshes_for(hit, *beam, 0.0).empty());
    const std::vector<HitRecord> meshes = meshes_for(hit, *beam, 6.0);
    REQUIRE(meshes.size() == 1);
    const auto& finer = std::get<RefineHit>(meshes[0]);
    CHECK((finer.position_b - hit.position_b).norm() < 1e-12);
    CHECK(finer.longest_edge < hit.radius / 6.0);
    CHECK(finer.radius < 1.5 * hit.radius);
    CHECK(finer.point_limit == static_cast<std::int32_t>(beam->rest().size()) + 500);
    // On a mesh as fine as that it asks for nothing.
    HitRecord checked = finer;
    CHECK(check_record(checked).ok());
    CHECK(meshes_for(hit, *beam, 0.01).empty());
    CHECK(test::near(edge_under_dent({.edges = 6.0}, *beam, 0.06), 0.01));
    CHECK(edge_under_dent({}, *beam, 0.06) == beam->edge);
}

TEST_CASE("several places of a dent get a mesh each, at their rest places") {
    const auto beam = coarse_beam();
    DentHit hit = dent_in_beam();
    hit.starts = {{Vec3(0.02, 0.12, 0.2)}, {Vec3(-0.02, 0.12, -0.9)}};
    std::vector<Vec3> lowered(beam->rest().begin(), beam->rest().end());
    for (Vec3& p : lowered) p.y() -= 0.03;
    const SurfaceQuery surface(lowered, beam->triangles());
    const std::vector<HitRecord> meshes =
        meshes_under_dent({.edges = 6.0}, hit, {*beam, surface, nullptr});
    REQUIRE(meshes.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const Vec3 rest = hit.starts[i].position_b + Vec3(0, 0.03, 0);
        CHECK((std::get<RefineHit>(meshes[i]).position_b - rest).norm() < 1e-12);
    }
}
