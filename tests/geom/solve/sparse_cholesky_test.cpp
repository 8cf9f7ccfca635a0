// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/geom/solve/dissection.h>
#include <ductile/geom/solve/front_shape.h>
#include <ductile/geom/solve/front_tree.h>
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/solve/sparse_cholesky.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <doctest/doctest.h>
#include <geom/test_meshes.h>

#include <algorithm>
#include <type_traits>

using namespace ductile;

namespace {

using Complex = std::complex<double>;

/// A mesh's graph, ready for matrices.
struct Ready {
    explicit Ready(const TriMesh& mesh)
        : graph(vertex_graph(mesh.points.size(), mesh.triangles)),
          edges(graph),
          tree(graph, edges, dissect(graph, mesh.points)) {}

    VertexGraph graph;
    GraphEdges edges;
    FrontTree tree;
};

EdgeMatrix<double> laplacian_plus(const TriMesh& mesh, const Ready& ready, double shift) {
    EdgeMatrix<double> matrix(mesh.points.size(), ready.edges.size());
    add_triangles(mesh.triangles, triangle_edges(mesh.triangles, ready.edges),
                  half_cotangents(mesh.points, mesh.triangles), {}, matrix);
    for (double& d : matrix.diagonal) d += shift;
    return matrix;
}

/// Random entries, the diagonal above what they sum up to.
template <class Scalar>
EdgeMatrix<Scalar> random_matrix(Rng& rng, const Ready& ready) {
    EdgeMatrix<Scalar> matrix(ready.graph.size(), ready.edges.size());
    for (std::size_t e = 0; e < ready.edges.size(); ++e) {
        if constexpr (std::is_same_v<Scalar, double>) {
            matrix.edge[e] = rng.uniform(-1, 1);
        } else {
            matrix.edge[e] = {rng.uniform(-1, 1), rng.uniform(-1, 1)};
        }
        for (const std::int32_t v : ready.edges.ends()[e]) {
            matrix.diagonal[v] += std::abs(matrix.edge[e]) + 0.1;
        }
    }
    for (double& d : matrix.diagonal) d = std::max(d, 0.5);
    return matrix;
}

template <class Scalar>
Eigen::SparseMatrix<Scalar> as_sparse(const Ready& ready, const EdgeMatrix<Scalar>& matrix) {
    std::vector<Eigen::Triplet<Scalar>> entries;
    for (std::size_t v = 0; v < matrix.diagonal.size(); ++v) {
        const auto i = static_cast<std::int32_t>(v);
        entries.emplace_back(i, i, matrix.diagonal[v]);
    }
    for (std::size_t e = 0; e < matrix.edge.size(); ++e) {
        const auto [low, high] = ready.edges.ends()[e];
        entries.emplace_back(low, high, matrix.edge[e]);
        entries.emplace_back(high, low, Eigen::numext::conj(matrix.edge[e]));
    }
    const auto n = static_cast<Eigen::Index>(matrix.diagonal.size());
    Eigen::SparseMatrix<Scalar> sparse(n, n);
    sparse.setFromTriplets(entries.begin(), entries.end());
    return sparse;
}

template <class Scalar>
using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

template <class Scalar>
Dense<Scalar> solved(const FrontTree& tree, const EdgeMatrix<Scalar>& matrix,
                     const Dense<Scalar>& right,
                     std::shared_ptr<const SparseCholesky<Scalar>> base = nullptr) {
    const auto factor = SparseCholesky<Scalar>::make(tree, matrix, std::move(base));
    REQUIRE(factor);
    Dense<Scalar> fields = right;
    factor.value().solve(fields);
    return fields;
}

template <class Scalar>
void check_against_dense(const TriMesh& mesh) {
    Rng rng(7);
    const Ready ready(mesh);
    const EdgeMatrix<Scalar> matrix = random_matrix<Scalar>(rng, ready);
    const Dense<Scalar> dense = as_sparse(ready, matrix);
    const Dense<Scalar> right = Dense<Scalar>::Random(dense.rows(), 3);
    const Dense<Scalar> exact = dense.llt().solve(right);
    const Dense<Scalar> ours = solved(ready.tree, matrix, right);
    CHECK((ours - exact).norm() < 1e-12 * exact.norm());
}

std::vector<std::int32_t> vertices_in(const TriMesh& mesh, bool (*is_in)(const Vec3&)) {
    std::vector<std::int32_t> found;
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        if (is_in(mesh.points[v])) found.push_back(static_cast<std::int32_t>(v));
    }
    return found;
}

bool is_cap(const Vec3& p) { return p.y() < 0.4; }
bool is_point(const Vec3&) { return true; }

}  // namespace

