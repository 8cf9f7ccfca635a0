// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/body_state.h>
#include <ductile/sim/surface_follower.h>

#include <doctest/doctest.h>
#include <support/bodies.h>

#include <algorithm>
#include <cmath>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("what follows a surface through dents and repairs is as from scratch, bit for bit") {
    const auto shape = barrel();
    const double depth = 0.003;
    Rng rng(6);
    BodyState state(shape);
    SurfaceFollower follower(shape, depth);
    Journal journal;
    std::vector<std::int32_t> since_forgotten;
    for (int round = 0; round < 40; ++round) {
        const double t = 0.1 * round;
        DentHit hit;
        const double angle = rng.uniform(0.0, 2 * kPi);
        hit.direction_b = Vec3(-std::cos(angle), 0, -std::sin(angle));
        hit.position_b = -0.29 * hit.direction_b + Vec3(0, rng.uniform(-0.4, 0.4), 0);
        hit.depth = 0.02;
        hit.radius = rng.uniform(0.05, 0.2);
        journal.add(t, round % 2 ? 0.15 : 0.0, hit);
        if (round % 7 == 6) journal.repair({t, 0.0, 0.8});
        const Result<bool> moved = state.update(journal, t);
        REQUIRE(moved.ok());
        if (moved.value()) {
            follower.follow(state.points(), state.unskinned(), state.frames(), state.touched());
            since_forgotten.insert(since_forgotten.end(), state.touched().begin(),
                                   state.touched().end());
        }

        const std::vector<Vec3> normals = vertex_normals(state.points(), shape->triangles());
        REQUIRE(std::equal(normals.begin(), normals.end(), follower.normals().begin()));
        const MassProperties mass = shape->mass_of(state.points()).value();
        REQUIRE(follower.mass().value().mass == mass.mass);
        REQUIRE(follower.mass().value().centre_b == mass.centre_b);
        REQUIRE(follower.mass().value().inertia_b == mass.inertia_b);
        const std::vector<double> lengths = displacement(state.points(), shape->rest());
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const auto v = static_cast<std::int32_t>(i);
            REQUIRE(follower.dented().contains(v) == (lengths[i] > depth));
            // What is not named as changed lies and faces as it did.
            if (!follower.ever_changed().contains(v)) {
                REQUIRE(state.points()[i] == shape->rest()[i]);
                REQUIRE(normals[i] == shape->normals[i]);
            }
        }
        if (round % 3 == 0) {
            std::sort(since_forgotten.begin(), since_forgotten.end());
            since_forgotten.erase(std::unique(since_forgotten.begin(), since_forgotten.end()),
                                  since_forgotten.end());
            CHECK(follower.moved() == since_forgotten);
            for (const std::int32_t v : since_forgotten) REQUIRE(follower.changed().contains(v));
            follower.forget_changes();
            since_forgotten.clear();
            CHECK(follower.changed().is_empty());
        }
    }
    CHECK_FALSE(follower.dented().is_empty());
}
