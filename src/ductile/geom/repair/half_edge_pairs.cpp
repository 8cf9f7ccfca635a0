// SPDX-License-Identifier: MIT
#include <ductile/geom/repair/half_edge_pairs.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

void join(HalfEdge a, HalfEdge b, std::vector<HalfEdge>& across) {
    across[a] = b;
    across[b] = a;
}

void cut(HalfEdge s, std::vector<HalfEdge>& across) {
    if (across[s] >= 0) across[across[s]] = -1;
    across[s] = -1;
}

void note_crowded(std::span<const EdgeUses::Use> uses, HalfEdgePairs& pairs) {
    for (const EdgeUses::Use& use : uses) pairs.crowded.push_back(use.half_edge);
    pairs.crowded_start.push_back(static_cast<std::int32_t>(pairs.crowded.size()));
}

// Spreads one winding over every patch of faces that meet, and settles it by area.
class Windings {
public:
    Windings(std::span<const Vec3> points, std::span<const Triangle> triangles,
             std::span<const std::uint8_t> is_used, bool is_uniform, HalfEdgePairs& pairs)
        : points_(points), triangles_(triangles), is_uniform_(is_uniform), pairs_(pairs) {
        pairs_.patch.assign(triangles.size(), -1);
        pairs_.is_flipped.assign(triangles.size(), 0);
        for (std::size_t f = 0; f < triangles.size(); ++f) {
            if (is_used[f] && pairs_.patch[f] < 0) spread_winding(static_cast<std::int32_t>(f));
        }
    }

private:
    void spread_winding(std::int32_t first_face) {
        patch_.assign(1, first_face);
        pairs_.patch[first_face] = pairs_.patch_count;
        has_turned_ = false;
        for (std::size_t i = 0; i < patch_.size(); ++i) {
            const HalfEdge first = 3 * patch_[i];
            for (HalfEdge s = first; s < first + 3; ++s) spread(s);
        }
        ++pairs_.patch_count;
        if (!has_turned_) return;
        double as_given = 0.0, turned = 0.0;
        for (const std::int32_t f : patch_) {
            (pairs_.is_flipped[f] ? turned : as_given) +=
                area_vector(points_, triangles_[f]).norm();
        }
        if (!(turned > as_given)) return;
        for (const std::int32_t f : patch_) pairs_.is_flipped[f] ^= 1;
    }

    void spread(HalfEdge s) {
        const HalfEdge other = pairs_.across[s];
        if (other < 0) return;
        const std::int32_t f = s / 3, g = other / 3;
        if (is_uniform_ && pairs_.patch[g] >= 0) return;
        const bool runs_along =
            !is_uniform_ && start_of(triangles_, s) == start_of(triangles_, other);
        const std::uint8_t wanted = pairs_.is_flipped[f] ^ (runs_along ? 1 : 0);
        if (pairs_.patch[g] < 0) {
            pairs_.patch[g] = pairs_.patch_count;
            pairs_.is_flipped[g] = wanted;
            has_turned_ |= wanted != 0;
            patch_.push_back(g);
        } else if (pairs_.is_flipped[g] != wanted) {
            cut(s, pairs_.across);
            ++pairs_.twisted_edges;
            pairs_.crowded.insert(pairs_.crowded.end(), {std::min(s, other), std::max(s, other)});
            pairs_.crowded_start.push_back(static_cast<std::int32_t>(pairs_.crowded.size()));
        }
    }

    std::span<const Vec3> points_;
    std::span<const Triangle> triangles_;
    bool is_uniform_;  // All faces that meet are wound alike, as in most files.
    HalfEdgePairs& pairs_;
    std::vector<std::int32_t> patch_;  // The faces of the current one, in the order they are met.
    bool has_turned_ = false;
};

// A face seen along its edge from the low point to the high one.
struct Blade {
    double angle;  // Around the edge, counter-clockwise seen from its high end [rad].
    HalfEdge half_edge;
    bool is_forward;  // Its winding, once turned, walks from low to high.
};

// Pairs the faces around one edge like brackets: going round, the inside begins behind a face that
// walks backward and ends at one that walks forward.
void pair_blades(std::vector<Blade>& blades, std::vector<HalfEdge>& across) {
    std::sort(blades.begin(), blades.end(), [](const Blade& a, const Blade& b) {
        return a.angle != b.angle ? a.angle < b.angle : a.half_edge < b.half_edge;
    });
    std::vector<HalfEdge> open;
    for (int round = 0; round < 2; ++round) {
        for (const Blade& blade : blades) {
            if (across[blade.half_edge] >= 0) continue;
            if (!blade.is_forward) {
                if (round == 0) open.push_back(blade.half_edge);
            } else if (!open.empty()) {
                join(open.back(), blade.half_edge, across);
                open.pop_back();
            }
        }
    }
}

void pair_crowd(std::span<const Vec3> points, std::span<const Triangle> triangles, std::int32_t low,
                std::span<const EdgeUses::Use> uses, HalfEdgePairs& pairs) {
    const Vec3 axis = (points[uses[0].high] - points[low]).stableNormalized();
    const Vec3 right = any_perpendicular(axis), up = axis.cross(right);
    std::vector<Blade> blades;
    for (const EdgeUses::Use& use : uses) {
        const Vec3 d = points[start_of(triangles, previous_half_edge(use.half_edge))] - points[low];
        const bool walks_up = start_of(triangles, use.half_edge) == low;
        blades.push_back({std::atan2(d.dot(up), d.dot(right)), use.half_edge,
                          walks_up != (pairs.is_flipped[use.half_edge / 3] != 0)});
    }
    pair_blades(blades, pairs.across);
}

}  // namespace

HalfEdgePairs pair_half_edges(std::span<const Vec3> points, std::span<const Triangle> triangles,
                              std::span<const std::uint8_t> is_used) {
    HalfEdgePairs pairs;
    pairs.across.assign(3 * triangles.size(), -1);
    const EdgeUses edges(points.size(), triangles, is_used);
    bool is_uniform = true;
    edges.for_each([&](std::int32_t, std::span<const EdgeUses::Use> uses) {
        if (uses.size() != 2) return;
        join(uses[0].half_edge, uses[1].half_edge, pairs.across);
        is_uniform &=
            start_of(triangles, uses[0].half_edge) != start_of(triangles, uses[1].half_edge);
    });
    const Windings spread_over_patches(points, triangles, is_used, is_uniform, pairs);
    edges.for_each([&](std::int32_t low, std::span<const EdgeUses::Use> uses) {
        if (uses.size() <= 2) return;
        ++pairs.nonmanifold_edges;
        note_crowded(uses, pairs);
        pair_crowd(points, triangles, low, uses, pairs);
    });
    return pairs;
}

}  // namespace ductile