TEST_CASE("an edge of a dissected graph joins a set to itself or to one above it") {
    const TriMesh ball = test::sphere_mesh(1.0, 4);
    const VertexGraph graph = vertex_graph(ball.points.size(), ball.triangles);
    const GraphEdges edges(graph);
    for (const Dissection& d : {dissect(graph, ball.points), dissect(graph)}) {
        std::vector<std::int32_t> set_of(graph.size(), -1);
        for (std::size_t s = 0; s < d.size(); ++s) {
            CHECK((d.parent[s] == -1 || d.parent[s] > static_cast<std::int32_t>(s)));
            for (std::int32_t i = d.start[s]; i < d.start[s + 1]; ++i) {
                CHECK(set_of[d.order[i]] == -1);
                set_of[d.order[i]] = static_cast<std::int32_t>(s);
            }
        }
        std::size_t bad = 0;
        for (const auto& [a, b] : edges.ends()) {
            std::int32_t low = std::min(set_of[a], set_of[b]);
            const std::int32_t high = std::max(set_of[a], set_of[b]);
            while (low >= 0 && low < high) low = d.parent[low];
            bad += low != high;
        }
        CHECK(bad == 0);
    }
}

TEST_CASE("a factor of a surface's matrix has few entries more than the matrix") {
    // Nested dissection of a surface: about n log n. A ball of 10,242 points has 30,720 edges.
    const TriMesh ball = test::sphere_mesh(1.0, 5);
    const VertexGraph graph = vertex_graph(ball.points.size(), ball.triangles);
    const GraphEdges edges(graph);
    const FrontTree by_place(graph, edges, dissect(graph, ball.points));
    const FrontTree by_hops(graph, edges, dissect(graph));
    const double log_bound = 3.5 * 10242 * std::log2(10242);
    CHECK(by_place.factor_size() < log_bound);
    CHECK(by_hops.factor_size() < 1.5 * log_bound);
}

TEST_CASE("solving with fronts agrees with a dense factorisation") {
    check_against_dense<double>(test::sphere_mesh(1.0, 2));
    check_against_dense<Complex>(test::sphere_mesh(1.0, 2));
    check_against_dense<double>(test::box_mesh({0, 0, 0}, {1, 1, 1}));
    check_against_dense<Complex>(test::box_mesh({0, 0, 0}, {1, 1, 1}));
    // Two parts and a vertex on its own.
    TriMesh two =
        test::together(test::sphere_mesh(1.0, 1),
                       test::placed(test::sphere_mesh(0.5, 2), {Quat::Identity(), Vec3(3, 0, 0)}));
    two.points.push_back(Vec3(9, 9, 9));
    check_against_dense<double>(two);
    check_against_dense<Complex>(two);
}

TEST_CASE("masked rows and columns are left out as if they had never been there") {
    const TriMesh ball = test::sphere_mesh(1.0, 3);
    const Ready ready(ball);
    const EdgeMatrix<double> matrix = laplacian_plus(ball, ready, 0.0);
    const std::vector<std::int32_t> in = vertices_in(ball, is_cap);
    const FrontTree cut = ready.tree.masked(in);
    const Eigen::MatrixXd whole = as_sparse(ready, matrix);
    REQUIRE(cut.vertices().size() == in.size());
    const Eigen::MatrixXd right = Eigen::MatrixXd::Random(whole.rows(), 2);
    const Eigen::MatrixXd exact =
        Eigen::MatrixXd(whole(in, in)).llt().solve(Eigen::MatrixXd(right(in, Eigen::all)));
    const Eigen::MatrixXd ours = solved(cut, matrix, right);
    CHECK((ours(in, Eigen::all) - exact).norm() < 1e-12 * exact.norm());
    for (std::size_t v = 0; v < ball.points.size(); ++v) {
        const auto i = static_cast<Eigen::Index>(v);
        if (!is_cap(ball.points[v])) CHECK(ours.row(i) == right.row(i));
    }
}

