// SPDX-License-Identifier: MIT
#include <ductile/core/assert.h>
#include <ductile/geom/dissection.h>

#include <algorithm>
#include <numeric>

namespace ductile {
namespace {

// A set this small is not halved: a dense front of this many costs less than its parts would.
constexpr std::size_t kLeastToHalve = 16;

class Dissector {
public:
    Dissector(const VertexGraph& graph, std::span<const Vec3> points)
        : graph_(graph),
          points_(points),
          mark_(graph.size(), 0),
          mate_(graph.size(), -1),
          round_of_(graph.size(), 0) {
        std::vector<std::int32_t> all(graph.size());
        std::iota(all.begin(), all.end(), 0);
        found_.order.reserve(graph.size());
        found_.start.push_back(0);
        for (const std::int32_t root : take_apart(all)) found_.parent[root] = -1;
    }

    Dissection take() { return std::move(found_); }

private:
    /// Appends the sets of `part` and returns those that still want a parent.
    std::vector<std::int32_t> take_apart(std::span<std::int32_t> part) {
        if (part.size() <= kLeastToHalve) return add_set(part, {});
        const std::size_t middle = part.size() / 2;
        halve(part, middle);
        const std::size_t low_end = separate(part, middle);
        // part is now: low, high, separator.
        const std::size_t high_end = part.size() - separator_size_;
        std::vector<std::int32_t> open = take_apart(part.first(low_end));
        const auto more = take_apart(part.subspan(low_end, high_end - low_end));
        open.insert(open.end(), more.begin(), more.end());
        return add_set(part.subspan(high_end), std::move(open));
    }

    std::vector<std::int32_t> add_set(std::span<std::int32_t> set,
                                      std::vector<std::int32_t> children) {
        if (set.empty()) return children;
        const auto id = static_cast<std::int32_t>(found_.parent.size());
        for (const std::int32_t child : children) found_.parent[child] = id;
        std::sort(set.begin(), set.end());
        found_.order.insert(found_.order.end(), set.begin(), set.end());
        found_.start.push_back(static_cast<std::int32_t>(found_.order.size()));
        found_.parent.push_back(-1);
        return {id};
    }

    void halve(std::span<std::int32_t> part, std::size_t middle) const {
        Vec3 low = points_[part[0]], high = low;
        for (const std::int32_t v : part) {
            low = low.cwiseMin(points_[v]);
            high = high.cwiseMax(points_[v]);
        }
        int axis = 0;
        (high - low).maxCoeff(&axis);
        std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(middle),
                         part.end(), [&](std::int32_t a, std::int32_t b) {
                             const double x = points_[a][axis], y = points_[b][axis];
                             return x < y || (x == y && a < b);
                         });
    }

    /// Moves the separator to the end of `part`; returns where what is left of the low half ends.
    std::size_t separate(std::span<std::int32_t> part, std::size_t middle) {
        const std::int32_t low = ++stamp_, high = ++stamp_;
        for (std::size_t i = 0; i < part.size(); ++i) mark_[part[i]] = i < middle ? low : high;
        std::vector<std::int32_t> facing;  // Low vertices with an edge to a high one.
        for (std::size_t i = 0; i < middle; ++i) {
            for (const std::int32_t w : graph_.of(part[i])) {
                if (mark_[w] != high) continue;
                facing.push_back(part[i]);
                break;
            }
        }
        std::sort(facing.begin(), facing.end());
        mark_cover(facing, high);
        const auto is_in = [&](std::int32_t side) {
            return [this, side](std::int32_t v) { return mark_[v] == side; };
        };
        const auto low_end = std::stable_partition(part.begin(), part.end(), is_in(low));
        const auto high_end = std::stable_partition(low_end, part.end(), is_in(high));
        separator_size_ = static_cast<std::size_t>(part.end() - high_end);
        return static_cast<std::size_t>(low_end - part.begin());
    }

    /// Marks as separator the fewest vertices that touch every edge between the halves: by Koenig's
    /// theorem, from a matching that no path can enlarge.
    void mark_cover(std::span<const std::int32_t> facing, std::int32_t high) {
        for (const std::int32_t v : facing) {
            ++round_;
            find_mate(v, high);
        }
        ++round_;
        for (const std::int32_t v : facing) {
            if (mate_[v] < 0) reach_from(v, high);
        }
        const std::int32_t separator = ++stamp_;
        for (const std::int32_t v : facing) {
            // A low vertex is reached if it has no mate or its mate is reached.
            const std::int32_t w = mate_[v];
            if (w < 0) continue;
            mark_[round_of_[w] == round_ ? w : v] = separator;
        }
        for (const std::int32_t v : facing) {
            if (mate_[v] >= 0) mate_[mate_[v]] = -1;
            mate_[v] = -1;
        }
    }

    bool find_mate(std::int32_t v, std::int32_t high) {
        for (const std::int32_t w : graph_.of(v)) {
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
        for (const std::int32_t w : graph_.of(v)) {
            if (mark_[w] != high || round_of_[w] == round_) continue;
            round_of_[w] = round_;
            reach_from(mate_[w], high);
        }
    }

    const VertexGraph& graph_;
    std::span<const Vec3> points_;
    Dissection found_;
    std::vector<std::int32_t> mark_;      ///< Per vertex: which half it was put into last.
    std::vector<std::int32_t> mate_;      ///< Per vertex: across the halves, or -1.
    std::vector<std::int32_t> round_of_;  ///< Per vertex: the last search that came by.
    std::int32_t stamp_ = 0, round_ = 0;
    std::size_t separator_size_ = 0;
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
            for (const std::int32_t w : graph.of(open[i])) {
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
