// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/geom/pieces/convex.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ductile;

namespace {

Vec3 random_vector(Rng& rng, double size) {
    const double x = rng.uniform(-size, size), y = rng.uniform(-size, size);
    return {x, y, rng.uniform(-size, size)};
}

Vec3 random_direction(Rng& rng) {
    while (true) {
        const Vec3 v = random_vector(rng, 1.0);
        if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
    }
}

std::vector<Vec3> random_cloud(Rng& rng, int count) {
    std::vector<Vec3> cloud;
    for (int i = 0; i < count; ++i) cloud.push_back(random_vector(rng, 1.0));
    return cloud;
}

std::vector<Vec3> box_cloud(const Vec3& half) {
    std::vector<Vec3> cloud;
    for (int i = 0; i < 8; ++i) {
        cloud.emplace_back(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                           i & 4 ? half.z() : -half.z());
    }
    return cloud;
}

struct Plane {
    Vec3 normal;
    double offset;
    Vec3 a, b, c;
};

// Every triple with all other points behind it: O(n^4), the oracle.
std::vector<Plane> brute_hull(const std::vector<Vec3>& cloud) {
    std::vector<Plane> faces;
    const int n = static_cast<int>(cloud.size());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = j + 1; k < n; ++k) {
                if (i >= j) continue;
                Vec3 normal = (cloud[j] - cloud[i]).cross(cloud[k] - cloud[i]).normalized();
                for (const double sign : {1.0, -1.0}) {
                    const Vec3 out = sign * normal;
                    const double offset = out.dot(cloud[i]);
                    const bool bounds = std::all_of(cloud.begin(), cloud.end(), [&](const Vec3& p) {
                        return out.dot(p) <= offset + 1e-12;
                    });
                    if (bounds) faces.push_back({out, offset, cloud[i], cloud[j], cloud[k]});
                }
            }
    return faces;
}

double segment_distance(const Vec3& p, const Vec3& a, const Vec3& b) {
    const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    return (a + t * (b - a) - p).norm();
}

double brute_distance(const std::vector<Plane>& faces, const Vec3& p) {
    double least = kInfinity;
    bool inside = true;
    for (const Plane& f : faces) {
        const double height = f.normal.dot(p) - f.offset;
        if (height > 0.0) inside = false;
        const Vec3 foot = p - height * f.normal;
        const Vec3 n = (f.b - f.a).cross(f.c - f.a);
        if (n.dot((f.b - f.a).cross(foot - f.a)) >= 0 &&
            n.dot((f.c - f.b).cross(foot - f.b)) >= 0 &&
            n.dot((f.a - f.c).cross(foot - f.c)) >= 0) {
            least = std::min(least, std::abs(height));
        }
        least = std::min({least, segment_distance(p, f.a, f.b), segment_distance(p, f.b, f.c),
                          segment_distance(p, f.c, f.a)});
    }
    return inside ? 0.0 : least;
}

HullSpan brute_span(const std::vector<Plane>& faces, const Vec3& p, const Vec3& d) {
    HullSpan span{-kInfinity, kInfinity};
    for (const Plane& f : faces) {
        const double slope = f.normal.dot(d);
        const double t = (f.offset - f.normal.dot(p)) / slope;
        if (slope > 0.0) span.leave = std::min(span.leave, t);
        if (slope < 0.0) span.enter = std::max(span.enter, t);
    }
    return span;
}

}  // namespace

TEST_CASE("the distance to a box is the distance to its clamped point") {
    Rng rng(1);
    const Vec3 half(0.5, 1.0, 0.02);
    const std::vector<Vec3> cloud = box_cloud(half);
    for (int i = 0; i < 500; ++i) {
        const Vec3 p = random_vector(rng, 2.0);
        const Vec3 nearest = p.cwiseMax(-half).cwiseMin(half);
        const HullDistance found = hull_distance(cloud, p);
        CHECK(test::near(found.distance, (p - nearest).norm(), 1e-9));
        CHECK((found.nearest - nearest).norm() < 1e-6);
    }
    CHECK(hull_distance(cloud, Vec3(0.1, 0.2, 0.0)).distance == 0.0);
}

