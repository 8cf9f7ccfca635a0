// SPDX-License-Identifier: MIT
#include <ductile/deform/dent/dent.h>
#include <ductile/deform/dent/projectile_map.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/slab.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

TriMesh solid_mesh(SolidKind kind, const Vec3& size, double resolution) {
    SolidOptions options;
    options.kind = kind;
    options.size = size;
    options.resolution = resolution;
    options.tube = 0.05;
    return make_solid(options).value().surface;
}

// An impact from above on the block whose upper face is y = 0; it came from +x.
ProjectilePress press_at(const SurfaceQuery& projectile, const Transform& pose, double distance,
                         std::span<const Vec3> places) {
    ProjectilePress press;
    press.surface = &projectile;
    press.to_body = pose;
    press.distance = distance;
    press.places_b = places;
    press.box_b.add(Vec3(-0.5, -0.3, -0.5));
    press.box_b.add(Vec3(0.5, 0.0, 0.5));
    press.edge = press.other_edge = 0.005;
    return press;
}

DentHit hit_of(const ProjectileMap& map, const ProjectilePress& press) {
    DentHit hit;
    hit.map = grid_of(map.map);
    hit.radius = grid_radius(*hit.map, map.map.cell);
    hit.position_b = map.middle_b;
    hit.direction_b = press.direction_b;
    hit.from_b = press.from_b;
    hit.slant_deg = press.slant * 180.0 / kPi;
    hit.depth = map.map.deepest();
    return hit;
}

// How far the projectile, moved on by `distance` along `way` from where it touches y = 0, reaches
// through the dented upper face of a slab, at most.
double deepest_overlap(const SurfaceQuery& projectile, const Transform& pose, const DentHit& hit,
                       const Vec3& way, double distance) {
    const TriMesh block = slab(200, 1.0, 0.3);
    std::vector<Vec3> points = block.points;
    press_dent(points, block.points, hit, 1.0);
    double deepest = 0.0;
    for (std::size_t v = 0; v < points.size() / 2; ++v) {
        // The projectile is a body: what of its skin lies below a dented point, seen straight down.
        const Vec3 at = pose.inverse_point(points[v] - distance * way);
        const Vec3 down = pose.inverse_direction(Vec3(0, -1, 0));
        if (!projectile.is_inside(at)) continue;
        const SurfacePoint below = projectile.first_hit(at, down);
        if (below.triangle >= 0) deepest = std::max(deepest, below.distance);
    }
    return deepest;
}

}  // namespace

TEST_CASE("a ball that is not broadened leaves a cap of itself within one cell") {
    const double radius = 0.2, distance = 0.03;
    const TriMesh mesh = solid_mesh(SolidKind::Sphere, Vec3::Constant(2 * radius), 0.008);
    const SurfaceQuery ball(mesh.points, mesh.triangles);
    const Transform pose{Quat::Identity(), Vec3(0.01, radius, -0.02)};
    const Vec3 place(0.01, 0, -0.02);
    const auto map = projectile_map(press_at(ball, pose, distance, std::span(&place, 1)));
    REQUIRE(map);
    const DentMap& m = map->map;
    CHECK(test::near(m.deepest(), distance, 1e-12));
    CHECK((map->middle_b - place).norm() < m.cell);
    double worst = 0.0;
    for (std::int32_t j = 0; j < m.rows; ++j) {
        for (std::int32_t i = 0; i < m.columns; ++i) {
            const Vec3 p = map->middle_b + Vec3(m.x(i), 0, 0) + m.y(j) * Vec3(0, 0, 1);
            const double r = (p - place).norm();
            const double cap = std::max(
                0.0, std::sqrt(std::max(0.0, radius * radius - r * r)) - (radius - distance));
            worst = std::max(worst, std::abs(m.at(i, j) - cap));
        }
    }
    CHECK(worst < m.cell);
    // For comparison with other data: where it is half as deep, and where it ends.
    double half = 0.0, end = 0.0;
    for (double r = 0.0; r < 0.2; r += 1e-4) {
        const double z = m.depth(r, 0.0);
        if (z > 0.5 * distance) half = r;
        if (z > 0.0) end = r;
    }
    MESSAGE("ball of radius 200 mm, 30 mm deep: half as deep at " << 1e3 * half << " mm, ends at "
                                                                  << 1e3 * end << " mm");
    CHECK(std::abs(half - std::sqrt(radius * radius - 0.185 * 0.185)) < m.cell);
    CHECK(std::abs(end - std::sqrt(distance * (2 * radius - distance))) < 2 * m.cell);
}

