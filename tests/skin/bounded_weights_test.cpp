// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/skin/bounded_weights.h>
#include <ductile/skin/place_handles.h>
#include <ductile/solids/solids.h>

#include <Eigen/LU>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <map>

using namespace ductile;
using namespace ductile::test;

namespace {

struct Weighted {
    TriMesh mesh;
    TetLattice lattice;
    std::vector<Handle> handles;
    LatticeWeights weights;
};

Weighted weighted(TriMesh mesh, double cell, std::size_t handles,
                  const WeightOptions& options = {}) {
    TetLattice lattice = TetLattice::make(SurfaceQuery(mesh.points, mesh.triangles), cell).value();
    std::vector<Handle> placed_handles = add_automatic_handles(lattice, {}, handles).value();
    LatticeWeights weights = bounded_weights(lattice, placed_handles, {}, options).value();
    return {std::move(mesh), std::move(lattice), std::move(placed_handles), std::move(weights)};
}

TriMesh barrel_mesh() { return make_solid({.kind = SolidKind::Barrel}).value().surface; }

/// The box-bounded problem by coordinate descent, one weight after the other until none moves:
/// slow, with no factor and no multipliers.
Eigen::VectorXd slow_weights(const Eigen::SparseMatrix<double>& q, std::span<const HeldNode> held,
                             std::int32_t handle) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(q.rows());
    std::vector<std::uint8_t> is_held(static_cast<std::size_t>(q.rows()), 0);
    for (const HeldNode& h : held) {
        is_held[h.node] = 1;
        for (const auto& [other, weight] : h.weights) {
            if (other == handle) w[h.node] = weight;
        }
    }
    for (int sweep = 0; sweep < 400000; ++sweep) {
        double largest = 0.0;
        for (Eigen::Index v = 0; v < q.cols(); ++v) {
            if (is_held[v]) continue;
            double slope = 0.0, diagonal = 0.0;
            for (Eigen::SparseMatrix<double>::InnerIterator it(q, v); it; ++it) {
                slope += it.value() * w[it.row()];
                if (it.row() == v) diagonal = it.value();
            }
            const double better = std::clamp(w[v] - 1.6 * slope / diagonal, 0.0, 1.0);
            largest = std::max(largest, std::abs(better - w[v]));
            w[v] = better;
        }
        if (largest < 1e-13) break;
    }
    return w;
}

/// A point's weight of every handle.
std::vector<double> full_row(const SkinWeights& weights, std::size_t i, std::size_t handles) {
    std::vector<double> row(handles, 0.0);
    for (std::size_t k = 0; k < weights.handles_of(i).size(); ++k) {
        row[weights.handles_of(i)[k]] = weights.weights_of(i)[k];
    }
    return row;
}

double largest_jump(const TriMesh& mesh, const SkinWeights& weights, std::size_t handles) {
    double largest = 0.0;
    for (const Triangle& t : mesh.triangles) {
        for (int k = 0; k < 3; ++k) {
            const auto a = full_row(weights, t[k], handles);
            const auto b = full_row(weights, t[(k + 1) % 3], handles);
            for (std::size_t h = 0; h < handles; ++h) {
                largest = std::max(largest, std::abs(a[h] - b[h]));
            }
        }
    }
    return largest;
}

}  // namespace

