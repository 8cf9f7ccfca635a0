// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/tissue/part_particles.h>
#include <ductile/deform/tissue/pushed_body.h>
#include <ductile/deform/tissue/tissue_rig.h>

#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace ductile {

class GroupPairs;

/// One coat on its bone over parts of steps: prediction, shape matching, and what of it the bone
/// feels. Contacts are somebody else's: between `begin_part` and `end_part` they may move `next`.
///
/// Without contacts bone and particles together keep their momentum and, about any point, their
/// angular momentum; a rigid motion of the rest shape is kept.
class TissueBody {
public:
    /// At rest around its bone, moving with it. Requires: a coat that check_tissue likes.
    TissueBody(std::shared_ptr<const TissueRig> rig, const BodyMoment& bone);
    TissueBody(TissueBody&&) noexcept;
    ~TissueBody();

    const TissueRig& rig() const { return *rig_; }
    /// Those that are not fixed to the bone.
    std::span<const std::int32_t> outer() const { return outer_; }
    /// Attached ones as of the last part; where they are now only the bone says.
    std::span<const OrientedParticle> particles() const {
        return {particles_.data(), rig_->size()};
    }
    std::span<OrientedParticle> particles() { return {particles_.data(), rig_->size()}; }

    /// Damps and predicts (4.24, 4.25): outer particles fall, attached ones go with the bone.
    /// `damping` [1/s] is of the motion against the bone, which takes the momentum. `sweeps`: how
    /// often the groups will be visited in this part.
    void begin_part(double dt, const Vec3& gravity_w, double damping, int sweeps, PushedBody& bone);

    /// Visits every group once, in their order or in the opposite one. Needs no other body: several
    /// may do so at once.
    void match(bool is_backwards);

    /// Puts attached particles back onto the bone (5.2, 5.3), which gets the momentum that they
    /// and those that it ties lose (5.1).
    void reattach_to(PushedBody& bone);

    /// Velocities from positions, the shorter rotation. Then what has yielded flows.
    void end_part();
    /// How far particles came in the part that ended, their root mean square [m]. What lies still
    /// is shifted out of what it overlaps and pressed back: that is a velocity, but no way.
    double mean_way() const { return mean_way_; }

    /// Of a coat that flows: what each group's rest shape was strained by, and where the bone holds
    /// what it ties, in its frame. Empty for one that does not.
    std::span<Mat3> flows() { return flows_; }
    std::span<Vec3> tied_places() {
        return {tied_places_.data(), flows_.empty() ? 0 : rig_->ties.size()};
    }
    /// How groups were turned when last visited, where the next visit begins to look.
    std::span<double> group_turns();
    /// Follows `flows` that were set from outside.
    void update_offsets();

    // Of the present part, relative to `origin`.
    const Vec3& origin() const { return origin_; }  ///< World [m].
    std::span<const Vec3> before() const { return {part_.old.data(), rig_->size()}; }
    std::span<const Vec3> next() const { return {part_.next.data(), rig_->size()}; }
    std::span<Vec3> next() { return {part_.next.data(), rig_->size()}; }
    /// Puts a particle elsewhere, before and after the part: that gives it no velocity.
    void shift(std::size_t i, const Vec3& by) {
        part_.old[i] += by;
        part_.next[i] += by;
    }
    /// A particle's ellipsoid as it will stand, as predicted.
    Mat3 shape(std::size_t i) const {
        return part_.turns[i] * rig_->shapes[i] * part_.turns[i].transpose();
    }
    /// How far it reaches along the unit vector n [m]: ellipsoid_reach.
    double reach(std::size_t i, const Vec3& n) const {
        const Vec3 own = part_.turns[i].transpose() * n;
        return std::sqrt(own.dot(rig_->shapes[i] * own));
    }
    /// The point of it furthest along the unit vector n, from its centre: ellipsoid_support.
    Vec3 support(std::size_t i, const Vec3& n) const {
        const Mat3& turn = part_.turns[i];
        const Vec3 own = turn.transpose() * n, along = rig_->shapes[i] * own;
        return turn * along / std::sqrt(own.dot(along));
    }

private:
    struct Lists;
    void predict_outer(const Vec3& gravity_w, double damping, PushedBody& bone);
    void place_attached(const Transform& bone_pose);
    void turn_attached();
    void pull_ties(PushedBody& bone);
    void flow_groups();
    void flow_ties();

    std::shared_ptr<const TissueRig> rig_;
    std::vector<OrientedParticle> particles_;  ///< And one more, which belongs to none.
    std::vector<Vec3> offsets_;                ///< Per member: from its group's rest centre [m].
    std::vector<Mat3> flows_;                  ///< Per group.
    std::vector<Vec3> tied_places_;            ///< Per tie, in the bone's frame, and one more [m].
    std::vector<std::int32_t> outer_, attached_;

    double dt_ = 0.0;
    int sweeps_ = 0;
    double mean_way_ = 0.0;
    Vec3 origin_ = Vec3::Zero();
    Transform bone_pose_{};  ///< As predicted.
    PartParticles part_;
    std::unique_ptr<GroupPairs> pairs_;
    std::unique_ptr<Lists> lists_;
};

}  // namespace ductile
