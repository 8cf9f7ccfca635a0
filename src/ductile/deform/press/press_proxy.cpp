// SPDX-License-Identifier: MIT
#include <ductile/deform/press/press_proxy.h>
#include <ductile/geom/surface_query.h>

#include <algorithm>

namespace ductile {
namespace {

Status check_solid(const TriMesh& mesh, const char* name) {
    if (mesh.triangles.empty() || !has_valid_indices(mesh.points.size(), mesh.triangles)) {
        return Error{"no triangle, or one that names a point that is not there", name, ""};
    }
    for (const Vec3& p : mesh.points) {
        if (!is_finite(p)) return Error{"a point is not finite", name, "mend the mesh first"};
    }
    return {};
}

}  // namespace

Result<TriMesh> press_proxy(const TriMesh& soft, const TriMesh& rigid, const Vec3& direction) {
    if (const Status fine = check_solid(soft, "the soft surface"); !fine) return fine.error();
    if (const Status fine = check_solid(rigid, "the rigid surface"); !fine) return fine.error();
    if (!is_finite(direction)) return Error{"a direction is not finite", "the proxy", ""};
    if (!is_closed(soft.triangles)) {
        return Error{"nothing is inside an open surface", "the soft surface", ""};
    }
    const SurfaceQuery around(soft.points, soft.triangles);
    for (const Vec3& p : rigid.points) {
        if (!around.is_inside(p)) return rigid;
    }
    const Vec3 centre = bounds(rigid.points).centre();
    Vec3 out = direction;
    if (out == Vec3::Zero()) out = around.closest_point(centre).position - centre;
    if (!(out.norm() > 0)) return Error{"there is no way out to be told", "the proxy", ""};
    out.normalize();
    double low = kInfinity, high = -kInfinity;
    for (const Vec3& p : rigid.points) {
        low = std::min(low, (p - centre).dot(out));
        high = std::max(high, (p - centre).dot(out));
    }
    // Where the last ray of all its points leaves the body: then the whole end is out.
    double way = 0.0;
    for (const Vec3& p : rigid.points) {
        const SurfacePoint exit = around.first_hit(p, out);
        if (exit.triangle >= 0) way = std::max(way, exit.distance);
    }
    if (!(way > 0) || !(high > low)) {
        return Error{"that way does not lead out of the soft body", "the proxy", ""};
    }
    way += high - low;
    TriMesh proxy = rigid;
    const double middle = 0.5 * (low + high);
    for (Vec3& p : proxy.points) {
        // The outer half is drawn out smoothly, so that no ring of the surface is torn apart.
        const double x = std::max(((p - centre).dot(out) - middle) / (high - middle), 0.0);
        p += way * std::min(x, 1.0) * std::min(x, 1.0) * (3.0 - 2.0 * std::min(x, 1.0)) * out;
    }
    return proxy;
}

}  // namespace ductile
