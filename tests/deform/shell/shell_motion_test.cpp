// SPDX-License-Identifier: MIT
#include <ductile/core/rotation.h>
#include <ductile/deform/shell/shell_motion.h>
#include <ductile/deform/shell/shell_reach.h>

#include <deform/shell/shell_sheet.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>
#include <numeric>

using namespace ductile;
using namespace ductile::test;

TEST_CASE("samples of a sub-shell have the mass, middle and inertia of equal parts") {
    const std::vector<Vec3> points = {{1, 2, 0}, {3, 2, 0}, {2, 1, 0}, {2, 3, 0}, {9, 9, 9}};
    const std::vector<std::int32_t> own = {0, 1, 2, 3};
    const SampleMass mass = sample_mass(points, own);
    CHECK(mass.mass == 4.0);
    CHECK((mass.middle - Vec3(2, 2, 0)).norm() < 1e-15);
    // Two of four lie off each axis in the plane by 1, all of them off the one across it.
    CHECK(test::near(mass.inverse_inertia(0, 0), 0.5, 1e-4));
    CHECK(test::near(mass.inverse_inertia(2, 2), 0.25, 1e-4));
    CHECK(sample_mass(points, {}).mass == 0.0);
}

TEST_CASE("a rotation that is followed comes to that of a stretched turn") {
    const Mat3 stretch = Vec3(1.2, 0.9, 1.0).asDiagonal();
    for (const double angle : {0.0, 0.1, 0.8}) {
        const Quat turn = turn_by(angle * Vec3(1, -2, 0.5).normalized());
        Quat found = Quat::Identity();
        for (int k = 0; k < 10; ++k) follow_rotation(turn.toRotationMatrix() * stretch, found);
        CHECK(angle_of(found * turn.conjugate()).norm() < 1e-8);
    }
}

TEST_CASE("distances along a sheet are the shortest ones over its control points") {
    const TriMesh mesh = sheet_mesh(1.0, 20);
    const ShellRig rig =
        make_shell_rig({mesh.points, mesh.triangles, {}}, {.sub_shells = 9}).value();
    const std::vector<SheetStart> starts = {{0, 0.1}};
    const std::vector<double> found = sheet_distances(rig, rig.control_rest, starts);
    CHECK(found[0] == 0.1);
    for (const SubShell& shell : rig.shells) {
        for (const std::int32_t a : shell.controls) {
            for (const std::int32_t b : shell.controls) {
                const double apart =
                    (rig.control_rest[std::size_t(a)] - rig.control_rest[std::size_t(b)]).norm();
                CHECK(found[std::size_t(b)] <= found[std::size_t(a)] + apart + 1e-12);
            }
        }
    }
    for (std::size_t c = 0; c < found.size(); ++c) {
        // No shorter than through the air, and not much longer on a flat sheet.
        const double air = (rig.control_rest[c] - rig.control_rest[0]).norm();
        CHECK(found[c] >= 0.1 + air - 1e-12);
        CHECK(found[c] < 0.1 + 1.5 * air + 1e-12);
    }
    for (const double d : sheet_distances(rig, rig.control_rest, {})) CHECK(std::isinf(d));
}
