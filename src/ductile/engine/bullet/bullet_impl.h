// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/cloud_shape.h>
#include <ductile/engine/bullet/ordered_broadphase.h>
#include <ductile/engine/bullet/ordered_solver.h>
#include <ductile/engine/bullet/sweeping_world.h>
#include <ductile/engine/bullet/yield_joint.h>

#include <btBulletDynamicsCommon.h>

#include <unordered_map>
#include <utility>

namespace ductile {

/// A body as the adapter keeps it, ours or the user's.
struct BulletBody {
    BodyId id;
    std::string name;
    Motion motion = Motion::Static;
    bool watched = false;
    bool is_ours = false;
    Collider collider;    ///< Its kind and size; the pieces themselves are in `pieces`.
    MassProperties mass;  ///< Mass 0 for what cannot be moved.
    Transform com_b;      ///< Centre of mass and principal axes in the body's own frame.
    double margin = 0.0;  ///< Of the collider, outside its surface [m].

    btCollisionObject* object = nullptr;
    btRigidBody* rigid = nullptr;   ///< The same, or null.
    PiecesShape* pieces = nullptr;  ///< The shape, if it is one.
    std::unique_ptr<btCollisionShape> own_shape;
    std::unique_ptr<btRigidBody> own_rigid;

    Transform placed_pose;   ///< The pose last set from outside ...
    btTransform placed_com;  ///< ... and what Bullet was told then: while that stays, so does it.
    btTransform good_com;    ///< Where it last was in order.
    Vec3 velocity_w = Vec3::Zero(), spin_w = Vec3::Zero();  ///< Of a kinematic body.
    bool has_pin_warning = false;
    int place = -1;             ///< In the world's array when last seen; for objects not ours.
    BodyId part_of;             ///< Whose part it is.
    std::vector<BodyId> parts;  ///< Its own.

    /// The inertia that Bullet works with, in the body's own frame [kg m^2].
    Mat3 inertia_b() const {
        const Mat3 r = com_b.rotation.toRotationMatrix();
        const Vec3 moments = from_bt(rigid->getInvInertiaDiagLocal()).cwiseInverse();
        return r * moments.asDiagonal() * r.transpose();
    }
    /// Of the centre of mass, and the spin, world.
    std::pair<Vec3, Vec3> velocities() const {
        if (motion == Motion::Kinematic && is_ours) return {velocity_w, spin_w};
        if (rigid == nullptr) return {Vec3::Zero(), Vec3::Zero()};
        return {from_bt(rigid->getLinearVelocity()), from_bt(rigid->getAngularVelocity())};
    }
    /// Of the body's own frame, now or for another place of its centre of mass.
    Transform pose() const { return pose(object->getWorldTransform()); }
    Transform pose(const btTransform& com) const {
        if (is_same(com, placed_com)) return placed_pose;
        Transform pose_w = from_bt(com) * com_b.inverse();
        pose_w.rotation.normalize();
        return pose_w;
    }
};

/// A movable object as it was when the sub-step began.
struct Snapshot {
    const btCollisionObject* object = nullptr;
    btTransform com;
    btVector3 velocity, spin;
    double kinetic = 0.0;    ///< Counted in the books so far [J]; 0 while asleep.
    bool is_mended = false;  ///< Whether a guard put it back in this sub-step.
};

struct JointRecord {
    BodyId a, b;
    std::unique_ptr<YieldJoint> joint;
};

struct BulletEngine::Impl final : public btActionInterface {
    BulletEngine* engine = nullptr;
    BulletOptions options;

    std::unique_ptr<btDefaultCollisionConfiguration> configuration;
    std::unique_ptr<btCollisionDispatcher> dispatcher;
    std::unique_ptr<OrderedBroadphase> broadphase;
    std::unique_ptr<OrderedSolver> solver;
    std::unique_ptr<SweepingWorld> own_world;
    btDynamicsWorld* world = nullptr;

    std::vector<std::unique_ptr<BulletBody>> bodies;  ///< By id; null once removed.
    std::unordered_map<const btCollisionObject*, BulletBody*> by_object;  ///< Never iterated.
    std::vector<BulletBody*> by_place;  ///< Cache of the above by place in the world's array.
    std::vector<JointRecord> joints;    ///< By id; `joint` null once removed.
    std::vector<std::string> warnings;

