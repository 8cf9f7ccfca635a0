// SPDX-License-Identifier: MIT
// Vertex normals: G. Thuermer and C. Wuethrich 1998, "Computing Vertex Normals from Polygonal
// Facets": weighted by angle they do not depend on how a flat face is cut into triangles.
#include <ductile/core/angle.h>
#include <ductile/core/assert.h>
#include <ductile/geom/tri_mesh.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// One side of one face; sorting brings all uses of an edge together, in face order.
struct EdgeUse {
    std::int32_t low, high;  // The edge's points, ascending.
    std::int32_t face, corner;
    bool is_forward;  // Whether the face walks from low to high.

    bool same_edge(const EdgeUse& other) const { return low == other.low && high == other.high; }
    friend bool operator<(const EdgeUse& a, const EdgeUse& b) {
        if (a.low != b.low) return a.low < b.low;
        if (a.high != b.high) return a.high < b.high;
        return a.face < b.face;
    }
};

bool names_a_point_twice(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

std::vector<EdgeUse> sorted_edges(std::span<const Triangle> triangles) {
    std::vector<EdgeUse> edges;
    edges.reserve(3 * triangles.size());
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Triangle& t = triangles[f];
        if (names_a_point_twice(t)) continue;
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            edges.push_back(
                {std::min(a, b), std::max(a, b), static_cast<std::int32_t>(f), k, a < b});
        }
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

// Calls group(first, last) for every edge.
template <class Group>
void for_each_edge(std::span<const EdgeUse> edges, Group&& group) {
    for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
        while (end < edges.size() && edges[end].same_edge(edges[begin])) ++end;
        group(edges.subspan(begin, end - begin));
    }
}

void pair(const EdgeUse& a, const EdgeUse& b, std::vector<Triangle>& neighbours) {
    neighbours[a.face][a.corner] = b.face;
    neighbours[b.face][b.corner] = a.face;
}

void pair_opposite(std::span<const EdgeUse> uses, std::vector<Triangle>& neighbours) {
    auto forward = uses.begin(), backward = uses.begin();
    while (true) {
        forward = std::find_if(forward, uses.end(), [](auto& e) { return e.is_forward; });
        backward = std::find_if(backward, uses.end(), [](auto& e) { return !e.is_forward; });
        if (forward == uses.end() || backward == uses.end()) return;
        pair(*forward++, *backward++, neighbours);
    }
}

// Unit; false for a face that is of no use.
bool face_normal(std::span<const Vec3> points, const Triangle& t, Vec3& normal,
                 double& twice_area) {
    const Vec3 area = area_vector(points, t);
    twice_area = area.norm();
    if (!(twice_area > 0) || !std::isfinite(twice_area)) return false;
    normal = (1.0 / twice_area) * area;
    return true;
}

// `twice_area` is the length of the cross product of its edges, whichever corner they leave.
double angle_at(std::span<const Vec3> points, const Triangle& t, int k, double twice_area) {
    const Vec3& p = points[t[k]];
    return angle_of(twice_area, (points[t[(k + 1) % 3]] - p).dot(points[t[(k + 2) % 3]] - p));
}

// What the other two leave of half a turn.
double last_angle(double first, double second) { return kPi - first - second; }

Vec3 unit_normal(const Vec3& sum) {
    const double length = sum.norm();
    // Two sides of one sheet cancel to rounding noise, which is no direction.
    return length > 1e-12 ? Vec3(sum / length) : Vec3(Vec3::UnitY());
}

// Of all points, face by face.
void find_normals(std::span<const Vec3> points, std::span<const Triangle> triangles,
                  std::span<Vec3> normals) {
    std::fill(normals.begin(), normals.end(), Vec3::Zero());
    for (const Triangle& t : triangles) {
        Vec3 n;
        double twice_area = 0.0;
        if (!face_normal(points, t, n, twice_area)) continue;
        const double first = angle_at(points, t, 0, twice_area);
        const double second = angle_at(points, t, 1, twice_area);
        normals[t[0]] += n * first;
        normals[t[1]] += n * second;
        normals[t[2]] += n * last_angle(first, second);
    }
    for (Vec3& n : normals) n = unit_normal(n);
}

}  // namespace

bool has_valid_indices(std::size_t point_count, std::span<const Triangle> triangles) {
    // Below 0 is above all others without a sign: one maximum, in which no step waits for a test.
    std::uint32_t most = 0;
    for (const Triangle& t : triangles) {
        for (const std::int32_t v : t) most = std::max(most, static_cast<std::uint32_t>(v));
    }
    constexpr std::size_t kIndices = std::size_t{1} << 31;
    return triangles.empty() || most < std::min(point_count, kIndices);
}

Box bounds(std::span<const Vec3> points) {
    Box box;
    for (const Vec3& p : points) box.add(p);
    return box;
}

