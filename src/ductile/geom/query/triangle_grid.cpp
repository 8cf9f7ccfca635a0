// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/query/triangle_grid.h>
#include <ductile/geom/triangle.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ductile {
namespace {

// Cells this many times as wide as triangles are on average: narrower ones list fewer triangles
// each, but each triangle more often.
constexpr double kTriangleCellWidth = 0.7;
// Per triangle, at most: cells, and entries of all cells together. Cells widen until it holds.
constexpr double kMostTriangleCells = 16.0, kMostEntries = 12.0;
// A question that would look at more cells, or more triangles of one, is the tree's.
constexpr std::int64_t kFewCells = 64;
constexpr std::int32_t kCrowded = 512;
constexpr std::size_t kBoxGrain = 2048;
// As in SurfaceQuery: what rounding does to a coordinate, as a share of the largest.
constexpr double kGridRounding = 32 * std::numeric_limits<double>::epsilon();
// Squared sine at a corner from which on a triangle's plane is good to kPlaneRounding of lengths.
constexpr double kBlunt = 1e-4, kPlaneRounding = 1e-12;

// Whether p lies further than the limit outside one of the triangle's edges, and so from all of it.
// False where that cannot be told for certain. A third of the work of finding the nearest place.
bool is_beyond_edge(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, double limit_sq) {
    const Vec3 ab = b - a, ac = c - a;
    const Vec3 n = ab.cross(ac);
    const double n_sq = n.squaredNorm(), ab_sq = ab.squaredNorm(), ac_sq = ac.squaredNorm();
    if (!(n_sq > kBlunt * ab_sq * ac_sq)) return false;
    const Vec3 ap = p - a, bc = c - b;
    const auto is_beyond = [&](const Vec3& edge, double edge_sq, const Vec3& q) {
        const double inward = n.cross(edge).dot(q);
        return inward < 0 && inward * inward > limit_sq * n_sq * edge_sq;
    };
    return is_beyond(ab, ab_sq, ap) || is_beyond(-ac, ac_sq, ap) ||
           is_beyond(bc, bc.squaredNorm(), p - b);
}

}  // namespace

