// SPDX-License-Identifier: MIT
#include <ductile/geom/flatten/flatten_patch.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

using namespace ductile;

namespace {

/// The part of a sphere about z within `angle` [rad] of the pole, in rings.
TriMesh cap_mesh(double angle, int rings, int sides) {
    TriMesh m;
    m.points.push_back(Vec3::UnitZ());
    for (int r = 1; r <= rings; ++r) {
        for (int s = 0; s < sides; ++s) {
            const double a = angle * r / rings, b = 2 * kPi * s / sides;
            m.points.emplace_back(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b),
                                  std::cos(a));
        }
    }
    const auto at = [&](int r, int s) { return 1 + (r - 1) * sides + s % sides; };
    for (int s = 0; s < sides; ++s) m.triangles.push_back({0, at(1, s), at(1, s + 1)});
    for (int r = 1; r < rings; ++r) {
        for (int s = 0; s < sides; ++s) {
            m.triangles.push_back({at(r, s), at(r + 1, s), at(r + 1, s + 1)});
            m.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r, s + 1)});
        }
    }
    return m;
}

}  // namespace

TEST_CASE("a patch that is flat, or rolled up, keeps its lengths") {
    Rng rng(5);
    for (const bool is_rolled : {false, true}) {
        TriMesh m = test::grid_mesh(10, 7, false, false, [&](int i, int j) {
            const double x = 0.1 * i, y = -0.1 * j;
            return is_rolled ? Vec3(std::sin(x), y, std::cos(x) - 1) : Vec3(x, y, 0.0);
        });
        m = test::placed(m, {test::random_rotation(rng), Vec3(3, 1, 2)});
        const auto flat = flatten_patch(m.points, m.triangles);
        REQUIRE(flat);
        double worst = 0.0;
        for (const Triangle& t : m.triangles) {
            for (int k = 0; k < 3; ++k) {
                const double then = (m.points[t[k]] - m.points[t[(k + 1) % 3]]).norm();
                const double now = (flat.value()[t[k]] - flat.value()[t[(k + 1) % 3]]).norm();
                test::raise_to(worst, std::abs(now / then - 1));
            }
        }
        CHECK(worst < (is_rolled ? 2e-3 : 1e-9));
    }
}

TEST_CASE("a cap of a sphere becomes round and keeps its area to a few percent") {
    const TriMesh m = cap_mesh(1.0, 12, 40);
    const auto flat = flatten_patch(m.points, m.triangles);
    REQUIRE(flat);
    double least = kInfinity, most = 0.0, area = 0.0, then = 0.0;
    for (std::size_t v = m.points.size() - 40; v < m.points.size(); ++v) {
        const double r = (flat.value()[v] - flat.value()[0]).norm();
        least = std::min(least, r);
        most = std::max(most, r);
    }
    for (const Triangle& t : m.triangles) {
        const Vec2 u = flat.value()[t[1]] - flat.value()[t[0]];
        const Vec2 v = flat.value()[t[2]] - flat.value()[t[0]];
        area += 0.5 * (u.x() * v.y() - u.y() * v.x());
        then += 0.5 * area_vector(m.points, t).norm();
    }
    CHECK(most / least < 1.02);
    CHECK(test::near(area / then, 1.0, 0.04));
}

TEST_CASE("what is not a disc is refused with a message") {
    const TriMesh ball = test::sphere_mesh(1.0, 1);
    CHECK_FALSE(is_disc(ball.points.size(), ball.triangles));
    const TriMesh ring = test::grid_mesh(12, 2, true, false, [](int i, int j) {
        return Vec3(std::cos(0.5236 * i), 0.2 * j, std::sin(0.5236 * i));
    });
    CHECK_FALSE(is_disc(ring.points.size(), ring.triangles));
    const TriMesh bow{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(0, -1, 0)},
                      {{0, 1, 2}, {0, 3, 4}}};
    CHECK_FALSE(is_disc(bow.points.size(), bow.triangles));
    CHECK_FALSE(is_disc(0, {}));
    const auto flat = flatten_patch(ring.points, ring.triangles);
    REQUIRE_FALSE(flat);
    CHECK(flat.error().what.find("not a disc") != std::string::npos);
    const TriMesh one{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {{0, 1, 2}}};
    CHECK(is_disc(3, one.triangles));
}

