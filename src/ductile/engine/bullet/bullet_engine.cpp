// SPDX-License-Identifier: MIT
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/engine/bullet/bullet_impl.h>
#include <ductile/engine/bullet/ground_shape.h>

#include <algorithm>
#include <tuple>

namespace ductile {

BulletEngine::Impl::Impl(const BulletOptions& o) : options(o) {
    DUCTILE_ASSERT(o.sub_steps >= 1 && o.solver_iterations >= 1 && o.max_sub_steps >= 1,
                   "counts begin at one");
    DUCTILE_ASSERT(o.fixed_dt > 0 && o.runaway_speed > 0 && is_finite(o.gravity), "options");
    DUCTILE_ASSERT(o.sleep_speed >= 0 && o.sleep_spin >= 0, "thresholds are not negative");
    scratch = std::make_unique<btRigidBody>(btScalar(1), nullptr, nullptr, btVector3(1, 1, 1));
}

BulletEngine::Impl::~Impl() = default;

BulletEngine::BulletEngine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
    impl_->engine = this;
    impl_->world->addAction(impl_.get());
}

BulletEngine::~BulletEngine() {
    for (std::size_t i = impl_->joints.size(); i-- > 0;) {
        if (impl_->joints[i].joint) remove_joint({static_cast<std::int32_t>(i)});
    }
    for (std::size_t i = impl_->bodies.size(); i-- > 0;) {
        if (impl_->bodies[i]) impl_->leave(*impl_->bodies[i]);
    }
    impl_->world->removeAction(impl_.get());
}

std::unique_ptr<BulletEngine> BulletEngine::make(const BulletOptions& options) {
    require_bullet_precision(kBulletPrecisionHere);
    auto impl = std::make_unique<Impl>(options);
    impl->configuration = std::make_unique<btDefaultCollisionConfiguration>();
    // A face on a plane is held by three points from the first touch on, not after some rocking.
    impl->configuration->setPlaneConvexMultipointIterations(3, 3);
    impl->dispatcher = std::make_unique<btCollisionDispatcher>(impl->configuration.get());
    impl->dispatcher->setNearCallback(GroundShape::near_callback);
    impl->broadphase = std::make_unique<OrderedBroadphase>();
    impl->solver = std::make_unique<OrderedSolver>();
    impl->own_world =
        std::make_unique<SweepingWorld>(impl->dispatcher.get(), impl->broadphase.get(),
                                        impl->solver.get(), impl->configuration.get());
    impl->world = impl->own_world.get();
    impl->own_world->on_contacts = [own = impl.get()] { own->drop_inner_contacts(); };
    impl->world->setGravity(to_bt(options.gravity));
    impl->world->setForceUpdateAllAabbs(false);
    // Pairs and contacts in the order of bodies, not of when their boxes came to overlap: a common
    // drift makes boxes longer, and would have others meet first.
    impl->world->getDispatchInfo().m_deterministicOverlappingPairs = true;
    // Bullet stops nothing that comes less than 4 cm into another body in a step: a small ball is
    // through by then.
    impl->world->getDispatchInfo().m_allowedCcdPenetration = 0;
    btContactSolverInfo& info = impl->world->getSolverInfo();
    info.m_numIterations = options.solver_iterations;
    if (options.has_two_frictions) {
        info.m_solverMode |=
            SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
    }
    // Bullet splits only penetrations beyond 4 cm; the shallow ones would add to velocities.
    info.m_splitImpulse = 1;
    info.m_splitImpulsePenetrationThreshold = 0;
    return std::unique_ptr<BulletEngine>(new BulletEngine(std::move(impl)));
}

std::unique_ptr<BulletEngine> BulletEngine::attach(btDynamicsWorld& world,
                                                   const BulletOptions& options,
                                                   BulletPrecision caller) {
    require_bullet_precision(caller);
    auto impl = std::make_unique<Impl>(options);
    impl->world = &world;
    return std::unique_ptr<BulletEngine>(new BulletEngine(std::move(impl)));
}

bool BulletEngine::has(BodyId id) const {
    return id.value >= 0 && id.value < static_cast<int>(impl_->bodies.size()) &&
           impl_->bodies[id.value] != nullptr;
}

