// SPDX-License-Identifier: MIT
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/solve/patch_system.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

using namespace ductile;

TEST_CASE("a patch's factor gives what the smooth solver gives, for any weights and given points") {
    TriMesh mesh = test::grid_mesh(9, 7, false, false, [](int i, int j) {
        return Vec3(0.1 * i, 0.02 * ((i * 7 + j * 3) % 5), 0.1 * j);
    });
    const std::size_t used = mesh.points.size();
    mesh.points.emplace_back(9, 9, 9);  // Of no triangle.
    const PatchSystem system(mesh.points.size(), mesh.triangles);
    const auto n = static_cast<Eigen::Index>(mesh.points.size());
    std::vector<Vec3> weights = half_cotangents(mesh.points, mesh.triangles);
    for (const std::size_t every : {1000, 5}) {
        std::vector<std::uint8_t> is_given(mesh.points.size(), 0);
        Eigen::MatrixXd given = Eigen::MatrixXd::Zero(n, 2), right = given;
        for (std::size_t v = 0; v < used; ++v) {
            is_given[v] = v % every == 0;
            const auto row = static_cast<Eigen::Index>(v);
            (is_given[v] ? given : right).row(row) << std::sin(1.0 + v), std::cos(2.0 * v);
        }
        const auto oracle =
            SmoothSolver<double>::make(
                cotangent_laplacian(mesh.points.size(), mesh.triangles, weights), is_given, {}, 0.0)
                .value();
        const Eigen::MatrixXd wanted = oracle.solve(given, Eigen::MatrixXd(0, 2), right);
        PatchFactor::Fields fields = given + right;
        const auto factor = system.factor(weights, is_given);
        REQUIRE(factor);
        factor.value().solve(fields);
        CHECK((fields - wanted).cwiseAbs().maxCoeff() < 1e-9 * wanted.cwiseAbs().maxCoeff());
        for (Vec3& w : weights) w = w.cwiseMax(0.1);
    }
}
