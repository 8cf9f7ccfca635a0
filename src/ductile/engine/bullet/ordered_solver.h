// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/bullet/mean_moves.h>

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
///
/// A contact across a gap gives back its share of the approach if the gap closes within the step,
/// and nothing else; it acts from the touch on (`LateMove`). Bullet takes the gap off what comes
/// back, and begins before it closes: a ball of restitution 1 leaves with all its speed, with none
/// of it or anything between, by where it stood when the step began.
class OrderedSolver final : public btSequentialImpulseConstraintSolver {
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    /// Of the groups solved since this was last asked.
    std::vector<LateMove> take_late_moves() { return std::exchange(late_moves_, {}); }

    btScalar solveGroup(btCollisionObject** bodies, int body_count,
                        btPersistentManifold** manifolds, int manifold_count,
                        btTypedConstraint** constraints, int constraint_count,
                        const btContactSolverInfo& info, btIDebugDraw* drawer,
                        btDispatcher* dispatcher) override;

protected:
    void convertContacts(btPersistentManifold** manifolds, int manifold_count,
                         const btContactSolverInfo& info) override;
    btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int body_count,
                                  btPersistentManifold** manifolds, int manifold_count,
                                  btTypedConstraint** constraints, int constraint_count,
                                  const btContactSolverInfo& info, btIDebugDraw* drawer) override;
    btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                           const btContactSolverInfo& info) override;

private:
    /// A contact that gives back what approaches across a gap.
    struct LateTouch {
        int row = 0;
        btScalar time{0};  ///< From the step's beginning to the touch [s].
    };
    void give_back_across_gap(int row, const btContactSolverInfo& info);

    std::vector<std::pair<std::array<int, 4>, int>> ranked_;
    std::vector<btPersistentManifold*> sorted_;
    std::vector<LateTouch> late_touches_;  ///< Of the group that is solved.
    std::vector<LateMove> late_moves_;
    MeanMoves mean_moves_;
};

}  // namespace ductile
