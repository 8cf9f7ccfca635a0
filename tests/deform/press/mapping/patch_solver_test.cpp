// SPDX-License-Identifier: MIT
#include <ductile/deform/press/mapping/patch_solver.h>

#include <Eigen/Dense>
#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;

namespace {

/// A ball that stands 0.2 deep in a slab: they meet in a circle of radius 0.4.
struct PatchOnSlab {
    PatchOnSlab() : pair(test::ball_on_slab(0.2, 0.06)) {
        REQUIRE(pair.found.overlaps.size() == 1);
        patch = make_soft_patch(pair.soft, overlap());
        plane = RigidPlane::make(pair.rigid, overlap().under, true).value();
    }
    const PressOverlap& overlap() const { return pair.found.overlaps[0]; }

    test::PressPair pair;
    SoftPatch patch;
    std::shared_ptr<const RigidPlane> plane;
};

/// The same equations, dense and from the definition.
std::vector<Vec2> solved_densely(const SoftPatch& patch, std::span<const Vec3> cotangents,
                                 const CurveConstraints& curve, std::span<const Vec2> right) {
    const auto count = static_cast<Eigen::Index>(patch.points.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
    for (std::size_t f = 0; f < patch.triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = patch.triangles[f][(k + 1) % 3];
            const std::int32_t b = patch.triangles[f][(k + 2) % 3];
            matrix(a, a) += cotangents[f][k];
            matrix(b, b) += cotangents[f][k];
            matrix(a, b) -= cotangents[f][k];
            matrix(b, a) -= cotangents[f][k];
        }
    }
    const double mean = matrix.diagonal().mean();
    Eigen::MatrixXd sides = Eigen::MatrixXd::Zero(count, 2);
    for (std::size_t i = 0; i < right.size(); ++i) {
        sides.row(static_cast<Eigen::Index>(i)) = right[i].transpose();
    }
    for (std::size_t c = 0; c < curve.constraints.size(); ++c) {
        Eigen::VectorXd row = Eigen::VectorXd::Zero(count);
        for (int k = 0; k < 3; ++k) {
            const std::int32_t v = curve.constraints[c].points[k];
            if (curve.constraints[c].weights[k] != 0.0) {
                row[patch.local(v)] += curve.constraints[c].weights[k];
            }
        }
        const double weight = kConstraintWeight * mean * curve.weights[c];
        matrix += weight * row * row.transpose();
        sides += weight * row * curve.targets[c].transpose();
    }
    const Eigen::MatrixXd solution = matrix.ldlt().solve(sides);
    std::vector<Vec2> out;
    for (Eigen::Index i = 0; i < count; ++i) out.push_back(solution.row(i).transpose());
    return out;
}

double farthest(std::span<const Vec2> a, std::span<const Vec2> b) {
    REQUIRE(a.size() == b.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) test::raise_to(worst, (a[i] - b[i]).norm());
    return worst;
}

}  // namespace

TEST_CASE("the curve of a ball in a slab is a circle in the plane") {
    const PatchOnSlab on;
    const Result<CurveConstraints> curve = curve_constraints(on.overlap(), on.patch, *on.plane);
    REQUIRE(curve.ok());
    CHECK(test::near(curve.value().area, kPi * 0.16, 0.02));
    CHECK(curve.value().targets.size() == curve.value().constraints.size());
    Vec2 centre = Vec2::Zero();
    double length = 0.0;
    for (std::size_t c = 0; c < curve.value().targets.size(); ++c) {
        centre += curve.value().weights[c] * curve.value().targets[c];
        length += curve.value().weights[c];
    }
    centre /= length;
    for (const Vec2& p : curve.value().targets) {
        CHECK(test::near((p - centre).norm(), 0.4, 0.02));
    }
    PressOverlap shorter = on.overlap();
    shorter.curve.resize(2);
    CHECK_FALSE(curve_constraints(shorter, on.patch, *on.plane).ok());
}

TEST_CASE("a patch is drawn as the dense equations say, with and without a right-hand side") {
    const PatchOnSlab on;
    const CurveConstraints curve = curve_constraints(on.overlap(), on.patch, *on.plane).value();
    const std::vector<Vec3> cotangents = enclosed_cotangents(on.pair.soft, on.patch);
    REQUIRE(cotangents.size() == on.patch.faces.size());
    const std::vector<Vec3> whole = half_cotangents(on.patch.points, on.patch.triangles);
    for (std::size_t f = 0; f < whole.size(); ++f) {
        CHECK((cotangents[f] - on.patch.shares[f] * whole[f]).norm() < 1e-12);
    }
    Result<PatchSolver> solver = PatchSolver::make(on.pair.soft, on.patch, cotangents, curve);
    REQUIRE(solver.ok());
    std::vector<Vec2> flat;
    solver.value().solve({}, flat);
    CHECK(farthest(flat, solved_densely(on.patch, cotangents, curve, {})) < 1e-10);
    Rng rng(4);
    std::vector<Vec2> right;
    for (std::size_t i = 0; i < on.patch.points.size(); ++i) {
        right.emplace_back(rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1));
    }
    solver.value().solve(right, flat);
    CHECK(farthest(flat, solved_densely(on.patch, cotangents, curve, right)) < 1e-10);
    // Without the curve any shift would do as well.
    CurveConstraints none = curve;
    for (double& weight : none.weights) weight = 0.0;
    CHECK_FALSE(PatchSolver::make(on.pair.soft, on.patch, cotangents, none).ok());
}
