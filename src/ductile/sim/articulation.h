// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/body_state.h>
#include <ductile/deform/journal.h>
#include <ductile/engine/engine.h>
#include <ductile/sim/joint_spring.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ductile {

struct BodyDivision;

/// The longest step while a joint gives way [s]: angles then agree at any rate of the caller's.
inline constexpr double kBendPart = 1.0 / 480.0;
/// Likewise while joints are awake and all of them hold.
inline constexpr double kHeldPart = 2.0 * kBendPart;

/// A bending object as its simulation has it.
struct BentBody {
    Engine& engine;
    BodyId whole;  ///< The body that it is while it is one, and its root after that.
    const BodyShape& shape;
    const BodyState& state;
    const PieceCut& cut;
    const Journal& journal;
    const BodyDesc& desc;  ///< Of the whole: its name, friction, restitution.
    double margin = 0.0;   ///< Of its collider [m].
    double time = 0.0;     ///< [s]
};

/// An impact that is about to fall.
struct ComingImpact {
    Vec3 place = Vec3::Zero();    ///< On the unskinned surface [m].
    Vec3 normal = Vec3::UnitY();  ///< Unit, out of the body, turned back with the place.
};

/// The skeleton of one object while it is awake: the joints that give way, and the groups of bones
/// between them, each a body of the engine. The root's group keeps the object's body and frame.
///
/// At rest it is nothing: the object is one body. What the joints do is written down as a record,
/// which alone makes the shape (deform/joint_skin.h); poses of the engine never do.
class Articulation {
public:
    bool is_awake() const { return groups_.size() > 1; }
    /// Of the engine, the root's first; empty while it is not awake.
    std::vector<BodyId> bodies() const;
    /// Those of them on which an impact may yet wake a joint or make one.
    std::vector<BodyId> open_bodies() const;
    /// Takes the frame of one of these to the object's, as they were when the step began.
    Transform to_object(BodyId id) const;

    /// Wakes the joints that an impact needs and parts the bodies between them. False: there is
    /// none to wake, or all of them are awake. Every place keeps its velocity. Error (nothing
    /// changed): parts that cannot be bodies.
    Result<bool> wake(const BentBody& body, const ComingImpact& impact);

    /// An impact on it while it is awake, taken back to rest with the bone that it is nearest to.
    ComingImpact unbent_impact(const BentBody& body, const Vec3& place_w, const Vec3& out_w) const;
    /// Whether all that an impact needs is awake already. Requires: it is awake.
    bool is_served(const BentBody& body, const ComingImpact& impact) const;

    /// What did not go as it should when it last woke, in words.
    std::span<const std::string> notes() const { return notes_; }

    /// What the joints' springs do, before a step of dt.
    void push_springs(const BentBody& body, double dt);

    /// Notes what a step of dt did. True if the record has changed.
    bool note(const BentBody& body, double dt);
    /// What the impact did so far, since `start`; without joints: nothing.
    const JointHit& record() const { return record_; }
    double start() const { return start_; }
    /// Whether nothing has given way or swung for long enough to be one body again.
    bool is_calm() const;
    /// Whether something may be giving way: it has, a moment ago, or has just been woken.
    bool is_restless() const;

    /// Notes what the joints have turned by now to the last digit. True if the record has changed.
    bool note_last(const BentBody& body);
    /// Its bones with all joints that impacts made. Requires: it is awake.
    const JointedBody& skeleton() const { return *skeleton_; }
    /// The same on another mesh: the whole's that this is a part of. Requires: likewise.
    JointedBody skeleton_on(const BendData& data, std::span<const Vec3> rest) const;
    /// The body that a bone moves with. Requires: likewise.
    BodyId body_of(std::int32_t bone) const { return groups_[group_of(bone, groups_)].body; }

    /// Makes the groups one body again, of the shape that the state has, with their momentum.
    /// Error: the engine refuses; nothing changed, and it is not calm for as long again.
    Status condense(const BentBody& body, const MassProperties& whole);

