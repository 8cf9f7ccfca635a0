// SPDX-License-Identifier: MIT
#include <ductile/engine/engine.h>
#include <ductile/engine/scripted_engine.h>

#include <algorithm>

namespace ductile {

namespace {

Box box_of(const Collider& collider, const std::vector<ColliderPiece>& pieces) {
    Box box;
    if (const auto* c = std::get_if<SphereCollider>(&collider)) {
        box.add(Vec3(Vec3::Constant(c->radius)));
        box.add(Vec3(Vec3::Constant(-c->radius)));
    } else if (const auto* b = std::get_if<BoxCollider>(&collider)) {
        box.add(Vec3(0.5 * b->size));
        box.add(Vec3(-0.5 * b->size));
    } else if (const auto* capsule = std::get_if<CapsuleCollider>(&collider)) {
        const double r = capsule->radius;
        box.add(Vec3(r, 0.5 * capsule->length + r, r));
        box.add(Vec3(-r, -0.5 * capsule->length - r, -r));
    } else {
        for (const ColliderPiece& piece : pieces) {
            for (const Vec3& p : piece.points) box.add(p);
        }
    }
    return box;
}

RigidQueries::Nearest nearest_on_box(const Box& box, const Vec3& p) {
    const Vec3 inside = p.cwiseMax(box.lower).cwiseMin(box.upper);
    const double distance = (p - inside).norm();
    if (distance > 0) return {inside, (p - inside) / distance, distance};
    int low = 0, high = 0;
    const double below = (p - box.lower).minCoeff(&low);
    const double above = (box.upper - p).minCoeff(&high);
    const int axis = below < above ? low : high;
    Vec3 on = p;
    on[axis] = below < above ? box.lower[axis] : box.upper[axis];
    const Vec3 out = (below < above ? -1.0 : 1.0) * Vec3::Unit(axis);
    return {on, out, -std::min(below, above)};
}

}  // namespace

Mat3 ScriptedEngine::Body::inertia_w() const {
    const Mat3 r = pose_w.rotation.toRotationMatrix();
    return r * mass.inertia_b * r.transpose();
}

BodyMoment ScriptedEngine::Body::moment(BodyId id) const {
    BodyMoment out{id, pose_w, centre_w(), velocity_w, spin_w};
    if (mass.mass > 0) {
        out.inverse_mass = 1.0 / mass.mass;
        out.inverse_inertia_w = inertia_w().inverse();
    }
    return out;
}

double ScriptedEngine::Body::kinetic() const {
    return 0.5 * mass.mass * velocity_w.squaredNorm() + 0.5 * spin_w.dot(inertia_w() * spin_w);
}

void ScriptedEngine::Body::push(const Vec3& impulse_w, const Vec3& point_w) {
    if (!(mass.mass > 0)) return;
    velocity_w += impulse_w / mass.mass;
    spin_w += inertia_w().ldlt().solve((point_w - centre_w()).cross(impulse_w));
}

void ScriptedEngine::Body::fly(double dt) {
    const Vec3 centre = centre_w() + dt * velocity_w;
    const double angle = dt * spin_w.norm();
    if (angle > 0) {
        pose_w.rotation = Quat(Eigen::AngleAxisd(angle, spin_w.normalized())) * pose_w.rotation;
        pose_w.rotation.normalize();
    }
    pose_w.translation = centre - pose_w.rotation * mass.centre_b;
}

const ScriptedEngine::Body& ScriptedEngine::body(BodyId id) const {
    const auto at = bodies_.find(id);
    DUCTILE_ASSERT(at != bodies_.end(), "no such body");
    return at->second;
}

ScriptedEngine::Body& ScriptedEngine::body(BodyId id) {
    return const_cast<Body&>(std::as_const(*this).body(id));
}

void ScriptedEngine::script(const Meeting& meeting) { script_.push_back(meeting); }

Result<BodyId> ScriptedEngine::add(const BodyDesc& desc) {
    if (Status status = check_body(desc); !status) return status.error();
    Body body{desc, desc.mass, desc.pose_w, desc.velocity_w, desc.spin_w, {}};
    if (desc.motion != Motion::Dynamic) {
        body.mass = {};
        body.mass.inertia_b.setZero();
    }
    if (desc.motion == Motion::Static) body.velocity_w = body.spin_w = Vec3::Zero();
    if (const auto* collider = std::get_if<PieceCollider>(&desc.collider)) {
        body.pieces = collider->pieces;
        std::sort(body.pieces.begin(), body.pieces.end(),
                  [](const ColliderPiece& a, const ColliderPiece& b) { return a.id < b.id; });
    }
    const BodyId id{next_body_++};
    bodies_.emplace(id, std::move(body));
    return id;
}

void ScriptedEngine::remove(BodyId id) {
    DUCTILE_ASSERT(has(id), "no such body");
    std::erase_if(joints_, [&](const auto& j) { return j.second.a == id || j.second.b == id; });
    bodies_.erase(id);
}

Result<JointId> ScriptedEngine::add_joint(const JointDesc& joint) {
    if (!has(joint.a) || !has(joint.b) || joint.a == joint.b) {
        return Error{"a joint needs two bodies that are there", "", ""};
    }
    const JointId id{next_joint_++};
    joints_.emplace(id, joint);
    return id;
}

void ScriptedEngine::remove_joint(JointId id) {
    DUCTILE_ASSERT(joints_.contains(id), "no such joint");
    joints_.erase(id);
}

JointState ScriptedEngine::joint(JointId id) const {
    DUCTILE_ASSERT(joints_.contains(id), "no such joint");
    return {};
}

double ScriptedEngine::kinetic() const {
    double sum = 0.0;
    for (const auto& [id, body] : bodies_) sum += body.kinetic();
    return sum;
}

void ScriptedEngine::step(double dt) {
    DUCTILE_ASSERT(std::isfinite(dt) && dt > 0, "a step takes time");
    time_ += dt;
    marks_ = {};
    marks_.before = kinetic();
    batches_.assign(1, {});
    batches_[0].time = time_;
    batches_[0].dt = dt;
    // A billionth of a step: sums of steps must not miss a time that is a multiple of them.
    const double now = time_ + 1e-9 * dt;
    std::vector<Meeting> due;
    std::copy_if(script_.begin(), script_.end(), std::back_inserter(due),
                 [&](const Meeting& m) { return m.time <= now; });
    std::erase_if(script_, [&](const Meeting& m) { return m.time <= now; });
    for (const Meeting& meeting : due) meet(meeting, batches_[0]);
    const double solved = kinetic();
    for (auto& [id, body] : bodies_) body.fly(dt);
    marks_.after = kinetic();
    marks_.integration = marks_.after - solved;
}

void ScriptedEngine::meet(const Meeting& meeting, ContactBatch& batch) {
    const bool is_swapped = meeting.b < meeting.a;
    const BodyId first = is_swapped ? meeting.b : meeting.a;
    const BodyId second = is_swapped ? meeting.a : meeting.b;
    const double speed = meeting.velocity_w.dot(meeting.normal_w);
    if (!has(first) || !has(second) || !(speed > 0)) return;
    Body& a = body(meeting.a);
    Body& b = body(meeting.b);
    const Vec3& point = meeting.point_w;
    const double response = a.moment(meeting.a).response(point, meeting.normal_w) +
                            b.moment(meeting.b).response(point, meeting.normal_w);
    if (!(response > 0)) return;

    double before = kinetic();
    const Vec3 missing =
        meeting.velocity_w - (velocity_at(meeting.a, point) - velocity_at(meeting.b, point));
    a.mass.mass > 0 ? a.velocity_w += missing : b.velocity_w -= missing;
    double after = kinetic();
    marks_.forces += after - before;

    const double impulse = (1.0 + meeting.restitution) * speed / response;
    if (a.desc.watched || b.desc.watched) {
        const auto place = [&](BodyId id) {
            const auto at =
                std::lower_bound(batch.bodies.begin(), batch.bodies.end(), id,
                                 [](const BodyMoment& m, BodyId i) { return m.id < i; });
            const auto index = static_cast<std::int32_t>(at - batch.bodies.begin());
            if (at != batch.bodies.end() && at->id == id) return index;
            batch.bodies.insert(at, body(id).moment(id));
            for (Contact& c : batch.contacts) {
                c.a += c.a >= index ? 1 : 0;
                c.b += c.b >= index ? 1 : 0;
            }
            return index;
        };
        place(first);
        const std::int32_t at_second = place(second);
        Contact c;
        c.a = place(first);
        c.b = at_second;
        c.point_a_w = c.point_b_w = point;
        c.normal_w = is_swapped ? Vec3(-meeting.normal_w) : meeting.normal_w;
        c.normal_impulse = impulse;
        c.restitution = meeting.restitution;
        batch.contacts.push_back(c);
    }
    before = after;
    a.push(-impulse * meeting.normal_w, point);
    b.push(impulse * meeting.normal_w, point);
    after = kinetic();
    marks_.contacts += after - before;
    marks_.gained += std::max(0.0, after - before);
}

BodyMotion ScriptedEngine::motion(BodyId id) const {
    const Body& b = body(id);
    return {b.pose_w, b.centre_w(), b.velocity_w, b.spin_w, false};
}

void ScriptedEngine::set_motion(BodyId id, const Transform& pose_w, const Vec3& velocity_w,
                                const Vec3& spin_w) {
    DUCTILE_ASSERT(is_finite(pose_w) && is_finite(velocity_w) && is_finite(spin_w),
                   "a motion is finite");
    Body& b = body(id);
    b.pose_w = pose_w;
    if (b.desc.motion == Motion::Static) return;
    b.velocity_w = velocity_w;
    b.spin_w = spin_w;
}

void ScriptedEngine::set_restitution(BodyId id, double restitution) {
    body(id).desc.restitution = restitution;
}

Result<double> ScriptedEngine::reshape(BodyId id, const Reshape& change) {
    Body& b = body(id);
    DUCTILE_ASSERT(!b.pieces.empty(), "only a body of pieces can be reshaped");
    PieceCollider collider{b.pieces};
    if (Status status = reshape_pieces(collider.pieces, change); !status) {
        return Error{status.error().what, b.desc.name, ""};
    }
    BodyDesc desc = b.desc;
    desc.collider = collider;
    if (change.mass != nullptr) desc.mass = *change.mass;
    if (Status status = check_body(desc); !status) return status.error();

    b.pieces = std::move(collider.pieces);
    if (change.mass == nullptr || !(b.mass.mass > 0)) return 0.0;
    const double before = b.kinetic();
    if (change.takes_mass) {
        const Vec3 arm = b.pose_w.direction(change.mass->centre_b - b.mass.centre_b);
        b.velocity_w += b.spin_w.cross(arm);
        b.mass = *change.mass;
        return b.kinetic() - before;
    }
    const Vec3 angular = b.inertia_w() * b.spin_w;
    // Its bodies rest on nothing: all are free.
    b.pose_w.translation -= b.pose_w.direction(change.mass->centre_b - b.mass.centre_b);
    b.mass.centre_b = change.mass->centre_b;
    b.mass.inertia_b = change.mass->inertia_b * (b.mass.mass / change.mass->mass);
    b.spin_w = b.inertia_w().ldlt().solve(angular);
    return b.kinetic() - before;
}

std::vector<Approach> ScriptedEngine::predicted_approaches(double dt, double speed,
                                                           std::span<const BodyId> of) const {
    const auto is_asked = [&](BodyId id) { return std::binary_search(of.begin(), of.end(), id); };
    std::vector<Approach> out;
    for (const Meeting& m : script_) {
        const double closing = m.velocity_w.dot(m.normal_w);
        if (m.time > time_ + dt * (1 + 1e-9) || !(closing > speed)) continue;
        if (!has(m.a) || !has(m.b)) continue;
        if (!is_asked(m.a) && !is_asked(m.b)) continue;
        const bool is_swapped = m.b < m.a;
        out.push_back({is_swapped ? m.b : m.a, is_swapped ? m.a : m.b, closing, 0.0, m.point_w,
                       is_swapped ? Vec3(-m.normal_w) : m.normal_w});
    }
    std::stable_sort(out.begin(), out.end(), [](const Approach& x, const Approach& y) {
        return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    return out;
}

RigidQueries::Nearest ScriptedEngine::closest_point(BodyId id, const Vec3& point_w,
                                                    double reach) const {
    const Body& b = body(id);
    const Vec3 p = b.pose_w.inverse_point(point_w);
    Nearest out;
    if (const auto* sphere = std::get_if<SphereCollider>(&b.desc.collider)) {
        const Vec3 n = p.norm() > 0 ? Vec3(p.normalized()) : Vec3(Vec3::UnitY());
        out = {sphere->radius * n, n, p.norm() - sphere->radius};
    } else if (const auto* capsule = std::get_if<CapsuleCollider>(&b.desc.collider)) {
        const NearestInBody near = nearest_on_capsule(*capsule, p);
        out = {near.point_b, near.normal_b, near.distance};
    } else if (std::holds_alternative<HalfSpaceCollider>(b.desc.collider)) {
        out = {Vec3(p.x(), 0.0, p.z()), Vec3::UnitY(), p.y()};
    } else {
        out = nearest_on_box(box_of(b.desc.collider, b.pieces), p);
    }
    if (!(out.distance <= reach)) out.distance = std::numeric_limits<double>::infinity();
    return {b.pose_w.point(out.point_w), b.pose_w.direction(out.normal_w), out.distance};
}

Vec3 ScriptedEngine::velocity_at(BodyId id, const Vec3& point_w) const {
    const Body& b = body(id);
    return b.velocity_w + b.spin_w.cross(point_w - b.centre_w());
}

void ScriptedEngine::apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) {
    body(id).push(impulse_w, point_w);
}

std::vector<ColliderPiece> ScriptedEngine::pieces(BodyId id) const { return body(id).pieces; }

}  // namespace ductile
