// SPDX-License-Identifier: MIT
#include <ductile/deform/body_state.h>
#include <ductile/deform/mesh_revision.h>
#include <ductile/deform/refine/refine_hit.h>

#include <doctest/doctest.h>
#include <support/bodies.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;
using namespace ductile::test;

namespace {

RefineHit around(const Vec3& place, double radius, double longest_edge) {
    RefineHit hit;
    hit.position_b = place;
    hit.radius = radius;
    hit.longest_edge = longest_edge;
    return hit;
}

DentHit dent_at(const Vec3& place, const Vec3& direction) {
    DentHit hit;
    hit.position_b = place;
    hit.direction_b = direction;
    hit.depth = 0.02;
    hit.radius = 0.08;
    return hit;
}

}  // namespace

TEST_CASE("a refined mesh is finer where it was asked for and the same shape everywhere") {
    const auto base = barrel();
    Journal journal;
    const Vec3 place(0.29, 0.1, 0);
    journal.add(0.0, 0.0, around(place, 0.1, 0.01));
    const auto made = refined_shape(base, journal);
    REQUIRE(made.ok());
    const BodyShape& fine = *made.value();
    REQUIRE(fine.rest().size() > base->rest().size());
    CHECK(std::equal(base->rest().begin(), base->rest().end(), fine.rest().begin()));
    CHECK(test::near(fine.mass.mass, base->mass.mass, 1e-12));
    CHECK(fine.mass.inertia_b.isApprox(base->mass.inertia_b, 1e-9));
    CHECK(is_closed(fine.triangles()) == is_closed(base->triangles()));
    for (const Triangle& t : fine.triangles()) {
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = fine.rest()[t[k]], b = fine.rest()[t[(k + 1) % 3]];
            if ((0.5 * (a + b) - place).norm() < 0.1) CHECK((a - b).norm() <= 0.01 * (1 + 1e-12));
        }
    }
    CHECK(fine.layers.size() == base->layers.size());
    CHECK(has_mesh_of(fine, journal));
    CHECK_FALSE(has_mesh_of(*base, journal));
    CHECK(refined_shape(base, {}).value() == base);
}

TEST_CASE("points that were there are dented alike on the coarse mesh and on the refined one") {
    const auto base = barrel();
    Journal dents;
    dents.add(0.0, 0.0, dent_at({0.29, 0.1, 0}, {-1, 0, 0}));
    dents.add(0.1, 0.0, dent_at({0.28, 0.15, 0.05}, {-1, 0, 0}));
    Journal both = dents;
    both.add(0.2, 0.0, around({0.29, 0.1, 0}, 0.15, 0.01));
    const auto fine = refined_shape(base, both).value();
    const std::vector<Vec3> coarse_points = shape_at(*base, dents, 1.0);
    const std::vector<Vec3> fine_points = shape_at(*fine, both, 1.0);
    CHECK(std::equal(coarse_points.begin(), coarse_points.end(), fine_points.begin()));
    // The new ones show the dent itself, not chords of it.
    double furthest = 0.0;
    std::size_t next = base->rest().size();
    for (const MeshSplit& split : fine->splits) {
        for (const MeshEdge& e : split) {
            const Vec3 chord = 0.5 * (fine_points[e[0]] + fine_points[e[1]]);
            furthest = std::max(furthest, (fine_points[next++] - chord).norm());
        }
    }
    CHECK(next == fine->rest().size());
    CHECK(furthest > 1e-4);
    BodyState state(fine);
    REQUIRE(state.update(both, 1.0).ok());
    CHECK(std::equal(fine_points.begin(), fine_points.end(), state.points().begin()));
}

TEST_CASE("a refinement without end is refused") {
    Journal journal;
    journal.add(0.0, 0.0, around({0, 0, 0}, 10.0, 1e-5));
    const auto made = refined_shape(barrel(), journal);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().text().find("500000") != std::string::npos);
}

TEST_CASE("senseless refinements are refused with their field") {
    const auto refused_at = [](const RefineHit& hit) {
        HitRecord record = hit;
        const Status fine = check_record(record);
        return fine ? "" : fine.error().where;
    };
    RefineHit hit;
    CHECK(refused_at(hit) == "");
    hit.radius = 0.0;
    CHECK(refused_at(hit) == "/radius");
    hit = {};
    hit.longest_edge = -1.0;
    CHECK(refused_at(hit) == "/longest_edge");
    hit = {};
    hit.position_b.x() = kInfinity;
    CHECK(refused_at(hit) == "/position/0");
}
