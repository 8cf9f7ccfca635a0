// SPDX-License-Identifier: MIT
#include <ductile/solids/flat_mesh.h>
#include <ductile/solids/solid_parts.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace ductile {
namespace {

// Faces nearer to the hole's centre than this many radii give way to it.
constexpr double kClearance = 1.3;
// A hole that would need a thinner triangle than this is not cut [rad].
constexpr double kLeastAngle = 0.1;
constexpr int kRelaxRounds = 8;

// Twice the area, positive for a counter-clockwise triangle seen from above (z points down there).
double double_area(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Vec2 u = b - a;
    const Vec2 v = c - a;
    return u.y() * v.x() - u.x() * v.y();
}

double double_area(const FlatMesh& mesh, const Triangle& t) {
    return double_area(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]);
}

// The border of the removed faces, counter-clockwise; empty if it is not one loop.
std::vector<std::int32_t> border_of(const std::vector<Triangle>& removed) {
    std::map<std::pair<std::int32_t, std::int32_t>, int> edges;
    for (const Triangle& t : removed) {
        for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    }
    std::map<std::int32_t, std::int32_t> next;
    for (const auto& [edge, count] : edges) {
        if (edges.contains({edge.second, edge.first})) continue;
        if (!next.emplace(edge.first, edge.second).second) return {};
    }
    std::vector<std::int32_t> loop;
    if (next.empty()) return loop;
    const std::int32_t start = next.begin()->first;
    for (std::int32_t v = start; loop.empty() || v != start; v = next.at(v)) loop.push_back(v);
    if (loop.size() != next.size()) loop.clear();
    return loop;
}

// How far b is turned counter-clockwise from a, in [0, 1) of a turn.
double turn_from(const Vec2& a, const Vec2& b) {
    const double turn =
        std::atan2(a.y() * b.x() - a.x() * b.y(), a.dot(b)) / (2 * std::numbers::pi);
    return turn < 0.0 ? turn + 1.0 : turn;
}

// Triangles between an outer loop and a ring around `centre`, both counter-clockwise, swept around
// it by angle: valid whenever the loop can be seen whole from the centre.
std::vector<Triangle> zip_loops(const std::vector<Vec2>& points, const Vec2& centre,
                                const std::vector<std::int32_t>& outer,
                                const std::vector<std::int32_t>& ring) {
    const Vec2 start = points[ring[0]] - centre;
    const auto turn = [&](std::int32_t v) { return turn_from(start, points[v] - centre); };
    const auto first = std::min_element(outer.begin(), outer.end(),
                                        [&](auto a, auto b) { return turn(a) < turn(b); });
    const auto begin = static_cast<std::size_t>(first - outer.begin());
    const auto in = [&](std::size_t k) { return ring[k % ring.size()]; };
    const auto out = [&](std::size_t k) { return outer[(begin + k) % outer.size()]; };
    // The middles of edges, not their ends, decide: that keeps triangles on both sides balanced.
    const auto middle = [&](std::int32_t a, std::int32_t b, std::size_t k, std::size_t size) {
        const double from = turn(a) + (k >= size ? 1.0 : 0.0);
        const double to = turn(b) + (k + 1 >= size ? 1.0 : 0.0);
        return 0.5 * (from + to);
    };
    std::vector<Triangle> triangles;
    std::size_t i = 0, j = 0;
    while (i < ring.size() || j < outer.size()) {
        const double next_in = middle(in(i), in(i + 1), i, ring.size());
        const double next_out = middle(out(j), out(j + 1), j, outer.size());
        if (j == outer.size() || (i < ring.size() && next_in < next_out)) {
            triangles.push_back({in(i), out(j), in(i + 1)});
            ++i;
        } else {
            triangles.push_back({in(i), out(j), out(j + 1)});
            ++j;
        }
    }
    return triangles;
}

