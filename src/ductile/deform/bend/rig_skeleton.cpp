// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/skeleton.h>
#include <ductile/deform/bend/sub_bodies.h>

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

/// The one that gets what an idle joint had.
std::int32_t heir_of(std::span<const RigJoint> joints, std::int32_t idle) {
    if (joints[idle].parent >= 0) return joints[idle].parent;
    for (std::int32_t k = 0; k < std::ssize(joints); ++k) {
        if (joints[k].parent == idle) return k;
    }
    return idle == 0 ? 1 : 0;
}

// Numbers of joints with one left out: all above it come down.
std::int32_t without_joint(std::int32_t joint, std::int32_t idle, std::int32_t heir) {
    const std::int32_t kept = joint == idle ? heir : joint;
    return kept > idle ? kept - 1 : kept;
}

SkinWeights without_joint(const SkinWeights& weights, std::int32_t idle, std::int32_t heir) {
    SkinWeights out;
    for (std::size_t v = 0; v < weights.size(); ++v) {
        std::vector<std::pair<std::int32_t, double>> row;
        for (std::size_t k = 0; k < weights.handles_of(v).size(); ++k) {
            row.emplace_back(without_joint(weights.handles_of(v)[k], idle, heir),
                             weights.weights_of(v)[k]);
        }
        std::stable_sort(row.begin(), row.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (k > 0 && row[k].first == row[k - 1].first) {
                out.weight.back() += row[k].second;
                continue;
            }
            out.handle.push_back(row[k].first);
            out.weight.push_back(row[k].second);
        }
        out.start.push_back(static_cast<std::int32_t>(out.handle.size()));
    }
    return out;
}

void drop_joint(FileSkeleton& skeleton, std::int32_t idle) {
    std::vector<RigJoint>& joints = skeleton.joints;
    const std::int32_t heir = heir_of(joints, idle), above = joints[idle].parent;
    for (std::int32_t k = 0; k < std::ssize(joints); ++k) {
        if (joints[k].parent == idle) joints[k].parent = k == heir ? above : heir;
    }
    joints.erase(joints.begin() + idle);
    for (RigJoint& joint : joints) {
        if (joint.parent >= 0) joint.parent = without_joint(joint.parent, idle, heir);
    }
    skeleton.weights = without_joint(skeleton.weights, idle, heir);
}

// What hangs on no joint follows the first root.
void fill_rows(FileSkeleton& skeleton) {
    const SkinWeights old = std::move(skeleton.weights);
    const auto root = std::find_if(skeleton.joints.begin(), skeleton.joints.end(),
                                   [](const RigJoint& j) { return j.parent < 0; });
    const auto number = static_cast<std::int32_t>(root - skeleton.joints.begin());
    skeleton.weights = {};
    SkinWeights& out = skeleton.weights;
    for (std::size_t v = 0; v < old.size(); ++v) {
        const auto handles = old.handles_of(v);
        const auto weights = old.weights_of(v);
        out.handle.insert(out.handle.end(), handles.begin(), handles.end());
        out.weight.insert(out.weight.end(), weights.begin(), weights.end());
        if (handles.empty()) {
            out.handle.push_back(number);
            out.weight.push_back(1.0);
        }
        out.start.push_back(static_cast<std::int32_t>(out.handle.size()));
    }
}

}  // namespace

Status drop_idle_joints(FileSkeleton& skeleton, std::span<const Triangle> triangles) {
    if (skeleton.joints.empty() || triangles.empty()) {
        return Error{"the file has no joints that its surface hangs on", "", ""};
    }
    if (const Status ok = RigBones(skeleton.joints, 0.0).check(); !ok) return ok;
    fill_rows(skeleton);
    for (;;) {
        std::vector<std::uint8_t> is_followed(skeleton.joints.size(), 0);
        for (const std::int32_t b : triangle_bones(triangles, skeleton.weights)) is_followed[b] = 1;
        const auto idle = std::find(is_followed.begin(), is_followed.end(), 0);
        if (idle == is_followed.end()) return {};
        drop_joint(skeleton, static_cast<std::int32_t>(idle - is_followed.begin()));
    }
}

Result<Skeleton> skeleton_of_rig(std::span<const RigJoint> joints, double ball_radius) {
    if (joints.empty()) return Error{"the rig has no joints", "", ""};
    const RigBones bones(joints, ball_radius);
    if (const Status ok = bones.check(); !ok) return ok.error();
    Skeleton out = bones.skeleton();
    if (const Status ok = check_skeleton(out); !ok) return ok.error();
    return out;
}

}  // namespace ductile