void BulletEngine::step(double dt) {
    DUCTILE_ASSERT(std::isfinite(dt) && dt > 0, "a step takes time");
    if (!impl_->own_world) {
        before_step(dt);
        impl_->world->stepSimulation(btScalar(dt), impl_->options.max_sub_steps,
                                     btScalar(impl_->options.fixed_dt));
        after_step();
        return;
    }
    impl_->step_parts(dt, impl_->options.sub_steps);
}

void BulletEngine::step_exactly(double dt) {
    DUCTILE_ASSERT(std::isfinite(dt) && dt > 0, "a step takes time");
    // The last digits of a quotient must not make one part more.
    const double parts = std::ceil(dt / impl_->options.fixed_dt - 1e-9);
    impl_->step_parts(dt, impl_->own_world ? impl_->options.sub_steps
                                           : static_cast<std::int32_t>(std::max(1.0, parts)));
}

void BulletEngine::Impl::step_parts(double dt, std::int32_t count) {
    begin_step();
    const double part = dt / count;
    for (std::int32_t i = 0; i < count; ++i) {
        move_kinematic(part);
        limit_gyroscopic(part);
        // Zero sub-steps means to Bullet: one, exactly this long, no accumulator.
        world->stepSimulation(btScalar(part), 0);
    }
    end_step();
}

void BulletEngine::before_step(double dt) {
    DUCTILE_ASSERT(std::isfinite(dt) && dt >= 0, "a step takes time");
    impl_->begin_step();
    impl_->move_kinematic(dt);
    impl_->limit_gyroscopic(std::min(dt, impl_->options.fixed_dt));
}

void BulletEngine::after_step() { impl_->end_step(); }

std::span<const ContactBatch> BulletEngine::batches() const {
    return std::span(impl_->batches).first(impl_->batch_count);
}

void BulletEngine::set_piece_surfaces(const PieceSurfaces* surfaces) { impl_->surfaces = surfaces; }

const EnergyMarks& BulletEngine::energy() const { return impl_->marks; }

double BulletEngine::energy_rounding() const {
    // A velocity that is set and read again differs by half a unit of its last place, and its
    // square by twice that share: 1e-16 in double, 1e-7 in single precision, summed over some
    // numbers.
    return kBulletPrecisionHere == BulletPrecision::Double ? 1e-12 : 1e-6;
}

BodyMotion BulletEngine::motion(BodyId id) const {
    const BulletBody& body = impl_->body(id);
    BodyMotion out;
    out.pose_w = body.pose();
    out.centre_w = from_bt(body.object->getWorldTransform().getOrigin());
    std::tie(out.velocity_w, out.spin_w) = body.velocities();
    out.is_asleep = !body.object->isActive();
    return out;
}

MassProperties BulletEngine::mass(BodyId id) const { return impl_->body(id).mass; }

void BulletEngine::set_motion(BodyId id, const Transform& pose_w, const Vec3& velocity_w,
                              const Vec3& spin_w) {
    DUCTILE_ASSERT(is_finite(pose_w) && is_finite(velocity_w) && is_finite(spin_w),
                   "a motion is finite");
    BulletBody& body = impl_->body(id);
    impl_->place(body, pose_w);
    body.velocity_w = velocity_w;
    body.spin_w = spin_w;
    if (body.motion == Motion::Dynamic && body.rigid != nullptr) {
        body.rigid->setLinearVelocity(to_bt(velocity_w));
        body.rigid->setAngularVelocity(to_bt(spin_w));
        body.rigid->setInterpolationLinearVelocity(to_bt(velocity_w));
        body.rigid->setInterpolationAngularVelocity(to_bt(spin_w));
    }
    if (body.motion != Motion::Static) body.object->activate(true);
}

void BulletEngine::set_restitution(BodyId id, double restitution) {
    DUCTILE_ASSERT(restitution >= 0 && restitution <= 1, "restitution is in [0, 1]");
    impl_->body(id).object->setRestitution(bullet_restitution(restitution));
}

