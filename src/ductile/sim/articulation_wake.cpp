// SPDX-License-Identifier: MIT
// Patkar et al. 2014, sections 4.1 and 4.2: a body wakes as several where it is about to be struck.
// Where we differ: what lies on either side of the joints that wake stays one body, and an impact
// that was not foreseen bends from the next step on only.
#include <ductile/core/assert.h>
#include <ductile/sim/articulation.h>
#include <ductile/sim/body_division.h>
#include <ductile/sim/hinge.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// What a part of a body has less of, as a share of its surface, is no body of its own.
constexpr double kLeastGroup = 0.02;

// Masses of the groups that one falls into, as large as its own in sum and about its centre: dents
// since it was made, and a body that is not what its surface says, must not move it. Their frames
// are all the object's as it fell awake. `whole`: of one that stands fast, which has no mass.
std::vector<MassProperties> masses_within(const BodyDivision& parts,
                                          std::span<const std::size_t> own,
                                          const MassProperties& group, double whole) {
    const bool stands_fast = !(group.mass > 0);
    double sum = 0.0, all = 0.0;
    Vec3 centre = Vec3::Zero();
    for (const MassProperties& mass : parts.masses) all += mass.mass;
    for (const std::size_t g : own) {
        sum += parts.masses[g].mass;
        centre += parts.masses[g].mass * parts.masses[g].centre_b;
    }
    const double share = stands_fast ? whole / all : group.mass / sum;
    const Vec3 shift = stands_fast ? Vec3(Vec3::Zero()) : Vec3(group.centre_b - centre / sum);
    std::vector<MassProperties> out;
    for (const std::size_t g : own) {
        const MassProperties& m = parts.masses[g];
        out.push_back({share * m.mass, m.centre_b + shift, share * m.inertia_b});
    }
    return out;
}

