// SPDX-License-Identifier: MIT
// Dong, Liu, Ou and Zheng 2011, "A Simple Method for Real-Time Metal Shell Simulation", section 3,
// after Shlafman, Tal and Katz 2002. Where we differ: distances are scaled by their mean or by a
// cluster's size, or the weight delta would mean something else on every mesh; a new first
// representative is the face furthest from its nearest one (the seed's largest *average* distance
// makes them crowd at the ends); folds beyond 90 degrees go on growing apart; convex edges may
// count less, as in Katz and Tal 2003, for whoever wants convex patches.
#include <ductile/core/assert.h>
#include <ductile/geom/pieces/clusters.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

namespace ductile {
namespace {

// Up to here a medoid is sought among all faces (256 small Dijkstra runs, a few milliseconds).
constexpr std::size_t kExactMedoid = 256;
// A medoid must be better by this share, so that sums in another order cannot undo the gain.
constexpr double kMedoidGain = 1e-12;

// The faces of the subset as nodes, their shared edges as links.
struct FaceGraph {
    std::vector<Triangle> next;                 // the face across each edge, or -1
    std::vector<std::array<double, 3>> length;  // of the link across each edge
    std::vector<Vec3> centre;                   // zero where not finite
    std::vector<double> area;                   // 0 where not finite
    std::vector<bool> is_good;                  // finite
    mutable std::size_t visits = 0;             // faces that searches looked at
    std::size_t size() const { return next.size(); }
};

struct Visit {
    double distance;
    std::int32_t cluster;
    std::int32_t face;
    // Nearest first; equals by cluster and face, so that the order never depends on the heap.
    bool operator<(const Visit& o) const {
        return std::tie(o.distance, o.cluster, o.face) < std::tie(distance, cluster, face);
    }
};
using VisitQueue = std::priority_queue<Visit>;

struct Assignment {
    std::vector<std::int32_t> cluster;
    std::vector<double> distance;
    double objective = 0.0;
};

std::vector<Vec3> measure_faces(std::span<const Vec3> points, std::span<const Triangle> faces,
                                FaceGraph& graph) {
    std::vector<Vec3> normals;
    for (const Triangle& face : faces) {
        // Corners in ascending order: a mirrored face gives the same digits.
        Triangle t = face;
        std::sort(t.begin(), t.end());
        const Vec3 centre = (points[t[0]] + points[t[1]] + points[t[2]]) / 3.0;
        Vec3 vector = area_vector(points, t);
        if (vector.dot(area_vector(points, face)) < 0.0) vector = -vector;
        const double length = vector.norm();
        const bool is_good = std::isfinite(length) && is_finite(centre);
        graph.is_good.push_back(is_good);
        graph.centre.push_back(is_good ? centre : Vec3(Vec3::Zero()));
        graph.area.push_back(is_good ? 0.5 * length : 0.0);
        normals.push_back(is_good && length > 0.0 ? Vec3(vector / length) : Vec3(Vec3::Zero()));
    }
    return normals;
}

bool has_edge(const Triangle& t, std::int32_t from, std::int32_t to) {
    for (int k = 0; k < 3; ++k) {
        if (t[k] == from && t[(k + 1) % 3] == to) return true;
    }
    return false;
}

// The angle's part of equation 1, for unit normals with this product. The seed's 1 - cos^2 would
// take a sheet folded back onto itself for a flat one.
double angle_distance(double cosine) {
    const double square = cosine * cosine;
    return cosine >= 0.0 ? 1.0 - std::min(square, 1.0) : 1.0 + std::min(square, 1.0);
}

// Fills `length` with ways over the edges and returns their mean.
double measure_ways(std::span<const Vec3> points, std::span<const Triangle> faces,
                    FaceGraph& graph) {
    double sum = 0.0;
    std::size_t count = 0;
    graph.length.assign(faces.size(), {0.0, 0.0, 0.0});
    for (std::size_t f = 0; f < faces.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = graph.next[f][k];
            if (g < 0) continue;
            const Vec3 middle = 0.5 * (points[faces[f][k]] + points[faces[f][(k + 1) % 3]]);
            const double way =
                (graph.centre[f] - middle).norm() + (graph.centre[g] - middle).norm();
            if (!graph.is_good[f] || !graph.is_good[g] || !std::isfinite(way)) {
                graph.next[f][k] = -1;
                continue;
            }
            graph.length[f][k] = way;
            ++count;
        }
        // By size, not by corner: a mirrored face must add up to the same digits.
        std::array<double, 3> ways = graph.length[f];
        std::sort(ways.begin(), ways.end());
        sum += ways[0] + ways[1] + ways[2];
    }
    return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

// What a way of 1 in equation 1 is [m]; 0 where there is none.
double way_scale(const FaceGraph& graph, double mean_way, const ClusterOptions& options) {
    if (options.reach > 0) return options.reach;
    if (options.scale == ClusterScale::MeanWay) return mean_way;
    std::vector<double> areas = graph.area;  // by size: another order of faces has the same sum
    std::sort(areas.begin(), areas.end());
    double area = 0.0;
    for (const double a : areas) area += a;
    return std::sqrt(area / static_cast<double>(options.count));
}

FaceGraph build_graph(std::span<const Vec3> points, std::span<const Triangle> faces,
                      const ClusterOptions& options) {
    FaceGraph graph;
    graph.next = face_neighbours(faces);
    const std::vector<Vec3> normals = measure_faces(points, faces, graph);
    const double mean_way = measure_ways(points, faces, graph);
    const double scale = way_scale(graph, mean_way, options);
    const double delta = options.distance_weight;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = graph.next[f][k];
            if (g < 0) continue;
            const std::int32_t from = faces[f][k], to = faces[f][(k + 1) % 3];
            const double side = has_edge(faces[g], to, from) ? 1.0 : -1.0;
            double angle = angle_distance(side * normals[f].dot(normals[g]));
            // Told from both sides at once, so that the way back is as long to the last digit.
            const Vec3 opening = normals[g] - side * normals[f];
            const bool is_convex = opening.dot(graph.centre[g] - graph.centre[f]) >= 0.0;
            if (is_convex && side > 0.0) angle *= options.convex_weight;
            const double way = scale > 0.0 ? graph.length[f][k] / scale : 0.0;
            graph.length[f][k] = (1.0 - delta) * angle + delta * way;
        }
    }
    return graph;
}

