// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/mean_moves.h>
#include <ductile/engine/bullet/yield_joint.h>

#include <algorithm>
#include <numeric>

namespace ductile {

namespace {

// Contacts that close faster than this when a step begins are impacts [m/s]: Bullet's own bound.
constexpr btScalar kImpactSpeed = btScalar(0.2);

bool can_move(const btSolverBody& body) {
    return body.m_originalBody != nullptr && !body.internalGetInvMass().isZero();
}

/// Calls `look` for each of our joints with the first of its rows.
template <class Look>
void visit_joints(const btConstraintArray& rows, Look&& look) {
    const void* last = nullptr;
    for (int i = 0; i < rows.size(); ++i) {
        const void* owner = rows[i].m_originalContactPoint;
        if (owner == std::exchange(last, owner)) continue;
        auto* joint = static_cast<btTypedConstraint*>(rows[i].m_originalContactPoint);
        if (auto* own = dynamic_cast<YieldJoint*>(joint)) look(*own, i);
    }
}

/// Whether a joint gives way in the solve that these rows are of, or stops to do so.
bool gives_way(const YieldJoint& joint, const btConstraintArray& rows, int first) {
    if (joint.gave_way()) return true;
    for (int i = first; i < std::min(first + YieldJoint::kRows, rows.size()); ++i) {
        if (YieldJoint::is_at_limit(rows[i].m_appliedImpulse, rows[i].m_upperLimit)) return true;
    }
    return false;
}

}  // namespace

btScalar parting(const btSolverConstraint& row, const btSolverBody& a, const btSolverBody& b,
                 bool with_forces) {
    const btScalar share = with_forces ? btScalar(1) : btScalar(0);
    return row.m_contactNormal1.dot(a.m_linearVelocity + share * a.m_externalForceImpulse) +
           row.m_relpos1CrossNormal.dot(a.m_angularVelocity + share * a.m_externalTorqueImpulse) +
           row.m_contactNormal2.dot(b.m_linearVelocity + share * b.m_externalForceImpulse) +
           row.m_relpos2CrossNormal.dot(b.m_angularVelocity + share * b.m_externalTorqueImpulse);
}

int MeanMoves::first_of(int body) {
    auto at = static_cast<std::size_t>(body);
    while (links_[at] != static_cast<int>(at)) {
        links_[at] = links_[static_cast<std::size_t>(links_[at])];
        at = static_cast<std::size_t>(links_[at]);
    }
    return static_cast<int>(at);
}

// What cannot move links nothing.
void MeanMoves::link(const btAlignedObjectArray<btSolverBody>& bodies,
                     const btSolverConstraint& row) {
    if (!can_move(bodies[row.m_solverBodyIdA]) || !can_move(bodies[row.m_solverBodyIdB])) return;
    const int a = first_of(row.m_solverBodyIdA), b = first_of(row.m_solverBodyIdB);
    links_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

void MeanMoves::look_at_joints(const btAlignedObjectArray<btSolverBody>& bodies,
                               const btConstraintArray& joints) {
    visit_joints(joints, [&](const YieldJoint& joint, int first) {
        const bool gives = gives_way(joint, joints, first);
        for (const int id : {joints[first].m_solverBodyIdA, joints[first].m_solverBodyIdB}) {
            if (!can_move(bodies[id])) continue;
            Cluster& cluster = clusters_[static_cast<std::size_t>(first_of(id))];
            cluster.gives_way |= gives;
            cluster.is_struck |= joint.is_ending();
        }
    });
}

void MeanMoves::look_at_contacts(const btAlignedObjectArray<btSolverBody>& bodies,
                                 const btConstraintArray& contacts) {
    for (int i = 0; i < contacts.size(); ++i) {
        const btSolverConstraint& row = contacts[i];
        const int a = row.m_solverBodyIdA, b = row.m_solverBodyIdB;
        const bool strikes =
            row.m_appliedImpulse > 0 && -parting(row, bodies[a], bodies[b], false) > kImpactSpeed;
        if (!strikes) continue;
        for (const int id : {a, b})
            clusters_[static_cast<std::size_t>(first_of(id))].is_struck = true;
    }
}

void MeanMoves::settle_debts(const btAlignedObjectArray<btSolverBody>& bodies,
                             const btConstraintArray& joints) {
    visit_joints(joints, [&](YieldJoint& joint, int first) {
        if (!gives_way(joint, joints, first)) return;
        const int a = joints[first].m_solverBodyIdA, b = joints[first].m_solverBodyIdB;
        Cluster& cluster =
            clusters_[static_cast<std::size_t>(first_of(can_move(bodies[b]) ? b : a))];
        if (cluster.is_struck) {
            joint.owe_step();
        } else {
            cluster.owed_steps = std::max(cluster.owed_steps, joint.take_owed_steps());
        }
    });
}

void MeanMoves::add(const btAlignedObjectArray<btSolverBody>& bodies,
                    const btConstraintArray& joints, const btConstraintArray& contacts, btScalar dt,
                    std::vector<LateMove>& moves) {
    bool is_any = false;
    visit_joints(joints, [&](const YieldJoint& joint, int first) {
        is_any = is_any || gives_way(joint, joints, first);
    });
    if (!is_any) return;
    links_.resize(static_cast<std::size_t>(bodies.size()));
    std::iota(links_.begin(), links_.end(), 0);
    clusters_.assign(links_.size(), {});
    for (int i = 0; i < joints.size(); ++i) link(bodies, joints[i]);
    for (int i = 0; i < contacts.size(); ++i) {
        if (contacts[i].m_appliedImpulse > 0) link(bodies, contacts[i]);
    }
    look_at_joints(bodies, joints);
    look_at_contacts(bodies, contacts);
    settle_debts(bodies, joints);
    for (int i = 0; i < bodies.size(); ++i) {
        const btSolverBody& body = bodies[i];
        const Cluster& cluster = clusters_[static_cast<std::size_t>(first_of(i))];
        if (!can_move(body) || !cluster.gives_way || cluster.is_struck) continue;
        const btScalar late = dt / 2 * btScalar(1 + cluster.owed_steps);
        moves.push_back({body.m_originalBody,
                         late * (body.m_deltaLinearVelocity + body.m_externalForceImpulse),
                         late * (body.m_deltaAngularVelocity + body.m_externalTorqueImpulse)});
    }
}

}  // namespace ductile
