// SPDX-License-Identifier: MIT
// Hinges that give way are asked in bullet_joint_test.cpp.
#include <ductile/engine/bullet/mean_moves.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <vector>

using namespace ductile;

namespace {

/// A body that only moves, by (0, speed, 0), and turns about z.
btSolverBody moving(btScalar speed, btScalar spin) {
    btSolverBody body;
    body.m_linearVelocity.setValue(0, speed, 0);
    body.m_angularVelocity.setValue(0, 0, spin);
    body.m_externalForceImpulse.setValue(0, btScalar(-0.5), 0);
    body.m_externalTorqueImpulse.setZero();
    return body;
}

}  // namespace

TEST_CASE("places of a row part by what their bodies move and turn") {
    btSolverConstraint row;
    row.m_contactNormal1.setValue(0, 1, 0);
    row.m_contactNormal2.setValue(0, -1, 0);
    // The place is 2 m along x from the first body's centre, 1 m against it from the second's.
    row.m_relpos1CrossNormal.setValue(0, 0, 2);
    row.m_relpos2CrossNormal.setValue(0, 0, 1);
    const btSolverBody a = moving(3, 5), b = moving(-1, 7);
    CHECK(test::near(parting(row, a, b, false), 3 + 2 * 5 + 1 + 7));
    // Both fall alike.
    CHECK(test::near(parting(row, a, b, true), 3 + 2 * 5 + 1 + 7));
    btSolverBody held = moving(0, 0);
    held.m_externalForceImpulse.setZero();
    CHECK(test::near(parting(row, a, held, true), 3 - 0.5 + 2 * 5));
}

TEST_CASE("without a joint that gives way nothing moves otherwise than Bullet has it") {
    btAlignedObjectArray<btSolverBody> bodies;
    bodies.push_back(moving(3, 5));
    bodies.push_back(moving(-1, 7));
    std::vector<LateMove> moves;
    MeanMoves().add(bodies, {}, {}, btScalar(1.0 / 240), moves);
    CHECK(moves.empty());
}
