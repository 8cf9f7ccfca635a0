// SPDX-License-Identifier: MIT
// Patkar et al. 2014, sections 4.1 and 4.2: a body wakes as several where it is about to be struck
// and is one again once nothing gives way. Where we differ: what lies on either side of the joints
// that wake stays one body, and a blow that was not foreseen bends from the next step on only.
#include <ductile/core/assert.h>
#include <ductile/sim/articulation.h>
#include <ductile/sim/body_division.h>
#include <ductile/sim/hinge.h>

#include <algorithm>
#include <cmath>

namespace ductile {

namespace {

// Nothing gave way for so long: one body again [s].
constexpr double kQuietTime = 0.1;
// Turns nearer to the last one noted than this are not noted again [rad].
constexpr double kTurnTolerance = 1e-4;

Vec3 turn_vector(const Quat& q) {
    const Eigen::AngleAxisd turn(q.w() < 0 ? Quat(-q.coeffs()) : q);
    return turn.angle() * turn.axis();
}

/// The same distribution seen from another frame, with a share of the mass.
MassProperties moved_mass(const MassProperties& m, const Transform& by, double share) {
    const Mat3 r = by.rotation.toRotationMatrix();
    const Mat3 inertia = share * (r * m.inertia_b * r.transpose());
    return {share * m.mass, by.point(m.centre_b), 0.5 * (inertia + inertia.transpose())};
}

// What stands fast in several places is a loop, too: the ground closes it.
Skeleton closed_by_ground(Skeleton skeleton) {
    std::int32_t first = -1;
    for (std::int32_t b = 0; b < static_cast<std::int32_t>(skeleton.bones.size()); ++b) {
        const Bone& bone = skeleton.bones[static_cast<std::size_t>(b)];
        if (!bone.is_anchored) continue;
        if (first >= 0) skeleton.joints.push_back({bone.from, first, b});
        if (first < 0) first = b;
    }
    return skeleton;
}

std::vector<std::int32_t> ids_of(std::span<const ColliderPiece> pieces) {
    std::vector<std::int32_t> ids;
    for (const ColliderPiece& piece : pieces) ids.push_back(piece.id);
    return ids;
}

}  // namespace

std::vector<BodyId> Articulation::bodies() const {
    std::vector<BodyId> out;
    for (const Group& group : groups_) out.push_back(group.body);
    return out;
}

Transform Articulation::to_object(BodyId id) const {
    for (const Group& group : groups_) {
        if (group.body == id) return group.from_object;
    }
    return {};
}

std::size_t Articulation::group_of(std::int32_t bone) const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const std::vector<std::int32_t>& own = groups_[g].bones;
        if (std::find(own.begin(), own.end(), bone) != own.end()) return g;
    }
    return 0;
}

// One group of everything: the object as it is.
void Articulation::begin(const BentBody& body) {
    shape_ = body.state.shared_shape();
    skeleton_.emplace(jointed_body(*body.shape.data<BendData>(), body.shape.rest(), body.journal));
    is_awake_.assign(skeleton_->skeleton().joints.size(), 0);
    joints_.clear();
    groups_.clear();
    record_ = {};
    hit = 0;
    start_ = body.time;
    calm_ = 0.0;
}

double Articulation::blend_length(const BentBody& body, const JointedBody& next,
                                  const BonePlace& at) const {
    const BendOptions& options = next.data().options();
    if (options.blend_length > 0) return options.blend_length;
    return default_blend_length(body.shape, next, at);
}

// Those at the ends of the struck bone, the new one, and whatever cannot turn alone.
std::vector<std::int32_t> Articulation::joints_to_wake(const BentBody& body, const Blow& blow,
                                                       JointedBody& next) const {
    const BendOptions& options = next.data().options();
    const BonePlace at = nearest_bone(next.skeleton(), blow.place);
    std::vector<std::int32_t> wanted;
    for (std::size_t j = 0; j < next.skeleton().joints.size(); ++j) {
        const SkeletonJoint& joint = next.skeleton().joints[j];
        if (options.wakes_all || joint.a == at.bone || joint.b == at.bone) {
            wanted.push_back(static_cast<std::int32_t>(j));
        }
    }
    const Bone& bone = next.skeleton().bones[static_cast<std::size_t>(at.bone)];
    if (options.makes_joints && !bone.is_ball()) {
        const double length = blend_length(body, next, at);
        const double whole = (bone.to - bone.from).norm();
        const double to_end = std::min(at.along, 1.0 - at.along) * whole;
        if (joint_near(next.skeleton(), at, length) < 0 && to_end > 0.5 * length) {
            const std::int32_t made = next.take(next.name_at(at, length));
            if (made >= 0) wanted.push_back(made);
        }
    }
    return wanted;
}

