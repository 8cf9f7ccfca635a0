// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_math.h>
#include <ductile/engine/bullet/sweeping_world.h>

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>

#include <algorithm>
#include <vector>

namespace ductile {

namespace {

// Bodies of pieces are stopped only if they would else go this far in, in radii of the ball within:
// less is left to the usual contacts, as what slides along something fast always goes in a little.
constexpr btScalar kDepthLeft = 0.25;
// Margin of pieces that have none of their own, in the same radii.
constexpr btScalar kPadding = 0.02;

/// What is moved from outside stands at the end of its way before the step begins.
btVector3 velocity_of(const btCollisionObject& object) {
    const btRigidBody* rigid = btRigidBody::upcast(&object);
    const bool moves = rigid != nullptr && !rigid->isStaticOrKinematicObject() && rigid->isActive();
    return moves ? rigid->getLinearVelocity() : btVector3(0, 0, 0);
}

bool is_swept(const btRigidBody& body) {
    return body.isActive() && !body.isStaticOrKinematicObject() &&
           body.getCcdSquareMotionThreshold() > 0;
}

bool is_of_pieces(const btRigidBody& body) { return body.getCollisionShape()->isCompound(); }

/// Of two that are both swept the smaller one looks for the other, or both would be stopped.
bool looks_for(const btRigidBody& body, const btCollisionObject& other) {
    const btRigidBody* rigid = btRigidBody::upcast(&other);
    if (rigid == nullptr || !is_swept(*rigid)) return true;
    const btScalar own = body.getCcdSweptSphereRadius(), others = rigid->getCcdSweptSphereRadius();
    return own < others ||
           (own == others && body.getWorldArrayIndex() > rigid->getWorldArrayIndex());
}

/// Where a body ends up without what impulses moved it by before they acted.
btTransform taken_back(const btTransform& end, const LateMove& late) {
    Transform out = from_bt(end);
    out.translation -= from_bt(late.way);
    const Vec3 turn = -from_bt(late.turn);
    const double angle = turn.norm();
    if (angle > 0) out.rotation = Quat(Eigen::AngleAxisd(angle, turn / angle)) * out.rotation;
    return to_bt(out);
}

/// The first touch of surfaces that come nearer.
struct FirstTouch final : btCollisionWorld::ConvexResultCallback {
    btVector3 way, normal;

    explicit FirstTouch(const btVector3& w) : way(w), normal(0, 0, 0) {}

    btScalar addSingleResult(btCollisionWorld::LocalConvexResult& touch, bool is_world) override {
        const btMatrix3x3& basis = touch.m_hitCollisionObject->getWorldTransform().getBasis();
        const btVector3 normal_w =
            is_world ? touch.m_hitNormalLocal : basis * touch.m_hitNormalLocal;
        // Those that overlap from the start have contacts of the usual kind.
        if (!(touch.m_hitFraction > 0 && normal_w.dot(way) < 0)) return m_closestHitFraction;
        m_closestHitFraction = touch.m_hitFraction;
        normal = normal_w;
        return m_closestHitFraction;
    }
};

/// A piece with a margin. Bullet's sweep goes up to the touch and asks how far apart the shapes are
/// within their margins: of those that have none, and touch, it gets no answer and lets them pass.
class PaddedPiece final : public btConvexInternalShape {
public:
    PaddedPiece(const btConvexShape& piece, btScalar margin) : piece_(piece) {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        setMargin(margin);
    }

