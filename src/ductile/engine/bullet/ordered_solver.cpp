// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/ordered_solver.h>

#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>
#include <array>

namespace ductile {

namespace {

int piece_number(const btCollisionObject& object, int child) {
    if (!object.getCollisionShape()->isCompound() || child < 0) return -1;
    const auto& pieces = static_cast<const btCompoundShape&>(*object.getCollisionShape());
    return child < pieces.getNumChildShapes() ? pieces.getChildShape(child)->getUserIndex() : -1;
}

/// The bodies by age, then their pieces; what is not of pieces, or was swept, has -1.
std::array<int, 4> rank(const btPersistentManifold& manifold) {
    const btCollisionObject &a = *manifold.getBody0(), &b = *manifold.getBody1();
    std::array<int, 4> out = {a.getBroadphaseHandle()->m_uniqueId,
                              b.getBroadphaseHandle()->m_uniqueId, -1, -1};
    if (manifold.getNumContacts() == 0) return out;
    const btManifoldPoint& point = manifold.getContactPoint(0);
    out[2] = piece_number(a, point.m_index0);
    out[3] = piece_number(b, point.m_index1);
    return out;
}

void reverse(btAlignedObjectArray<int>& order) {
    if (order.size() > 1) std::reverse(&order[0], &order[0] + order.size());
}

}  // namespace

btScalar OrderedSolver::solveGroup(btCollisionObject** bodies, int body_count,
                                   btPersistentManifold** manifolds, int manifold_count,
                                   btTypedConstraint** constraints, int constraint_count,
                                   const btContactSolverInfo& info, btIDebugDraw* drawer,
                                   btDispatcher* dispatcher) {
    ranked_.clear();
    for (int i = 0; i < manifold_count; ++i) ranked_.emplace_back(rank(*manifolds[i]), i);
    std::sort(ranked_.begin(), ranked_.end());
    sorted_.clear();
    for (const auto& [rank, i] : ranked_) sorted_.push_back(manifolds[i]);
    return btSequentialImpulseConstraintSolver::solveGroup(
        bodies, body_count, sorted_.data(), manifold_count, constraints, constraint_count, info,
        drawer, dispatcher);
}

btScalar OrderedSolver::solveSingleIteration(int iteration, btCollisionObject** bodies,
                                             int body_count, btPersistentManifold** manifolds,
                                             int manifold_count, btTypedConstraint** constraints,
                                             int constraint_count, const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) {
    if (iteration > 0) {
        reverse(m_orderTmpConstraintPool);
        reverse(m_orderFrictionConstraintPool);
    }
    return btSequentialImpulseConstraintSolver::solveSingleIteration(
        iteration, bodies, body_count, manifolds, manifold_count, constraints, constraint_count,
        info, drawer);
}

}  // namespace ductile
