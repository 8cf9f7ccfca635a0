// SPDX-License-Identifier: MIT
#include <ductile/geom/pieces/face_units.h>
#include <ductile/geom/pieces/surface_cells.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace ductile {
namespace {

// sin^2 of the angle up to which neighbours are in one plane: 1e-5, above what rounding does to
// slivers, below the angles of a sphere of a billion faces.
constexpr double kFlat = 1e-10;

// Facets whose faces are longer than this, in cluster sizes, stay whole, however large: clusters
// of less than two faces along would have the outlines of faces, and no form of their own.
constexpr double kLongFace = 0.5;

// The flat facet of each face: its first face.
std::vector<std::int32_t> find_facets(const FaceGraph& graph) {
    std::vector<std::int32_t> facet(graph.size(), -1);
    std::vector<std::int32_t> stack;
    for (std::size_t start = 0; start < graph.size(); ++start) {
        if (facet[start] >= 0) continue;
        facet[start] = static_cast<std::int32_t>(start);
        stack.assign(1, facet[start]);
        while (!stack.empty()) {
            const std::int32_t f = stack.back();
            stack.pop_back();
            for (int k = 0; k < 3; ++k) {
                const std::int32_t g = graph.next[f][k];
                if (g < 0 || facet[g] >= 0 || !(graph.angle[f][k] < kFlat)) continue;
                facet[g] = facet[start];
                stack.push_back(g);
            }
        }
    }
    return facet;
}

class UnitMaker {
public:
    UnitMaker(std::span<const Vec3> points, std::span<const Triangle> faces, const FaceGraph& graph,
              const Vec3& origin, double reach)
        : points_(points), faces_(faces), graph_(graph), origin_(origin), reach_(reach) {}

    FaceUnits make() {
        std::vector<std::vector<std::int32_t>> groups = group_faces();
        number(groups);
        link();
        return std::move(units_);
    }

private:
    struct Sum {
        Vec3 centre = Vec3::Zero(), vector = Vec3::Zero();
        double area = 0.0;
    };

    Sum sum_of(std::span<const std::int32_t> group) const {
        Sum sum;
        Vec3 plain = Vec3::Zero();
        for (const std::int32_t f : group) {
            sum.centre += graph_.area[f] * graph_.centre[f];
            plain += graph_.centre[f];
            sum.vector += graph_.area[f] * graph_.normal[f];
            sum.area += graph_.area[f];
        }
        sum.centre =
            sum.area > 0.0 ? Vec3(sum.centre / sum.area) : Vec3(plain / double(group.size()));
        return sum;
    }

    bool is_small(std::span<const std::int32_t> group) const {
        const Vec3 centre = sum_of(group).centre;
        for (const std::int32_t f : group) {
            for (const std::int32_t v : faces_[f]) {
                if (!((points_[v] - centre).norm() <= reach_)) return false;
            }
        }
        return true;
    }

    // Longest edges, weighed by area.
    bool has_long_faces(std::span<const std::int32_t> group) const {
        double sum = 0.0, area = 0.0;
        for (const std::int32_t f : group) {
            double longest = 0.0;
            for (int k = 0; k < 3; ++k) {
                const Vec3 edge = points_[faces_[f][k]] - points_[faces_[f][(k + 1) % 3]];
                longest = std::max(longest, edge.norm());
            }
            sum += graph_.area[f] * longest;
            area += graph_.area[f];
        }
        return sum > kLongFace * graph_.scale * area;
    }

    std::vector<std::vector<std::int32_t>> group_faces() const {
        const std::vector<std::int32_t> facet = find_facets(graph_);
        std::vector<std::vector<std::int32_t>> of_facet(graph_.size());
        for (std::size_t f = 0; f < graph_.size(); ++f) {
            of_facet[facet[f]].push_back(static_cast<std::int32_t>(f));
        }
        std::vector<std::vector<std::int32_t>> groups;
        for (std::vector<std::int32_t>& group : of_facet) {
            const bool is_whole = reach_ > 0 && (is_small(group) || has_long_faces(group));
            if (group.size() > 1 && !is_whole) {
                for (const std::int32_t f : group) groups.push_back({f});
            } else if (!group.empty()) {
                groups.push_back(std::move(group));
            }
        }
        return groups;
    }

    // In the order of their centres, which is the same on every triangulation.
    void number(std::vector<std::vector<std::int32_t>>& groups) {
        struct Unit {
            std::array<double, 7> key;  // centre, normal, area
            std::size_t group = 0;
        };
        std::vector<Unit> order;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const Sum sum = sum_of(groups[g]);
            const Vec3 centre = rounded_off(Vec3((sum.centre - origin_) / graph_.scale));
            const double length = sum.vector.norm();
            const Vec3 normal =
                length > 0.0 ? rounded_off(Vec3(sum.vector / length)) : Vec3(Vec3::Zero());
            const double area = rounded_off(sum.area / (graph_.scale * graph_.scale));
            order.push_back(
                {{centre.x(), centre.y(), centre.z(), normal.x(), normal.y(), normal.z(), area},
                 g});
        }
        std::sort(order.begin(), order.end(), [](const Unit& a, const Unit& b) {
            return std::tie(a.key, a.group) < std::tie(b.key, b.group);
        });
        units_.of_face.assign(graph_.size(), -1);
        for (const Unit& unit : order) {
            const auto& key = unit.key;
            for (const std::int32_t f : groups[unit.group]) {
                units_.of_face[f] = static_cast<std::int32_t>(units_.faces.size());
            }
            units_.faces.push_back(std::move(groups[unit.group]));
            units_.centre.emplace_back(key[0], key[1], key[2]);
            units_.normal.emplace_back(key[3], key[4], key[5]);
            units_.area.push_back(key[6]);
        }
    }

    void link() {
        units_.links.resize(units_.size());
        for (std::size_t u = 0; u < units_.size(); ++u) {
            std::vector<FaceUnits::Link>& links = units_.links[u];
            for (const std::int32_t f : units_.faces[u]) {
                for (int k = 0; k < 3; ++k) {
                    const std::int32_t g = graph_.next[f][k];
                    if (g < 0 || units_.of_face[g] == static_cast<std::int32_t>(u)) continue;
                    const Vec3 edge = points_[faces_[f][k]] - points_[faces_[f][(k + 1) % 3]];
                    links.push_back({units_.of_face[g], edge.norm() / graph_.scale});
                }
            }
            merge(links);
        }
    }

    static void merge(std::vector<FaceUnits::Link>& links) {
        const auto key = [](const FaceUnits::Link& l) { return std::pair(l.unit, l.border); };
        std::sort(links.begin(), links.end(),
                  [&](const auto& a, const auto& b) { return key(a) < key(b); });
        std::size_t count = 0;
        for (const FaceUnits::Link& link : links) {
            if (count > 0 && links[count - 1].unit == link.unit) {
                links[count - 1].border += link.border;
            } else {
                links[count++] = link;
            }
        }
        links.resize(count);
        for (FaceUnits::Link& link : links) link.border = rounded_off(link.border);
    }

    std::span<const Vec3> points_;
    std::span<const Triangle> faces_;
    const FaceGraph& graph_;
    Vec3 origin_;
    double reach_;
    FaceUnits units_;
};

}  // namespace

FaceUnits make_face_units(std::span<const Vec3> points, std::span<const Triangle> faces,
                          const FaceGraph& graph, const Vec3& origin, double reach) {
    return UnitMaker(points, faces, graph, origin, reach).make();
}

}  // namespace ductile
