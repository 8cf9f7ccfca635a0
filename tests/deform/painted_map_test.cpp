// SPDX-License-Identifier: MIT
#include <ductile/deform/painted_map.h>
#include <ductile/solids/solids.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;
using namespace ductile::test;

namespace {

PaintedMap painted(std::vector<double> values) { return {.values = std::move(values)}; }

/// How far the widest of some points is from the y axis, on the side `sign` of x.
double width(const std::vector<Vec3>& points, double sign) {
    double most = 0.0;
    for (const Vec3& p : points) test::raise_to(most, sign * p.x());
    return most;
}

}  // namespace

TEST_CASE("maps of one are no maps, bit for bit") {
    const TriMesh soft = ball_at(0.4);
    const std::vector<double> ones(soft.points.size(), 1.0);
    const Pressed plain = press(soft, ground());
    CHECK(press(soft, ground(), {}, {painted(ones), painted(ones)}).points == plain.points);
}

TEST_CASE("a constant map is the option times it") {
    const TriMesh soft = ball_at(0.4);
    const std::vector<double> halves(soft.points.size(), 0.5);
    const Pressed by_map =
        press(soft, ground(), {.stiffness = 0.3}, {.stiffness = painted(halves)});
    const Pressed by_option = press(soft, ground(), {.stiffness = 0.15});
    CHECK(by_map.points == by_option.points);
    // The height is found for what the map leaves: a constant factor of the bulge cancels out.
    const Pressed same = press(soft, ground(), {}, {.bulge = painted(halves)});
    const Pressed plain = press(soft, ground());
    double most = 0.0;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        test::raise_to(most, (same.points[v] - plain.points[v]).norm());
    }
    CHECK(most < 1e-6);
}

TEST_CASE("a body bulges where its map is large and spreads where it is soft") {
    const TriMesh soft = ball_at(0.4);
    std::vector<double> large, soft_side;
    for (const Vec3& p : soft.points) {
        const double side = std::clamp(0.5 + 2.0 * p.x(), 0.0, 1.0);
        large.push_back(side);
        soft_side.push_back(1.4 - 0.8 * side);
    }
    const PaintedMaps bulge{.bulge = painted(large)}, stiffness{.stiffness = painted(soft_side)};
    const Pressed a = press(soft, ground(), {.bulge = 1.5}, bulge);
    CHECK(width(a.points, 1.0) > 0.505);
    CHECK(width(a.points, -1.0) < 0.502);
    CHECK(std::abs(press(soft, ground(), {}, bulge).report.volume_change) <
          0.02 * a.report.displaced_volume);
    const Pressed b = press(soft, ground(), {.stiffness = 0.2}, stiffness);
    std::vector<Vec3> contact;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        if (b.zone[v] >= 0) contact.push_back(b.points[v]);
    }
    CHECK(width(contact, 1.0) > width(contact, -1.0) + 0.03);
}

TEST_CASE("a map's mirror image presses to the mirror image") {
    // The octahedron's ball is its own mirror image in x: vertex by vertex.
    const TriMesh soft = ball_at(0.4, 4);
    std::vector<double> one, other;
    for (const Vec3& p : soft.points) {
        one.push_back(1.0 + 0.5 * p.x());
        other.push_back(1.0 - 0.5 * p.x());
    }
    const Pressed a = press(soft, ground(), {}, {.bulge = painted(one)});
    const Pressed b = press(soft, ground(), {}, {.bulge = painted(other)});
    const auto out = [&](const Pressed& p, double sign) {
        double sum = 0.0;
        for (std::size_t v = 0; v < soft.points.size(); ++v) {
            if (!(sign * soft.points[v].x() > 0.1) || p.zone[v] >= 0) continue;
            sum += (p.points[v] - soft.points[v]).dot(soft.points[v] - Vec3(0, 0.4, 0));
        }
        return sum;
    };
    CHECK(test::near(out(a, 1.0), out(b, -1.0), 0.02));
    CHECK(test::near(out(a, -1.0), out(b, 1.0), 0.02));
    CHECK(out(a, 1.0) > 1.1 * out(a, -1.0));
}

