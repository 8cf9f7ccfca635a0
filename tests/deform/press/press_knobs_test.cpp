// SPDX-License-Identifier: MIT
#include <ductile/deform/press/extensions/press_detail.h>
#include <ductile/deform/press/extensions/press_proxy.h>
#include <ductile/deform/press/extensions/press_refine.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>

using namespace ductile;

namespace {

TriMesh ball_at(double height, int levels = 4) {
    return test::placed(test::sphere_mesh(0.5, levels), {Quat::Identity(), Vec3(0, height, 0)});
}

TriMesh ground() { return test::box_mesh({-2, -1, -2}, {2, 0, 2}); }

PaintedMap painted(std::vector<double> values) { return {.values = std::move(values)}; }

Pressed press(const TriMesh& soft, const TriMesh& rigid, const PressOptions& options = {},
              const PaintedMaps& maps = {}) {
    Result<Pressed> pressed = press_soft(soft, rigid, {options, maps});
    REQUIRE(pressed);
    return std::move(pressed.value());
}

/// How far the widest of some points is from the y axis, on the side `sign` of x.
double width(const std::vector<Vec3>& points, double sign) {
    double most = 0.0;
    for (const Vec3& p : points) test::raise(most, sign * p.x());
    return most;
}

}  // namespace

TEST_CASE("wrinkles of no height are no wrinkles, bit for bit, and others keep the volume") {
    const TriMesh soft = ball_at(0.4);
    const Pressed plain = press(soft, ground());
    CHECK(press(soft, ground(), {.wrinkles = 0.0, .waves = 3.0}).points == plain.points);
    const Pressed wavy = press(soft, ground(), {.wrinkles = 0.1, .waves = 4.0});
    CHECK(std::abs(wavy.report.volume_change) < 0.02 * wavy.report.displaced_volume);
    CHECK(wavy.zone == plain.zone);
    // As many crests as waves: along a meridian, the difference to the plain press changes sign
    // twice per wave, the ends apart.
    std::vector<std::pair<double, double>> over;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        const double u = plain.radial[v];
        if (plain.zone[v] >= 0 || !(u > 0.1) || !(u < 0.9)) continue;
        const Vec3 out = (soft.points[v] - Vec3(0, 0.4, 0)).normalized();
        over.emplace_back(u, (wavy.points[v] - plain.points[v]).dot(out));
    }
    std::sort(over.begin(), over.end());
    int turns = 0;
    double sign = 0.0;
    for (const auto& [u, difference] : over) {
        if (std::abs(difference) < 5e-4) continue;
        turns += sign * difference < 0;
        sign = difference;
    }
    CHECK(turns >= 5);
    CHECK(turns <= 8);
}

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
        test::raise(most, (same.points[v] - plain.points[v]).norm());
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
    CHECK(out(a, 1.0) == doctest::Approx(out(b, -1.0)).epsilon(0.02));
    CHECK(out(a, -1.0) == doctest::Approx(out(b, 1.0)).epsilon(0.02));
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

