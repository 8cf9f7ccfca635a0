// SPDX-License-Identifier: MIT
#include <ductile/asset/bind_mesh.h>
#include <ductile/core/assert.h>
#include <ductile/core/parallel.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/query/triangle_grid.h>
#include <ductile/geom/triangle.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

namespace ductile {
namespace {

constexpr std::size_t kBindRun = 256;  // Vertices that search one after the other.
constexpr std::size_t kNormalGrain = 2048;
// Of the diagonal: a vertex further from the surface than this is on neither of its sides, and a
// search for one that suits it would go through all of it.
constexpr double kNear = 0.02;
// Vertices of a rider that look for a place to hold on to; more tell nothing new.
constexpr std::size_t kRiderSamples = 256;
// Added to a corner's share, so that a rider on one triangle still feels it turn.
constexpr double kLeastShare = 0.05;
// Of a rider's size: how much further than its nearest place still counts as near.
constexpr double kRiderReach = 0.05;
// Of the heaviest carrier: what is lighter is left out.
constexpr double kLightest = 1e-3;

// One part's share of the surface, and the way back to the whole.
struct SurfacePart {
    TriMesh mesh;
    std::vector<std::int32_t> points;    // Of the whole surface.
    std::vector<Vec3> normals;           // Per triangle; zero without area.
    double near = 0.0;                   // Closer than this, sides matter [m].
    std::unique_ptr<TriangleGrid> grid;  // Of `mesh`.

    // Made when the grid has no answer for the first time: most surfaces never need it.
    const SurfaceQuery& tree() const {
        std::call_once(once_, [this] { tree_.emplace(mesh.points, mesh.triangles); });
        return *tree_;
    }

private:
    mutable std::once_flag once_;
    mutable std::optional<SurfaceQuery> tree_;
};

std::unique_ptr<SurfacePart> make_part(const TriMesh& surface, std::span<const std::int32_t> chosen,
                                       std::vector<std::int32_t>& scratch) {
    auto part = std::make_unique<SurfacePart>();
    TriMesh& own = part->mesh;
    own.triangles.reserve(chosen.size());
    for (const std::int32_t i : chosen) {
        Triangle t = surface.triangles[i];
        for (std::int32_t& v : t) {
            if (scratch[v] < 0) {
                scratch[v] = static_cast<std::int32_t>(part->points.size());
                part->points.push_back(v);
                own.points.push_back(surface.points[v]);
            }
            v = scratch[v];
        }
        own.triangles.push_back(t);
    }
    part->normals.resize(own.triangles.size());
    parallel_for(own.triangles.size(), kNormalGrain, [&](std::size_t i) {
        part->normals[i] = area_vector(own.points, own.triangles[i]).stableNormalized();
    });
    for (const std::int32_t v : part->points) scratch[v] = -1;
    part->near = kNear * bounds(own.points).diagonal();
    part->grid = std::make_unique<TriangleGrid>(own.points, own.triangles);
    return part;
}

SurfaceAnchor anchor_at(const SurfacePart& part, const SurfacePoint& at) {
    SurfaceAnchor anchor;
    const Triangle& t = part.mesh.triangles[at.triangle];
    for (int k = 0; k < 3; ++k) anchor.points[k] = part.points[t[k]];
    anchor.weights = at.barycentric;
    return anchor;
}

// The nearest place among triangles that look along `normal`, at most `reach` away.
SurfacePoint nearest_facing(const SurfacePart& part, const Vec3& p, const Vec3& normal,
                            double reach) {
    SurfacePoint best;
    best.distance = reach;
    const std::span<const Vec3> points = part.mesh.points;
    const auto visit = [&](std::int32_t i) {
        if (!(part.normals[i].dot(normal) > 0)) return;
        const Triangle& t = part.mesh.triangles[i];
        const TrianglePoint at = closest_on_triangle(p, {points[t[0]], points[t[1]], points[t[2]]});
        const double distance = std::sqrt(at.distance_sq);
        const bool is_tie = distance == best.distance && i < best.triangle;
        if (distance < best.distance || is_tie) best = {i, at.barycentric, at.position, distance};
    };
    const Box box{p - Vec3::Constant(reach), p + Vec3::Constant(reach)};
    if (part.grid->visit_near(box, visit)) return best;
    for (const std::int32_t i : part.tree().overlapping(box)) visit(i);
    return best;
}

// `last`: what the vertex before found, or triangle -1. Most vertices lie near the last.
SurfacePoint nearest(const SurfacePart& part, const Vec3& p, const SurfacePoint& last) {
    const std::optional<SurfacePoint> found = part.grid->closest_point(p, last.triangle);
    if (found) return *found;
    constexpr double kSlack = 1.0 + 1e-9;
    SurfacePoint at;
    if (last.triangle >= 0) {
        at = part.tree().closest_point(p, (p - last.position).norm() * kSlack);
    }
    return at.triangle >= 0 ? at : part.tree().closest_point(p);
}

SurfaceAnchor bind_vertex(const SurfacePart& part, const Vec3& p, const Vec3& normal,
                          SurfacePoint& last) {
    const SurfacePoint at = nearest(part, p, last);
    last = at;
    const Vec3& n = part.normals[at.triangle];
    if (at.distance > 0 && at.distance < part.near && !(n.dot(normal) > 0)) {
        // Twice as far each time: nearly always the other side of the wall is next.
        for (double factor = 2.0; factor <= kBindReach; factor *= 2.0) {
            const SurfacePoint facing = nearest_facing(part, p, normal, factor * at.distance);
            if (facing.triangle >= 0) return anchor_at(part, facing);
        }
    }
    return anchor_at(part, at);
}

}  // namespace

std::vector<SurfaceAnchor> bind_mesh(std::span<const Vec3> points, std::span<const Vec3> normals,
                                     const TriMesh& surface, const BindParts& parts) {
    DUCTILE_ASSERT(!surface.triangles.empty(), "something to follow");
    DUCTILE_ASSERT(points.size() == normals.size(), "one normal each");
    const auto part_of_triangle = [&](std::size_t i) {
        return parts.of_triangle.empty() ? 0 : parts.of_triangle[i];
    };
    std::vector<std::int32_t> order(surface.triangles.size());
    std::iota(order.begin(), order.end(), 0);
    const auto is_before = [&](std::int32_t a, std::int32_t b) {
        return part_of_triangle(a) < part_of_triangle(b);
    };
    if (!std::is_sorted(order.begin(), order.end(), is_before)) {
        std::stable_sort(order.begin(), order.end(), is_before);
    }
    std::vector<std::unique_ptr<SurfacePart>> surfaces;  // By part; null where it has none.
    std::vector<std::int32_t> scratch(surface.points.size(), -1);
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        const std::int32_t part = part_of_triangle(order[begin]);
        while (end < order.size() && part_of_triangle(order[end]) == part) ++end;
        surfaces.resize(std::max<std::size_t>(surfaces.size(), part + 1));
        surfaces[part] = make_part(surface, std::span(order).subspan(begin, end - begin), scratch);
    }
    const auto own = [&](std::size_t v) -> const SurfacePart* {
        const std::int32_t part = parts.of_vertex.empty() ? 0 : parts.of_vertex[v];
        return part >= 0 && part < std::ssize(surfaces) ? surfaces[part].get() : nullptr;
    };
    std::unique_ptr<SurfacePart> whole;
    for (std::size_t v = 0; v < points.size() && !whole; ++v) {
        if (own(v) != nullptr) continue;
        std::iota(order.begin(), order.end(), 0);
        whole = make_part(surface, order, scratch);
    }
    std::vector<SurfaceAnchor> anchors(points.size());
    parallel_for((points.size() + kBindRun - 1) / kBindRun, 1, [&](std::size_t run) {
        const SurfacePart* before = nullptr;
        SurfacePoint last;
        const std::size_t end = std::min(points.size(), (run + 1) * kBindRun);
        for (std::size_t v = run * kBindRun; v < end; ++v) {
            const SurfacePart* part = own(v) != nullptr ? own(v) : whole.get();
            if (part != before) last = {};
            before = part;
            anchors[v] = bind_vertex(*part, points[v], normals[v], last);
        }
    });
    return anchors;
}

