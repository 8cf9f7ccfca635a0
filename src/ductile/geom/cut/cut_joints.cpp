// SPDX-License-Identifier: MIT
#include <ductile/core/joined_sets.h>
#include <ductile/geom/cut/cut_joints.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/geom/triangle.h>

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

// Faces lie on each other where their normals differ by less than this (5 degrees).
constexpr double kFacing = 0.9962;

/// A face of a piece, and where it is.
struct ContactFace {
    std::int32_t face = 0;
    Vec3 normal = Vec3::Zero();  ///< Unit.
    Box box;
};

// What is left of a flat outline within a triangle seen along its normal (Sutherland and Hodgman
// 1974).
void clip_to_triangle(const Corners& corners, const Vec3& normal, std::vector<Vec3>& outline) {
    std::vector<Vec3> next;
    for (int k = 0; k < 3 && !outline.empty(); ++k) {
        const Vec3 inward = normal.cross(corners[(k + 1) % 3] - corners[k]);
        next.clear();
        for (std::size_t n = 0; n < outline.size(); ++n) {
            const Vec3 &a = outline[n], &b = outline[(n + 1) % outline.size()];
            const double at_a = inward.dot(a - corners[k]), at_b = inward.dot(b - corners[k]);
            if (at_a >= 0) next.push_back(a);
            if ((at_a > 0 && at_b < 0) || (at_a < 0 && at_b > 0)) {
                next.push_back(a + at_a / (at_a - at_b) * (b - a));
            }
        }
        outline.swap(next);
    }
}

Corners corners_of(const CutMesh& cut, const ContactFace& f) {
    const Triangle& t = cut.faces[f.face].corners;
    return {cut.points[t[0]], cut.points[t[1]], cut.points[t[2]]};
}

// Adds the area over which two faces lie on each other.
void add_contact(const CutMesh& cut, const ContactFace& a, const ContactFace& b, double touch,
                 JointSum& sum) {
    const Corners on = corners_of(cut, a), of = corners_of(cut, b);
    std::vector<Vec3> outline(of.begin(), of.end());
    if (a.normal.dot(b.normal) < 0) std::swap(outline[1], outline[2]);
    clip_to_triangle(on, a.normal, outline);
    if (outline.size() < 3) return;
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : outline) middle += p / static_cast<double>(outline.size());
    if (std::abs(a.normal.dot(middle - on[0])) > touch) return;
    // Halfway between both.
    for (Vec3& p : outline) p -= 0.5 * a.normal.dot(p - on[0]) * a.normal;
    for (std::size_t k = 1; k + 1 < outline.size(); ++k) {
        const Vec3 &p = outline[0], &q = outline[k], &r = outline[k + 1];
        const double area = 0.5 * a.normal.dot((q - p).cross(r - p));
        if (!(area > 0)) continue;
        const Vec3 centre = (p + q + r) / 3.0;
        sum.area += area;
        sum.first += area * centre;
        sum.vector += area * a.normal;
        sum.second += area / 12.0 *
                      (p * p.transpose() + q * q.transpose() + r * r.transpose() +
                       9.0 * centre * centre.transpose());
    }
}

// The faces of each piece, those that begin furthest left first.
std::vector<std::vector<ContactFace>> contact_faces(const CutMesh& cut, double touch) {
    std::vector<std::vector<ContactFace>> of(cut.pieces.size());
    for (std::size_t f = 0; f < cut.faces.size(); ++f) {
        ContactFace face;
        face.face = static_cast<std::int32_t>(f);
        const Vec3 vector = area_vector(cut.points, cut.faces[f].corners);
        if (!(vector.norm() > 0)) continue;
        face.normal = vector.normalized();
        for (const std::int32_t p : cut.faces[f].corners) face.box.add(cut.points[p]);
        face.box.lower -= Vec3::Constant(0.5 * touch);
        face.box.upper += Vec3::Constant(0.5 * touch);
        of[cut.faces[f].behind].push_back(face);
    }
    for (std::vector<ContactFace>& faces : of) {
        std::stable_sort(faces.begin(), faces.end(), [](const auto& a, const auto& b) {
            return a.box.lower.x() < b.box.lower.x();
        });
    }
    return of;
}

