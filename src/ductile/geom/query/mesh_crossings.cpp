// SPDX-License-Identifier: MIT
// Signs are taken from determinants whose operands stand in an order that follows from vertex
// indices alone: two triangles that share an edge see the very same number on it, with one sign
// each. A determinant that is zero, or may be for all that the rounding of coordinates tells (twin
// meshes that stand as mirror images have thousands), takes the sign it would have if the first
// surface were shifted by next to nothing along kShift: one shift for all questions, so that their
// answers agree.
#include <ductile/core/parallel.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace ductile {
namespace {

// Of no special direction, so that what lies exactly in one plane before lies in none after.
const Vec3 kShift(0.6180339887498949, 0.7548776662466927, 0.8191725133961645);

// A coordinate is as good as a few units in the last place of the largest.
constexpr double kPlaceRounding = 16.0 * std::numeric_limits<double>::epsilon();
// Boxes are grown by this many roundings: what may touch for all that rounding tells is asked
// about, slivers and all.
constexpr double kBoxRoundings = 1e5;

/// Whether a quantity is positive, or zero but for rounding and growing with the shift.
bool is_positive(double value, double rounding, double growth) {
    return value > rounding || (value >= -rounding && growth >= 0);
}

/// How much rounding there is.
struct Rounding {
    double place = 0.0;   ///< Of a coordinate [m].
    double volume = 0.0;  ///< At most, in any volume that is asked for [m^3].
};

/// Six times the volume spanned by the line p q and the side from a to b of a triangle, with the
/// sign of that direction.
struct SideVolume {
    double value;
    bool is_positive;
};
SideVolume side_volume(const Vec3& p, const Vec3& q, std::span<const Vec3> points, std::int32_t a,
                       std::int32_t b, const Vec3& shift, const Rounding& rounding) {
    const bool is_turned = a > b;
    if (is_turned) std::swap(a, b);
    const double volume = (q - p).dot((points[a] - p).cross(points[b] - p));
    bool is_up = volume > 0;
    if (std::abs(volume) <= rounding.volume) {
        const double growth = -(q - p).dot(shift.cross(points[b] - points[a]));
        const double reach = (q - p).cwiseAbs().maxCoeff() + (points[a] - p).cwiseAbs().maxCoeff() +
                             (points[b] - p).cwiseAbs().maxCoeff();
        is_up = is_positive(volume, rounding.place * reach * reach, growth);
    }
    return {is_turned ? -volume : volume, is_up != is_turned};
}

/// One surface's edges against another's triangles. Of a pair, only what the plane of the second
/// tells is asked of all three corners at once; most pairs end there.
struct EdgeCrosser {
    std::span<const Vec3> own, other;
    Vec3 shift;
    Rounding rounding;

    void cross(const Triangle& edges, const Triangle& t, std::int32_t triangle,
               std::vector<EdgeCrossing>& found) const {
        const Vec3 normal = area_vector(other, t);
        const double growth = shift.dot(normal), slack = rounding.place * normal.cwiseAbs().sum();
        std::array<double, 3> height;
        std::array<bool, 3> is_before;
        for (int k = 0; k < 3; ++k) {
            height[k] = (own[edges[k]] - other[t[0]]).dot(normal);
            is_before[k] = is_positive(height[k], slack, growth);
        }
        if (is_before[0] == is_before[1] && is_before[1] == is_before[2]) return;
        for (int k = 0; k < 3; ++k) {
            const int next = (k + 1) % 3;
            if (is_before[k] == is_before[next]) continue;
            const bool is_turned = edges[k] > edges[next];
            const int low = is_turned ? next : k, high = is_turned ? k : next;
            EdgeCrossing c;
            c.low = edges[low];
            c.high = edges[high];
            c.along = std::clamp(height[low] / (height[low] - height[high]), 0.0, 1.0);
            c.triangle = triangle;
            c.goes_in = is_before[low];
            if (place(t, c)) found.push_back(c);
        }
    }

private:
    bool place(const Triangle& t, EdgeCrossing& c) const {
        const Vec3 &p = own[c.low], &q = own[c.high];
        std::array<SideVolume, 3> sides;
        for (int k = 0; k < 3; ++k) {
            sides[k] = side_volume(p, q, other, t[(k + 1) % 3], t[(k + 2) % 3], shift, rounding);
            if (sides[k].is_positive != sides[0].is_positive) return false;
        }
        const double sum = sides[0].value + sides[1].value + sides[2].value;
        if (sum == 0) return false;
        for (int k = 0; k < 3; ++k) {
            c.barycentric[k] = std::clamp(sides[k].value / sum, 0.0, 1.0);
        }
        c.barycentric /= c.barycentric.sum();
        c.position = (1.0 - c.along) * p + c.along * q;
        return true;
    }
};

/// Triangles whose box overlaps `box`, ascending: per vertex on which sides of the box it lies, per
/// triangle whether one side has all three.
std::vector<std::int32_t> triangles_near(std::span<const Vec3> points,
                                         std::span<const Triangle> triangles, const Box& box) {
    std::vector<std::uint8_t> beyond(points.size());
    for (std::size_t v = 0; v < points.size(); ++v) {
        unsigned sides = 0;
        for (int k = 0; k < 3; ++k) {
            sides |= static_cast<unsigned>(points[v][k] < box.lower[k]) << k;
            sides |= static_cast<unsigned>(points[v][k] > box.upper[k]) << (3 + k);
        }
        beyond[v] = static_cast<std::uint8_t>(sides);
    }
    std::vector<std::int32_t> near;
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Triangle& t = triangles[f];
        if (beyond[t[0]] & beyond[t[1]] & beyond[t[2]]) continue;
        near.push_back(static_cast<std::int32_t>(f));
    }
    return near;
}