// The face of `faces` whose centre is nearest to their common centre of area.
std::int32_t centre_face(const FaceGraph& graph, std::span<const std::int32_t> faces) {
    Vec3 sum = Vec3::Zero(), plain = Vec3::Zero();
    double area = 0.0;
    for (const std::int32_t f : faces) {
        sum += graph.area[f] * graph.centre[f];
        plain += graph.centre[f];
        area += graph.area[f];
    }
    const Vec3 middle = area > 0.0 ? Vec3(sum / area) : Vec3(plain / double(faces.size()));
    std::int32_t best = faces[0];
    double least = kInfinity;
    for (const std::int32_t f : faces) {
        const double distance_sq = (graph.centre[f] - middle).squaredNorm();
        if (distance_sq < least) {
            least = distance_sq;
            best = f;
        }
    }
    return best;
}

std::vector<std::vector<std::int32_t>> components(const FaceGraph& graph) {
    std::vector<std::vector<std::int32_t>> parts;
    std::vector<bool> is_seen(graph.size(), false);
    std::vector<std::int32_t> stack;
    for (std::size_t start = 0; start < graph.size(); ++start) {
        if (is_seen[start]) continue;
        parts.emplace_back();
        stack.assign(1, static_cast<std::int32_t>(start));
        is_seen[start] = true;
        while (!stack.empty()) {
            const std::int32_t f = stack.back();
            stack.pop_back();
            parts.back().push_back(f);
            for (const std::int32_t g : graph.next[f]) {
                if (g < 0 || is_seen[g]) continue;
                is_seen[g] = true;
                stack.push_back(g);
            }
        }
        std::sort(parts.back().begin(), parts.back().end());
    }
    return parts;
}