// A blow lasts: what it needs is awake already at all but its first step.
bool Articulation::is_served(const BentBody& body, const Blow& blow) const {
    const Skeleton& skeleton = skeleton_->skeleton();
    const BonePlace at = nearest_bone(skeleton, blow.place);
    for (std::size_t j = 0; j < is_awake_.size(); ++j) {
        const bool is_end = skeleton.joints[j].a == at.bone || skeleton.joints[j].b == at.bone;
        if (is_end && !is_awake_[j]) return false;
    }
    const BendOptions& options = skeleton_->data().options();
    return !options.makes_joints ||
           joint_near(skeleton, at, blend_length(body, *skeleton_, at)) >= 0;
}

Result<bool> Articulation::wake(const BentBody& body, const Blow& blow) {
    last_blow = body.time;
    if (!is_awake()) {
        begin(body);
        record_.position_b = blow.place;
    }
    if (shape_.get() != &body.shape) return false;  // its mesh is another one since
    if (is_awake() && is_served(body, blow)) return false;
    JointedBody next = *skeleton_;
    const std::vector<std::int32_t> wanted = joints_to_wake(body, blow, next);
    std::vector<std::uint8_t> awake = is_awake_;
    awake.resize(next.skeleton().joints.size(), 0);
    const std::vector<std::int32_t> loops = joint_loops(closed_by_ground(next.skeleton()));
    for (const std::int32_t j : wanted) {
        awake[static_cast<std::size_t>(j)] = 1;
        const std::int32_t loop = loops[static_cast<std::size_t>(j)];
        for (std::size_t k = 0; k < awake.size(); ++k) {
            if (loop >= 0 && loops[k] == loop) awake[k] = 1;
        }
    }
    for (std::size_t j = 0; j < awake.size(); ++j) {
        const SkeletonJoint& joint = next.skeleton().joints[j];
        const auto stands = [&](std::int32_t b) {
            return next.skeleton().bones[static_cast<std::size_t>(b)].is_anchored;
        };
        if (stands(joint.a) && stands(joint.b)) awake[j] = 0;
    }
    is_awake_.resize(awake.size(), 0);
    if (awake == is_awake_) {
        is_awake_.resize(skeleton_->skeleton().joints.size());
        return false;
    }
    if (Status done = regroup(body, blow, std::move(next), std::move(awake)); !done) {
        is_awake_.resize(skeleton_->skeleton().joints.size());
        return done.error();
    }
    return is_awake();
}

// A new bone is where the one was that it was cut off.
std::size_t Articulation::old_group_of(std::int32_t bone, const Skeleton& next) const {
    if (groups_.empty()) return 0;
    if (bone < static_cast<std::int32_t>(skeleton_->skeleton().bones.size())) return group_of(bone);
    const auto cut = std::find_if(next.joints.rbegin(), next.joints.rend(),
                                  [&](const SkeletonJoint& j) { return j.b == bone; });
    return cut == next.joints.rend() ? 0 : group_of(cut->a);
}

// Parts one group, in place, into those that are now in it: `own` of `made`, the first of which
// keeps the body.
Status Articulation::part_group(const BentBody& body, const BodyDivision& parts, const Group& old,
                                std::span<const std::size_t> own, std::vector<Group>& made) const {
    double sum = 0.0;
    for (const MassProperties& m : parts.masses) sum += m.mass;
    const double share = body.shape.mass.mass / sum;
    const auto mass_of = [&](std::size_t g) {
        return moved_mass(parts.masses[g], old.from_object, share);
    };
    std::vector<PartDesc> others;
    for (const std::size_t g : own) {
        made[g].from_object = old.from_object;
        made[g].pieces = part_colliders(body, parts, static_cast<std::int32_t>(g), old.from_object);
        if (g == own[0]) continue;
        PartDesc& part = others.emplace_back();
        part.body = body.desc;
        part.body.part_of = body.whole;
        part.body.collider = PieceCollider{made[g].pieces, body.margin};
        part.body.mass = mass_of(g);
    }
    const MassProperties mass = mass_of(own[0]);
    const std::vector<std::int32_t> gone = ids_of(old.pieces);
    Reshape change;
    change.removed = gone;
    change.added = made[own[0]].pieces;
    change.mass = &mass;
    const Result<std::vector<BodyId>> ids = part_body(body.engine, old.body, change, others);
    if (!ids) return ids.error();
    made[own[0]].body = old.body;
    for (std::size_t k = 1; k < own.size(); ++k) made[own[k]].body = ids.value()[k - 1];
    return {};
}

