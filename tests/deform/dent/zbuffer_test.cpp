// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/dent/zbuffer.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

SurfaceAsset ball(double radius, double resolution) {
    return make_solid({.kind = SolidKind::Sphere,
                       .size = 2.0 * radius * Vec3::Ones(),
                       .resolution = resolution})
        .value();
}

Vec3 random_vector(Rng& rng) {
    return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
}

// Somewhere within `reach` of the origin, turned anyhow.
DentFrame random_frame(Rng& rng, double reach) {
    const Vec3 origin = reach * random_vector(rng);
    const Vec3 direction = random_vector(rng), from = random_vector(rng);
    return dent_frame(origin, direction, from);
}

// Every sample against every triangle, by barycentric coordinates; vertices at their nearest
// sample.
std::vector<double> brute_profile(std::span<const Vec3> points, std::span<const Triangle> triangles,
                                  const DentFrame& frame, double distance, const DentMap& map) {
    std::vector<double> depths(map.depths.size(), -kInfinity);
    const auto raise_sample = [&](std::int32_t i, std::int32_t j, double z) {
        double& depth = depths[std::size_t(j) * map.columns + i];
        depth = std::max(depth, z);
    };
    for (const Triangle& t : triangles) {
        Vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = frame.to_local(points[t[k]]);
            const double i = std::round(p[k].x() / map.cell + 0.5 * (map.columns - 1));
            const double j = std::round(p[k].y() / map.cell + 0.5 * (map.rows - 1));
            if (i >= 0 && j >= 0 && i < map.columns && j < map.rows) {
                raise_sample(std::int32_t(i), std::int32_t(j), p[k].z());
            }
        }
        const auto cross = [](const Vec3& a, const Vec3& b, double x, double y) {
            return (b.x() - a.x()) * (y - a.y()) - (b.y() - a.y()) * (x - a.x());
        };
        const double area = cross(p[0], p[1], p[2].x(), p[2].y());
        if (std::abs(area) < 1e-14 * map.cell) continue;
        for (std::int32_t j = 0; j < map.rows; ++j) {
            for (std::int32_t i = 0; i < map.columns; ++i) {
                const double x = map.x(i), y = map.y(j);
                const double u = cross(p[1], p[2], x, y) / area, v = cross(p[2], p[0], x, y) / area;
                const double w = 1.0 - u - v;
                if (u >= 0 && v >= 0 && w >= 0) {
                    raise_sample(i, j, u * p[0].z() + v * p[1].z() + w * p[2].z());
                }
            }
        }
    }
    const double foremost = *std::max_element(depths.begin(), depths.end());
    for (double& z : depths) z = std::max(0.0, distance - (foremost - z));
    return depths;
}

}  // namespace

TEST_CASE("the profile of any triangles is what every sample sees of every triangle") {
    Rng rng(11);
    for (int round = 0; round < 20; ++round) {
        std::vector<Vec3> points;
        std::vector<Triangle> triangles;
        for (int k = 0; k < 40; ++k) {
            const Vec3 centre = random_vector(rng);
            const double size = k % 2 ? 1.0 : 0.02;
            for (int c = 0; c < 3; ++c) points.push_back(centre + size * random_vector(rng));
            triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
        }
        const DentFrame frame = random_frame(rng, 0.2);
        DentMap map = empty_map(31, 22, 0.07);
        press_profile(points, triangles, frame, 0.9, map);
        const std::vector<double> expected = brute_profile(points, triangles, frame, 0.9, map);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            wrong += std::abs(map.depths[i] - expected[i]) > 1e-9;
        }
        CHECK(wrong == 0);
        CHECK(std::abs(map.deepest() - 0.9) <= 1e-12);
    }
}

TEST_CASE("no sample falls between two triangles, wherever their common edges lie") {
    // A flat sheet of quads whose edges and diagonals go through samples, and turned a little.
    Rng rng(6);
    for (int round = 0; round < 60; ++round) {
        std::vector<Vec3> points;
        std::vector<Triangle> triangles;
        const int side = 9;
        const double size = round % 2 ? 0.3 : 0.3 * rng.uniform(0.5, 1.5);
        for (int j = 0; j < side; ++j) {
            for (int i = 0; i < side; ++i)
                points.push_back(Vec3(size * (i - 4), size * (j - 4), 0));
        }
        for (int j = 0; j + 1 < side; ++j) {
            for (int i = 0; i + 1 < side; ++i) {
                const int a = j * side + i;
                triangles.push_back({a, a + 1, a + side});
                triangles.push_back({a + 1, a + side + 1, a + side});
            }
        }
        const double angle = round % 3 ? kPi / 4 * (round % 8) : rng.uniform(0.0, 6.0);
        const DentFrame frame =
            dent_frame(Vec3(0, 0, 1), Vec3(0, 0, 1), Vec3(std::cos(angle), std::sin(angle), 0));
        DentMap map = empty_map(17, 17, 0.05);
        press_profile(points, triangles, frame, 0.1, map);
        CHECK(std::count_if(map.depths.begin(), map.depths.end(),
                            [](double z) { return std::abs(z - 0.1) > 1e-12; }) == 0);
    }
}

