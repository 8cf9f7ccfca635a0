// SPDX-License-Identifier: MIT
// What happens around and within a step: books, guards, remembered motions.
#include <ductile/engine/bullet/bullet_impl.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

// Bullet turns a body by a quarter turn per sub-step at most; a spin beyond this is no motion.
constexpr double kRunawaySpin = 1e5;  // [rad/s]
// Bullet's gyroscopic impulse is one step of Newton's method: where a body turns further than this
// in a step it goes wrong, and energy grows: 15-fold for a plate at 5 rad.
constexpr double kGyroscopicTurn = 0.5;  // [rad]

btVector3 damped(const btVector3& v, btScalar damping, btScalar dt) {
    return damping == 0 ? v : v * btPow(btScalar(1) - damping, dt);
}

bool is_dynamic(const btRigidBody* rigid) {
    return rigid != nullptr && !rigid->isStaticOrKinematicObject() && rigid->getInvMass() > 0;
}

/// Change of the velocity along `normal`, at `arm` from the centre of mass, per impulse there
/// [1/kg].
btScalar impulse_give(const btRigidBody& rigid, const btVector3& arm, const btVector3& normal) {
    const btVector3 turn = (arm.cross(normal)) * rigid.getInvInertiaTensorWorld();
    return rigid.getInvMass() + normal.dot(turn.cross(arm));
}

Transform moved_on(const Transform& pose, const Vec3& velocity, const Vec3& spin, double dt) {
    const double angle = spin.norm() * dt;
    Transform out{pose.rotation, pose.translation + dt * velocity};
    if (angle > 0) out.rotation = Quat(Eigen::AngleAxisd(angle, spin.normalized())) * pose.rotation;
    return out;
}

}  // namespace

double kinetic_energy(const btRigidBody& rigid, const btMatrix3x3& basis, const btVector3& velocity,
                      const btVector3& spin) {
    const Vec3 along = from_bt(basis).transpose() * from_bt(spin);
    const Vec3 inverse = from_bt(rigid.getInvInertiaDiagLocal());
    double twice = from_bt(velocity).squaredNorm() / rigid.getInvMass();
    for (int k = 0; k < 3; ++k) {
        if (inverse[k] > 0) twice += along[k] * along[k] / inverse[k];
    }
    return 0.5 * twice;
}

void BulletEngine::Impl::begin_step() {
    if (!own_world) drop_lost();
    guard();
    batch_count = 0;
    gathered_count = -1;
    marks = {};
    remember();
    for (const Snapshot& s : snapshots) marks.before += s.kinetic;
}

void BulletEngine::Impl::limit_gyroscopic(double dt) {
    for (const auto& body : bodies) {
        if (!body || !body->is_ours || !is_dynamic(body->rigid)) continue;
        const double turn = dt * from_bt(body->rigid->getAngularVelocity()).norm();
        const int flag = BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY;
        const int others = body->rigid->getFlags() & ~flag;
        body->rigid->setFlags(turn > kGyroscopicTurn ? others : others | flag);
    }
}

void BulletEngine::Impl::end_step() {
    const btCollisionObjectArray& objects = world->getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) {
        const btRigidBody* rigid = btRigidBody::upcast(objects[i]);
        if (!is_dynamic(rigid) || !rigid->isActive()) continue;
        marks.after += kinetic_energy(*rigid, rigid->getWorldTransform().getBasis(),
                                      rigid->getLinearVelocity(), rigid->getAngularVelocity());
    }
    // Somebody else's actions and callbacks push bodies where we cannot see it.
    if (!own_world) {
        marks.forces +=
            marks.after - (marks.before + marks.forces + marks.contacts + marks.integration);
    }
}

void BulletEngine::Impl::move_kinematic(double dt) {
    for (const auto& body : bodies) {
        if (!body || !body->is_ours || body->motion != Motion::Kinematic) continue;
        if (body->velocity_w.isZero(0) && body->spin_w.isZero(0)) continue;
        const btTransform from = body->rigid->getWorldTransform();
        place(*body, moved_on(body->pose(), body->velocity_w, body->spin_w, dt));
        // Bullet takes the velocity of a kinematic body from where it was to where it is.
        body->rigid->setInterpolationWorldTransform(from);
        body->rigid->activate(true);
    }
}

