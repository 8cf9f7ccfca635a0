// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_borders.h>
#include <ductile/geom/repair/split_edges.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

struct EdgeSide {
    MeshEdge edge;
    std::int32_t shell;
    bool operator<(const EdgeSide& o) const {
        return edge != o.edge ? edge < o.edge : shell < o.shell;
    }
};

// Edges with a sub-shell on one side only, or different ones on its sides; ascending.
std::vector<MeshEdge> border_edges(std::span<const Triangle> triangles,
                                   std::span<const std::int32_t> face_shell) {
    std::vector<EdgeSide> sides;
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        if (face_shell[f] < 0) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = triangles[f][k], b = triangles[f][(k + 1) % 3];
            if (a == b) continue;
            sides.push_back({{std::min(a, b), std::max(a, b)}, face_shell[f]});
        }
    }
    std::sort(sides.begin(), sides.end());
    std::vector<MeshEdge> borders;
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
        while (end < sides.size() && sides[end].edge == sides[i].edge) ++end;
        if (end - i == 1 || sides[i].shell != sides[end - 1].shell)
            borders.push_back(sides[i].edge);
    }
    return borders;
}

/// Walks the graph of border edges.
class BorderWalk {
public:
    BorderWalk(std::size_t point_count, std::span<const MeshEdge> edges)
        : edges_(edges), is_used_(edges.size(), 0), at_(point_count) {
        for (std::size_t e = 0; e < edges.size(); ++e) {
            for (const std::int32_t v : edges[e]) {
                at_[static_cast<std::size_t>(v)].push_back(static_cast<std::int32_t>(e));
            }
        }
    }

    std::size_t degree(std::int32_t v) const { return at_[static_cast<std::size_t>(v)].size(); }

    // From v on over an edge, until a corner or back to the start.
    std::vector<std::int32_t> follow(std::int32_t start, std::int32_t edge) {
        std::vector<std::int32_t> way = {start};
        std::int32_t v = start;
        while (edge >= 0) {
            is_used_[static_cast<std::size_t>(edge)] = 1;
            const MeshEdge& e = edges_[static_cast<std::size_t>(edge)];
            v = e[0] == v ? e[1] : e[0];
            way.push_back(v);
            if (v == start || degree(v) != 2) break;
            edge = free_edge(v);
        }
        return way;
    }

    // An edge at v that no way has taken; -1 if there is none.
    std::int32_t free_edge(std::int32_t v) const {
        for (const std::int32_t e : at_[static_cast<std::size_t>(v)]) {
            if (!is_used_[static_cast<std::size_t>(e)]) return e;
        }
        return -1;
    }

private:
    std::span<const MeshEdge> edges_;
    std::vector<std::uint8_t> is_used_;
    std::vector<std::vector<std::int32_t>> at_;
};

// Cuts a way into chains of about equal length, at most `spacing` each.
void cut_way(std::span<const Vec3> points, const std::vector<std::int32_t>& way, double spacing,
             ShellBorders& borders) {
    std::vector<double> along = {0.0};
    for (std::size_t i = 1; i < way.size(); ++i) {
        along.push_back(along.back() + (points[way[i]] - points[way[i - 1]]).norm());
    }
    const bool is_loop = way.front() == way.back();
    auto count = static_cast<std::size_t>(std::ceil(along.back() / spacing - 1e-9));
    count = std::min(std::max<std::size_t>(count, is_loop ? 3 : 1), way.size() - 1);
    std::size_t first = 0;
    for (std::size_t k = 1; k <= count; ++k) {
        std::size_t last = way.size() - 1;
        if (k < count) {
            const double target = along.back() * double(k) / double(count);
            last = first + 1;
            while (last + (count - k) + 1 < way.size() && along[last] < target) ++last;
        }
        BorderChain chain;
        chain.points.assign(way.begin() + static_cast<std::ptrdiff_t>(first),
                            way.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        borders.is_control[static_cast<std::size_t>(way[first])] = 1;
        borders.is_control[static_cast<std::size_t>(way[last])] = 1;
        borders.chains.push_back(std::move(chain));
        first = last;
    }
}

}  // namespace

ShellBorders find_borders(std::span<const Vec3> points, std::span<const Triangle> triangles,
                          std::span<const std::int32_t> face_shell, double spacing) {
    const std::vector<MeshEdge> edges = border_edges(triangles, face_shell);
    ShellBorders borders;
    borders.is_border.assign(points.size(), 0);
    borders.is_control.assign(points.size(), 0);
    for (const MeshEdge& edge : edges) {
        for (const std::int32_t v : edge) borders.is_border[static_cast<std::size_t>(v)] = 1;
    }
    BorderWalk walk(points.size(), edges);
    // Ways between corners first; what is left are loops.
    for (const bool is_corner : {true, false}) {
        for (std::size_t v = 0; v < points.size(); ++v) {
            const auto start = static_cast<std::int32_t>(v);
            if (!borders.is_border[v] || (is_corner && walk.degree(start) == 2)) continue;
            for (std::int32_t e = walk.free_edge(start); e >= 0; e = walk.free_edge(start)) {
                cut_way(points, walk.follow(start, e), spacing, borders);
            }
        }
    }
    return borders;
}

}  // namespace ductile
