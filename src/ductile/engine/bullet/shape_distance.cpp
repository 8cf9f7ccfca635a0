// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/shape_distance.h>
#include <ductile/geom/triangle.h>

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

// How far triangles are looked for at first, of the size of all of them, where anything may answer.
constexpr double kFirstShare = 1.0 / 64;
// Directions to what is nearer than this, in roundings of the numbers it comes from, say nothing.
constexpr double kRoundings = 16.0;

/// Of the triangles that it is shown, the one nearest to a point.
struct NearestTriangle final : btTriangleCallback {
    Vec3 p;
    TrianglePoint best;
    Corners corners;

    explicit NearestTriangle(const Vec3& point) : p(point) {}
    void processTriangle(btVector3* triangle, int, int) override {
        const Corners shown{from_bt(triangle[0]), from_bt(triangle[1]), from_bt(triangle[2])};
        const TrianglePoint at = closest_on_triangle(p, shown);
        if (!(at.distance_sq < best.distance_sq)) return;
        best = at;
        corners = shown;
    }
    double distance() const { return std::sqrt(best.distance_sq); }
    /// Towards p; that of the triangle's plane where p lies on it.
    Vec3 normal() const {
        const Vec3 off = p - best.position;
        const double rounding = SIMD_EPSILON * (p.norm() + best.position.norm());
        if (distance() > kRoundings * rounding) return off / distance();
        const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        const double size = across.norm();
        if (!(size > 0)) return Vec3::UnitY();
        return across.dot(off) < 0 ? Vec3(-across / size) : Vec3(across / size);
    }
};

Box box_of(const btCollisionShape& shape) {
    btVector3 lower, upper;
    shape.getAabb(btTransform::getIdentity(), lower, upper);
    return {from_bt(lower), from_bt(upper)};
}

// Looked for in ever larger boxes: one is enough for who asks about what touches, and a mesh of a
// whole level is not gone through for who would take any distance.
RigidQueries::Nearest nearest_on_triangles(const btConcaveShape& shape, const Vec3& p,
                                           double reach) {
    const double margin = shape.getMargin();
    const Box box = box_of(shape);
    const Vec3 farthest = (p - box.lower).cwiseAbs().cwiseMax((p - box.upper).cwiseAbs());
    const double limit = std::min(reach + margin, farthest.norm());
    double half = std::min(limit, std::sqrt(box.distance_sq(p)) + kFirstShare * box.diagonal());
    NearestTriangle found(p);
    while (true) {
        const double rounding = SIMD_EPSILON * (p.norm() + half);
        const Vec3 arm = Vec3::Constant(half + kRoundings * rounding);
        shape.processAllTriangles(&found, to_bt(p - arm), to_bt(p + arm));
        if (found.distance() <= half || !(half < limit)) break;
        half = std::min(limit, std::min(found.distance(), 2.0 * half));
    }
    if (!(found.distance() - margin <= reach)) return nowhere();
    const Vec3 normal = found.normal();
    return {found.best.position + margin * normal, normal, found.distance() - margin};
}

RigidQueries::Nearest nearest_on_plane(const btStaticPlaneShape& plane, const Vec3& p) {
    const Vec3 normal = from_bt(plane.getPlaneNormal());
    const double distance = normal.dot(p) - plane.getPlaneConstant();
    return {p - distance * normal, normal, distance};
}

RigidQueries::Nearest nearest_on_children(const btCompoundShape& compound, const Vec3& p,
                                          double reach) {
    RigidQueries::Nearest best = nowhere();
    for (int i = 0; i < compound.getNumChildShapes(); ++i) {
        const btCollisionShape& child = *compound.getChildShape(i);
        const btTransform& t = compound.getChildTransform(i);
        const Vec3 p_child = from_bt(t.invXform(to_bt(p)));
        // Inside one of them all others count that p is inside of, too.
        const double within = std::max(0.0, std::min(reach, best.distance));
        if (box_of(child).distance_sq(p_child) > within * within) continue;
        const RigidQueries::Nearest here = nearest_on_shape(child, p_child, within);
        if (here.distance >= best.distance) continue;
        best = {from_bt(t * to_bt(here.point_w)), from_bt(t.getBasis() * to_bt(here.normal_w)),
                here.distance};
    }
    return best;
}

}  // namespace

RigidQueries::Nearest nowhere() {
    RigidQueries::Nearest none;
    none.distance = kInfinity;
    return none;
}

RigidQueries::Nearest nearest_on_convex(const btConvexShape& shape, double margin, const Vec3& p) {
    btSphereShape probe{btScalar(0)};
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector(&probe, &shape, &simplex, &depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA.setIdentity();
    input.m_transformA.setOrigin(to_bt(p));
    input.m_transformB.setIdentity();
    btPointCollector found;
    detector.getClosestPoints(input, found, nullptr);
    if (!found.m_hasResult) {  // degenerate to rounding: p itself, seen from the middle
        const Vec3 out = p - box_of(shape).centre();
        return {p, out.norm() > 0 ? Vec3(out.normalized()) : Vec3(Vec3::UnitY()), 0.0};
    }
    const Vec3 normal = from_bt(found.m_normalOnBInWorld);
    return {from_bt(found.m_pointInWorld) - margin * normal, normal, found.m_distance + margin};
}

RigidQueries::Nearest nearest_on_shape(const btCollisionShape& shape, const Vec3& p, double reach) {
    RigidQueries::Nearest out = nowhere();
    if (shape.isConvex()) {
        out = nearest_on_convex(static_cast<const btConvexShape&>(shape), 0.0, p);
    } else if (shape.getShapeType() == STATIC_PLANE_PROXYTYPE) {
        out = nearest_on_plane(static_cast<const btStaticPlaneShape&>(shape), p);
    } else if (shape.isCompound()) {
        out = nearest_on_children(static_cast<const btCompoundShape&>(shape), p, reach);
    } else if (shape.isConcave() && shape.getShapeType() != GIMPACT_SHAPE_PROXYTYPE) {
        // Meshes of GImpact count who reads them, in a plain integer: not for several threads.
        out = nearest_on_triangles(static_cast<const btConcaveShape&>(shape), p, reach);
    }
    return out.distance <= reach ? out : nowhere();
}

}  // namespace ductile
