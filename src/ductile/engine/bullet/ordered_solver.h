// SPDX-License-Identifier: MIT
#pragma once

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>

#include <array>
#include <utility>
#include <vector>

namespace ductile {

/// Bullet's solver, with contacts in an order that depends on who touches only.
///
/// Bullet leaves the contacts between the pieces of two bodies in the order in which boxes of
/// pieces came to overlap, and a few sweeps end elsewhere in another order. Here they are sorted by
/// the bodies' age and the pieces' numbers (`btCollisionShape::getUserIndex` of a child), and every
/// other sweep goes backwards: in one direction only, it would turn what lies on many pieces.
class OrderedSolver final : public btSequentialImpulseConstraintSolver {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    btScalar solveGroup(btCollisionObject** bodies, int body_count,
                        btPersistentManifold** manifolds, int manifold_count,
                        btTypedConstraint** constraints, int constraint_count,
                        const btContactSolverInfo& info, btIDebugDraw* drawer,
                        btDispatcher* dispatcher) override;

protected:
    btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int body_count,
                                  btPersistentManifold** manifolds, int manifold_count,
                                  btTypedConstraint** constraints, int constraint_count,
                                  const btContactSolverInfo& info, btIDebugDraw* drawer) override;

private:
    std::vector<std::pair<std::array<int, 4>, int>> ranked_;
    std::vector<btPersistentManifold*> sorted_;
};

}  // namespace ductile
