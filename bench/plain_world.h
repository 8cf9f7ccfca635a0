// SPDX-License-Identifier: MIT
#pragma once

#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <btBulletDynamicsCommon.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

/// Six rows that hold two bodies together, as cheap as a joint of Bullet's can be: nothing is
/// measured and nothing pulled back.
class HoldingJoint final : public btTypedConstraint {
public:
    HoldingJoint(btRigidBody& a, btRigidBody& b) : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b) {
        in_a_ = a.getWorldTransform().invXform(
            (a.getCenterOfMassPosition() + b.getCenterOfMassPosition()) / 2);
    }
    void getInfo1(btConstraintInfo1* info) override {
        info->m_numConstraintRows = 6;
        info->nub = 0;
    }
    void getInfo2(btConstraintInfo2* info) override {
        const btVector3 place = m_rbA.getWorldTransform() * in_a_;
        const btVector3 from_a = place - m_rbA.getCenterOfMassPosition();
        const btVector3 from_b = place - m_rbB.getCenterOfMassPosition();
        for (int k = 0; k < 3; ++k) {
            btVector3 axis(0, 0, 0);
            axis[k] = 1;
            const btVector3 turn_a = from_a.cross(axis), turn_b = -from_b.cross(axis);
            const int row = k * info->rowskip, angular = (k + 3) * info->rowskip;
            for (int i = 0; i < 3; ++i) {
                info->m_J1linearAxis[row + i] = axis[i];
                info->m_J2linearAxis[row + i] = -axis[i];
                info->m_J1angularAxis[row + i] = turn_a[i];
                info->m_J2angularAxis[row + i] = turn_b[i];
                info->m_J1angularAxis[angular + i] = axis[i];
                info->m_J2angularAxis[angular + i] = -axis[i];
            }
        }
    }
    void setParam(int, btScalar, int) override {}
    btScalar getParam(int, int) const override { return 0; }

private:
    btVector3 in_a_;
};

/// A Bullet world as it comes, with copies of another world's rigid bodies where they are now: the
/// same pieces as btConvexHullShape, the same masses, speeds, frictions and restitutions, as awake
/// as they are, and a joint that holds all for every joint, Bullet's own broadphase. The rival of a
/// bench; the other world must outlive it.
class PlainWorld {
public:
    /// Another shape for a body; null: a copy of its own.
    using ShapeOf = std::function<std::unique_ptr<btCollisionShape>(const btRigidBody&)>;

    /// A number of the thing that a body is a part of: parts of one never collide.
    using WholeOf = std::function<int(const btRigidBody&)>;

    explicit PlainWorld(btDynamicsWorld& other, const ShapeOf& shape_of = {},
                        const WholeOf& whole_of = {}) {
        if (whole_of) broadphase_.getOverlappingPairCache()->setOverlapFilterCallback(&filter_);
        world_.setGravity(other.getGravity());
        world_.getSolverInfo().m_numIterations = other.getSolverInfo().m_numIterations;
        world_.getSolverInfo().m_splitImpulse = other.getSolverInfo().m_splitImpulse;
        btCollisionObjectArray& objects = other.getCollisionObjectArray();
        for (int i = 0; i < objects.size(); ++i) {
            if (const btRigidBody* body = btRigidBody::upcast(objects[i]))
                add(*body, shape_of, whole_of);
        }
        for (int i = 0; i < other.getNumConstraints(); ++i) tie(*other.getConstraint(i));
    }
    ~PlainWorld() {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    PlainWorld(const PlainWorld&) = delete;
    PlainWorld& operator=(const PlainWorld&) = delete;

    btCollisionDispatcher& dispatcher() { return dispatcher_; }
    void step(double dt) { world_.stepSimulation(btScalar(dt), 0, btScalar(dt)); }

private:
    /// As without it, and parts of one thing do not collide.
    struct PartFilter final : btOverlapFilterCallback {
        bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
            const auto whole = [](const btBroadphaseProxy& proxy) {
                return static_cast<btCollisionObject*>(proxy.m_clientObject)->getUserIndex();
            };
            return (a->m_collisionFilterGroup & b->m_collisionFilterMask) != 0 &&
                   (b->m_collisionFilterGroup & a->m_collisionFilterMask) != 0 &&
                   whole(*a) != whole(*b);
        }
    };

    void add(const btRigidBody& body, const ShapeOf& shape_of, const WholeOf& whole_of) {
        const btCollisionShape* shape = nullptr;
        if (auto other = shape_of ? shape_of(body) : nullptr) {
            shape = other.get();
            shapes_.push_back(std::move(other));
        } else {
            shape = plain(*body.getCollisionShape());
        }
        const btScalar mass = body.getInvMass() > 0 ? 1 / body.getInvMass() : 0;
        btVector3 moments(0, 0, 0);
        const btVector3& inverse = body.getInvInertiaDiagLocal();
        if (mass > 0) moments.setValue(1 / inverse.x(), 1 / inverse.y(), 1 / inverse.z());
        btRigidBody::btRigidBodyConstructionInfo info(
            mass, nullptr, const_cast<btCollisionShape*>(shape), moments);
        info.m_startWorldTransform = body.getWorldTransform();
        info.m_friction = body.getFriction();
        info.m_restitution = body.getRestitution();
        info.m_linearDamping = body.getLinearDamping();
        info.m_angularDamping = body.getAngularDamping();
        auto copy = std::make_unique<btRigidBody>(info);
        copy->setLinearVelocity(body.getLinearVelocity());
        copy->setAngularVelocity(body.getAngularVelocity());
        if (whole_of) copy->setUserIndex(whole_of(body));
        world_.addRigidBody(copy.get());
        copy->forceActivationState(body.getActivationState());
        copy->setDeactivationTime(body.getDeactivationTime());
        copies_[&body] = copy.get();
        bodies_.push_back(std::move(copy));
    }

    void tie(const btTypedConstraint& joint) {
        btRigidBody& a = *copies_.at(&joint.getRigidBodyA());
        btRigidBody& b = *copies_.at(&joint.getRigidBodyB());
        joints_.push_back(std::make_unique<HoldingJoint>(a, b));
        world_.addConstraint(joints_.back().get(), true);
    }

    const btCollisionShape* plain(const btCollisionShape& shape) {
        if (!shape.isCompound()) return &shape;
        const auto& pieces = static_cast<const btCompoundShape&>(shape);
        auto compound = std::make_unique<btCompoundShape>();
        for (int i = 0; i < pieces.getNumChildShapes(); ++i) {
            const auto& piece =
                static_cast<const btPolyhedralConvexShape&>(*pieces.getChildShape(i));
            auto hull = std::make_unique<btConvexHullShape>();
            for (int k = 0; k < piece.getNumVertices(); ++k) {
                btVector3 vertex;
                piece.getVertex(k, vertex);
                hull->addPoint(vertex, false);
            }
            hull->recalcLocalAabb();
            hull->setMargin(piece.getMargin());
            compound->addChildShape(pieces.getChildTransform(i), hull.get());
            shapes_.push_back(std::move(hull));
        }
        shapes_.push_back(std::move(compound));
        return shapes_.back().get();
    }

    PartFilter filter_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::map<const btRigidBody*, btRigidBody*> copies_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
};
