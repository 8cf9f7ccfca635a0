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

void OrderedSolver::convertContacts(btPersistentManifold** manifolds, int manifold_count,
                                    const btContactSolverInfo& info) {
    btSequentialImpulseConstraintSolver::convertContacts(manifolds, manifold_count, info);
    late_touches_.clear();
    for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); ++i) give_back_across_gap(i, info);
}

void OrderedSolver::give_back_across_gap(int i, const btContactSolverInfo& info) {
    btSolverConstraint& row = m_tmpSolverContactConstraintPool[i];
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    const btScalar gap = point.getDistance() + info.m_linearSlop;
    if (!(gap > 0)) return;
    const btSolverBody& a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
    const btSolverBody& b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
    const btScalar given = restitutionCurve(parting(row, a, b, false), point.m_combinedRestitution,
                                            info.m_restitutionVelocityThreshold);
    if (!(given > 0)) return;
    const btScalar approach = -parting(row, a, b, true);
    const bool closes = approach * info.m_timeStep >= gap;
    row.m_rhs += (closes ? gap / info.m_timeStep : -given) * row.m_jacDiagABInv;
    if (closes) late_touches_.push_back({i, gap / approach});
}

btScalar OrderedSolver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                                      const btContactSolverInfo& info) {
    for (const LateTouch& touch : late_touches_) {
        const btSolverConstraint& row = m_tmpSolverContactConstraintPool[touch.row];
        const btScalar late = row.m_appliedImpulse * touch.time;
        if (!(late > 0)) continue;
        const auto add = [&](int id, const btVector3& normal, const btVector3& turn) {
            const btSolverBody& body = m_tmpSolverBodyPool[id];
            if (body.m_originalBody == nullptr) return;
            late_moves_.push_back(
                {body.m_originalBody, late * normal * body.internalGetInvMass(), late * turn});
        };
        add(row.m_solverBodyIdA, row.m_contactNormal1, row.m_angularComponentA);
        add(row.m_solverBodyIdB, row.m_contactNormal2, row.m_angularComponentB);
    }
    late_touches_.clear();
    mean_moves_.add(m_tmpSolverBodyPool, m_tmpSolverNonContactConstraintPool,
                    m_tmpSolverContactConstraintPool, info.m_timeStep, late_moves_);
    return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, body_count,
                                                                              info);
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
