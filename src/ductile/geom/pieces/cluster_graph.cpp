// SPDX-License-Identifier: MIT
// The rounds of Dong, Liu, Ou and Zheng 2011, section 3 (clusters.cpp says more), on any graph.
#include <ductile/geom/pieces/split_nodes.h>
#include <ductile/geom/pieces/surface_cells.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

namespace ductile {
namespace {

// Up to here a medoid is sought among all nodes (256 small Dijkstra runs, a few milliseconds).
constexpr std::size_t kExactMedoid = 256;
// A medoid must be better by this share, so that sums in another order cannot undo the gain.
constexpr double kMedoidGain = 1e-12;
// Clusters whose centres move by less than this share of their size stay.
constexpr double kSettled = 0.01;
// Rounds over cells end with one that gains less than this share: on surfaces without seams of
// their own what follows is a slow wandering, elsewhere on every triangulation.
constexpr double kRoundGain = 0.01;
// By this share of their size clusters begin off the middle of their groups: on a flat sheet those
// lie in rows, and a dent would crease it along straight lines from edge to edge.
constexpr double kSway = 0.3;

struct Visit {
    double distance;
    std::int32_t cluster;
    std::int32_t node;
    // Nearest first; equals by cluster and node, so that the order never depends on the heap.
    bool operator<(const Visit& o) const {
        return std::tie(o.distance, o.cluster, o.node) < std::tie(distance, cluster, node);
    }
};
using VisitQueue = std::priority_queue<Visit>;

struct Assignment {
    std::vector<std::int32_t> cluster;
    std::vector<double> distance;
    double objective = 0.0;
};

Vec3 centre_of(const ClusterGraph& graph, std::span<const std::int32_t> nodes) {
    Vec3 sum = Vec3::Zero(), plain = Vec3::Zero();
    double area = 0.0;
    for (const std::int32_t n : nodes) {
        sum += graph.area[n] * graph.centre[n];
        plain += graph.centre[n];
        area += graph.area[n];
    }
    return area > 0.0 ? Vec3(sum / area) : Vec3(plain / double(nodes.size()));
}

std::int32_t nearest_node(const ClusterGraph& graph, std::span<const std::int32_t> nodes,
                          const Vec3& place) {
    std::int32_t best = nodes[0];
    double least = kInfinity;
    for (const std::int32_t n : nodes) {
        const double distance_sq = (graph.centre[n] - place).squaredNorm();
        if (distance_sq < least) {
            least = distance_sq;
            best = n;
        }
    }
    return best;
}

// The node of `nodes` whose centre is nearest to their common centre of area.
std::int32_t centre_node(const ClusterGraph& graph, std::span<const std::int32_t> nodes) {
    return nearest_node(graph, nodes, centre_of(graph, nodes));
}

// A way off a place that differs from cluster to cluster, but little from point to point; rounded,
// since libraries differ in the last digits of a sine.
Vec3 sway(const Vec3& x) {
    return rounded_off(Vec3(kSway * std::sin(2.3 * x.y() + 1.7 * x.z()),
                            kSway * std::sin(2.9 * x.z() + 1.3 * x.x()),
                            kSway * std::sin(2.6 * x.x() + 1.9 * x.y())));
}

std::vector<std::vector<std::int32_t>> components(const ClusterGraph& graph) {
    std::vector<std::vector<std::int32_t>> parts;
    std::vector<bool> is_seen(graph.size(), false);
    std::vector<std::int32_t> stack;
    for (std::size_t start = 0; start < graph.size(); ++start) {
        if (is_seen[start]) continue;
        parts.emplace_back();
        stack.assign(1, static_cast<std::int32_t>(start));
        is_seen[start] = true;
        while (!stack.empty()) {
            const std::int32_t n = stack.back();
            stack.pop_back();
            parts.back().push_back(n);
            for (const ClusterGraph::Link& link : graph.links_of(n)) {
                if (is_seen[link.node]) continue;
                is_seen[link.node] = true;
                stack.push_back(link.node);
            }
        }
        std::sort(parts.back().begin(), parts.back().end());
    }
    return parts;
}

// Finds the medoid of one cluster; keeps its working memory for the next.
class MedoidSearch {
public:
    MedoidSearch(const ClusterGraph& graph, const Assignment& assignment, std::size_t& links_seen)
        : graph_(graph),
          assignment_(assignment),
          distance_(graph.size(), kInfinity),
          links_seen_(links_seen) {}