// Whether the face comes nearer to the hole's centre than it may.
bool gives_way(const FlatMesh& mesh, const Triangle& t, const FlatHole& hole) {
    bool holds_centre = true;
    bool is_near = false;
    for (int k = 0; k < 3; ++k) {
        const Vec2 a = mesh.points[t[k]] - hole.centre;
        const Vec2 b = mesh.points[t[(k + 1) % 3]] - hole.centre;
        const double along = std::clamp(-a.dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
        is_near = is_near || (a + along * (b - a)).norm() < kClearance * hole.radius;
        holds_centre = holds_centre && double_area(Vec2(0, 0), a, b) > 0.0;
    }
    return is_near || holds_centre;
}

double min_angle(const Vec2& a, const Vec2& b, const Vec2& c) {
    const double area = double_area(a, b, c);
    return std::min({std::atan2(area, (b - a).dot(c - a)), std::atan2(area, (c - b).dot(a - b)),
                     std::atan2(area, (a - c).dot(b - c))});
}

// Drops points that no face holds; the order of the others stays. `renamed[old]` is new, or -1.
FlatMesh without_lone_points(const std::vector<Vec2>& points, const std::vector<Triangle>& faces,
                             std::vector<std::int32_t>& renamed) {
    renamed.assign(points.size(), -1);
    for (const Triangle& t : faces) {
        for (std::int32_t v : t) renamed[v] = 0;
    }
    FlatMesh mesh;
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (renamed[v] < 0) continue;
        renamed[v] = static_cast<std::int32_t>(mesh.points.size());
        mesh.points.push_back(points[v]);
    }
    for (const Triangle& t : faces) {
        mesh.triangles.push_back({renamed[t[0]], renamed[t[1]], renamed[t[2]]});
    }
    return mesh;
}

}  // namespace

FlatMesh flat_disc(double radius, std::int32_t n) {
    const std::int32_t rings = cap_rings(n);
    std::vector<ProfileKnot> knots;
    for (std::int32_t k = rings; k >= 0; --k) {
        knots.push_back({radius * k / rings, 0.0, 0.0, 1.0, 0.0, 0});
    }
    PatchBuilder builder;
    builder.add_look({});
    add_cap(builder, knots, add_ring(builder, knots[0], n), n, false, CapUv::Planar, radius);
    const SurfaceAsset asset = builder.finish();
    FlatMesh mesh;
    for (const Vec3& p : asset.surface.points) mesh.points.emplace_back(p.x(), p.z());
    mesh.triangles = asset.surface.triangles;
    return mesh;
}

std::vector<FlatHole> punch_holes(FlatMesh& mesh, const std::vector<FlatHole>& holes) {
    std::vector<FlatHole> cut;
    for (FlatHole hole : holes) {
        std::vector<Triangle> kept, removed;
        for (const Triangle& t : mesh.triangles) {
            (gives_way(mesh, t, hole) ? removed : kept).push_back(t);
        }
        const std::vector<std::int32_t> border = border_of(removed);
        if (border.empty()) continue;
        std::vector<Vec2> points = mesh.points;
        std::vector<std::int32_t> ring;
        for (std::int32_t i = 0; i < hole.segments; ++i) {
            const Vec2 c = unit_circle(i, hole.segments);
            ring.push_back(static_cast<std::int32_t>(points.size()));
            points.push_back(hole.centre + hole.radius * Vec2(c.x(), -c.y()));
        }
        const std::vector<Triangle> seam = zip_loops(points, hole.centre, border, ring);
        double least = 1.0;
        for (const Triangle& t : seam) {
            least = std::min(least, min_angle(points[t[0]], points[t[1]], points[t[2]]));
        }
        if (least < kLeastAngle) continue;
        kept.insert(kept.end(), seam.begin(), seam.end());
        std::vector<std::int32_t> renamed;
        mesh = without_lone_points(points, kept, renamed);
        hole.first_point = ring[0];
        cut.push_back(hole);
        for (FlatHole& known : cut) known.first_point = renamed[known.first_point];
    }
    return cut;
}

void relax_flat(FlatMesh& mesh, std::int32_t fixed) {
    std::vector<bool> is_free(mesh.points.size(), true);
    std::fill(is_free.begin(), is_free.begin() + fixed, false);
    const std::vector<Triangle> across = face_neighbours(mesh.triangles);
    for (std::size_t f = 0; f < across.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            if (across[f][k] >= 0) continue;
            is_free[mesh.triangles[f][k]] = false;
            is_free[mesh.triangles[f][(k + 1) % 3]] = false;
        }
    }
    const VertexFaces around = vertex_faces(mesh.points.size(), mesh.triangles);
    for (int round = 0; round < kRelaxRounds; ++round) {
        const std::vector<Vec2> before = mesh.points;
        for (std::size_t v = 0; v < before.size(); ++v) {
            if (!is_free[v]) continue;
            Vec2 sum = Vec2::Zero();
            double weight = 0.0;
            for (std::int32_t f : around[v]) {
                for (std::int32_t w : mesh.triangles[f]) {
                    if (w == static_cast<std::int32_t>(v)) continue;
                    sum += before[w];
                    weight += 1.0;
                }
            }
            mesh.points[v] = 0.5 * (before[v] + sum / weight);
        }
        for (const Triangle& t : mesh.triangles) {
            if (double_area(mesh, t) > 0.0) continue;
            mesh.points = before;
            return;
        }
    }
}

}  // namespace ductile
