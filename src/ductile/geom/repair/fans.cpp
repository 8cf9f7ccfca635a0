// SPDX-License-Identifier: MIT
#include <ductile/geom/repair/half_edge_pairs.h>

#include <algorithm>
#include <numeric>

namespace ductile {
namespace {

// How often partners are swapped before faces are cut free; two rounds sufficed for every mesh
// tried, scans with thousands of bad edges included.
constexpr int kSwapRounds = 6;

class FanWalk {
public:
    FanWalk(std::size_t point_count, std::span<const Triangle> triangles,
            std::span<const std::uint8_t> is_used, const HalfEdgePairs& pairs)
        : triangles_(triangles), across_(pairs.across) {
        fans_.corner_points.assign(across_.size(), -1);
        std::vector<std::uint8_t> has_fan(point_count, 0);
        for (std::size_t c = 0; c < across_.size(); ++c) {
            if (!is_used[c / 3] || fans_.corner_points[c] >= 0) continue;
            const auto corner = static_cast<HalfEdge>(c);
            const std::int32_t point = start_of(triangles_, corner);
            std::int32_t name = point;
            if (has_fan[point]) {
                name = static_cast<std::int32_t>(point_count + fans_.copy_of.size());
                fans_.copy_of.push_back(point);
            }
            has_fan[point] = 1;
            walk(corner, name);
        }
        if (!fans_.copy_of.empty()) sort_copies(point_count);
    }

    Fans take() { return std::move(fans_); }

private:
    // Names every corner of the fan: around one way, and from a border the other way, too.
    void walk(HalfEdge corner, std::int32_t name) {
        fans_.corner_points[corner] = name;
        if (!leave(corner, corner, name)) leave(corner, previous_half_edge(corner), name);
    }

    // Crosses half edge after half edge around the point; true if it comes round to where it began.
    bool leave(HalfEdge corner, HalfEdge through, std::int32_t name) {
        const HalfEdge home = corner;
        const std::int32_t point = start_of(triangles_, corner);
        while (true) {
            const HalfEdge entered = across_[through];
            if (entered < 0) return false;
            const bool starts_here = start_of(triangles_, entered) == point;
            const HalfEdge at = starts_here ? entered : next_half_edge(entered);
            if (at == home) return true;
            fans_.corner_points[at] = name;
            through = starts_here ? previous_half_edge(at) : at;
        }
    }

    // Copies in the order of what they copy: preparing a surface again numbers them alike.
    void sort_copies(std::size_t point_count) {
        std::vector<std::int32_t> order(fans_.copy_of.size()), rank(order.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return fans_.copy_of[a] < fans_.copy_of[b];
        });
        for (std::size_t i = 0; i < order.size(); ++i) {
            rank[order[i]] = static_cast<std::int32_t>(i);
        }
        const auto first = static_cast<std::int32_t>(point_count);
        for (std::int32_t& p : fans_.corner_points) {
            if (p >= first) p = first + rank[p - first];
        }
        std::stable_sort(fans_.copy_of.begin(), fans_.copy_of.end());
    }

    std::span<const Triangle> triangles_;
    const std::vector<HalfEdge>& across_;
    Fans fans_;
};

// Sides that name the same two points; of one edge they all lie at one place.
struct NamedSide {
    std::int32_t low, high;
    HalfEdge half_edge;
    friend bool operator<(const NamedSide& a, const NamedSide& b) {
        if (a.low != b.low) return a.low < b.low;
        return a.high != b.high ? a.high < b.high : a.half_edge < b.half_edge;
    }
    bool same_edge(const NamedSide& o) const { return low == o.low && high == o.high; }
};

class Disentangler {
public:
    Disentangler(std::span<const Triangle> triangles, const Fans& fans, HalfEdgePairs& pairs)
        : triangles_(triangles), fans_(fans), pairs_(pairs) {}

    // Takes apart what still shares an edge; how many places that were.
    std::int32_t run(bool may_swap) {
        std::int32_t tangles = 0;
        for (std::size_t e = 0; e + 1 < pairs_.crowded_start.size(); ++e) {
            name_sides(e);
            for (std::size_t begin = 0, end = 0; begin < half_edges_.size(); begin = end) {
                while (end < half_edges_.size() && half_edges_[end].same_edge(half_edges_[begin]))
                    ++end;
                if (!is_tangled(begin, end)) continue;
                ++tangles;
                if (!may_swap || !swap(begin, end)) set_free(begin, end);
            }
        }
        return tangles;
    }

private:
    void name_sides(std::size_t edge) {
        half_edges_.clear();
        for (std::int32_t i = pairs_.crowded_start[edge]; i < pairs_.crowded_start[edge + 1]; ++i) {
            const HalfEdge s = pairs_.crowded[i];
            const std::int32_t a = fans_.corner_points[s],
                               b = fans_.corner_points[next_half_edge(s)];
            half_edges_.push_back({std::min(a, b), std::max(a, b), s});
        }
        std::sort(half_edges_.begin(), half_edges_.end());
    }

    bool is_tangled(std::size_t begin, std::size_t end) const {
        if (end - begin == 1) return false;
        return end - begin > 2 ||
               pairs_.across[half_edges_[begin].half_edge] != half_edges_[begin + 1].half_edge;
    }

    bool is_forward(HalfEdge s) const {
        const bool walks_up = start_of(triangles_, s) < start_of(triangles_, next_half_edge(s));
        return walks_up != (pairs_.is_flipped[s / 3] != 0);
    }

    // Gives the first forward half edge the last backward one, and their former partners each
    // other.
    bool swap(std::size_t begin, std::size_t end) {
        HalfEdge forward = -1, backward = -1;
        for (std::size_t i = begin; i < end; ++i) {
            const HalfEdge s = half_edges_[i].half_edge;
            if (is_forward(s)) {
                if (forward < 0) forward = s;
            } else if (forward < 0 || pairs_.across[forward] != s) {
                backward = s;
            }
        }
        if (forward < 0 || backward < 0 || pairs_.across[forward] == backward) return false;
        const HalfEdge left = pairs_.across[forward], right = pairs_.across[backward];
        if (left >= 0) pairs_.across[left] = right;
        if (right >= 0) pairs_.across[right] = left;
        pairs_.across[forward] = backward;
        pairs_.across[backward] = forward;
        return true;
    }

    void set_free(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const HalfEdge first = half_edges_[i].half_edge / 3 * 3;
            for (HalfEdge s = first; s < first + 3; ++s) {
                if (pairs_.across[s] >= 0) pairs_.across[pairs_.across[s]] = -1;
                pairs_.across[s] = -1;
            }
        }
    }

    std::span<const Triangle> triangles_;
    const Fans& fans_;
    HalfEdgePairs& pairs_;
    std::vector<NamedSide> half_edges_;
};

}  // namespace

Fans split_fans(std::size_t point_count, std::span<const Triangle> triangles,
                std::span<const std::uint8_t> is_used, HalfEdgePairs& pairs) {
    for (int round = 0;; ++round) {
        Fans fans = FanWalk(point_count, triangles, is_used, pairs).take();
        if (Disentangler(triangles, fans, pairs).run(round < kSwapRounds) == 0) return fans;
    }
}

}  // namespace ductile
