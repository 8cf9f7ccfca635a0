// SPDX-License-Identifier: MIT
#include <ductile/geom/edge_uses.h>
#include <ductile/geom/flatten_patch.h>
#include <ductile/geom/laplacian.h>
#include <ductile/geom/vertex_graph.h>

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using Flat = std::vector<Vec2>;

/// Border sides of a patch and whether its edges are sound.
struct PatchEdges {
    std::vector<std::array<std::int32_t, 2>> border;  ///< From, to, as the face runs.
    std::int64_t edges = 0;
    bool is_sound = true;
};

PatchEdges patch_edges(std::size_t point_count, std::span<const Triangle> triangles) {
    PatchEdges found;
    EdgeUses(point_count, triangles)
        .for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
            ++found.edges;
            const auto starts_low = [&](const EdgeUses::Use& use) {
                return start_of(triangles, use.side) == low;
            };
            if (uses.size() > 2) found.is_sound = false;
            if (uses.size() == 2 && starts_low(uses[0]) == starts_low(uses[1])) {
                found.is_sound = false;
            }
            if (uses.size() == 1) {
                found.border.push_back(
                    {start_of(triangles, uses[0].side), end_of(triangles, uses[0].side)});
            }
        });
    return found;
}

double flat_area(const Flat& flat, const Triangle& t) {
    const Vec2 u = flat[t[1]] - flat[t[0]], v = flat[t[2]] - flat[t[0]];
    return 0.5 * (u.x() * v.y() - u.y() * v.x());
}

bool is_folded(const Flat& flat, std::span<const Triangle> triangles) {
    return std::any_of(triangles.begin(), triangles.end(),
                       [&](const Triangle& t) { return !(flat_area(flat, t) > 0); });
}

/// Two border points far apart: whatever is nailed down there stays away from what moves.
std::array<std::int32_t, 2> pick_pins(std::span<const Vec3> points, const PatchEdges& edges) {
    const auto farthest = [&](std::int32_t from) {
        std::int32_t best = from;
        for (const auto& side : edges.border) {
            const double reach = (points[side[0]] - points[from]).squaredNorm();
            if (reach > (points[best] - points[from]).squaredNorm()) best = side[0];
        }
        return best;
    };
    const std::int32_t first = farthest(edges.border[0][0]);
    return {first, farthest(first)};
}

/// Conformal energy is Dirichlet energy less the enclosed area, which the border alone tells.
Result<Flat> conformal_map(std::span<const Vec3> points,
                           const Eigen::SparseMatrix<double>& laplacian, const PatchEdges& edges) {
    const auto n = static_cast<std::int32_t>(points.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (int column = 0; column < n; ++column) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(laplacian, column); it; ++it) {
            const auto row = static_cast<std::int32_t>(it.row());
            entries.emplace_back(row, column, it.value());
            entries.emplace_back(n + row, n + column, it.value());
        }
    }
    for (const auto& [a, b] : edges.border) {
        entries.emplace_back(a, n + b, -0.5);
        entries.emplace_back(n + b, a, -0.5);
        entries.emplace_back(b, n + a, 0.5);
        entries.emplace_back(n + a, b, 0.5);
    }
    Eigen::SparseMatrix<double> energy(2 * n, 2 * n);
    energy.setFromTriplets(entries.begin(), entries.end());
    const auto pins = pick_pins(points, edges);
    std::vector<std::uint8_t> is_pinned(2 * points.size(), 0);
    Eigen::MatrixXd pinned = Eigen::MatrixXd::Zero(2 * n, 1);
    for (const std::int32_t pin : pins) is_pinned[pin] = is_pinned[n + pin] = 1;
    pinned(pins[1], 0) = (points[pins[1]] - points[pins[0]]).norm();
    const auto solver = SmoothSolver<double>::make(energy, is_pinned, {}, 0.0);
    if (!solver) return solver.error();
    const Eigen::MatrixXd solved = solver.value().solve(pinned, Eigen::MatrixXd(0, 1));
    Flat flat(points.size());
    for (std::int32_t v = 0; v < n; ++v) flat[v] = {solved(v, 0), solved(n + v, 0)};
    return flat;
}

/// The corners of a triangle laid flat by itself, lengths kept.
std::array<Vec2, 3> unrolled(std::span<const Vec3> points, const Triangle& t) {
    const Vec3 u = points[t[1]] - points[t[0]], v = points[t[2]] - points[t[0]];
    const double length = u.norm();
    if (!(length > 0)) return {Vec2::Zero(), Vec2::Zero(), Vec2(v.norm(), 0)};
    return {Vec2::Zero(), Vec2(length, 0), Vec2(u.dot(v), u.cross(v).norm()) / length};
}

class RigidRounds {
public:
    RigidRounds(std::span<const Vec3> points, std::span<const Triangle> triangles,
                std::span<const Vec3> cotangents)
        : triangles_(triangles), cotangents_(cotangents) {
        for (const Triangle& t : triangles) rest_.push_back(unrolled(points, t));
    }

