// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/dent/dent.h>
#include <ductile/deform/dent/dent_guard.h>
#include <ductile/deform/dent/dent_stamp.h>
#include <ductile/deform/dent/height_map.h>
#include <ductile/deform/dent/vector_map.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <cmath>

using namespace ductile;

namespace {

// A round map whose places go outwards by `out` of the deepest at half the radius.
VectorMap spreading_map(std::int32_t side, double radius, double depth, double out) {
    VectorMap map{cosine_map(side, radius, depth), {}};
    for (std::int32_t j = 0; j < side; ++j) {
        for (std::int32_t i = 0; i < side; ++i) {
            const Vec2 p(map.in.x(i), map.in.y(j));
            const double u = std::min(1.0, p.norm() / radius);
            map.aside.push_back(out * depth * 4.0 * u * (1.0 - u) * p.normalized());
        }
    }
    return map;
}

DentHit vector_hit(const VectorMap& map) {
    DentHit hit;
    hit.direction_b = -Vec3::UnitY();
    hit.from_b = Vec3::UnitX();
    hit.map = grid_of(map);
    hit.depth = map.in.deepest();
    hit.radius = grid_radius(*hit.map, map.in.cell);
    return hit;
}

// A flat sheet of points over the dent's plane, y up.
std::vector<Vec3> flat_points(double half, int side) {
    std::vector<Vec3> points;
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            points.emplace_back(half * (2.0 * i / (side - 1) - 1.0), 0.0,
                                half * (2.0 * j / (side - 1) - 1.0));
        }
    }
    return points;
}

std::vector<Triangle> flat_triangles(int side) {
    std::vector<Triangle> triangles;
    for (int j = 0; j + 1 < side; ++j) {
        for (int i = 0; i + 1 < side; ++i) {
            const std::int32_t a = j * side + i, b = a + 1, c = a + side, d = c + 1;
            triangles.push_back({a, c, b});
            triangles.push_back({b, c, d});
        }
    }
    return triangles;
}

std::vector<Vec3> pressed_flat(const DentHit& hit, double half, int side, double amount = 1.0) {
    const std::vector<Vec3> rest = flat_points(half, side);
    std::vector<Vec3> points = rest;
    press_dent(points, rest, hit, amount);
    return points;
}

}  // namespace

TEST_CASE("a flat surface moves as the samples of a vector map say") {
    const VectorMap map = spreading_map(61, 0.2, 0.03, 0.4);
    const DentHit hit = vector_hit(map);
    REQUIRE(hit.map->sideways());
    const Vec3 y = hit.direction_b.cross(hit.from_b);
    const double level = 2.0 * hit.depth / 32767.0;
    for (std::int32_t j = 0; j < map.in.rows; j += 3) {
        for (std::int32_t i = 0; i < map.in.columns; i += 3) {
            const auto at = static_cast<std::size_t>(j * map.in.columns + i);
            const Vec3 p = map.in.x(i) * hit.from_b + map.in.y(j) * y;
            const Vec3 by = DentPress(hit, 1.0)(p, p) - p;
            CHECK(std::abs(by.dot(hit.from_b) - map.aside[at].x()) < level);
            CHECK(std::abs(by.dot(y) - map.aside[at].y()) < level);
            CHECK(std::abs(by.dot(hit.direction_b) - map.in.depths[at]) < level);
        }
    }
}

TEST_CASE("a vector map that goes straight in is the map of its depths, bit for bit") {
    VectorMap map = spreading_map(41, 0.2, 0.03, 0.0);
    const DentGrid grid = grid_of(map);
    CHECK_FALSE(grid.sideways());
    CHECK(grid == grid_of(map.in));
}