Rider make_rider(std::int32_t part, std::span<const Vec3> vertices, const SurfaceQuery& surface) {
    DUCTILE_ASSERT(!vertices.empty() && !surface.triangles().empty(), "something to hold on to");
    const std::size_t stride = (vertices.size() + kRiderSamples - 1) / kRiderSamples;
    std::vector<SurfacePoint> places;
    double nearest = kInfinity;
    for (std::size_t v = 0; v < vertices.size(); v += stride) {
        places.push_back(surface.closest_point(vertices[v]));
        nearest = std::min(nearest, places.back().distance);
    }
    const double reach = nearest + kRiderReach * bounds(vertices).diagonal();
    std::vector<std::pair<std::int32_t, double>> shares;
    for (const SurfacePoint& at : places) {
        const double far = reach > 0 ? at.distance / reach : 0.0;
        for (int k = 0; k < 3; ++k) {
            shares.emplace_back(surface.triangles()[at.triangle][k],
                                (at.barycentric[k] + kLeastShare) / (1.0 + far * far * far * far));
        }
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Rider all{part, {}, {}};
    for (const auto& [point, share] : shares) {
        if (all.points.empty() || all.points.back() != point) {
            all.points.push_back(point);
            all.weights.push_back(0.0);
        }
        all.weights.back() += share;
    }
    const double heaviest = *std::max_element(all.weights.begin(), all.weights.end());
    Rider rider{part, {}, {}};
    for (std::size_t i = 0; i < all.points.size(); ++i) {
        if (!(all.weights[i] > kLightest * heaviest)) continue;
        rider.points.push_back(all.points[i]);
        rider.weights.push_back(all.weights[i] / heaviest);
    }
    return rider;
}

}  // namespace ductile
