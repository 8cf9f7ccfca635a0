// SPDX-License-Identifier: MIT
// Mueller and Chentanez 2011, "Solid Simulation with Oriented Particles", as the seed's
// sections 4.4 and 5.1 use it. Where this differs, and why (groups: group_pairs.cpp):
// - Equation 4.23 is read as m/5 R diag(a^2, b^2, c^2) Rbar^T; with `turn` = R Rbar^T that is the
//   turn times the rest shape.
// - All visits of a part together move a particle by h^2 / (h^2 + ease) of its way, not by a fixed
//   share each: the coat is as stiff in short parts as in long ones.
// - Turns of a part are one vector per particle, which groups add to: angles that add up keep the
//   angular momentum, and a part needs one rotation of each particle instead of one per visit.
// - Plastic flow is that of Mueller et al. 2005, of each group's rest shape.
#include <ductile/core/assert.h>
#include <ductile/core/rotation.h>
#include <ductile/deform/tissue/group_pairs.h>
#include <ductile/deform/tissue/matched_rotation.h>
#include <ductile/deform/tissue/tissue_body.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using simd::Doubles;

/// Two quaternions.
struct Pair4 {
    Doubles x, y, z, w;
};

/// Of the turns by two vectors.
Pair4 particle_turns(const Pair3& angle) {
    const Doubles h2 = Doubles(0.25) * angle.dot(angle), one = 1.0;
    if (!simd::is_above(Doubles(0.01), h2)) {
        Quat two[2];
        for (int k = 0; k < 2; ++k) two[k] = turn_by({angle.x[k], angle.y[k], angle.z[k]});
        const double* at = two[0].coeffs().data();
        const std::ptrdiff_t stride = two[1].coeffs().data() - at;
        return {Doubles::gather(at, stride), Doubles::gather(at + 1, stride),
                Doubles::gather(at + 2, stride), Doubles::gather(at + 3, stride)};
    }
    const auto series = [&](double a, double b, double c, double d) {
        return one -
               h2 * Doubles(a) *
                   (one - h2 * Doubles(b) * (one - h2 * Doubles(c) * (one - h2 * Doubles(d))));
    };
    const Doubles share = Doubles(0.5) * series(1.0 / 6, 1.0 / 20, 1.0 / 42, 1.0 / 72);
    return {share * angle.x, share * angle.y, share * angle.z,
            series(1.0 / 2, 1.0 / 12, 1.0 / 30, 1.0 / 56)};
}

EIGEN_ALWAYS_INLINE Pair4 product(const Pair4& a, const Pair4& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
            a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

EIGEN_ALWAYS_INLINE Pair33 matrices_of(const Pair4& q) {
    const Doubles one = 1.0, x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const Doubles xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2,
                  yz = q.y * z2, wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return {one - yy - zz, xy + wz, xz - wy, xy - wz,      one - xx - zz,
            yz + wx,       xz + wy, yz - wx, one - xx - yy};
}

/// Where two of many things that lie one after the other are.
struct Two {
    std::ptrdiff_t first, second;

    template <class T>
    EIGEN_ALWAYS_INLINE std::ptrdiff_t stride() const {
        static_assert(sizeof(T) % sizeof(double) == 0);
        return static_cast<std::ptrdiff_t>(sizeof(T) / sizeof(double)) * (second - first);
    }
};

EIGEN_ALWAYS_INLINE Pair3 gather(const Vec3& of_first, std::ptrdiff_t stride) {
    const double* at = of_first.data();
    return {Doubles::gather(at, stride), Doubles::gather(at + 1, stride),
            Doubles::gather(at + 2, stride)};
}
EIGEN_ALWAYS_INLINE void scatter(const Pair3& v, Vec3& to_first, std::ptrdiff_t stride) {
    double* to = to_first.data();
    v.x.scatter(to, stride);
    v.y.scatter(to + 1, stride);
    v.z.scatter(to + 2, stride);
}
EIGEN_ALWAYS_INLINE Pair4 gather(const Quat& of_first, std::ptrdiff_t stride) {
    const double* at = of_first.coeffs().data();
    return {Doubles::gather(at, stride), Doubles::gather(at + 1, stride),
            Doubles::gather(at + 2, stride), Doubles::gather(at + 3, stride)};
}
EIGEN_ALWAYS_INLINE void scatter(const Pair4& q, Quat& to_first, std::ptrdiff_t stride) {
    double* to = to_first.coeffs().data();
    q.x.scatter(to, stride);
    q.y.scatter(to + 1, stride);
    q.z.scatter(to + 2, stride);
    q.w.scatter(to + 3, stride);
}

/// Calls visit(Two) for all particles of a list, two at a time; an odd one goes with `nobody`.
template <class Visit>
void by_two(const std::vector<std::int32_t>& list, std::size_t nobody, Visit&& visit) {
    for (std::size_t k = 0; k < list.size(); k += 2) {
        visit(
            Two{list[k], k + 1 < list.size() ? list[k + 1] : static_cast<std::ptrdiff_t>(nobody)});
    }
}

}  // namespace