TEST_CASE("a vector grid comes back from its text as it was") {
    Rng rng(3);
    for (const double out : {0.01, 0.37, 20.0}) {
        const DentGrid grid = grid_of(spreading_map(31, 0.1, 0.02, out));
        DentGrid back;
        REQUIRE(from_text(to_text(grid), back).ok());
        CHECK(back == grid);
        CHECK_FALSE(back == grid_of(spreading_map(31, 0.1, 0.02, 0.0)));
    }
    const std::string whole = to_text(grid_of(spreading_map(9, 0.1, 0.02, 0.5)));
    DentGrid grid;
    for (const std::string& text :
         {whole.substr(0, whole.size() - 1), whole.substr(0, whole.size() / 2), whole + "0",
          std::string("1x1~0:000"), std::string("1x1~-1:000"), std::string("1x1~nan:000"),
          std::string("1x1~101:000"), std::string("1x1~1:00"), std::string("1x1~:000"),
          std::string("1x1~1@5:000"), std::string("1x1~1:010")}) {
        CAPTURE(text);
        CHECK_FALSE(from_text(text, grid).ok());
        CHECK(grid.is_empty());
    }
}

TEST_CASE("a surface under a vector map keeps its side however far the map goes aside") {
    for (const double out : {0.2, 1.0, 5.0, 60.0, -0.5, -8.0}) {
        CAPTURE(out);
        for (const double slant : {0.0, 50.0}) {
            DentHit hit = vector_hit(spreading_map(41, 0.2, 0.05, out));
            hit.slant_deg = slant;
            hit.lean = foldless_lean(hit);
            CHECK(hit.lean > 0.0);
            if (std::abs(out) < 0.6 && slant == 0.0) CHECK(hit.lean == 1.0);
            if (std::abs(out) > 2.0) CHECK(hit.lean < 1.0);
            const int side = 121;
            const std::vector<Vec3> points = pressed_flat(hit, 0.35, side);
            double least = 1.0;
            const std::vector<Vec3> rest = flat_points(0.35, side);
            for (const Triangle& t : flat_triangles(side)) {
                const double before = (rest[t[1]] - rest[t[0]]).cross(rest[t[2]] - rest[t[0]]).y();
                const double now =
                    (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).y();
                least = std::min(least, now / before);
            }
            CHECK(least > 0.05);
        }
    }
}

TEST_CASE("no limit is passed by a vector map, and a dent grows with its share") {
    DentHit hit = vector_hit(spreading_map(41, 0.2, 0.05, 3.0));
    hit.total_limit = 0.02;
    const std::vector<Vec3> rest = flat_points(0.3, 41);
    std::vector<Vec3> points = rest;
    for (int k = 0; k < 4; ++k) press_dent(points, rest, hit, 1.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK((points[i] - rest[i]).norm() <= hit.total_limit * (1.0 + 1e-12));
    }
    hit.total_limit = 1e9;
    const std::vector<Vec3> half = pressed_flat(hit, 0.3, 41, 0.5),
                            whole = pressed_flat(hit, 0.3, 41);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 a = half[i] - rest[i], b = whole[i] - rest[i];
        CHECK(std::abs(a.x() - 0.5 * b.x()) < 1e-12);
        CHECK(a.y() >= b.y() - 1e-12);
    }
    CHECK(pressed_flat(hit, 0.3, 41, 0.0) == rest);
}

TEST_CASE("mirrored vectors press mirrored places, and several places meet without a jump") {
    DentHit hit = vector_hit(spreading_map(41, 0.2, 0.05, 0.8));
    hit.starts = {{Vec3(-0.1, 0, 0)}, {Vec3(0.1, 0, 0)}};
    const DentPress press(hit, 1.0);
    for (double z = -0.25; z <= 0.25; z += 0.05) {
        for (double x = 0.0; x <= 0.35; x += 0.01) {
            const Vec3 right = press(Vec3(x, 0, z), Vec3(x, 0, z));
            const Vec3 left = press(Vec3(-x, 0, z), Vec3(-x, 0, z));
            CHECK((right - Vec3(-left.x(), left.y(), left.z())).norm() < 1e-5);
            const Vec3 next = press(Vec3(x + 1e-5, 0, z), Vec3(x + 1e-5, 0, z));
            CHECK((next - right).norm() < 3e-4);
        }
    }
}