void BulletEngine::Impl::remember() {
    const btCollisionObjectArray& objects = world->getCollisionObjectArray();
    snapshots.resize(objects.size());
    for (int i = 0; i < objects.size(); ++i) {
        const btRigidBody* rigid = btRigidBody::upcast(objects[i]);
        Snapshot& s = snapshots[i];
        s.object = nullptr;
        s.kinetic = 0;
        s.is_mended = false;
        if (!is_dynamic(rigid)) continue;
        s.object = rigid;
        s.com = rigid->getWorldTransform();
        if (rigid->isActive()) {
            s.velocity = rigid->getLinearVelocity();
            s.spin = rigid->getAngularVelocity();
            s.kinetic = kinetic_energy(*rigid, s.com.getBasis(), s.velocity, s.spin);
        } else {  // Bullet stops what sleeps only after the actions.
            s.velocity.setZero();
            s.spin.setZero();
        }
        if (BulletBody* body = find(rigid); body != nullptr) body->good_com = s.com;
    }
}

const Snapshot* BulletEngine::Impl::snapshot(const btCollisionObject& object) const {
    const int place = object.getWorldArrayIndex();
    if (place < 0 || place >= static_cast<int>(snapshots.size())) return nullptr;
    return snapshots[place].object == &object ? &snapshots[place] : nullptr;
}

// As Bullet's solver sets it up: damping first, then forces, then its own gyroscopic impulse.
std::pair<btVector3, btVector3> BulletEngine::Impl::presolve(const Snapshot& before,
                                                             const btRigidBody& rigid,
                                                             btScalar dt) {
    if (!rigid.isActive()) return {before.velocity, before.spin};
    btVector3 velocity = damped(before.velocity, rigid.getLinearDamping(), dt);
    btVector3 spin = damped(before.spin, rigid.getAngularDamping(), dt);
    btVector3 gyroscopic(0, 0, 0);
    const btMatrix3x3& basis = before.com.getBasis();
    const btMatrix3x3 inverse = basis.scaled(rigid.getInvInertiaDiagLocal()) * basis.transpose();
    const int flags = rigid.getFlags();
    if ((flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY) != 0 && !spin.isZero()) {
        scratch->setWorldTransform(before.com);
        scratch->setInvInertiaDiagLocal(rigid.getInvInertiaDiagLocal());
        scratch->setAngularVelocity(spin);
        gyroscopic = scratch->computeGyroscopicImpulseImplicit_Body(dt);
    }
    velocity += rigid.getTotalForce() * (rigid.getInvMass() * dt);
    spin += rigid.getTotalTorque() * inverse * dt + gyroscopic;
    return {velocity, spin};
}

void BulletEngine::Impl::updateAction(btCollisionWorld*, btScalar dt) {
    time += dt;
    gathered_count = -1;
    guard();
    if (own_world) return_swept(dt);
    book(dt);
    gather(dt);
    keep_awake();
    for (const JointRecord& record : joints) {
        if (!record.joint) continue;
        const bool is_solved =
            record.joint->getRigidBodyA().isActive() || record.joint->getRigidBodyB().isActive();
        is_solved ? record.joint->yield(dt) : record.joint->rest();
    }
    remember();
}

void BulletEngine::Impl::return_swept(btScalar dt) {
    const auto& manifolds = own_world->swept_contacts();
    for (int i = 0; i < manifolds.size(); ++i) {
        btPersistentManifold& manifold = *manifolds[i];
        // Both are rigid: a predicted contact is one of the world's own rigid bodies.
        auto* a = btRigidBody::upcast(const_cast<btCollisionObject*>(manifold.getBody0()));
        auto* b = btRigidBody::upcast(const_cast<btCollisionObject*>(manifold.getBody1()));
        if (a == nullptr || b == nullptr) continue;
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            return_swept(manifold.getContactPoint(k), *a, *b, dt);
        }
    }
}

void BulletEngine::Impl::return_swept(btManifoldPoint& point, btRigidBody& a, btRigidBody& b,
                                      btScalar dt) {
    const btScalar restitution = a.getRestitution() * b.getRestitution();
    if (!(point.m_appliedImpulse > 0) || !(restitution > 0)) return;
    const btVector3& to_a = point.m_normalWorldOnB;
    // Both have moved on since they were solved: arms are taken from where they were.
    const auto centre = [&](const btRigidBody& rigid) {
        const Snapshot* s = snapshot(rigid);
        return s == nullptr ? rigid.getCenterOfMassPosition() : s->com.getOrigin();
    };
    const btVector3 from_a = point.getPositionWorldOnA() - centre(a);
    const btVector3 from_b = point.getPositionWorldOnB() - centre(b);
    const auto before = [&](const btRigidBody& rigid, const btVector3& arm) {
        const Snapshot* s = snapshot(rigid);
        if (s == nullptr) return rigid.getVelocityInLocalPoint(arm);
        const auto [velocity, spin] = presolve(*s, rigid, dt);
        return velocity + spin.cross(arm);
    };
    const btScalar approach = -to_a.dot(before(a, from_a) - before(b, from_b));
    if (!(approach > world->getSolverInfo().m_restitutionVelocityThreshold)) return;
    const btScalar parting =
        to_a.dot(a.getVelocityInLocalPoint(from_a) - b.getVelocityInLocalPoint(from_b));
    const btScalar missing = restitution * approach - parting;
    const btScalar give = impulse_give(a, from_a, to_a) + impulse_give(b, from_b, to_a);
    if (!(missing > 0) || !(give > 0)) return;
    const btVector3 impulse = (missing / give) * to_a;
    a.applyImpulse(impulse, from_a);
    b.applyImpulse(-impulse, from_b);
    point.m_appliedImpulse += missing / give;
    point.m_combinedRestitution = restitution;
}