    btVector3 localGetSupportingVertexWithoutMargin(const btVector3& way) const override {
        return piece_.localGetSupportingVertexWithoutMargin(way);
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* ways, btVector3* out,
                                                           int count) const override {
        piece_.batchedUnitVectorGetSupportingVertexWithoutMargin(ways, out, count);
    }
    void calculateLocalInertia(btScalar mass, btVector3& inertia) const override {
        piece_.calculateLocalInertia(mass, inertia);
    }
    const char* getName() const override { return "PaddedPiece"; }

private:
    const btConvexShape& piece_;
};

/// Whether a way can lead so far into a body: along a plane it does not.
bool may_go_in(const btCollisionObject& other, const btVector3& way, btScalar depth) {
    if (other.getCollisionShape()->getShapeType() != STATIC_PLANE_PROXYTYPE) return true;
    const auto& plane = static_cast<const btStaticPlaneShape&>(*other.getCollisionShape());
    const btVector3 normal = other.getWorldTransform().getBasis() * plane.getPlaneNormal();
    return -way.dot(normal) >= depth;
}

/// Whether a shape's box on its way meets another box.
bool is_in_way(const btConvexShape& shape, const btTransform& from, const btVector3& way,
               const btVector3& lower, const btVector3& upper) {
    btVector3 low, high;
    shape.getAabb(from, low, high);
    btVector3 low_then = low + way, high_then = high + way;
    low_then.setMin(low);
    high_then.setMax(high);
    return TestAabbAgainstAabb2(low_then, high_then, lower, upper);
}

struct Near final : btBroadphaseAabbCallback {
    std::vector<btCollisionObject*> found;

    bool process(const btBroadphaseProxy* proxy) override {
        found.push_back(static_cast<btCollisionObject*>(proxy->m_clientObject));
        return true;
    }
};

}  // namespace

btScalar SweepingWorld::fastest_speed() const {
    btScalar fastest = 0;
    for (int i = 0; i < m_collisionObjects.size(); ++i) {
        fastest = std::max(fastest, velocity_of(*m_collisionObjects[i]).length());
    }
    return fastest;
}

std::optional<SweepingWorld::Meeting> SweepingWorld::first_meeting(btRigidBody& body,
                                                                   btScalar fastest, btScalar dt) {
    if (!is_swept(body) || !getDispatchInfo().m_useContinuous) return std::nullopt;
    const btVector3 way = velocity_of(body) * dt;
    if (way.length() + fastest * dt <= body.getCcdMotionThreshold()) return std::nullopt;
    btVector3 lower, upper;
    body.getAabb(lower, upper);
    const btVector3 lower_then = lower + way, upper_then = upper + way;
    lower.setMin(lower_then);
    upper.setMax(upper_then);
    const btVector3 around = fastest * dt * btVector3(1, 1, 1);
    Near near;
    m_broadphasePairCache->aabbTest(lower - around, upper + around, near);
    // The tree's order follows its history; of two that are met at once it must not choose.
    std::sort(near.found.begin(), near.found.end(), [](const auto* a, const auto* b) {
        return a->getWorldArrayIndex() < b->getWorldArrayIndex();
    });
    std::optional<Meeting> first;
    for (btCollisionObject* other : near.found) {
        const std::optional<Meeting> next = meeting(body, *other, dt);
        if (next && (!first || next->share < first->share)) first = next;
    }
    return first;
}

std::optional<SweepingWorld::Meeting> SweepingWorld::meeting(btRigidBody& body,
                                                             btCollisionObject& other,
                                                             btScalar dt) {
    if (&other == &body || !other.hasContactResponse() || !looks_for(body, other)) return {};
    const btBroadphaseProxy &own = *body.getBroadphaseProxy(),
                            &others = *other.getBroadphaseHandle();
    const bool may_touch = (own.m_collisionFilterGroup & others.m_collisionFilterMask) != 0 &&
                           (others.m_collisionFilterGroup & own.m_collisionFilterMask) != 0;
    if (!may_touch || !m_dispatcher1->needsResponse(&body, &other)) return {};

    Meeting m;
    m.other = &other;
    m.others_way = velocity_of(other) * dt;
    m.way = velocity_of(body) * dt - m.others_way;
    if (!(m.way.length2() > body.getCcdSquareMotionThreshold())) return {};
    FirstTouch touch(m.way);
    const auto sweep = [&](const btConvexShape& shape, const btTransform& from) {
        const btTransform to(from.getBasis(), from.getOrigin() + m.way);
        objectQuerySingle(&shape, from, to, &other, other.getCollisionShape(),
                          other.getWorldTransform(), touch,
                          getDispatchInfo().m_allowedCcdPenetration);
    };
    const btScalar least = is_of_pieces(body) ? kDepthLeft * body.getCcdSweptSphereRadius() : 0;
    if (is_of_pieces(body)) {
        if (!may_go_in(other, m.way, least)) return {};
        btVector3 lower, upper;
        other.getCollisionShape()->getAabb(other.getWorldTransform(), lower, upper);
        const auto& pieces = static_cast<const btCompoundShape&>(*body.getCollisionShape());
        for (int i = 0; i < pieces.getNumChildShapes(); ++i) {
            const auto& piece = static_cast<const btConvexShape&>(*pieces.getChildShape(i));
            const btTransform from = body.getWorldTransform() * pieces.getChildTransform(i);
            if (!is_in_way(piece, from, m.way, lower, upper)) continue;
            if (piece.getMargin() > 0) {
                sweep(piece, from);
            } else {
                sweep(PaddedPiece(piece, kPadding * body.getCcdSweptSphereRadius()), from);
            }
        }
    } else {
        sweep(btSphereShape(body.getCcdSweptSphereRadius()), body.getWorldTransform());
    }
    if (!(touch.m_closestHitFraction < 1)) return {};
    m.share = touch.m_closestHitFraction;
    m.normal = touch.normal;
    if ((m.share - 1) * m.way.dot(m.normal) < least) return {};
    return m;
}

void SweepingWorld::performDiscreteCollisionDetection() {
    btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
    if (on_contacts) on_contacts();
}

void SweepingWorld::createPredictiveContacts(btScalar dt) {
    releasePredictiveContacts();
    const btScalar fastest = fastest_speed();
    bool are_boxes_new = false;
    for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
        btRigidBody& body = *m_nonStaticRigidBodies[i];
        body.setHitFraction(1);
        if (!is_swept(body) || 2 * fastest * dt <= body.getCcdMotionThreshold()) continue;
        if (!are_boxes_new) updateAabbs();
        are_boxes_new = true;
        // Pieces touch in more than one point: they wait where they touch, and are solved from
        // there.
        if (is_of_pieces(body)) continue;
        if (const auto first = first_meeting(body, fastest, dt)) add_contact(body, *first);
    }
}

