// SPDX-License-Identifier: MIT
// Signs are taken from determinants whose operands stand in an order that follows from vertex
// indices alone: two triangles that share an edge see the very same number on it, with one sign
// each. A determinant of exactly zero takes the sign it would have if the first surface were
// shifted by next to nothing along kShift: one shift for all questions, so that their answers
// agree.
#include <ductile/core/parallel.h>
#include <ductile/geom/mesh_crossings.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace ductile {
namespace {

// Of no special direction, so that what lies exactly in one plane before lies in none after.
const Vec3 kShift(0.6180339887498949, 0.7548776662466927, 0.8191725133961645);

struct EdgeEnds {
    std::int32_t low, high;
};

std::vector<EdgeEnds> edges_near(const SurfaceQuery& surface, const Box& box) {
    std::vector<EdgeEnds> edges;
    for (const std::int32_t f : surface.overlapping(box)) {
        const Triangle& t = surface.triangles()[f];
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            if (a == b) continue;
            Box around;
            around.add(surface.points()[a]);
            around.add(surface.points()[b]);
            if (around.overlaps(box)) edges.push_back({std::min(a, b), std::max(a, b)});
        }
    }
    const auto key = [](const EdgeEnds& e) { return std::pair(e.low, e.high); };
    std::sort(edges.begin(), edges.end(),
              [&](const EdgeEnds& a, const EdgeEnds& b) { return key(a) < key(b); });
    edges.erase(std::unique(edges.begin(), edges.end(),
                            [&](const EdgeEnds& a, const EdgeEnds& b) { return key(a) == key(b); }),
                edges.end());
    return edges;
}

/// Whether a quantity is positive, or zero and growing with the shift.
bool is_positive(double value, double growth) { return value > 0 || (value == 0 && growth >= 0); }

/// Six times the volume spanned by the line p q and the side from a to b of a triangle, with the
/// sign of that direction.
struct SideVolume {
    double value;
    bool is_positive;
};
SideVolume side_volume(const Vec3& p, const Vec3& q, std::span<const Vec3> points, std::int32_t a,
                       std::int32_t b, const Vec3& shift) {
    const bool is_turned = a > b;
    if (is_turned) std::swap(a, b);
    const double volume = (q - p).dot((points[a] - p).cross(points[b] - p));
    const double growth = -(q - p).dot(shift.cross(points[b] - points[a]));
    return {is_turned ? -volume : volume, is_positive(volume, growth) != is_turned};
}

std::optional<EdgeCrossing> cross(const EdgeEnds& edge, std::span<const Vec3> own,
                                  std::int32_t triangle, const SurfaceQuery& other,
                                  const Vec3& shift) {
    const Triangle& t = other.triangles()[triangle];
    const std::span<const Vec3> points = other.points();
    const Vec3 &p = own[edge.low], &q = own[edge.high];
    const Vec3 normal = area_vector(points, t);
    const double from = (p - points[t[0]]).dot(normal), to = (q - points[t[0]]).dot(normal);
    const bool is_before = is_positive(from, shift.dot(normal));
    if (is_before == is_positive(to, shift.dot(normal))) return {};
    std::array<SideVolume, 3> sides;
    for (int k = 0; k < 3; ++k) {
        sides[k] = side_volume(p, q, points, t[(k + 1) % 3], t[(k + 2) % 3], shift);
        if (sides[k].is_positive != sides[0].is_positive) return {};
    }
    const double sum = sides[0].value + sides[1].value + sides[2].value;
    if (sum == 0) return {};
    EdgeCrossing crossing;
    crossing.low = edge.low;
    crossing.high = edge.high;
    crossing.along = std::clamp(from / (from - to), 0.0, 1.0);
    crossing.triangle = triangle;
    for (int k = 0; k < 3; ++k) {
        crossing.barycentric[k] = std::clamp(sides[k].value / sum, 0.0, 1.0);
    }
    crossing.barycentric /= crossing.barycentric.sum();
    crossing.position = (1.0 - crossing.along) * p + crossing.along * q;
    crossing.goes_in = is_before;
    return crossing;
}

std::vector<EdgeCrossing> crossings_of(const SurfaceQuery& surface, const SurfaceQuery& other,
                                       const Vec3& shift) {
    const std::vector<EdgeEnds> edges = edges_near(surface, other.box());
    std::vector<std::vector<EdgeCrossing>> found(edges.size());
    parallel_for(edges.size(), 64, [&](std::size_t e) {
        Box box;
        box.add(surface.points()[edges[e].low]);
        box.add(surface.points()[edges[e].high]);
        for (const std::int32_t f : other.overlapping(box)) {
            if (const auto crossing = cross(edges[e], surface.points(), f, other, shift)) {
                found[e].push_back(*crossing);
            }
        }
        std::sort(found[e].begin(), found[e].end(),
                  [](const EdgeCrossing& a, const EdgeCrossing& b) {
                      return std::tie(a.along, a.triangle) < std::tie(b.along, b.triangle);
                  });
    });
    std::vector<EdgeCrossing> all;
    for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace

MeshCrossings find_crossings(const SurfaceQuery& first, const SurfaceQuery& second) {
    if (first.box().is_empty() || second.box().is_empty()) return {};
    if (!first.box().overlaps(second.box())) return {};
    return {crossings_of(first, second, kShift), crossings_of(second, first, -kShift)};
}

InsideMarks inside_marks(const VertexGraph& graph, std::span<const EdgeCrossing> crossings) {
    constexpr std::uint8_t kUnknown = 2;
    std::vector<std::uint8_t> mark(graph.size(), kUnknown);
    std::vector<double> nearest(graph.size(), kInfinity);
    const auto claim = [&](std::int32_t v, double distance, bool is_inside) {
        if (!(distance < nearest[v])) return;
        nearest[v] = distance;
        mark[v] = is_inside;
    };
    std::vector<std::pair<std::int32_t, std::int32_t>> crossed;
    for (const EdgeCrossing& c : crossings) {
        claim(c.low, c.along, !c.goes_in);
        claim(c.high, 1.0 - c.along, c.goes_in);
        if (crossed.empty() || crossed.back() != std::pair(c.low, c.high)) {
            crossed.emplace_back(c.low, c.high);
        }
    }
    const auto is_crossed = [&](std::int32_t v, std::int32_t w) {
        return std::binary_search(crossed.begin(), crossed.end(),
                                  std::pair(std::min(v, w), std::max(v, w)));
    };
    std::vector<std::int32_t> open;
    for (std::size_t v = 0; v < mark.size(); ++v) {
        if (mark[v] != kUnknown) open.push_back(static_cast<std::int32_t>(v));
    }
    InsideMarks marks;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const std::int32_t v = open[i];
        for (const std::int32_t w : graph.of(v)) {
            if (mark[w] == mark[v] || is_crossed(v, w)) continue;
            if (mark[w] == kUnknown) {
                mark[w] = mark[v];
                open.push_back(w);
            } else if (v < w) {
                ++marks.conflicts;
            }
        }
    }
    marks.is_inside.resize(mark.size());
    for (std::size_t v = 0; v < mark.size(); ++v) marks.is_inside[v] = mark[v] == 1;
    return marks;
}

}  // namespace ductile