TEST_CASE("distances and spans of random hulls equal brute force over all their faces") {
    Rng rng(2);
    for (int round = 0; round < 20; ++round) {
        const std::vector<Vec3> cloud = random_cloud(rng, 4 + round % 12);
        const std::vector<Plane> faces = brute_hull(cloud);
        for (int i = 0; i < 30; ++i) {
            const Vec3 p = random_vector(rng, 1.5);
            CHECK(std::abs(hull_distance(cloud, p).distance - brute_distance(faces, p)) < 1e-9);
            const Vec3 d = random_direction(rng);
            const HullSpan truth = brute_span(faces, p, d);
            const HullSpan found = hull_span(cloud, p, d);
            CHECK(found.is_hit() == truth.is_hit());
            if (!truth.is_hit()) continue;
            CHECK(std::abs(found.enter - truth.enter) < 1e-6);
            CHECK(std::abs(found.leave - truth.leave) < 1e-6);
        }
    }
}

TEST_CASE("a roof answers alike whatever it was asked before, and its bound is a bound") {
    Rng rng(3);
    for (int round = 0; round < 20; ++round) {
        const std::vector<Vec3> cloud = random_cloud(rng, 21);
        const Vec3 d = random_direction(rng);
        HullRoof roof(cloud, d);
        for (int i = 0; i < 100; ++i) {
            const Vec3 p = i % 4 == 0 ? cloud[i % 21] : random_vector(rng, 1.0);
            const double bound = roof.height_bound(p);
            const double height = roof.height(p);
            const double fresh = HullRoof(cloud, d).height(p);
            CHECK(bound >= height - 1e-6);
            if (fresh == -kInfinity)
                CHECK(height == -kInfinity);
            else
                CHECK(std::abs(height - fresh) < 1e-6);
        }
    }
}

TEST_CASE("flat, straight and single-point clouds have distances and no volume") {
    const std::vector<Vec3> flat = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {0.5, 0, 0.5}};
    CHECK(test::near(hull_distance(flat, Vec3(0.3, 0.25, 0.6)).distance, 0.25));
    CHECK(hull_distance(flat, Vec3(0.3, 0.0, 0.6)).distance < 1e-12);
    CHECK(test::near(hull_distance(flat, Vec3(2.0, 0.0, 0.5)).distance, 1.0));
    const HullSpan through = hull_span(flat, Vec3(0.3, -2, 0.6), Vec3::UnitY());
    CHECK(test::near(through.enter, 2.0));
    CHECK(test::near(through.leave, 2.0));
    const std::vector<Vec3> line = {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    CHECK(test::near(hull_distance(line, Vec3(0.7, 3, 4)).distance, 5.0));
    CHECK(test::near(hull_distance(line, Vec3(3, 0, 0)).distance, 1.0));
    CHECK_FALSE(hull_span(line, Vec3(0, 1, 0), Vec3::UnitX()).is_hit());
    const std::vector<Vec3> point = {{1, 2, 3}};
    CHECK(test::near(hull_distance(point, Vec3(1, 2, 5)).distance, 2.0));
    CHECK_FALSE(hull_span(point, Vec3(0, 0, 0), Vec3::UnitX()).is_hit());
}

TEST_CASE("moving and scaling a cloud moves and scales its answers") {
    Rng rng(4);
    for (int i = 0; i < 50; ++i) {
        std::vector<Vec3> cloud = random_cloud(rng, 12);
        const Vec3 p = random_vector(rng, 1.5), d = random_direction(rng);
        const double distance = hull_distance(cloud, p).distance;
        const double height = HullRoof(cloud, d).height(p);
        const double scale = 1e-3;
        const Vec3 shift(7, -5, 3);
        for (Vec3& q : cloud) q = scale * q + shift;
        const Vec3 moved = scale * p + shift;
        CHECK(std::abs(hull_distance(cloud, moved).distance - scale * distance) < 1e-9);
        if (std::isfinite(height)) {
            CHECK(std::abs(HullRoof(cloud, d).height(moved) - scale * height) < 1e-8);
        }
    }
}