// Groups only ever get smaller.
Status Articulation::regroup(const BentBody& body, const Blow& blow, JointedBody next,
                             std::vector<std::uint8_t> is_awake) {
    std::vector<Hinge> hinges(is_awake.size());
    for (std::size_t j = 0; j < is_awake.size(); ++j) {
        if (!is_awake[j]) continue;
        const auto number = static_cast<std::int32_t>(j);
        Result<Hinge> hinge = make_hinge(body.shape, next, number, blow.normal);
        if (!hinge) return hinge.error();
        hinges[j] = std::move(hinge).value();
    }
    const Result<BodyDivision> divided = divide_body(body, next, is_awake);
    if (!divided) return divided.error();
    const BodyDivision& parts = divided.value();
    std::vector<Group> old = groups_;
    if (old.empty()) {
        Group& whole = old.emplace_back();
        whole.body = body.whole;
        for (const std::int32_t id : body.cut.active) whole.pieces.push_back({id, {}});
    }
    std::vector<Group> made(static_cast<std::size_t>(parts.bones.count));
    std::vector<std::vector<std::size_t>> within(old.size());
    for (std::size_t b = 0; b < parts.bones.group.size(); ++b) {
        const auto g = static_cast<std::size_t>(parts.bones.group[b]);
        const auto bone = static_cast<std::int32_t>(b);
        if (made[g].bones.empty()) within[old_group_of(bone, next.skeleton())].push_back(g);
        made[g].bones.push_back(bone);
    }
    const auto root =
        static_cast<std::size_t>(parts.bones.group[static_cast<std::size_t>(next.data().root())]);
    for (std::size_t o = 0; o < old.size(); ++o) {
        std::vector<std::size_t>& own = within[o];
        if (own.size() == 1) {
            made[own[0]].body = old[o].body;
            made[own[0]].pieces = old[o].pieces;
            made[own[0]].from_object = old[o].from_object;
            continue;
        }
        // The root's group keeps the body; elsewhere the heaviest one does.
        std::stable_sort(own.begin(), own.end(), [&](std::size_t x, std::size_t y) {
            return std::pair(x == root, parts.masses[x].mass) >
                   std::pair(y == root, parts.masses[y].mass);
        });
        if (Status done = part_group(body, parts, old[o], own, made); !done) return done;
    }
    std::stable_partition(made.begin(), made.end(),
                          [&](const Group& g) { return g.body == body.whole; });
    skeleton_ = std::move(next);
    is_awake_ = std::move(is_awake);
    groups_ = std::move(made);
    calm_ = 0.0;
    take_frames(body);
    return tie_all(body, hinges);
}

Status Articulation::tie_all(const BentBody& body, std::span<const Hinge> hinges) {
    for (std::size_t j = 0; j < is_awake_.size(); ++j) {
        if (!is_awake_[j]) continue;
        const Status tied = tie(body, hinges[j], static_cast<std::int32_t>(j));
        if (!tied) return tied;
    }
    return {};
}

// A joint whose ends are other bodies than before is made anew, with what it had left.
Status Articulation::tie(const BentBody& body, const Hinge& hinge, std::int32_t number) {
    const SkeletonJoint& joint = skeleton_->skeleton().joints[static_cast<std::size_t>(number)];
    const std::size_t a = group_of(joint.a), b = group_of(joint.b);
    auto known = std::find_if(joints_.begin(), joints_.end(),
                              [&](const AwakeJoint& j) { return j.joint == number; });
    Journal before = body.journal;
    if (hit != 0) before.remove(hit);
    if (known == joints_.end()) {
        AwakeJoint& fresh = joints_.emplace_back();
        fresh.joint = number;
        known = std::prev(joints_.end());
        known->first =
            skeleton_->turns(before, body.time)[static_cast<std::size_t>(joint.a)].rotation;
    }
    JointDesc desc = hinge.desc;
    if (known->id) {
        const JointState left = body.engine.joint(*known->id);
        desc.yield_impulse = std::min(desc.yield_impulse, left.yield_impulse_left);
        desc.moment_limit += desc.hardening * left.angle;
        body.engine.remove_joint(*known->id);
        known->id.reset();
    }
    known->a = a;
    known->b = b;
    known->moment = hinge.desc.moment_limit;
    if (a == b) return {};
    const BendOptions& options = skeleton_->data().options();
    if (options.stiffness > 0) {
        desc.moment_limit = 0.0;
        desc.yield_impulse = desc.hardening = desc.damping = 0.0;
    }
    const Transform turned =
        skeleton_->turns(body.journal, body.time)[static_cast<std::size_t>(joint.a)];
    const Transform object_w = body.engine.motion(groups_[0].body).pose_w;
    desc.a = groups_[a].body;
    desc.b = groups_[b].body;
    desc.frame_w = object_w * turned * hinge.frame;
    known->place_b = body.engine.motion(desc.b).pose_w.inverse_point(desc.frame_w.translation);
    const Result<JointId> id = body.engine.add_joint(desc);
    if (!id) return id.error();
    known->id = id.value();
    return {};
}

