// SPDX-License-Identifier: MIT
// Distance: Gilbert, Johnson and Keerthi 1988, with the closest points of a simplex by the regions
// of Ericson 2005, chapter 5 and 9. Instead of building a hull, the roof solves for the three cloud
// points under whose triangle a line leaves: a linear programme of three rows (maximise the height
// of a convex combination whose projection is the line), by the simplex method.
#include <ductile/core/assert.h>
#include <ductile/geom/pieces/convex.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

using Pillar = hull_detail::Pillar;
using Simplex = hull_detail::Simplex;

// Rounds of the simplex method at most; it needs about as many as the cloud has corners in sight.
constexpr int kPivots = 200;
// A line on the very border of a hull counts as inside: it is moved inwards by this share.
constexpr double kBorderShift = 1e-9;
// Depth of the auxiliary corners below the cloud, in its sizes: walls steeper than this share count
// as vertical. Larger would cost digits while such a corner is in use.
constexpr double kAuxiliaryDepth = 1e6;
// A hull of 21 points has 38 faces; more than this many are not worth looking through.
constexpr std::size_t kFacesKept = 64;

// Each of these returns the point nearest to the origin and keeps only the corners that span it.
Vec3 nearest_of_segment(Simplex& s) {
    const Vec3 edge = s.corners[1] - s.corners[0];
    const double length_sq = edge.squaredNorm();
    const double t = -s.corners[0].dot(edge);
    if (!(t > 0.0)) {
        s.count = 1;
        return s.corners[0];
    }
    if (t >= length_sq) {
        s.corners[0] = s.corners[1];
        s.count = 1;
        return s.corners[0];
    }
    s.count = 2;
    return s.corners[0] + (t / length_sq) * edge;
}

Vec3 nearest_of_best_edge(Simplex& s) {
    Simplex best;
    Vec3 nearest = Vec3::Zero();
    double least = kInfinity;
    for (int i = 0; i < 3; ++i) {
        Simplex edge{{s.corners[i], s.corners[(i + 1) % 3]}, 2};
        const Vec3 v = nearest_of_segment(edge);
        if (v.squaredNorm() < least) {
            least = v.squaredNorm();
            nearest = v;
            best = edge;
        }
    }
    s = best;
    return nearest;
}

Vec3 nearest_of_triangle(Simplex& s) {
    const Vec3 &a = s.corners[0], &b = s.corners[1], &c = s.corners[2];
    const Vec3 normal = (b - a).cross(c - a);
    const double area_sq = normal.squaredNorm();
    const bool is_within = normal.dot(a.cross(b)) > 0.0 && normal.dot(b.cross(c)) > 0.0 &&
                           normal.dot(c.cross(a)) > 0.0;
    if (!is_within || !(area_sq > 0.0)) return nearest_of_best_edge(s);
    return (a.dot(normal) / area_sq) * normal;
}

Vec3 nearest_of_tetrahedron(Simplex& s) {
    static constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    Simplex best;
    Vec3 nearest = Vec3::Zero();
    double least = kInfinity;
    for (const auto& face : kFaces) {
        const Vec3& a = s.corners[face[0]];
        const Vec3 normal = (s.corners[face[1]] - a).cross(s.corners[face[2]] - a);
        const double apex = normal.dot(s.corners[face[3]] - a);
        const double origin = -normal.dot(a);
        if (apex * origin > 0.0) continue;  // the origin lies on the inner side of this face
        Simplex triangle{{a, s.corners[face[1]], s.corners[face[2]]}, 3};
        const Vec3 v = nearest_of_triangle(triangle);
        if (v.squaredNorm() < least) {
            least = v.squaredNorm();
            nearest = v;
            best = triangle;
        }
    }
    if (least < kInfinity) s = best;
    return nearest;
}

double cross2(const Pillar& a, const Pillar& b) { return a.u * b.v - a.v * b.u; }

// Shares of the three corners at the place (u, v): they sum to 1.
std::array<double, 3> shares_at(const std::array<Pillar, 3>& t, double u, double v) {
    const Pillar p{u, v, 0.0, -1};
    const auto area = [](const Pillar& a, const Pillar& b, const Pillar& c) {
        return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
    };
    const double whole = area(t[0], t[1], t[2]);
    return {area(p, t[1], t[2]) / whole, area(t[0], p, t[2]) / whole, area(t[0], t[1], p) / whole};
}