    std::vector<Snapshot> snapshots;  ///< By place in the world's array.
    std::vector<ContactBatch> batches;
    std::size_t batch_count = 0;
    EnergyMarks marks;
    double time = 0.0;
    std::vector<double> island_work;       ///< Of the solver in this sub-step, by island [J].
    std::unique_ptr<btRigidBody> scratch;  ///< Asks Bullet for gyroscopic impulses.
    /// Manifolds with contacts when `gather` last looked, and how many there were in all.
    struct Touching {
        btPersistentManifold* manifold;
        const btCollisionObject *first, *second;
    };
    std::vector<Touching> touching;
    int gathered_count = -1;
    const PieceSurfaces* surfaces = nullptr;
    std::vector<char> is_supported;  ///< By place in the world's array, as `touching` has it.

    explicit Impl(const BulletOptions& o);
    ~Impl() override;

    BulletBody& body(BodyId id) const {
        DUCTILE_ASSERT(id.value >= 0 && id.value < static_cast<int>(bodies.size()) &&
                           bodies[id.value] != nullptr,
                       "no such body");
        return *bodies[id.value];
    }
    /// Null for an object without an id.
    BulletBody* find(const btCollisionObject* object);
    BulletBody& adopt(const btCollisionObject& object);
    /// With an id from now on if it had none; one that is not ours as it is now: its owner may have
    /// made it static or changed its mass.
    BulletBody& known(const btCollisionObject& object);
    void drop_lost();
    BulletBody& enter(std::unique_ptr<BulletBody> body);
    void leave(BulletBody& body);
    /// Lets a part and the rest of its family pass through each other, or no longer.
    void ignore_family(BulletBody& part, bool is_ignored);
    void place(BulletBody& body, const Transform& pose_w);
    void warn(const BulletBody& body, const std::string& what);

    /// As many equal sub-steps, of just that time in all.
    void step_parts(double dt, std::int32_t count);
    void begin_step();
    void end_step();
    void move_kinematic(double dt);
    /// Takes the gyroscopic impulse from bodies that turn too far in a step for it.
    void limit_gyroscopic(double dt);
    void remember();
    void updateAction(btCollisionWorld*, btScalar dt) override;
    void debugDraw(btIDebugDraw*) override {}

    /// Drops contacts with faces that lie inside a body, between two of its pieces.
    void drop_inner_contacts();

    /// Swept bodies are stopped where they touch, without rebound: that comes here.
    void return_swept(btScalar dt);
    void return_swept(btManifoldPoint& point, btRigidBody& a, btRigidBody& b, btScalar dt);
    void keep_awake();
    void book(btScalar dt);
    BodyMoment moment(const BulletBody& body, btScalar dt);
    std::pair<btVector3, btVector3> presolve(const Snapshot& before, const btRigidBody& rigid,
                                             btScalar dt);
    const Snapshot* snapshot(const btCollisionObject& object) const;
    void guard();
    bool mend(BulletBody& body);
    void gather(btScalar dt);

    /// Returns the kinetic energy added [J].
    double change_mass(BulletBody& body, const MassProperties& mass);
    double take_mass(BulletBody& body, const MassProperties& mass);
    /// Where Bullet keeps the centre of mass and the axes; contacts and joints go along.
    void set_com(BulletBody& body, const Transform& com_b, const Transform& pose_w);
    struct Ties {
        bool has_joint = false;  ///< Ours.
        bool is_pinned = false;  ///< By a constraint that is not ours.
    };
    Ties ties(const BulletBody& body) const;
    /// Those of a body that have contacts.
    std::vector<btPersistentManifold*> manifolds_of(const BulletBody& body);
    void gather_touching();
    void gather_if_changed();
    void find_supported();
    /// Whether it touches something that cannot be moved, or is tied to it, or does so by way of
    /// others.
    bool has_support(const btCollisionObject& object);
};

/// Whether an object of the world is a body that others can touch: no link, soft body or ghost.
bool is_touchable(const btCollisionObject& object);

/// Kinetic energy of a dynamic body with the given motion and orientation [J].
double kinetic_energy(const btRigidBody& rigid, const btMatrix3x3& basis, const btVector3& velocity,
                      const btVector3& spin);

}  // namespace ductile