    std::int32_t find(std::span<const std::int32_t> nodes, std::int32_t present) {
        std::int32_t best = present;
        double least = sum_from(present, kInfinity) * (1.0 - kMedoidGain);
        const auto try_node = [&](std::int32_t n) {
            const double sum = sum_from(n, least);
            if (!(sum < least)) return false;
            least = sum;
            best = n;
            return true;
        };
        if (nodes.size() <= kExactMedoid) {
            for (const std::int32_t n : nodes) try_node(n);
            return best;
        }
        try_node(centre_node(graph_, nodes));
        for (bool is_moving = true; is_moving;) {
            is_moving = false;
            for (const ClusterGraph::Link& link : graph_.links_of(best)) {
                if (is_member(link.node, best)) is_moving = try_node(link.node) || is_moving;
            }
        }
        return best;
    }

private:
    bool is_member(std::int32_t n, std::int32_t of) const {
        return assignment_.cluster[n] == assignment_.cluster[of];
    }

    // Sum of ways within the cluster; gives up once it is above `limit`.
    double sum_from(std::int32_t source, double limit) {
        VisitQueue queue;
        distance_[source] = 0.0;
        touched_.assign(1, source);
        queue.push({0.0, 0, source});
        double sum = 0.0;
        while (!queue.empty() && sum < limit) {
            const Visit here = queue.top();
            queue.pop();
            if (here.distance > distance_[here.node]) continue;
            sum += graph_.weight[here.node] * here.distance;
            const auto links = graph_.links_of(here.node);
            links_seen_ += links.size();
            for (const ClusterGraph::Link& link : links) {
                if (!is_member(link.node, source)) continue;
                const double there = here.distance + link.length;
                if (!(there < distance_[link.node])) continue;
                if (distance_[link.node] == kInfinity) touched_.push_back(link.node);
                distance_[link.node] = there;
                queue.push({there, 0, link.node});
            }
        }
        for (const std::int32_t n : touched_) distance_[n] = kInfinity;
        return queue.empty() ? sum : kInfinity;
    }

    const ClusterGraph& graph_;
    const Assignment& assignment_;
    std::vector<double> distance_;
    std::vector<std::int32_t> touched_;
    std::size_t& links_seen_;
};

// A node, and the point near it that distances are told from: of cells, which are wide, the centre
// of the cluster itself, so that it moves on without steps.
struct Representatives {
    std::vector<std::int32_t> nodes;
    std::vector<Vec3> points;
};

class NodeClusterer {
public:
    NodeClusterer(const ClusterGraph& graph, const ClusterOptions& options)
        : graph_(graph), options_(options), is_cells_(!graph.normal.empty()) {}

    GraphClusters run() {
        Representatives representatives = is_cells_ ? split_evenly() : furthest_nodes();
        Assignment present = assign(representatives);
        Assignment best = present;
        std::vector<std::int32_t> chosen = representatives.nodes;
        std::int32_t rounds = 0;
        while (rounds < options_.iterations) {
            Representatives next = elect(present, representatives.nodes);
            if (is_same(next, representatives)) break;
            ++rounds;
            representatives = std::move(next);
            present = assign(representatives);
            const bool is_worthwhile = present.objective < (1.0 - kRoundGain) * best.objective;
            if (present.objective < best.objective) {
                best = present;
                chosen = representatives.nodes;
            }
            if (is_cells_ && !is_worthwhile) break;
        }
        return {std::move(best.cluster),
                std::move(best.distance),
                std::move(chosen),
                best.objective,
                rounds,
                links_seen_};
    }

private:
    static bool is_same(const Representatives& a, const Representatives& b) {
        if (a.nodes != b.nodes) return false;
        for (std::size_t c = 0; c < a.points.size(); ++c) {
            if ((a.points[c] - b.points[c]).norm() > kSettled) return false;
        }
        return true;
    }

    // Lowers `distance` wherever `source` is nearer.
    void add_source(std::int32_t source, std::vector<double>& distance) {
        VisitQueue queue;
        distance[source] = 0.0;
        queue.push({0.0, 0, source});
        while (!queue.empty()) {
            const Visit here = queue.top();
            queue.pop();
            if (here.distance > distance[here.node]) continue;
            const auto links = graph_.links_of(here.node);
            links_seen_ += links.size();
            for (const ClusterGraph::Link& link : links) {
                const double there = here.distance + link.length;
                if (!(there < distance[link.node])) continue;
                distance[link.node] = there;
                queue.push({there, 0, link.node});
            }
        }
    }

    Representatives split_evenly() const {
        Representatives chosen;
        for (const auto& group :
             split_nodes(graph_, components(graph_), std::size_t(options_.count),
                         options_.distance_weight)) {
            const Vec3 centre = centre_of(graph_, group);
            add_near(centre + sway(centre), group, chosen);
        }
        return chosen;
    }

