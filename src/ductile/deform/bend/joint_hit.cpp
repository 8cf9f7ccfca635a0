// SPDX-License-Identifier: MIT
#include <ductile/deform/bend/bend_data.h>
#include <ductile/deform/bend/joint_hit.h>
#include <ductile/deform/body_shape.h>

#include <algorithm>
#include <string>

namespace ductile {

using JointKind = RecordKind<JointHit>;

JointMotion JointTurn::at(double time, double amount) const {
    const auto next = std::upper_bound(keys.begin(), keys.end(), time,
                                       [](double t, const JointKey& k) { return t < k.time; });
    if (next == keys.begin()) return {};
    const Vec3 turn = amount * std::prev(next)->turn;
    const double angle = turn.norm();
    JointMotion motion;
    if (angle > 0) motion.turn = Quat(Eigen::AngleAxisd(angle, turn / angle));
    motion.slide = amount * std::prev(next)->slid();
    return motion;
}

double JointHit::last_time() const {
    double last = 0.0;
    for (const JointTurn& joint : joints) {
        if (!joint.keys.empty()) last = std::max(last, joint.keys.back().time);
    }
    return last;
}

Status JointKind::check(JointHit& hit) {
    for (std::size_t j = 0; j < hit.joints.size(); ++j) {
        const std::vector<JointKey>& keys = hit.joints[j].keys;
        const auto is_later = [](const JointKey& a, const JointKey& b) { return a.time >= b.time; };
        if (std::adjacent_find(keys.begin(), keys.end(), is_later) != keys.end()) {
            return Error{"times of keys must ascend", "/joints/" + std::to_string(j) + "/keys", ""};
        }
    }
    return {};
}

Status JointKind::fits(const JointHit& hit, const BodyShape& shape) {
    const auto* data = shape.data<BendData>();
    if (!data) {
        return Error{"the body has no skeleton", "", "give it the layer `bend`"};
    }
    const Skeleton& skeleton = data->skeleton();
    for (std::size_t j = 0; j < hit.joints.size(); ++j) {
        const JointName& name = hit.joints[j].name;
        const bool is_made = name.joint < 0;
        const std::size_t count = is_made ? skeleton.bones.size() : skeleton.joints.size();
        const auto number = static_cast<std::size_t>(is_made ? name.bone : name.joint);
        if (number >= count) {
            return Error{
                is_made ? "the skeleton has no such bone" : "the skeleton has no such joint",
                "/joints/" + std::to_string(j) + (is_made ? "/bone" : "/joint"),
                "it has " + std::to_string(count)};
        }
    }
    return {};
}

RecordMark JointKind::mark(const JointHit& hit) {
    double most = 0.0, furthest = 0.0;
    for (const JointTurn& joint : hit.joints) {
        if (joint.keys.empty()) continue;
        most = std::max(most, joint.keys.back().turn.norm());
        furthest = std::max(furthest, joint.keys.back().slid().norm());
    }
    if (!(most > 0) && furthest > 0) return {hit.position_b, furthest, "m"};
    return {hit.position_b, most * (180.0 / kPi), "deg"};
}

}  // namespace ductile
