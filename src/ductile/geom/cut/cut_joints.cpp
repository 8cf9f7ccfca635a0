// SPDX-License-Identifier: MIT
#include <ductile/core/joined_sets.h>
#include <ductile/geom/cut/cut_joints.h>
#include <ductile/geom/query/surface_query.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ductile {
namespace {

using PiecePair = std::array<std::int32_t, 2>;

/// What is summed over a joint.
struct JointSum {
    double area = 0.0;
    Vec3 first = Vec3::Zero(), vector = Vec3::Zero();
    Mat3 second = Mat3::Zero();
};
using JointSums = std::map<PiecePair, JointSum>;

void add_walls(const CutMesh& cut, JointSums& sums) {
    for (const CutFace& face : cut.faces) {
        if (face.front < 0) continue;
        JointSum& sum =
            sums[{std::min(face.behind, face.front), std::max(face.behind, face.front)}];
        const Vec3 vector = 0.5 * area_vector(cut.points, face.corners);
        const double area = vector.norm();
        Vec3 middle = Vec3::Zero();
        Mat3 spread = Mat3::Zero();
        for (const std::int32_t p : face.corners) {
            middle += cut.points[p] / 3.0;
            spread += cut.points[p] * cut.points[p].transpose();
        }
        sum.area += area;
        sum.first += area * middle;
        sum.vector += face.behind < face.front ? vector : Vec3(-vector);
        sum.second += area / 12.0 * (spread + 9.0 * middle * middle.transpose());
    }
}

/// A side of a sheet's face.
struct SheetEdge {
    std::int32_t low = 0, high = 0;  ///< Its points.
    std::int32_t face = 0;
    Vec3 outward = Vec3::Zero();  ///< In the face's plane, unit.
};

std::vector<SheetEdge> sheet_edges(const CutMesh& cut, std::span<const std::uint8_t> is_solid) {
    std::vector<SheetEdge> edges;
    for (std::size_t f = 0; f < cut.faces.size(); ++f) {
        const CutFace& face = cut.faces[f];
        if (face.source < 0 || is_solid[face.source]) continue;
        const Vec3 normal = area_vector(cut.points, face.corners);
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = face.corners[k], b = face.corners[(k + 1) % 3];
            const Vec3 outward = (cut.points[b] - cut.points[a]).cross(normal);
            const double length = outward.norm();
            edges.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(f),
                             length > 0 ? Vec3(outward / length) : Vec3(Vec3::Zero())});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const SheetEdge& x, const SheetEdge& y) {
        return std::tie(x.low, x.high, x.face) < std::tie(y.low, y.high, y.face);
    });
    return edges;
}

// Where two pieces of sheet meet: a strip as wide as the sheet is thick.
void add_sheet_edges(const CutMesh& cut, std::span<const std::uint8_t> is_solid, double thickness,
                     JointSums& sums) {
    const std::vector<SheetEdge> edges = sheet_edges(cut, is_solid);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const SheetEdge &x = edges[i], &y = edges[i + 1];
        if (x.low != y.low || x.high != y.high) continue;
        const std::int32_t p = cut.faces[x.face].behind, q = cut.faces[y.face].behind;
        if (p == q) continue;
        const Vec3 a = cut.points[x.low], b = cut.points[x.high];
        const double length = (b - a).norm(), area = length * thickness;
        JointSum& sum = sums[{std::min(p, q), std::max(p, q)}];
        sum.area += area;
        sum.first += 0.5 * area * (a + b);
        sum.vector +=
            0.5 * area * (p < q ? Vec3(x.outward - y.outward) : Vec3(y.outward - x.outward));
        const Mat3 mixed = a * b.transpose();
        const Vec3 normal = area_vector(cut.points, cut.faces[x.face].corners).normalized();
        sum.second += area / 3.0 * (a * a.transpose() + b * b.transpose()) +
                      area / 6.0 * (mixed + mixed.transpose()) +
                      area * thickness * thickness / 12.0 * normal * normal.transpose();
    }
}

/// Pieces that hang together, as a surface of their own.
struct LooseGroup {
    std::vector<std::int32_t> pieces;
    PieceSurface surface;
    std::unique_ptr<SurfaceQuery> query;
    Box box;
};

struct Nearest {
    double distance = kInfinity;
    std::int32_t group = -1;
    PiecePair pieces{};
    Vec3 place = Vec3::Zero(), way = Vec3::Zero();  ///< From the first piece to the second.
};

std::int32_t piece_of(const CutMesh& cut, const PieceSurface& surface, std::int32_t triangle,
                      std::span<const std::int32_t> pieces) {
    const CutFace& face = cut.faces[surface.faces[triangle]];
    return std::binary_search(pieces.begin(), pieces.end(), face.behind) ? face.behind : face.front;
}