TEST_CASE("guards take back what a vector map would turn over on a rough mesh") {
    const int side = 25;
    std::vector<Vec3> points = flat_points(0.3, side);
    Rng rng(7);
    for (Vec3& p : points) p.y() += rng.uniform(-0.02, 0.02);
    const std::vector<Triangle> triangles = flat_triangles(side);
    const SurfaceQuery surface(points, triangles);
    DentHit hit = vector_hit(spreading_map(41, 0.2, 0.1, 4.0));
    guard_dent(hit, surface, points);
    CHECK(hit.lean < 1.0);
    std::vector<Vec3> pressed = points;
    press_dent(pressed, points, hit, 1.0);
    for (const Triangle& t : triangles) {
        const double now = (pressed[t[1]] - pressed[t[0]]).cross(pressed[t[2]] - pressed[t[0]]).y();
        CHECK(now > 0.0);
    }
}

TEST_CASE("a table of vectors is read, evenly spaced or not, and in any order") {
    // dx = x / 2, dy = -y, dz = 1 + x over an uneven grid, which straight lines give exactly.
    std::string text = "# from a solver\ndz;x;y;dy;dx\n";
    const std::vector<double> xs = {-0.3, 0.0, 0.05, 0.3}, ys = {0.2, -0.1, -0.2};
    for (const double x : xs) {
        for (const double y : ys) {
            text += std::to_string(1.0 + x) + " ; " + std::to_string(x) + ";" + std::to_string(y) +
                    ";" + std::to_string(-y) + ";\t" + std::to_string(x / 2) + "\r\n";
        }
    }
    const Result<VectorMap> made = vector_table(text, 65);
    REQUIRE(made.ok());
    const VectorMap& map = made.value();
    CHECK(map.in.columns == 65);
    CHECK(map.in.rows == 45);
    for (std::int32_t j = 2; j + 2 < map.in.rows; ++j) {
        for (std::int32_t i = 2; i + 2 < map.in.columns; ++i) {
            const auto at = static_cast<std::size_t>(j * map.in.columns + i);
            CHECK(test::near(map.in.depths[at], 1.0 + map.in.x(i), 1e-6));
            CHECK(test::within(map.aside[at].x(), map.in.x(i) / 2, 1e-6));
            CHECK(test::within(map.aside[at].y(), -map.in.y(j), 1e-6));
        }
    }
    for (std::int32_t i = 0; i < map.in.columns; ++i) CHECK(map.in.at(i, 0) == 0.0);
}

TEST_CASE("a round table of vectors goes outwards the same way all around") {
    const Result<VectorMap> made =
        vector_table("r,dr,dz\n0,0,0.02\n0.1,0.01,0.01\n0.2,0.002,-0.003\n0.3,0,0\n", 63);
    REQUIRE(made.ok());
    const VectorMap& map = made.value();
    CHECK(test::near(map.in.deepest(), 0.02));
    bool has_rim = false;
    for (std::int32_t j = 0; j < map.in.rows; ++j) {
        for (std::int32_t i = 0; i < map.in.columns; ++i) {
            const auto at = static_cast<std::size_t>(j * map.in.columns + i);
            const Vec2 p(map.in.x(i), map.in.y(j));
            has_rim = has_rim || map.in.depths[at] < -0.002;
            CHECK(std::abs(p.x() * map.aside[at].y() - p.y() * map.aside[at].x()) < 1e-15);
            CHECK(p.dot(map.aside[at]) >= 0.0);
        }
    }
    CHECK(has_rim);
}

TEST_CASE("what is no table of vectors is refused with a message") {
    for (const char* text :
         {"", "# nothing\n", "x,y,z\n1,2,3\n", "x,y,dx,dy,dz\n", "x,y,dx,dy,dz\n0,0,0,0\n",
          "x,y,dx,dy,dz\n0,0,0,0,a\n", "x,y,dx,dy,dz\n0,0,0,0,nan\n", "x,y,dx,dy,dz\n0,0,0,0,1\n",
          "x,y,dx,dy,dz\n0,0,0,0,1\n1,0,0,0,1\n0,1,0,0,1\n",
          "x,y,dx,dy,dz\n0,0,0,0,1\n1,0,0,0,1\n0,1,0,0,1\n0,0,0,0,1\n",
          "x,y,dx,dy,dz\n0,0,0,0,0\n1,0,0,0,0\n0,1,0,0,0\n1,1,0,0,-1\n", "r,dr,dz\n0,0,1\n",
          "r,dr,dz\n0,0,1\n0,0,1\n", "r,dr,dz\n-1,0,1\n1,0,1\n", "r,dr,dz\n0,0,1e-9\n1,1,0\n",
          "r,dr,dz,dz\n0,0,1,1\n"}) {
        CAPTURE(text);
        const Result<VectorMap> made = vector_table(text, 33);
        REQUIRE_FALSE(made.ok());
        CHECK(made.error().what.size() > 5);
    }
}

