// SPDX-License-Identifier: MIT
#include <ductile/geom/cut/cut_polygon.h>

#include <algorithm>
#include <cmath>

namespace ductile {
namespace {

// A diagonal must be this much shorter to be taken instead of the first: rectangles are cut alike.
constexpr double kClearlyShorter = 0.999;
// Up to here the best formed ear of all is taken each time, which costs n^2 of qualities.
constexpr std::size_t kFewCorners = 32;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

Vec3 polygon_area_vector(std::span<const Vec3> corners) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        sum += (corners[i] - corners[0]).cross(corners[i + 1] - corners[0]);
    }
    return sum;
}

// How well both halves of a quad cut from corner k to k + 2 face the way of the whole.
bool faces_alike(std::span<const Vec3> q, int k, const Vec3& whole) {
    const Vec3 &a = q[k], &b = q[k + 1], &c = q[k + 2], &d = q[(k + 3) % 4];
    return (b - a).cross(c - a).dot(whole) > 0 && (c - a).cross(d - a).dot(whole) > 0;
}

}  // namespace

std::span<const Triangle> PolygonCutter::cut(std::span<const Vec3> corners) {
    triangles_.clear();
    if (corners.size() == 3) {
        triangles_.push_back({0, 1, 2});
    } else if (corners.size() == 4) {
        cut_quad(corners);
    } else {
        cut_ears(corners);
    }
    return triangles_;
}

void PolygonCutter::cut_quad(std::span<const Vec3> corners) {
    const Vec3 whole = polygon_area_vector(corners);
    const bool first = faces_alike(corners, 0, whole);
    const bool second = faces_alike(corners, 1, whole);
    const bool is_second_shorter =
        (corners[3] - corners[1]).norm() < kClearlyShorter * (corners[2] - corners[0]).norm();
    if (second && (!first || is_second_shorter)) {
        triangles_.push_back({0, 1, 3});
        triangles_.push_back({1, 2, 3});
    } else {
        triangles_.push_back({0, 1, 2});
        triangles_.push_back({0, 2, 3});
    }
}

// Onto the axis plane that the area vector is nearest to, scaled to a box of size 1: huge and tiny
// coordinates then neither overflow nor vanish in products.
void PolygonCutter::project(std::span<const Vec3> corners) {
    Box box;
    for (const Vec3& p : corners) box.add(p);
    const double size = (0.5 * box.upper - 0.5 * box.lower).maxCoeff();
    const double scale = size > 0 ? 1.0 / size : 0.0;
    std::vector<Vec3> scaled;
    scaled.reserve(corners.size());
    for (const Vec3& p : corners) {
        scaled.push_back(std::isfinite(scale) ? Vec3((0.5 * p - 0.5 * box.lower) * scale)
                                              : Vec3((p - box.lower) / size));
    }
    const Vec3 area = polygon_area_vector(scaled);
    int axis = 0;
    area.cwiseAbs().maxCoeff(&axis);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double sign = area[axis] < 0 ? -1.0 : 1.0;
    flat_.clear();
    for (const Vec3& p : scaled) flat_.emplace_back(p[u], sign * p[v]);
}

double PolygonCutter::turn(std::int32_t corner) const {
    const Vec2& a = flat_[before_[corner]];
    const Vec2& b = flat_[corner];
    const Vec2& c = flat_[next_[corner]];
    return cross(b - a, c - b);
}

bool PolygonCutter::is_ear(std::int32_t corner) {
    if (!(turn(corner) > 0)) return false;
    const Vec2& a = flat_[before_[corner]];
    const Vec2& b = flat_[corner];
    const Vec2& c = flat_[next_[corner]];
    if (tests_left_ < inward_.size()) tests_left_ = 0;
    if (tests_left_ == 0) return true;
    tests_left_ -= inward_.size();
    for (const std::int32_t other : inward_) {
        if (is_gone_[other]) continue;
        const Vec2& p = flat_[other];
        if (cross(b - a, p - a) < 0 || cross(c - b, p - b) < 0 || cross(a - c, p - c) < 0) continue;
        // Bridges to holes run through a place twice.
        if (p != a && p != b && p != c) return false;
    }
    return true;
}

// Twice the area over the sum of squared sides: greatest for equal sides, 0 for a sliver.
double PolygonCutter::ear_quality(std::int32_t corner) const {
    const Vec2& a = flat_[before_[corner]];
    const Vec2& b = flat_[corner];
    const Vec2& c = flat_[next_[corner]];
    const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
    return sides > 0 ? cross(b - a, c - b) / sides : 0.0;
}

// The best ear of few corners, the first of many after `from`; `from` itself if there is none.
std::int32_t PolygonCutter::next_ear(std::int32_t from, std::size_t left) {
    std::int32_t best = -1;
    double best_quality = 0.0;
    std::int32_t corner = from;
    for (std::size_t i = 0; i < left && tests_left_ > 0; ++i, corner = next_[corner]) {
        --tests_left_;
        const double quality = ear_quality(corner);
        if (!(quality > best_quality) || !is_ear(corner)) continue;
        best = corner;
        best_quality = quality;
        if (left > kFewCorners) break;
    }
    return best >= 0 ? best : from;
}

void PolygonCutter::clip(std::int32_t corner) {
    triangles_.push_back({before_[corner], corner, next_[corner]});
    next_[before_[corner]] = next_[corner];
    before_[next_[corner]] = before_[corner];
    is_gone_[corner] = 1;
}

// Every other corner of a convex polygon, round after round: no slivers from one corner to all.
void PolygonCutter::cut_rings(std::int32_t first, std::size_t left) {
    std::int32_t corner = next_[first];
    for (; left > 3; --left) {
        const std::int32_t following = next_[next_[corner]];
        clip(corner);
        corner = following;
    }
    clip(corner);
}

void PolygonCutter::cut_ears(std::span<const Vec3> corners) {
    const auto count = static_cast<std::int32_t>(corners.size());
    project(corners);
    next_.resize(corners.size());
    before_.resize(corners.size());
    is_gone_.assign(corners.size(), 0);
    for (std::int32_t i = 0; i < count; ++i) {
        next_[i] = i + 1 < count ? i + 1 : 0;
        before_[i] = i > 0 ? i - 1 : count - 1;
    }
    inward_.clear();
    for (std::int32_t i = 0; i < count; ++i) {
        if (!(turn(i) > 0)) inward_.push_back(i);
    }
    std::size_t left = corners.size();
    if (inward_.empty()) return cut_rings(0, left);
    std::int32_t from = 0;
    for (; left > 3; --left) {
        const std::int32_t ear = next_ear(from, left);
        // On to the next but one: a fan around one corner would be all slivers.
        from = next_[next_[ear]];
        clip(ear);
    }
    clip(from);
    hasty_count_ += tests_left_ == 0;
}

}  // namespace ductile
