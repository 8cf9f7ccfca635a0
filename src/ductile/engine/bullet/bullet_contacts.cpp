// SPDX-License-Identifier: MIT
// Contacts of one sub-step, as they were before its solve, with the impulses it applied.
#include <ductile/engine/bullet/bullet_impl.h>

#include <algorithm>
#include <tuple>

namespace ductile {

namespace {

bool is_partner(const btCollisionObject& object) {
    const int type = object.getInternalType();
    return object.hasContactResponse() && (type == btCollisionObject::CO_RIGID_BODY ||
                                           type == btCollisionObject::CO_COLLISION_OBJECT);
}

bool is_live(const btPersistentManifold& manifold) {
    return (manifold.getBody0()->isActive() || manifold.getBody1()->isActive()) &&
           is_partner(*manifold.getBody0()) && is_partner(*manifold.getBody1());
}

Contact read_contact(const btManifoldPoint& p, const BulletBody& b0, const BulletBody& b1,
                     bool has_two_frictions) {
    const Vec3 to_0 = from_bt(p.m_normalWorldOnB);
    Vec3 friction_0 = p.m_appliedImpulseLateral1 * from_bt(p.m_lateralFrictionDir1);
    if (has_two_frictions) {
        friction_0 += p.m_appliedImpulseLateral2 * from_bt(p.m_lateralFrictionDir2);
    }
    const Vec3 on_0 = from_bt(p.getPositionWorldOnA()) + to_0 * b0.margin;
    const Vec3 on_1 = from_bt(p.getPositionWorldOnB()) - to_0 * b1.margin;
    const bool is_swapped = b1.id < b0.id;
    Contact c;
    c.a = is_swapped ? b1.id.value : b0.id.value;
    c.b = is_swapped ? b0.id.value : b1.id.value;
    c.point_a_w = is_swapped ? on_1 : on_0;
    c.point_b_w = is_swapped ? on_0 : on_1;
    c.normal_w = is_swapped ? to_0 : Vec3(-to_0);
    c.gap = p.getDistance() + b0.margin + b1.margin;
    c.normal_impulse = std::max(0.0, double(p.m_appliedImpulse));
    c.friction_impulse_w = is_swapped ? friction_0 : Vec3(-friction_0);
    c.restitution = p.m_combinedRestitution;
    return c;
}

bool is_in_order(const Contact& c) {
    return c.point_a_w.allFinite() && c.point_b_w.allFinite() && c.normal_w.allFinite() &&
           c.friction_impulse_w.allFinite() && std::isfinite(c.gap) &&
           std::isfinite(c.normal_impulse);
}

bool is_touching(const Contact& c, std::span<const BodyMoment> moments, double dt) {
    // Bullet may apply friction remembered from the last sub-step where the normal row gave
    // nothing.
    if (c.normal_impulse > 0 || c.gap <= 0 || !c.friction_impulse_w.isZero(0)) return true;
    const Vec3 approach =
        moments[c.a].velocity_at(c.point_a_w) - moments[c.b].velocity_at(c.point_b_w);
    return approach.dot(c.normal_w) * dt >= c.gap;
}

auto order(const Contact& c) {
    const Vec3& p = c.point_a_w;
    const Vec3& q = c.point_b_w;
    return std::tuple(c.a, c.b, p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), c.normal_impulse, c.gap);
}

// From ids to places in `bodies`, which holds those ids in ascending order.
void index_bodies(ContactBatch& batch) {
    for (Contact& c : batch.contacts) {
        for (std::int32_t* end : {&c.a, &c.b}) {
            const auto at = std::lower_bound(
                batch.bodies.begin(), batch.bodies.end(), *end,
                [](const BodyMoment& m, std::int32_t id) { return m.id.value < id; });
            *end = static_cast<std::int32_t>(at - batch.bodies.begin());
        }
    }
}

// Leaves out bodies that lost all their contacts.
void drop_unused(ContactBatch& batch) {
    std::vector<std::int32_t> now(batch.bodies.size(), 0);
    for (const Contact& c : batch.contacts) now[c.a] = now[c.b] = 1;
    std::size_t used = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == 0) continue;
        now[i] = static_cast<std::int32_t>(used);
        batch.bodies[used++] = batch.bodies[i];
    }
    batch.bodies.resize(used);
    for (Contact& c : batch.contacts) {
        c.a = now[c.a];
        c.b = now[c.b];
    }
}

}  // namespace