TEST_CASE("maps that cannot be are refused with their place") {
    const TriMesh soft = ball_at(0.4, 2);
    const auto refused = [&](PaintedMaps maps) {
        return !press_soft(soft, ground(), {.maps = std::move(maps)});
    };
    CHECK(refused({.stiffness = painted({1.0, 2.0})}));
    std::vector<double> bad(soft.points.size(), 1.0);
    bad[5] = std::nan("");
    CHECK(refused({.stiffness = painted(bad)}));
    bad[5] = -1.0;
    CHECK(refused({.bulge = painted(bad)}));
    CHECK(check_values({.bulge = painted(bad)}, bad.size()).error().what.find("entry 5") !=
          std::string::npos);
}

TEST_CASE("a map is read from numbers and from colours") {
    CHECK(map_from_text("# a map\n1, 2;3\n\t4.5e0 # end", 4).value() ==
          std::vector<double>{1, 2, 3, 4.5});
    CHECK_FALSE(map_from_text("1 2 3", 4));
    CHECK(map_from_text("1\n2x", 2).error().where == "line 2");
    CHECK_FALSE(map_from_text("1 nan", 2));
    CHECK_FALSE(map_from_text("1 1e999", 2));
    SurfaceAsset asset = make_solid({.kind = SolidKind::Box}).value();
    std::string numbers;
    for (const Vec3& p : asset.render.points) numbers += p.x() > 0 ? "2 " : "1 ";
    const auto drawn = map_from_text(numbers, asset).value();
    for (std::size_t v = 0; v < drawn.size(); ++v) {
        CHECK(drawn[v] == (asset.surface.points[v].x() > 0 ? 2.0 : 1.0));
    }
    CHECK(map_from_text(numbers + "1 1", asset).error().what.find("numbers for") !=
          std::string::npos);
    CHECK_FALSE(map_from_colours(asset, PaintChannel::Red));
    for (const Vec3& p : asset.render.points) {
        asset.render.colours.emplace_back(p.x() > 0 ? 1 : 0, 0.5, 0, 1);
    }
    const auto map = map_from_colours(asset, PaintChannel::Red, 0.5, 2.0).value();
    for (std::size_t v = 0; v < map.size(); ++v) {
        CHECK(map[v] == (asset.surface.points[v].x() > 0 ? 2.0 : 0.5));
    }
    CHECK(map_from_colours(asset, PaintChannel::Green).value()[0] == 0.5);
}

TEST_CASE("a map is given by a formula of the place") {
    const std::vector<Vec3> points = {Vec3(-1, 0, 0), Vec3(1, 2, 3)};
    CHECK(map_from_formula("1 + 3 * (x > 0) * z", points).value() == std::vector<double>{1, 10});
    CHECK(map_from_formula("1 + w", points).error().where == "character 5");
    CHECK(map_from_formula("1 / (x - 1)", points).error().what.find("1, 2, 3") !=
          std::string::npos);
}

TEST_CASE("a map is read from whatever it is given by") {
    SurfaceAsset asset = make_solid({.kind = SolidKind::Box, .resolution = 0.5}).value();
    const std::size_t count = asset.surface.points.size();
    const auto read_file = [&](const std::string& name) -> Result<std::string> {
        if (name != "twos.txt") return Error{"no such file", name, ""};
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += "2 ";
        return text;
    };
    PaintedMaps maps{.stiffness = PaintedMap{.formula = "2"},
                     .bulge = PaintedMap{.file = "twos.txt"}};
    REQUIRE(read_maps(asset, read_file, maps));
    CHECK(maps.stiffness->values == std::vector<double>(count, 2.0));
    CHECK(maps.bulge->values == maps.stiffness->values);
    CHECK(maps.bulge->file.empty());
    // Read once more it stays as it is.
    REQUIRE(read_maps(asset, read_file, maps));
    CHECK(maps.bulge->values.size() == count);
    PaintedMaps missing{.bulge = PaintedMap{.file = "none.txt"}};
    const Status refused = read_maps(asset, read_file, missing);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "bulge");
    CHECK(refused.error().what.find("none.txt") != std::string::npos);
    PaintedMaps uncoloured{.stiffness = PaintedMap{.colour = PaintChannel::Red}};
    asset.render.colours.clear();
    CHECK_FALSE(read_maps(asset, read_file, uncoloured));
}