    std::int64_t hit = 0;          ///< The record's id in the journal; 0: not written yet.
    double last_foreseen = -1e30;  ///< When an impact was last seen coming [s].

private:
    /// Bones that move as one.
    struct Group {
        BodyId body;
        std::vector<std::int32_t> bones;
        std::vector<ColliderPiece> pieces;  ///< Its collider, in its own frame.
        Transform from_object;              ///< The object's frame into its own.
        bool is_open = true;                ///< Whether there is a joint left to wake or to make.
    };
    struct AwakeJoint {
        std::int32_t joint = 0;     ///< Of the skeleton.
        std::size_t a = 0, b = 0;   ///< Groups.
        std::optional<JointId> id;  ///< None: both ends are in one group.
        Transform first;            ///< How its first bone lay when all fell awake.
        bool has_moved = false;
        std::optional<std::size_t> entry;  ///< In the record.
        double turned_before = 0.0;        ///< By joints of the engine that it replaced [rad].
        JointSpring spring;
        SlideSpring slide;  ///< Of one that slides; without a spring it only measures.
    };

    struct Regrouping;

    void begin(const BentBody& body);
    std::optional<JointName> joint_to_make(const BentBody& body, const JointedBody& on,
                                           const BonePlace& at) const;
    std::vector<std::int32_t> joints_to_wake(const BentBody& body, const ComingImpact& impact,
                                             JointedBody& next) const;
    std::vector<std::uint8_t> awake_with(const Skeleton& next,
                                         std::span<const std::int32_t> wanted) const;
    void leave_empty_asleep(const BentBody& body, const JointedBody& next,
                            std::vector<std::uint8_t>& awake) const;
    Status regroup(const BentBody& body, const ComingImpact& impact, Regrouping& change);
    Status part_groups(const BentBody& body, const BodyDivision& parts, Regrouping& change) const;
    std::vector<Transform> first_turns(const BentBody& body, const JointedBody& skeleton) const;
    Status part_group(const BentBody& body, const BodyDivision& parts, const Group& old,
                      std::span<const std::size_t> own, Regrouping& change) const;
    std::size_t old_group_of(std::int32_t bone, const Skeleton& next) const;
    Status tie_all(const BentBody& body, const ComingImpact& impact, Regrouping& change) const;
    Status tie(const BentBody& body, const ComingImpact& impact, const Transform& turned,
               AwakeJoint& known, Regrouping& change) const;
    static void set_spring(const BentBody& body, const BendOptions& options, JointSpring& spring,
                           JointDesc& desc, double moment_limit);
    static void set_slide(const Engine& engine, const SkeletonJoint& joint, AwakeJoint& known,
                          JointDesc& desc);
    void undo(const BentBody& body, const Regrouping& change) const;
    static std::size_t group_of(std::int32_t bone, std::span<const Group> groups);
    const std::optional<SlideWay>& way(const AwakeJoint& joint) const;
    bool has_spring(const AwakeJoint& joint) const;
    bool is_swinging(const BentBody& body, const AwakeJoint& joint) const;
    Quat turn_of(const BentBody& body, const AwakeJoint& joint) const;
    JointKey key_of(const BentBody& body, const AwakeJoint& joint) const;
    bool keep_motion(const BentBody& body, AwakeJoint& joint, double tolerance);
    void take_frames(const BentBody& body);
    void find_open();

    std::shared_ptr<const BodyShape> shape_;  ///< That it fell awake with.
    std::optional<JointedBody> skeleton_;
    std::vector<std::uint8_t> is_awake_;  ///< Per joint of it.
    std::vector<Vec3> woken_points_;      ///< Of the surface that it fell awake with.
    std::vector<Group> groups_;
    std::vector<AwakeJoint> joints_;
    std::vector<std::string> notes_;
    JointHit record_;
    double start_ = 0.0;
    double calm_ = 0.0;  ///< How long nothing has happened [s].
};

}  // namespace ductile