// Bullet counts how long a body has been slow right after the actions, and asks for nothing else.
void BulletEngine::Impl::keep_awake() {
    for (const auto& body : bodies) {
        if (!body || !body->is_ours || body->motion != Motion::Dynamic) continue;
        if (!body->rigid->isActive() || has_support(*body->rigid)) continue;
        body->rigid->setDeactivationTime(0);
        body->rigid->setActivationState(ACTIVE_TAG);  // no effect where sleep is forbidden
    }
}

void BulletEngine::Impl::book(btScalar dt) {
    island_work.assign(snapshots.size() + 1, 0.0);
    const btCollisionObjectArray& objects = world->getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) {
        const Snapshot* before = snapshot(*objects[i]);
        if (before == nullptr) continue;
        const btRigidBody& rigid = *btRigidBody::upcast(objects[i]);
        if (!rigid.isActive() || before->is_mended) {
            marks.forces -= before->kinetic;
            continue;
        }
        const auto [velocity, spin] = presolve(*before, rigid, dt);
        const btMatrix3x3& basis = before->com.getBasis();
        const double free = kinetic_energy(rigid, basis, velocity, spin);
        const double solved =
            kinetic_energy(rigid, basis, rigid.getLinearVelocity(), rigid.getAngularVelocity());
        const double turned = kinetic_energy(rigid, rigid.getWorldTransform().getBasis(),
                                             rigid.getLinearVelocity(), rigid.getAngularVelocity());
        marks.forces += free - before->kinetic;
        marks.contacts += solved - free;
        marks.integration += turned - solved;
        const int island = rigid.getIslandTag();
        if (island >= 0 && island < static_cast<int>(island_work.size())) {
            island_work[island] += solved - free;
        }
    }
    for (double work : island_work) marks.gained += std::max(work, 0.0);
}

void BulletEngine::Impl::guard() {
    for (const auto& body : bodies) {
        if (!body || !body->is_ours || body->motion != Motion::Dynamic) continue;
        if (!body->rigid->isActive() || !mend(*body)) continue;
        const int place = body->object->getWorldArrayIndex();
        if (snapshot(*body->object) != nullptr) snapshots[place].is_mended = true;
    }
}

bool BulletEngine::Impl::mend(BulletBody& body) {
    btRigidBody& rigid = *body.rigid;
    const double speed = from_bt(rigid.getLinearVelocity()).norm();
    const double spin = from_bt(rigid.getAngularVelocity()).norm();
    const bool is_placed = is_finite(rigid.getWorldTransform());
    if (is_placed && speed <= options.runaway_speed && spin <= kRunawaySpin) return false;
    const bool is_number = is_placed && std::isfinite(speed) && std::isfinite(spin);
    warn(body, is_number ? "ran away and was stopped" : "motion was not finite and was reset");
    rigid.setWorldTransform(body.good_com);
    rigid.setInterpolationWorldTransform(body.good_com);
    for (const auto set : {&btRigidBody::setLinearVelocity, &btRigidBody::setAngularVelocity}) {
        (rigid.*set)(btVector3(0, 0, 0));
    }
    rigid.setInterpolationLinearVelocity(btVector3(0, 0, 0));
    rigid.setInterpolationAngularVelocity(btVector3(0, 0, 0));
    rigid.clearForces();
    rigid.updateInertiaTensor();
    // Its contacts remember impulses that would be applied again.
    world->getBroadphase()->getOverlappingPairCache()->cleanProxyFromPairs(
        rigid.getBroadphaseHandle(), world->getDispatcher());
    gathered_count = -1;
    return true;
}

}  // namespace ductile
