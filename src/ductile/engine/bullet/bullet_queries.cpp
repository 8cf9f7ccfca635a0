// SPDX-License-Identifier: MIT
// What may be asked of bodies between steps.
#include <ductile/engine/bullet/bullet_impl.h>
#include <ductile/geom/pieces/convex.h>

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>

namespace ductile {

namespace {

using Nearest = RigidQueries::Nearest;

Nearest nearest(const SphereCollider& c, const Vec3& p) {
    const double length = p.norm();
    const Vec3 out = length > 0 ? Vec3(p / length) : Vec3(Vec3::UnitY());
    return {c.radius * out, out, length - c.radius};
}

Nearest nearest(const HalfSpaceCollider&, const Vec3& p) {
    return {Vec3(p.x(), 0.0, p.z()), Vec3::UnitY(), p.y()};
}

Nearest nearest(const BoxCollider& c, const Vec3& p) {
    const Vec3 half = 0.5 * c.size;
    const Vec3 inside = p.cwiseMax(-half).cwiseMin(half);
    const Vec3 offset = p - inside;
    const double distance = offset.norm();
    if (distance > 0) return {inside, offset / distance, distance};
    int axis = 0;
    const double depth = (half - p.cwiseAbs()).minCoeff(&axis);
    const double sign = p[axis] < 0 ? -1.0 : 1.0;
    Vec3 on = p;
    on[axis] = sign * half[axis];
    return {on, sign * Vec3::Unit(axis), -depth};
}

Nearest nearest(const CapsuleCollider& c, const Vec3& p) {
    const RigidQueries::NearestInBody near = nearest_on_capsule(c, p);
    return {near.point_b, near.normal_b, near.distance};
}

Nearest nowhere() {
    Nearest none;
    none.distance = std::numeric_limits<double>::infinity();
    return none;
}

/// Of any convex shape, its margin taken off; p in the shape's frame.
Nearest nearest(const btConvexShape& shape, double margin, const Vec3& p) {
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
        btVector3 lower, upper;
        shape.getAabb(btTransform::getIdentity(), lower, upper);
        const Vec3 out = p - from_bt(btScalar(0.5) * (lower + upper));
        return {p, out.norm() > 0 ? Vec3(out.normalized()) : Vec3(Vec3::UnitY()), 0.0};
    }
    const Vec3 normal = from_bt(found.m_normalOnBInWorld);
    return {from_bt(found.m_pointInWorld) - margin * normal, normal, found.m_distance + margin};
}

HullDistance hull_gap(const CloudShape& cloud, const Vec3& p, double reach) {
    const auto support = [&](const Vec3& direction) {
        return from_bt(cloud.localGetSupportingVertexWithoutMargin(to_bt(direction)));
    };
    const Vec3 outward = p - cloud.box().centre();
    return support_distance(support, support(outward), p, reach);
}

/// How far a cloud reaches beyond a point inside it.
double way_out(const CloudShape& cloud, const Vec3& p, const Vec3& direction) {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < cloud.count(); ++i) points.push_back(from_bt(cloud.point(i)));
    return std::max(0.0, HullRoof(points, direction).height(p));
}

/// Of a cloud, without its margin, if that is not further away than `reach`; p in its frame.
Nearest nearest(const CloudShape& cloud, const Vec3& p, double reach) {
    const HullDistance found = hull_gap(cloud, p, reach);
    if (!(found.distance < kInfinity)) return nowhere();
    // Inside, or so near that the direction is lost in rounding: how deep is another question.
    const double shallow = 1e-9 * cloud.box().diagonal();
    if (found.distance <= shallow) return nearest(cloud, cloud.getMargin(), p);
    return {found.nearest, (p - found.nearest) / found.distance, found.distance};
}

Nearest nearest(const PiecesShape& pieces, const Vec3& p, double reach) {
    Nearest best = nowhere();
    for (int i = 0; i < pieces.size(); ++i) {
        const CloudShape& cloud = pieces.cloud(i);
        const double bound = std::sqrt(cloud.box().distance_sq(p));
        if (bound > 0 && (bound >= best.distance || bound > reach)) continue;
        const Nearest here = nearest(cloud, p, std::max(0.0, std::min(reach, best.distance)));
        if (here.distance < best.distance) best = here;
    }
    return best;
}

/// Of a shape that is not ours, as it collides: with its margin. p in the shape's frame.
Nearest nearest(const btCollisionShape& shape, const Vec3& p) {
    if (shape.isConvex()) return nearest(static_cast<const btConvexShape&>(shape), 0.0, p);
    if (shape.getShapeType() == STATIC_PLANE_PROXYTYPE) {
        const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
        const Vec3 normal = from_bt(plane.getPlaneNormal());
        const double distance = normal.dot(p) - plane.getPlaneConstant();
        return {p - distance * normal, normal, distance};
    }
    Nearest best = nowhere();
    if (!shape.isCompound()) return best;
    const auto& compound = static_cast<const btCompoundShape&>(shape);
    for (int i = 0; i < compound.getNumChildShapes(); ++i) {
        const btTransform& t = compound.getChildTransform(i);
        const Nearest here = nearest(*compound.getChildShape(i), from_bt(t.invXform(to_bt(p))));
        if (here.distance >= best.distance) continue;
        best = {from_bt(t * to_bt(here.point_w)), from_bt(t.getBasis() * to_bt(here.normal_w)),
                here.distance};
    }
    return best;
}

