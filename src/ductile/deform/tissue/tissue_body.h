// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/pushed_body.h>
#include <ductile/deform/tissue/tissue_rig.h>

#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

/// One coat on its bone over parts of steps: prediction, shape matching, and what of it the bone
/// feels. Contacts are somebody else's: between `begin_part` and `end_part` they may move `next`.
///
/// Without contacts bone and particles together keep their momentum and, about any point, their
/// angular momentum; a rigid motion of the rest shape is kept.
class TissueBody {
public:
    /// At rest around its bone, moving with it. Requires: a coat that check_tissue likes.
    TissueBody(std::shared_ptr<const TissueRig> rig, const BodyMoment& bone);

    const TissueRig& rig() const { return *rig_; }
    /// Attached ones as of the last part; where they are now only the bone says.
    std::span<const OrientedParticle> particles() const { return particles_; }
    std::span<OrientedParticle> particles() { return particles_; }

    /// Damps and predicts (4.24, 4.25): outer particles fall, attached ones go with the bone.
    /// `damping` [1/s] is of the motion against the bone, which takes the momentum. `sweeps`: how
    /// often the groups will be visited in this part.
    void begin_part(double dt, const Vec3& gravity_w, double damping, int sweeps, PushedBody& bone);

    /// Visits every group once, in their order or in the opposite one. Needs no other body: several
    /// may do so at once.
    void match(bool is_backwards);

    /// Puts attached particles back onto the bone (5.2, 5.3), which gets the momentum that they
    /// and those that it ties lose (5.1).
    void settle_on(PushedBody& bone);

    /// Velocities from positions, the shorter rotation. Then what has yielded flows.
    void end_part();

    /// Of a coat that flows: what each group's rest shape was strained by, and where the bone holds
    /// what it ties, in its frame. Empty for one that does not.
    std::span<Mat3> flows() { return flows_; }
    std::span<Vec3> tied_places() { return flows_.empty() ? std::span<Vec3>() : tied_places_; }
    /// Follows `flows` that were set from outside.
    void update_offsets();

    // Of the present part, relative to `origin`.
    const Vec3& origin() const { return origin_; }  ///< World [m].
    std::span<const Vec3> before() const { return old_; }
    std::span<const Vec3> next() const { return next_; }
    std::span<Vec3> next() { return next_; }
    /// Puts a particle elsewhere, before and after the part: that gives it no velocity.
    void shift(std::size_t i, const Vec3& by) {
        old_[i] += by;
        next_[i] += by;
    }
    /// A particle's ellipsoid as it will stand, as predicted.
    Mat3 shape(std::size_t i) const { return turns_[i] * rig_->shapes[i] * turns_[i].transpose(); }
    /// The point of it furthest along the unit vector n, from its centre: ellipsoid_support.
    Vec3 support(std::size_t i, const Vec3& n) const {
        const Vec3 own = turns_[i].transpose() * n, along = rig_->shapes[i] * own;
        return turns_[i] * along / std::sqrt(own.dot(along));
    }

private:
    /// What of a group stays the same during a part, and its rotation as last found.
    struct Group {
        double inverse_mass = 0.0;
        Mat3 inverse_inertia = Mat3::Zero();  ///< The members' spins included.
        Mat3 turn = Mat3::Identity();
    };
    void damp(const Vec3& gravity_w, double damping, PushedBody& bone);
    void place_attached(const Transform& bone_pose);
    void predict_outer();
    void prepare_groups();
    void match_group(std::size_t g);
    /// Turns a particle towards its group; returns what of angular momentum that takes [kg m^2].
    Vec3 turn_particle(std::size_t i, const Mat3& goal, double share);
    void pull_ties(PushedBody& bone);
    void flow_groups();
    void flow_ties();

    std::shared_ptr<const TissueRig> rig_;
    std::vector<OrientedParticle> particles_;
    std::vector<Vec3> offsets_;      ///< Per member: from its group's rest centre [m].
    std::vector<double> spins_;      ///< Inertia about its own centre [kg m^2].
    std::vector<Mat3> flows_;        ///< Per group.
    std::vector<Vec3> tied_places_;  ///< Per tie, in the bone's frame [m].

    double dt_ = 0.0;
    int sweeps_ = 0;
    Vec3 origin_ = Vec3::Zero();
    Transform bone_pose_{};  ///< As predicted.
    std::vector<Vec3> old_, next_;
    std::vector<Mat3> old_turns_;
    std::vector<Mat3> turns_;                   ///< As predicted.
    std::vector<Mat3> moments_;                 ///< Of each particle about itself (4.23).
    std::vector<double> shares_, turn_shares_;  ///< What of its way a visit moves a particle.
    std::vector<Group> groups_;
    std::vector<Vec3> levers_;  ///< Per member: from its group's centre before the part.
    std::vector<Vec3> moves_;   ///< Of one group's members.
    std::vector<Vec3> placed_;  ///< Attached ones where the bone last put them.
    std::vector<Vec3>
        angles_;  ///< By which each turns in this part; attached ones: the bone [rad].
};

}  // namespace ductile
