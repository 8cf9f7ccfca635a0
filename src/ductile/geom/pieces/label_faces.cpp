// SPDX-License-Identifier: MIT
#include <ductile/geom/pieces/face_units.h>
#include <ductile/geom/pieces/label_faces.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace ductile {
namespace {

// Facets that reach no further from their centre stay whole, in cluster sizes: half the diagonal of
// a square of one and a half clusters, which is nearer to one cluster than to two.
const double kWholeFacet = std::sqrt(0.75);

class UnitLabels {
public:
    UnitLabels(const FaceUnits& units, const SurfaceCells& cells, const GraphClusters& of_cells,
               double distance_weight)
        : units_(units),
          cells_(cells),
          of_cells_(of_cells),
          delta_(distance_weight),
          cluster_(units.size(), -1),
          distance_(units.size(), kInfinity) {}

    void run(std::size_t wanted) {
        for (std::size_t u = 0; u < units_.size(); ++u) label(static_cast<std::int32_t>(u));
        choose_representatives();
        drop_islands();
        adopt_orphans();
        halve_largest(wanted);
    }

    std::size_t count() const { return representatives_.size(); }

    FaceLabels result() const {
        FaceLabels labels;
        for (const std::int32_t u : units_.of_face) labels.of_face.push_back(cluster_[u]);
        for (const std::int32_t u : representatives_) {
            labels.representatives.push_back(units_.faces[u][0]);
        }
        return labels;
    }

private:
    // As far from a representative as the cells around it are, and it from them. That does not
    // depend on other units, so borders lie where they lie, to the size of a unit.
    void label(std::int32_t u) {
        const auto try_cell = [&](std::int32_t n) {
            const double angle = angle_distance(units_.normal[u].dot(cells_.graph.normal[n]));
            const double way = (units_.centre[u] - cells_.graph.centre[n]).norm();
            const double there =
                rounded_off(of_cells_.distance[n] + (1.0 - delta_) * angle + delta_ * way);
            const std::int32_t cluster = of_cells_.of_node[n];
            if (std::tie(there, cluster) < std::tie(distance_[u], cluster_[u])) {
                distance_[u] = there;
                cluster_[u] = cluster;
            }
        };
        std::set<std::int32_t> near;
        for (const std::int32_t f : units_.faces[u]) {
            for (const std::int32_t own : cells_.cells_of(f)) near.insert(own);
        }
        for (const std::int32_t own : near) {
            try_cell(own);
            for (const ClusterGraph::Link& link : cells_.graph.links_of(own)) try_cell(link.node);
        }
    }

    // Its nearest unit; clusters without one are left out.
    void choose_representatives() {
        std::vector<std::int32_t> nearest(of_cells_.representatives.size(), -1);
        for (std::size_t u = 0; u < units_.size(); ++u) {
            if (cluster_[u] < 0) continue;
            std::int32_t& best = nearest[cluster_[u]];
            if (best < 0 || distance_[u] < distance_[best]) best = static_cast<std::int32_t>(u);
        }
        std::vector<std::int32_t> renamed(nearest.size(), -1);
        for (std::size_t c = 0; c < nearest.size(); ++c) {
            if (nearest[c] < 0) continue;
            renamed[c] = static_cast<std::int32_t>(representatives_.size());
            representatives_.push_back(nearest[c]);
        }
        for (std::int32_t& c : cluster_) c = c < 0 ? -1 : renamed[c];
    }

    void drop_islands() {
        std::vector<bool> is_reached(units_.size(), false);
        std::vector<std::int32_t> stack = representatives_;
        for (const std::int32_t u : representatives_) is_reached[u] = true;
        while (!stack.empty()) {
            const std::int32_t u = stack.back();
            stack.pop_back();
            for (const FaceUnits::Link& link : units_.links[u]) {
                if (is_reached[link.unit] || cluster_[link.unit] != cluster_[u]) continue;
                is_reached[link.unit] = true;
                stack.push_back(link.unit);
            }
        }
        for (std::size_t u = 0; u < units_.size(); ++u) {
            if (!is_reached[u]) cluster_[u] = -1;
        }
    }

    // Ring by ring, each by its longest border; what borders on none becomes a cluster.
    void adopt_orphans() {
        std::vector<std::int32_t> orphans;
        for (std::size_t u = 0; u < units_.size(); ++u) {
            if (cluster_[u] < 0) orphans.push_back(static_cast<std::int32_t>(u));
        }
        while (!orphans.empty()) {
            std::vector<std::int32_t> taken, left;
            for (const std::int32_t u : orphans) taken.push_back(main_neighbour(u));
            for (std::size_t i = 0; i < orphans.size(); ++i) {
                cluster_[orphans[i]] = taken[i];
                if (taken[i] < 0) left.push_back(orphans[i]);
            }
            if (left.size() == orphans.size()) {
                cluster_[left[0]] = static_cast<std::int32_t>(representatives_.size());
                representatives_.push_back(left[0]);
                left.erase(left.begin());
            }
            orphans = std::move(left);
        }
    }