TriangleGrid::TriangleGrid(std::span<const Vec3> points, std::span<const Triangle> triangles)
    : points_(points), triangles_(triangles) {
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    boxes_.resize(triangles.size());
    parallel_for(triangles.size(), kBoxGrain, [&](std::size_t i) {
        for (const std::int32_t v : triangles[i]) boxes_[i].add(points[v]);
    });
    Box box;
    double extents = 0.0;
    for (const Box& own : boxes_) {
        extents += (own.upper - own.lower).maxCoeff();
        box.add(own);
    }
    if (triangles.empty()) box.add(Vec3(0, 0, 0));
    slack_ =
        kGridRounding * std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
    plane_slack_ = slack_ + kPlaneRounding * box.diagonal();
    const auto count = static_cast<double>(std::max<std::size_t>(1, triangles.size()));
    std::vector<CellRange> ranges(triangles.size());
    // Widening ends with one cell, which has one entry per triangle.
    for (double width = kTriangleCellWidth * extents / count;; width *= 1.5) {
        lay_out(box, width);
        parallel_for(ranges.size(), kBoxGrain, [&](std::size_t i) {
            ranges[i] = {cell_of(boxes_[i].lower), cell_of(boxes_[i].upper)};
        });
        if (static_cast<double>(entry_count(ranges)) <= kMostEntries * count) break;
    }
    start_.assign(static_cast<std::size_t>(size_[0]) * size_[1] * size_[2] + 1, 0);
    for (const CellRange& own : ranges) {
        for_each_cell(own.low, own.high, [&](std::size_t cell) { ++start_[cell]; });
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    entries_.resize(start_.back());
    // Each cell is filled from its end, so that in the end its start is where it should be.
    for (std::size_t i = ranges.size(); i-- > 0;) {
        for_each_cell(ranges[i].low, ranges[i].high, [&](std::size_t cell) {
            entries_[--start_[cell]] = static_cast<std::int32_t>(i);
        });
    }
}

// As wide as asked for, or wider where that would be too many cells.
void TriangleGrid::lay_out(const Box& box, double width) {
    const Vec3 extent = box.upper - box.lower;
    const double most = kMostTriangleCells * static_cast<double>(triangles_.size()) + 1.0;
    const double least = extent.maxCoeff() / most;
    width = std::max({width, least, std::numeric_limits<double>::min()});
    const auto cells = [&](double w) {
        double n = 1.0;
        for (int k = 0; k < 3; ++k) n *= std::floor(extent[k] / w) + 1.0;
        return n;
    };
    while (cells(width) > most) width *= 1.25;
    origin_ = box.lower;
    per_metre_ = 1.0 / width;
    for (int k = 0; k < 3; ++k) {
        size_[k] = static_cast<std::int32_t>(std::floor(extent[k] / width)) + 1;
    }
}

std::size_t TriangleGrid::entry_count(std::span<const CellRange> ranges) {
    std::size_t count = 0;
    for (const CellRange& own : ranges) {
        std::size_t cells = 1;
        for (int k = 0; k < 3; ++k) cells *= static_cast<std::size_t>(own.high[k] - own.low[k] + 1);
        count += cells;
    }
    return count;
}

// Every step rounds monotonically: a place between two others is in a cell between theirs. Cells at
// the rim reach out to infinity.
TriangleGrid::Cell TriangleGrid::cell_of(const Vec3& p) const {
    Cell c;
    for (int k = 0; k < 3; ++k) {
        const double at = (p[k] - origin_[k]) * per_metre_;
        c[k] = at > 0 ? static_cast<std::int32_t>(std::min(at, size_[k] - 1.0)) : 0;
    }
    return c;
}

bool TriangleGrid::is_few(const Cell& low, const Cell& high) const {
    std::int64_t cells = 1;
    for (int k = 0; k < 3; ++k) cells *= high[k] - low[k] + 1;
    if (cells > kFewCells) return false;
    bool is_crowded = false;
    for_each_cell(low, high, [&](std::size_t c) {
        is_crowded = is_crowded || start_[c + 1] - start_[c] > kCrowded;
    });
    return !is_crowded;
}

std::optional<SurfacePoint> TriangleGrid::closest_point(const Vec3& p, std::int32_t guess) const {
    DUCTILE_ASSERT(is_finite(p), "a finite point");
    const double slack = std::max(slack_, kGridRounding * p.cwiseAbs().maxCoeff());
    SurfacePoint best;
    double best_sq = kInfinity, limit_sq = kInfinity, plane_limit_sq = kInfinity;
    const auto visit = [&](std::int32_t i) {
        if (!(boxes_[i].distance_sq(p) <= limit_sq) || i == best.triangle) return;
        const Vec3 &a = points_[triangles_[i][0]], &b = points_[triangles_[i][1]],
                   &c = points_[triangles_[i][2]];
        if (is_beyond_edge(p, a, b, c, plane_limit_sq)) return;
        const TrianglePoint q = closest_on_triangle(p, {a, b, c});
        if (!(q.distance_sq <= best_sq)) return;
        if (q.distance_sq == best_sq && best.triangle >= 0 && i > best.triangle) return;
        best_sq = q.distance_sq;
        best = {i, q.barycentric, q.position, std::sqrt(best_sq)};
        limit_sq = (best.distance + slack) * (best.distance + slack);
        const double plane_limit = best.distance * (1.0 + 1e-6) + plane_slack_;
        plane_limit_sq = plane_limit * plane_limit;
    };
    // What p's own cell lists bounds how far to look; nearly always that is not out of the cell.
    if (guess >= 0) visit(guess);
    if (!visit_near({p, p}, visit) || best.triangle < 0) return std::nullopt;
    const Vec3 reach = Vec3::Constant(best.distance + slack);
    const Box around{p - reach, p + reach};
    const Cell low = cell_of(around.lower), high = cell_of(around.upper);
    if (low == high) return best;
    if (!is_few(low, high)) return std::nullopt;
    const std::size_t own = index_of(cell_of(p));
    for_each_cell(low, high, [&](std::size_t cell) {
        if (cell == own) return;  // Seen before.
        for (std::int32_t i = start_[cell]; i < start_[cell + 1]; ++i) visit(entries_[i]);
    });
    return best;
}

}  // namespace ductile