TissueBody::TissueBody(std::shared_ptr<const TissueRig> rig, const BodyMoment& bone)
    : rig_(std::move(rig)), part_(rig_->size()), pairs_(std::make_unique<GroupPairs>(*rig_)) {
    const TissueRig& r = *rig_;
    const std::size_t n = r.size();
    for (std::size_t i = 0; i < n; ++i) {
        OrientedParticle& p = particles_.emplace_back();
        p.position = bone.pose_w.point(r.places[i]);
        p.turn = bone.pose_w.rotation;
        p.velocity = bone.velocity_at(p.position);
        p.spin = bone.spin_w;
        part_.spins[i] = r.masses[i] * spin_inertia(r.shapes[i]);
        heavy_shapes_.push_back(0.2 * r.masses[i] * r.shapes[i]);
        (r.attached[i] ? attached_ : outer_).push_back(static_cast<std::int32_t>(i));
    }
    particles_.emplace_back();
    heavy_shapes_.push_back(Mat3::Zero());
    offsets_.assign(r.members.size(), Vec3::Zero());
    placed_.assign(n, Vec3::Zero());
    if (r.response.yield_strain > 0) flows_.assign(r.group_count(), Mat3::Identity());
    for (const std::int32_t i : r.ties) tied_places_.push_back(r.places[i]);
    update_offsets();
}

TissueBody::TissueBody(TissueBody&&) noexcept = default;
TissueBody::~TissueBody() = default;

void TissueBody::update_offsets() {
    const TissueRig& r = *rig_;
    for (std::size_t g = 0; g < r.group_count(); ++g) {
        Vec3 centre = Vec3::Zero();
        double mass = 0.0;
        for (const std::int32_t i : r.group(g)) {
            centre += r.masses[i] * r.places[i];
            mass += r.masses[i];
        }
        centre /= mass;
        Vec3* offset = &offsets_[static_cast<std::size_t>(r.firsts[g])];
        for (const std::int32_t i : r.group(g)) {
            *offset = r.places[i] - centre;
            if (!flows_.empty()) *offset = flows_[g] * *offset;
            ++offset;
        }
    }
    pairs_->set_offsets(offsets_);
}

void TissueBody::damp(const Vec3& gravity_w, double damping, PushedBody& bone) {
    const TissueRig& r = *rig_;
    const double lost = 1.0 - std::exp(-damping * dt_);
    BodyHold hold;
    for (const std::int32_t i : outer_) {
        OrientedParticle& p = particles_[i];
        const Vec3& at = part_.old[i];
        p.velocity += dt_ * gravity_w;
        hold.add(lost * r.masses[i], at, bone.velocity + bone.spin.cross(at) - p.velocity);
        hold.add_turn(lost * part_.spins[i], bone.spin - p.spin);
    }
    const BodyHold::Motion gain = hold.motion(bone);
    const Vec3 velocity = bone.velocity + gain.move, spin = bone.spin + gain.turn;
    Vec3 given = Vec3::Zero(), turn_given = Vec3::Zero();
    for (const std::int32_t i : outer_) {
        OrientedParticle& p = particles_[i];
        const Vec3& at = part_.old[i];
        const Vec3 slowed = lost * (velocity + spin.cross(at) - p.velocity);
        const Vec3 spin_slowed = lost * (spin - p.spin);
        p.velocity += slowed;
        p.spin += spin_slowed;
        const Vec3 weighted = r.masses[i] * slowed;
        given += weighted;
        turn_given += at.cross(weighted) + part_.spins[i] * spin_slowed;
    }
    bone.impulse -= given;
    bone.angular_impulse -= turn_given;
}

void TissueBody::place_attached(const Transform& bone_pose) {
    const TissueRig& r = *rig_;
    bone_pose_ = bone_pose;
    const Mat3 turn = bone_pose.rotation.toRotationMatrix();
    const Vec3 at = bone_pose.translation - origin_;
    for (const std::int32_t i : attached_) {
        part_.next[i] = placed_[i] = turn * r.places[i] + at;
        part_.angles[i].setZero();
    }
}

