// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/skeleton.h>

#include <fmt/format.h>

#include <algorithm>

namespace ductile {
namespace {

// Joints nearer than this share of the rig's size stand in one place.
constexpr double kSamePlace = 1e-6;

class RigBones {
public:
    RigBones(std::span<const RigJoint> joints, double ball_radius)
        : joints_(joints), ball_radius_(ball_radius) {
        Box box;
        for (const RigJoint& joint : joints) box.add(joint.place);
        same_place_ = kSamePlace * box.diagonal();
    }

    Status check() const {
        for (const RigJoint& joint : joints_) {
            if (joint.parent >= std::ssize(joints_) || joint.parent < -1) {
                return Error{fmt::format("joint '{}' hangs on one that is not there", joint.name),
                             "/" + joint.name, ""};
            }
            std::int32_t above = joint.parent;
            for (std::size_t steps = 0; above >= 0; above = joints_[above].parent) {
                if (++steps <= joints_.size()) continue;
                return Error{fmt::format("joint '{}' hangs on itself", joint.name),
                             "/" + joint.name, ""};
            }
        }
        return {};
    }

    Skeleton skeleton() const {
        Skeleton out;
        std::int32_t root = -1;
        for (std::int32_t j = 0; j < std::ssize(joints_); ++j) {
            out.bones.push_back(bone(j));
            if (joints_[j].parent < 0 && root < 0) root = j;
        }
        for (std::int32_t j = 0; j < std::ssize(joints_); ++j) {
            const std::int32_t parent = joints_[j].parent;
            if (j != root) out.joints.push_back({joints_[j].place, parent < 0 ? root : parent, j});
        }
        return out;
    }

private:
    bool is_apart(std::int32_t i, std::int32_t k) const {
        return (joints_[i].place - joints_[k].place).norm() > same_place_;
    }
    Bone bone(std::int32_t j) const {
        Bone out{joints_[j].name, joints_[j].place, joints_[j].place};
        for (std::int32_t k = 0; k < std::ssize(joints_); ++k) {
            if (joints_[k].parent != j || !is_apart(j, k)) continue;
            out.to = joints_[k].place;
            return out;
        }
        // Past joints in one place, as far again as it is from the one before them.
        std::int32_t above = joints_[j].parent;
        while (above >= 0 && !is_apart(j, above)) above = joints_[above].parent;
        if (above >= 0) {
            out.to += joints_[j].place - joints_[above].place;
        } else {
            out.radius = ball_radius_;
        }
        return out;
    }

    std::span<const RigJoint> joints_;
    double ball_radius_, same_place_ = 0.0;
};

}  // namespace

Result<Skeleton> skeleton_of_rig(std::span<const RigJoint> joints, double ball_radius) {
    if (joints.empty()) return Error{"the rig has no joints", "", ""};
    const RigBones bones(joints, ball_radius);
    if (const Status ok = bones.check(); !ok) return ok.error();
    Skeleton out = bones.skeleton();
    if (const Status ok = check_skeleton(out); !ok) return ok.error();
    return out;
}

}  // namespace ductile