TEST_CASE("what is pressed in fits its dent: ball, box corner, ring, at any slant and smoothing" *
          doctest::test_suite("long")) {
    struct Case {
        const char* name;
        TriMesh mesh;
        Quat turn;
    };
    const Quat on_corner = turn_between(Vec3(1, 1, 1).normalized(), Vec3(0, -1, 0));
    const Quat leaning(Eigen::AngleAxisd(0.5, Vec3(1, 0, 0.3).normalized()));
    const Case cases[] = {
        {"ball", solid_mesh(SolidKind::Sphere, Vec3::Constant(0.3), 0.01), Quat::Identity()},
        {"corner", solid_mesh(SolidKind::Box, Vec3::Constant(0.25), 0.02), on_corner},
        {"edge", solid_mesh(SolidKind::Box, Vec3(0.1, 0.1, 0.5), 0.05),
         Quat(Eigen::AngleAxisd(kPi / 4, Vec3::UnitZ()))},
        {"face", solid_mesh(SolidKind::Box, Vec3(0.2, 0.1, 0.3), 0.05), Quat::Identity()},
        {"ring", solid_mesh(SolidKind::Torus, Vec3(0.4, 0.1, 0.4), 0.01), leaning},
    };
    for (const Case& c : cases) {
        CAPTURE(std::string(c.name));
        const SurfaceQuery projectile(c.mesh.points, c.mesh.triangles);
        Vec3 lowest = c.turn * c.mesh.points[0];
        for (const Vec3& p : c.mesh.points) {
            if ((c.turn * p).y() < lowest.y()) lowest = c.turn * p;
        }
        const Transform pose{c.turn, Vec3(-lowest)};
        const Vec3 place = Vec3::Zero();
        for (const double smoothing : {0.0, 0.3, 1.0}) {
            for (const double degrees : {0.0, 20.0}) {
                CAPTURE(smoothing);
                CAPTURE(degrees);
                ProjectilePress press = press_at(projectile, pose, 0.03, std::span(&place, 1));
                press.smoothing = smoothing;
                press.slant = degrees * kPi / 180.0;
                const auto map = projectile_map(press);
                REQUIRE(map);
                CHECK(std::abs(map->map.deepest() - 0.03) <= 1e-9);
                for (std::size_t i = 0; i < map->profile.size(); ++i) {
                    CHECK(map->map.depths[i] >= map->profile[i] - 1e-9);
                }
                CHECK(map->map.columns <= press.grid + 1);
                CHECK(map->map.rows <= press.grid + 1);
                DentHit hit = hit_of(*map, press);
                hit.lean = foldless_lean(hit);
                if (hit.lean < 1.0) continue;  // a dent that may not lean does not fit
                const Vec3 way(-std::sin(press.slant), -std::cos(press.slant), 0);
                const double overlap = deepest_overlap(projectile, pose, hit, way, 0.03);
                CHECK(overlap <= map->map.cell + 0.005);
            }
        }
    }
}

