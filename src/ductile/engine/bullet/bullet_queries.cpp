// SPDX-License-Identifier: MIT
// What may be asked of bodies between steps.
#include <ductile/engine/bullet/bullet_impl.h>
#include <ductile/engine/bullet/shape_distance.h>
#include <ductile/geom/pieces/convex.h>

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
    if (found.distance <= shallow) return nearest_on_convex(cloud, cloud.getMargin(), p);
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
        const Nearest out = nearest_on_shape(*body.object->getCollisionShape(),
                                             from_bt(t.invXform(to_bt(point_w))), reach);
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

/// Bullet's box around a plane is the whole world: nothing would ever be away from the ground.
void cut_above_plane(const btCollisionObject& object, Box& box) {
    constexpr double kStraight = 1.0 - 1e-12;
    const auto& plane = static_cast<const btStaticPlaneShape&>(*object.getCollisionShape());
    const btTransform& pose = object.getWorldTransform();
    const Vec3 up = from_bt(pose.getBasis() * plane.getPlaneNormal());
    const Vec3 on_it = from_bt(pose.getOrigin()) + double(plane.getPlaneConstant()) * up;
    for (int k = 0; k < 3; ++k) {
        if (up[k] > kStraight) box.upper[k] = on_it[k];
        if (up[k] < -kStraight) box.lower[k] = on_it[k];
    }
}

Box box_around(const btCollisionObject& object) {
    btVector3 lower, upper;
    object.getCollisionShape()->getAabb(object.getWorldTransform(), lower, upper);
    Box box{from_bt(lower), from_bt(upper)};
    if (object.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE) {
        cut_above_plane(object, box);
    }
    return box;
}

}  // namespace

// Only objects of the world are touched: others may have been deleted since the last step.
void BulletEngine::bodies_near(const Box& box, std::vector<NearBody>& out) const {
    out.clear();
    const btCollisionObjectArray& objects = impl_->world->getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) {
        if (!is_touchable(*objects[i])) continue;
        const Box own = box_around(*objects[i]);
        if (own.overlaps(box)) out.push_back({impl_->known(*objects[i]).id, own});
    }
    std::sort(out.begin(), out.end(),
              [](const NearBody& a, const NearBody& b) { return a.id < b.id; });
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