TEST_CASE("a mask does not depend on the order of its vertices") {
    const TriMesh ball = test::sphere_mesh(1.0, 3);
    const Ready ready(ball);
    std::vector<std::int32_t> active = vertices_in(ball, is_cap);
    const FrontTree one = ready.tree.masked(active);
    std::reverse(active.begin(), active.end());
    const FrontTree other = ready.tree.masked(active);
    const auto is_same = [](auto a, auto b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    CHECK(is_same(one.vertices(), other.vertices()));
    CHECK(is_same(one.rows(), other.rows()));
    CHECK(one.fronts().size() == other.fronts().size());
    CHECK(one.entries().size() == other.entries().size());
}

TEST_CASE("a mask that leaves nothing leaves all fields alone") {
    const TriMesh ball = test::sphere_mesh(1.0, 2);
    const Ready ready(ball);
    const FrontTree cut = ready.tree.masked({});
    CHECK(cut.fronts().empty());
    const Eigen::MatrixXd right = Eigen::MatrixXd::Random(ball.points.size(), 1);
    CHECK(solved(cut, laplacian_plus(ball, ready, 0.0), right) == right);
}

TEST_CASE("a factor that takes parts from a kept one has the bits of a fresh one") {
    const TriMesh ball = test::sphere_mesh(1.0, 5);
    const Ready ready(ball);
    const EdgeMatrix<double> plain = laplacian_plus(ball, ready, 0.0);
    const auto base = SparseCholesky<double>::make_base(ready.tree, plain);
    const Eigen::MatrixXd right = Eigen::MatrixXd::Random(ball.points.size(), 2);
    Rng rng(5);
    for (int round = 0; round < 6; ++round) {
        // A cap is cut off and a few rows are changed, as constraints do.
        EdgeMatrix<double> matrix = plain;
        for (int k = 0; k < 5 * round + 1; ++k) {
            const std::size_t e = rng.next() % ready.edges.size();
            matrix.edge[e] += 0.3;
            for (const std::int32_t v : ready.edges.ends()[e]) matrix.diagonal[v] += 0.5;
        }
        const FrontTree cut = ready.tree.masked(vertices_in(ball, round % 2 ? is_cap : is_point));
        const auto kept = SparseCholesky<double>::make(cut, matrix, base);
        const auto fresh = SparseCholesky<double>::make(cut, matrix);
        REQUIRE(kept);
        REQUIRE(fresh);
        CHECK(kept.value().kept_fronts() > cut.fronts().size() / 4);
        CHECK(fresh.value().kept_fronts() == 0);
        Eigen::MatrixXd one = right, other = right;
        kept.value().solve(one);
        fresh.value().solve(other);
        CHECK(one == other);
    }
}

TEST_CASE("a right-hand side has the same solution alone and beside others") {
    const TriMesh ball = test::sphere_mesh(1.0, 4);
    const Ready ready(ball);
    Rng rng(3);
    const EdgeMatrix<double> real = random_matrix<double>(rng, ready);
    const EdgeMatrix<Complex> turned = random_matrix<Complex>(rng, ready);
    const auto check = [&]<class Scalar>(const EdgeMatrix<Scalar>& matrix) {
        const Dense<Scalar> right = Dense<Scalar>::Random(ball.points.size(), 3);
        const Dense<Scalar> all = solved(ready.tree, matrix, right);
        for (int k = 0; k < 3; ++k) {
            const Dense<Scalar> one = solved(ready.tree, matrix, Dense<Scalar>(right.col(k)));
            CHECK(all.col(k) == one);
        }
    };
    check(real);
    check(turned);
}

TEST_CASE("fronts agree with Eigen's own sparse factorisation on a mesh's Laplacian") {
    const TriMesh ball = test::sphere_mesh(1.0, 5);
    const Ready ready(ball);
    const EdgeMatrix<double> matrix = laplacian_plus(ball, ready, 1e-4);
    const Eigen::MatrixXd right = Eigen::MatrixXd::Random(ball.points.size(), 1);
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> rival(as_sparse(ready, matrix));
    const Eigen::MatrixXd theirs = rival.solve(right);
    CHECK((solved(ready.tree, matrix, right) - theirs).norm() < 1e-9 * theirs.norm());
}

TEST_CASE("a matrix that is not positive definite is refused") {
    const TriMesh ball = test::sphere_mesh(1.0, 3);
    const Ready ready(ball);
    // Constants are in the null space of a plain Laplacian.
    CHECK_FALSE(SparseCholesky<double>::make(ready.tree, laplacian_plus(ball, ready, 0.0)));
    CHECK_FALSE(SparseCholesky<double>::make(ready.tree, laplacian_plus(ball, ready, -1.0)));
    EdgeMatrix<double> bad = laplacian_plus(ball, ready, 1.0);
    bad.edge[17] = std::nan("");
    CHECK_FALSE(SparseCholesky<double>::make(ready.tree, bad));
    bad = laplacian_plus(ball, ready, 1.0);
    bad.diagonal[5] = 0.0;
    CHECK_FALSE(SparseCholesky<double>::make(ready.tree, bad));
}

TEST_CASE("a factor is the same bits at any number of threads") {
    const TriMesh ball = test::sphere_mesh(1.0, 4);
    const Ready ready(ball);
    const EdgeMatrix<double> matrix = laplacian_plus(ball, ready, 0.1);
    const Eigen::MatrixXd right = Eigen::MatrixXd::Random(ball.points.size(), 1);
    const auto with = [&](int threads) {
        const ThreadLimit limit(threads);
        std::vector<Eigen::MatrixXd> found(4);
        parallel_for(found.size(), 1,
                     [&](std::size_t i) { found[i] = solved(ready.tree, matrix, right); });
        return found;
    };
    const auto one = with(1), several = with(3);
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i] == one[0]);
        CHECK(several[i] == one[0]);
    }
}

TEST_CASE("a front's strips hold every number of its panel, and of what it hands on, once") {
    for (int columns = 1; columns < 20; ++columns) {
        for (int rows = 0; rows < 20; ++rows) {
            FrontTree::Front front;
            front.end = columns;
            front.end_row = rows;
            const FrontShape shape(front);
            CHECK(shape.top() >= columns);
            CHECK(shape.height() - shape.top() >= rows);
            CHECK(shape.before(0) == 0);
            // Strips follow each other, none wider than the front.
            for (FrontShape::Index s = 0; s < shape.strips(); ++s) {
                const FrontShape::Index width = shape.before(s + 1) - shape.before(s);
                CHECK(width > 0);
                CHECK(width <= columns);
            }
            CHECK(shape.before(shape.strips()) == shape.panel_size());
        }
    }
}
