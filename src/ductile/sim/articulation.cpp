// SPDX-License-Identifier: MIT
// Patkar et al. 2014, sections 4.1 and 4.2: a body wakes as several where it is about to be struck
// and is one again once nothing gives way. articulation_wake.cpp has the waking.
#include <ductile/core/assert.h>
#include <ductile/sim/articulation.h>
#include <ductile/sim/body_division.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

// Nothing gave way for so long: one body again [s].
constexpr double kQuietTime = 0.1;
// For so long after something gave way it is still giving way: moments that fall and rise again
// within an impact [s].
constexpr double kRestlessTime = kHeldPart * (1.0 - 1e-9);
// Turns nearer to the last one noted than this are not noted again [rad], nor are slides, as shares
// of the body's size.
constexpr double kTurnTolerance = 1e-4;
// A spring that turns slower than this is at rest [rad/s].
constexpr double kStillSpring = 0.05;
// Likewise one that slides slower [m/s].
constexpr double kStillSlide = 0.01;

}  // namespace

std::vector<BodyId> Articulation::bodies() const {
    std::vector<BodyId> out;
    for (const Group& group : groups_) out.push_back(group.body);
    return out;
}

std::vector<BodyId> Articulation::open_bodies() const {
    std::vector<BodyId> out;
    for (const Group& group : groups_) {
        if (group.is_open) out.push_back(group.body);
    }
    return out;
}

// While a joint sleeps any impact may wake it.
void Articulation::find_open() {
    const BendOptions& options = skeleton_->data().options();
    const bool are_all_awake =
        std::all_of(is_awake_.begin(), is_awake_.end(), [](std::uint8_t awake) { return awake; });
    for (Group& group : groups_) {
        const bool has_room =
            std::any_of(group.bones.begin(), group.bones.end(), [&](std::int32_t bone) {
                const Bone& own = skeleton_->skeleton().bones[static_cast<std::size_t>(bone)];
                return options.blend_length > 0
                           ? has_room_for_joint(skeleton_->skeleton(), bone, options.blend_length)
                           : !own.is_ball();
            });
        group.is_open = !are_all_awake || (options.makes_joints && has_room);
    }
}

Transform Articulation::to_object(BodyId id) const {
    for (const Group& group : groups_) {
        if (group.body == id) return group.from_object;
    }
    return {};
}

std::size_t Articulation::group_of(std::int32_t bone, std::span<const Group> groups) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::vector<std::int32_t>& own = groups[g].bones;
        if (std::find(own.begin(), own.end(), bone) != own.end()) return g;
    }
    return 0;
}

// Own frames of all groups were the object's when it fell awake.
Quat Articulation::turn_of(const BentBody& body, const AwakeJoint& joint) const {
    const Quat a = body.engine.motion(groups_[joint.a].body).pose_w.rotation;
    const Quat b = body.engine.motion(groups_[joint.b].body).pose_w.rotation;
    return (a.conjugate() * b).normalized();
}

const std::optional<SlideWay>& Articulation::way(const AwakeJoint& joint) const {
    return skeleton_->skeleton().joints[static_cast<std::size_t>(joint.joint)].way;
}

bool Articulation::has_spring(const AwakeJoint& joint) const {
    return (way(joint) ? joint.slide.stiffness : skeleton_->data().options().stiffness) > 0;
}

void Articulation::push_springs(const BentBody& body, double dt) {
    for (AwakeJoint& joint : joints_) {
        if (!joint.id || !has_spring(joint)) continue;
        if (way(joint)) {
            push_spring(body.engine, joint.slide, dt);
        } else {
            push_spring(body.engine, joint.spring, dt);
        }
    }
}

bool Articulation::is_swinging(const BentBody& body, const AwakeJoint& joint) const {
    if (way(joint)) return std::abs(slide_state(body.engine, joint.slide).rate) > kStillSlide;
    const Vec3 spin = body.engine.motion(groups_[joint.b].body).spin_w -
                      body.engine.motion(groups_[joint.a].body).spin_w;
    return spin.norm() > kStillSpring;
}

