// SPDX-License-Identifier: MIT
// Jones et al. 2016, "Example-Based Plastic Deformation of Rigid Bodies", section 4, and Jacobson
// et al. 2011, section 3: the weights on handles. Their meshes have nodes on bones and cages; ours
// take the nearest ones.
#include <ductile/core/assert.h>
#include <ductile/core/rng.h>
#include <ductile/geom/triangle.h>
#include <ductile/skin/place_handles.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ductile {
namespace {

// Steps along bones and faces, in cells: nodes are 0.87 cells apart.
constexpr double kStep = 0.25;
// No bone or side of a face is looked at in more places than this.
constexpr int kMostSamples = 2000;

using Claims = std::map<std::int32_t, HeldNode>;

class NodeClaims {
public:
    NodeClaims(const TetLattice& lattice, std::span<const Handle> handles)
        : lattice_(lattice), handles_(handles) {}

    Status claim_place(std::int32_t handle) {
        return claim(lattice_.nearest_node(handles_[handle].place), handle);
    }

    Status claim_bone(std::int32_t handle) {
        const Vec3& from = handles_[handle].place;
        const Vec3 along = handles_[handle].tip - from;
        const int steps = step_count(along.norm());
        std::set<std::int32_t> nodes;
        for (int i = 0; i <= steps; ++i) add_near(from + along * (i / double(steps)), nodes);
        if (nodes.empty()) nodes.insert(lattice_.nearest_node(from + 0.5 * along));
        for (const std::int32_t node : nodes) {
            if (Status ok = claim(node, handle); !ok) return ok;
        }
        return {};
    }

    Status claim_face(const Triangle& face) {
        const Corners at = {handles_[face[0]].place, handles_[face[1]].place,
                            handles_[face[2]].place};
        double longest = 0.0;
        for (int k = 0; k < 3; ++k) longest = std::max(longest, (at[k] - at[(k + 1) % 3]).norm());
        const int steps = step_count(longest), across = face[1] == face[2] ? 0 : steps;
        std::set<std::int32_t> nodes;
        for (int i = 0; i <= across; ++i) {
            for (int k = 0; k <= steps - i; ++k) {
                const double v = k / double(steps), w = i / double(steps);
                add_near((1.0 - v - w) * at[0] + v * at[1] + w * at[2], nodes);
            }
        }
        for (const std::int32_t node : nodes) {
            const Vec3 shares = closest_on_triangle(lattice_.points()[node], at).barycentric;
            if (Status ok = claim_share(node, face, shares); !ok) return ok;
        }
        return {};
    }

    /// Every bone needs a node where it alone counts.
    Status check_bones() const {
        std::set<std::int32_t> alone;
        for (const auto& [node, held] : held_) {
            if (held.weights.size() == 1) alone.insert(held.weights[0].first);
        }
        for (std::size_t h = 0; h < handles_.size(); ++h) {
            if (alone.contains(static_cast<std::int32_t>(h))) continue;
            return Error{
                fmt::format("handle '{}' has no node of the lattice for itself", handles_[h].name),
                "", "make the lattice's cells smaller, or move the handles apart"};
        }
        return {};
    }

