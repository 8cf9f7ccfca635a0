// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/solve/dissection.h>

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// A set this small is not halved: a dense front of this many costs less than its parts would.
constexpr std::size_t kLeastToHalve = 24;
// Halves are as even as those of a sample: of this many, or of fewer of a small set.
constexpr std::size_t kSample = 64;
constexpr std::size_t kSmallSample = 8, kSmall = 256;

class Dissector {
public:
    Dissector(const VertexGraph& graph, std::span<const Vec3> points)
        : graph_(graph),
          items_(graph.size()),
          mark_(graph.size(), 0),
          item_of_(graph.size(), 0),
          mate_(graph.size(), -1),
          round_of_(graph.size(), 0) {
        found_.order.reserve(graph.size());
        found_.start.push_back(0);
        Vec3 middle = Vec3::Zero();
        for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
        double longest_sq = 0.0;
        for (std::size_t v = 0; v < points.size(); ++v) {
            const auto vertex = static_cast<std::int32_t>(v);
            items_[v].numbers << (points[v] - middle).cast<float>(), std::bit_cast<float>(vertex);
            for (const std::int32_t w : graph[v]) {
                if (w > vertex) break;
                longest_sq = std::max(longest_sq, (points[v] - points[w]).squaredNorm());
            }
        }
        // Rounding to float must not shorten an edge.
        longest_ = static_cast<float>(1.001 * std::sqrt(longest_sq));
        take_apart(items_);
    }

    Dissection take() { return std::move(found_); }

private:
    /// A place and its vertex in one register, since they are sorted again and again.
    struct Item {
        Eigen::Array4f numbers;  ///< The fourth has the vertex' bits.
        float at(int axis) const { return numbers.data()[axis]; }
        std::int32_t vertex() const { return std::bit_cast<std::int32_t>(numbers.data()[3]); }
    };
    static int longest_axis(std::span<const Item> part) {
        Eigen::Array4f low = part[0].numbers, high = low;
        for (const Item& item : part) {
            low = low.min(item.numbers);
            high = high.max(item.numbers);
        }
        int axis = 0;
        (high - low).head<3>().maxCoeff(&axis);
        return axis;
    }

    /// Appends the sets of `part`; those that still want a parent are left on `open_`.
    void take_apart(std::span<Item> part) {
        const std::size_t before = open_.size();
        if (part.size() <= kLeastToHalve) return add_set(part, before);
        const int axis = longest_axis(part);
        const std::size_t middle = halve(part, axis);
        const auto [low_end, high_begin] = separate(part, middle, axis);
        // Now: low, separator, high.
        take_apart(part.first(low_end));
        take_apart(part.subspan(high_begin));
        add_set(part.subspan(low_end, high_begin - low_end), before);
    }

    /// Its children: what is on `open_` from `before` on.
    void add_set(std::span<const Item> set, std::size_t before) {
        if (set.empty()) return;
        const auto id = static_cast<std::int32_t>(found_.parent.size());
        for (std::size_t k = before; k < open_.size(); ++k) found_.parent[open_[k]] = id;
        open_.resize(before);
        open_.push_back(id);
        for (const Item& item : set) found_.order.push_back(item.vertex());
        std::sort(found_.order.begin() + found_.start.back(), found_.order.end());
        found_.start.push_back(static_cast<std::int32_t>(found_.order.size()));
        found_.parent.push_back(-1);
    }