std::vector<LooseGroup> loose_groups(const CutMesh& cut) {
    JoinedSets sets(cut.pieces.size());
    for (const CutJoint& joint : cut.joints) sets.join(joint.pieces[0], joint.pieces[1]);
    const SetNumbers groups = numbered(sets);
    std::vector<LooseGroup> out(static_cast<std::size_t>(groups.count));
    for (std::size_t p = 0; p < cut.pieces.size(); ++p) {
        out[groups.number[p]].pieces.push_back(static_cast<std::int32_t>(p));
    }
    if (out.size() < 2) return out;
    for (LooseGroup& group : out) {
        group.surface = piece_surface(cut, group.pieces);
        group.box = bounds(group.surface.mesh.points);
        group.query = std::make_unique<SurfaceQuery>(
            group.surface.mesh.points, group.surface.mesh.triangles, TreeBuild::Quick);
    }
    return out;
}

// The nearest place of another group, seen from the points of this one and from that one's.
Nearest nearest_group(const CutMesh& cut, std::span<const LooseGroup> groups, std::size_t own,
                      JoinedSets& tied) {
    std::vector<std::pair<double, std::int32_t>> others;
    for (std::size_t k = 0; k < groups.size(); ++k) {
        const auto other = static_cast<std::int32_t>(k);
        if (tied.of(other) == tied.of(static_cast<std::int32_t>(own))) continue;
        others.emplace_back(gap_sq(groups[own].box, groups[k].box), other);
    }
    std::sort(others.begin(), others.end());
    Nearest best;
    for (const auto& [gap, k] : others) {
        if (gap >= best.distance * best.distance) break;
        const LooseGroup &a = groups[own], &b = groups[k];
        for (std::size_t t = 0; t < a.surface.mesh.triangles.size(); ++t) {
            for (const std::int32_t v : a.surface.mesh.triangles[t]) {
                const Vec3& p = a.surface.mesh.points[v];
                if (b.box.distance_sq(p) >= best.distance * best.distance) continue;
                const SurfacePoint near = b.query->closest_point(p, best.distance);
                if (near.triangle < 0 || near.distance >= best.distance) continue;
                best = {near.distance,
                        k,
                        {piece_of(cut, a.surface, static_cast<std::int32_t>(t), a.pieces),
                         piece_of(cut, b.surface, near.triangle, b.pieces)},
                        0.5 * (p + near.position),
                        near.position - p};
            }
        }
    }
    return best;
}

CutJoint tie(const CutMesh& cut, const Nearest& nearest, double area) {
    CutJoint joint;
    joint.pieces = nearest.pieces;
    joint.area = area;
    joint.centre = nearest.place;
    Vec3 way = nearest.way;
    if (way.norm() < 1e-12) {  // They touch.
        way = cut.pieces[joint.pieces[1]].centre - cut.pieces[joint.pieces[0]].centre;
    }
    joint.normal = way.norm() > 0 ? Vec3(way.normalized()) : Vec3(Vec3::UnitX());
    if (joint.pieces[0] > joint.pieces[1]) {
        std::swap(joint.pieces[0], joint.pieces[1]);
        joint.normal = -joint.normal;
    }
    // That of a disc.
    joint.second_moment =
        area * area / (4.0 * kPi) * (Mat3::Identity() - joint.normal * joint.normal.transpose());
    return joint;
}

double mean_joint_area(const CutMesh& cut) {
    double sum = 0.0;
    for (const CutJoint& joint : cut.joints) sum += joint.area;
    if (!cut.joints.empty()) return sum / static_cast<double>(cut.joints.size());
    double area = 0.0;
    for (const CutFace& face : cut.faces) area += area_vector(cut.points, face.corners).norm() / 2;
    return 0.01 * area / static_cast<double>(cut.pieces.size());
}

}  // namespace

double gap_sq(const Box& a, const Box& b) {
    const Vec3 gap = (a.lower - b.upper).cwiseMax(b.lower - a.upper).cwiseMax(0.0);
    return gap.squaredNorm();
}

void measure_joints(std::span<const std::uint8_t> is_solid, double thickness, CutMesh& cut) {
    JointSums sums;
    add_walls(cut, sums);
    if (thickness > 0) add_sheet_edges(cut, is_solid, thickness, sums);
    for (const auto& [pair, sum] : sums) {
        CutJoint joint;
        joint.pieces = pair;
        joint.area = sum.area;
        if (sum.area > 0) joint.centre = sum.first / sum.area;
        if (sum.vector.norm() > 0) joint.normal = sum.vector.normalized();
        joint.second_moment = sum.second - sum.area * joint.centre * joint.centre.transpose();
        cut.joints.push_back(joint);
    }
}

std::int32_t tie_loose_parts(CutMesh& cut) {
    const std::vector<LooseGroup> groups = loose_groups(cut);
    if (groups.size() < 2) return 0;
    const double area = mean_joint_area(cut);
    JoinedSets tied(groups.size());
    std::int32_t ties = 0;
    // The groups in their order, each with all that hangs at it by then, until all are one.
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Nearest nearest = nearest_group(cut, groups, g, tied);
        if (nearest.group < 0) break;
        cut.joints.push_back(tie(cut, nearest, area));
        tied.join(static_cast<std::int32_t>(g), nearest.group);
        ++ties;
    }
    std::sort(cut.joints.begin(), cut.joints.end(),
              [](const CutJoint& a, const CutJoint& b) { return a.pieces < b.pieces; });
    return ties;
}

}  // namespace ductile