    std::vector<HeldNode> take() {
        std::vector<HeldNode> nodes;
        for (auto& [node, held] : held_) nodes.push_back(std::move(held));
        return nodes;
    }

private:
    int step_count(double length) const {
        const double steps = std::ceil(length / (kStep * lattice_.cell()));
        return static_cast<int>(std::clamp(steps, 1.0, static_cast<double>(kMostSamples)));
    }
    void add_near(const Vec3& p, std::set<std::int32_t>& nodes) const {
        const std::int32_t node = lattice_.nearest_node(p);
        if ((lattice_.points()[node] - p).norm() <= lattice_.cell()) nodes.insert(node);
    }
    bool are_joined(std::int32_t a, std::int32_t b) const {
        const Handle &s = handles_[a], &t = handles_[b];
        if (s.kind != HandleKind::Bone || t.kind != HandleKind::Bone) return false;
        const double reach = 0.5 * lattice_.cell();
        return (s.place - t.place).norm() <= reach || (s.place - t.tip).norm() <= reach ||
               (s.tip - t.place).norm() <= reach || (s.tip - t.tip).norm() <= reach;
    }
    Error clash(std::int32_t a, std::int32_t b) const {
        return {
            fmt::format("handles '{}' and '{}' are on the same node of the lattice, whose cells "
                        "are {:.4g} m",
                        handles_[a].name, handles_[b].name, lattice_.cell()),
            "", "move them apart, or make the cells smaller"};
    }
    Status claim(std::int32_t node, std::int32_t handle) {
        HeldNode& held = held_[node];
        held.node = node;
        for (const auto& [other, weight] : held.weights) {
            if (!are_joined(other, handle)) return clash(other, handle);
        }
        held.weights.emplace_back(handle, 1.0);
        for (auto& [other, weight] : held.weights) {
            weight = 1.0 / static_cast<double>(held.weights.size());
        }
        return {};
    }
    Status claim_share(std::int32_t node, const Triangle& face, const Vec3& shares) {
        HeldNode& held = held_[node];
        if (!held.weights.empty()) {
            // Another face's, or a corner's own.
            const std::int32_t other = held.weights[0].first;
            if (handles_[other].kind == HandleKind::Cage) return {};
            return clash(other, face[0]);
        }
        held.node = node;
        std::map<std::int32_t, double> weights;
        for (int k = 0; k < 3; ++k) {
            if (shares[k] > 0.0) weights[face[k]] += shares[k];
        }
        held.weights.assign(weights.begin(), weights.end());
        return {};
    }

    const TetLattice& lattice_;
    std::span<const Handle> handles_;
    Claims held_;
};

/// Nodes of which one of the closest pair is taken out again and again.
class Thinning {
public:
    /// The first `fixed` of the nodes stay.
    Thinning(const TetLattice& lattice, std::vector<std::int32_t> nodes, std::size_t fixed)
        : lattice_(lattice), nodes_(std::move(nodes)), fixed_(fixed), is_out_(nodes_.size(), 0) {
        for (const std::int32_t n : nodes_) {
            for (int a = 0; a < 3; ++a) {
                half_[a] = std::max(half_[a], std::abs(lattice_.grid_place(n)[a]));
            }
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) near_.push_back(nearest(i));
    }

    std::vector<std::int32_t> left(std::size_t count) {
        for (std::size_t free = nodes_.size() - fixed_; free > count; --free) remove_one();
        std::vector<std::int32_t> kept;
        for (std::size_t i = fixed_; i < nodes_.size(); ++i) {
            if (!is_out_[i]) kept.push_back(nodes_[i]);
        }
        return kept;
    }

private:
    /// Of two pairs as close, chance picks: neighbours that went one after the other in the order
    /// of their indices would leave whole sides bare.
    struct Pair {
        std::int64_t distance_sq = INT64_MAX;
        std::uint64_t chance = 0;
        std::size_t other = 0;
        bool operator<(const Pair& o) const {
            return distance_sq != o.distance_sq ? distance_sq < o.distance_sq : chance < o.chance;
        }
    };

