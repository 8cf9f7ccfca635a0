// SPDX-License-Identifier: MIT
#include <ductile/geom/pieces/split_nodes.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ductile {
namespace {

constexpr std::size_t kAxes = 6;
// Another axis must part a group better by this share, another group be spread out more: shapes
// with symmetries have equal ones, and the first is to be taken on every triangulation.
constexpr double kClearlyBetter = 1.05;
// Rounds of two means along an axis: each halves what is left to go on an even spread.
constexpr int kMeanRounds = 12;

using Feature = std::array<double, kAxes>;

struct Spread {
    double area = 0.0;
    Feature sum{}, square{};
    void add(const Feature& x, double own) {
        area += own;
        for (std::size_t i = 0; i < kAxes; ++i) {
            sum[i] += own * x[i];
            square[i] += own * x[i] * x[i];
        }
    }
    double about_mean() const {
        double all = 0.0;
        for (std::size_t i = 0; i < kAxes; ++i) {
            all += area > 0 ? std::max(0.0, square[i] - sum[i] * sum[i] / area) : 0.0;
        }
        return all;
    }
};

struct NodeGroup {
    std::vector<std::int32_t> nodes;
    double spread = 0.0;
};

class NodeSplitter {
public:
    NodeSplitter(const ClusterGraph& graph, double delta) : graph_(graph) {
        for (std::size_t n = 0; n < graph.size(); ++n) {
            const Vec3 x = delta * graph.centre[n], normal = (1.0 - delta) * graph.normal[n];
            feature_.push_back({x.x(), x.y(), x.z(), normal.x(), normal.y(), normal.z()});
        }
    }

    NodeGroup group(std::vector<std::int32_t> nodes) const {
        const double spread = nodes.size() > 1 ? spread_of(nodes).about_mean() : 0.0;
        return {std::move(nodes), spread};
    }

    // Leaves what is below in `nodes` and returns the rest; empty where nothing parts them.
    std::vector<std::int32_t> split(std::vector<std::int32_t>& nodes) const {
        const double whole = spread_of(nodes).about_mean();
        double best_gain = 0.0, best_at = 0.0;
        std::size_t best_axis = kAxes;
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            const double at = threshold(nodes, axis);
            const double gain = whole - left_over(nodes, axis, at);
            if (gain > kClearlyBetter * best_gain) {
                best_gain = gain;
                best_at = at;
                best_axis = axis;
            }
        }
        if (best_axis == kAxes) return {};
        const auto middle = std::stable_partition(nodes.begin(), nodes.end(), [&](std::int32_t n) {
            return feature_[n][best_axis] < best_at;
        });
        std::vector<std::int32_t> above(middle, nodes.end());
        nodes.erase(middle, nodes.end());
        return above;
    }

private:
    Spread spread_of(const std::vector<std::int32_t>& nodes) const {
        Spread spread;
        for (const std::int32_t n : nodes) spread.add(feature_[n], graph_.area[n]);
        return spread;
    }

    double left_over(const std::vector<std::int32_t>& nodes, std::size_t axis, double at) const {
        Spread below, above;
        for (const std::int32_t n : nodes) {
            (feature_[n][axis] < at ? below : above).add(feature_[n], graph_.area[n]);
        }
        return below.about_mean() + above.about_mean();
    }

    // Between the two means of one axis, from where they part best.
    double threshold(const std::vector<std::int32_t>& nodes, std::size_t axis) const {
        std::vector<std::pair<double, double>> values;
        double area = 0.0, sum = 0.0;
        for (const std::int32_t n : nodes) {
            values.emplace_back(feature_[n][axis], graph_.area[n]);
            area += values.back().second;
            sum += values.back().first * values.back().second;
        }
        std::sort(values.begin(), values.end());
        double best = 0.0, at = values[0].first, low_area = 0.0, low_sum = 0.0;
        for (std::size_t i = 0; i + 1 < values.size(); ++i) {
            low_area += values[i].second;
            low_sum += values[i].first * values[i].second;
            if (!(values[i + 1].first > values[i].first) || !(low_area > 0 && low_area < area))
                continue;
            const double apart = low_sum / low_area - (sum - low_sum) / (area - low_area);
            const double gain = low_area * (area - low_area) * apart * apart;
            if (gain > best) {
                best = gain;
                at = 0.5 * (values[i].first + values[i + 1].first);
            }
        }
        for (int round = 0; round < kMeanRounds; ++round) {
            low_area = low_sum = 0.0;
            for (const auto& [x, own] : values) {
                if (!(x < at)) break;
                low_area += own;
                low_sum += x * own;
            }
            if (!(low_area > 0 && low_area < area)) break;
            at = 0.5 * (low_sum / low_area + (sum - low_sum) / (area - low_area));
        }
        return at;
    }

    const ClusterGraph& graph_;
    std::vector<Feature> feature_;
};

}  // namespace

std::vector<std::vector<std::int32_t>> split_nodes(const ClusterGraph& graph,
                                                   std::vector<std::vector<std::int32_t>> groups,
                                                   std::size_t count, double distance_weight) {
    const NodeSplitter splitter(graph, distance_weight);
    std::vector<NodeGroup> all;
    for (std::vector<std::int32_t>& nodes : groups) all.push_back(splitter.group(std::move(nodes)));
    while (all.size() < count) {
        auto widest = all.begin();
        for (auto g = all.begin(); g != all.end(); ++g) {
            if (g->spread > kClearlyBetter * widest->spread) widest = g;
        }
        if (!(widest->spread > 0)) break;
        std::vector<std::int32_t> below = std::move(widest->nodes);
        std::vector<std::int32_t> above = splitter.split(below);
        const bool is_whole = above.empty() || below.empty();
        if (is_whole) above.insert(above.end(), below.begin(), below.end());
        *widest = is_whole ? NodeGroup{std::move(above), 0.0} : splitter.group(std::move(below));
        if (!is_whole) all.push_back(splitter.group(std::move(above)));
    }
    groups.clear();
    for (NodeGroup& g : all) groups.push_back(std::move(g.nodes));
    return groups;
}

}  // namespace ductile
