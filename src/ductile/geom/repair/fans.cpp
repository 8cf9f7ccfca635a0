// SPDX-License-Identifier: MIT
#include <ductile/geom/repair/side_pairs.h>

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
            std::span<const std::uint8_t> is_used, const SidePairs& pairs)
        : triangles_(triangles), across_(pairs.across) {
        fans_.corner_points.assign(across_.size(), -1);
        std::vector<std::uint8_t> has_fan(point_count, 0);
        for (std::size_t c = 0; c < across_.size(); ++c) {
            if (!is_used[c / 3] || fans_.corner_points[c] >= 0) continue;
            const auto corner = static_cast<Side>(c);
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
    void walk(Side corner, std::int32_t name) {
        fans_.corner_points[corner] = name;
        if (!leave(corner, corner, name)) leave(corner, previous_side(corner), name);
    }

    // Crosses side after side around the point; true if it comes round to where it began.
    bool leave(Side corner, Side through, std::int32_t name) {
        const Side home = corner;
        const std::int32_t point = start_of(triangles_, corner);
        while (true) {
            const Side entered = across_[through];
            if (entered < 0) return false;
            const bool starts_here = start_of(triangles_, entered) == point;
            const Side at = starts_here ? entered : next_side(entered);
            if (at == home) return true;
            fans_.corner_points[at] = name;
            through = starts_here ? previous_side(at) : at;
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
    const std::vector<Side>& across_;
    Fans fans_;
};

// Sides that name the same two points; of one edge they all lie at one place.
struct NamedSide {
    std::int32_t low, high;
    Side side;
    friend bool operator<(const NamedSide& a, const NamedSide& b) {
        if (a.low != b.low) return a.low < b.low;
        return a.high != b.high ? a.high < b.high : a.side < b.side;
    }
    bool same_edge(const NamedSide& o) const { return low == o.low && high == o.high; }
};

class Disentangler {
public:
    Disentangler(std::span<const Triangle> triangles, const Fans& fans, SidePairs& pairs)
        : triangles_(triangles), fans_(fans), pairs_(pairs) {}

    // Takes apart what still shares an edge; how many places that were.
    std::int32_t run(bool may_swap) {
        std::int32_t tangles = 0;
        for (std::size_t e = 0; e + 1 < pairs_.crowded_start.size(); ++e) {
            name_sides(e);
            for (std::size_t begin = 0, end = 0; begin < sides_.size(); begin = end) {
                while (end < sides_.size() && sides_[end].same_edge(sides_[begin])) ++end;
                if (!is_tangled(begin, end)) continue;
                ++tangles;
                if (!may_swap || !swap(begin, end)) set_free(begin, end);
            }
        }
        return tangles;
    }

private:
    void name_sides(std::size_t edge) {
        sides_.clear();
        for (std::int32_t i = pairs_.crowded_start[edge]; i < pairs_.crowded_start[edge + 1]; ++i) {
            const Side s = pairs_.crowded[i];
            const std::int32_t a = fans_.corner_points[s], b = fans_.corner_points[next_side(s)];
            sides_.push_back({std::min(a, b), std::max(a, b), s});
        }
        std::sort(sides_.begin(), sides_.end());
    }

    bool is_tangled(std::size_t begin, std::size_t end) const {
        if (end - begin == 1) return false;
        return end - begin > 2 || pairs_.across[sides_[begin].side] != sides_[begin + 1].side;
    }

    bool is_forward(Side s) const {
        const bool walks_up = start_of(triangles_, s) < start_of(triangles_, next_side(s));
        return walks_up != (pairs_.is_flipped[s / 3] != 0);
    }

    // Gives the first forward side the last backward one, and their former partners each other.
    bool swap(std::size_t begin, std::size_t end) {
        Side forward = -1, backward = -1;
        for (std::size_t i = begin; i < end; ++i) {
            const Side s = sides_[i].side;
            if (is_forward(s)) {
                if (forward < 0) forward = s;
            } else if (forward < 0 || pairs_.across[forward] != s) {
                backward = s;
            }
        }
        if (forward < 0 || backward < 0 || pairs_.across[forward] == backward) return false;
        const Side left = pairs_.across[forward], right = pairs_.across[backward];
        if (left >= 0) pairs_.across[left] = right;
        if (right >= 0) pairs_.across[right] = left;
        pairs_.across[forward] = backward;
        pairs_.across[backward] = forward;
        return true;
    }

    void set_free(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Side first = sides_[i].side / 3 * 3;
            for (Side s = first; s < first + 3; ++s) {
                if (pairs_.across[s] >= 0) pairs_.across[pairs_.across[s]] = -1;
                pairs_.across[s] = -1;
            }
        }
    }

    std::span<const Triangle> triangles_;
    const Fans& fans_;
    SidePairs& pairs_;
    std::vector<NamedSide> sides_;
};

}  // namespace

Fans split_fans(std::size_t point_count, std::span<const Triangle> triangles,
                std::span<const std::uint8_t> is_used, SidePairs& pairs) {
    for (int round = 0;; ++round) {
        Fans fans = FanWalk(point_count, triangles, is_used, pairs).take();
        if (Disentangler(triangles, fans, pairs).run(round < kSwapRounds) == 0) return fans;
    }
}

}  // namespace ductile