TEST_CASE("how far apart the bodies are when looked at does not matter") {
    const TriMesh mesh = solid_mesh(SolidKind::Torus, Vec3(0.4, 0.1, 0.4), 0.02);
    const SurfaceQuery ring(mesh.points, mesh.triangles);
    const Quat turn(Eigen::AngleAxisd(0.4, Vec3(1, 0, 0.3).normalized()));
    double low = 0.0;
    for (const Vec3& p : mesh.points) low = std::min(low, (turn * p).y());
    Vec3 lowest = Vec3::Zero();
    for (const Vec3& p : mesh.points) {
        if ((turn * p).y() == low) lowest = turn * p;
    }
    const Vec3 place = Vec3::Zero();
    std::vector<double> depths;
    for (const double gap : {0.0, 0.004, -0.003}) {
        ProjectilePress press =
            press_at(ring, Transform{turn, Vec3(-lowest)}, 0.02, std::span(&place, 1));
        press.slant = 0.5;
        const Vec3 way(-std::sin(0.5), -std::cos(0.5), 0);
        press.to_body.translation -= gap * way;
        press.smoothing = 0.5;
        const auto map = projectile_map(press);
        REQUIRE(map);
        if (depths.empty()) depths = map->map.depths;
        REQUIRE(map->map.depths.size() == depths.size());
        for (std::size_t i = 0; i < depths.size(); ++i) {
            CHECK(std::abs(map->map.depths[i] - depths[i]) < 1e-6 * 0.02);
        }
    }
}

TEST_CASE("what has gone by with more than half of itself presses with its front") {
    const TriMesh mesh = solid_mesh(SolidKind::Sphere, Vec3::Constant(0.2), 0.01);
    const SurfaceQuery ball(mesh.points, mesh.triangles);
    const Vec3 place = Vec3::Zero();
    double volume = 0.0;
    for (const double past : {0.0, 0.05, 0.12, 0.19}) {
        const auto map = projectile_map(
            press_at(ball, Transform{Quat::Identity(), Vec3(0, 0.1 - past, 0)}, 0.01, {&place, 1}));
        REQUIRE(map);
        double sum = 0.0;
        for (const double z : map->map.depths) sum += z * map->map.cell * map->map.cell;
        if (volume == 0.0) volume = sum;
        CHECK(test::near(sum, volume, 0.01));
    }
}

TEST_CASE("a floor presses all that it meets, and what passes by presses nothing") {
    TriMesh floor;
    floor.points = {{-1e5, 0, -1e5}, {-1e5, 0, 1e5}, {1e5, 0, 1e5}, {1e5, 0, -1e5}};
    floor.triangles = {{0, 1, 2}, {0, 2, 3}};
    const SurfaceQuery query(floor.points, floor.triangles);
    // The floor comes from above: upside down.
    const Transform over{Quat(Eigen::AngleAxisd(kPi, Vec3::UnitX())), Vec3(0, 0, 0)};
    const Vec3 places[] = {Vec3(-0.2, 0, 0), Vec3(0.2, 0, 0.1)};
    ProjectilePress press = press_at(query, over, 0.01, places);
    press.smoothing = 0.5;
    const auto map = projectile_map(press);
    REQUIRE(map);
    for (const double z : map->map.depths) CHECK(test::near(z, 0.01));
    CHECK(map->map.columns * map->map.cell > 1.0);

    // Turned any way, its height over the block is all rounding.
    for (int k = 0; k < 200; ++k) {
        ProjectilePress turned = press;
        const Quat turn(Eigen::AngleAxisd(0.03 * k, Vec3(1, 0.01 * k, -0.4).normalized()));
        turned.direction_b = turn * press.direction_b;
        turned.from_b = turn * press.from_b;
        turned.slant = 0.005 * k;
        turned.to_body.rotation = turn * press.to_body.rotation;
        std::vector<Vec3> at;
        for (const Vec3& p : places) at.push_back(turn * p);
        turned.places_b = at;
        const auto flat = projectile_map(turned);
        REQUIRE(flat);
        CHECK(test::near(flat->map.deepest(), 0.01));
    }

    press.to_body.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));
    press.to_body.translation = Vec3(0, 0, 3);  // a wall beside the block
    CHECK_FALSE(projectile_map(press));
}