bool is_end_of(const EdgeCrossing& c, const Triangle& t) {
    return std::any_of(t.begin(), t.end(),
                       [&](std::int32_t v) { return v == c.low || v == c.high; });
}

/// Each edge was met once by every triangle that has it.
void sort_out(std::vector<EdgeCrossing>& crossings) {
    const auto key = [](const EdgeCrossing& c) {
        return std::tie(c.low, c.high, c.along, c.triangle);
    };
    std::sort(crossings.begin(), crossings.end(),
              [&](const EdgeCrossing& a, const EdgeCrossing& b) { return key(a) < key(b); });
    crossings.erase(
        std::unique(crossings.begin(), crossings.end(),
                    [&](const EdgeCrossing& a, const EdgeCrossing& b) { return key(a) == key(b); }),
        crossings.end());
}

/// What two surfaces' pairs of triangles are asked about.
struct CrossingSearch {
    std::span<const Vec3> points;
    std::span<const Triangle> triangles;
    const SurfaceQuery& second;
    Vec3 slack;
    std::vector<std::int32_t> near;  ///< Triangles of the first that can reach the second.
    EdgeCrosser forth, back;

    CrossingSearch(std::span<const Vec3> first, std::span<const Triangle> of_first,
                   const SurfaceQuery& other)
        : points(first), triangles(of_first), second(other) {
        const Box& around = second.box();
        Rounding rounding{kPlaceRounding *
                          around.lower.cwiseAbs().cwiseMax(around.upper.cwiseAbs()).maxCoeff()};
        slack = Vec3::Constant(kBoxRoundings * rounding.place);
        near = triangles_near(points, triangles, grown(around));
        Box all_near = around;
        for (const std::int32_t f : near) {
            for (const std::int32_t v : triangles[f]) all_near.add(points[v]);
        }
        const double reach = 3.0 * (all_near.upper - all_near.lower).maxCoeff();
        rounding.volume = rounding.place * reach * reach;
        forth = {points, second.points(), kShift, rounding};
        back = {second.points(), points, -kShift, rounding};
    }

    Box grown(const Box& box) const { return {box.lower - slack, box.upper + slack}; }

    /// Calls `ask(t, f, u, g, found)` for triangles t = f of the first and u = g of the second
    /// whose boxes overlap, in blocks that run at once.
    template <class Ask>
    MeshCrossings find(Ask&& ask) const {
        constexpr std::size_t kTrianglesAtOnce = 256;
        std::vector<MeshCrossings> found((near.size() + kTrianglesAtOnce - 1) / kTrianglesAtOnce);
        parallel_for(found.size(), 1, [&](std::size_t block) {
            const std::size_t end = std::min(near.size(), (block + 1) * kTrianglesAtOnce);
            for (std::size_t i = block * kTrianglesAtOnce; i < end; ++i) {
                const Triangle& t = triangles[near[i]];
                Box box;
                for (const std::int32_t v : t) box.add(points[v]);
                second.visit_overlapping(grown(box), [&](std::int32_t g) {
                    ask(t, near[i], second.triangles()[g], g, found[block]);
                });
            }
        });
        MeshCrossings all;
        for (const MeshCrossings& some : found) {
            all.of_first.insert(all.of_first.end(), some.of_first.begin(), some.of_first.end());
            all.of_second.insert(all.of_second.end(), some.of_second.begin(), some.of_second.end());
        }
        sort_out(all.of_first);
        sort_out(all.of_second);
        return all;
    }
};

/// Each edge of either has an end in the other then.
bool share_edge(const Triangle& t, const Triangle& u) {
    int common = 0;
    for (const std::int32_t v : t) common += v == u[0] || v == u[1] || v == u[2];
    return common > 1;
}

}  // namespace