namespace {

double least_area(const TriMesh& m, const std::vector<Vec2>& flat) {
    double least = kInfinity;
    for (const Triangle& t : m.triangles) least = std::min(least, flat_area(flat, t));
    return least;
}

/// A stocking: a tube `length` long that a half ball closes, open at its other end.
TriMesh stocking_mesh(double length, int rings, int sides) {
    const double arc = 0.5 * kPi;
    TriMesh m = cap_mesh(arc + length, rings, sides);
    for (int r = 1; r <= rings; ++r) {
        const double along = (arc + length) * r / rings;
        if (along <= arc) continue;
        for (int s = 0; s < sides; ++s) {
            const double b = 2 * kPi * s / sides;
            m.points[1 + (r - 1) * sides + s] = {std::cos(b), std::sin(b), arc - along};
        }
    }
    return m;
}

}  // namespace

TEST_CASE("no patch is folded, however far it goes round") {
    for (const double angle : {0.5, 1.5, 2.2, 2.9}) {
        const TriMesh cap = cap_mesh(angle, 16, 30);
        const auto flat = flatten_patch(cap.points, cap.triangles);
        REQUIRE(flat);
        CHECK(least_area(cap, flat.value()) > 0);
    }
    for (const double length : {1.0, 4.0}) {
        const TriMesh stocking = stocking_mesh(length, 24, 20);
        const auto flat = flatten_patch(stocking.points, stocking.triangles);
        REQUIRE(flat);
        CHECK(least_area(stocking, flat.value()) > 0);
    }
}

TEST_CASE("a strip that winds over itself is laid flat with no place twice") {
    // A flat ring that goes round almost twice, like a spiral stair: its own lengths do not fit.
    const int columns = 80;
    const TriMesh stair = test::grid_mesh(columns, 2, false, false, [&](int i, int j) {
        const double turn = -3.6 * kPi * i / columns, r = 1.0 + 0.2 * j;
        return Vec3(r * std::cos(turn), 0.02 * i, r * std::sin(turn));
    });
    const auto made = flatten_patch(stair.points, stair.triangles);
    REQUIRE(made);
    const std::vector<Vec2>& flat = made.value();
    CHECK(least_area(stair, flat) > 0);
    for (const Triangle& t : stair.triangles) {
        const Vec2 middle = (flat[t[0]] + flat[t[1]] + flat[t[2]]) / 3.0;
        int count = 0;
        for (const Triangle& other : stair.triangles) {
            bool is_in = true;
            for (int k = 0; k < 3; ++k) {
                const std::array<Vec2, 3> side = {flat[other[k]], flat[other[(k + 1) % 3]], middle};
                is_in = is_in && flat_area(side, {0, 1, 2}) > 0;
            }
            count += is_in;
        }
        CHECK(count == 1);
    }
}

TEST_CASE("the map to a circle has its border on it, by length, and folds nothing") {
    const TriMesh cap = cap_mesh(2.5, 10, 24);
    const auto flat = map_to_circle(cap.points, cap.triangles);
    REQUIRE(flat);
    CHECK(least_area(cap, flat.value()) > 0);
    double area = 0.0;
    for (const Triangle& t : cap.triangles) area += 0.5 * area_vector(cap.points, t).norm();
    const double step = 2 * kPi / 24;
    const double radius = std::sqrt(area / (12 * std::sin(step)));
    for (std::size_t v = cap.points.size() - 24; v < cap.points.size(); ++v) {
        CHECK(test::near(flat.value()[v].norm(), radius, 1e-9));
    }
}

TEST_CASE("holes are bridged where that is asked for, handles never") {
    TriMesh plate = test::grid_mesh(12, 12, false, false,
                                    [](int i, int j) { return Vec3(0.1 * i, -0.1 * j, 0.0); });
    std::erase_if(plate.triangles, [&](const Triangle& t) {
        const Vec3 p = plate.points[t[0]];
        return std::abs(p.x() - 0.5) < 0.15 && std::abs(p.y() + 0.6) < 0.15;
    });
    CHECK_FALSE(flatten_patch(plate.points, plate.triangles));
    const auto flat = flatten_patch(plate.points, plate.triangles, {.fills_holes = true});
    REQUIRE(flat);
    CHECK(flat.value().size() == plate.points.size());
    double worst = 0.0;
    for (const Triangle& t : plate.triangles) {
        for (int k = 0; k < 3; ++k) {
            const double then = (plate.points[t[k]] - plate.points[t[(k + 1) % 3]]).norm();
            const double now = (flat.value()[t[k]] - flat.value()[t[(k + 1) % 3]]).norm();
            test::raise_to(worst, std::abs(now / then - 1));
        }
    }
    CHECK(worst < 1e-9);

    TriMesh handle = test::torus_mesh(1.0, 0.3, 16, 8);
    handle.triangles.pop_back();
    const auto refused = flatten_patch(handle.points, handle.triangles, {.fills_holes = true});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().hint.find("handle") != std::string::npos);
}
