// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/joined_sets.h>
#include <ductile/deform/bend/skeleton.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ductile {
namespace {

Error bone_error(const Bone& bone, std::string message, std::string hint) {
    return {std::move(message), "/" + bone.name, std::move(hint)};
}

Status check_slide(const Bone& bone) {
    const BoneSlide& slide = *bone.slide;
    const auto error = [&](std::string message, std::string hint) {
        return Error{std::move(message), "/" + bone.name + "/slide", std::move(hint)};
    };
    if (bone.is_ball()) {
        return error(fmt::format("bone '{}' is a ball and has no way to slide", bone.name),
                     "give it another end");
    }
    if (!(slide.stiffness > 0) && !(slide.force > 0)) {
        return error(fmt::format("bone '{}' slides, and nothing holds it", bone.name),
                     "give its slide a stiffness, a force or both");
    }
    if (slide.damping > 0 && !(slide.stiffness > 0)) {
        return error(fmt::format("the slide of bone '{}' has damping and no spring", bone.name),
                     "give it a stiffness");
    }
    if (!(slide.limit > 0)) {
        return error(fmt::format("bone '{}' has no room to slide", bone.name),
                     "let its limit be more than 0");
    }
    return {};
}

Status check_bone(const Bone& bone) {
    if (!is_finite(bone.from) || !is_finite(bone.to)) {
        return bone_error(bone, fmt::format("bone '{}' has an end that is not finite", bone.name),
                          "");
    }
    if (!(bone.radius >= 0) || !std::isfinite(bone.radius)) {
        return bone_error(bone, fmt::format("the radius of bone '{}' is no number >= 0", bone.name),
                          "0 stands for the line alone");
    }
    if (bone.is_ball() && !(bone.radius > 0)) {
        return bone_error(bone, fmt::format("bone '{}' has no length and no radius", bone.name),
                          "give it another end, or a radius as a ball");
    }
    return bone.slide ? check_slide(bone) : Status{};
}

// The groups of bones that hang together by joints that `holds` takes.
template <class Holds>
BoneGroups joined_bones(const Skeleton& skeleton, Holds&& holds) {
    JoinedSets sets(skeleton.bones.size());
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
        if (holds(j)) sets.join(skeleton.joints[j].a, skeleton.joints[j].b);
    }
    SetNumbers groups = numbered(sets);
    return {std::move(groups.number), groups.count};
}

// Ends of bones, and the joints that follow from where they lie.
class EndsThatMeet {
public:
    EndsThatMeet(std::span<const Bone> bones, double tolerance)
        : bones_(bones), tolerance_(tolerance) {}

    Result<std::vector<SkeletonJoint>> joints() {
        for (std::int32_t i = 0; i < std::ssize(bones_); ++i) {
            if (bones_[i].is_ball()) meet_ball(i);
        }
        for (std::int32_t i = 0; i < std::ssize(bones_); ++i) {
            if (bones_[i].is_ball()) continue;
            for (const bool is_tip : {false, true}) ends_.push_back({i, end_of_bone(i, is_tip)});
        }
        std::erase_if(ends_, [&](const End& e) { return is_in_ball(e); });
        meet_ends();
        if (const Status ok = check_pairs(); !ok) return ok.error();
        return std::move(joints_);
    }

private:
    struct End {
        std::int32_t bone;
        Vec3 place;
    };
    Vec3 end_of_bone(std::int32_t i, bool is_tip) const {
        return is_tip ? bones_[i].to : bones_[i].from;
    }
    bool reaches(std::int32_t ball, const Vec3& p, double more = 0.0) const {
        return (p - bones_[ball].from).norm() <= bones_[ball].radius + more + tolerance_;
    }
    bool is_in_ball(const End& e) const {
        for (std::int32_t i = 0; i < std::ssize(bones_); ++i) {
            if (bones_[i].is_ball() && reaches(i, e.place)) return true;
        }
        return false;
    }
    void meet_ball(std::int32_t ball) {
        for (std::int32_t i = 0; i < std::ssize(bones_); ++i) {
            if (!bones_[i].is_ball()) {
                for (const bool is_tip : {false, true}) {
                    const Vec3 end = end_of_bone(i, is_tip);
                    if (reaches(ball, end)) joints_.push_back({end, ball, i});
                }
            } else if (i > ball && reaches(ball, bones_[i].from, bones_[i].radius)) {
                joints_.push_back({0.5 * (bones_[ball].from + bones_[i].from), ball, i});
            }
        }
    }
    void meet_ends() {
        std::vector<std::uint8_t> is_taken(ends_.size(), 0);
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            if (is_taken[i]) continue;
            for (std::size_t k = i + 1; k < ends_.size(); ++k) {
                if (is_taken[k] || (ends_[k].place - ends_[i].place).norm() > tolerance_) continue;
                is_taken[k] = 1;
                joints_.push_back({ends_[i].place, ends_[i].bone, ends_[k].bone});
            }
        }
    }
    Status check_pairs() const {
        std::set<std::pair<std::int32_t, std::int32_t>> pairs;
        for (const SkeletonJoint& joint : joints_) {
            const Bone &a = bones_[joint.a], &b = bones_[joint.b];
            if (joint.a == joint.b) {
                return bone_error(a, fmt::format("bone '{}' is too short", a.name),
                                  fmt::format("it must be longer than {:.3g} m", tolerance_));
            }
            if (!pairs.insert(std::minmax(joint.a, joint.b)).second) {
                return bone_error(
                    b, fmt::format("bones '{}' and '{}' meet at both ends", a.name, b.name),
                    "leave one of them out, or make the ball smaller");
            }
        }
        return {};
    }

    std::span<const Bone> bones_;
    double tolerance_;
    std::vector<End> ends_;
    std::vector<SkeletonJoint> joints_;
};