TEST_CASE("a rim holds the share of the volume that it is asked for, beside what pressed it") {
    const TriMesh ball = solid_mesh(SolidKind::Sphere, Vec3::Constant(0.3), 0.008);
    const TriMesh box = solid_mesh(SolidKind::Box, Vec3(0.16, 0.1, 0.1), 0.01);
    for (const TriMesh& mesh : {ball, box}) {
        const SurfaceQuery projectile(mesh.points, mesh.triangles);
        Box bounds;
        for (const Vec3& p : mesh.points) bounds.add(p);
        const Transform pose{Quat::Identity(), Vec3(0, -bounds.lower.y(), 0)};
        const Vec3 place(0, 0, 0);
        for (const double slant : {0.0, 0.6}) {
            ProjectilePress press = press_at(projectile, pose, 0.02, std::span(&place, 1));
            press.slant = slant;
            const auto bare = projectile_map(press);
            REQUIRE(bare);
            for (const double share : {0.25, 0.5, 0.9}) {
                CAPTURE(slant);
                CAPTURE(share);
                press.rim_height = 0.3;
                press.rim_volume = share;
                const auto map = projectile_map(press);
                REQUIRE(map);
                double crater = 0.0, rim = 0.0;
                for (const double z : map->map.depths) (z > 0 ? crater : rim) += std::abs(z);
                CHECK(test::near(rim, share * crater, 0.01));
                CHECK(test::near(map->map.deepest(), bare->map.deepest(), 1e-6));
                if (mesh.points.size() == ball.points.size()) {
                    const DentHit hit = hit_of(*map, press);
                    const Vec3 way(-std::sin(slant), -std::cos(slant), 0);
                    CHECK(deepest_overlap(projectile, pose, hit, way, press.distance) <
                          map->map.cell);
                } else if (slant == 0.0) {
                    // Beside upright walls.
                    const DentMap& m = map->map;
                    for (std::int32_t j = 0; j < m.rows; ++j) {
                        for (std::int32_t i = 0; i < m.columns; ++i) {
                            if (m.at(i, j) >= 0.0) continue;
                            const Vec3 at = map->middle_b + m.x(i) * press.from_b +
                                            m.y(j) * press.direction_b.cross(press.from_b);
                            CHECK(
                                (std::abs(at.x()) > 0.08 - 1e-6 || std::abs(at.z()) > 0.05 - 1e-6));
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("a rim around a stamp with upright walls is no chimney") {
    const TriMesh mesh = solid_mesh(SolidKind::Box, Vec3(0.16, 0.1, 0.1), 0.01);
    const SurfaceQuery stamp(mesh.points, mesh.triangles);
    const Transform pose{Quat::Identity(), Vec3(0, 0.05, 0)};
    const Vec3 place(0, 0, 0);
    ProjectilePress press = press_at(stamp, pose, 0.02, std::span(&place, 1));
    press.rim_height = 0.36;
    const auto map = projectile_map(press);
    REQUIRE(map);
    const DentMap& m = map->map;
    double highest = 0.0;
    for (const double z : m.depths) highest = std::max(highest, -z);
    CHECK(highest <= 0.36 * press.distance * (1 + 1e-9));
    CHECK(highest > 0.9 * 0.36 * press.distance);
    // Outward from a wall it falls over a good part of the footprint's radius.
    const double radius = std::sqrt(0.16 * 0.1 / kPi);
    CHECK(-m.depth(0.08 + 0.15 * radius, 0.0) > 0.5 * highest);
    CHECK(-m.depth(0.08 + 0.8 * radius, 0.0) < 0.2 * highest);
}

TEST_CASE("a ball that goes in by more than its radius raises no horn") {
    const TriMesh mesh = solid_mesh(SolidKind::Sphere, Vec3(0.1, 0.1, 0.1), 0.005);
    const SurfaceQuery ball(mesh.points, mesh.triangles);
    const Transform pose{Quat::Identity(), Vec3(0, 0.05, 0)};
    const Vec3 place(0, 0, 0);
    for (const double distance : {0.005, 0.02, 0.05, 0.08}) {
        CAPTURE(distance);
        ProjectilePress press = press_at(ball, pose, distance, std::span(&place, 1));
        press.rim_height = 0.4;
        const auto map = projectile_map(press);
        REQUIRE(map);
        double highest = 0.0;
        for (const double z : map->map.depths) highest = std::max(highest, -z);
        // Beside the footprint a shallow one rises as before.
        if (distance < 0.01) CHECK(highest > 0.9 * 0.4 * distance);
        CHECK(highest < 0.26 * 0.05);
    }
}
