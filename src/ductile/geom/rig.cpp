// SPDX-License-Identifier: MIT
#include <ductile/geom/rig.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace ductile {
namespace {

constexpr double kUnitError = 1e-6;  // What a rotation of floats may be off.
constexpr double kSumError = 1e-9;

Status check_handle(const Handle& handle) {
    if (handle.name.empty()) return Error{"a handle needs a name", "", ""};
    if (!is_finite(handle.place) || !is_finite(handle.tip)) {
        return Error{fmt::format("handle '{}' has a place that is not finite", handle.name), "",
                     ""};
    }
    if (handle.kind == HandleKind::Bone && !((handle.tip - handle.place).norm() > 0.0)) {
        return Error{fmt::format("bone '{}' has no length", handle.name), "",
                     "let its tip be elsewhere than its place, or make it a point"};
    }
    return {};
}

Status check_face(std::span<const Handle> handles, const Triangle& face) {
    for (const std::int32_t h : face) {
        if (h < 0 || h >= static_cast<std::int32_t>(handles.size())) {
            return Error{fmt::format("a cage's face names handle {}, of {}", h, handles.size()), "",
                         ""};
        }
        if (handles[h].kind != HandleKind::Cage) {
            return Error{
                fmt::format("a cage's face names '{}', which is no cage corner", handles[h].name),
                "", ""};
        }
    }
    if (face[0] == face[1] || face[0] == face[2]) {
        return Error{fmt::format("a cage's face names '{}' twice", handles[face[0]].name), "",
                     "a segment names its second corner twice"};
    }
    return {};
}

Status check_row(const SkinWeights& weights, std::size_t i, std::size_t handle_count) {
    const auto handles = weights.handles_of(i);
    double sum = 0.0;
    for (std::size_t k = 0; k < handles.size(); ++k) {
        const double weight = weights.weights_of(i)[k];
        if (handles[k] < 0 || handles[k] >= static_cast<std::int32_t>(handle_count) ||
            (k > 0 && handles[k] <= handles[k - 1])) {
            return Error{fmt::format("the weights of point {} name handle {} of {}, or not in "
                                     "ascending order",
                                     i, handles[k], handle_count),
                         "", ""};
        }
        if (!(weight > 0.0 && weight <= 1.0)) {
            return Error{fmt::format("a weight of point {} is {}, not in (0, 1]", i, weight), "",
                         ""};
        }
        sum += weight;
    }
    if (!(std::abs(sum - 1.0) <= kSumError)) {
        return Error{fmt::format("the weights of point {} sum to {}, not to 1", i, sum), "", ""};
    }
    return {};
}

Status check_weights(const SkinWeights& weights, std::size_t handle_count) {
    const auto& start = weights.start;
    const bool is_whole = !start.empty() && start.front() == 0 &&
                          std::is_sorted(start.begin(), start.end()) &&
                          static_cast<std::size_t>(start.back()) == weights.handle.size() &&
                          weights.handle.size() == weights.weight.size();
    if (!is_whole) return Error{"rows of weights that do not follow each other", "", ""};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (Status ok = check_row(weights, i, handle_count); !ok) return ok;
    }
    return {};
}

Status check_pose(const RigPose& pose, std::span<const Handle> handles) {
    if (pose.moves.size() != handles.size()) {
        return Error{fmt::format("pose '{}' has moves of {} handles, of {}", pose.name,
                                 pose.moves.size(), handles.size()),
                     "", ""};
    }
    for (std::size_t h = 0; h < handles.size(); ++h) {
        const Transform& move = pose.moves[h];
        if (!is_finite(move) || !(std::abs(move.rotation.norm() - 1.0) <= kUnitError)) {
            return Error{fmt::format("pose '{}' moves handle '{}' by what is no rotation and no "
                                     "finite move",
                                     pose.name, handles[h].name),
                         "", ""};
        }
    }
    return {};
}

}  // namespace

void add_mean_row(SkinWeights& weights, std::int32_t a, std::int32_t b) {
    std::map<std::int32_t, double> row;
    for (const std::int32_t end : {a, b}) {
        const auto v = static_cast<std::size_t>(end);
        for (std::size_t k = 0; k < weights.handles_of(v).size(); ++k) {
            row[weights.handles_of(v)[k]] += 0.5 * weights.weights_of(v)[k];
        }
    }
    for (const auto& [handle, weight] : row) {
        weights.handle.push_back(handle);
        weights.weight.push_back(weight);
    }
    weights.start.push_back(static_cast<std::int32_t>(weights.handle.size()));
}

Status check_handles(std::span<const Handle> handles, std::span<const Triangle> cage_faces) {
    std::map<std::string_view, std::size_t> names;
    for (std::size_t h = 0; h < handles.size(); ++h) {
        if (Status ok = check_handle(handles[h]); !ok) return ok;
        if (!names.emplace(handles[h].name, h).second) {
            return Error{fmt::format("two handles are called '{}'", handles[h].name), "", ""};
        }
    }
    for (const Triangle& face : cage_faces) {
        if (Status ok = check_face(handles, face); !ok) return ok;
    }
    return {};
}

Status check_rig(const Rig& rig, std::size_t point_count) {
    if (rig.handles.empty()) return Error{"a rig needs a handle", "", ""};
    if (Status ok = check_handles(rig.handles, rig.cage_faces); !ok) return ok;
    if (Status ok = check_weights(rig.weights, rig.handles.size()); !ok) return ok;
    if (rig.weights.size() != point_count) {
        return Error{
            fmt::format("a rig of {} points for a surface of {}", rig.weights.size(), point_count),
            "", "make the rig anew for this mesh"};
    }
    if (!(rig.cell >= 0.0 && rig.cell < kInfinity)) {
        return Error{fmt::format("a lattice's cell is {} m", rig.cell), "", ""};
    }
    if (rig.poses.size() > Rig::kMostPoses) {
        return Error{fmt::format("{} poses are more than {}", rig.poses.size(), Rig::kMostPoses),
                     "", ""};
    }
    for (const RigPose& pose : rig.poses) {
        if (Status ok = check_pose(pose, rig.handles); !ok) return ok;
    }
    return {};
}

}  // namespace ductile
