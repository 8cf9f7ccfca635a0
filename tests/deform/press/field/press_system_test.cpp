// SPDX-License-Identifier: MIT
#include <ductile/deform/press/field/press_system.h>
#include <ductile/deform/press/mapping/press_surface.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>

using namespace ductile;

namespace {

/// So many vertices have been solved for that a base pays.
constexpr std::size_t kMany = 1'000'000'000;

}  // namespace

TEST_CASE("a triangle's edges lie across from its corners") {
    const RestSurface ball(test::sphere_mesh(1.0, 2));
    const PressSystem& system = ball.system();
    const std::vector<Triangle>& triangles = ball.mesh().triangles;
    REQUIRE(system.edges_of_triangles().size() == triangles.size());
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t edge = system.edges_of_triangles()[f][k];
            CHECK(edge ==
                  system.edges().find(triangles[f][(k + 1) % 3], triangles[f][(k + 2) % 3]));
            CHECK(edge >= 0);
        }
    }
}

TEST_CASE("a blank matrix is zero between the vertices asked for, whatever stood there before") {
    const RestSurface ball(test::sphere_mesh(1.0, 3));
    const PressSystem& system = ball.system();
    std::vector<std::int32_t> half;
    for (std::size_t v = 0; v < ball.mesh().points.size(); ++v) {
        if (ball.mesh().points[v].y() < 0.3) half.push_back(static_cast<std::int32_t>(v));
    }
    {
        const ThreadPooled<EdgeMatrix<double>> used = system.blank_matrix({});
        std::fill(used->diagonal.begin(), used->diagonal.end(), 7.0);
        std::fill(used->edge.begin(), used->edge.end(), 7.0);
    }
    const ThreadPooled<EdgeMatrix<double>> blank = system.blank_matrix(half);
    REQUIRE(blank->edge.size() == system.edges().size());
    const auto is_asked = [&](std::int32_t v) {
        return std::binary_search(half.begin(), half.end(), v);
    };
    int zeros = 0;
    for (std::size_t e = 0; e < blank->edge.size(); ++e) {
        const auto [low, high] = system.edges().ends()[e];
        if (!is_asked(low) || !is_asked(high)) continue;
        CHECK(blank->edge[e] == 0.0);
        ++zeros;
    }
    CHECK(zeros > 100);
    for (const std::int32_t v : half) CHECK(blank->diagonal[v] == 0.0);
}

TEST_CASE("what the rest shape gives is made once it pays, the same bits as made anew") {
    const RestSurface ball(test::sphere_mesh(1.0, 3));
    const TriMesh& mesh = ball.mesh();
    const std::size_t count = mesh.points.size();
    const PressSystem& system = ball.system();
    // Twice the whole has to have been solved for before.
    CHECK(system.rest_shape(count) == nullptr);
    CHECK(system.rest_shape(count) == nullptr);
    const PressSystem::RestShape* shape = system.rest_shape(1);
    REQUIRE(shape != nullptr);
    CHECK(system.base(1) == shape->factor);
    REQUIRE(shape->weights.size() == mesh.triangles.size());
    EdgeMatrix<double> laplacian(count, system.edges().size());
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        const TriangleWeights weights = triangle_weights(mesh.points, mesh.triangles[f]);
        CHECK(shape->weights[f].half_cotangents == weights.half_cotangents);
        add_triangle(mesh.triangles[f], system.edges_of_triangles()[f], weights.half_cotangents,
                     1.0, laplacian);
    }
    // Others take parts of the factor over: those below what differs.
    std::vector<std::int32_t> cap;
    for (std::size_t v = 0; v < count; ++v) {
        if (mesh.points[v].y() < 0.6) cap.push_back(static_cast<std::int32_t>(v));
    }
    const auto kept =
        SparseCholesky<double>::make(system.tree().masked(cap), laplacian, shape->factor);
    const auto fresh = SparseCholesky<double>::make(system.tree().masked(cap), laplacian);
    REQUIRE(kept.ok());
    REQUIRE(fresh.ok());
    CHECK(kept.value().kept_fronts() > 0);
    const Eigen::MatrixXd right = Eigen::MatrixXd::Random(static_cast<Eigen::Index>(count), 1);
    Eigen::MatrixXd one = right, other = right;
    kept.value().solve(one);
    fresh.value().solve(other);
    CHECK(one == other);
}

TEST_CASE("directions at rest are carried along edges from the higher end's frame to the lower's") {
    const RestSurface ball(test::sphere_mesh(1.0, 2));
    const PressSystem& system = ball.system();
    CHECK(system.rest_directions(1) == nullptr);
    system.rest_directions(kMany);
    const PressSystem::RestDirections* directions = system.rest_directions(1);
    REQUIRE(directions != nullptr);
    CHECK(directions->factor != nullptr);
    system.rest_shape(kMany);
    const PressSystem::RestShape* shape = system.rest_shape(1);
    REQUIRE(shape != nullptr);
    REQUIRE(directions->transports.size() == system.edges().size());
    for (std::size_t e = 0; e < system.edges().size(); ++e) {
        const auto [low, high] = system.edges().ends()[e];
        CHECK(directions->transports[e] == transport(shape->frames[high], shape->frames[low]));
        CHECK(test::near(std::abs(directions->transports[e]), 1.0));
    }
}