void TissueBody::begin_part(double dt, const Vec3& gravity_w, double damping, int sweeps,
                            PushedBody& bone) {
    DUCTILE_ASSERT(dt > 0 && sweeps > 0, "a part takes time and sweeps");
    const TissueRig& r = *rig_;
    if (dt != dt_ || sweeps != sweeps_) {
        for (std::size_t i = 0; i < r.size(); ++i) {
            part_.shares[i] = visit_share(r, i, sweeps, dt);
            part_.turn_shares[i] = turn_share(r, i, sweeps, dt);
        }
        pairs_->set_shares(r, part_);
    }
    dt_ = dt;
    sweeps_ = sweeps;
    origin_ = bone.start.centre_w;
    const Mat3 turn = bone.start.pose_w.rotation.toRotationMatrix();
    const Vec3 at = bone.start.pose_w.translation - origin_;
    for (const std::int32_t i : attached_) part_.old[i] = turn * r.places[i] + at;
    for (const std::int32_t i : outer_) part_.old[i] = particles_[i].position - origin_;
    damp(gravity_w, damping, bone);
    place_attached(pushed_pose(bone, dt));
    predict_turns();
}

void TissueBody::predict_turns() {
    const std::size_t nobody = rig_->size();
    const Doubles dt = dt_;
    particles_[nobody] = {};
    by_two(outer_, nobody, [&](const Two& two) {
        const OrientedParticle& p = particles_[two.first];
        const std::ptrdiff_t stride = two.stride<OrientedParticle>();
        const Pair3 angle = dt * gather(p.spin, stride);
        const Pair3 old = gather(part_.old.data(), two.first, two.second);
        scatter(old + dt * gather(p.velocity, stride), part_.next.data(), two.first, two.second);
        scatter(angle, part_.angles.data(), two.first, two.second);
        const Pair4 turn = gather(p.turn, stride);
        scatter(matrices_of(turn), part_.old_turns.data(), two.first, two.second);
        const Pair33 turned = matrices_of(product(particle_turns(angle), turn));
        scatter(turned, part_.turns.data(), two.first, two.second);
        scatter(turned * gather(heavy_shapes_.data(), two.first, two.second), part_.moments.data(),
                two.first, two.second);
    });
    const Mat3 bone_turn = bone_pose_.rotation.toRotationMatrix();
    const Pair33 turned = pair_of(bone_turn, bone_turn);
    by_two(attached_, nobody, [&](const Two& two) {
        scatter(turned, part_.old_turns.data(), two.first, two.second);
        scatter(turned, part_.turns.data(), two.first, two.second);
        scatter(turned * gather(heavy_shapes_.data(), two.first, two.second), part_.moments.data(),
                two.first, two.second);
    });
    part_.old[nobody] = part_.next[nobody] = part_.angles[nobody] = Vec3::Zero();
}

void TissueBody::match(bool is_backwards) { pairs_->visit(*rig_, is_backwards, part_); }

void TissueBody::pull_ties(PushedBody& bone) {
    const TissueRig& r = *rig_;
    const Mat3 turn = bone_pose_.rotation.toRotationMatrix();
    const Vec3 at = bone_pose_.translation - origin_;
    const auto lack = [&](std::size_t k) {
        return Vec3(turn * tied_places_[k] + at - part_.next[r.ties[k]]);
    };
    BodyHold hold;
    for (std::size_t k = 0; k < r.ties.size(); ++k) {
        const std::int32_t i = r.ties[k];
        hold.add(part_.shares[i] * r.masses[i], part_.old[i], lack(k));
    }
    const BodyHold::Motion gain = hold.motion(bone);
    Vec3 given = Vec3::Zero(), turn_given = Vec3::Zero();
    for (std::size_t k = 0; k < r.ties.size(); ++k) {
        const std::int32_t i = r.ties[k];
        const Vec3 move = part_.shares[i] * (lack(k) + gain.at(part_.old[i]));
        part_.next[i] += move;
        const Vec3 weighted = r.masses[i] * move;
        given += weighted;
        turn_given += part_.old[i].cross(weighted);
    }
    bone.impulse -= given / dt_;
    bone.angular_impulse -= turn_given / dt_;
}

