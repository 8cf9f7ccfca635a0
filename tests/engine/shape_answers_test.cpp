// SPDX-License-Identifier: MIT
// What engines know of shapes, by laws that hold at any size and turn.
#include <ductile/core/rng.h>
#include <ductile/engine/bullet/cloud_shape.h>
#include <ductile/engine/scripted_engine.h>

#include <doctest/doctest.h>
#include <engine/make_bodies.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("whether a piece is flat does not hang on its size") {
    for (const double size : {1e-4, 1.0, 1e4}) {
        CAPTURE(size);
        for (const double thickness : {1.0, 1e-5}) {
            CHECK(check_cloud(box_points(size * Vec3(1, thickness, 1))).ok());
            CHECK(check_cloud(box_points(size * Vec3(1, thickness, thickness))).ok());
        }
        CHECK_FALSE(check_cloud(box_points(size * Vec3(1, 1e-7, 1))).ok());
        CHECK_FALSE(check_cloud(box_points(size * Vec3(1, 1e-7, 1e-7))).ok());
    }
}

TEST_CASE("a scripted box is as far away as the way to it, in and out") {
    Rng rng(3);
    ScriptedEngine engine;
    const Vec3 size(0.4, 0.6, 0.8);
    BodyDesc d = piece_desc(size, 500, {1, 2, 3});
    d.pose_w.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 2) / 3.0));
    const BodyId id = engine.add(d).value();
    int inside = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3 own(rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6));
        const Vec3 p = d.pose_w.point(own);
        const RigidQueries::Nearest at = engine.closest_point(id, p, 10.0);
        const bool is_inside = (own.cwiseAbs() - 0.5 * size).maxCoeff() < 0;
        inside += is_inside;
        CHECK(within(at.normal_w.norm(), 1.0, 1e-12));
        CHECK((at.point_w + at.distance * at.normal_w - p).norm() < 1e-12);
        CHECK((at.distance < 0) == is_inside);
        // On the surface: on one face and within the others.
        const Vec3 over = d.pose_w.inverse_point(at.point_w).cwiseAbs() - 0.5 * size;
        CHECK(std::abs(over.maxCoeff()) < 1e-12);
        if (is_inside) continue;
        CHECK(within(at.distance, (own.cwiseAbs() - 0.5 * size).cwiseMax(0.0).norm(), 1e-12));
    }
    CHECK(inside > 10);
}
