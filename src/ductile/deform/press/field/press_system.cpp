// SPDX-License-Identifier: MIT
#include <ductile/deform/press/field/press_system.h>
#include <ductile/deform/press/mapping/press_surface.h>

#include <algorithm>

namespace ductile {
namespace {

// Making a base costs about as much as it saves in frames that solve for this many times the mesh.
constexpr std::size_t kSolvedWithoutBase = 2;
// Bases of a larger mesh would take a gigabyte.
constexpr std::size_t kMostWithBase = 200'000;

}  // namespace

PressSystem::PressSystem(const TriMesh& rest, const VertexGraph& graph, const VertexFaces& faces)
    : rest_(rest),
      faces_(faces),
      edges_(graph),
      edges_of_triangles_(triangle_edges(rest.triangles, edges_)),
      tree_(graph, edges_, dissect(graph, rest.points)) {}

ThreadPooled<EdgeMatrix<double>> PressSystem::blank_matrix(
    std::span<const std::int32_t> vertices) const {
    ThreadPooled<EdgeMatrix<double>> matrix;
    matrix->diagonal.resize(rest_.points.size());
    matrix->edge.resize(edges_.size());
    for (const std::int32_t v : vertices) {
        matrix->diagonal[v] = 0.0;
        std::fill(matrix->edge.begin() + edges_.first_of(v),
                  matrix->edge.begin() + edges_.first_of(v + 1), 0.0);
    }
    return matrix;
}

EdgeMatrix<double> PressSystem::rest_laplacian(const RestShape& shape) const {
    EdgeMatrix<double> matrix(rest_.points.size(), edges_.size());
    for (std::size_t f = 0; f < edges_of_triangles_.size(); ++f) {
        add_triangle(rest_.triangles[f], edges_of_triangles_[f], shape.weights[f].half_cotangents,
                     1.0, matrix);
    }
    return matrix;
}

bool PressSystem::is_worth_a_base(std::atomic<std::size_t>& sum, std::size_t solved) const {
    const std::size_t before = sum.fetch_add(solved, std::memory_order_relaxed);
    const std::size_t all = rest_.points.size();
    return all <= kMostWithBase && before >= kSolvedWithoutBase * all;
}

const PressSystem::RestShape& PressSystem::made_rest_shape() const {
    std::call_once(has_rest_shape_, [&] {
        RestShape& shape = rest_shape_;
        for (const Triangle& t : rest_.triangles) {
            shape.weights.push_back(triangle_weights(rest_.points, t));
        }
        for (std::size_t v = 0; v < rest_.points.size(); ++v) {
            shape.frames.push_back(tangent_frame(vertex_normal(
                rest_.points, rest_.triangles, faces_, static_cast<std::int32_t>(v))));
        }
        shape.factor = SparseCholesky<double>::make_base(tree_, rest_laplacian(shape));
    });
    return rest_shape_;
}

const PressSystem::RestShape* PressSystem::rest_shape(std::size_t solved) const {
    return is_worth_a_base(solved_, solved) ? &made_rest_shape() : nullptr;
}

std::shared_ptr<const SparseCholesky<double>> PressSystem::base(std::size_t solved) const {
    const RestShape* shape = rest_shape(solved);
    return shape ? shape->factor : nullptr;
}

const PressSystem::RestDirections* PressSystem::rest_directions(std::size_t solved) const {
    if (!is_worth_a_base(directions_solved_, solved)) return nullptr;
    std::call_once(has_rest_directions_, [&] {
        const RestShape& shape = made_rest_shape();
        EdgeMatrix<double> laplacian = rest_laplacian(shape);
        EdgeMatrix<std::complex<double>> matrix;
        matrix.diagonal = std::move(laplacian.diagonal);
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const auto [low, high] = edges_.ends()[e];
            rest_directions_.transports.push_back(transport(shape.frames[high], shape.frames[low]));
            matrix.edge.push_back(laplacian.edge[e] * rest_directions_.transports[e]);
        }
        rest_directions_.factor =
            SparseCholesky<std::complex<double>>::make_base(tree_, std::move(matrix));
    });
    return &rest_directions_;
}

}  // namespace ductile
