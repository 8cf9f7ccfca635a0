// SPDX-License-Identifier: MIT
#pragma once

#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include <limits>

class btCollisionDispatcher;
struct btBroadphasePair;

namespace ductile {

/// Everything below a plane, through the origin and square to y.
///
/// Bullet's box around a plane is the whole world, so that all pieces of a body are measured
/// against the ground that one of them lies on. With `near_callback` only those are that may come
/// to have a contact with a level one; contacts are the same.
class GroundShape final : public btStaticPlaneShape {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    GroundShape() : btStaticPlaneShape(btVector3(0, 1, 0), btScalar(0)) {}

    void getAabb(const btTransform& t, btVector3& lower, btVector3& upper) const override;

    /// For `btCollisionDispatcher::setNearCallback`.
    static void near_callback(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                              const btDispatcherInfo& info);

private:
    /// Up to where contacts with the body are kept that is looked at; infinite: none is [m].
    btScalar reach_ = std::numeric_limits<btScalar>::infinity();
};

}  // namespace ductile