// Which corner gives way to one with `entering` shares, so that the origin stays within.
int leaving_corner(const std::array<double, 3>& shares, const std::array<double, 3>& entering) {
    int leaving = -1;
    double least = kInfinity, largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        if (entering[i] <= 1e-13) continue;
        const double ratio = std::max(shares[i], 0.0) / entering[i];
        if (ratio < least || (ratio == least && entering[i] > largest)) {
            least = ratio;
            largest = entering[i];
            leaving = i;
        }
    }
    return leaving;
}

// Slopes of the plane through three pillars: height = rise_u * u + rise_v * v + at the origin.
Vec2 slopes(const std::array<Pillar, 3>& t) {
    const Pillar a{t[1].u - t[0].u, t[1].v - t[0].v, t[1].height - t[0].height, -1};
    const Pillar b{t[2].u - t[0].u, t[2].v - t[0].v, t[2].height - t[0].height, -1};
    const double whole = cross2(a, b);
    return {(a.height * b.v - b.height * a.v) / whole, (b.height * a.u - a.height * b.u) / whole};
}

// Starts from the edge of a known face that the line lies beyond, with one auxiliary corner behind
// the line: the origin is on the way from the middle of the edge to it. Keeps `t` if that fails.
void start_near(std::array<Pillar, 3> face, double reach, std::array<Pillar, 3>& t) {
    const std::array<double, 3> shares = shares_at(face, 0.0, 0.0);
    const auto least = std::min_element(shares.begin(), shares.end());
    const auto i = static_cast<std::size_t>(least - shares.begin());
    const Pillar &b = face[(i + 1) % 3], &c = face[(i + 2) % 3];
    const Vec2 middle(0.5 * (b.u + c.u), 0.5 * (b.v + c.v));
    if (!(*least < 0.0) || !(middle.norm() > 1e-6 * reach)) return;
    const Vec2 beyond = -6.0 * reach * middle.normalized();
    face[i] = {beyond.x(), beyond.y(), -kAuxiliaryDepth * reach, -1};
    const std::array<double, 3> start = shares_at(face, 0.0, 0.0);
    const bool is_inside = start[0] >= 0.0 && start[1] >= 0.0 && start[2] >= 0.0;
    if (is_inside) t = face;
}

std::array<Pillar, 3> auxiliary_pillars(double reach) {
    const double depth = -kAuxiliaryDepth * reach;
    return {Pillar{6.0 * reach, 0.0, depth, -1}, Pillar{-3.0 * reach, 5.2 * reach, depth, -1},
            Pillar{-3.0 * reach, -5.2 * reach, depth, -1}};
}

}  // namespace

Vec3 hull_detail::nearest_of(Simplex& s) {
    switch (s.count) {
        case 1:
            return s.corners[0];
        case 2:
            return nearest_of_segment(s);
        case 3:
            return nearest_of_triangle(s);
        default:
            return nearest_of_tetrahedron(s);
    }
}

std::size_t support_index(std::span<const Vec3> cloud, const Vec3& direction) {
    DUCTILE_ASSERT(!cloud.empty(), "a hull needs a point");
    std::size_t best = 0;
    double furthest = cloud[0].dot(direction);
    for (std::size_t i = 1; i < cloud.size(); ++i) {
        // Without a branch: which point wins is anybody's guess.
        const double along = cloud[i].dot(direction);
        best = along > furthest ? i : best;
        furthest = along > furthest ? along : furthest;
    }
    return best;
}

HullDistance hull_distance(std::span<const Vec3> cloud, const Vec3& p) {
    DUCTILE_ASSERT(!cloud.empty(), "a hull needs a point");
    return support_distance(
        [&](const Vec3& direction) { return cloud[support_index(cloud, direction)]; }, cloud[0], p);
}

HullSpan hull_span(std::span<const Vec3> cloud, const Vec3& origin, const Vec3& direction) {
    HullSpan span;
    span.leave = HullRoof(cloud, direction).height(origin);
    if (span.leave == -kInfinity) return span;
    span.enter = std::min(-HullRoof(cloud, -direction).height(origin), span.leave);
    return span;
}