MeshCrossings find_crossings(std::span<const Vec3> points, std::span<const Triangle> triangles,
                             const SurfaceQuery& second) {
    const CrossingSearch search(points, triangles, second);
    return search.find([&](const Triangle& t, std::int32_t f, const Triangle& u, std::int32_t g,
                           MeshCrossings& found) {
        search.forth.cross(t, u, g, found.of_first);
        search.back.cross(u, t, f, found.of_second);
    });
}

std::size_t count_self_crossings(std::span<const Vec3> points,
                                 std::span<const Triangle> triangles) {
    const SurfaceQuery own(points, triangles);
    const CrossingSearch search(points, triangles, own);
    const MeshCrossings found = search.find([&](const Triangle& t, std::int32_t, const Triangle& u,
                                                std::int32_t g, MeshCrossings& so_far) {
        if (!share_edge(t, u)) search.forth.cross(t, u, g, so_far.of_first);
    });
    return static_cast<std::size_t>(
        std::count_if(found.of_first.begin(), found.of_first.end(), [&](const EdgeCrossing& c) {
            return !is_end_of(c, triangles[static_cast<std::size_t>(c.triangle)]);
        }));
}

std::vector<SelfCrossing> self_crossings_of(std::span<const Vec3> points,
                                            std::span<const Triangle> part,
                                            std::span<const Triangle> triangles) {
    Box box;
    for (const Triangle& t : part) {
        for (const std::int32_t v : t) box.add(points[v]);
    }
    std::vector<Triangle> near;
    for (const std::int32_t f : triangles_near(points, triangles, box)) {
        near.push_back(triangles[static_cast<std::size_t>(f)]);
    }
    const MeshCrossings found = find_crossings(points, part, SurfaceQuery(points, near));
    std::vector<SelfCrossing> all;
    const auto add = [&](const EdgeCrossing& c, const Triangle& t) {
        if (!is_end_of(c, t)) all.push_back({c.low, c.high, t});
    };
    for (const EdgeCrossing& c : found.of_first) add(c, near[c.triangle]);
    for (const EdgeCrossing& c : found.of_second) add(c, part[c.triangle]);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

InsideMarks inside_marks(const VertexGraph& graph, std::span<const EdgeCrossing> crossings) {
    enum Mark : std::uint8_t { kOutside, kInside, kUnknown };
    // What the crossing nearest to each end says of it; ties go to the first one.
    struct EndMark {
        std::int32_t vertex;
        double distance;
        Mark mark;
    };
    std::vector<EndMark> end_marks;
    std::vector<std::pair<std::int32_t, std::int32_t>> crossed;
    for (const EdgeCrossing& c : crossings) {
        end_marks.push_back({c.low, c.along, c.goes_in ? kOutside : kInside});
        end_marks.push_back({c.high, 1.0 - c.along, c.goes_in ? kInside : kOutside});
        crossed.emplace_back(c.low, c.high);
    }
    std::stable_sort(end_marks.begin(), end_marks.end(), [](const EndMark& a, const EndMark& b) {
        return std::tie(a.vertex, a.distance) < std::tie(b.vertex, b.distance);
    });
    std::vector<std::uint8_t> mark(graph.size(), kUnknown), is_end(graph.size(), 0);
    InsideMarks marks;
    std::vector<std::int32_t> open;
    std::size_t inside_left = 0;
    const auto reach = [&](std::int32_t v, std::uint8_t as) {
        mark[v] = as;
        open.push_back(v);
        if (as != kInside) return;
        marks.inside.push_back(v);
        ++inside_left;
    };
    for (const EndMark& end : end_marks) {
        if (is_end[end.vertex]) continue;
        is_end[end.vertex] = 1;
        reach(end.vertex, end.mark);
    }
    const auto is_crossed = [&](std::int32_t v, std::int32_t w) {
        return is_end[v] && is_end[w] &&
               std::binary_search(crossed.begin(), crossed.end(),
                                  std::pair(std::min(v, w), std::max(v, w)));
    };
    // Both sides spread by one edge in turn, so that they share what no crossing parts; the outside
    // goes on only as long as the inside does.
    for (std::size_t i = 0; i < open.size() && inside_left > 0; ++i) {
        const std::int32_t v = open[i];
        if (mark[v] == kInside) --inside_left;
        for (const std::int32_t w : graph[v]) {
            if (mark[w] == kUnknown && !is_crossed(v, w)) reach(w, mark[v]);
        }
    }
    std::sort(marks.inside.begin(), marks.inside.end());
    for (const std::int32_t v : marks.inside) {
        for (const std::int32_t w : graph[v]) {
            marks.conflicts += mark[w] == kOutside && !is_crossed(v, w);
        }
    }
    for (std::uint8_t& m : mark) m = m == kInside;
    marks.is_inside = std::move(mark);
    return marks;
}

}  // namespace ductile
