// SPDX-License-Identifier: MIT
#include <ductile/geom/pieces/face_graph.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

void measure_faces(std::span<const Vec3> points, std::span<const Triangle> faces,
                   FaceGraph& graph) {
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
        graph.normal.push_back(is_good && length > 0.0 ? Vec3(vector / length)
                                                       : Vec3(Vec3::Zero()));
    }
}

bool has_edge(const Triangle& t, std::int32_t from, std::int32_t to) {
    for (int k = 0; k < 3; ++k) {
        if (t[k] == from && t[(k + 1) % 3] == to) return true;
    }
    return false;
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

}  // namespace

double angle_distance(double cosine) {
    const double square = cosine * cosine;
    return cosine >= 0.0 ? 1.0 - std::min(square, 1.0) : 1.0 + std::min(square, 1.0);
}

FaceGraph make_face_graph(std::span<const Vec3> points, std::span<const Triangle> faces,
                          const ClusterOptions& options) {
    FaceGraph graph;
    graph.next = face_neighbours(faces);
    measure_faces(points, faces, graph);
    const std::vector<Vec3>& normals = graph.normal;
    const double mean_way = measure_ways(points, faces, graph);
    const double scale = graph.scale = way_scale(graph, mean_way, options);
    const double delta = options.distance_weight;
    graph.angle.assign(faces.size(), {0.0, 0.0, 0.0});
    for (std::size_t f = 0; f < faces.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = graph.next[f][k];
            if (g < 0) continue;
            const std::int32_t from = faces[f][k], to = faces[f][(k + 1) % 3];
            const double side = has_edge(faces[g], to, from) ? 1.0 : -1.0;
            double angle = angle_distance(side * normals[f].dot(normals[g]));
            graph.angle[f][k] = angle;
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

}  // namespace ductile