TEST_CASE("a picture of vectors has one sample a pixel and reads as it is seen") {
    std::vector<Vec3> pixels(12, Vec3::Zero());
    pixels[1] = {0.5, 0.25, 2.0};  // in the top row of four columns
    const Result<VectorMap> made = vector_picture(4, 3, pixels, 1.0, 200);
    REQUIRE(made.ok());
    const VectorMap& map = made.value();
    CHECK(map.in.columns == 6);
    CHECK(map.in.rows == 5);
    CHECK(map.in.at(2, 3) == 2.0);
    CHECK(map.aside[3 * 6 + 2] == Vec2(0.5, 0.25));

    LayerFiles files;
    files.vectors = [&](const std::string&) -> Result<VectorFile> { return VectorFile{map, true}; };
    DentShapeOptions shape;
    shape.source = DentSource::Vectors;
    shape.vectors = "any.pfm";
    const Result<DentStamp> stamp = make_stamp(shape, files);
    REQUIRE(stamp.ok());
    CHECK(stamp.value().radius == 0.0);
    // To whoever looks at the surface, y points down: what goes up in the picture goes along -y.
    const DentGrid& grid = *stamp.value().map;
    double furthest = 0.0;
    for (double y = -2.0; y <= 2.0; y += 0.5) {
        for (double x = -2.0; x <= 2.0; x += 0.5) {
            CHECK(grid.aside(x, y).y() <= 0.0);
            if (grid.share(x, y) == 1.0) CHECK(y < 0.0);
            furthest = std::max(furthest, grid.aside(x, y).norm());
        }
    }
    CHECK(furthest > 0.2);
    shape.flip = true;
    const Result<DentStamp> flipped = make_stamp(shape, files);
    REQUIRE(flipped.ok());
    CHECK(flipped.value().map->aside(0, 1).y() >= 0.0);
    CHECK_FALSE(vector_picture(4, 2, pixels, 1.0, 200).ok());
    pixels[0].x() = std::nan("");
    CHECK_FALSE(vector_picture(4, 3, pixels, 1.0, 200).ok());
}

TEST_CASE("formulas twist, and what a source does not read is refused") {
    DentShapeOptions shape;
    shape.source = DentSource::Formula;
    shape.formula = "(1 - r^2)^2 - 0.2 * r^2";
    shape.formula_x = "-0.3 * y * (1 - r^2)";
    shape.formula_y = "0.3 * x * (1 - r^2)";
    const Result<DentStamp> stamp = make_stamp(shape, {});
    REQUIRE(stamp.ok());
    const DentGrid& grid = *stamp.value().map;
    REQUIRE(grid.sideways());
    CHECK(grid.zero() > 0);  // what is raised stays raised
    for (double x = -30.0; x <= 30.0; x += 7.0) {
        for (double y = -30.0; y <= 30.0; y += 7.0) {
            const Vec2 aside = grid.aside(x, y);
            CHECK(std::abs(aside.x() * x + aside.y() * y) < 0.01);  // around, not outwards
            CHECK(aside.y() * x - aside.x() * y >= -1e-3);
        }
    }
    shape.formula_y = "0.3 * q";
    CHECK(make_stamp(shape, {}).error().where == "/formula_y");
    shape.source = DentSource::Gaussian;
    CHECK(make_stamp(shape, {}).error().where == "/formula_x");
    shape.formula_x = shape.formula_y = "";
    shape.vectors = "a.csv";
    CHECK(make_stamp(shape, {}).error().where == "/vectors");
    shape.source = DentSource::Vectors;
    CHECK(make_stamp(shape, {}).error().where == "/vectors");  // nobody to read it
    shape.vectors = "";
    CHECK(make_stamp(shape, {}).error().where == "/vectors");
}