    Representatives furthest_nodes() {
        std::vector<std::int32_t> chosen;
        std::vector<double> distance(graph_.size(), kInfinity);
        std::vector<bool> is_chosen(graph_.size(), false);
        const auto choose = [&](std::int32_t node) {
            chosen.push_back(node);
            is_chosen[node] = true;
            add_source(node, distance);
        };
        for (const auto& part : components(graph_)) choose(centre_node(graph_, part));
        const bool is_by_reach = options_.reach > 0;
        const std::size_t wanted =
            is_by_reach ? graph_.size() : std::min(graph_.size(), std::size_t(options_.count));
        while (chosen.size() < wanted) {
            std::int32_t furthest = -1;
            for (std::size_t n = 0; n < graph_.size(); ++n) {
                if (is_chosen[n]) continue;
                if (furthest < 0 || distance[n] > distance[furthest]) {
                    furthest = static_cast<std::int32_t>(n);
                }
            }
            // On a flat patch a node `reach` away is delta away.
            if (is_by_reach && !(distance[furthest] > options_.distance_weight)) break;
            choose(furthest);
        }
        return {std::move(chosen), {}};
    }

    Assignment assign(const Representatives& representatives) {
        Assignment a{std::vector<std::int32_t>(graph_.size(), -1),
                     std::vector<double>(graph_.size(), kInfinity), 0.0};
        // Nobody takes over a representative: at zero distance another cluster could swallow it.
        const auto is_representative = [&](std::int32_t n) {
            return a.cluster[n] >= 0 && representatives.nodes[a.cluster[n]] == n;
        };
        VisitQueue queue;
        const auto reach = [&](std::int32_t n, double there, std::int32_t cluster) {
            const bool is_nearer =
                there < a.distance[n] || (there == a.distance[n] && cluster < a.cluster[n]);
            if (!is_nearer || is_representative(n)) return;
            a.distance[n] = there;
            a.cluster[n] = cluster;
            queue.push({there, cluster, n});
        };
        for (std::size_t c = 0; c < representatives.nodes.size(); ++c) {
            const std::int32_t node = representatives.nodes[c];
            a.cluster[node] = static_cast<std::int32_t>(c);
            a.distance[node] = is_cells_ ? from_point(representatives.points[c], node) : 0.0;
            queue.push({a.distance[node], a.cluster[node], node});
        }
        if (is_cells_) {
            for (std::size_t c = 0; c < representatives.nodes.size(); ++c) {
                const std::int32_t node = representatives.nodes[c];
                for (const ClusterGraph::Link& link : graph_.links_of(node)) {
                    const double angle = link.length - from_point(graph_.centre[node], link.node);
                    reach(link.node,
                          std::max(0.0, angle) + from_point(representatives.points[c], link.node),
                          static_cast<std::int32_t>(c));
                }
            }
        }
        while (!queue.empty()) {
            const Visit here = queue.top();
            queue.pop();
            if (a.cluster[here.node] != here.cluster || a.distance[here.node] != here.distance)
                continue;
            const auto links = graph_.links_of(here.node);
            links_seen_ += links.size();
            for (const ClusterGraph::Link& link : links) {
                reach(link.node, here.distance + link.length, here.cluster);
            }
        }
        for (std::size_t n = 0; n < graph_.size(); ++n) {
            a.objective += graph_.weight[n] * a.distance[n];
        }
        return a;
    }

    double from_point(const Vec3& point, std::int32_t node) const {
        return options_.distance_weight * (graph_.centre[node] - point).norm();
    }

    void add_near(const Vec3& place, std::span<const std::int32_t> nodes,
                  Representatives& to) const {
        const std::int32_t node = nearest_node(graph_, nodes, place);
        Vec3 off = place - graph_.centre[node];
        off -= off.dot(graph_.normal[node]) * graph_.normal[node];
        to.nodes.push_back(node);
        to.points.push_back(graph_.centre[node] + off);
    }

    Representatives elect(const Assignment& assignment, std::span<const std::int32_t> present) {
        std::vector<std::vector<std::int32_t>> members(present.size());
        for (std::size_t n = 0; n < graph_.size(); ++n) {
            members[assignment.cluster[n]].push_back(static_cast<std::int32_t>(n));
        }
        Representatives chosen;
        MedoidSearch medoid(graph_, assignment, links_seen_);
        for (std::size_t c = 0; c < present.size(); ++c) {
            if (options_.election == Election::Medoid) {
                chosen.nodes.push_back(medoid.find(members[c], present[c]));
                if (is_cells_) chosen.points.push_back(graph_.centre[chosen.nodes.back()]);
            } else if (is_cells_) {
                add_near(centre_of(graph_, members[c]), members[c], chosen);
            } else {
                chosen.nodes.push_back(centre_node(graph_, members[c]));
            }
        }
        return chosen;
    }

    const ClusterGraph& graph_;
    const ClusterOptions& options_;
    bool is_cells_;
    std::size_t links_seen_ = 0;
};

}  // namespace

GraphClusters cluster_nodes(const ClusterGraph& graph, const ClusterOptions& options) {
    return NodeClusterer(graph, options).run();
}

}  // namespace ductile
