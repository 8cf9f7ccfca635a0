// SPDX-License-Identifier: MIT
#pragma once

#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <btBulletDynamicsCommon.h>

#include <functional>
#include <memory>
#include <vector>

/// A Bullet world as it comes, with copies of another world's rigid bodies where they are now: the
/// same pieces as btConvexHullShape, the same masses, speeds, frictions and restitutions, Bullet's
/// own broadphase. The rival of a bench; the other world must outlive it.
class PlainWorld {
public:
    /// Another shape for a body; null: a copy of its own.
    using ShapeOf = std::function<std::unique_ptr<btCollisionShape>(const btRigidBody&)>;

    explicit PlainWorld(btDynamicsWorld& other, const ShapeOf& shape_of = {}) {
        world_.setGravity(other.getGravity());
        world_.getSolverInfo().m_numIterations = other.getSolverInfo().m_numIterations;
        world_.getSolverInfo().m_splitImpulse = other.getSolverInfo().m_splitImpulse;
        btCollisionObjectArray& objects = other.getCollisionObjectArray();
        for (int i = 0; i < objects.size(); ++i) {
            if (const btRigidBody* body = btRigidBody::upcast(objects[i])) add(*body, shape_of);
        }
    }
    ~PlainWorld() {
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    PlainWorld(const PlainWorld&) = delete;
    PlainWorld& operator=(const PlainWorld&) = delete;

    btCollisionDispatcher& dispatcher() { return dispatcher_; }
    void step(double dt) { world_.stepSimulation(btScalar(dt), 0, btScalar(dt)); }

private:
    void add(const btRigidBody& body, const ShapeOf& shape_of) {
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
        world_.addRigidBody(copy.get());
        bodies_.push_back(std::move(copy));
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

    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
};