    Pair pair(std::size_t i, std::size_t k) const {
        const auto &p = lattice_.grid_place(nodes_[i]), &q = lattice_.grid_place(nodes_[k]);
        std::int64_t sum = 0;
        for (int a = 0; a < 3; ++a) sum += std::int64_t{p[a] - q[a]} * (p[a] - q[a]);
        const auto low = static_cast<std::uint64_t>(std::min(nodes_[i], nodes_[k]));
        const auto high = static_cast<std::uint64_t>(std::max(nodes_[i], nodes_[k]));
        return {sum, Rng(low << 32 | high).next(), k};
    }
    Pair nearest(std::size_t i) const {
        Pair best;
        for (std::size_t k = 0; k < nodes_.size(); ++k) {
            if (k == i || is_out_[k] || (i < fixed_ && k < fixed_)) continue;
            best = std::min(best, pair(i, k));
        }
        return best;
    }
    /// How far from the sides of the box around all nodes [half cells].
    std::int32_t depth(std::size_t i) const {
        const auto& p = lattice_.grid_place(nodes_[i]);
        return std::min(
            {half_[0] - std::abs(p[0]), half_[1] - std::abs(p[1]), half_[2] - std::abs(p[2])});
    }
    void remove_one() {
        std::size_t best = nodes_.size();
        for (std::size_t i = fixed_; i < nodes_.size(); ++i) {
            if (!is_out_[i] && (best == nodes_.size() || near_[i] < near_[best])) best = i;
        }
        const std::size_t other = near_[best].other;
        const bool goes_other = other >= fixed_ && (depth(other) > depth(best) ||
                                                    (depth(other) == depth(best) && other > best));
        const std::size_t gone = goes_other ? other : best;
        is_out_[gone] = 1;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (!is_out_[i] && near_[i].other == gone) near_[i] = nearest(i);
        }
    }

    const TetLattice& lattice_;
    std::vector<std::int32_t> nodes_;
    std::size_t fixed_;
    std::vector<std::uint8_t> is_out_;
    std::array<std::int32_t, 3> half_ = {0, 0, 0};
    std::vector<Pair> near_;
};

}  // namespace

Result<std::vector<HeldNode>> held_nodes(const TetLattice& lattice, std::span<const Handle> handles,
                                         std::span<const Triangle> cage_faces) {
    if (const Status ok = check_handles(handles, cage_faces); !ok) return ok.error();
    NodeClaims claims(lattice, handles);
    for (std::size_t h = 0; h < handles.size(); ++h) {
        if (handles[h].kind == HandleKind::Bone) continue;
        const Status ok = claims.claim_place(static_cast<std::int32_t>(h));
        if (!ok) return ok.error();
    }
    for (std::size_t h = 0; h < handles.size(); ++h) {
        if (handles[h].kind != HandleKind::Bone) continue;
        const Status ok = claims.claim_bone(static_cast<std::int32_t>(h));
        if (!ok) return ok.error();
    }
    for (const Triangle& face : cage_faces) {
        if (const Status ok = claims.claim_face(face); !ok) return ok.error();
    }
    if (const Status ok = claims.check_bones(); !ok) return ok.error();
    return claims.take();
}

Result<std::vector<Handle>> add_automatic_handles(const TetLattice& lattice,
                                                  std::vector<Handle> given, std::size_t count,
                                                  std::span<const Triangle> cage_faces) {
    const auto held = held_nodes(lattice, given, cage_faces);
    if (!held) return held.error();
    std::vector<std::int32_t> nodes;
    for (const HeldNode& h : held.value()) nodes.push_back(h.node);
    const std::size_t fixed = nodes.size();
    for (const std::int32_t n : lattice.boundary_nodes()) {
        if (!std::binary_search(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(fixed),
                                n)) {
            nodes.push_back(n);
        }
    }
    const std::size_t wanted = count > given.size() ? count - given.size() : 0;
    if (wanted > nodes.size() - fixed) {
        return Error{fmt::format("{} handles are asked for, but the lattice has room for {}", count,
                                 nodes.size() - fixed + given.size()),
                     "", "make its cells smaller"};
    }
    std::set<std::string> names;
    for (const Handle& h : given) names.insert(h.name);
    int number = 0;
    for (const std::int32_t n : Thinning(lattice, std::move(nodes), fixed).left(wanted)) {
        Handle handle;
        do {
            handle.name = fmt::format("auto{}", ++number);
        } while (names.contains(handle.name));
        handle.place = lattice.points()[n];
        given.push_back(std::move(handle));
    }
    return given;
}

}  // namespace ductile