// Blocks of joints that no single bone parts (Hopcroft and Tarjan 1973, "Algorithm 447: efficient
// algorithms for graph manipulation"): a block of more than one joint is a loop, or several that
// share joints.
class LoopSearch {
public:
    explicit LoopSearch(const Skeleton& skeleton)
        : joints_(skeleton.joints),
          order_(skeleton.bones.size(), -1),
          low_(skeleton.bones.size(), 0),
          around_(skeleton.bones.size()),
          block_(joints_.size(), -1) {
        for (std::int32_t j = 0; j < std::ssize(joints_); ++j) {
            around_[joints_[j].a].push_back(j);
            around_[joints_[j].b].push_back(j);
        }
        for (std::int32_t b = 0; b < std::ssize(order_); ++b) {
            if (order_[b] < 0) visit(b, -1);
        }
    }

    /// Blocks by their lowest joints, those of a single joint left out.
    std::vector<std::int32_t> loops() const {
        std::vector<std::int32_t> size(static_cast<std::size_t>(blocks_), 0), number = size;
        for (const std::int32_t block : block_) ++size[block];
        std::fill(number.begin(), number.end(), -1);
        std::vector<std::int32_t> out(block_.size(), -1);
        std::int32_t count = 0;
        for (std::size_t j = 0; j < block_.size(); ++j) {
            if (size[block_[j]] < 2) continue;
            if (number[block_[j]] < 0) number[block_[j]] = count++;
            out[j] = number[block_[j]];
        }
        return out;
    }

private:
    void visit(std::int32_t bone, std::int32_t by) {
        order_[bone] = low_[bone] = next_++;
        for (const std::int32_t j : around_[bone]) {
            if (j == by) continue;
            const std::int32_t other = joints_[j].a == bone ? joints_[j].b : joints_[j].a;
            if (order_[other] >= 0) {
                if (order_[other] < order_[bone]) open_.push_back(j);
                low_[bone] = std::min(low_[bone], order_[other]);
                continue;
            }
            open_.push_back(j);
            visit(other, j);
            low_[bone] = std::min(low_[bone], low_[other]);
            if (low_[other] >= order_[bone]) close_block(j);
        }
    }
    void close_block(std::int32_t last) {
        std::int32_t joint = -1;
        do {
            joint = open_.back();
            open_.pop_back();
            block_[joint] = blocks_;
        } while (joint != last);
        ++blocks_;
    }

    std::span<const SkeletonJoint> joints_;
    std::vector<std::int32_t> order_, low_;
    std::vector<std::vector<std::int32_t>> around_;
    std::vector<std::int32_t> block_, open_;
    std::int32_t next_ = 0, blocks_ = 0;
};

// Joints at the beginnings of bones that slide get their ways.
Status find_ways(Skeleton& skeleton) {
    for (std::int32_t i = 0; i < std::ssize(skeleton.bones); ++i) {
        const Bone& bone = skeleton.bones[static_cast<std::size_t>(i)];
        if (!bone.slide) continue;
        SkeletonJoint* found = nullptr;
        for (SkeletonJoint& joint : skeleton.joints) {
            if (joint.a != i && joint.b != i) continue;
            if (nearest_on_bone(skeleton, i, joint.place).along > 0.5) continue;
            if (found || joint.way) {
                return bone_error(
                    bone,
                    fmt::format("bone '{}' is to slide in more than one bone, or one in it",
                                bone.name),
                    "name the bone that it slides in before it, and let others begin elsewhere");
            }
            found = &joint;
        }
        if (!found) {
            return bone_error(
                bone, fmt::format("bone '{}' slides, and no bone is where it begins", bone.name),
                "let it begin at an end of the bone that it slides in");
        }
        found->way = SlideWay{(bone.to - bone.from).normalized(), *bone.slide};
    }
    return {};
}

