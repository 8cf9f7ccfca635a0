// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/bullet/ordered_solver.h>

#include <btBulletDynamicsCommon.h>

#include <functional>
#include <optional>

namespace ductile {

/// Bullet's world, in which what goes far in a step is stopped where it touches, by its motion
/// relative to what it meets. Bullet's own sweep takes everything else to stand where the step
/// began: two bodies that fly side by side then stop each other, and one that flees is caught.
class SweepingWorld final : public btDiscreteDynamicsWorld {
public:
    SweepingWorld(btDispatcher* dispatcher, btBroadphaseInterface* pairs, OrderedSolver* solver,
                  btCollisionConfiguration* configuration)
        : btDiscreteDynamicsWorld(dispatcher, pairs, solver, configuration), solver_(*solver) {}

    /// Called in every step once contacts are known, before they are solved.
    std::function<void()> on_contacts;

    /// The contacts by which bodies were stopped in the last step.
    const btAlignedObjectArray<btPersistentManifold*>& swept_contacts() const {
        return m_predictiveManifolds;
    }

protected:
    void performDiscreteCollisionDetection() override;
    void createPredictiveContacts(btScalar dt) override;
    void integrateTransforms(btScalar dt) override;

private:
    /// Where the ball within a body first touches another one on its way through a step.
    struct Meeting {
        btCollisionObject* other = nullptr;
        btVector3 way;         ///< Of the ball's centre in the whole step, relative to the other.
        btVector3 others_way;  ///< In the whole step.
        btVector3 normal;      ///< Towards the body, of unit length.
        btScalar share{1};     ///< Of the way and of the step.
    };
    std::optional<Meeting> first_meeting(btRigidBody& body, btScalar fastest, btScalar dt);
    std::optional<Meeting> meeting(btRigidBody& body, btCollisionObject& other, btScalar dt);
    btScalar fastest_speed() const;
    void add_contact(btRigidBody& body, const Meeting& meeting);

    OrderedSolver& solver_;
};

}  // namespace ductile