TEST_CASE("refinement splits what a deep pit stretches, and nothing else") {
    SurfaceAsset soft;
    soft.surface = test::grid_mesh(24, 24, false, false, [](int i, int j) {
        return Vec3(i / 12.0 - 1.0, 0.0, 1.0 - j / 12.0);
    });
    soft.render.points = soft.surface.points;
    soft.render.normals.assign(soft.surface.points.size(), Vec3::UnitY());
    soft.render.uvs.assign(soft.surface.points.size(), Vec2::Zero());
    soft.render.triangles = soft.surface.triangles;
    soft.render.triangle_looks.assign(soft.surface.triangles.size(), 0);
    soft.render.looks.resize(1);
    for (std::size_t v = 0; v < soft.surface.points.size(); ++v) {
        soft.anchors.push_back(SurfaceAnchor::on_point(static_cast<std::int32_t>(v)));
    }
    const TriMesh rigid =
        test::placed(test::sphere_mesh(0.3, 4), {Quat::Identity(), Vec3(0.013, 0.08, 0.007)});
    const PressOptions options = {.stiffness = 0.1, .extent = 0.5};
    const auto plain =
        press_refined(soft, rigid, {.options = options, .refine = PressRefineOptions{.rounds = 0}})
            .value();
    CHECK(plain.pressed.points == press(soft.surface, rigid, options).points);
    const auto fine =
        press_refined(soft, rigid, {.options = options, .refine = PressRefineOptions{}}).value();
    CHECK(fine.rounds > 0);
    CHECK(fine.asset.surface.points.size() > soft.surface.points.size());
    CHECK(fine.asset.surface.points.size() <= 4 * soft.surface.points.size());
    CHECK(fine.asset.render.points.size() == fine.asset.surface.points.size());
    const double bound = 1.5 * mean_edge_length(soft.surface.points, soft.surface.triangles);
    const auto longer = [&](const RefinedPress& p) {
        EdgeStretch stretch(p.asset.surface);
        stretch.add(p.asset.surface.points, p.pressed.points);
        return stretch.edges_above(bound, 100000).size();
    };
    CHECK(longer(fine) < longer(plain) / 4);
    // Far away the triangles are those that were there.
    const auto& kept = fine.asset.surface.triangles;
    std::size_t same = 0;
    for (const Triangle& t : soft.surface.triangles) {
        if (soft.surface.points[t[0]].norm() < 0.9) continue;
        same += std::find(kept.begin(), kept.end(), t) != kept.end();
    }
    CHECK(same > 300);
    CHECK_FALSE(press_refined(soft, rigid,
                              {.options = options, .refine = PressRefineOptions{.growth = 0.5}}));
}

TEST_CASE("detail comes back beside the contact and is gone in it") {
    const TriMesh base = ball_at(0.4);
    std::vector<double> heights;
    for (const Vec3& p : base.points) {
        heights.push_back(0.01 * std::sin(40 * p.x()) * std::sin(40 * p.z()));
    }
    const PressDetail detail = detail_over(base, heights);
    const Pressed pressed = press(detail.base, ground());
    const std::vector<Vec3> points = restore_detail(detail, pressed);
    double in_contact = 0.0, off = 0.0;
    std::size_t kept = 0;
    for (std::size_t v = 0; v < points.size(); ++v) {
        const double height = (points[v] - pressed.points[v]).norm();
        if (pressed.zone[v] >= 0) test::raise(in_contact, height);
        if (pressed.zone[v] < 0 && pressed.radial[v] >= 0.3) {
            test::raise(off, std::abs(height - std::abs(heights[v])));
        }
        kept += points[v] == detail.points[v];
    }
    CHECK(in_contact == 0.0);
    CHECK(off < 1e-12);
    CHECK(kept > points.size() / 4);
    SUBCASE("without an overlap it is the surface at rest, bit for bit") {
        const TriMesh above = test::placed(ground(), {Quat::Identity(), Vec3(0, -1, 0)});
        CHECK(restore_detail(detail, press(detail.base, above)) == detail.points);
    }
    SUBCASE("what is split off a surface and laid over it again is the surface") {
        const TriMesh rough{detail.points, base.triangles};
        const PressDetail split = split_detail(rough);
        CHECK(restore_detail(split, press(split.base, ground(), {.extent = 0.01})).size() ==
              rough.points.size());
        double rest = 0.0, size = 0.0;
        for (std::size_t v = 0; v < rough.points.size(); ++v) {
            test::raise(rest, (split.base.points[v] + split.offsets[v] - rough.points[v]).norm());
            test::raise(size, split.offsets[v].norm());
        }
        CHECK(rest < 1e-15);
        CHECK(size > 0.004);  // the waves are in the offsets
        CHECK(std::abs(volume(split.base.points, base.triangles) /
                           volume(rough.points, rough.triangles) -
                       1.0) < 0.01);
    }
}

