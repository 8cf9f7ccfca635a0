// SPDX-License-Identifier: MIT
// Bodies come, go and are placed.
#include <ductile/engine/bullet/bullet_impl.h>
#include <ductile/engine/bullet/ground_shape.h>
#include <ductile/engine/engine.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

// About 1 % of the body, at most 2 mm: more shows, less leaves all contacts to the slower
// penetration search.
constexpr double kMarginShare = 0.01;
constexpr double kMarginLimit = 0.002;
// Bullet lets a box's margin be at most this share of its least half extent.
constexpr double kBoxMarginShare = 0.1;
// Bullet looks at where bodies are at the end of a step: what goes further than this in one, in
// radii of the ball within, is stopped where it touches, so that nothing starts from within another
// body and is thrown out of it anywhere.
constexpr double kSweptFrom = 1.4, kSweptRadius = 0.99;
// Rotations this near to unit length are taken as they are, so that a pose reads back bit for bit.
constexpr double kUnitRounding = 1e-14;

Box box_of(const ColliderPiece& piece) {
    Box box;
    for (const Vec3& p : piece.points) box.add(p);
    return box;
}

// Diagonals of the boxes around colliders [m].
double pieces_size(const PieceCollider& collider) {
    Box box;
    for (const ColliderPiece& piece : collider.pieces) box.add(box_of(piece));
    return box.diagonal();
}

double collider_size(const Collider& collider) {
    if (const auto* sphere = std::get_if<SphereCollider>(&collider)) {
        return 2.0 * std::sqrt(3.0) * sphere->radius;
    }
    if (const auto* box = std::get_if<BoxCollider>(&collider)) return box->size.norm();
    if (const auto* capsule = std::get_if<CapsuleCollider>(&collider)) {
        const double width = 2.0 * capsule->radius;
        return Vec3(width, width + capsule->length, width).norm();
    }
    if (const auto* pieces = std::get_if<PieceCollider>(&collider)) return pieces_size(*pieces);
    return 0.0;  // endless, and never moves
}

struct ShapeMaker {
    BulletBody& body;

    void operator()(const SphereCollider& c) const {
        body.own_shape = std::make_unique<btSphereShape>(btScalar(c.radius));
    }
    void operator()(const BoxCollider& c) const {
        auto shape = std::make_unique<btBoxShape>(to_bt(0.5 * c.size));
        shape->setMargin(
            btScalar(std::min(kBoxMarginShare * 0.5 * c.size.minCoeff(), kMarginLimit)));
        body.own_shape = std::move(shape);
    }
    void operator()(const CapsuleCollider& c) const {
        body.own_shape = std::make_unique<btCapsuleShape>(btScalar(c.radius), btScalar(c.length));
    }
    void operator()(const HalfSpaceCollider&) const {
        body.own_shape = std::make_unique<GroundShape>();
        body.own_shape->setMargin(0);
    }
    void operator()(const PieceCollider& c) const {
        body.margin = std::min({c.margin, kMarginShare * pieces_size(c), kMarginLimit});
        auto shape = std::make_unique<PiecesShape>(c.pieces, body.margin, body.com_b);
        body.pieces = shape.get();
        body.own_shape = std::move(shape);
        body.collider = PieceCollider{{}, c.margin};
    }
};

// Of the middle one where there are several: what goes through one comes out at its other side.
double radius_within(const PieceCollider& collider) {
    std::vector<double> radii;
    for (const ColliderPiece& piece : collider.pieces) {
        const Box box = box_of(piece);
        radii.push_back(0.5 * (box.upper - box.lower).minCoeff());
    }
    if (radii.empty()) return 0.0;
    const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
    std::nth_element(radii.begin(), middle, radii.end());
    return *middle;
}

double radius_within(const Collider& collider) {
    if (const auto* sphere = std::get_if<SphereCollider>(&collider)) return sphere->radius;
    if (const auto* box = std::get_if<BoxCollider>(&collider)) return 0.5 * box->size.minCoeff();
    if (const auto* capsule = std::get_if<CapsuleCollider>(&collider)) return capsule->radius;
    if (const auto* pieces = std::get_if<PieceCollider>(&collider)) return radius_within(*pieces);
    return 0.0;
}