JointKey Articulation::key_of(const BentBody& body, const AwakeJoint& joint) const {
    const double time = body.time - start_;
    if (const std::optional<SlideWay>& slides = way(joint)) {
        const double slide = slide_state(body.engine, joint.slide).slide;
        return {time, Vec3::Zero(), Vec3(slide * slides->axis)};
    }
    const Quat& first = joint.first.rotation;
    return {time, turn_vector(first.conjugate() * turn_of(body, joint) * first), {}};
}

bool Articulation::keep_motion(const BentBody& body, AwakeJoint& joint, double tolerance) {
    const JointKey key = key_of(body, joint);
    const auto differs = [&](const JointKey& last) {
        return (last.turn - key.turn).norm() > tolerance ||
               (last.slid() - key.slid()).norm() > tolerance * body.shape.size;
    };
    if (!joint.entry) {
        if (!differs({})) return false;
        const JointName& name = skeleton_->names()[static_cast<std::size_t>(joint.joint)];
        record_.joints.push_back({name, {key}});
        joint.entry = record_.joints.size() - 1;
        return true;
    }
    std::vector<JointKey>& keys = record_.joints[*joint.entry].keys;
    if (!differs(keys.back())) return false;
    if (keys.back().time < key.time) {
        keys.push_back(key);
    } else {
        keys.back() = key;
    }
    return true;
}

bool Articulation::note(const BentBody& body, double dt) {
    calm_ += dt;
    for (AwakeJoint& joint : joints_) {
        if (!joint.id) continue;
        const bool gives_way =
            has_spring(joint) ? is_swinging(body, joint) : body.engine.joint(*joint.id).is_yielding;
        joint.has_moved = joint.has_moved || gives_way;
        if (gives_way) calm_ = 0.0;
    }
    bool has_changed = false;
    for (AwakeJoint& joint : joints_) {
        if (!joint.id || !joint.has_moved) continue;
        has_changed |= keep_motion(body, joint, is_calm() ? 0.0 : kTurnTolerance);
    }
    take_frames(body);
    return has_changed;
}

bool Articulation::note_last(const BentBody& body) {
    bool has_changed = false;
    for (AwakeJoint& joint : joints_) {
        if (joint.id && joint.has_moved) has_changed |= keep_motion(body, joint, 0.0);
    }
    return has_changed;
}

JointedBody Articulation::skeleton_on(const BendData& data, std::span<const Vec3> rest) const {
    JointedBody out(data, rest);
    for (const JointName& name : skeleton_->names()) (void)out.take(name);
    return out;
}

bool Articulation::is_restless() const { return calm_ < kRestlessTime; }

bool Articulation::is_calm() const { return calm_ >= kQuietTime * (1.0 - 1e-9); }

void Articulation::take_frames(const BentBody& body) {
    const Transform object_w = body.engine.motion(groups_[0].body).pose_w;
    for (Group& group : groups_) {
        group.from_object = body.engine.motion(group.body).pose_w.inverse() * object_w;
    }
}

Status Articulation::condense(const BentBody& body, const MassProperties& whole) {
    DUCTILE_ASSERT(is_awake(), "what is one body already cannot be made one");
    const std::vector<ColliderPiece> pieces = whole_colliders(body);
    const std::vector<std::int32_t> gone = piece_ids(groups_[0].pieces);
    std::vector<BodyId> others = bodies();
    others.erase(others.begin());
    Reshape change;
    change.removed = gone;
    change.added = pieces;
    change.mass = &whole;
    if (Status done = rejoin_body(body.engine, groups_[0].body, others, change); !done) {
        calm_ = 0.0;  // it is tried again once it has been calm for as long again
        return done;
    }
    joints_.clear();  // they went with the groups that they held
    groups_.clear();
    return {};
}

}  // namespace ductile
