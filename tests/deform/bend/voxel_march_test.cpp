// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/voxel_march.h>
#include <ductile/geom/query/surface_query.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <limits>

using namespace ductile;

TEST_CASE("cubes that are too many, or none, are refused with what to try") {
    const TriMesh box = test::box_mesh(Vec3(0, 0, 0), Vec3(1, 1, 1));
    const SurfaceQuery surface(box.points, box.triangles);
    const std::vector<std::int32_t> group(box.triangles.size(), 0);
    const auto small = march_voxels(surface, group, 1e-6, 0);
    REQUIRE_FALSE(small.ok());
    CHECK(small.error().where.empty());
    CHECK(small.error().hint == "make them larger");
    for (const double cell : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()}) {
        CHECK_FALSE(march_voxels(surface, group, cell, 0).ok());
    }
    const auto fine = march_voxels(surface, group, 0.25, 1);
    REQUIRE(fine.ok());
    for (int k = 0; k < 3; ++k) CHECK(fine.value().size[k] == 6);
    CHECK((fine.value().lower - Vec3::Constant(-0.25)).norm() < 1e-12);
    CHECK((fine.value().middle(0) - Vec3::Constant(-0.125)).norm() < 1e-12);
    CHECK((fine.value().middle(6 * 6 * 6 - 1) - Vec3::Constant(1.125)).norm() < 1e-12);
}
