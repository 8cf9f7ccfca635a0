// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_limits.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

constexpr int kTightenRounds = 60;
// Edges are tightened to a little below the limit, so that rounding does not bring them over it.
constexpr double kBelowLimit = 0.995;
constexpr double kTightenStep = 0.7;
// Edges that crashes may leave over the limit, as a share of all.
constexpr double kFewEdges = 0.001;

// The control points that move the ends of an edge apart, and how much.
void edge_row(const ShellRig& rig, const MeshEdge& edge, std::vector<ControlWeight>& row) {
    row.clear();
    const auto a = rig.rows[std::size_t(edge[0])], b = rig.rows[std::size_t(edge[1])];
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (j == b.size() || (i < a.size() && a[i].control < b[j].control)) {
            row.push_back(a[i++]);
        } else if (i == a.size() || b[j].control < a[i].control) {
            row.push_back({b[j].control, -b[j].weight});
            ++j;
        } else {
            row.push_back({a[i].control, a[i].weight - b[j].weight});
            ++i, ++j;
        }
    }
}

bool moves(std::span<const ControlWeight> row, std::span<const Vec3> shift) {
    return std::any_of(row.begin(), row.end(), [&](const ControlWeight& w) {
        return !shift[std::size_t(w.control)].isZero();
    });
}

struct EdgeLengths {
    Vec3 before;        ///< From the second to the first end.
    double rest = 0.0;  ///< [m]
    double unit = 0.0;  ///< What limits are shares of [m].

    double most(double limit) const { return std::max(rest + limit * unit, before.norm()); }
};
EdgeLengths lengths_of(const ShellRig& rig, const ShellState& state, const MeshEdge& edge) {
    const auto a = std::size_t(edge[0]), b = std::size_t(edge[1]);
    const double rest = (state.rest[a] - state.rest[b]).norm();
    return {state.points[a] - state.points[b], rest, std::max(rest, rig.short_edge)};
}

}  // namespace

std::int64_t tighten_edges(const ShellRig& rig, const ShellState& state,
                           std::span<const std::uint8_t> is_free, std::vector<Vec3>& shift) {
    const double limit = rig.stretch_limit;
    std::vector<MeshEdge> open = rig.edges, still;
    std::vector<ControlWeight> row;
    std::int64_t first_count = 0;
    for (int round = 0; round < kTightenRounds; ++round) {
        // Every few rounds all are looked at again: what was tightened pulls at others.
        if (round % 6 == 0) open = rig.edges;
        still.clear();
        for (const MeshEdge& edge : open) {
            const EdgeLengths is = lengths_of(rig, state, edge);
            const double most = is.most(kBelowLimit * limit);
            edge_row(rig, edge, row);
            const Vec3 now = is.before + point_shift(row, shift);
            const double length = now.norm();
            if (!(length > most) || !moves(row, shift)) continue;
            still.push_back(edge);
            double sum = 0.0;
            for (const ControlWeight& w : row) {
                if (is_free[std::size_t(w.control)]) sum += w.weight * w.weight;
            }
            if (!(sum > 0)) continue;
            const Vec3 back = (kTightenStep * (most - length) / (length * sum)) * now;
            for (const ControlWeight& w : row) {
                if (is_free[std::size_t(w.control)])
                    shift[std::size_t(w.control)] += w.weight * back;
            }
        }
        if (round == 0) first_count = std::int64_t(still.size());
        if (still.empty() && round % 6 == 0) break;
        open = still;
    }
    return first_count;
}

double allowed_share(const ShellRig& rig, const ShellState& state, std::span<const Vec3> shift) {
    const double limit = rig.stretch_limit;
    std::vector<ControlWeight> row;
    std::vector<double> shares;  // up to which each edge that gets too long is within the limit
    double most_share = 1.0;
    // |b + s d| = most is a quadratic equation in s, and the length is convex in it.
    const auto share_within = [](const Vec3& before, const Vec3& change, double most) {
        if ((before + change).norm() <= most) return 1.0;
        const double a = change.squaredNorm(), b = before.dot(change);
        const double c = before.squaredNorm() - most * most;
        if (!(a > 0) || c >= 0) return 0.0;
        return std::clamp((-b + std::sqrt(std::max(0.0, b * b - a * c))) / a, 0.0, 1.0);
    };
    for (const MeshEdge& edge : rig.edges) {
        const EdgeLengths is = lengths_of(rig, state, edge);
        edge_row(rig, edge, row);
        const Vec3 change = point_shift(row, shift);
        if (change.isZero()) continue;
        const double was = is.before.norm(), slack = 1e-12 * was;
        const double most = is.most(limit) + slack;
        const double share = share_within(is.before, change, most);
        if (!(share < 1.0)) continue;
        shares.push_back(share);
        const double utmost = is.most(1.5 * limit) + slack;
        most_share = std::min(most_share, share_within(is.before, change, utmost));
    }
    std::sort(shares.begin(), shares.end());
    const auto spared = std::size_t(std::floor(kFewEdges * double(rig.edges.size())));
    if (shares.size() > spared) most_share = std::min(most_share, shares[spared]);
    return most_share;
}

}  // namespace ductile