// Lowers `distance` wherever `source` is nearer.
void add_source(const FaceGraph& graph, std::int32_t source, std::vector<double>& distance) {
    VisitQueue queue;
    distance[source] = 0.0;
    queue.push({0.0, 0, source});
    while (!queue.empty()) {
        const Visit here = queue.top();
        queue.pop();
        if (here.distance > distance[here.face]) continue;
        ++graph.visits;
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = graph.next[here.face][k];
            if (g < 0) continue;
            const double there = here.distance + graph.length[here.face][k];
            if (!(there < distance[g])) continue;
            distance[g] = there;
            queue.push({there, 0, g});
        }
    }
}

std::vector<std::int32_t> first_representatives(const FaceGraph& graph,
                                                const ClusterOptions& options) {
    std::vector<std::int32_t> chosen;
    std::vector<double> distance(graph.size(), kInfinity);
    std::vector<bool> is_chosen(graph.size(), false);
    const auto choose = [&](std::int32_t face) {
        chosen.push_back(face);
        is_chosen[face] = true;
        add_source(graph, face, distance);
    };
    for (const auto& part : components(graph)) choose(centre_face(graph, part));
    const bool is_by_reach = options.reach > 0;
    const std::size_t wanted =
        is_by_reach ? graph.size() : std::min(graph.size(), std::size_t(options.count));
    while (chosen.size() < wanted) {
        std::int32_t furthest = -1;
        for (std::size_t f = 0; f < graph.size(); ++f) {
            if (is_chosen[f]) continue;
            if (furthest < 0 || distance[f] > distance[furthest]) {
                furthest = static_cast<std::int32_t>(f);
            }
        }
        // On a flat patch a face `reach` away is delta away.
        if (is_by_reach && !(distance[furthest] > options.distance_weight)) break;
        choose(furthest);
    }
    return chosen;
}

Assignment assign(const FaceGraph& graph, std::span<const std::int32_t> representatives) {
    Assignment a{std::vector<std::int32_t>(graph.size(), -1),
                 std::vector<double>(graph.size(), kInfinity), 0.0};
    // Nobody takes over a representative: at zero distance another cluster could swallow it.
    const auto is_representative = [&](std::int32_t f) {
        return a.cluster[f] >= 0 && representatives[a.cluster[f]] == f;
    };
    VisitQueue queue;
    for (std::size_t c = 0; c < representatives.size(); ++c) {
        const std::int32_t face = representatives[c];
        a.cluster[face] = static_cast<std::int32_t>(c);
        a.distance[face] = 0.0;
        queue.push({0.0, a.cluster[face], face});
    }
    while (!queue.empty()) {
        const Visit here = queue.top();
        queue.pop();
        if (a.cluster[here.face] != here.cluster || a.distance[here.face] != here.distance)
            continue;
        ++graph.visits;
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = graph.next[here.face][k];
            if (g < 0) continue;
            const double there = here.distance + graph.length[here.face][k];
            const bool is_nearer =
                there < a.distance[g] || (there == a.distance[g] && here.cluster < a.cluster[g]);
            if (!is_nearer || is_representative(g)) continue;
            a.distance[g] = there;
            a.cluster[g] = here.cluster;
            queue.push({there, here.cluster, g});
        }
    }
    for (const double d : a.distance) a.objective += d;
    return a;
}

// Finds the medoid of one cluster; keeps its working memory for the next.
class MedoidSearch {
public:
    MedoidSearch(const FaceGraph& graph, const Assignment& assignment)
        : graph_(graph), assignment_(assignment), distance_(graph.size(), kInfinity) {}