std::unique_ptr<btRigidBody> make_rigid(const BulletBody& body, const BodyDesc& desc,
                                        const Vec3& moments) {
    const bool moves = desc.motion == Motion::Dynamic;
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(moves ? desc.mass.mass : 0.0), nullptr,
                                                  body.own_shape.get(),
                                                  to_bt(moves ? moments : Vec3(Vec3::Zero())));
    info.m_friction = btScalar(desc.friction);
    info.m_restitution = bullet_restitution(desc.restitution);
    auto rigid = std::make_unique<btRigidBody>(info);
    if (const double within = radius_within(desc.collider); moves && within > 0) {
        rigid->setCcdMotionThreshold(btScalar(kSweptFrom * within));
        rigid->setCcdSweptSphereRadius(btScalar(kSweptRadius * within));
    }
    if (desc.motion == Motion::Kinematic) {
        rigid->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    }
    return rigid;
}

Motion motion_of(const btCollisionObject& object) {
    if (object.isKinematicObject()) return Motion::Kinematic;
    return object.isStaticObject() || btRigidBody::upcast(&object) == nullptr ? Motion::Static
                                                                              : Motion::Dynamic;
}

MassProperties mass_of(const btRigidBody& rigid) {
    MassProperties mass;
    mass.mass = 1.0 / rigid.getInvMass();
    mass.inertia_b = from_bt(rigid.getLocalInertia()).asDiagonal();
    return mass;
}

/// What its owner may change of a body that is not ours.
void look_again(BulletBody& body) {
    body.rigid = btRigidBody::upcast(body.object);
    body.motion = motion_of(*body.object);
    body.mass = {};
    body.mass.inertia_b.setZero();
    if (body.motion == Motion::Dynamic) body.mass = mass_of(*body.rigid);
}

}  // namespace

bool is_touchable(const btCollisionObject& object) {
    const int type = object.getInternalType();
    const bool is_body =
        type == btCollisionObject::CO_RIGID_BODY || type == btCollisionObject::CO_COLLISION_OBJECT;
    const btBroadphaseProxy* proxy = object.getBroadphaseHandle();
    return is_body && object.hasContactResponse() && proxy != nullptr &&
           proxy->m_collisionFilterMask != 0 && proxy->m_collisionFilterGroup != 0;
}

Result<BodyId> BulletEngine::add(const BodyDesc& desc) {
    if (Status status = check_body(desc); !status) return status.error();
    DUCTILE_ASSERT(!desc.part_of.is_valid() || !impl_->body(desc.part_of).part_of.is_valid(),
                   "a part of a body that is whole");
    if (const auto* collider = std::get_if<PieceCollider>(&desc.collider)) {
        for (const ColliderPiece& piece : collider->pieces) {
            Status status = check_cloud(piece.points);
            if (!status) return Error{status.error().what, desc.name, status.error().hint};
        }
    }
    auto body = std::make_unique<BulletBody>();
    body->name = desc.name;
    body->motion = desc.motion;
    body->watched = desc.watched;
    body->part_of = desc.part_of;
    body->is_ours = true;
    Vec3 moments = Vec3::Zero();
    if (desc.motion == Motion::Dynamic) {
        const PrincipalFrame axes = principal_axes(desc.mass.inertia_b, Quat::Identity());
        body->mass = desc.mass;
        body->com_b = {axes.rotation, desc.mass.centre_b};
        moments = axes.moments;
    } else {
        body->mass.inertia_b.setZero();
    }
    body->collider = desc.collider;
    std::visit(ShapeMaker{*body}, desc.collider);
    body->own_rigid = make_rigid(*body, desc, moments);
    body->object = body->rigid = body->own_rigid.get();
    const BulletOptions& options = impl_->options;
    body->rigid->setSleepingThresholds(btScalar(options.sleep_speed * collider_size(desc.collider)),
                                       btScalar(options.sleep_spin));
    if (desc.motion == Motion::Dynamic) body->mass.inertia_b = body->inertia_b();

    BulletBody& entered = impl_->enter(std::move(body));
    set_motion(entered.id, desc.pose_w, desc.velocity_w, desc.spin_w);
    if (desc.part_of.is_valid()) impl_->ignore_family(entered, true);
    impl_->world->addRigidBody(entered.rigid);
    if (on_body_added) on_body_added(entered.id, *entered.rigid);
    return entered.id;
}

void BulletEngine::remove(BodyId id) {
    BulletBody& body = impl_->body(id);
    for (std::size_t i = 0; i < impl_->joints.size(); ++i) {
        const JointRecord& record = impl_->joints[i];
        if (record.joint && (record.a == id || record.b == id)) {
            remove_joint({static_cast<std::int32_t>(i)});
        }
    }
    impl_->leave(body);
}

