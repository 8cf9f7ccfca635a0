// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/deform/press/press_residuals.h>
#include <ductile/geom/query/mesh_crossings.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ductile {
namespace {

// What rounding leaves between a point that lies on a surface and the surface, as a share of its
// box.
constexpr double kOnSurface = 1e-7;
constexpr double kSharpCosine = 0.7071;
// So many folded or crossing edges are half as bad as any number of them.
constexpr double kManyEdges = 20.0;
// Another mesh must leave this share of what there was above limits, or less.
constexpr double kHelps = 0.8;
// Of the deepest contact: what moves by less is not part of it.
constexpr double kGoesAlong = 0.2;

/// Triangles of which a corner moved, and those around them.
std::vector<Triangle> triangles_around_moves(std::span<const Vec3> before,
                                             std::span<const Vec3> after,
                                             std::span<const Triangle> triangles) {
    std::vector<std::uint8_t> is_near(before.size(), 0);
    const auto has_moved = [&](std::int32_t v) { return before[v] != after[v]; };
    for (const Triangle& t : triangles) {
        if (!has_moved(t[0]) && !has_moved(t[1]) && !has_moved(t[2])) continue;
        for (const std::int32_t v : t) is_near[v] = 1;
    }
    std::vector<Triangle> near;
    for (const Triangle& t : triangles) {
        if (is_near[t[0]] || is_near[t[1]] || is_near[t[2]]) near.push_back(t);
    }
    return near;
}

/// Whether the edge across which two triangles meet came to be folded.
bool has_folded(std::span<const Vec3> before, std::span<const Vec3> after, const Triangle& own,
                const Triangle& other) {
    const auto is_folded = [&](std::span<const Vec3> points) {
        return area_vector(points, own).dot(area_vector(points, other)) < 0;
    };
    return is_folded(after) && !is_folded(before);
}

std::int32_t count_folds(std::span<const Vec3> before, std::span<const Vec3> after,
                         std::span<const Triangle> triangles) {
    const std::vector<Triangle> across = face_neighbours(triangles);
    std::int32_t folds = 0;
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = across[f][k];
            if (g <= static_cast<std::int32_t>(f)) continue;
            folds += has_folded(before, after, triangles[f], triangles[g]);
        }
    }
    return folds;
}

/// Edges that were sharp before and moved along with a contact, both ends by a share of its depth.
std::int32_t count_sharp_edges(std::span<const Vec3> before, std::span<const Vec3> after,
                               std::span<const Triangle> triangles,
                               std::span<const std::int32_t> zone) {
    double depth = 0.0;
    for (std::size_t v = 0; v < zone.size(); ++v) {
        if (zone[v] >= 0) depth = std::max(depth, (after[v] - before[v]).norm());
    }
    const auto goes_along = [&](std::int32_t v) {
        return (after[v] - before[v]).norm() > kGoesAlong * depth;
    };
    const std::vector<Triangle> across = face_neighbours(triangles);
    std::int32_t count = 0;
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Triangle& t = triangles[f];
        for (int k = 0; k < 3; ++k) {
            const std::int32_t g = across[f][k];
            if (g <= static_cast<std::int32_t>(f) || !goes_along(t[k]) ||
                !goes_along(t[(k + 1) % 3])) {
                continue;
            }
            const Vec3 own = area_vector(before, t), other = area_vector(before, triangles[g]);
            count += own.dot(other) < kSharpCosine * own.norm() * other.norm();
        }
    }
    return count;
}

double worst_stretch(std::span<const Vec3> before, std::span<const Vec3> after,
                     std::span<const Triangle> triangles) {
    double worst = 1.0;
    for (const Triangle& t : triangles) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = t[k], b = t[(k + 1) % 3];
            const double rest = (before[a] - before[b]).norm();
            if (rest > 0) worst = std::max(worst, (after[a] - after[b]).norm() / rest);
        }
    }
    return worst;
}

}  // namespace

double deepest_inside(std::span<const Vec3> points, std::span<const Triangle> triangles,
                      const SurfaceQuery& rigid) {
    const Box box = rigid.box();
    std::vector<Vec3> asked;
    const auto ask = [&](const Vec3& p) {
        if (!(box.distance_sq(p) > 0)) asked.push_back(p);
    };
    std::vector<std::uint8_t> is_asked(points.size(), 0);
    for (const Triangle& t : triangles) {
        for (int k = 0; k < 3; ++k) {
            if (!std::exchange(is_asked[t[k]], 1)) ask(points[t[k]]);
            if (t[k] < t[(k + 1) % 3]) ask(Vec3(0.5 * (points[t[k]] + points[t[(k + 1) % 3]])));
        }
    }
    std::vector<double> depths(asked.size(), 0.0);
    const double least = kOnSurface * box.diagonal();
    parallel_for(asked.size(), 64, [&](std::size_t i) {
        if (!rigid.is_inside(asked[i])) return;
        const double depth = rigid.closest_point(asked[i]).distance;
        if (depth > least) depths[i] = depth;
    });
    return depths.empty() ? 0.0 : *std::max_element(depths.begin(), depths.end());
}