void HullRoof::reset(std::span<const Vec3> cloud, const Vec3& direction) {
    DUCTILE_ASSERT(!cloud.empty(), "a hull needs a point");
    cloud_ = cloud;
    direction_ = direction;
    side_u_ = any_perpendicular(direction);
    side_v_ = direction.cross(side_u_);
    mean_.setZero();
    for (const Vec3& p : cloud) mean_ += p;
    mean_ /= static_cast<double>(cloud.size());
    double size_sq = 0.0;
    for (const Vec3& p : cloud) size_sq = std::max(size_sq, (p - mean_).squaredNorm());
    size_ = std::sqrt(size_sq);
    faces_.clear();
}

double HullRoof::height_bound(const Vec3& p) const {
    double least = kInfinity;
    for (const Face& face : faces_) least = std::min(least, face.offset - face.normal.dot(p));
    return least;
}

double HullRoof::height(const Vec3& p) {
    const Face* lowest = nullptr;
    double least = kInfinity;
    for (const Face& face : faces_) {
        const double height = face.offset - face.normal.dot(p);
        if (height < least) {
            least = height;
            lowest = &face;
        }
    }
    // No point of the cloud lies this far back: the line passes beside the hull.
    if (least < -(size_ + (mean_ - p).norm())) return -kInfinity;
    if (lowest != nullptr && contains(*lowest, p)) return least;
    double found = 0.0;
    const Face face = find_face(p, lowest, found);
    if (faces_.size() < kFacesKept) faces_.push_back(face);
    return found;
}

std::array<Pillar, 3> HullRoof::pillars_of(const std::array<std::int32_t, 3>& corners,
                                           const Vec3& line) const {
    std::array<Pillar, 3> t;
    for (int i = 0; i < 3; ++i) {
        const Vec3 q = cloud_[corners[i]] - line;
        t[i] = {q.dot(side_u_), q.dot(side_v_), q.dot(direction_), corners[i]};
    }
    return t;
}

bool HullRoof::contains(const Face& face, const Vec3& p) const {
    if (face.corners[0] < 0 || face.corners[1] < 0 || face.corners[2] < 0) return false;
    const std::array<double, 3> shares = shares_at(pillars_of(face.corners, p), 0.0, 0.0);
    return shares[0] >= 0.0 && shares[1] >= 0.0 && shares[2] >= 0.0;
}

HullRoof::Face HullRoof::find_face(const Vec3& p, const Face* near, double& height) const {
    const Vec3 to_mean = mean_ - p;
    const Vec3 line = p + kBorderShift * (to_mean - to_mean.dot(direction_) * direction_);
    const double reach = size_ + (mean_ - line).norm() + 1e-300;
    std::array<Pillar, 3> t = auxiliary_pillars(reach);
    if (near != nullptr && near->corners[0] >= 0 && near->corners[1] >= 0 &&
        near->corners[2] >= 0) {
        start_near(pillars_of(near->corners, line), reach, t);
    }
    std::array<double, 3> shares = shares_at(t, 0.0, 0.0);
    Face face{};
    for (int pivot = 0; pivot < kPivots; ++pivot) {
        const Vec2 rise = slopes(t);
        const double here = t[0].height - rise.x() * t[0].u - rise.y() * t[0].v;
        face.normal = direction_ - rise.x() * side_u_ - rise.y() * side_v_;
        const std::size_t best = support_index(cloud_, face.normal);
        face.offset = face.normal.dot(cloud_[best]);
        const Vec3 q = cloud_[best] - line;
        const double gain = face.normal.dot(q) - here;
        if (!(gain > 1e-13 * reach * face.normal.norm())) break;
        const Pillar next{q.dot(side_u_), q.dot(side_v_), q.dot(direction_),
                          static_cast<std::int32_t>(best)};
        const int leaving = leaving_corner(shares, shares_at(t, next.u, next.v));
        if (leaving < 0) break;
        t[leaving] = next;
        shares = shares_at(t, 0.0, 0.0);
    }
    double real_share = 0.0;
    height = 0.0;
    for (int i = 0; i < 3; ++i) {
        face.corners[i] = t[i].index;
        if (t[i].index < 0) continue;
        real_share += shares[i];
        height += shares[i] * t[i].height;
    }
    // What is left on auxiliary corners tells how far beside the hull the line passes.
    height = real_share > 1.0 - 1e-8 ? height / real_share : -kInfinity;
    return face;
}

}  // namespace ductile