BulletBody* BulletEngine::Impl::find(const btCollisionObject* object) {
    const int place = object->getWorldArrayIndex();
    const bool is_placed = place >= 0 && place < static_cast<int>(by_place.size());
    if (is_placed && by_place[place] != nullptr && by_place[place]->object == object) {
        return by_place[place];
    }
    const auto at = by_object.find(object);
    if (at == by_object.end()) return nullptr;
    if (place >= 0) {
        if (!is_placed) by_place.resize(place + 1, nullptr);
        by_place[place] = at->second;
    }
    return at->second;
}

BulletBody& BulletEngine::Impl::enter(std::unique_ptr<BulletBody> body) {
    body->id.value = static_cast<std::int32_t>(bodies.size());
    by_object[body->object] = body.get();
    gathered_count = -1;
    bodies.push_back(std::move(body));
    return *bodies.back();
}

BulletBody& BulletEngine::Impl::adopt(const btCollisionObject& object) {
    auto body = std::make_unique<BulletBody>();
    body->name = "foreign";
    body->object = const_cast<btCollisionObject*>(&object);
    body->place = object.getWorldArrayIndex();
    look_again(*body);
    body->placed_com = body->good_com = object.getWorldTransform();
    body->placed_pose = from_bt(object.getWorldTransform());
    return enter(std::move(body));
}

BulletBody& BulletEngine::Impl::known(const btCollisionObject& object) {
    BulletBody* body = find(&object);
    if (body == nullptr) return adopt(object);
    if (!body->is_ours) look_again(*body);
    return *body;
}

void BulletEngine::Impl::ignore_family(BulletBody& part, bool is_ignored) {
    BulletBody& whole = body(part.part_of);
    std::erase(whole.parts, part.id);
    const auto set = [&](BulletBody& other) {
        part.object->setIgnoreCollisionCheck(other.object, is_ignored);
        other.object->setIgnoreCollisionCheck(part.object, is_ignored);
    };
    set(whole);
    for (const BodyId other : whole.parts) set(body(other));
    if (is_ignored) whole.parts.push_back(part.id);
}

void BulletEngine::Impl::leave(BulletBody& body) {
    if (body.part_of.is_valid()) ignore_family(body, false);
    for (const BodyId part : std::vector(body.parts)) {
        ignore_family(this->body(part), false);
        this->body(part).part_of = {};
    }
    if (body.is_ours) {
        if (engine->on_body_removed) engine->on_body_removed(body.id, *body.rigid);
        // What leant on it must not sleep on in the air.
        for (btPersistentManifold* manifold : manifolds_of(body)) {
            const auto* partner =
                manifold->getBody0() == body.object ? manifold->getBody1() : manifold->getBody0();
            if (!partner->isStaticObject()) partner->activate();
        }
        world->removeRigidBody(body.rigid);
    }
    by_object.erase(body.object);
    by_place.clear();
    gathered_count = -1;
    bodies[body.id.value].reset();
}

// Objects are looked for by address without touching them: they may be gone.
void BulletEngine::Impl::drop_lost() {
    const btCollisionObjectArray& objects = world->getCollisionObjectArray();
    for (const auto& body : bodies) {
        if (!body || body->is_ours) continue;
        if (body->place >= 0 && body->place < objects.size() &&
            objects[body->place] == body->object) {
            continue;
        }
        body->place = objects.findLinearSearch2(body->object);
        if (body->place < 0) leave(*body);
    }
}

void BulletEngine::Impl::place(BulletBody& body, const Transform& pose_w) {
    Transform pose = pose_w;
    if (std::abs(pose.rotation.squaredNorm() - 1.0) > kUnitRounding) pose.rotation.normalize();
    const btTransform com = to_bt(pose * body.com_b);
    body.object->setWorldTransform(com);
    body.object->setInterpolationWorldTransform(com);
    if (body.rigid != nullptr) body.rigid->updateInertiaTensor();
    body.placed_pose = pose;
    body.placed_com = body.good_com = com;
    if (body.object->getBroadphaseHandle() != nullptr) world->updateSingleAabb(body.object);
}

void BulletEngine::Impl::warn(const BulletBody& body, const std::string& what) {
    warnings.push_back(body.name + ": " + what);
}

}  // namespace ductile
