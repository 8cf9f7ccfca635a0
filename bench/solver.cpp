// SPDX-License-Identifier: MIT
// Times the sparse solver of press on balls of the seed's sizes, against Eigen's SimplicialLDLT
// (and CHOLMOD where libsuitesparse-dev is installed). Usage: bench_solver [ROUNDS]. One thread.
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/solve/sparse_cholesky.h>
#include <ductile/solids/solids.h>

#include <Eigen/SparseCholesky>
#ifdef DUCTILE_HAS_CHOLMOD
#include <Eigen/CholmodSupport>
#endif
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <type_traits>

using namespace ductile;

namespace {

using Complex = std::complex<double>;
int rounds = 7;

/// Median processor time of a call [ms].
template <class Call>
double timed(Call&& call) {
    std::vector<double> ms;
    for (int i = 0; i < rounds; ++i) {
        const std::clock_t from = std::clock();
        call();
        ms.push_back(1e3 * static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC);
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

/// What a press asks for: the lower part of a ball without the contact at its foot, some rows there
/// changed by constraints.
struct Problem {
    explicit Problem(double resolution)
        : mesh(make_solid(
                   {.kind = SolidKind::Sphere, .size = Vec3::Ones(), .resolution = resolution})
                   .value()
                   .surface),
          graph(vertex_graph(mesh.points.size(), mesh.triangles)),
          edges(graph),
          sides(triangle_edges(mesh.triangles, edges)),
          cotangents(half_cotangents(mesh.points, mesh.triangles)),
          plain(mesh.points.size(), edges.size()),
          constrained(plain),
          turned(mesh.points.size(), edges.size()) {
        add_triangles(mesh.triangles, sides, cotangents, {}, plain);
        constrained = plain;
        for (std::size_t v = 0; v < mesh.points.size(); ++v) {
            const double y = mesh.points[v].y();
            is_active.push_back(y > -0.45 && y < 0.35);
            if (is_active.back()) active.push_back(static_cast<std::int32_t>(v));
            if (y > -0.45 && y < -0.44) constrained.diagonal[v] += 30.0;
        }
        // The same with its unknowns turned, each by an angle of its own.
        turned.diagonal = constrained.diagonal;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const auto [low, high] = edges.ends()[e];
            turned.edge[e] = std::polar(1.0, 0.1 * (low % 13 - high % 13)) * constrained.edge[e];
        }
    }

    /// The active part for rivals.
    template <class Scalar>
    Eigen::SparseMatrix<Scalar> sparse(const EdgeMatrix<Scalar>& matrix) const {
        std::vector<std::int32_t> place(is_active.size(), -1);
        std::int32_t count = 0;
        std::vector<Eigen::Triplet<Scalar>> entries;
        for (std::size_t v = 0; v < place.size(); ++v) {
            if (!is_active[v]) continue;
            entries.emplace_back(count, count, matrix.diagonal[v]);
            place[v] = count++;
        }
        for (std::size_t e = 0; e < matrix.edge.size(); ++e) {
            const std::int32_t i = place[edges.ends()[e][0]], j = place[edges.ends()[e][1]];
            if (i < 0 || j < 0) continue;
            entries.emplace_back(i, j, matrix.edge[e]);
            entries.emplace_back(j, i, Eigen::numext::conj(matrix.edge[e]));
        }
        Eigen::SparseMatrix<Scalar> made(count, count);
        made.setFromTriplets(entries.begin(), entries.end());
        return made;
    }

    TriMesh mesh;
    VertexGraph graph;
    GraphEdges edges;
    std::vector<std::array<std::int32_t, 3>> sides;
    std::vector<Vec3> cotangents;
    std::vector<std::uint8_t> is_active;
    std::vector<std::int32_t> active;
    EdgeMatrix<double> plain, constrained;
    EdgeMatrix<Complex> turned;
};

/// Reads as many bytes as a factor has, twice [ms].
double stream_time(std::size_t bytes) {
    const std::vector<double> data(bytes / sizeof(double), 1.0);
    double sum = 0.0;
    const double ms = timed([&] {
        for (int way = 0; way < 2; ++way) {
            sum += Eigen::Map<const Eigen::VectorXd>(data.data(),
                                                     static_cast<Eigen::Index>(data.size()))
                       .sum();
        }
    });
    return sum > 0 ? ms : 0.0;
}

template <class Scalar>
void report_solve(const char* name, const Problem& p, const FrontTree& tree,
                  const EdgeMatrix<Scalar>& matrix) {
    using Sparse = Eigen::SparseMatrix<Scalar>;
    using Fields = typename SparseCholesky<Scalar>::Fields;
    const double ours = timed([&] { (void)SparseCholesky<Scalar>::make(tree, matrix); });
    const Sparse sparse = p.sparse(matrix);
    Eigen::SimplicialLDLT<Sparse> rival;
    rival.analyzePattern(sparse);
    const double theirs = timed([&] { rival.factorize(sparse); });
    const auto factor = SparseCholesky<Scalar>::make(tree, matrix);
    if (!factor) return;
    const Fields right = Fields::Random(static_cast<Eigen::Index>(p.mesh.points.size()), 1);
    Fields x = right;
    const double solve = timed([&] {
        x = right;
        factor.value().solve(x);
    });
    const double stream = stream_time(factor.value().bytes());
    // A complex product is four real ones.
    const double flops = (std::is_same_v<Scalar, double> ? 2.0 : 8.0) * tree.multiplications();
    fmt::print("  {:8} factor {:7.2f} ms, {:5.1f} GFlop/s; LDLT {:7.1f} ms, ratio {:4.1f}", name,
               ours, flops / ours / 1e6, theirs, theirs / ours);
#ifdef DUCTILE_HAS_CHOLMOD
    Eigen::CholmodSupernodalLLT<Sparse> cholmod;
    cholmod.analyzePattern(sparse);
    const double supernodal = timed([&] { cholmod.factorize(sparse); });
    fmt::print("; CHOLMOD {:6.1f} ms, ratio {:4.1f}", supernodal, supernodal / ours);
#endif
    fmt::print("; solve {:5.2f} ms, streaming {:5.2f}, ratio {:4.2f}\n", solve, stream,
               solve / stream);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) rounds = std::max(1, std::atoi(argv[1]));
    for (const double resolution : {0.070, 0.0385, 0.0193, 0.0109, 0.0092}) {
        const Problem p(resolution);
        Dissection dissection;
        const double order = timed([&] { dissection = dissect(p.graph, p.mesh.points); });
        std::optional<FrontTree> whole;
        const double rows = timed([&] { whole.emplace(p.graph, p.edges, dissection); });
        std::optional<FrontTree> tree;
        const double mask = timed([&] { tree = whole->masked(p.active); });
        EdgeMatrix<double> matrix = p.plain;
        const double assembly = timed([&] {
            std::fill(matrix.diagonal.begin(), matrix.diagonal.end(), 0.0);
            std::fill(matrix.edge.begin(), matrix.edge.end(), 0.0);
            add_triangles(p.mesh.triangles, p.sides, p.cotangents, {}, matrix);
        });
        const double triplets = timed([&] {
            (void)cotangent_laplacian(p.mesh.points.size(), p.mesh.triangles, p.cotangents);
        });
        fmt::print(
            "{} of {} vertices, {:.2f} M numbers, {:.1f} MFlop: order {:.2f} ms, rows {:.2f}, "
            "mask {:.2f}; assembly {:.3f}, triplets {:.2f}, ratio {:.1f}\n",
            tree->vertices().size(), p.mesh.points.size(), tree->factor_size() / 1e6,
            2e-6 * tree->multiplications(), order, rows, mask, assembly, triplets,
            triplets / assembly);
        report_solve("real", p, *tree, p.constrained);
        report_solve("complex", p, *tree, p.turned);
        const auto base = SparseCholesky<double>::make_base(*whole, p.plain);
        const double fresh =
            timed([&] { (void)SparseCholesky<double>::make(*tree, p.constrained); });
        const double kept =
            timed([&] { (void)SparseCholesky<double>::make(*tree, p.constrained, base); });
        const auto made = SparseCholesky<double>::make(*tree, p.constrained, base);
        fmt::print("  kept     factor {:7.2f} ms, {} of {} fronts kept, ratio {:4.2f}\n", kept,
                   made ? made.value().kept_fronts() : 0, tree->fronts().size(), fresh / kept);
    }
    return 0;
}
