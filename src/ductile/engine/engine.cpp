// SPDX-License-Identifier: MIT
#include <ductile/engine/engine.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <map>

namespace ductile {

RigidQueries::NearestInBody nearest_on_capsule(const CapsuleCollider& capsule, const Vec3& p) {
    const double half = 0.5 * capsule.length;
    const Vec3 on_axis(0.0, std::clamp(p.y(), -half, half), 0.0), way = p - on_axis;
    const double length = way.norm();
    const Vec3 out = length > 0 ? Vec3(way / length) : Vec3(Vec3::UnitX());
    return {on_axis + capsule.radius * out, out, length - capsule.radius};
}

Result<JointId> Engine::add_joint(const JointDesc&) {
    return Error{"this engine has no joints", "", ""};
}

const EnergyMarks& Engine::energy() const {
    static const EnergyMarks none;
    return none;
}

RigidQueries::Nearest Engine::closest_point(BodyId, const Vec3&, double) const {
    return {.distance = std::numeric_limits<double>::infinity()};
}

Vec3 Engine::velocity_at(BodyId id, const Vec3& point_w) const {
    const BodyMotion m = motion(id);
    return m.velocity_w + m.spin_w.cross(point_w - m.centre_w);
}

void Engine::apply_impulse(BodyId id, const Vec3& impulse_w, const Vec3& point_w) {
    const MassProperties own = mass(id);
    if (!(own.mass > 0)) return;
    const BodyMotion m = motion(id);
    const Mat3 turn = m.pose_w.rotation.toRotationMatrix();
    const Mat3 inertia_w = turn * own.inertia_b * turn.transpose();
    const Vec3 spin = inertia_w.ldlt().solve((point_w - m.centre_w).cross(impulse_w));
    set_motion(id, m.pose_w, m.velocity_w + impulse_w / own.mass, m.spin_w + spin);
}

BodyMoment Engine::moment(BodyId id) const {
    const BodyMotion m = motion(id);
    BodyMoment out{.id = id,
                   .pose_w = m.pose_w,
                   .centre_w = m.centre_w,
                   .velocity_w = m.velocity_w,
                   .spin_w = m.spin_w};
    const MassProperties own = mass(id);
    if (!(own.mass > 0)) return out;
    const Mat3 turn = m.pose_w.rotation.toRotationMatrix();
    out.inverse_mass = 1.0 / own.mass;
    out.inverse_inertia_w = turn * own.inertia_b.inverse() * turn.transpose();
    return out;
}

Status reshape_pieces(std::vector<ColliderPiece>& pieces, const Reshape& change) {
    std::map<std::int32_t, ColliderPiece> by_id;
    for (const ColliderPiece& piece : pieces) by_id.emplace(piece.id, piece);
    for (const ColliderPiece& piece : change.moved) {
        if (!by_id.contains(piece.id)) return Error{"a moved piece is unknown", "", ""};
        by_id[piece.id] = piece;
    }
    for (const std::int32_t gone : change.removed) {
        if (by_id.erase(gone) == 0) return Error{"a removed piece is unknown", "", ""};
    }
    for (const ColliderPiece& piece : change.added) {
        if (!by_id.emplace(piece.id, piece).second) {
            return Error{"an added piece is already there", "", ""};
        }
    }
    pieces.clear();
    for (auto& [id, piece] : by_id) pieces.push_back(std::move(piece));
    return {};
}

}  // namespace ductile
