// SPDX-License-Identifier: MIT
#pragma once

#include <btBulletDynamicsCommon.h>

namespace ductile::test {

/// A world as any game with Bullet makes it. Bullet's lets go of what is in it when it ends: make
/// that first.
struct GameWorld {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
};

}  // namespace ductile::test