// Makes parts as slow to turn together as what they were one of, so that its angular momentum does
// not spin them up: what that gives them of energy would be taken back, and momentum with it.
void slow_down_turning(const MassProperties& group, std::vector<MassProperties>& parts) {
    Mat3 missing = group.inertia_b;
    for (const MassProperties& part : parts) {
        const Vec3 r = part.centre_b - group.centre_b;
        missing -= part.inertia_b;
        missing -= part.mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(missing, Eigen::EigenvaluesOnly);
    const double most = std::max(axes.eigenvalues().maxCoeff(), 0.0);
    for (MassProperties& part : parts) {
        // The same about every axis: what bodies may have stays what they may have.
        part.inertia_b += (part.mass / group.mass) * most * Mat3::Identity();
    }
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

/// Whether an impact on one bone wakes the joints of another.
bool wakes_with(const Bone& struck, const Bone& other) {
    return &struck == &other ||
           (!struck.wakes_with.empty() && struck.wakes_with == other.wakes_with);
}

bool is_joint_struck(const Skeleton& skeleton, std::int32_t struck, const SkeletonJoint& joint) {
    const Bone& bone = skeleton.bones[static_cast<std::size_t>(struck)];
    return wakes_with(bone, skeleton.bones[static_cast<std::size_t>(joint.a)]) ||
           wakes_with(bone, skeleton.bones[static_cast<std::size_t>(joint.b)]);
}

}  // namespace

/// What is about to become of an articulation, and what was done to the engine for it.
struct Articulation::Regrouping {
    /// A group that was parted, as it was before.
    struct Parted {
        Group old;
        MassProperties mass;
        std::vector<BodyId> others;        ///< That came off it.
        std::vector<std::int32_t> pieces;  ///< That it has kept, by their ids.
    };

    JointedBody skeleton;
    std::vector<std::uint8_t> is_awake;
    std::vector<Group> groups;
    std::vector<AwakeJoint> joints;
    std::vector<Parted> parted;
    std::vector<JointId> tied, replaced;

    bool is_parted(BodyId kept) const {
        return std::any_of(parted.begin(), parted.end(),
                           [&](const Parted& p) { return p.old.body == kept; });
    }
};

// One group of everything: the object as it is.
void Articulation::begin(const BentBody& body) {
    shape_ = body.state.shared_shape();
    woken_points_.assign(body.state.points().begin(), body.state.points().end());
    skeleton_.emplace(jointed_body(*body.shape.data<BendData>(), body.shape.rest(), body.journal));
    is_awake_.assign(skeleton_->skeleton().joints.size(), 0);
    joints_.clear();
    groups_.clear();
    record_ = {};
    hit = 0;
    start_ = body.time;
    calm_ = 0.0;
}

// Hits within a blend length of a joint use that one, and there is no room at a bone's end.
std::optional<JointName> Articulation::joint_to_make(const BentBody& body, const JointedBody& on,
                                                     const BonePlace& at) const {
    const BendOptions& options = on.data().options();
    const Bone& bone = on.skeleton().bones[static_cast<std::size_t>(at.bone)];
    if (!options.makes_joints || bone.is_ball()) return std::nullopt;
    const double length =
        options.blend_length > 0 ? options.blend_length : default_blend_length(body.shape, on, at);
    const double whole = (bone.to - bone.from).norm();
    const double to_end = std::min(at.along, 1.0 - at.along) * whole;
    if (!(to_end > 0.5 * length) || joint_near(on.skeleton(), at, length) >= 0) return std::nullopt;
    return on.name_at(at, length);
}

// By the record's turns, as the shape: the surface itself need not be made for it.
ComingImpact Articulation::unbent_impact(const BentBody& body, const Vec3& place_w,
                                         const Vec3& out_w) const {
    const Transform object_w = body.engine.motion(groups_[0].body).pose_w;
    const Vec3 place = object_w.inverse_point(place_w), out = object_w.inverse_direction(out_w);
    const std::vector<Transform> turns = skeleton_->turns(body.journal, body.time);
    ComingImpact impact;
    double nearest = kInfinity;
    for (std::size_t b = 0; b < turns.size(); ++b) {
        const Vec3 at_rest = turns[b].inverse_point(place);
        const double distance =
            nearest_on_bone(skeleton_->skeleton(), static_cast<std::int32_t>(b), at_rest).distance;
        if (!(distance < nearest)) continue;
        nearest = distance;
        impact = {at_rest, turns[b].inverse_direction(out)};
    }
    return impact;
}

// An impact lasts: what it needs is awake already at all but its first step.
bool Articulation::is_served(const BentBody& body, const ComingImpact& impact) const {
    const Skeleton& skeleton = skeleton_->skeleton();
    const bool wakes_all = skeleton_->data().options().wakes_all;
    const BonePlace at = nearest_bone(skeleton, impact.place);
    for (std::size_t j = 0; j < is_awake_.size(); ++j) {
        if (is_awake_[j]) continue;
        if (wakes_all || is_joint_struck(skeleton, at.bone, skeleton.joints[j])) return false;
    }
    return !joint_to_make(body, *skeleton_, at);
}

// Those at the ends of the struck bone, of those that wake with it, and the new one.
std::vector<std::int32_t> Articulation::joints_to_wake(const BentBody& body,
                                                       const ComingImpact& impact,
                                                       JointedBody& next) const {
    const BonePlace at = nearest_bone(next.skeleton(), impact.place);
    std::vector<std::int32_t> wanted;
    for (std::size_t j = 0; j < next.skeleton().joints.size(); ++j) {
        if (next.data().options().wakes_all ||
            is_joint_struck(next.skeleton(), at.bone, next.skeleton().joints[j])) {
            wanted.push_back(static_cast<std::int32_t>(j));
        }
    }
    if (const std::optional<JointName> name = joint_to_make(body, next, at)) {
        const std::int32_t made = next.take(*name);
        if (made >= 0) wanted.push_back(made);
    }
    return wanted;
}

// With whatever cannot turn alone; nothing turns between two bones that stand fast.
std::vector<std::uint8_t> Articulation::awake_with(const Skeleton& next,
                                                   std::span<const std::int32_t> wanted) const {
    std::vector<std::uint8_t> awake = is_awake_;
    awake.resize(next.joints.size(), 0);
    const std::vector<std::int32_t> loops = joint_loops(closed_by_ground(next));
    for (const std::int32_t j : wanted) {
        awake[static_cast<std::size_t>(j)] = 1;
        const std::int32_t loop = loops[static_cast<std::size_t>(j)];
        for (std::size_t k = 0; k < awake.size(); ++k) {
            if (loop >= 0 && loops[k] == loop) awake[k] = 1;
        }
    }
    for (std::size_t j = 0; j < awake.size(); ++j) {
        const auto stands = [&](std::int32_t b) {
            return next.bones[static_cast<std::size_t>(b)].is_anchored;
        };
        if (stands(next.joints[j].a) && stands(next.joints[j].b)) awake[j] = 0;
    }
    return awake;
}

// Of a part of a body that broke some bones have nothing, or hardly anything, left that follows
// them: what would be a body without matter stays with its neighbours.
void Articulation::leave_empty_asleep(const BentBody& body, const JointedBody& next,
                                      std::vector<std::uint8_t>& awake) const {
    const std::span<const Triangle> triangles = body.shape.triangles();
    const std::vector<std::int32_t> bones = triangle_bones(triangles, next.weights());
    for (bool is_any = true; is_any;) {
        is_any = false;
        const BoneGroups groups = bone_groups(next.skeleton(), awake);
        std::vector<double> area(static_cast<std::size_t>(groups.count), 0.0);
        double all = 0.0;
        for (std::size_t f = 0; f < triangles.size(); ++f) {
            const double own = area_vector(body.shape.rest(), triangles[f]).norm();
            area[static_cast<std::size_t>(groups.group[static_cast<std::size_t>(bones[f])])] += own;
            all += own;
        }
        for (std::size_t j = 0; j < awake.size() && !is_any; ++j) {
            const bool was_awake = j < is_awake_.size() && is_awake_[j];
            if (!awake[j] || was_awake) continue;
            for (const std::int32_t b :
                 {next.skeleton().joints[j].a, next.skeleton().joints[j].b}) {
                const auto g = static_cast<std::size_t>(groups.group[static_cast<std::size_t>(b)]);
                if (!(area[g] < kLeastGroup * all)) continue;
                awake[j] = 0;
                is_any = true;
            }
        }
    }
}

Result<bool> Articulation::wake(const BentBody& body, const ComingImpact& impact) {
    last_foreseen = body.time;
    if (!is_awake()) {
        begin(body);
        record_.position_b = impact.place;
    }
    if (shape_.get() != &body.shape) return false;  // its mesh is another one since
    if (is_awake() && is_served(body, impact)) return false;
    JointedBody next = *skeleton_;
    const std::vector<std::int32_t> wanted = joints_to_wake(body, impact, next);
    std::vector<std::uint8_t> awake = awake_with(next.skeleton(), wanted);
    if (next.data().is_of_part()) leave_empty_asleep(body, next, awake);
    std::vector<std::uint8_t> before = is_awake_;
    before.resize(awake.size(), 0);
    if (awake == before) return false;
    Regrouping change{std::move(next), std::move(awake), {}, joints_, {}, {}, {}};
    if (Status done = regroup(body, impact, change); !done) {
        undo(body, change);
        return done.error();
    }
    for (const JointId id : change.replaced) body.engine.remove_joint(id);
    skeleton_ = std::move(change.skeleton);
    is_awake_ = std::move(change.is_awake);
    groups_ = std::move(change.groups);
    joints_ = std::move(change.joints);
    calm_ = 0.0;
    take_frames(body);
    find_open();
    return is_awake();
}

// A new bone is where the one was that it was cut off.
std::size_t Articulation::old_group_of(std::int32_t bone, const Skeleton& next) const {
    if (groups_.empty()) return 0;
    if (bone < static_cast<std::int32_t>(skeleton_->skeleton().bones.size())) {
        return group_of(bone, groups_);
    }
    const auto cut = std::find_if(next.joints.rbegin(), next.joints.rend(),
                                  [&](const SkeletonJoint& j) { return j.b == bone; });
    return cut == next.joints.rend() ? 0 : group_of(cut->a, groups_);
}

// Parts one group, in place, into `own` of those that are to be; the first keeps the body.
Status Articulation::part_group(const BentBody& body, const BodyDivision& parts, const Group& old,
                                std::span<const std::size_t> own, Regrouping& change) const {
    const MassProperties old_mass = body.engine.mass(old.body);
    const FormerBody former{old_mass, body.engine.motion(old.body)};
    std::vector<MassProperties> masses = masses_within(parts, own, old_mass, body.shape.mass.mass);
    if (old_mass.mass > 0 && !groups_.empty()) slow_down_turning(old_mass, masses);
    std::vector<Group>& made = change.groups;
    std::vector<PartDesc> others;
    for (std::size_t k = 0; k < own.size(); ++k) {
        const std::size_t g = own[k];
        made[g].from_object = old.from_object;
        made[g].pieces = part_colliders(body, parts, static_cast<std::int32_t>(g), old.from_object);
        if (k == 0) continue;
        PartDesc& part = others.emplace_back();
        part.body = body.desc;
        part.body.part_of = body.whole;
        part.body.collider = PieceCollider{made[g].pieces, body.margin};
        part.body.mass = masses[k];
    }
    const std::vector<std::int32_t> gone = piece_ids(old.pieces);
    Reshape kept;
    kept.removed = gone;
    kept.added = made[own[0]].pieces;
    kept.mass = &masses[0];
    const Result<std::vector<BodyId>> ids = part_body(body.engine, old.body, kept, others);
    if (!ids) return ids.error();
    std::vector<BodyId> bodies = {old.body};
    bodies.insert(bodies.end(), ids.value().begin(), ids.value().end());
    for (std::size_t k = 0; k < own.size(); ++k) made[own[k]].body = bodies[k];
    if (old_mass.mass > 0) take_over_momentum(body.engine, std::span(&former, 1), bodies);
    change.parted.push_back({old, old_mass, ids.value(), piece_ids(made[own[0]].pieces)});
    return {};
}

// Groups only ever get smaller.
Status Articulation::part_groups(const BentBody& body, const BodyDivision& parts,
                                 Regrouping& change) const {
    std::vector<Group> old = groups_;
    if (old.empty()) {
        Group& whole = old.emplace_back();
        whole.body = body.whole;
        for (const std::int32_t id : body.cut.active) whole.pieces.push_back({id, {}});
    }
    const JointedBody& next = change.skeleton;
    change.groups.resize(static_cast<std::size_t>(parts.bones.count));
    std::vector<std::vector<std::size_t>> within(old.size());
    for (std::size_t b = 0; b < parts.bones.group.size(); ++b) {
        const auto g = static_cast<std::size_t>(parts.bones.group[b]);
        const auto bone = static_cast<std::int32_t>(b);
        std::vector<std::int32_t>& bones = change.groups[g].bones;
        if (bones.empty()) within[old_group_of(bone, next.skeleton())].push_back(g);
        bones.push_back(bone);
    }
    const auto root =
        static_cast<std::size_t>(parts.bones.group[static_cast<std::size_t>(next.data().root())]);
    for (std::size_t o = 0; o < old.size(); ++o) {
        std::vector<std::size_t>& own = within[o];
        if (own.size() == 1) {
            Group& same = change.groups[own[0]];
            same.body = old[o].body;
            same.pieces = old[o].pieces;
            same.from_object = old[o].from_object;
            continue;
        }
        // The root's group keeps the body; elsewhere the heaviest one does.
        std::stable_sort(own.begin(), own.end(), [&](std::size_t x, std::size_t y) {
            return std::pair(x == root, parts.masses[x].mass) >
                   std::pair(y == root, parts.masses[y].mass);
        });
        if (Status done = part_group(body, parts, old[o], own, change); !done) return done;
    }
    return {};
}

Status Articulation::regroup(const BentBody& body, const ComingImpact& impact, Regrouping& change) {
    const WokenBody woken{woken_points_, first_turns(body, change.skeleton)};
    Result<BodyDivision> divided = divide_body(body, change.skeleton, change.is_awake, woken);
    if (!divided) return divided.error();
    if (Status done = part_groups(body, divided.value(), change); !done) return done;
    std::stable_partition(change.groups.begin(), change.groups.end(),
                          [&](const Group& g) { return g.body == body.whole; });
    notes_ = std::move(divided.value().notes);
    return tie_all(body, impact, change);
}

// How bones lay when all fell awake.
std::vector<Transform> Articulation::first_turns(const BentBody& body,
                                                 const JointedBody& skeleton) const {
    if (hit == 0) return skeleton.turns(body.journal, body.time);
    Journal before = body.journal;
    before.remove(hit);
    return skeleton.turns(before, body.time);
}

Status Articulation::tie_all(const BentBody& body, const ComingImpact& impact,
                             Regrouping& change) const {
    const std::vector<Transform> now = change.skeleton.turns(body.journal, body.time);
    const std::vector<Transform> first = first_turns(body, change.skeleton);
    for (std::size_t j = 0; j < change.is_awake.size(); ++j) {
        if (!change.is_awake[j]) continue;
        const SkeletonJoint& joint = change.skeleton.skeleton().joints[j];
        const auto number = static_cast<std::int32_t>(j);
        auto known = std::find_if(change.joints.begin(), change.joints.end(),
                                  [&](const AwakeJoint& k) { return k.joint == number; });
        if (known == change.joints.end()) {
            change.joints.emplace_back().joint = number;
            known = std::prev(change.joints.end());
            known->first = first[static_cast<std::size_t>(joint.a)];
        }
        const Status tied =
            tie(body, impact, now[static_cast<std::size_t>(joint.a)], *known, change);
        if (!tied) return tied;
    }
    return {};
}

// What it pushes harder than makes it yield; the joint itself then turns freely.
void Articulation::set_spring(const BentBody& body, const BendOptions& options, JointSpring& spring,
                              JointDesc& desc, double moment_limit) {
    spring.a = desc.a;
    spring.b = desc.b;
    spring.place_b = body.engine.motion(desc.b).pose_w.inverse_point(desc.frame_w.translation);
    spring.stiffness = options.stiffness;
    spring.damping = options.spring_damping;
    spring.moment_limit = moment_limit;
    desc.moment_limit = 0.0;
    desc.yield_impulse = desc.hardening = desc.damping = 0.0;
}

// Own frames of both groups were the object's when it fell awake.
void Articulation::set_slide(const Engine& engine, const SkeletonJoint& joint, AwakeJoint& known,
                             JointDesc& desc) {
    const BoneSlide& slide = joint.way->slide;
    SlideSpring& spring = known.slide;
    spring.a = desc.a;
    spring.b = desc.b;
    spring.place_a = spring.place_b = known.first.point(joint.place);
    spring.axis_a = known.first.direction(joint.way->axis);
    spring.stiffness = slide.stiffness;
    spring.damping = slide.damping;
    if (slide.force > 0) spring.force_limit = slide.force;
    if (!is_too_stiff(engine, spring, kBendPart)) return;
    spring.stiffness = 0.0;  // the joint holds instead, as hard as the spring bears
    desc.slide_force = slide.force;
}

// A joint one of whose ends was parted is made anew, with what it had left.
Status Articulation::tie(const BentBody& body, const ComingImpact& impact, const Transform& turned,
                         AwakeJoint& known, Regrouping& change) const {
    const SkeletonJoint& joint =
        change.skeleton.skeleton().joints[static_cast<std::size_t>(known.joint)];
    const bool is_same = known.id && !change.is_parted(groups_[known.a].body) &&
                         !change.is_parted(groups_[known.b].body);
    known.a = group_of(joint.a, change.groups);
    known.b = group_of(joint.b, change.groups);
    if (is_same) return {};
    const Result<Hinge> made = make_hinge(body.shape, change.skeleton, known.joint, impact.normal);
    if (!made) return made.error();
    const Hinge& hinge = made.value();
    JointDesc desc = hinge.desc;
    if (known.id) {
        const JointState left = body.engine.joint(*known.id);
        known.turned_before += left.angle;
        desc.slide = left.slide;
        desc.yield_impulse = std::min(desc.yield_impulse, left.yield_impulse_left);
        desc.moment_limit += desc.hardening * known.turned_before;
        desc.angle_limit = std::max(desc.angle_limit - known.turned_before, 0.0);
        change.replaced.push_back(*known.id);
        known.id.reset();
    } else if (joint.way) {
        const std::vector<JointMotion> so_far =
            change.skeleton.joint_motions(body.journal, body.time);
        desc.slide = joint.way->axis.dot(so_far[static_cast<std::size_t>(known.joint)].slide);
    }
    if (known.a == known.b) return {};
    const BendOptions& options = change.skeleton.data().options();
    desc.a = change.groups[known.a].body;
    desc.b = change.groups[known.b].body;
    const Transform object_w = body.engine.motion(change.groups[0].body).pose_w;
    desc.frame_w = object_w * turned * hinge.frame;
    if (joint.way) {
        set_slide(body.engine, joint, known, desc);
    } else if (options.stiffness > 0) {
        set_spring(body, options, known.spring, desc, hinge.desc.moment_limit);
    }
    const Result<JointId> id = body.engine.add_joint(desc);
    if (!id) return id.error();
    known.id = id.value();
    change.tied.push_back(id.value());
    return {};
}

// The engine had these bodies a moment ago, so that it takes them again.
void Articulation::undo(const BentBody& body, const Regrouping& change) const {
    for (const JointId id : change.tied) body.engine.remove_joint(id);
    for (auto parted = change.parted.rbegin(); parted != change.parted.rend(); ++parted) {
        const std::vector<ColliderPiece> pieces =
            groups_.empty() ? whole_colliders(body) : parted->old.pieces;
        const MassProperties& mass = parted->mass.mass > 0 ? parted->mass : body.shape.mass;
        Reshape whole;
        whole.removed = parted->pieces;
        whole.added = pieces;
        whole.mass = &mass;
        const Status back = rejoin_body(body.engine, parted->old.body, parted->others, whole);
        DUCTILE_ASSERT(back.ok(), "an engine takes back a shape that it had");
    }
}

}  // namespace ductile