std::string unused_name(const Skeleton& skeleton, const std::string& base) {
    std::set<std::string_view> names;
    for (const Bone& bone : skeleton.bones) names.insert(bone.name);
    for (int i = 2;; ++i) {
        std::string name = fmt::format("{}.{}", base, i);
        if (!names.contains(name)) return name;
    }
}

}  // namespace

Status check_skeleton(const Skeleton& skeleton) {
    if (skeleton.bones.empty()) return Error{"a skeleton needs a bone", "", ""};
    std::set<std::string_view> names;
    for (const Bone& bone : skeleton.bones) {
        if (bone.name.empty()) return Error{"a bone has no name", "", ""};
        if (!names.insert(bone.name).second) {
            return bone_error(bone, fmt::format("two bones are called '{}'", bone.name), "");
        }
        if (Status ok = check_bone(bone); !ok) return ok;
    }
    const auto is_bone = [&](std::int32_t b) { return b >= 0 && b < std::ssize(skeleton.bones); };
    for (const SkeletonJoint& joint : skeleton.joints) {
        if (!is_bone(joint.a) || !is_bone(joint.b) || joint.a == joint.b) {
            return Error{"a joint does not lie between two bones", "", ""};
        }
        if (!is_finite(joint.place)) return Error{"a joint's place is not finite", "", ""};
    }
    const BoneGroups parts = joined_bones(skeleton, [](std::size_t) { return true; });
    for (std::size_t i = 0; i < parts.group.size(); ++i) {
        if (parts.group[i] == 0) continue;
        return bone_error(skeleton.bones[i],
                          fmt::format("bone '{}' does not hang together with bone '{}'",
                                      skeleton.bones[i].name, skeleton.bones[0].name),
                          "bones meet where they share an end: let one end where the next begins");
    }
    return {};
}

Result<Skeleton> skeleton_of_bones(std::vector<Bone> bones, double tolerance) {
    for (const Bone& bone : bones) {
        if (const Status ok = check_bone(bone); !ok) return ok.error();
    }
    Skeleton out;
    out.bones = std::move(bones);
    Result<std::vector<SkeletonJoint>> joints = EndsThatMeet(out.bones, tolerance).joints();
    if (!joints) return joints.error();
    out.joints = std::move(joints).value();
    if (const Status ok = check_skeleton(out); !ok) return ok.error();
    if (const Status ok = find_ways(out); !ok) return ok.error();
    return out;
}

void drop_bone(Skeleton& skeleton, std::int32_t bone) {
    DUCTILE_ASSERT(skeleton.bones.size() > 1, "another bone is left");
    std::int32_t heir = -1;
    for (const SkeletonJoint& joint : skeleton.joints) {
        if (joint.a != bone && joint.b != bone) continue;
        const std::int32_t other = joint.a == bone ? joint.b : joint.a;
        if (heir < 0 || other < heir) heir = other;
    }
    for (SkeletonJoint& joint : skeleton.joints) {
        for (std::int32_t* end : {&joint.a, &joint.b}) {
            if (*end == bone) *end = heir;
            if (*end > bone) --*end;
        }
    }
    std::erase_if(skeleton.joints, [](const SkeletonJoint& joint) { return joint.a == joint.b; });
    skeleton.bones.erase(skeleton.bones.begin() + bone);
}

BonePlace nearest_on_bone(const Skeleton& skeleton, std::int32_t bone, const Vec3& p) {
    const Bone& b = skeleton.bones[static_cast<std::size_t>(bone)];
    const Vec3 way = b.to - b.from;
    const double length_sq = way.squaredNorm();
    const double along =
        length_sq > 0 ? std::clamp(way.dot(p - b.from) / length_sq, 0.0, 1.0) : 0.0;
    return {bone, along, (p - b.place(along)).norm()};
}

BonePlace nearest_bone(const Skeleton& skeleton, const Vec3& p) {
    DUCTILE_ASSERT(!skeleton.bones.empty(), "a skeleton has bones");
    BonePlace best{-1, 0.0, kInfinity};
    for (std::int32_t i = 0; i < std::ssize(skeleton.bones); ++i) {
        const BonePlace at = nearest_on_bone(skeleton, i, p);
        if (best.bone < 0 || at.distance < best.distance) best = at;
    }
    return best;
}

