// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press_surface.h>
#include <ductile/deform/press/press_system.h>
#include <ductile/geom/laplacian.h>
#include <ductile/geom/tangent_frame.h>

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
      sides_(triangle_edges(rest.triangles, edges_)),
      tree_(graph, edges_, dissect(graph, rest.points)),
      cotangents_(half_cotangents(rest.points, rest.triangles)) {}

EdgeMatrix<double> PressSystem::rest_laplacian() const {
    EdgeMatrix<double> matrix(rest_.points.size(), edges_.size());
    add_triangles(rest_.triangles, sides_, cotangents_, {}, matrix);
    return matrix;
}

bool PressSystem::is_worth_a_base(std::atomic<std::size_t>& sum, std::size_t solved) const {
    const std::size_t before = sum.fetch_add(solved, std::memory_order_relaxed);
    const std::size_t all = rest_.points.size();
    return all <= kMostWithBase && before >= kSolvedWithoutBase * all;
}

std::shared_ptr<const SparseCholesky<double>> PressSystem::base(std::size_t solved) const {
    if (!is_worth_a_base(solved_, solved)) return nullptr;
    std::call_once(has_base_,
                   [&] { base_ = SparseCholesky<double>::make_base(tree_, rest_laplacian()); });
    return base_;
}

std::shared_ptr<const SparseCholesky<std::complex<double>>> PressSystem::direction_base(
    std::size_t solved) const {
    if (!is_worth_a_base(directions_solved_, solved)) return nullptr;
    std::call_once(has_direction_base_, [&] {
        std::vector<TangentFrame> frames;
        for (std::size_t v = 0; v < rest_.points.size(); ++v) {
            frames.push_back(tangent_frame(vertex_normal(rest_.points, rest_.triangles, faces_,
                                                         static_cast<std::int32_t>(v))));
        }
        const EdgeMatrix<double> laplacian = rest_laplacian();
        EdgeMatrix<std::complex<double>> matrix(rest_.points.size(), edges_.size());
        matrix.diagonal = laplacian.diagonal;
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const auto [low, high] = edges_.ends()[e];
            matrix.edge[e] = laplacian.edge[e] * transport(frames[high], frames[low]);
        }
        direction_base_ = SparseCholesky<std::complex<double>>::make_base(tree_, std::move(matrix));
    });
    return direction_base_;
}

}  // namespace ductile
