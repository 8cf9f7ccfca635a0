// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/ground_shape.h>

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <cmath>

namespace ductile {
namespace {

btCollisionShape& shape_of(const btBroadphaseProxy& proxy) {
    return *static_cast<btCollisionObject*>(proxy.m_clientObject)->getCollisionShape();
}

}  // namespace

void GroundShape::getAabb(const btTransform& t, btVector3& lower, btVector3& upper) const {
    btStaticPlaneShape::getAabb(t, lower, upper);
    if (!std::isfinite(reach_)) return;
    const btVector3 up = t.getBasis() * getPlaneNormal();
    const int axis = up.maxAxis();
    const bool is_level = up[(axis + 1) % 3] == 0 && up[(axis + 2) % 3] == 0;
    if (is_level) upper[axis] = t.getOrigin()[axis] + reach_;
}

void GroundShape::near_callback(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                                const btDispatcherInfo& info) {
    btCollisionShape &a = shape_of(*pair.m_pProxy0), &b = shape_of(*pair.m_pProxy1);
    const bool is_first = a.getShapeType() == STATIC_PLANE_PROXYTYPE;
    btCollisionShape &plane = is_first ? a : b, &other = is_first ? b : a;
    GroundShape* ground = nullptr;
    if (plane.getShapeType() == STATIC_PLANE_PROXYTYPE && other.isCompound()) {
        ground = dynamic_cast<GroundShape*>(&plane);
    }
    // As manifolds have it; twice, for what rounding may do.
    if (ground) ground->reach_ = 2 * other.getContactBreakingThreshold(gContactBreakingThreshold);
    btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
    if (ground) ground->reach_ = std::numeric_limits<btScalar>::infinity();
}

}  // namespace ductile
