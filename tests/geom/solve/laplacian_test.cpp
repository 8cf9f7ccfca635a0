// SPDX-License-Identifier: MIT
#include <ductile/geom/solve/laplacian.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;

namespace {

/// A flat grid with shaken inner points, tilted in space.
TriMesh shaken_sheet(Rng& rng, int n) {
    TriMesh m = test::grid_mesh(n, n, false, false, [&](int i, int j) {
        const bool is_inner = i > 0 && j > 0 && i < n && j < n;
        const double shake = is_inner ? 0.3 / n : 0.0;
        return Vec3{double(i) / n + rng.uniform(-shake, shake), 0.0,
                    -double(j) / n + rng.uniform(-shake, shake)};
    });
    return test::placed(m, {test::random_rotation(rng), Vec3(1, 2, 3)});
}

bool is_border(int i, int n) {
    const int row = i / (n + 1), column = i % (n + 1);
    return row == 0 || column == 0 || row == n || column == n;
}

Eigen::SparseMatrix<double> laplacian_of(const TriMesh& m) {
    return cotangent_laplacian(m.points.size(), m.triangles,
                               half_cotangents(m.points, m.triangles));
}

}  // namespace

TEST_CASE("the Laplacian of a linear field on a flat patch is zero inside") {
    Rng rng(1);
    const int n = 12;
    const TriMesh m = shaken_sheet(rng, n);
    const auto laplacian = laplacian_of(m);
    Eigen::VectorXd field(m.points.size());
    for (int i = 0; i < field.size(); ++i) field[i] = Vec3(2, -3, 0.7).dot(m.points[i]) + 4;
    const Eigen::VectorXd result = laplacian * field;
    double worst = 0.0;
    for (int i = 0; i < field.size(); ++i) {
        if (!is_border(i, n)) test::raise_to(worst, std::abs(result[i]));
    }
    CHECK(worst < 1e-11);
}

TEST_CASE("the Laplacian's quadratic form is the integral of the squared gradient") {
    Rng rng(2);
    const TriMesh m = shaken_sheet(rng, 6);  // area 1
    const auto laplacian = laplacian_of(m);
    Vec3 normal = area_vector(m.points, m.triangles[0]).normalized();
    const Vec3 gradient = any_perpendicular(normal) * 1.7;
    Eigen::VectorXd field(m.points.size());
    for (int i = 0; i < field.size(); ++i) field[i] = gradient.dot(m.points[i]);
    CHECK(test::near(field.dot(laplacian * field), 1.7 * 1.7, 1e-12));
}

TEST_CASE("constraints between vertices that a linear field meets are met by it") {
    Rng rng(3);
    const int n = 10;
    const TriMesh m = shaken_sheet(rng, n);
    const auto laplacian = laplacian_of(m);
    const auto linear = [](const Vec3& p) { return Vec3(1, 2, -1).dot(p); };
    std::vector<std::uint8_t> is_given(m.points.size(), 0);
    const auto rows = static_cast<Eigen::Index>(m.points.size());
    Eigen::MatrixXd given = Eigen::MatrixXd::Zero(rows, 1);
    for (int i = 0; i < rows; ++i) {
        is_given[i] = is_border(i, n);
        given(i, 0) = is_given[i] ? linear(m.points[i]) : 99.0;  // others must be ignored
    }
    std::vector<RealConstraint> constraints;
    Eigen::MatrixXd targets(20, 1);
    for (int c = 0; c < 20; ++c) {
        const Triangle& t = m.triangles[rng.next() % m.triangles.size()];
        const double a = rng.uniform(0, 0.5), b = rng.uniform(0, 0.5);
        constraints.push_back({{t[0], t[1], t[2]}, {1 - a - b, a, b}});
        targets(c, 0) = (1 - a - b) * linear(m.points[t[0]]) + a * linear(m.points[t[1]]) +
                        b * linear(m.points[t[2]]);
    }
    const auto solver =
        SmoothSolver<double>::make(laplacian, is_given, constraints, kConstraintWeight);
    REQUIRE(solver);
    const Eigen::MatrixXd field = solver.value().solve(given, targets);
    double worst = 0.0;
    for (int i = 0; i < rows; ++i) {
        test::raise_to(worst, std::abs(field(i, 0) - linear(m.points[i])));
    }
    CHECK(worst < 1e-11);
}

TEST_CASE("the solver's answer is where its energy is least") {
    Rng rng(4);
    const TriMesh m = test::sphere_mesh(1.0, 2);
    const auto laplacian = laplacian_of(m);
    const std::vector<std::uint8_t> none(m.points.size(), 0);
    std::vector<RealConstraint> constraints;
    Eigen::MatrixXd targets(12, 1);
    for (int c = 0; c < 12; ++c) {
        const Triangle& t = m.triangles[10 * c];
        constraints.push_back({{t[0], t[1], t[0]}, {0.3, 0.7, 0.0}});
        targets(c, 0) = rng.uniform(-1, 1);
    }
    const auto solver = SmoothSolver<double>::make(laplacian, none, constraints, 2.0);
    REQUIRE(solver);
    const auto rows = static_cast<Eigen::Index>(m.points.size());
    const Eigen::MatrixXd best = solver.value().solve(Eigen::MatrixXd::Zero(rows, 1), targets);
    const double weight = 2.0 * laplacian.diagonal().mean();
    const auto energy = [&](const Eigen::VectorXd& f) {
        double sum = 0.5 * f.dot(laplacian * f);
        for (int c = 0; c < 12; ++c) {
            const double off =
                0.3 * f[constraints[c].points[0]] + 0.7 * f[constraints[c].points[1]];
            sum += 0.5 * weight * (off - targets(c, 0)) * (off - targets(c, 0));
        }
        return sum;
    };
    for (int round = 0; round < 50; ++round) {
        Eigen::VectorXd other = best.col(0);
        other[rng.next() % m.points.size()] += rng.uniform(-0.1, 0.1);
        CHECK(energy(other) >= energy(best.col(0)));
    }
}

TEST_CASE("triangles without area have finite cotangents") {
    const TriMesh m{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(0, 0, 0)},
                    {{0, 1, 2}, {0, 3, 1}, {0, 0, 0}}};
    for (const Vec3& c : half_cotangents(m.points, m.triangles)) CHECK(c.allFinite());
}