    /// Sorts by halves: returns where the high one begins, with its lowest item.
    static std::size_t halve(std::span<Item> part, int axis) {
        const auto is_lower = [axis](const Item& a, const Item& b) {
            const float x = a.at(axis), y = b.at(axis);
            return (x < y) | ((x == y) & (a.vertex() < b.vertex()));
        };
        const std::size_t count = part.size() < kSmall ? kSmallSample : kSample;
        std::array<Item, kSample> sample;
        for (std::size_t k = 0; k < count; ++k) sample[k] = part[k * part.size() / count];
        const auto median = sample.begin() + static_cast<std::ptrdiff_t>(count / 2);
        std::nth_element(sample.begin(), median,
                         sample.begin() + static_cast<std::ptrdiff_t>(count), is_lower);
        const Item pivot = *median;
        // Without a branch: which half an item goes to cannot be foreseen.
        std::size_t middle = 0, lowest = 0;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const bool is_low = is_lower(part[i], pivot);
            std::swap(part[i], part[middle]);
            middle += is_low;
        }
        for (lowest = middle; part[lowest].vertex() != pivot.vertex();) ++lowest;
        std::swap(part[lowest], part[middle]);
        return middle;
    }

    /// Moves the separator to the middle; returns where it begins and ends.
    std::pair<std::size_t, std::size_t> separate(std::span<Item> part, std::size_t middle,
                                                 int axis) {
        const std::int32_t low = ++stamp_, high = ++stamp_;
        const float cut = part[middle].at(axis);
        // Only what is within an edge's length of the cut can have an edge across.
        const auto mark = [&](std::size_t i, std::int32_t side) {
            mark_[part[i].vertex()] = side;
            item_of_[part[i].vertex()] = static_cast<std::int32_t>(i);
        };
        facing_.clear();
        for (std::size_t i = 0; i < middle; ++i) {
            if (!(cut - part[i].at(axis) <= longest_)) continue;
            mark(i, low);
            facing_.push_back(part[i].vertex());
        }
        for (std::size_t i = middle; i < part.size(); ++i) {
            if (part[i].at(axis) - cut <= longest_) mark(i, high);
        }
        std::erase_if(facing_, [&](std::int32_t v) {
            const auto around = graph_[v];
            return std::none_of(around.begin(), around.end(),
                                [&](std::int32_t w) { return mark_[w] == high; });
        });
        find_cover(high);
        for (std::int32_t& v : cover_) v = item_of_[v];
        std::sort(cover_.begin(), cover_.end());
        // From the cut outwards, so that nothing is moved that has still to move.
        std::size_t low_end = middle, high_begin = middle;
        const auto first_high =
            std::lower_bound(cover_.begin(), cover_.end(), static_cast<std::int32_t>(middle));
        for (auto it = first_high; it != cover_.begin();) {
            std::swap(part[*--it], part[--low_end]);
        }
        for (auto it = first_high; it != cover_.end(); ++it) {
            std::swap(part[*it], part[high_begin++]);
        }
        return {low_end, high_begin};
    }

    /// The fewest vertices that touch every edge between the halves: by Koenig's theorem, from a
    /// matching that no path can enlarge. From `facing_` to `cover_`.
    void find_cover(std::int32_t high) {
        for (const std::int32_t v : facing_) {
            ++round_;
            find_mate(v, high);
        }
        ++round_;
        for (const std::int32_t v : facing_) {
            if (mate_[v] < 0) reach_from(v, high);
        }
        cover_.clear();
        for (const std::int32_t v : facing_) {
            // A low vertex is reached if it has no mate or its mate is reached.
            const std::int32_t w = mate_[v];
            if (w >= 0) cover_.push_back(round_of_[w] == round_ ? w : v);
        }
        for (const std::int32_t v : facing_) {
            if (mate_[v] >= 0) mate_[mate_[v]] = -1;
            mate_[v] = -1;
        }
    }

    bool find_mate(std::int32_t v, std::int32_t high) {
        for (const std::int32_t w : graph_[v]) {
            if (mark_[w] != high || round_of_[w] == round_) continue;
            round_of_[w] = round_;
            if (mate_[w] >= 0 && !find_mate(mate_[w], high)) continue;
            mate_[v] = w;
            mate_[w] = v;
            return true;
        }
        return false;
    }

    void reach_from(std::int32_t v, std::int32_t high) {
        for (const std::int32_t w : graph_[v]) {
            if (mark_[w] != high || round_of_[w] == round_) continue;
            round_of_[w] = round_;
            reach_from(mate_[w], high);
        }
    }

    const VertexGraph& graph_;
    Dissection found_;
    std::vector<Item> items_;
    float longest_ = 0.0f;                ///< Of all edges.
    std::vector<std::int32_t> mark_;      ///< Per vertex: the half it was put into near a cut.
    std::vector<std::int32_t> item_of_;   ///< Per vertex near the cut: its place in the part.
    std::vector<std::int32_t> mate_;      ///< Per vertex: across the halves, or -1.
    std::vector<std::int32_t> round_of_;  ///< Per vertex: the last search that came by.
    std::int32_t stamp_ = 0, round_ = 0;
    std::vector<std::int32_t> open_;    ///< Sets without a parent as yet.
    std::vector<std::int32_t> facing_;  ///< Of the cut at hand: low vertices with an edge across.
    std::vector<std::int32_t> cover_;   ///< Of the cut at hand: its separator.
};

/// How many edges lead from the seed to each vertex; parts that none leads to come after, each from
/// a vertex of its own.
std::vector<double> hops_from(const VertexGraph& graph, std::int32_t seed) {
    std::vector<double> hops(graph.size(), -1.0);
    std::vector<std::int32_t> open;
    double base = 0.0;
    for (std::size_t k = 0; k <= graph.size(); ++k) {
        const auto from = k == 0 ? seed : static_cast<std::int32_t>(k - 1);
        if (hops[from] >= 0) continue;
        open.assign(1, from);
        hops[from] = base;
        for (std::size_t i = 0; i < open.size(); ++i) {
            base = std::max(base, hops[open[i]] + 1.0);
            for (const std::int32_t w : graph[open[i]]) {
                if (hops[w] >= 0) continue;
                hops[w] = hops[open[i]] + 1.0;
                open.push_back(w);
            }
        }
    }
    return hops;
}

}  // namespace

Dissection dissect(const VertexGraph& graph, std::span<const Vec3> points) {
    DUCTILE_ASSERT(graph.size() == points.size(), "a graph of these points");
    return Dissector(graph, points).take();
}

Dissection dissect(const VertexGraph& graph) {
    std::vector<Vec3> points(graph.size(), Vec3::Zero());
    std::vector<double> nearest(graph.size(), kInfinity);
    std::int32_t seed = 0;
    for (int axis = -1; axis < 3 && !points.empty(); ++axis) {
        // The first search only finds an end to start from.
        const std::vector<double> hops = hops_from(graph, seed);
        for (std::size_t v = 0; v < points.size(); ++v) {
            if (axis >= 0) points[v][axis] = hops[v];
            if (axis >= 0) nearest[v] = std::min(nearest[v], hops[v]);
        }
        const std::vector<double>& far = axis < 0 ? hops : nearest;
        seed = static_cast<std::int32_t>(std::max_element(far.begin(), far.end()) - far.begin());
    }
    return Dissector(graph, points).take();
}

}  // namespace ductile
