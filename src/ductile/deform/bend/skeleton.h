// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/field.h>
#include <ductile/core/math.h>
#include <ductile/core/result.h>
#include <ductile/deform/record_kind.h>
#include <ductile/geom/rig.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ductile {

/// How a bone slides along itself where it begins, instead of turning there: a buffer, a telescope.
struct BoneSlide {
    double stiffness = 0.0;  ///< Of a spring along it [N/m]; 0: none, it stays where it is pushed.
    double damping = 0.0;    ///< Of that spring [N s/m].
    double force = 0.0;      ///< At which it yields and slides for good [N]; 0: its spring never.
    double limit = 0.1;      ///< The furthest it slides from rest, in or out; there it locks [m].
};
template <class Visitor>
void visit_fields(BoneSlide& s, Visitor&& field) {
    field(Field{"stiffness", "N/m", 0.0, 1e12,
                "of a spring along it; 0: none, it stays where it is pushed"},
          s.stiffness);
    field(Field{"damping", "N s/m", 0.0, 1e12, "of that spring"}, s.damping);
    field(Field{"force", "N", 0.0, 1e12,
                "at which it yields and slides for good; 0: its spring never does"},
          s.force);
    field(length_field("limit", "the furthest it slides from rest, in or out; there it locks"),
          s.limit);
}

/// A part of a body that keeps its form when the body bends: a segment, or a ball where it has no
/// length. In the body's rest frame. It may poke out of the surface.
struct Bone {
    std::string name{};
    Vec3 from = Vec3::Zero();  ///< [m]
    Vec3 to = Vec3::Zero();    ///< [m]; equal to `from` for a ball.
    double radius = 0.0;       ///< What lies this near follows it alone [m]; a ball needs one.
    bool is_anchored = false;  ///< It stands fast: a post's foot in the ground.
    /// An impact on one wakes the joints of all bones that say the same; "": its own alone.
    std::string wakes_with{};
    /// It slides in the bone that it is joined to where it begins; none: it turns there.
    std::optional<BoneSlide> slide{};

    bool is_ball() const { return from == to; }
    /// The place at a share of the way from one end to the other; the ends bit for bit.
    Vec3 place(double along) const { return along == 1.0 ? to : Vec3(from + along * (to - from)); }
};
inline std::string& key_of(Bone& bone) { return bone.name; }
template <class Visitor>
void visit_fields(Bone& b, Visitor&& field) {
    field(place_field("from", "where the bone begins"), b.from);
    field(place_field("to", "where it ends; where it begins: a ball"), b.to);
    field(Field{"radius", "m", 0.0, 1e6, "what lies this near follows it alone"}, b.radius);
    field(Field{"is_anchored", "", 0, 0, "it stands fast, as a post in the ground"}, b.is_anchored);
    field(Field{"wakes_with", "", 0, 0,
                "an impact on one bone wakes the joints of all that say the same here"},
          b.wakes_with);
    field(Field{"slide", "", 0, 0,
                "it slides along itself where it begins, in the bone that it is joined to there"},
          b.slide);
}

/// Along which one bone slides in another.
struct SlideWay {
    Vec3 axis = Vec3::UnitX();  ///< Unit, at rest.
    BoneSlide slide{};
};

/// Where two bones meet.
struct SkeletonJoint {
    Vec3 place = Vec3::Zero();      ///< At rest [m].
    std::int32_t a = 0, b = 0;      ///< The bones; of a split bone `b` is the new one.
    std::optional<SlideWay> way{};  ///< It slides along this and does not turn; none: it turns.
};

/// What a joint does to the bone `b`, seen from `a` at rest.
struct JointMotion {
    Quat turn = Quat::Identity();  ///< About the joint's place.
    Vec3 slide = Vec3::Zero();     ///< After that [m].
};

/// What a body bends by. Plain data; bones and joints keep their numbers when one is split, new
/// ones come last.
struct Skeleton {
    std::vector<Bone> bones;
    std::vector<SkeletonJoint> joints;
};

/// Whether bones and joints make sense: finite, names given and none twice, balls with a radius,
/// joints between two bones that are there. The error's `where` is `/NAME` of a bone.
Status check_skeleton(const Skeleton& skeleton);

