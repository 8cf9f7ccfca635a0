// SPDX-License-Identifier: MIT
#pragma once

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>

#include <vector>

class btCollisionObject;

namespace ductile {

/// How much less far impulses move a body in a step than from its beginning on.
struct LateMove {
    const btCollisionObject* body = nullptr;
    btVector3 way{0, 0, 0}, turn{0, 0, 0};  ///< [m], [rad]
};

/// Of two bodies of a row: how fast its places part; with what the step's forces bring, if asked
/// [m/s].
btScalar parting(const btSolverConstraint& row, const btSolverBody& a, const btSolverBody& b,
                 bool with_forces);

/// What bodies on a joint that gives way move by too little.
///
/// A plastic moment acts all through a step, and what it slows goes at the mean speed; Bullet lets
/// it go at the last one, and a hinge turns by w dt / 2 too little, whatever w^2 I / 2 M is. Here
/// all that hangs together with such a joint, by other joints and by what presses, goes at the mean
/// of both speeds, unless something strikes it: an impact acts at once. What a step with an impact
/// left out, or the two that one may take, the next one makes up for.
class MeanMoves {
public:
    /// Of a group that is solved, its velocities not yet written back.
    void add(const btAlignedObjectArray<btSolverBody>& bodies, const btConstraintArray& joints,
             const btConstraintArray& contacts, btScalar dt, std::vector<LateMove>& moves);

private:
    /// Bodies that hang together, by the first of them.
    struct Cluster {
        bool gives_way = false, is_struck = false;
        int owed_steps = 0;
    };
    int first_of(int body);
    void link(const btAlignedObjectArray<btSolverBody>& bodies, const btSolverConstraint& row);
    void look_at_joints(const btAlignedObjectArray<btSolverBody>& bodies,
                        const btConstraintArray& joints);
    void look_at_contacts(const btAlignedObjectArray<btSolverBody>& bodies,
                          const btConstraintArray& contacts);
    void settle_debts(const btAlignedObjectArray<btSolverBody>& bodies,
                      const btConstraintArray& joints);

    std::vector<int> links_;  ///< Per body one that it is linked to, or itself.
    std::vector<Cluster> clusters_;
};

}  // namespace ductile