PressResiduals press_residuals(std::span<const Vec3> before, std::span<const Vec3> pressed,
                               std::span<const Triangle> triangles,
                               std::span<const std::int32_t> zone, const SurfaceQuery& rigid,
                               bool rigid_is_closed) {
    PressResiduals left;
    if (rigid_is_closed) left.depth_left = deepest_inside(pressed, triangles, rigid);
    const std::vector<Triangle> moved = triangles_around_moves(before, pressed, triangles);
    if (moved.empty()) return left;
    left.folds = count_folds(before, pressed, moved);
    left.sharp_edges = count_sharp_edges(before, pressed, moved, zone);
    left.worst_stretch = worst_stretch(before, pressed, moved);
    const std::size_t now = self_crossings_of(pressed, moved, triangles).size();
    const std::size_t then = now > 0 ? self_crossings_of(before, moved, triangles).size() : 0;
    left.self_crossings = static_cast<std::int32_t>(now > then ? now - then : 0);
    return left;
}

double residual_excess(const PressResiduals& residuals, double size,
                       const PressResidualLimits& limits) {
    const auto share = [](double above) { return above > 0 ? above / (1.0 + above) : 0.0; };
    return share(residuals.depth_left / (limits.depth_left * size) - 1.0) +
           share(residuals.worst_stretch / limits.worst_stretch - 1.0) +
           share((residuals.folds - limits.folds) / kManyEdges) +
           share((residuals.self_crossings - limits.self_crossings) / kManyEdges);
}

bool is_worth_it(const ResidualSum& now, const ResidualSum& before) {
    return now.fallbacks <= before.fallbacks && now.excess < kHelps * before.excess;
}

std::vector<MeshEdge> edges_to_split(std::span<const Vec3> before, std::span<const Vec3> pressed,
                                     std::span<const Triangle> triangles, const SurfaceQuery& rigid,
                                     bool rigid_is_closed, double size,
                                     const PressResidualLimits& limits) {
    const std::vector<Triangle> moved = triangles_around_moves(before, pressed, triangles);
    const std::vector<Triangle> across = face_neighbours(moved);
    const double least_depth = 0.5 * limits.depth_left * size;
    const double most_stretch = 0.5 * limits.worst_stretch;
    const Box box = rigid.box();
    std::vector<MeshEdge> edges;
    const auto add = [&](std::int32_t a, std::int32_t b) {
        edges.push_back({std::min(a, b), std::max(a, b)});
    };
    std::vector<std::array<std::uint8_t, 3>> asks(moved.size());
    parallel_for(moved.size(), 32, [&](std::size_t f) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = moved[f][k], b = moved[f][(k + 1) % 3], g = across[f][k];
            if (g >= 0 && a > b) continue;  // Its other triangle asks.
            const double rest = (before[a] - before[b]).norm();
            const Vec3 middle = 0.5 * (pressed[a] + pressed[b]);
            const bool is_stretched = (pressed[a] - pressed[b]).norm() > most_stretch * rest;
            asks[f][k] = is_stretched || (rigid_is_closed && !(box.distance_sq(middle) > 0) &&
                                          rigid.is_inside(middle) &&
                                          rigid.closest_point(middle).distance > least_depth);
        }
    });
    for (std::size_t f = 0; f < moved.size(); ++f) {
        const Triangle& t = moved[f];
        for (int k = 0; k < 3; ++k) {
            if (asks[f][k]) add(t[k], t[(k + 1) % 3]);
            const std::int32_t g = across[f][k];
            if (g <= static_cast<std::int32_t>(f) || !has_folded(before, pressed, t, moved[g])) {
                continue;
            }
            for (const Triangle& beside : {t, moved[g]}) {
                for (int i = 0; i < 3; ++i) add(beside[i], beside[(i + 1) % 3]);
            }
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

std::vector<std::string> residual_notes(const PressResiduals& residuals, double size,
                                        std::string_view presser,
                                        const PressResidualLimits& limits) {
    std::vector<std::string> notes;
    if (residuals.depth_left > limits.depth_left * size) {
        notes.push_back(
            fmt::format("the soft body is left up to {:.2g} m inside {}, "
                        "{:.1f} % of its size: a finer soft mesh or a smaller "
                        "stiffness may bring it out",
                        residuals.depth_left, presser, 100.0 * residuals.depth_left / size));
    }
    if (residuals.folds > limits.folds) {
        notes.push_back(
            fmt::format("{} edges are bent over by more than 90 degrees: a finer soft "
                        "mesh, or refine, may make the rim smoother",
                        residuals.folds));
    }
    if (residuals.worst_stretch > limits.worst_stretch) {
        notes.push_back(
            fmt::format("an edge is stretched to {:.1f} times its length: refine puts "
                        "points there",
                        residuals.worst_stretch));
    }
    if (residuals.self_crossings > limits.self_crossings) {
        notes.push_back(
            fmt::format("{} edges of the soft body came to go through it: a smaller "
                        "bulge or extent keeps its parts from each other",
                        residuals.self_crossings));
    }
    if (residuals.sharp_edges > limits.sharp_edges) {
        notes.push_back(fmt::format(
            "{} edges of the soft body at the contact are sharper than 45 degrees: press "
            "is for smooth soft bodies, and sides beside such edges curl; round them "
            "before",
            residuals.sharp_edges));
    }
    return notes;
}

}  // namespace ductile
