// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/solve/laplacian.h>
#include <ductile/geom/solve/patch_system.h>
#include <ductile/geom/vertex_graph.h>

namespace ductile {

PatchSystem::PatchSystem(std::size_t point_count, std::span<const Triangle> triangles)
    : graph_(vertex_graph(point_count, triangles)),
      edges_(graph_),
      tree_(graph_, edges_, dissect(graph_)),
      triangles_(triangles),
      sides_(triangle_edges(triangles, edges_)) {}

Result<PatchFactor> PatchSystem::factor(std::span<const Vec3> half_cotangents,
                                        std::span<const std::uint8_t> is_given) const {
    const std::size_t points = graph_.start.size() - 1;
    DUCTILE_ASSERT(is_given.size() == points, "a mark per point");
    EdgeMatrix<double> matrix(points, edges_.size());
    add_triangles(triangles_, sides_, half_cotangents, {}, matrix);
    // A point of no triangle has an empty row: it is left out, as those that are given.
    std::vector<std::uint8_t> is_free(points);
    std::vector<std::int32_t> free;
    for (std::size_t v = 0; v < points; ++v) {
        is_free[v] = !is_given[v] && !graph_[v].empty();
        if (is_free[v]) free.push_back(static_cast<std::int32_t>(v));
    }
    Result<SparseCholesky<double>> made = SparseCholesky<double>::make(tree_.masked(free), matrix);
    if (!made) return made.error();
    PatchFactor factor(std::move(made.value()));
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        const auto [a, b] = edges_.ends()[e];
        if (is_free[a] && !is_free[b]) factor.given_edges_.push_back({a, b, matrix.edge[e]});
        if (is_free[b] && !is_free[a]) factor.given_edges_.push_back({b, a, matrix.edge[e]});
    }
    return factor;
}

void PatchFactor::solve(Fields& fields) const {
    for (const GivenEdge& e : given_edges_) {
        fields.row(e.free) -= e.value * fields.row(e.given);
    }
    factor_.solve(fields);
}

}  // namespace ductile