    /// What the fitted rotations of all triangles ask of the Laplacian: its right-hand side.
    Eigen::MatrixXd pull(const Flat& flat) const {
        Eigen::MatrixXd right = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(flat.size()), 2);
        for (std::size_t f = 0; f < triangles_.size(); ++f) {
            const Triangle& t = triangles_[f];
            double cosine = 0.0, sine = 0.0;
            for (int k = 0; k < 3; ++k) {
                const int a = (k + 1) % 3, b = (k + 2) % 3;
                const Vec2 now = flat[t[a]] - flat[t[b]], then = rest_[f][a] - rest_[f][b];
                cosine += cotangents_[f][k] * now.dot(then);
                sine += cotangents_[f][k] * (then.x() * now.y() - then.y() * now.x());
            }
            const double length = std::hypot(cosine, sine);
            if (!(length > 0)) continue;
            const Eigen::Matrix2d turn{{cosine / length, -sine / length},
                                       {sine / length, cosine / length}};
            for (int k = 0; k < 3; ++k) {
                const int a = (k + 1) % 3, b = (k + 2) % 3;
                const Vec2 asked = cotangents_[f][k] * (turn * (rest_[f][a] - rest_[f][b]));
                right.row(t[a]) += asked.transpose();
                right.row(t[b]) -= asked.transpose();
            }
        }
        return right;
    }

private:
    std::span<const Triangle> triangles_;
    std::span<const Vec3> cotangents_;
    std::vector<std::array<Vec2, 3>> rest_;
};

// A conformal map may be of any size: the rounds start from the patch's own area.
void scale_to_area(std::span<const Vec3> points, std::span<const Triangle> triangles, Flat& flat) {
    double wanted = 0.0, has = 0.0;
    for (const Triangle& t : triangles) {
        wanted += 0.5 * area_vector(points, t).norm();
        has += flat_area(flat, t);
    }
    if (!(has > 0 && wanted > 0)) return;
    for (Vec2& p : flat) p *= std::sqrt(wanted / has);
}

}  // namespace

bool is_disc(std::size_t point_count, std::span<const Triangle> triangles) {
    const PatchEdges edges = patch_edges(point_count, triangles);
    if (triangles.empty() || !edges.is_sound || edges.border.empty()) return false;
    std::vector<std::uint8_t> is_used(point_count, 0), seen_from(point_count, 0);
    for (const Triangle& t : triangles) {
        for (const std::int32_t v : t) is_used[v] = 1;
    }
    const std::int64_t used = std::count(is_used.begin(), is_used.end(), 1);
    // One border through every border point once: then Euler's number settles the rest.
    for (const auto& side : edges.border) {
        if (seen_from[side[0]]++) return false;
    }
    const auto faces = static_cast<std::int64_t>(triangles.size());
    if (used - edges.edges + faces != 1) return false;
    return vertex_parts(vertex_graph(point_count, triangles), is_used).count == 1;
}

Result<std::vector<Vec2>> flatten_patch(std::span<const Vec3> points,
                                        std::span<const Triangle> triangles, int rounds) {
    if (!is_disc(points.size(), triangles)) {
        return Error{"the region is not a disc, so it cannot be laid flat", "",
                     "it goes all the way round or has a hole"};
    }
    const std::vector<Vec3> cotangents = half_cotangents(points, triangles);
    const auto laplacian = cotangent_laplacian(points.size(), triangles, cotangents);
    Result<Flat> made = conformal_map(points, laplacian, patch_edges(points.size(), triangles));
    if (!made) return made.error();
    Flat flat = std::move(made.value());
    scale_to_area(points, triangles, flat);
    const Flat conformal = flat;

    std::vector<std::uint8_t> is_pinned(points.size(), 0);
    is_pinned[triangles[0][0]] = 1;
    const auto solver = SmoothSolver<double>::make(laplacian, is_pinned, {}, 0.0);
    if (!solver) return solver.error();
    const RigidRounds rigid(points, triangles, cotangents);
    const auto n = static_cast<Eigen::Index>(points.size());
    for (int round = 0; round < rounds; ++round) {
        Eigen::MatrixXd given = Eigen::MatrixXd::Zero(n, 2);
        given.row(triangles[0][0]) = flat[triangles[0][0]].transpose();
        const Eigen::MatrixXd solved =
            solver.value().solve(given, Eigen::MatrixXd(0, 2), rigid.pull(flat));
        for (Eigen::Index v = 0; v < n; ++v) flat[v] = solved.row(v).transpose();
    }
    if (!is_folded(flat, triangles)) return flat;
    if (!is_folded(conformal, triangles)) return conformal;
    return Error{"the region folds over itself when it is laid flat", "", "a smoother mesh helps"};
}

}  // namespace ductile
