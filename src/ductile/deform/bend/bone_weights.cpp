// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/core/smooth_step.h>
#include <ductile/deform/bend/bone_weights.h>
#include <ductile/skin/bounded_weights.h>
#include <ductile/skin/place_handles.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ductile {
namespace {

// No place in a body-centred cubic lattice is further from a node, in cells: sqrt(5) / 4.
constexpr double kNodeReach = 0.5591;
// Distances that differ by less, in cells, are the same one: to the end that two bones share.
constexpr double kSameDistance = 1e-9;
// How far from the smoothest weights bones' may be, share of their energy (docs/numbers.md).
constexpr double kBoneGap = 1e-4;

std::vector<Handle> handles_of_bones(const Skeleton& skeleton) {
    std::vector<Handle> out;
    for (const Bone& bone : skeleton.bones) {
        const HandleKind kind = bone.is_ball() ? HandleKind::Point : HandleKind::Bone;
        out.push_back({bone.name, kind, bone.from, bone.to});
    }
    return out;
}

class BoneNodes {
public:
    BoneNodes(const TetLattice& lattice, const Skeleton& skeleton)
        : lattice_(lattice),
          skeleton_(skeleton),
          owner_count_(skeleton.bones.size(), 0),
          forced_(lattice.points().size(), -1) {}

    Result<std::vector<HeldNode>> held() {
        for (std::int32_t node = 0; node < std::ssize(forced_); ++node) hold(node);
        for (std::int32_t b = 0; b < std::ssize(skeleton_.bones); ++b) {
            if (owner_count_[b] > 0) continue;
            if (const Status ok = hold_middle(b); !ok) return ok.error();
        }
        std::erase_if(held_, [&](const HeldNode& h) {
            return forced_[h.node] >= 0 && h.weights[0].first != forced_[h.node];
        });
        std::sort(held_.begin(), held_.end(),
                  [](const HeldNode& a, const HeldNode& b) { return a.node < b.node; });
        return std::move(held_);
    }

private:
    // What the node is near to, in the order in which bones get it: balls, then the nearest.
    void hold(std::int32_t node) {
        double nearest = kInfinity;
        bool is_in_ball = false;
        HeldNode held{node, {}};
        for (std::int32_t b = 0; b < std::ssize(skeleton_.bones); ++b) {
            const Bone& bone = skeleton_.bones[b];
            const double distance = nearest_on_bone(skeleton_, b, lattice_.points()[node]).distance;
            if (distance > std::max(bone.radius, kNodeReach * lattice_.cell())) continue;
            const bool is_ball = bone.is_ball() && distance <= bone.radius;
            const double same = kSameDistance * lattice_.cell();
            if (is_ball < is_in_ball || (is_ball == is_in_ball && distance > nearest + same)) {
                continue;
            }
            if (is_ball > is_in_ball || distance < nearest - same) {
                held.weights.clear();
                nearest = distance;
            }
            is_in_ball = is_ball;
            held.weights.emplace_back(b, 1.0);
        }
        if (held.weights.empty()) return;
        if (held.weights.size() == 1) ++owner_count_[held.weights[0].first];
        for (auto& [bone, weight] : held.weights) {
            weight = 1.0 / static_cast<double>(held.weights.size());
        }
        held_.push_back(std::move(held));
    }
    Status hold_middle(std::int32_t b) {
        const Bone& bone = skeleton_.bones[b];
        const std::int32_t node = lattice_.nearest_node(0.5 * (bone.from + bone.to));
        const auto at = std::find_if(held_.begin(), held_.end(),
                                     [&](const HeldNode& h) { return h.node == node; });
        const bool is_free =
            at == held_.end() || at->weights.size() > 1 || owner_count_[at->weights[0].first] > 1;
        if (forced_[node] >= 0 || !is_free) {
            return Error{fmt::format("bone '{}' is too near to another one for the lattice, whose "
                                     "cells are {:.3g} m",
                                     bone.name, lattice_.cell()),
                         "/" + bone.name, "make the cells smaller, or the bone longer"};
        }
        if (at != held_.end() && at->weights.size() == 1) --owner_count_[at->weights[0].first];
        forced_[node] = b;
        ++owner_count_[b];
        held_.push_back({node, {{b, 1.0}}});
        return {};
    }

    const TetLattice& lattice_;
    const Skeleton& skeleton_;
    std::vector<std::int32_t> owner_count_;  ///< Per bone: nodes it holds alone.
    std::vector<std::int32_t> forced_;       ///< Per node: the bone that must have it, or -1.
    std::vector<HeldNode> held_;
};

}  // namespace

SkinWeights weights_of_one_bone(std::size_t point_count) {
    SkinWeights out;
    out.start.resize(point_count + 1);
    std::iota(out.start.begin(), out.start.end(), 0);
    out.handle.assign(point_count, 0);
    out.weight.assign(point_count, 1.0);
    return out;
}

Result<SkinWeights> bone_weights(const TetLattice& lattice, const Skeleton& skeleton,
                                 std::span<const Vec3> points) {
    if (skeleton.bones.size() == 1) return weights_of_one_bone(points.size());
    const auto held = BoneNodes(lattice, skeleton).held();
    if (!held) return held.error();
    WeightOptions options;
    options.gap = kBoneGap;
    const auto nodes = held_weights(lattice, handles_of_bones(skeleton), held.value(), options);
    if (!nodes) return nodes.error();
    return carry_weights(lattice, nodes.value().nodes, points, options.threshold);
}

SkinWeights split_weights(const SkinWeights& weights, std::span<const Vec3> points,
                          const Skeleton& skeleton, std::int32_t joint, double blend) {
    DUCTILE_ASSERT(points.size() == weights.size(), "a row per point");
    DUCTILE_ASSERT(blend > 0, "a length to blend over");
    const SkeletonJoint& at = skeleton.joints[static_cast<std::size_t>(joint)];
    const Vec3 along = (skeleton.bones[at.b].to - skeleton.bones[at.a].from).normalized() / blend;
    SkinWeights out;
    out.start.reserve(weights.start.size());
    out.handle.reserve(weights.handle.size() + points.size());
    out.weight.reserve(weights.weight.size() + points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        double beyond = 0.0;
        for (std::int32_t k = weights.start[i]; k < weights.start[i + 1]; ++k) {
            double weight = weights.weight[k];
            if (weights.handle[k] == at.a) {
                beyond = weight * smooth_step(along.dot(points[i] - at.place) + 0.5);
                weight -= beyond;
                if (!(weight > 0.0)) continue;
            }
            out.handle.push_back(weights.handle[k]);
            out.weight.push_back(weight);
        }
        if (beyond > 0.0) {
            out.handle.push_back(at.b);
            out.weight.push_back(beyond);
        }
        out.start.push_back(static_cast<std::int32_t>(out.handle.size()));
    }
    return out;
}

}  // namespace ductile
