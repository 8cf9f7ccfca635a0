// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_proxy.h>
#include <ductile/deform/press/mapping/press_surface.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/vertex_graph.h>

#include <algorithm>

namespace ductile {
namespace {

/// Draws out the vertices `part`, all of one connected part, if that is to be done.
Status draw_out(const SurfaceQuery& around, const Vec3& direction,
                std::span<const std::int32_t> part, std::vector<Vec3>& points) {
    Box box;
    for (const std::int32_t v : part) box.add(points[v]);
    if (!around.box().overlaps(box)) return {};
    std::vector<std::int32_t> inside;
    for (const std::int32_t v : part) {
        if (around.is_inside(points[v])) inside.push_back(v);
    }
    const bool has_direction = direction != Vec3::Zero();
    if (inside.empty() || (!has_direction && inside.size() < part.size())) return {};
    const Vec3 centre = box.centre();
    Vec3 out = has_direction ? direction : Vec3(around.closest_point(centre).position - centre);
    if (!(out.norm() > 0))
        return Error{"the nearest way out is not defined", "the proxy", "give it a direction"};
    out.normalize();
    double low = kInfinity, high = -kInfinity;
    for (const std::int32_t v : part) {
        low = std::min(low, (points[v] - centre).dot(out));
        high = std::max(high, (points[v] - centre).dot(out));
    }
    // Where the last ray of all its points leaves the body: then the whole end is out.
    double way = 0.0;
    for (const std::int32_t v : inside) {
        const SurfacePoint exit = around.first_hit(points[v], out);
        if (exit.triangle >= 0) way = std::max(way, exit.distance);
    }
    if (!(way > 0) || !(high > low)) {
        return Error{"that way does not lead out of the soft body", "the proxy", ""};
    }
    way += high - low;
    const double middle = 0.5 * (low + high);
    for (const std::int32_t v : part) {
        // The outer half is drawn out smoothly, so that no ring of the surface is torn apart.
        const double along = ((points[v] - centre).dot(out) - middle) / (high - middle);
        const double x = std::clamp(along, 0.0, 1.0);
        points[v] += way * x * x * (3.0 - 2.0 * x) * out;
    }
    return {};
}

}  // namespace

Result<TriMesh> press_proxy(const TriMesh& soft, const TriMesh& rigid,
                            const PressProxyOptions& options) {
    if (const Status fine = check_surface(soft, "the soft surface"); !fine) return fine.error();
    if (const Status fine = check_surface(rigid, "the rigid surface"); !fine) return fine.error();
    if (!is_finite(options.direction)) return Error{"a direction is not finite", "the proxy", ""};
    if (!bounds(soft.points).overlaps(bounds(rigid.points))) return rigid;
    if (!is_closed(soft.triangles)) {
        return Error{"nothing is inside an open surface", "the soft surface", "close it"};
    }
    const SurfaceQuery around(soft.points, soft.triangles);
    const VertexGraph graph = vertex_graph(rigid.points.size(), rigid.triangles);
    // A point of no triangle has no say: it would be a part of its own.
    std::vector<std::uint8_t> is_used(rigid.points.size(), 0);
    for (const Triangle& t : rigid.triangles) {
        for (const std::int32_t v : t) is_used[v] = 1;
    }
    const VertexComponents parts = vertex_components(graph, is_used);
    std::vector<std::vector<std::int32_t>> members(static_cast<std::size_t>(parts.count));
    for (std::size_t v = 0; v < parts.component.size(); ++v) {
        if (parts.component[v] >= 0) {
            members[static_cast<std::size_t>(parts.component[v])].push_back(
                static_cast<std::int32_t>(v));
        }
    }
    TriMesh proxy = rigid;
    for (const std::vector<std::int32_t>& part : members) {
        if (const Status done = draw_out(around, options.direction, part, proxy.points); !done) {
            return done.error();
        }
    }
    return proxy;
}

}  // namespace ductile
