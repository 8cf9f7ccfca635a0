// SPDX-License-Identifier: MIT
#include <ductile/deform/press/mapping/patch_solver.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// The outermost of several curves, less the islands in it.
void measure_area(const PressOverlap& overlap, std::span<const Vec2> at, CurveConstraints& curve) {
    double largest = 0.0, sum = 0.0;
    for (std::size_t l = 0; l < overlap.loops.size(); ++l) {
        const std::size_t first = overlap.loops[l];
        const std::size_t end = l + 1 < overlap.loops.size() ? overlap.loops[l + 1] : at.size();
        double area = 0.0;
        for (std::size_t i = first; i < end; ++i) {
            const Vec2 a = at[i] - at[first], b = at[i + 1 < end ? i + 1 : first] - at[first];
            area += 0.5 * (a.x() * b.y() - a.y() * b.x());
        }
        if (std::abs(area) > std::abs(largest)) largest = area;
        sum += std::abs(area);
    }
    curve.area = 2.0 * std::abs(largest) - sum;
    curve.is_clockwise = largest < 0;
}

void add_patch_triangles(const PressSurface& soft, const SoftPatch& patch,
                         std::span<const Vec3> cotangents, EdgeMatrix<double>& matrix) {
    const auto edges = soft.rest.system().edges_of_triangles();
    for (std::size_t f = 0; f < patch.faces.size(); ++f) {
        const std::int32_t face = patch.faces[f];
        add_triangle(soft.triangles[face], edges[face], cotangents[f], 1.0, matrix);
    }
}

}  // namespace

Result<CurveConstraints> curve_constraints(const PressOverlap& overlap, const SoftPatch& patch,
                                           const RigidPlane& plane) {
    CurveConstraints made;
    // Weighing by length makes no difference of how many edges the curve happens to cross; a
    // crossing that comes or goes comes or goes with weight 0.
    double total = 0.0;
    for (const Triangle& t : patch.triangles) total += area_vector(patch.points, t).norm();
    const double unit = std::sqrt(total / static_cast<double>(patch.triangles.size()));
    std::vector<Vec2> at;
    for (const CurvePoint& p : overlap.curve) {
        const std::int32_t triangle = plane.find(p.rigid_triangle);
        at.push_back(triangle >= 0 ? plane.flat(triangle, p.rigid_weights) : Vec2::Zero());
        const auto is_mapped = [&](std::int32_t v) { return patch.local(v) >= 0; };
        if (triangle < 0 || !std::all_of(p.soft.points.begin(), p.soft.points.end(), is_mapped)) {
            continue;
        }
        made.constraints.push_back(p.soft);
        made.weights.push_back(p.length / unit);
        made.targets.push_back(at.back());
    }
    measure_area(overlap, at, made);
    if (made.constraints.size() < 3 || !(made.area > 0) || !(unit > 0)) {
        return Error{"the curve of contact is too short to find a map", "",
                     "a finer soft mesh helps"};
    }
    return made;
}

Result<PatchSolver> PatchSolver::make(const PressSurface& soft, const SoftPatch& patch,
                                      std::span<const Vec3> cotangents,
                                      const CurveConstraints& curve) {
    const PressSystem& system = soft.rest.system();
    const ThreadPooled<EdgeMatrix<double>> pooled = system.blank_matrix(patch.vertices);
    EdgeMatrix<double>& matrix = *pooled;
    add_patch_triangles(soft, patch, cotangents, matrix);
    double mean = 0.0;
    for (const std::int32_t v : patch.vertices) mean += matrix.diagonal[v];
    mean /= static_cast<double>(patch.vertices.size());
    PatchSolver solver(patch);
    solver.pull_.assign(patch.points.size(), Vec2::Zero());
    for (std::size_t c = 0; c < curve.constraints.size(); ++c) {
        solver.add_constraint(system, curve.constraints[c],
                              kConstraintWeight * mean * curve.weights[c], curve.targets[c],
                              matrix);
    }
    auto factor = SparseCholesky<double>::make(
        system.tree().masked(patch.vertices), matrix,
        soft.is_at_rest ? system.base(patch.vertices.size()) : nullptr);
    if (!factor) return factor.error();
    solver.factor_ = std::make_unique<SparseCholesky<double>>(std::move(factor.value()));
    solver.fields_.resize(static_cast<Eigen::Index>(soft.points.size()), 2);
    return solver;
}

void PatchSolver::solve(std::span<const Vec2> right, std::vector<Vec2>& flat) {
    for (std::size_t i = 0; i < patch_.vertices.size(); ++i) {
        const Vec2 drawn = right.empty() ? pull_[i] : Vec2(pull_[i] + right[i]);
        fields_.row(patch_.vertices[i]) = drawn.transpose();
    }
    factor_->solve(fields_);
    flat.clear();
    for (const std::int32_t v : patch_.vertices) flat.push_back(fields_.row(v).transpose());
}

void PatchSolver::add_constraint(const PressSystem& system, const RealConstraint& constraint,
                                 double weight, const Vec2& target, EdgeMatrix<double>& matrix) {
    for (int k = 0; k < 3; ++k) {
        const std::int32_t v = constraint.points[k];
        const double w = constraint.weights[k];
        if (w == 0.0) continue;
        matrix.diagonal[v] += weight * w * w;
        pull_[patch_.local(v)] += weight * w * target;
        for (int other = k + 1; other < 3; ++other) {
            const std::int32_t edge = system.edges().find(v, constraint.points[other]);
            if (edge >= 0) matrix.edge[edge] += weight * w * constraint.weights[other];
        }
    }
}

std::vector<Vec3> enclosed_cotangents(const PressSurface& soft, const SoftPatch& patch) {
    std::vector<Vec3> cotangents;
    cotangents.reserve(patch.faces.size());
    const auto points = soft.is_at_rest ? std::span(soft.rest.mesh().points) : soft.points;
    for (std::size_t f = 0; f < patch.faces.size(); ++f) {
        const Triangle& t = soft.triangles[patch.faces[f]];
        cotangents.push_back(patch.shares[f] * triangle_weights(points, t).half_cotangents);
    }
    return cotangents;
}

}  // namespace ductile