TEST_CASE("the profile of a part is that of the whole, if the rest is too far back") {
    const SurfaceAsset asset = ball(0.3, 0.03);
    Rng rng(12);
    for (int k = 0; k < 10; ++k) {
        const DentFrame frame = random_frame(rng, 0.0);
        DentMap shallow = empty_map(41, 33, 0.02), deep = shallow;
        press_profile(asset.surface.points, asset.surface.triangles, frame, 0.04, shallow);
        press_profile(asset.surface.points, asset.surface.triangles, frame, 5.0, deep);
        for (std::size_t i = 0; i < shallow.depths.size(); ++i) {
            CHECK(std::abs(shallow.depths[i] - std::max(0.0, deep.depths[i] - 4.96)) < 1e-14);
        }
    }
}

TEST_CASE("pressed, broadened and smoothed, a map keeps its distance and never rises") {
    const SurfaceAsset round = ball(0.3, 0.03);
    const SurfaceAsset box =
        make_solid({.kind = SolidKind::Box, .size = Vec3(0.5, 0.3, 0.4), .resolution = 0.05})
            .value();
    Rng rng(21);
    for (int k = 0; k < 12; ++k) {
        const SurfaceAsset& asset = k % 2 ? round : box;
        const DentFrame frame = random_frame(rng, 0.05);
        const double distance = rng.uniform(1e-3, 0.2);
        DentMap map = empty_map(61, 57, 0.02);
        press_profile(asset.surface.points, asset.surface.triangles, frame, distance, map);
        const std::vector<double> raw = map.depths;
        broaden(map, sharpness_for(rng.uniform(0.01, 0.2)));
        smooth(map, 1 + k, raw);
        CHECK(std::abs(map.deepest() - distance) <= 1e-9);
        double lowest = kInfinity;
        for (std::size_t i = 0; i < raw.size(); ++i) {
            lowest = std::min(lowest, map.depths[i] - raw[i]);
        }
        CHECK(lowest >= -1e-9);
    }
}

TEST_CASE("a ball leaves the cap of a ball, whichever way it comes") {
    const double radius = 0.3, distance = 0.05;
    const SurfaceAsset asset = ball(radius, 0.01);
    Rng rng(2);
    for (int k = 0; k < 5; ++k) {
        const DentFrame frame = random_frame(rng, 0.0);
        DentMap map = empty_map(61, 61, 0.008);
        press_profile(asset.surface.points, asset.surface.triangles, frame, distance, map);
        for (std::int32_t j = 0; j < map.rows; ++j) {
            for (std::int32_t i = 0; i < map.columns; ++i) {
                const double r = std::hypot(map.x(i), map.y(j));
                const double cap = r < radius ? std::sqrt(radius * radius - r * r) - radius : -1.0;
                CHECK(std::abs(map.at(i, j) - std::max(0.0, distance + cap)) < 0.5 * map.cell);
            }
        }
    }
}

TEST_CASE("horns press on their own, and what lies between them does not") {
    TriMesh horns;
    for (const double side : {-0.1, 0.1}) {
        const auto first = static_cast<std::int32_t>(horns.points.size());
        horns.points.push_back(Vec3(side, 0, 0.2));
        for (int k = 0; k < 8; ++k) {
            const double angle = kPi * k / 4.0;
            horns.points.push_back(Vec3(side + 0.03 * std::cos(angle), 0.03 * std::sin(angle), 0));
        }
        for (int k = 0; k < 8; ++k) {
            horns.triangles.push_back({first, first + 1 + k, first + 1 + (k + 1) % 8});
        }
    }
    DentMap map = empty_map(51, 21, 0.006);
    press_profile(horns.points, horns.triangles, DentFrame{}, 0.04, map);
    CHECK(map.depth(-0.1, 0) > 0.03);
    CHECK(map.depth(0.1, 0) > 0.03);
    CHECK(map.depth(0, 0) == 0.0);
    CHECK(std::abs(map.deepest() - 0.04) < 1e-12);
}

TEST_CASE("what does not lie over the map presses nothing, and what is finer than it is not lost") {
    const SurfaceAsset asset = ball(0.1, 0.02);
    DentMap map = empty_map(11, 11, 0.01);
    press_profile(asset.surface.points, asset.surface.triangles,
                  dent_frame(Vec3(5, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 0)), 0.02, map);
    CHECK(map.deepest() == 0.0);
    press_profile({}, {}, DentFrame{}, 0.02, map);
    CHECK(map.deepest() == 0.0);
    // A needle thinner than a cell, between the samples.
    const Vec3 needle[] = {{0.004, 0.004, 0.5}, {0.0041, 0.004, 0}, {0.004, 0.0041, 0}};
    const Triangle face[] = {{0, 1, 2}};
    press_profile(needle, face, DentFrame{}, 0.02, map);
    CHECK(map.deepest() == 0.02);
    CHECK(std::count_if(map.depths.begin(), map.depths.end(), [](double z) { return z > 0; }) == 1);
}

TEST_CASE("a frame is right-handed, looks the way in and turns as little as it must") {
    Rng rng(8);
    for (int k = 0; k < 200; ++k) {
        const Vec3 way = random_vector(rng), wanted = k % 10 ? random_vector(rng) : Vec3(2.0 * way);
        const DentFrame f = dent_frame(Vec3::Zero(), way, wanted);
        CHECK((f.z - way.normalized()).norm() < 1e-12);
        CHECK((f.x.cross(f.y) - f.z).norm() < 1e-12);
        CHECK(std::abs(f.x.dot(f.z)) < 1e-12);
        if (k % 10) CHECK(f.x.dot(wanted) >= -1e-12);
    }
}