/// Of a body that is ours, in its frame.
Nearest nearest(const BulletBody& body, const Vec3& p, double reach) {
    Nearest out;
    if (body.pieces != nullptr) {
        out = nearest(*body.pieces, p, reach);
    } else if (const auto* sphere = std::get_if<SphereCollider>(&body.collider)) {
        out = nearest(*sphere, p);
    } else if (const auto* box = std::get_if<BoxCollider>(&body.collider)) {
        out = nearest(*box, p);
    } else if (const auto* capsule = std::get_if<CapsuleCollider>(&body.collider)) {
        out = nearest(*capsule, p);
    } else {
        out = nearest(HalfSpaceCollider{}, p);
    }
    return out.distance <= reach ? out : nowhere();
}

}  // namespace

RigidQueries::Nearest BulletEngine::closest_point(BodyId id, const Vec3& point_w,
                                                  double reach) const {
    DUCTILE_ASSERT(is_finite(point_w), "a point is finite");
    const BulletBody& body = impl_->body(id);
    if (!body.is_ours) {
        const btTransform& t = body.object->getWorldTransform();
        const Nearest out =
            nearest(*body.object->getCollisionShape(), from_bt(t.invXform(to_bt(point_w))));
        if (!(out.distance <= reach)) return nowhere();
        return {from_bt(t * to_bt(out.point_w)), from_bt(t.getBasis() * to_bt(out.normal_w)),
                out.distance};
    }
    const Transform pose = body.pose();
    const Nearest out = nearest(body, pose.inverse_point(point_w), reach);
    return {pose.point(out.point_w), pose.direction(out.normal_w), out.distance};
}

RigidQueries::NearestInBody BulletEngine::closest_point_b(BodyId id, const Vec3& point_b,
                                                          double reach) const {
    const BulletBody& body = impl_->body(id);
    if (!body.is_ours) return RigidQueries::closest_point_b(id, point_b, reach);
    DUCTILE_ASSERT(is_finite(point_b), "a point is finite");
    const Nearest out = nearest(body, point_b, reach);
    return {out.point_w, out.normal_w, out.distance};
}

double BulletEngine::gap(BodyId id, const Vec3& point_w, const Vec3& out_w, double reach) const {
    const BulletBody& body = impl_->body(id);
    if (body.pieces == nullptr) return RigidQueries::gap(id, point_w, out_w, reach);
    DUCTILE_ASSERT(is_finite(point_w), "a point is finite");
    const Transform pose = body.pose();
    const Vec3 p = pose.inverse_point(point_w);
    double least = kInfinity;
    for (int i = 0; i < body.pieces->size(); ++i) {
        const CloudShape& cloud = body.pieces->cloud(i);
        const double limit = std::max(0.0, std::min(reach, least));
        if (cloud.box().distance_sq(p) > limit * limit) continue;
        const double here = hull_gap(cloud, p, limit).distance;
        least =
            std::min(least, here > 0 ? here : -way_out(cloud, p, pose.inverse_direction(out_w)));
    }
    return least <= reach ? least : kInfinity;
}

void BulletEngine::apply_angular_impulse(BodyId id, const Vec3& impulse_w) {
    DUCTILE_ASSERT(is_finite(impulse_w), "an impulse is finite");
    const BulletBody& body = impl_->body(id);
    if (body.motion != Motion::Dynamic || body.rigid == nullptr) return;
    body.rigid->activate(true);
    body.rigid->applyTorqueImpulse(to_bt(impulse_w));
}

namespace {

/// Bullet's box around a half-space is the whole world: nothing would ever be away from the ground.
void cut_above_plane(const Transform& pose, Box& box) {
    constexpr double kStraight = 1.0 - 1e-12;
    const Vec3 up = pose.direction(Vec3::UnitY());
    for (int k = 0; k < 3; ++k) {
        if (up[k] > kStraight) box.upper[k] = pose.translation[k];
        if (up[k] < -kStraight) box.lower[k] = pose.translation[k];
    }
}

}  // namespace

void BulletEngine::bodies_near(const Box& box, std::vector<NearBody>& out) const {
    out.clear();
    for (const auto& body : impl_->bodies) {
        if (!body || !body->object->hasContactResponse()) continue;
        btVector3 lower, upper;
        body->object->getCollisionShape()->getAabb(body->object->getWorldTransform(), lower, upper);
        Box own{from_bt(lower), from_bt(upper)};
        if (body->is_ours && std::holds_alternative<HalfSpaceCollider>(body->collider)) {
            cut_above_plane(body->pose(), own);
        }
        if (own.overlaps(box)) out.push_back({body->id, own});
    }
}

BodyMoment BulletEngine::moment(BodyId id) const {
    const BodyMotion m = motion(id);
    BodyMoment out{.id = id,
                   .pose_w = m.pose_w,
                   .centre_w = m.centre_w,
                   .velocity_w = m.velocity_w,
                   .spin_w = m.spin_w};
    const BulletBody& body = impl_->body(id);
    if (body.motion != Motion::Dynamic || body.rigid == nullptr) return out;
    out.inverse_mass = body.rigid->getInvMass();
    out.inverse_inertia_w = from_bt(body.rigid->getInvInertiaTensorWorld());
    return out;
}

double BulletEngine::friction(BodyId id) const { return impl_->body(id).object->getFriction(); }

bool BulletEngine::is_asleep(BodyId id) const { return !impl_->body(id).object->isActive(); }

void BulletEngine::put_to_sleep(BodyId id) {
    const BulletBody& body = impl_->body(id);
    if (body.motion != Motion::Dynamic || body.rigid == nullptr) return;
    body.rigid->setLinearVelocity(btVector3(0, 0, 0));
    body.rigid->setAngularVelocity(btVector3(0, 0, 0));
    body.rigid->setActivationState(ISLAND_SLEEPING);
}

}  // namespace ductile