std::int32_t joint_near(const Skeleton& skeleton, const BonePlace& at, double reach) {
    const Bone& bone = skeleton.bones[static_cast<std::size_t>(at.bone)];
    const double length = (bone.to - bone.from).norm();
    std::int32_t best = -1;
    double nearest = kInfinity;
    for (std::int32_t j = 0; j < std::ssize(skeleton.joints); ++j) {
        const SkeletonJoint& joint = skeleton.joints[j];
        if (joint.a != at.bone && joint.b != at.bone) continue;
        const double there = nearest_on_bone(skeleton, at.bone, joint.place).along;
        const double distance = std::abs(there - at.along) * length;
        if (!(distance <= reach) || !(distance < nearest)) continue;
        best = j;
        nearest = distance;
    }
    return best;
}

bool has_room_for_joint(const Skeleton& skeleton, std::int32_t bone, double length) {
    const Bone& own = skeleton.bones[static_cast<std::size_t>(bone)];
    if (own.is_ball()) return false;
    const double whole = (own.to - own.from).norm();
    std::vector<double> taken;
    for (const SkeletonJoint& joint : skeleton.joints) {
        if (joint.a != bone && joint.b != bone) continue;
        taken.push_back(nearest_on_bone(skeleton, bone, joint.place).along * whole);
    }
    std::sort(taken.begin(), taken.end());
    double free_from = 0.5 * length;
    for (const double at : taken) {
        if (std::min(at - length, whole - 0.5 * length) > free_from) return true;
        free_from = std::max(free_from, at + length);
    }
    return whole - 0.5 * length > free_from;
}

Result<std::int32_t> split_bone(Skeleton& skeleton, const BonePlace& at, double shortest) {
    const Bone whole = skeleton.bones[static_cast<std::size_t>(at.bone)];
    if (whole.is_ball()) {
        return bone_error(whole, fmt::format("bone '{}' is a ball and cannot be split", whole.name),
                          "");
    }
    const double length = (whole.to - whole.from).norm();
    if (!(length * std::min(at.along, 1.0 - at.along) >= shortest) || !(at.along > 0) ||
        !(at.along < 1)) {
        return bone_error(whole,
                          fmt::format("bone '{}' is split too near to one of its ends", whole.name),
                          fmt::format("each half needs {:.3g} m", shortest));
    }
    const auto added = static_cast<std::int32_t>(skeleton.bones.size());
    for (SkeletonJoint& joint : skeleton.joints) {
        if (joint.a != at.bone && joint.b != at.bone) continue;
        if (nearest_on_bone(skeleton, at.bone, joint.place).along <= at.along) continue;
        (joint.a == at.bone ? joint.a : joint.b) = added;
    }
    const Vec3 place = whole.place(at.along);
    Bone rest = whole;
    rest.name = unused_name(skeleton, whole.name);
    rest.from = place;
    rest.is_anchored = false;
    rest.slide.reset();
    skeleton.bones[static_cast<std::size_t>(at.bone)].to = place;
    skeleton.bones.push_back(std::move(rest));
    skeleton.joints.push_back({place, at.bone, added});
    return static_cast<std::int32_t>(skeleton.joints.size()) - 1;
}

BoneGroups bone_groups(const Skeleton& skeleton, std::span<const std::uint8_t> is_awake) {
    DUCTILE_ASSERT(is_awake.size() == skeleton.joints.size(), "one per joint");
    return joined_bones(skeleton, [&](std::size_t j) { return is_awake[j] == 0; });
}

std::vector<std::int32_t> joint_loops(const Skeleton& skeleton) {
    return LoopSearch(skeleton).loops();
}

std::vector<Transform> bone_turns(const Skeleton& skeleton, std::span<const JointMotion> motions,
                                  std::int32_t root) {
    DUCTILE_ASSERT(motions.size() == skeleton.joints.size(), "one per joint");
    std::vector<Transform> out(skeleton.bones.size());
    std::vector<std::vector<std::int32_t>> around(skeleton.bones.size());
    for (std::int32_t j = 0; j < std::ssize(skeleton.joints); ++j) {
        around[skeleton.joints[j].a].push_back(j);
        around[skeleton.joints[j].b].push_back(j);
    }
    std::vector<std::uint8_t> is_known(out.size(), 0);
    std::vector<std::int32_t> queue{root};
    is_known[root] = 1;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        for (const std::int32_t j : around[queue[next]]) {
            const SkeletonJoint& joint = skeleton.joints[j];
            const bool is_forward = joint.a == queue[next];
            const std::int32_t other = is_forward ? joint.b : joint.a;
            if (is_known[other]) continue;
            is_known[other] = 1;
            queue.push_back(other);
            const JointMotion& by = motions[j];
            const Vec3 slid = joint.place + by.slide;
            const Quat back = by.turn.conjugate();
            out[other] =
                out[queue[next]] * (is_forward ? Transform{by.turn, slid - by.turn * joint.place}
                                               : Transform{back, joint.place - back * slid});
        }
    }
    return out;
}

}  // namespace ductile