TEST_CASE("Q of a lattice is that of linear elements with lumped masses") {
    const double cell = 0.4;
    const TriMesh ball = sphere_mesh(1.0, 2);
    const TetLattice lattice =
        TetLattice::make(SurfaceQuery(ball.points, ball.triangles), cell).value();
    const auto size = static_cast<Eigen::Index>(lattice.points().size());
    Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd mass = Eigen::VectorXd::Zero(size);
    for (const Tet& tet : lattice.tets()) {
        Eigen::Matrix4d corners;
        for (int k = 0; k < 4; ++k) corners.row(k) << 1.0, lattice.points()[tet[k]].transpose();
        const double volume = std::abs(corners.determinant()) / 6.0;
        const Eigen::Matrix<double, 3, 4> gradients = corners.inverse().bottomRows<3>();
        for (int i = 0; i < 4; ++i) {
            mass[tet[i]] += volume / 4.0;
            for (int k = 0; k < 4; ++k) {
                laplacian(tet[i], tet[k]) += volume * gradients.col(i).dot(gradients.col(k));
            }
        }
    }
    const Eigen::MatrixXd q = laplacian * mass.cwiseInverse().asDiagonal() * laplacian;
    const Eigen::MatrixXd unitless = biharmonic_matrix(lattice);
    CHECK((2.0 * cell * q - unitless).cwiseAbs().maxCoeff() < 1e-9);
    // A linear function has no energy but at the boundary.
    CHECK((unitless * Eigen::VectorXd::Ones(size)).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("the energy is that of an independent slow solver within 1e-6") {
    const TriMesh meshes[] = {box_mesh(Vec3(-1, -0.4, -0.3), Vec3(1, 0.4, 0.3)),
                              torus_mesh(1.0, 0.35, 24, 12)};
    for (const TriMesh& mesh : meshes) {
        const Weighted w = weighted(mesh, mesh.points.size() == 8 ? 0.35 : 0.5, 5);
        const Eigen::SparseMatrix<double> q = biharmonic_matrix(w.lattice);
        const auto held = held_nodes(w.lattice, w.handles).value();
        Eigen::MatrixXd slow(q.rows(), 5);
        for (std::int32_t h = 0; h < 5; ++h) slow.col(h) = slow_weights(q, held, h);
        // Ours are divided by their sums; so are these, and the energies before are compared.
        const LatticeWeights raw = bounded_weights(w.lattice, w.handles, {}, {.gap = 1e-8}).value();
        double best = 0.0, ours = 0.0, finer = 0.0;
        for (int h = 0; h < 5; ++h) {
            const double least = slow.col(h).dot(q * slow.col(h));
            CHECK(w.weights.energies[h] >= least * (1.0 - 1e-9));
            best += least;
            ours += w.weights.energies[h];
            finer += raw.energies[h];
        }
        CHECK(ours <= best * (1.0 + 1e-6));
        CHECK(finer <= best * (1.0 + 1e-8));
        // What is proven is true, and not by much more than needed.
        CHECK(ours / best - 1.0 <= w.weights.gap);
        CHECK(w.weights.gap <= 1e-6);
        for (Eigen::Index v = 0; v < slow.rows(); ++v) slow.row(v) /= slow.row(v).sum();
        CHECK((slow - w.weights.nodes).cwiseAbs().maxCoeff() < 5e-3);
        CHECK((slow - raw.nodes).cwiseAbs().maxCoeff() < 5e-4);
    }
}

TEST_CASE("weights are in [0, 1], sum to 1, and are 1 and 0 at the handles' own nodes") {
    const Weighted w = weighted(barrel_mesh(), 0.08, 12);
    CHECK(w.weights.nodes.minCoeff() >= 0.0);
    CHECK(w.weights.nodes.maxCoeff() <= 1.0);
    CHECK((w.weights.nodes.rowwise().sum().array() - 1.0).abs().maxCoeff() <= 1e-12);
    for (std::size_t h = 0; h < w.handles.size(); ++h) {
        const std::int32_t node = w.lattice.nearest_node(w.handles[h].place);
        for (std::size_t k = 0; k < w.handles.size(); ++k) {
            CHECK(w.weights.nodes(node, static_cast<Eigen::Index>(k)) == (h == k ? 1.0 : 0.0));
        }
    }
    CHECK(w.weights.loose.empty());
    CHECK(w.weights.solves <= 60);
    CHECK(w.weights.peaks < w.lattice.points().size() * w.handles.size() / 100);
    for (const double threshold : {0.0, 0.001, 0.02}) {
        const SkinWeights carried =
            carry_weights(w.lattice, w.weights.nodes, w.mesh.points, threshold);
        Rig rig;
        rig.handles = w.handles;
        rig.weights = carried;
        CHECK(check_rig(rig, w.mesh.points.size()).ok());
        for (std::size_t i = 0; i < carried.size(); ++i) {
            double sum = 0.0;
            for (const double weight : carried.weights_of(i)) {
                CHECK(weight > 0.0);
                CHECK(weight <= 1.0);
                sum += weight;
            }
            CHECK(std::abs(sum - 1.0) <= 1e-12);
        }
    }
}

TEST_CASE("a mirrored barrel with mirrored handles has mirrored weights") {
    const TriMesh barrel = barrel_mesh();
    TriMesh mirrored = inside_out(barrel);
    for (Vec3& p : mirrored.points) p.x() = -p.x();
    const Weighted w = weighted(barrel, 0.08, 12);
    const TetLattice lattice =
        TetLattice::make(SurfaceQuery(mirrored.points, mirrored.triangles), 0.08).value();
    std::vector<Handle> handles = w.handles;
    for (Handle& h : handles) h.place.x() = -h.place.x();
    const LatticeWeights weights = bounded_weights(lattice, handles).value();
    const SkinWeights one = carry_weights(w.lattice, w.weights.nodes, barrel.points, 0.001);
    const SkinWeights other = carry_weights(lattice, weights.nodes, mirrored.points, 0.001);
    double worst = 0.0;
    for (std::size_t i = 0; i < barrel.points.size(); ++i) {
        const auto a = full_row(one, i, 12), b = full_row(other, i, 12);
        for (std::size_t h = 0; h < 12; ++h) raise_to(worst, std::abs(a[h] - b[h]));
    }
    CHECK(worst < 1e-9);
}

TEST_CASE("the threshold makes no facets") {
    const Weighted w = weighted(barrel_mesh(), 0.08, 16);
    const SkinWeights all = carry_weights(w.lattice, w.weights.nodes, w.mesh.points, 0.0);
    const double before = largest_jump(w.mesh, all, 16);
    for (const double threshold : {0.001, 0.01, 0.03}) {
        const SkinWeights fewer =
            carry_weights(w.lattice, w.weights.nodes, w.mesh.points, threshold);
        CHECK(fewer.weight.size() < all.weight.size());
        CHECK(largest_jump(w.mesh, fewer, 16) <= 1.5 * before);
    }
}

TEST_CASE("a part of the lattice without a handle follows the nearest one and is reported") {
    const TriMesh mesh =
        together(together(sphere_mesh(0.5, 2),
                          placed(sphere_mesh(0.3, 2), {Quat::Identity(), Vec3(2, 0, 0)})),
                 placed(sphere_mesh(0.3, 2), {Quat::Identity(), Vec3(-3, 0, 0)}));
    const TetLattice lattice =
        TetLattice::make(SurfaceQuery(mesh.points, mesh.triangles), 0.15).value();
    REQUIRE(lattice.components().count == 3);
    const std::vector<Handle> handles = {{"right", HandleKind::Point, Vec3(0.4, 0, 0)},
                                         {"left", HandleKind::Point, Vec3(-0.4, 0, 0)}};
    const LatticeWeights weights = bounded_weights(lattice, handles).value();
    REQUIRE(weights.loose.size() == 2);
    for (const LoosePart& part : weights.loose) {
        CHECK(part.handle == (part.middle.x() > 0 ? 0 : 1));
        CHECK(part.nodes > 20);
    }
    const SkinWeights carried = carry_weights(lattice, weights.nodes, mesh.points, 0.001);
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        const double x = mesh.points[i].x();
        if (std::abs(x) < 1.0) continue;
        REQUIRE(carried.handles_of(i).size() == 1);
        CHECK(carried.handles_of(i)[0] == (x > 0 ? 0 : 1));
    }
}

TEST_CASE("bones and cages hold what they should, and the rest is between") {
    const TriMesh bar = box_mesh(Vec3(-2, -0.3, -0.3), Vec3(2, 0.3, 0.3));
    const TetLattice lattice =
        TetLattice::make(SurfaceQuery(bar.points, bar.triangles), 0.2).value();
    const std::vector<Handle> bones = {{"left", HandleKind::Bone, Vec3(-2, 0, 0), Vec3(-0.3, 0, 0)},
                                       {"right", HandleKind::Bone, Vec3(0.3, 0, 0), Vec3(2, 0, 0)}};
    const LatticeWeights weights = bounded_weights(lattice, bones).value();
    for (std::size_t v = 0; v < lattice.points().size(); ++v) {
        const double x = lattice.points()[v].x(),
                     left = weights.nodes(static_cast<Eigen::Index>(v), 0);
        if (x < -0.8) CHECK(left > 0.9);
        if (x > 0.8) CHECK(left < 0.1);
    }
    const auto held = held_nodes(lattice, bones).value();
    for (const HeldNode& h : held) {
        for (const auto& [handle, weight] : h.weights)
            CHECK(weights.nodes(h.node, handle) == weight);
    }
    const std::vector<Handle> cage = {{"a", HandleKind::Cage, Vec3(-1.8, 0, 0)},
                                      {"b", HandleKind::Cage, Vec3(1.8, 0, 0)}};
    const std::vector<Triangle> faces = {{0, 1, 1}};
    const LatticeWeights straight = bounded_weights(lattice, cage, faces).value();
    const auto between = held_nodes(lattice, cage, faces).value();
    for (const HeldNode& h : between) {
        for (const auto& [handle, weight] : h.weights) {
            CHECK(test::within(straight.nodes(h.node, handle), weight, 1e-12));
        }
    }
}

TEST_CASE("weights have the same bits with one thread and with three") {
    const TriMesh mesh = torus_mesh(1.0, 0.35, 24, 12);
    const auto made = [&](int threads) {
        const ThreadLimit limit(threads);
        const Weighted w = weighted(mesh, 0.3, 9);
        return std::make_pair(w.weights.nodes,
                              carry_weights(w.lattice, w.weights.nodes, mesh.points, 0.001).weight);
    };
    const auto one = made(1), three = made(3);
    CHECK(one.first == three.first);
    CHECK(one.second == three.second);
}

TEST_CASE("one handle has everything, and what cannot be is refused with a message") {
    const Weighted w = weighted(sphere_mesh(1.0, 2), 0.4, 1);
    CHECK((w.weights.nodes.array() - 1.0).abs().maxCoeff() < 1e-12);
    CHECK(!bounded_weights(w.lattice, {}).ok());
    const std::vector<Handle> same = {{"a", HandleKind::Point, Vec3::Zero()},
                                      {"b", HandleKind::Point, Vec3::Zero()}};
    const auto refused = bounded_weights(w.lattice, same);
    REQUIRE(!refused.ok());
    CHECK(refused.error().what.find("'a' and 'b'") != std::string::npos);
    const TriMesh torus = torus_mesh(1.0, 0.35, 24, 12);
    const TetLattice lattice =
        TetLattice::make(SurfaceQuery(torus.points, torus.triangles), 0.3).value();
    const auto handles = add_automatic_handles(lattice, {}, 9).value();
    const auto stopped = bounded_weights(lattice, handles, {}, {.gap = 1e-12, .most_solves = 5});
    REQUIRE(!stopped.ok());
    CHECK(stopped.error().what.find("solves weights may still be") != std::string::npos);
}