Vec3 BulletEngine::velocity_at(BodyId id, const Vec3& point_w) const {
    const BodyMotion m = motion(id);
    return m.velocity_w + m.spin_w.cross(point_w - m.centre_w);
}

void BulletEngine::apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) {
    DUCTILE_ASSERT(is_finite(impulse_w) && is_finite(point_w), "an impulse is finite");
    const BulletBody& body = impl_->body(id);
    if (body.motion != Motion::Dynamic || body.rigid == nullptr) return;
    body.rigid->activate(true);
    body.rigid->applyImpulse(to_bt(impulse_w),
                             to_bt(point_w) - body.rigid->getCenterOfMassPosition());
}

std::vector<std::string> BulletEngine::take_warnings() {
    return std::exchange(impl_->warnings, {});
}

btDynamicsWorld& BulletEngine::world() { return *impl_->world; }

btRigidBody* BulletEngine::rigid_body(BodyId id) { return impl_->body(id).rigid; }

BodyId BulletEngine::id_of(const btCollisionObject& object) {
    BulletBody* body = impl_->find(&object);
    return body != nullptr ? body->id : impl_->adopt(object).id;
}

void BulletEngine::forget(const btCollisionObject& object) {
    BulletBody* body = impl_->find(&object);
    if (body == nullptr) return;
    DUCTILE_ASSERT(!body->is_ours, "our own bodies are removed, not forgotten");
    impl_->leave(*body);
}

namespace {

bool is_in_range(const JointDesc& joint) {
    const auto is_amount = [](double x) { return x >= 0 && std::isfinite(x); };
    return is_finite(joint.frame_w) && joint.force_limit >= 0 && joint.moment_limit >= 0 &&
           (joint.axis_strength.array() > 0).all() && is_finite(joint.axis_strength) &&
           is_amount(joint.yield_impulse) && is_amount(joint.hardening) &&
           is_amount(joint.damping) && joint.angle_limit > 0 && is_amount(joint.slide_limit) &&
           is_amount(joint.slide_force) && std::isfinite(joint.slide);
}

}  // namespace

Result<JointId> BulletEngine::add_joint(const JointDesc& joint) {
    if (!has(joint.a) || !has(joint.b) || joint.a == joint.b) {
        return Error{"a joint needs two bodies that are there", "", ""};
    }
    BulletBody& a = impl_->body(joint.a);
    BulletBody& b = impl_->body(joint.b);
    if (a.rigid == nullptr || b.rigid == nullptr ||
        (a.motion != Motion::Dynamic && b.motion != Motion::Dynamic)) {
        return Error{"a joint needs a body that can move", a.name + ", " + b.name, ""};
    }
    if (!is_in_range(joint)) {
        return Error{"a joint's numbers are out of range", a.name + ", " + b.name,
                     "limits are >= 0, strengths and the largest angle > 0, all else is finite"};
    }
    auto record =
        std::make_unique<YieldJoint>(*a.rigid, *b.rigid, joint, a.pose().inverse() * joint.frame_w,
                                     b.pose().inverse() * joint.frame_w, a.com_b, b.com_b);
    impl_->world->addConstraint(record.get(), !joint.bodies_collide);
    a.object->activate();
    b.object->activate();
    impl_->joints.push_back({joint.a, joint.b, std::move(record)});
    return JointId{static_cast<std::int32_t>(impl_->joints.size()) - 1};
}

void BulletEngine::remove_joint(JointId id) {
    DUCTILE_ASSERT(id.value >= 0 && id.value < static_cast<int>(impl_->joints.size()) &&
                       impl_->joints[id.value].joint,
                   "no such joint");
    JointRecord& record = impl_->joints[id.value];
    impl_->world->removeConstraint(record.joint.get());
    for (const BodyId end : {record.a, record.b}) impl_->body(end).object->activate();
    record.joint.reset();
}

JointState BulletEngine::joint(JointId id) const {
    DUCTILE_ASSERT(id.value >= 0 && id.value < static_cast<int>(impl_->joints.size()) &&
                       impl_->joints[id.value].joint,
                   "no such joint");
    return impl_->joints[id.value].joint->state();
}

}  // namespace ductile