std::vector<ContactFace> faces_within(std::span<const ContactFace> faces, const Box& box) {
    std::vector<ContactFace> near;
    for (const ContactFace& f : faces) {
        if (f.box.overlaps(box)) near.push_back(f);
    }
    return near;
}

void add_contacts(const CutMesh& cut, std::span<const std::uint8_t> is_solid,
                  std::span<const ContactFace> a, std::span<const ContactFace> b, double touch,
                  JointSum& sum) {
    const auto is_sheet = [&](const ContactFace& f) { return !is_solid[cut.faces[f.face].source]; };
    std::size_t first = 0;
    double widest = 0.0;
    for (const ContactFace& f : b) widest = std::max(widest, f.box.upper.x() - f.box.lower.x());
    for (const ContactFace& x : a) {
        while (first < b.size() && b[first].box.lower.x() + widest < x.box.lower.x()) ++first;
        for (std::size_t k = first; k < b.size(); ++k) {
            const ContactFace& y = b[k];
            if (y.box.lower.x() > x.box.upper.x()) break;
            if (!y.box.overlaps(x.box)) continue;
            const double facing = -x.normal.dot(y.normal);
            const bool is_either = is_sheet(x) || is_sheet(y);
            if ((is_either ? std::abs(facing) : facing) < kFacing) continue;
            add_contact(cut, x, y, touch, sum);
        }
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
                      JoinedSets& tied, double furthest) {
    std::vector<std::pair<double, std::int32_t>> others;
    for (std::size_t k = 0; k < groups.size(); ++k) {
        const auto other = static_cast<std::int32_t>(k);
        if (tied.of(other) == tied.of(static_cast<std::int32_t>(own))) continue;
        others.emplace_back(gap_sq(groups[own].box, groups[k].box), other);
    }
    std::sort(others.begin(), others.end());
    Nearest best;
    best.distance = furthest;
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

static void add_joints(const JointSums& sums, CutMesh& cut) {
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

void measure_joints(std::span<const std::uint8_t> is_solid, double thickness, CutMesh& cut) {
    JointSums sums;
    add_walls(cut, sums);
    if (thickness > 0) add_sheet_edges(cut, is_solid, thickness, sums);
    add_joints(sums, cut);
}

void measure_contacts(std::span<const std::uint8_t> is_solid, double touch, CutMesh& cut) {
    const std::vector<std::vector<ContactFace>> faces = contact_faces(cut, touch);
    std::vector<Box> boxes(faces.size());
    for (std::size_t p = 0; p < faces.size(); ++p) {
        for (const ContactFace& f : faces[p]) boxes[p].add(f.box);
    }
    JointSums sums;
    for (std::size_t p = 0; p < faces.size(); ++p) {
        for (std::size_t q = p + 1; q < faces.size(); ++q) {
            if (!boxes[p].overlaps(boxes[q])) continue;
            JointSum sum;
            add_contacts(cut, is_solid, faces_within(faces[p], boxes[q]),
                         faces_within(faces[q], boxes[p]), touch, sum);
            if (!(sum.area > 0)) continue;
            sums[{static_cast<std::int32_t>(p), static_cast<std::int32_t>(q)}] = sum;
        }
    }
    add_joints(sums, cut);
}

std::int32_t tie_loose_parts(CutMesh& cut, double furthest) {
    const std::vector<LooseGroup> groups = loose_groups(cut);
    if (groups.size() < 2) return 0;
    const double area = mean_joint_area(cut);
    JoinedSets tied(groups.size());
    std::int32_t ties = 0;
    // The groups in their order, each with all that hangs at it by then, until all are one.
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Nearest nearest = nearest_group(cut, groups, g, tied, furthest);
        if (nearest.group < 0) continue;
        cut.joints.push_back(tie(cut, nearest, area));
        tied.join(static_cast<std::int32_t>(g), nearest.group);
        ++ties;
    }
    std::sort(cut.joints.begin(), cut.joints.end(),
              [](const CutJoint& a, const CutJoint& b) { return a.pieces < b.pieces; });
    return ties;
}

}  // namespace ductile