    std::int32_t main_neighbour(std::int32_t u) const {
        std::map<std::int32_t, double> border;
        for (const FaceUnits::Link& link : units_.links[u]) {
            if (cluster_[link.unit] >= 0) border[cluster_[link.unit]] += link.border;
        }
        std::int32_t best = -1;
        double longest = -1.0;
        for (const auto& [cluster, length] : border) {
            if (!(rounded_off(length) > longest)) continue;
            longest = rounded_off(length);
            best = cluster;
        }
        return best;
    }

    void halve_largest(std::size_t wanted) {
        std::vector<std::vector<std::int32_t>> members(count());
        for (std::size_t u = 0; u < units_.size(); ++u) {
            members[cluster_[u]].push_back(static_cast<std::int32_t>(u));
        }
        std::priority_queue<std::pair<double, std::int32_t>> largest;  // area, minus the cluster
        const auto enter = [&](std::int32_t c) {
            double area = 0.0;
            for (const std::int32_t u : members[c]) area += units_.area[u];
            if (members[c].size() > 1) largest.push({rounded_off(area), -c});
        };
        for (std::size_t c = 0; c < members.size(); ++c) enter(static_cast<std::int32_t>(c));
        while (count() < wanted && !largest.empty()) {
            const std::int32_t c = -largest.top().second;
            largest.pop();
            const auto added = static_cast<std::int32_t>(count());
            halve(members[c], c);
            members.emplace_back();
            std::vector<std::int32_t> both;
            both.swap(members[c]);
            for (const std::int32_t u : both) members[cluster_[u]].push_back(u);
            enter(c);
            enter(added);
        }
    }

    double apart(std::int32_t u, std::int32_t v) const {
        const double angle = angle_distance(units_.normal[u].dot(units_.normal[v]));
        const double way = (units_.centre[u] - units_.centre[v]).norm();
        return rounded_off((1.0 - delta_) * angle + delta_ * way);
    }

    std::int32_t furthest(std::span<const std::int32_t> from, std::int32_t of) const {
        std::int32_t best = from[0] == of ? from[1] : from[0];
        for (const std::int32_t u : from) {
            if (u != of && apart(of, u) > apart(of, best)) best = u;
        }
        return best;
    }

    // Units go to the nearer one of two that are far apart, over ways within the cluster.
    void halve(std::span<const std::int32_t> units, std::int32_t c) {
        const std::int32_t second = furthest(units, representatives_[c]);
        const std::int32_t first = furthest(units, second);
        const auto added = static_cast<std::int32_t>(count());
        representatives_[c] = first;
        representatives_.push_back(second);
        using Visit = std::tuple<double, std::int32_t, std::int32_t>;  // distance, cluster, unit
        std::priority_queue<Visit, std::vector<Visit>, std::greater<>> queue;
        constexpr std::int32_t kFree = -1;
        for (const std::int32_t u : units) cluster_[u] = kFree;
        const auto take = [&](double distance, std::int32_t cluster, std::int32_t u) {
            cluster_[u] = cluster;
            for (const FaceUnits::Link& link : units_.links[u]) {
                if (cluster_[link.unit] != kFree) continue;
                queue.push({distance + apart(u, link.unit), cluster, link.unit});
            }
        };
        // Both first: at no distance one would take the other.
        cluster_[second] = added;
        take(0.0, c, first);
        take(0.0, added, second);
        while (!queue.empty()) {
            const auto [distance, cluster, u] = queue.top();
            queue.pop();
            if (cluster_[u] == kFree) take(distance, cluster, u);
        }
    }

    const FaceUnits& units_;
    const SurfaceCells& cells_;
    const GraphClusters& of_cells_;
    double delta_;
    std::vector<std::int32_t> cluster_;  // of each unit
    std::vector<double> distance_;
    std::vector<std::int32_t> representatives_;  // units
};

}  // namespace

FaceLabels label_faces(std::span<const Vec3> points, std::span<const Triangle> faces,
                       const FaceGraph& graph, const SurfaceCells& cells,
                       const GraphClusters& of_cells, const ClusterOptions& options) {
    const std::size_t wanted = std::min(graph.size(), std::size_t(options.count));
    const auto label = [&](double reach) {
        const FaceUnits units = make_face_units(points, faces, graph, cells.origin, reach);
        UnitLabels labels(units, cells, of_cells, options.distance_weight);
        labels.run(wanted);
        return labels.result();
    };
    FaceLabels labels = label(kWholeFacet * graph.scale);
    // More clusters than facets are asked for: then of faces.
    return labels.representatives.size() < wanted ? label(0.0) : labels;
}

}  // namespace ductile