// Own frames of all groups were the object's when it fell awake.
Quat Articulation::turn_of(const BentBody& body, const AwakeJoint& joint) const {
    const Quat a = body.engine.motion(groups_[joint.a].body).pose_w.rotation;
    const Quat b = body.engine.motion(groups_[joint.b].body).pose_w.rotation;
    return (a.conjugate() * b).normalized();
}

void Articulation::keep_turn(const BentBody& body, AwakeJoint& joint, double tolerance) {
    const Quat turn = joint.first.conjugate() * turn_of(body, joint) * joint.first;
    const JointKey key{body.time - start_, turn_vector(turn)};
    if (!joint.entry) {
        if (!(key.turn.norm() > tolerance)) return;
        const JointName& name = skeleton_->names()[static_cast<std::size_t>(joint.joint)];
        record_.joints.push_back({name, {key}});
        joint.entry = record_.joints.size() - 1;
        return;
    }
    std::vector<JointKey>& keys = record_.joints[*joint.entry].keys;
    if (!((keys.back().turn - key.turn).norm() > tolerance)) return;
    if (keys.back().time < key.time) {
        keys.push_back(key);
    } else {
        keys.back() = key;
    }
}

bool Articulation::note(const BentBody& body, double dt) {
    const bool is_spring = skeleton_->data().options().stiffness > 0;
    calm_ += dt;
    for (AwakeJoint& joint : joints_) {
        if (!joint.id) continue;
        const bool gives_way =
            is_spring ? is_swinging(body, joint) : body.engine.joint(*joint.id).is_yielding;
        joint.has_turned = joint.has_turned || gives_way;
        if (gives_way) calm_ = 0.0;
    }
    const JointHit before = record_;
    for (AwakeJoint& joint : joints_) {
        if (joint.id && joint.has_turned) keep_turn(body, joint, is_calm() ? 0.0 : kTurnTolerance);
    }
    take_frames(body);
    const auto count = [](const JointHit& h) {
        std::size_t keys = 0;
        for (const JointTurn& j : h.joints) keys += j.keys.size();
        return keys;
    };
    return count(before) != count(record_);
}

bool Articulation::is_calm() const { return calm_ >= kQuietTime * (1.0 - 1e-9); }

void Articulation::take_frames(const BentBody& body) {
    const Transform object_w = body.engine.motion(groups_[0].body).pose_w;
    for (Group& group : groups_) {
        group.from_object = body.engine.motion(group.body).pose_w.inverse() * object_w;
    }
}

Status Articulation::condense(const BentBody& body, const MassProperties& whole) {
    DUCTILE_ASSERT(is_awake(), "what is one body already cannot be made one");
    std::vector<ColliderPiece> pieces;
    for (const std::int32_t id : body.cut.active) {
        piece_points(body.shape.pieces.pieces[static_cast<std::size_t>(id)], body.state.points(),
                     pieces.emplace_back(ColliderPiece{id, {}}).points, body.state.frames());
    }
    const std::vector<std::int32_t> gone = ids_of(groups_[0].pieces);
    std::vector<BodyId> others = bodies();
    others.erase(others.begin());
    Reshape change;
    change.removed = gone;
    change.added = pieces;
    change.mass = &whole;
    for (const AwakeJoint& joint : joints_) {
        if (joint.id) body.engine.remove_joint(*joint.id);
    }
    joints_.clear();
    if (Status done = rejoin_body(body.engine, groups_[0].body, others, change); !done) return done;
    groups_.clear();
    return {};
}

}  // namespace ductile
