// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press_system.h>
#include <ductile/geom/laplacian.h>

namespace ductile {
namespace {

// From this frame on a base is worth its making, which costs about two frames.
constexpr int kFramesWithoutBase = 3;

}  // namespace

PressSystem::PressSystem(const TriMesh& rest, const VertexGraph& graph)
    : rest_(rest),
      edges_(graph),
      sides_(triangle_edges(rest.triangles, edges_)),
      tree_(graph, edges_, dissect(graph, rest.points)),
      cotangents_(half_cotangents(rest.points, rest.triangles)) {}

std::shared_ptr<const SparseCholesky<double>> PressSystem::base() const {
    if (frames_.fetch_add(1, std::memory_order_relaxed) < kFramesWithoutBase) return nullptr;
    std::call_once(has_base_, [&] {
        EdgeMatrix<double> matrix(rest_.points.size(), edges_.size());
        add_triangles(rest_.triangles, sides_, cotangents_, {}, matrix);
        base_ = SparseCholesky<double>::make_base(tree_, std::move(matrix));
    });
    return base_;
}

}  // namespace ductile