std::vector<Vec3> vertex_normals(std::span<const Vec3> points,
                                 std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    std::vector<Vec3> normals(points.size());
    find_normals(points, triangles, normals);
    return normals;
}

double mean_edge_length(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    double sum = 0.0;
    for (const Triangle& t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) sum += (points[t[k]] - points[t[(k + 1) % 3]]).norm();
    }
    return triangles.empty() ? 0.0 : sum / (3.0 * static_cast<double>(triangles.size()));
}

double facet_height(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    // Sharper than this is an edge that is meant [rad].
    constexpr double kSharp = 0.7;
    // Over a ball in equal triangles: their middles lie l^2 / 6 R deep, neighbours meet at 0.577 l
    // / R.
    constexpr double kPerAngle = 0.29;
    const std::vector<Triangle> across = face_neighbours(triangles);
    double sum = 0.0, weight = 0.0;
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Vec3 a = area_vector(points, triangles[f]);
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t g = across[f][k];
            if (g < 0) continue;
            const Vec3 b = area_vector(points, triangles[static_cast<std::size_t>(g)]);
            const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
            const double area = a.norm();
            weight += area;
            if (!(angle < kSharp)) continue;
            const Vec3 side = points[triangles[f][(k + 1) % 3]] - points[triangles[f][k]];
            sum += area * kPerAngle * angle * side.norm();
        }
    }
    return weight > 0 && std::isfinite(sum) ? sum / weight : 0.0;
}

void update_normals(std::span<const Vec3> points, std::span<const Triangle> triangles,
                    const VertexFaces& around, std::span<const std::int32_t> vertices,
                    std::span<Vec3> normals) {
    // Point by point every face is looked at three times.
    if (2 * vertices.size() > normals.size()) {
        find_normals(points, triangles, normals);
        return;
    }
    for (const std::int32_t v : vertices) {
        Vec3 sum = Vec3::Zero();
        for (const std::int32_t f : around[v]) {  // Ascending: the order of the full sum.
            const Triangle& t = triangles[f];
            Vec3 n;
            double twice_area = 0.0;
            if (!face_normal(points, t, n, twice_area)) continue;
            // A face of any use names the vertex once.
            const double first = t[1] == v ? 0.0 : angle_at(points, t, 0, twice_area);
            const double second = t[0] == v ? 0.0 : angle_at(points, t, 1, twice_area);
            sum += n * (t[0] == v ? first : t[1] == v ? second : last_angle(first, second));
        }
        normals[v] = unit_normal(sum);
    }
}

std::vector<double> vertex_areas(std::span<const Vec3> points,
                                 std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(has_valid_indices(points.size(), triangles), "triangles name existing points");
    std::vector<double> areas(points.size(), 0.0);
    for (const Triangle& t : triangles) {
        const double third = area_vector(points, t).norm() / 6.0;
        for (std::int32_t v : t) areas[v] += third;
    }
    return areas;
}

VertexFaces vertex_faces(std::size_t point_count, std::span<const Triangle> triangles) {
    DUCTILE_ASSERT(has_valid_indices(point_count, triangles), "triangles name existing points");
    const auto each_corner = [&](auto&& visit) {
        for (std::size_t f = 0; f < triangles.size(); ++f) {
            const Triangle& t = triangles[f];
            for (int k = 0; k < 3; ++k) {
                const bool again = (k > 0 && t[k] == t[0]) || (k > 1 && t[k] == t[1]);
                if (!again) visit(t[k], static_cast<std::int32_t>(f));
            }
        }
    };
    VertexFaces result;
    result.start.assign(point_count + 1, 0);
    each_corner([&](std::int32_t v, std::int32_t) { ++result.start[v + 1]; });
    for (std::size_t v = 0; v < point_count; ++v) result.start[v + 1] += result.start[v];
    result.faces.resize(result.start.back());
    std::vector<std::int32_t> next(result.start.begin(), result.start.end() - 1);
    each_corner([&](std::int32_t v, std::int32_t f) { result.faces[next[v]++] = f; });
    return result;
}

std::vector<Triangle> face_neighbours(std::span<const Triangle> triangles) {
    std::vector<Triangle> neighbours(triangles.size(), Triangle{-1, -1, -1});
    for_each_edge(sorted_edges(triangles), [&](std::span<const EdgeUse> uses) {
        if (uses.size() == 2) {
            pair(uses[0], uses[1], neighbours);
        } else {
            pair_opposite(uses, neighbours);
        }
    });
    return neighbours;
}

bool is_closed(std::span<const Triangle> triangles) {
    if (triangles.empty()) return false;
    bool closed = std::none_of(triangles.begin(), triangles.end(), names_a_point_twice);
    for_each_edge(sorted_edges(triangles), [&](std::span<const EdgeUse> uses) {
        closed = closed && uses.size() == 2 && uses[0].is_forward != uses[1].is_forward;
    });
    return closed;
}

}  // namespace ductile