BodyMoment BulletEngine::Impl::moment(const BulletBody& body, btScalar dt) {
    const Snapshot* before = snapshot(*body.object);
    const btTransform& com = before != nullptr ? before->com : body.object->getWorldTransform();
    BodyMoment out;
    out.id = body.id;
    out.pose_w = body.pose(com);
    out.centre_w = from_bt(com.getOrigin());
    if (body.rigid == nullptr) return out;
    out.velocity_w = from_bt(body.rigid->getLinearVelocity());
    out.spin_w = from_bt(body.rigid->getAngularVelocity());
    if (before == nullptr) return out;
    const auto [velocity, spin] = presolve(*before, *body.rigid, dt);
    out.velocity_w = from_bt(velocity);
    out.force_gain_w = from_bt(body.rigid->getTotalForce() * (body.rigid->getInvMass() * dt));
    out.spin_w = from_bt(spin);
    const Mat3 basis = from_bt(com.getBasis());
    out.inverse_mass = body.rigid->getInvMass();
    out.inverse_inertia_w =
        basis * from_bt(body.rigid->getInvInertiaDiagLocal()).asDiagonal() * basis.transpose();
    return out;
}

void BulletEngine::Impl::gather(btScalar dt) {
    if (batch_count == batches.size()) batches.emplace_back();
    ContactBatch& batch = batches[batch_count++];
    batch.time = time;
    batch.dt = dt;
    batch.bodies.clear();
    batch.contacts.clear();

    std::vector<const btPersistentManifold*> live;
    std::vector<const btCollisionObject*> unknown;
    gather_touching();
    for (const Touching& t : touching) {
        const btPersistentManifold& manifold = *t.manifold;
        if (!is_live(manifold)) continue;
        const BulletBody* b0 = find(manifold.getBody0());
        const BulletBody* b1 = find(manifold.getBody1());
        if (!(b0 != nullptr && b0->watched) && !(b1 != nullptr && b1->watched)) continue;
        live.push_back(&manifold);
        if (b0 == nullptr) unknown.push_back(manifold.getBody0());
        if (b1 == nullptr) unknown.push_back(manifold.getBody1());
    }
    // In the order in which they came into the world, whatever order their contacts are in.
    std::sort(unknown.begin(), unknown.end(), [](const auto* a, const auto* b) {
        return a->getWorldArrayIndex() < b->getWorldArrayIndex();
    });
    for (const btCollisionObject* object : unknown) engine->id_of(*object);

    const bool has_two =
        (world->getSolverInfo().m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0;
    std::vector<BodyId> ids;
    for (const btPersistentManifold* manifold : live) {
        const BulletBody& b0 = *find(manifold->getBody0());
        const BulletBody& b1 = *find(manifold->getBody1());
        for (int k = 0; k < manifold->getNumContacts(); ++k) {
            const Contact c = read_contact(manifold->getContactPoint(k), b0, b1, has_two);
            if (is_in_order(c)) batch.contacts.push_back(c);
        }
        ids.push_back(b0.id);
        ids.push_back(b1.id);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const BodyId id : ids) batch.bodies.push_back(moment(body(id), dt));
    index_bodies(batch);
    std::erase_if(batch.contacts,
                  [&](const Contact& c) { return !is_touching(c, batch.bodies, dt); });
    drop_unused(batch);
    std::sort(batch.contacts.begin(), batch.contacts.end(),
              [](const Contact& x, const Contact& y) { return order(x) < order(y); });
}

}  // namespace ductile