void TissueBody::reattach_to(PushedBody& bone) {
    const TissueRig& r = *rig_;
    Vec3 given = Vec3::Zero(), turn_given = Vec3::Zero();
    for (const std::int32_t i : attached_) {
        const Vec3 weighted = r.masses[i] * (part_.next[i] - placed_[i]);
        given += weighted;
        turn_given += part_.old[i].cross(weighted) + part_.spins[i] * part_.angles[i];
    }
    bone.impulse += given / dt_;
    bone.angular_impulse += turn_given / dt_;
    if (!r.ties.empty()) {
        // Groups and ties pull at the same gap between bone and coat: each has to see what is left.
        bone_pose_ = pushed_pose(bone, dt_);
        pull_ties(bone);
    }
    place_attached(pushed_pose(bone, dt_));
}

void TissueBody::end_part() {
    const TissueRig& r = *rig_;
    if (!flows_.empty()) {
        flow_groups();
        flow_ties();
    }
    const Doubles dt = dt_;
    const Vec3 origins[] = {origin_, origin_};
    const Pair3 origin = ductile::gather(origins, 0, 1);
    by_two(outer_, r.size(), [&](const Two& two) {
        OrientedParticle& p = particles_[two.first];
        const std::ptrdiff_t stride = two.stride<OrientedParticle>();
        const Pair3 next = gather(part_.next.data(), two.first, two.second);
        const Pair3 way = next - gather(part_.old.data(), two.first, two.second);
        const Pair3 angle = gather(part_.angles.data(), two.first, two.second);
        scatter({way.x / dt, way.y / dt, way.z / dt}, p.velocity, stride);
        scatter(origin + next, p.position, stride);
        scatter({angle.x / dt, angle.y / dt, angle.z / dt}, p.spin, stride);
        const Pair4 q = product(particle_turns(angle), gather(p.turn, stride));
        const Doubles size = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
        scatter(Pair4{q.x / size, q.y / size, q.z / size, q.w / size}, p.turn, stride);
    });
    for (const std::int32_t i : attached_) {
        OrientedParticle& p = particles_[i];
        p.velocity = (part_.next[i] - part_.old[i]) / dt_;
        p.position = origin_ + part_.next[i];
        p.turn = bone_pose_.rotation;
        p.spin.setZero();
    }
}

void TissueBody::flow_groups() {
    const TissueRig& r = *rig_;
    const TissueResponse& response = r.response;
    bool has_flowed = false;
    for (std::size_t g = 0; g < r.group_count(); ++g) {
        const Vec3* offset = &offsets_[static_cast<std::size_t>(r.firsts[g])];
        Vec3 centre = Vec3::Zero();
        double mass = 0.0;
        for (const std::int32_t i : r.group(g)) {
            centre += r.masses[i] * part_.next[i];
            mass += r.masses[i];
        }
        centre /= mass;
        Mat3 moment = Mat3::Zero(), rest = Mat3::Zero();
        for (const std::int32_t i : r.group(g)) {
            moment +=
                r.masses[i] * (part_.next[i] - centre) * offset->transpose() + part_.moments[i];
            rest += r.masses[i] * (*offset * offset->transpose() + 0.2 * r.shapes[i]);
            ++offset;
        }
        const Mat3 turn = matched_rotation(moment, part_.turns[r.group(g)[0]]);
        const Mat3 strain = turn.transpose() * moment * rest.inverse() - Mat3::Identity();
        if (!(strain.norm() > response.yield_strain)) continue;
        Mat3 flow = flows_[g] + std::min(1.0, dt_ * response.flow) * strain * flows_[g];
        const double off = (flow - Mat3::Identity()).norm();
        if (off > response.flow_limit) {
            flow = Mat3::Identity() + (response.flow_limit / off) * (flow - Mat3::Identity());
        }
        if (!(flow.determinant() > 0)) continue;
        flows_[g] = flow;
        has_flowed = true;
    }
    if (has_flowed) update_offsets();
}

void TissueBody::flow_ties() {
    const TissueRig& r = *rig_;
    const double share = std::min(1.0, dt_ * r.response.flow);
    for (std::size_t k = 0; k < r.ties.size(); ++k) {
        const std::int32_t i = r.ties[k];
        const Vec3 now = bone_pose_.inverse_point(origin_ + part_.next[i]);
        const double length = r.tie_lengths[k];
        const Vec3 off = now - tied_places_[k];
        if (!(off.norm() > r.response.yield_strain * length)) continue;
        Vec3 flowed = tied_places_[k] + share * off - r.places[i];
        const double size = flowed.norm(), most = r.response.flow_limit * length;
        if (size > most) flowed *= most / size;
        tied_places_[k] = r.places[i] + flowed;
    }
}

}  // namespace ductile