TEST_CASE("a proxy brings a swallowed body's surface out") {
    const TriMesh soft = test::sphere_mesh(0.5, 5);
    const TriMesh rigid =
        test::placed(test::sphere_mesh(0.08, 3), {Quat::Identity(), Vec3(0.01, 0.35, 0.02)});
    CHECK(press(soft, rigid).report.zones == 0);
    for (const Vec3& direction : {Vec3(Vec3::Zero()), Vec3(0, 1, 0), Vec3(0.2, 1, 0)}) {
        const TriMesh proxy = press_proxy(soft, rigid, {direction}).value();
        CHECK(proxy.triangles == rigid.triangles);
        const Pressed p = press(soft, proxy, {.stiffness = 0.05, .extent = 0.3});
        CHECK(p.report.zones == 1);
        CHECK(p.report.fallbacks == 0);
        double lowest = kInfinity;
        for (std::size_t v = 0; v < p.points.size(); ++v) {
            if (p.zone[v] >= 0) lowest = std::min(lowest, p.points[v].y());
        }
        CHECK(lowest < (direction == Vec3::UnitY()
                            ? 0.31
                            : 0.37));  // it is pressed down to the body's far end
        std::size_t kept = 0;
        for (std::size_t v = 0; v < rigid.points.size(); ++v) {
            kept += proxy.points[v] == rigid.points[v];
        }
        CHECK(kept * 3 > rigid.points.size());
    }
    CHECK(press_proxy(soft, ground()).value().points == ground().points);
    CHECK_FALSE(press_proxy(soft, rigid, {Vec3(std::nan(""), 0, 0)}));
    CHECK_FALSE(press_proxy(soft, TriMesh{}));
}

TEST_CASE("with a direction nothing jumps when the last of a body goes in") {
    const TriMesh soft = test::sphere_mesh(0.5, 5);
    const auto pressed = [&](double height) {
        const TriMesh rigid =
            test::placed(test::sphere_mesh(0.08, 3), {Quat::Identity(), Vec3(0.01, height, 0.02)});
        const TriMesh proxy = press_proxy(soft, rigid, {Vec3::UnitY()}).value();
        return press(soft, proxy, {.stiffness = 0.05, .extent = 0.3});
    };
    // The body's top is at the surface where its centre is 0.08 below it.
    const double step = 1e-4, touch = 0.4194;
    for (int i = -3; i < 3; ++i) {
        const Pressed before = pressed(touch - i * step), after = pressed(touch - (i + 1) * step);
        double most = 0.0;
        for (std::size_t v = 0; v < soft.points.size(); ++v) {
            test::raise(most, (after.points[v] - before.points[v]).norm());
        }
        CHECK(before.report.zones == 1);
        CHECK(most < 50 * step);
    }
}

TEST_CASE("each part of a rigid surface has a proxy of its own, and apart nothing is drawn out") {
    const TriMesh soft = test::sphere_mesh(0.5, 5);
    const TriMesh one =
        test::placed(test::sphere_mesh(0.08, 3), {Quat::Identity(), Vec3(0, 0.35, 0)});
    const TriMesh other =
        test::placed(test::sphere_mesh(0.08, 3), {Quat::Identity(), Vec3(0.35, 0, 0)});
    TriMesh both = one;
    for (const Vec3& p : other.points) both.points.push_back(p);
    const auto first = static_cast<std::int32_t>(one.points.size());
    for (const Triangle& t : other.triangles) {
        both.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    const TriMesh drawn = press_proxy(soft, both).value();
    const std::vector<Vec3> alone = press_proxy(soft, one).value().points;
    const std::vector<Vec3> beside = press_proxy(soft, other).value().points;
    CHECK(std::equal(alone.begin(), alone.end(), drawn.points.begin()));
    CHECK(std::equal(beside.begin(), beside.end(), drawn.points.begin() + first));
    const TriMesh away = test::placed(one, {Quat::Identity(), Vec3(0, 3, 0)});
    CHECK(press_proxy(soft, away, {Vec3::UnitY()}).value().points == away.points);
}

TEST_CASE("a map is told by a formula of the place") {
    const std::vector<Vec3> points = {Vec3(-1, 0, 0), Vec3(1, 2, 3)};
    CHECK(map_from_formula("1 + 3 * (x > 0) * z", points).value() == std::vector<double>{1, 10});
    CHECK(map_from_formula("1 + w", points).error().where == "character 5");
    CHECK(map_from_formula("1 / (x - 1)", points).error().what.find("1, 2, 3") !=
          std::string::npos);
}
