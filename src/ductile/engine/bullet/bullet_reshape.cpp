// SPDX-License-Identifier: MIT
// Gentle reshape: momentum stays, a free body's centre of mass and a held one's frame stay,
// contacts that still hold are kept.
#include <ductile/core/joined_sets.h>
#include <ductile/engine/bullet/bullet_impl.h>

#include <algorithm>
#include <numeric>

namespace ductile {

namespace {

Status check_ids(const PiecesShape& pieces, const Reshape& change) {
    std::vector<std::int32_t> named;
    for (const ColliderPiece& piece : change.moved) {
        if (pieces.find(piece.id) < 0) return Error{"a moved piece is unknown", "", ""};
        named.push_back(piece.id);
    }
    for (const std::int32_t id : change.removed) {
        if (pieces.find(id) < 0) return Error{"a removed piece is unknown", "", ""};
        named.push_back(id);
    }
    for (const ColliderPiece& piece : change.added) {
        const bool is_freed = std::find(change.removed.begin(), change.removed.end(), piece.id) !=
                              change.removed.end();
        if (pieces.find(piece.id) >= 0 && !is_freed) {
            return Error{"an added piece is already there", "", ""};
        }
        if (!is_freed) named.push_back(piece.id);
    }
    std::sort(named.begin(), named.end());
    if (std::adjacent_find(named.begin(), named.end()) != named.end()) {
        return Error{"a piece is named twice", "", ""};
    }
    if (pieces.size() + change.added.size() <= change.removed.size()) {
        return Error{"no piece would be left", "", ""};
    }
    return {};
}

Status check_points(std::span<const ColliderPiece> pieces) {
    for (const ColliderPiece& piece : pieces) {
        if (piece.points.empty()) return Error{"a collider piece has no points", "", ""};
        for (const Vec3& p : piece.points) {
            if (!p.allFinite()) return Error{"a collider point is not finite", "", ""};
        }
    }
    return {};
}

Status check_change(const PiecesShape& pieces, const Reshape& change) {
    if (Status status = check_ids(pieces, change); !status) return status;
    if (Status status = check_points(change.moved); !status) return status;
    if (Status status = check_points(change.added); !status) return status;
    return change.mass != nullptr ? check_mass(*change.mass) : Status{};
}

double reach(std::span<const Vec3> points, const Vec3& direction) {
    double best = points[0].dot(direction);
    for (const Vec3& p : points) best = std::max(best, p.dot(direction));
    return best;
}

const ColliderPiece* moved_piece(const PiecesShape& pieces, const Reshape& change, int child) {
    if (child < 0 || child >= pieces.size()) return nullptr;
    for (const ColliderPiece& piece : change.moved) {
        if (piece.id == pieces.id(child)) return &piece;
    }
    return nullptr;
}

// How the matter at `at_b` moved, from the piece's tracked points by inverse square distances
// (Shepard 1968): exact at the points, where most contacts are. 0 if the points are new ones.
Vec3 matter_shift(const CloudShape& old, const ColliderPiece& piece, const Vec3& at_b) {
    if (old.count() != piece.points.size()) return Vec3::Zero();
    Vec3 sum = Vec3::Zero();
    double weights = 0.0;
    for (std::size_t i = 0; i < piece.points.size(); ++i) {
        const Vec3 was = from_bt(old.point(i));
        const double weight = 1.0 / ((at_b - was).squaredNorm() + 1e-12);
        sum += weight * (piece.points[i] - was);
        weights += weight;
    }
    return sum / weights;
}

// Contacts go along with their surface, or go. Left where they were they would hold a fading shape
// up at the corners Bullet has not looked at lately, each a step's worth higher than the next.
// Along the normal the support plane tells how far (a face contact has no point of its own);
// across it the matter does, and the partner's point goes along.
void follow_surface(const BulletBody& body, const Reshape& change, btPersistentManifold& manifold) {
    const bool is_first = manifold.getBody0() == body.object;
    const btTransform& com = body.object->getWorldTransform();
    const btTransform& partner =
        (is_first ? manifold.getBody1() : manifold.getBody0())->getWorldTransform();
    const Transform pose = body.pose();
    for (int k = manifold.getNumContacts() - 1; k >= 0; --k) {
        btManifoldPoint& p = manifold.getContactPoint(k);
        const int child = is_first ? p.m_index0 : p.m_index1;
        const ColliderPiece* piece = moved_piece(*body.pieces, change, child);
        if (piece == nullptr) continue;
        const CloudShape& old = body.pieces->cloud(child);
        const Vec3 out_w = (is_first ? -1.0 : 1.0) * from_bt(p.m_normalWorldOnB);
        const Vec3 out_b = pose.inverse_direction(out_w);
        const double shift = reach(piece->points, out_b) - old.reach(out_b);
        if (std::abs(shift) > change.contact_tolerance) {
            manifold.removeContactPoint(k);
            continue;
        }
        btVector3& mine = is_first ? p.m_localPointA : p.m_localPointB;
        btVector3& theirs = is_first ? p.m_localPointB : p.m_localPointA;
        // Where it is now: its place in the world was noted before the bodies moved on.
        const Vec3 at_b = pose.inverse_point(from_bt(com * mine));
        Vec3 across_w = pose.direction(matter_shift(old, *piece, at_b));
        across_w -= across_w.dot(out_w) * out_w;
        mine += to_bt(Vec3(across_w + shift * out_w)) * com.getBasis();
        theirs += to_bt(across_w) * partner.getBasis();
    }
}

void carry_contacts(const BulletBody& body, const btTransform& new_from_old,
                    btPersistentManifold& manifold) {
    const bool is_first = manifold.getBody0() == body.object;
    for (int k = 0; k < manifold.getNumContacts(); ++k) {
        btManifoldPoint& p = manifold.getContactPoint(k);
        btVector3& local = is_first ? p.m_localPointA : p.m_localPointB;
        local = new_from_old * local;
    }
}

// The new spin that keeps the angular momentum about the centre of mass. About a fixed point it
// would depend on how fast whoever looks is moving.
void keep_spin_momentum(btRigidBody& rigid, const Mat3& old_basis, const Vec3& old_moments) {
    const Mat3 new_basis = from_bt(rigid.getWorldTransform().getBasis());
    const Vec3 inverse_moments = from_bt(rigid.getInvInertiaDiagLocal());
    const Vec3 spin = from_bt(rigid.getAngularVelocity());
    const Vec3 momentum = old_basis * old_moments.cwiseProduct(old_basis.transpose() * spin);
    const Vec3 along = (new_basis.transpose() * momentum).cwiseProduct(inverse_moments);
    rigid.setAngularVelocity(to_bt(Vec3(new_basis * along)));
    rigid.setInterpolationAngularVelocity(rigid.getAngularVelocity());
}

}  // namespace

BulletEngine::Impl::Ties BulletEngine::Impl::ties(const BulletBody& body) const {
    Ties found;
    for (int i = 0; i < world->getNumConstraints(); ++i) {
        const btTypedConstraint* constraint = world->getConstraint(i);
        if (&constraint->getRigidBodyA() != body.rigid &&
            &constraint->getRigidBodyB() != body.rigid) {
            continue;
        }
        const bool is_own = std::any_of(joints.begin(), joints.end(), [&](const JointRecord& r) {
            return r.joint.get() == constraint;
        });
        (is_own ? found.has_joint : found.is_pinned) = true;
    }
    return found;
}

void BulletEngine::Impl::gather_touching() {
    btDispatcher& all = *world->getDispatcher();
    touching.clear();
    gathered_count = all.getNumManifolds();
    for (int i = 0; i < gathered_count; ++i) {
        btPersistentManifold* manifold = all.getManifoldByIndexInternal(i);
        if (manifold->getNumContacts() == 0) continue;  // most: boxes that overlap in vain
        touching.push_back({manifold, manifold->getBody0(), manifold->getBody1()});
    }
    find_supported();
}

// From what cannot be moved on to all that touches it or is tied to it, by way of others, too.
void BulletEngine::Impl::find_supported() {
    const int count = world->getNumCollisionObjects();
    JoinedSets groups(static_cast<std::size_t>(count));
    is_supported.assign(count, 0);
    const auto join = [&](const btCollisionObject& a, const btCollisionObject& b) {
        const int i = a.isStaticOrKinematicObject() ? -1 : a.getWorldArrayIndex();
        const int j = b.isStaticOrKinematicObject() ? -1 : b.getWorldArrayIndex();
        if (i >= 0 && j >= 0) {
            groups.join(i, j);
        } else if (i >= 0 || j >= 0) {
            is_supported[std::max(i, j)] = 1;
        }
    };
    for (const Touching& t : touching) {
        if (t.first->hasContactResponse() && t.second->hasContactResponse()) {
            join(*t.first, *t.second);
        }
    }
    for (int i = 0; i < world->getNumConstraints(); ++i) {
        const btTypedConstraint& tie = *world->getConstraint(i);
        join(tie.getRigidBodyA(), tie.getRigidBodyB());
    }
    for (int i = 0; i < count; ++i) {
        if (is_supported[i] != 0) is_supported[groups.of(i)] = 1;
    }
    for (int i = 0; i < count; ++i) is_supported[i] = is_supported[groups.of(i)];
}

bool BulletEngine::Impl::has_support(const btCollisionObject& object) {
    gather_if_changed();
    const int place = object.getWorldArrayIndex();
    return place >= 0 && place < static_cast<int>(is_supported.size()) && is_supported[place] != 0;
}

// Between steps manifolds only ever go (with a body that somebody removed), so their number tells.
void BulletEngine::Impl::gather_if_changed() {
    if (world->getDispatcher()->getNumManifolds() != gathered_count) gather_touching();
}

std::vector<btPersistentManifold*> BulletEngine::Impl::manifolds_of(const BulletBody& body) {
    gather_if_changed();
    std::vector<btPersistentManifold*> own;
    for (const Touching& t : touching) {
        if (t.first == body.object || t.second == body.object) own.push_back(t.manifold);
    }
    return own;
}

double BulletEngine::Impl::change_mass(BulletBody& body, const MassProperties& mass) {
    const Ties tied = ties(body);
    if (tied.is_pinned) {
        if (!body.has_pin_warning) warn(body, "held by a foreign constraint, its frame stays");
        body.has_pin_warning = true;
        return 0.0;
    }
    btRigidBody& rigid = *body.rigid;
    Transform pose = body.pose();
    // Nothing within a free body moves its centre of mass. What lies on something moves it by
    // leaning on that; lifted by the difference it would have to fall back at every dent.
    const bool is_free = rigid.isActive() && !tied.has_joint && !has_support(rigid);
    if (is_free) pose.translation -= pose.direction(mass.centre_b - body.com_b.translation);
    const PrincipalFrame axes = principal_axes(mass.inertia_b, body.com_b.rotation);
    const Vec3 moments = axes.moments * (body.mass.mass / mass.mass);
    const Transform new_com_b{axes.rotation, mass.centre_b};
    const Mat3 old_basis = from_bt(rigid.getWorldTransform().getBasis());
    const Vec3 old_moments = from_bt(rigid.getInvInertiaDiagLocal()).cwiseInverse();
    const double before = kinetic_energy(rigid, rigid.getWorldTransform().getBasis(),
                                         rigid.getLinearVelocity(), rigid.getAngularVelocity());
    rigid.setInvInertiaDiagLocal(to_bt(Vec3(moments.cwiseInverse())));
    set_com(body, new_com_b, pose);
    keep_spin_momentum(rigid, old_basis, old_moments);
    return kinetic_energy(rigid, rigid.getWorldTransform().getBasis(), rigid.getLinearVelocity(),
                          rigid.getAngularVelocity()) -
           before;
}

void BulletEngine::Impl::set_com(BulletBody& body, const Transform& com_b,
                                 const Transform& pose_w) {
    const btTransform new_from_old = to_bt(com_b.inverse() * body.com_b);
    body.com_b = com_b;
    body.mass.centre_b = com_b.translation;
    body.mass.inertia_b = body.inertia_b();
    body.pieces->set_frame(body.com_b);
    place(body, pose_w);
    for (btPersistentManifold* manifold : manifolds_of(body)) {
        carry_contacts(body, new_from_old, *manifold);
    }
    for (const JointRecord& record : joints) {
        if (!record.joint || (record.a != body.id && record.b != body.id)) continue;
        record.joint->set_frames(this->body(record.a).com_b, this->body(record.b).com_b);
    }
}

double BulletEngine::Impl::take_mass(BulletBody& body, const MassProperties& mass) {
    btRigidBody& rigid = *body.rigid;
    const Transform pose = body.pose();
    const PrincipalFrame axes = principal_axes(mass.inertia_b, body.com_b.rotation);
    const btMatrix3x3 basis = rigid.getWorldTransform().getBasis();
    const btVector3 spin = rigid.getAngularVelocity();
    const double before = kinetic_energy(rigid, basis, rigid.getLinearVelocity(), spin);
    const Vec3 arm = pose.point(mass.centre_b) - from_bt(rigid.getCenterOfMassPosition());
    body.mass.mass = mass.mass;
    rigid.setMassProps(btScalar(mass.mass), to_bt(axes.moments));
    set_com(body, {axes.rotation, mass.centre_b}, pose);
    rigid.setLinearVelocity(rigid.getLinearVelocity() + to_bt(Vec3(from_bt(spin).cross(arm))));
    rigid.setInterpolationLinearVelocity(rigid.getLinearVelocity());
    return kinetic_energy(rigid, rigid.getWorldTransform().getBasis(), rigid.getLinearVelocity(),
                          spin) -
           before;
}

Result<double> BulletEngine::reshape(BodyId id, const Reshape& change) {
    BulletBody& body = impl_->body(id);
    DUCTILE_ASSERT(body.pieces != nullptr, "only a body of pieces can be reshaped");
    if (Status status = check_change(*body.pieces, change); !status) {
        return Error{status.error().what, body.name, status.error().hint};
    }
    const bool is_weighed = change.mass != nullptr && body.motion == Motion::Dynamic;
    if (is_weighed && change.takes_mass && impl_->ties(body).is_pinned) {
        return Error{"a body held by a foreign constraint cannot take another mass", body.name, ""};
    }
    if (!change.moved.empty()) {
        for (btPersistentManifold* manifold : impl_->manifolds_of(body)) {
            follow_surface(body, change, *manifold);
        }
    }
    for (const ColliderPiece& piece : change.moved) {
        body.pieces->move(body.pieces->find(piece.id), piece.points);
    }
    for (const std::int32_t gone : change.removed) body.pieces->remove(body.pieces->find(gone));
    for (const ColliderPiece& piece : change.added) body.pieces->add(piece);
    double added = 0.0;
    if (is_weighed) {
        added = change.takes_mass ? impl_->take_mass(body, *change.mass)
                                  : impl_->change_mass(body, *change.mass);
    }
    body.pieces->refit();
    impl_->world->updateSingleAabb(body.object);
    return added;
}

}  // namespace ductile