    std::int32_t find(std::span<const std::int32_t> faces, std::int32_t present) {
        std::int32_t best = present;
        double least = sum_from(present, kInfinity) * (1.0 - kMedoidGain);
        const auto try_face = [&](std::int32_t f) {
            const double sum = sum_from(f, least);
            if (!(sum < least)) return false;
            least = sum;
            best = f;
            return true;
        };
        if (faces.size() <= kExactMedoid) {
            for (const std::int32_t f : faces) try_face(f);
            return best;
        }
        try_face(centre_face(graph_, faces));
        for (bool is_moving = true; is_moving;) {
            is_moving = false;
            for (const std::int32_t f : Triangle(graph_.next[best])) {
                if (f >= 0 && is_member(f, best)) is_moving = try_face(f) || is_moving;
            }
        }
        return best;
    }

private:
    bool is_member(std::int32_t f, std::int32_t of) const {
        return assignment_.cluster[f] == assignment_.cluster[of];
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
            if (here.distance > distance_[here.face]) continue;
            sum += here.distance;
            ++graph_.visits;
            for (int k = 0; k < 3; ++k) {
                const std::int32_t g = graph_.next[here.face][k];
                if (g < 0 || !is_member(g, source)) continue;
                const double there = here.distance + graph_.length[here.face][k];
                if (!(there < distance_[g])) continue;
                if (distance_[g] == kInfinity) touched_.push_back(g);
                distance_[g] = there;
                queue.push({there, 0, g});
            }
        }
        for (const std::int32_t f : touched_) distance_[f] = kInfinity;
        return queue.empty() ? sum : kInfinity;
    }

    const FaceGraph& graph_;
    const Assignment& assignment_;
    std::vector<double> distance_;
    std::vector<std::int32_t> touched_;
};

std::vector<std::int32_t> elect(const FaceGraph& graph, const Assignment& assignment,
                                std::span<const std::int32_t> present, Election election) {
    std::vector<std::vector<std::int32_t>> members(present.size());
    for (std::size_t f = 0; f < graph.size(); ++f) {
        members[assignment.cluster[f]].push_back(static_cast<std::int32_t>(f));
    }
    std::vector<std::int32_t> chosen(present.begin(), present.end());
    MedoidSearch medoid(graph, assignment);
    for (std::size_t c = 0; c < present.size(); ++c) {
        chosen[c] = election == Election::Centre ? centre_face(graph, members[c])
                                                 : medoid.find(members[c], present[c]);
    }
    return chosen;
}

Clusters cluster_all(std::span<const Vec3> points, std::span<const Triangle> faces,
                     const ClusterOptions& options) {
    const FaceGraph graph = build_graph(points, faces, options);
    std::vector<std::int32_t> representatives = first_representatives(graph, options);
    Assignment present = assign(graph, representatives);
    Clusters best{present.cluster, representatives, present.objective, 0, 0.0};
    std::int32_t rounds = 0;
    while (rounds < options.iterations) {
        std::vector<std::int32_t> next = elect(graph, present, representatives, options.election);
        if (next == representatives) break;
        ++rounds;
        representatives = std::move(next);
        present = assign(graph, representatives);
        if (present.objective < best.objective) {
            best = {present.cluster, representatives, present.objective, 0, 0.0};
        }
    }
    best.rounds = rounds;
    best.searches = static_cast<double>(graph.visits) / static_cast<double>(graph.size());
    return best;
}

}  // namespace

Clusters cluster_faces(std::span<const Vec3> points, std::span<const Triangle> triangles,
                       std::span<const std::int32_t> subset, const ClusterOptions& options) {
    DUCTILE_ASSERT(options.count >= 1, "clusters wanted");
    if (triangles.empty()) return {};
    if (subset.empty()) return cluster_all(points, triangles, options);
    std::vector<Triangle> faces;
    faces.reserve(subset.size());
    for (const std::int32_t f : subset) faces.push_back(triangles[f]);
    Clusters local = cluster_all(points, faces, options);
    std::vector<std::int32_t> of_face(triangles.size(), -1);
    for (std::size_t i = 0; i < subset.size(); ++i) of_face[subset[i]] = local.of_face[i];
    for (std::int32_t& face : local.representatives) face = subset[face];
    local.of_face = std::move(of_face);
    return local;
}

}  // namespace ductile
