// SPDX-License-Identifier: MIT
// Who is about to meet whom: boxes of bodies swept along x, then boxes of pieces, then the shapes.
#include <ductile/engine/bullet/bullet_impl.h>

#include <algorithm>
#include <tuple>

namespace ductile {

namespace {

/// A convex part of a body, as it stands.
struct Leaf {
    const btCollisionShape* shape;
    Box box;                            ///< Around it, margin included.
    const CloudShape* cloud = nullptr;  ///< The shape, where it is one.
    bool is_tight = true;               ///< Whether the box cannot be made tighter.
};

/// A body that may be met soon.
struct Mover {
    const BulletBody* body;
    Vec3 velocity_w = Vec3::Zero();  ///< Of the centre of mass, gravity's part of the step in it.
    Vec3 spin_w = Vec3::Zero();
    Box box;             ///< Around it now, and where Bullet's own may lag behind.
    Box swept;           ///< Around it and all that it may close within the step, by itself.
    double swing = 0.0;  ///< Speed that its spin gives its furthest point at most [m/s].
    bool is_asked = false;
    bool is_active = false;
    mutable std::vector<Leaf> leaves;  ///< Made when first needed ...
    mutable btTransform leaves_w;      ///< ... with where they all stand.

    Vec3 velocity_at(const Vec3& point_w) const {
        const Vec3 centre_w = from_bt(body->object->getWorldTransform().getOrigin());
        return velocity_w + spin_w.cross(point_w - centre_w);
    }
};

// Bullet's boxes are those of when it last looked for pairs, a step ago. This is done for all
// bodies in every step: what only those need that come near, their pose above all, is found there.
Mover make_mover(const BulletBody& body, double dt) {
    Mover m{&body};
    m.is_active = body.object->isActive();
    std::tie(m.velocity_w, m.spin_w) = body.velocities();
    if (body.motion == Motion::Dynamic && m.is_active) {
        m.velocity_w += dt * from_bt(body.rigid->getGravity());
    }
    const btBroadphaseProxy* proxy = body.object->getBroadphaseHandle();
    m.box = {from_bt(proxy->m_aabbMin), from_bt(proxy->m_aabbMax)};
    m.swing = m.spin_w.norm() * 0.5 * m.box.diagonal();
    return m;
}

Box grown(const Box& box, double by) { return {box.lower.array() - by, box.upper.array() + by}; }

// A contact acts from (1 + e) v dt on, and what two bodies close is at most what each goes.
void sweep_boxes(std::vector<Mover>& movers, double dt) {
    double restitution = 0.0;
    for (const Mover& m : movers) {
        restitution = std::max(restitution, double(m.body->object->getRestitution()));
    }
    const double bounce = 1.0 + restitution * restitution;
    for (Mover& m : movers) {
        const double way = dt * (m.velocity_w.norm() + m.swing);
        m.box = grown(m.box, way);
        m.swept = grown(m.box, bounce * way);
    }
}

/// What two bodies may close at most in a second [m/s].
double closing_bound(const Mover& a, const Mover& b) {
    return (a.velocity_w - b.velocity_w).norm() + a.swing + b.swing;
}

/// Whether a box may come to a plane within the step, faster than `speed`. Bullet's box around a
/// plane is the whole world: without this nothing would ever be away from the ground.
bool may_meet_plane(const Mover& plane, const Mover& m, double bounce_dt, double speed) {
    const auto& shape =
        static_cast<const btStaticPlaneShape&>(*plane.body->object->getCollisionShape());
    const btTransform& pose = plane.body->object->getWorldTransform();
    const Vec3 up = from_bt(pose.getBasis() * shape.getPlaneNormal());
    const double level = up.dot(from_bt(pose.getOrigin())) + shape.getPlaneConstant();
    const Vec3 half = 0.5 * (m.box.upper - m.box.lower);
    const double lowest = up.dot(m.box.centre()) - up.cwiseAbs().dot(half) - level;
    const double closing = up.dot(plane.velocity_w - m.velocity_w) + plane.swing + m.swing;
    return closing > speed && lowest <= bounce_dt * closing;
}

bool is_plane(const Mover& m) {
    return m.body->object->getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
}

/// Whether the shapes of two bodies must be looked at.
bool may_meet(const Mover& a, const Mover& b, double bounce_dt, double closing, double speed) {
    if (!grown(a.box, bounce_dt * closing).overlaps(b.box)) return false;
    if (is_plane(a) && !may_meet_plane(a, b, bounce_dt, speed)) return false;
    if (is_plane(b) && !may_meet_plane(b, a, bounce_dt, speed)) return false;
    return a.body->object->checkCollideWith(b.body->object);
}

/// The contact that closes fastest among those within reach.
struct ApproachFinder final : btCollisionWorld::ContactResultCallback {
    const Mover &a, &b;
    double bounce_dt;  ///< A contact acts if it closes its gap within this [s].
    const btCollisionObject* first = nullptr;  ///< What stands for a.
    Approach best;