void SweepingWorld::add_contact(btRigidBody& body, const Meeting& meeting) {
    const btVector3 way = meeting.way * meeting.share;
    const btVector3& from = body.getWorldTransform().getOrigin();
    const btVector3 touch = from + way;
    btPersistentManifold* manifold = m_dispatcher1->getNewManifold(&body, meeting.other);
    m_predictiveManifolds.push_back(manifold);
    btManifoldPoint point(btVector3(0, 0, 0), meeting.other->getWorldTransform().inverse() * touch,
                          meeting.normal, -way.dot(meeting.normal));
    point.m_combinedRestitution = 0;  // given back by the adapter, once it is stopped
    point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(&body, meeting.other);
    point.m_positionWorldOnA = from;
    point.m_positionWorldOnB = touch;
    manifold->addManifoldPoint(point, true);
}

void SweepingWorld::integrateTransforms(btScalar dt) {
    const btScalar fastest = fastest_speed();
    std::vector<LateMove> late(static_cast<std::size_t>(m_collisionObjects.size()));
    for (const LateMove& move : solver_.take_late_moves()) {
        LateMove& sum = late[static_cast<std::size_t>(move.body->getWorldArrayIndex())];
        sum.body = move.body;
        sum.way += move.way;
        sum.turn += move.turn;
    }
    std::vector<std::pair<btRigidBody*, btTransform>> ends;
    for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
        btRigidBody& body = *m_nonStaticRigidBodies[i];
        body.setHitFraction(1);
        if (!body.isActive() || body.isStaticOrKinematicObject()) continue;
        btTransform end;
        body.predictIntegratedTransform(dt, end);
        if (const auto first = first_meeting(body, fastest, dt)) {
            // From the touch on it goes along with what it met.
            body.predictIntegratedTransform(dt * first->share, end);
            end.setOrigin(end.getOrigin() + first->others_way * (1 - first->share));
            body.setHitFraction(0);
        } else if (const auto& sum = late[static_cast<std::size_t>(body.getWorldArrayIndex())];
                   sum.body != nullptr) {
            end = taken_back(end, sum);
        }
        ends.emplace_back(&body, end);
    }
    for (const auto& [body, end] : ends) body->proceedToTransform(end);
}

}  // namespace ductile