/// Joints are where bones of a list share an end, to within `tolerance` [m]: from a ball there, or
/// else from the lowest of the bones, to each of the others. An end in or on a ball (its radius)
/// meets it. Bones that slide do so where they begin. Error: no bones, or as `check_skeleton`; a
/// slide where no other bone is, or more than one.
Result<Skeleton> skeleton_of_bones(std::vector<Bone> bones, double tolerance);

/// A joint of a rig: what hangs on it turns about its place. Parents may come in any order.
struct RigJoint {
    std::string name;
    Vec3 place = Vec3::Zero();  ///< At rest [m].
    std::int32_t parent = -1;   ///< Another of these; -1: a root.
};

/// A skeleton as a mesh file has it.
struct FileSkeleton {
    std::vector<RigJoint> joints;
    SkinWeights weights;  ///< How much the body's points follow each joint; a row per point.
};

/// Leaves out the joints that no triangle follows most, as ends of fingers and roots: what follows
/// one, and hangs on it, goes to the one above it, or of a root to what hangs on it first. Points
/// that hang on none follow the first root.
/// Requires: a row per point. Error: no joints, no triangles, or parents as of `skeleton_of_rig`.
Status drop_idle_joints(FileSkeleton& skeleton, std::span<const Triangle> triangles);

/// A bone per joint of a rig, with its number, so that the rig's weights are the bones': from the
/// joint to its first child that stands elsewhere; without one as far again as from its parent;
/// without that, too, a ball of `ball_radius` [m]. A child's bone hangs on its parent's in the
/// child's place, further roots on the first root.
/// Error: no joints, a parent that is not there, a circle of parents, or as `check_skeleton`.
Result<Skeleton> skeleton_of_rig(std::span<const RigJoint> joints, double ball_radius);

/// A place on a bone.
struct BonePlace {
    std::int32_t bone = -1;
    double along = 0.0;     ///< Share of the way from `from` to `to`, in [0, 1].
    double distance = 0.0;  ///< From the point that was asked about [m].
};

/// The bone nearest to a place, and where on it; the lowest of several. Requires: a bone.
BonePlace nearest_bone(const Skeleton& skeleton, const Vec3& p);
/// The place of one bone that is nearest.
BonePlace nearest_on_bone(const Skeleton& skeleton, std::int32_t bone, const Vec3& p);

/// The joint of a bone within `reach` [m] of a place on it, along the bone; the nearest, -1: none.
std::int32_t joint_near(const Skeleton& skeleton, const BonePlace& at, double reach);
/// Whether some place of a bone is further than `length` from its joints and than half of that from
/// its ends. A ball has none. Requires: a positive length.
bool has_room_for_joint(const Skeleton& skeleton, std::int32_t bone, double length);

/// Cuts a bone in two at a place: it keeps its beginning, the new bone (the last) gets the rest and
/// the joints there, and a new joint (the last) holds both. An anchored bone stays so on the side
/// where it is anchored: at its beginning. Returns the new joint.
/// Error: a ball, or a place nearer than `shortest` [m] to one of its ends.
Result<std::int32_t> split_bone(Skeleton& skeleton, const BonePlace& at, double shortest);

/// Leaves a bone out: what was joined to it is joined, in the same places, to the lowest bone that
/// was. Later bones move up. Requires: there is another bone.
void drop_bone(Skeleton& skeleton, std::int32_t bone);

/// Bones that still hang together while some joints are awake: the group of each bone, numbered by
/// their lowest bones. Requires: one per joint.
struct BoneGroups {
    std::vector<std::int32_t> group;  ///< Per bone.
    std::int32_t count = 0;
};
BoneGroups bone_groups(const Skeleton& skeleton, std::span<const std::uint8_t> is_awake);

/// Joints that must wake together: the loop that each is on, numbered by the lowest joints; -1 for
/// one that parts the skeleton by itself. Two loops with only one bone in common are two.
std::vector<std::int32_t> joint_loops(const Skeleton& skeleton);

/// Where every bone goes from rest, given what each joint does: `b` after its motion is carried
/// along with `a`, and `a` after the motion back with `b`. `root` stays; so does what does not hang
/// on it. Where joints make a loop, those reached first from the root count.
/// Requires: a motion per joint, unit turns.
std::vector<Transform> bone_turns(const Skeleton& skeleton, std::span<const JointMotion> motions,
                                  std::int32_t root);

}  // namespace ductile