    ApproachFinder(const Mover& mover_a, const Mover& mover_b, double time)
        : a(mover_a), b(mover_b), bounce_dt(time) {}

    btScalar addSingleResult(btManifoldPoint& p, const btCollisionObjectWrapper* on_a, int, int,
                             const btCollisionObjectWrapper*, int, int) override {
        const bool is_first = on_a->getCollisionObject() == first;
        const Vec3 to_first = from_bt(p.m_normalWorldOnB);
        const Vec3 normal = is_first ? Vec3(-to_first) : to_first;
        const Vec3 point = from_bt(is_first ? p.getPositionWorldOnA() : p.getPositionWorldOnB());
        const double speed = (a.velocity_at(point) - b.velocity_at(point)).dot(normal);
        const double margin = a.body->margin, gap = p.getDistance() + margin + b.body->margin;
        // The margins touch first; the engine acts from then on.
        if (speed * bounce_dt < p.getDistance() || speed <= best.speed) return 0;
        best = {a.body->id, b.body->id, speed, gap, point - margin * normal, normal};
        return 0;
    }

    void look_at(btCollisionWorld& world, btCollisionObject& of_a, btCollisionObject& of_b,
                 double reach) {
        first = &of_a;
        m_closestDistanceThreshold = btScalar(reach);
        world.contactPairTest(&of_a, &of_b, *this);
    }
};

// A body that is not made of pieces is one of its own.
std::span<Leaf> leaves_of(const Mover& m) {
    if (!m.leaves.empty()) return m.leaves;
    const BulletBody& body = *m.body;
    m.leaves_w = body.object->getWorldTransform();
    if (body.pieces == nullptr) {
        m.leaves.push_back({body.object->getCollisionShape(), m.box});
        return m.leaves;
    }
    m.leaves_w *= body.pieces->frame();
    const Mat3 turn = from_bt(m.leaves_w.getBasis()), spread = turn.cwiseAbs();
    const Vec3 origin = from_bt(m.leaves_w.getOrigin());
    m.leaves.reserve(static_cast<std::size_t>(body.pieces->size()));
    for (int i = 0; i < body.pieces->size(); ++i) {
        const CloudShape& cloud = body.pieces->cloud(i);
        const Vec3 centre = origin + turn * cloud.box().centre();
        const Vec3 half =
            spread * (0.5 * (cloud.box().upper - cloud.box().lower)) + Vec3::Constant(body.margin);
        m.leaves.push_back({&cloud, {centre - half, centre + half}, &cloud, false});
    }
    return m.leaves;
}

// The box of the turned piece, not of its turned box: pieces are thin and lie askew, and GJK costs
// more than finding it.
void tighten(Leaf& leaf, const btTransform& pose_w) {
    if (leaf.is_tight) return;
    btVector3 lower, upper;
    leaf.cloud->getAabb(pose_w, lower, upper);
    leaf.box.lower = leaf.box.lower.cwiseMax(from_bt(lower));
    leaf.box.upper = leaf.box.upper.cwiseMin(from_bt(upper));
    leaf.is_tight = true;
}

// Gilbert's method (1966): planes that part two clouds, each square to the line from the origin to
// the nearest place of the difference that is known so far. Most that do not come near each other
// are told apart by the first or second, for less than Bullet takes to begin with GJK.
bool are_further_apart(const Leaf& a, const btTransform& a_w, const Leaf& b, const btTransform& b_w,
                       double gap) {
    constexpr int kMostPlanes = 3;
    btVector3 apart = to_bt(Vec3(b.box.centre() - a.box.centre()));
    for (int i = 0; i < kMostPlanes; ++i) {
        const btScalar length = apart.length();
        if (!(length > gap)) return false;
        const btVector3 on_a =
            a_w * a.cloud->localGetSupportingVertexWithoutMargin(apart * a_w.getBasis());
        const btVector3 on_b =
            b_w * b.cloud->localGetSupportingVertexWithoutMargin(-apart * b_w.getBasis());
        const btVector3 nearest = on_b - on_a;
        if (nearest.dot(apart) > gap * length) return true;
        const btVector3 way = nearest - apart;
        const btScalar along = way.length2() > 0 ? -apart.dot(way) / way.length2() : btScalar(0);
        apart += btMin(btMax(along, btScalar(0)), btScalar(1)) * way;
    }
    return false;
}

// Where a piece's places may go against the other body within the time, as far as they go straight
// at it: for a velocity v the ball over t v as its diameter.
Box reached_box(const Box& box, const Vec3& velocity, double slack, double time) {
    const Vec3 half_way = 0.5 * time * velocity;
    const double by = half_way.norm() + slack * time;
    return grown({box.lower + half_way, box.upper + half_way}, by);
}

/// What the two bodies' shapes say. Two pieces may meet if what one of them reaches at the speed
/// that it has there holds a part of the other.
Approach find_approach(btCollisionWorld& world, const Mover& a, const Mover& b, double bounce_dt,
                       double closing, double speed) {
    ApproachFinder finder(a, b, bounce_dt);
    if (is_plane(a) || is_plane(b) || !(a.body->pieces || b.body->pieces)) {
        finder.look_at(world, *a.body->object, *b.body->object, bounce_dt * closing);
        return finder.best;
    }
    btCollisionObject of_a, of_b;
    const std::span<Leaf> leaves_a = leaves_of(a), leaves_b = leaves_of(b);
    of_a.setWorldTransform(a.leaves_w);
    of_b.setWorldTransform(b.leaves_w);
    const double twist = (a.spin_w - b.spin_w).norm();
    Box all_near;
    std::vector<Leaf*> near;
    const Box reached_by_a = grown(a.box, bounce_dt * closing);
    for (Leaf& on_b : leaves_b) {
        if (!reached_by_a.overlaps(on_b.box)) continue;
        near.push_back(&on_b);
        all_near.add(on_b.box);
    }
    for (Leaf& on_a : leaves_a) {
        const Vec3 centre = on_a.box.centre();
        const Vec3 velocity = a.velocity_at(centre) - b.velocity_at(centre);
        const double slack = twist * 0.5 * on_a.box.diagonal();
        const double fastest = velocity.norm() + slack;
        if (fastest <= std::max(speed, finder.best.speed)) continue;
        Box reached = reached_box(on_a.box, velocity, slack, bounce_dt);
        if (!reached.overlaps(all_near)) continue;
        for (Leaf* on_b : near) {
            if (!reached.overlaps(on_b->box)) continue;
            tighten(*on_b, b.leaves_w);
            if (!on_a.is_tight) {
                tighten(on_a, a.leaves_w);
                reached = reached_box(on_a.box, velocity, slack, bounce_dt);
            }
            if (!reached.overlaps(on_b->box)) continue;
            const double gap = bounce_dt * fastest + a.body->margin + b.body->margin;
            if (on_a.cloud && on_b->cloud &&
                are_further_apart(on_a, a.leaves_w, *on_b, b.leaves_w, gap)) {
                continue;
            }
            of_a.setCollisionShape(const_cast<btCollisionShape*>(on_a.shape));
            of_b.setCollisionShape(const_cast<btCollisionShape*>(on_b->shape));
            finder.look_at(world, of_a, of_b, bounce_dt * fastest);
        }
    }
    return finder.best;
}

/// Calls `meet` for every two whose swept boxes overlap and of which one is asked about.
template <class Meet>
void visit_pairs(std::vector<Mover>& movers, Meet&& meet) {
    std::sort(movers.begin(), movers.end(), [](const Mover& a, const Mover& b) {
        return std::pair(a.swept.lower.x(), a.body->id) < std::pair(b.swept.lower.x(), b.body->id);
    });
    for (std::size_t i = 0; i < movers.size(); ++i) {
        const Mover& a = movers[i];
        for (std::size_t j = i + 1; j < movers.size(); ++j) {
            const Mover& b = movers[j];
            if (b.swept.lower.x() > a.swept.upper.x()) break;
            if (!(a.is_asked || b.is_asked) || !(a.is_active || b.is_active)) continue;
            if (!a.swept.overlaps(b.swept)) continue;
            a.body->id < b.body->id ? meet(a, b) : meet(b, a);
        }
    }
}

}  // namespace

std::vector<Approach> BulletEngine::predicted_approaches(double dt, double speed,
                                                         std::span<const BodyId> of) const {
    DUCTILE_ASSERT(dt > 0 && speed >= 0, "approaches are looked for ahead");
    std::vector<Approach> out;
    const btCollisionObjectArray& objects = impl_->world->getCollisionObjectArray();
    bool is_any_active = false;
    for (int i = 0; i < objects.size() && !is_any_active; ++i) {
        is_any_active = objects[i]->isActive();
    }
    if (!is_any_active || of.empty()) return out;
    std::vector<Mover> movers;
    movers.reserve(static_cast<std::size_t>(objects.size()));
    for (int i = 0; i < objects.size(); ++i) {
        if (!is_touchable(*objects[i])) continue;
        const BulletBody& body = impl_->known(*objects[i]);
        movers.push_back(make_mover(body, dt));
        if (!is_finite(movers.back().box.lower) || !is_finite(movers.back().box.upper)) {
            movers.pop_back();
            continue;
        }
        movers.back().is_asked = std::binary_search(of.begin(), of.end(), body.id);
    }
    sweep_boxes(movers, dt);
    visit_pairs(movers, [&](const Mover& a, const Mover& b) {
        const double closing = closing_bound(a, b);
        if (closing <= speed) return;
        const double bounce =
            1.0 + a.body->object->getRestitution() * b.body->object->getRestitution();
        if (!may_meet(a, b, bounce * dt, closing, speed)) return;
        const Approach found = find_approach(*impl_->world, a, b, bounce * dt, closing, speed);
        if (found.speed > speed) out.push_back(found);
    });
    std::sort(out.begin(), out.end(), [](const Approach& x, const Approach& y) {
        return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    return out;
}

}  // namespace ductile
