// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/core/rng.h>
#include <ductile/deform/press/press.h>
#include <ductile/geom/mass.h>
#include <ductile/geom/query/surface_query.h>
#include <ductile/solids/solids.h>

#include <deform/press/press_cases.h>
#include <doctest/doctest.h>
#include <support/near.h>

using namespace ductile;
using test::ground;
using test::press;

namespace {

constexpr double kRadius = 0.5;

/// A ball of diameter 1 that stands `depth` deep in the ground at y = 0, turned so that its mesh
/// has no axis of symmetry along y.
TriMesh ball_in_ground(double depth, int levels = 4) {
    const Quat turn(Eigen::AngleAxisd(0.37, Vec3(1, 2, 3).normalized()));
    return test::placed(test::sphere_mesh(kRadius, levels), {turn, Vec3(0, kRadius - depth, 0)});
}

/// A sheet in the plane y = 0, 2 m wide, facing up.
TriMesh sheet(int n) {
    return test::grid_mesh(n, n, false, false, [&](int i, int j) {
        return Vec3(2.0 * i / n - 1.0, 0.0, 1.0 - 2.0 * j / n);
    });
}

double zone_radius(const Pressed& p) {
    double radius = 0.0;
    for (std::size_t v = 0; v < p.points.size(); ++v) {
        if (p.zone[v] >= 0) radius = std::max(radius, std::hypot(p.points[v].x(), p.points[v].z()));
    }
    return radius;
}

/// Deepest place of a vertex within a closed surface [m].
double deepest(const std::vector<Vec3>& points, const TriMesh& rigid) {
    const SurfaceQuery query(rigid.points, rigid.triangles);
    double worst = 0.0;
    for (const Vec3& p : points) {
        if (query.is_inside(p)) test::raise_to(worst, query.closest_point(p).distance);
    }
    return worst;
}

}  // namespace

TEST_CASE("without an overlap a pressed surface is the soft one, bit for bit") {
    const TriMesh soft = test::placed(ball_in_ground(0.1), {Quat::Identity(), Vec3(0, 0.2, 0)});
    const Pressed p = press(soft, ground());
    CHECK(p.points == soft.points);
    CHECK(p.report.overlaps == 0);
    CHECK(p.report.fallbacks == 0);
    CHECK(p.report.notes.empty());
}

TEST_CASE("contact points lie on the rigid surface and no vertex is left inside it") {
    for (const double depth : {0.05, 0.1, 0.2}) {
        const TriMesh soft = ball_in_ground(depth);
        const Pressed p = press(soft, ground());
        REQUIRE(p.report.zones == 1);
        CHECK(p.report.contact_points > 10);
        double off = 0.0;
        for (std::size_t v = 0; v < soft.points.size(); ++v) {
            if (p.zone[v] >= 0) test::raise_to(off, std::abs(p.points[v].y()));
        }
        CHECK(off < 1e-12);
        CHECK(deepest(p.points, ground()) < 1e-9);
    }
}

TEST_CASE("the contact of a ball with a plane has the radius that geometry gives it") {
    // A ball of radius r inside one of radius R that is cut off d deep touches the cut wherever it
    // fits: up to x^2 = 2 (R - r) d - d^2 from the axis.
    for (const double depth : {0.06, 0.1, 0.2}) {
        for (const double stiffness : {0.1, 0.25, 0.35}) {
            const Pressed p = press(ball_in_ground(depth, 5), ground(), {.stiffness = stiffness});
            const double exact = std::sqrt(2 * (kRadius - stiffness) * depth - depth * depth);
            // One edge of the mesh is 0.03 long.
            CHECK(std::abs(zone_radius(p) - exact) < 0.03);
        }
    }
}

TEST_CASE("the contact grows with depth and shrinks with stiffness") {
    const auto points = [&](double depth, double stiffness) {
        return press(ball_in_ground(depth, 5), ground(), {.stiffness = stiffness})
            .report.contact_points;
    };
    CHECK(points(0.06, 0.25) < points(0.1, 0.25));
    CHECK(points(0.1, 0.25) < points(0.16, 0.25));
    CHECK(points(0.1, 0.1) > points(0.1, 0.2));
    CHECK(points(0.1, 0.2) > points(0.1, 0.35));
}

TEST_CASE("bulge 1 keeps the volume to 2 percent of what is displaced, and more adds to it") {
    const TriMesh soft = ball_in_ground(0.12);
    const double before = volume(soft.points, soft.triangles);
    double last = -kInfinity;
    for (const double bulge : {0.0, 0.5, 1.0, 2.0}) {
        const Pressed p = press(soft, ground(), {.bulge = bulge});
        const double change = volume(p.points, soft.triangles) - before;
        CHECK(test::near(p.report.volume_change, change, 1e-6));
        CHECK(change > last);
        last = change;
        if (bulge == 0.0) CHECK(test::near(change, -p.report.displaced_volume));
        if (bulge == 1.0) CHECK(std::abs(change) < 0.02 * p.report.displaced_volume);
    }
}

TEST_CASE("a ball pressed onto a plane stays round about the axis") {
    const TriMesh soft = ball_in_ground(0.1, 5);
    const Pressed p = press(soft, ground());
    // Heights of vertices in one band of rest height agree to a small part of the depth.
    double worst = 0.0;
    for (int band = 0; band < 12; ++band) {
        const double low = -0.08 + 0.05 * band;
        double least = kInfinity, most = -kInfinity;
        for (std::size_t v = 0; v < soft.points.size(); ++v) {
            const double y = soft.points[v].y();
            if (y < low || y > low + 0.004) continue;
            const double r = std::hypot(p.points[v].x(), p.points[v].z());
            const double rest = std::hypot(soft.points[v].x(), soft.points[v].z());
            least = std::min(least, r - rest);
            most = std::max(most, r - rest);
        }
        if (most > least) test::raise_to(worst, most - least);
    }
    CHECK(worst < 0.02);
}

TEST_CASE("the radial parameter is the distance along the surface over the extent") {
    const TriMesh soft = ball_in_ground(0.1, 5);
    const Pressed p = press(soft, ground(), {.stiffness = 0.25, .extent = 0.5});
    // On the undeformed ball the zone's border is a circle about the axis.
    const double contact = zone_radius(p), border = std::asin(contact / kRadius);
    double worst = 0.0;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        if (p.zone[v] >= 0 || !(p.radial[v] < 1.0)) continue;
        const Vec3 out = (soft.points[v] - Vec3(0, kRadius - 0.1, 0)) / kRadius;
        const double angle = std::acos(std::clamp(-out.y(), -1.0, 1.0));
        test::raise_to(worst, std::abs(p.radial[v] - kRadius * (angle - border) / 0.5));
    }
    // Where on the soft surface the border lies differs from the circle by how the map stretches.
    CHECK(worst < 0.12);
}

TEST_CASE("a rigid ball presses a round pit with a rim into a soft sheet") {
    const TriMesh soft = sheet(48);
    const double depth = 0.08;
    const TriMesh rigid = test::placed(test::sphere_mesh(0.3, 4),
                                       {Quat::Identity(), Vec3(0.013, 0.3 - depth, 0.007)});
    const Pressed p = press(soft, rigid, {.stiffness = 0.3, .extent = 0.5});
    REQUIRE(p.report.zones == 1);
    const SurfaceQuery query(rigid.points, rigid.triangles);
    double off = 0.0, lowest = 0.0, highest = 0.0;
    for (std::size_t v = 0; v < p.points.size(); ++v) {
        if (p.zone[v] >= 0) test::raise_to(off, query.closest_point(p.points[v]).distance);
        lowest = std::min(lowest, p.points[v].y());
        highest = std::max(highest, p.points[v].y());
    }
    CHECK(off < 1e-9);
    CHECK(lowest < -0.9 * depth);
    CHECK(highest > 0.005);
    CHECK(deepest(p.points, rigid) < 1e-9);
    CHECK(std::abs(p.report.volume_change) < 0.02 * p.report.displaced_volume);
}

TEST_CASE("the surface leaves the contact the smoother the finer its mesh") {
    const auto worst_turn = [](int levels) {
        const TriMesh soft = ball_in_ground(0.1, levels);
        const Pressed p = press(soft, ground());
        double worst = 0.0;
        for (const Triangle& t : soft.triangles) {
            const int in = (p.zone[t[0]] >= 0) + (p.zone[t[1]] >= 0) + (p.zone[t[2]] >= 0);
            if (in == 0 || in == 3) continue;
            const Vec3 normal = area_vector(p.points, t).normalized();
            test::raise_to(worst, std::acos(std::clamp(-normal.y(), -1.0, 1.0)));
        }
        return worst;
    };
    const double coarse = worst_turn(4), fine = worst_turn(6);
    CHECK(coarse < 0.3);
    CHECK(fine < 0.5 * coarse);
}

TEST_CASE("several overlaps are pressed at once") {
    const TriMesh soft = sheet(60);
    const auto tooth = [](double x) {
        return test::placed(test::sphere_mesh(0.2, 3), {Quat::Identity(), Vec3(x, 0.12, 0.01)});
    };
    const TriMesh rigid = test::together(test::together(tooth(-0.5), tooth(0.01)), tooth(0.5));
    const Pressed p = press(soft, rigid, {.stiffness = 0.1, .extent = 0.3});
    CHECK(p.report.overlaps == 3);
    CHECK(p.report.zones == 3);
    CHECK(p.report.fallbacks == 0);
    CHECK(deepest(p.points, rigid) < 1e-9);
}

TEST_CASE("what is far from the contact stays where it was, bit for bit") {
    const TriMesh soft = ball_in_ground(0.1);
    const Pressed p = press(soft, ground(), {.extent = 0.3});
    std::size_t kept = 0;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        if (p.radial[v] < 1.0) continue;
        CHECK(p.points[v] == soft.points[v]);
        ++kept;
    }
    CHECK(kept > soft.points.size() / 2);
}

TEST_CASE("a pressed frame is the same bits at any number of threads") {
    const TriMesh soft = ball_in_ground(0.13);
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return press(soft, ground()).points;
    };
    const std::vector<Vec3> one = run(1);
    CHECK(one == run(2));
    CHECK(one == run(7));
}

TEST_CASE(
    "a small move of the rigid body moves no vertex far, but where a zone is born or merges") {
    constexpr double kStep = 1e-4;  // Of rigid bodies about 1 m across.
    const TriMesh ball = ball_in_ground(0.0, 3);
    const auto rod = [](double radius, double length, const Vec3& at, const Vec3& axis) {
        const Vec3 size(2 * radius, length, 2 * radius);
        const TriMesh m = make_solid({.kind = SolidKind::Capsule, .size = size, .resolution = 0.05})
                              .value()
                              .surface;
        return test::placed(m, {turn_between(Vec3::UnitY(), axis), at});
    };
    struct Sweep {
        TriMesh soft, rigid;
        Vec3 way;
        PressOptions options;
        std::vector<double> from;
    };
    const Sweep sweeps[] = {
        {ball,
         ground(),
         Vec3::UnitY(),
         {},
         {bounds(ball.points).lower.y() - 5 * kStep, 0.04, 0.15}},
        {ball,
         test::placed(test::sphere_mesh(0.25, 3), {Quat::Identity(), Vec3(0.01, 1.25, 0)}),
         -Vec3::UnitY(),
         {.stiffness = 0.12},
         {0.02, 0.06}},
        {rod(0.2, 1.2, Vec3(0, -0.2, 0), Vec3::UnitX()),
         rod(0.15, 1.0, Vec3(0.01, 0.15, 0.02), Vec3::UnitZ()),
         -Vec3::UnitY(),
         {.stiffness = 0.06, .extent = 0.3},
         {0.02, 0.05}},
        // Deep: vertices come close to the zone's border, where slopes are rises over nothing.
        {ball_in_ground(0.0, 4),
         test::placed(test::sphere_mesh(0.25, 4), {Quat::Identity(), Vec3(0.013, 1.25, 0.021)}),
         -Vec3::UnitY(),
         {.stiffness = 0.1},
         {0.05, 0.052, 0.054, 0.13, 0.132, 0.134, 0.2, 0.202, 0.204}},
    };
    int steps = 0, pressed = 0, events = 0;
    double most = 0.0;
    for (const Sweep& s : sweeps) {
        const Presser presser = Presser::make(s.soft, {s.options}).value();
        const PressRigid by = PressRigid::make(s.rigid).value();
        for (const double from : s.from) {
            Pressed last;
            for (int i = 0; i < 21; ++i) {
                const Transform pose{Quat::Identity(), (from + kStep * i) * s.way};
                Pressed now = presser.press(s.soft.points, by, pose).value();
                const bool is_event = now.report.zones != last.report.zones ||
                                      now.report.overlaps != last.report.overlaps;
                steps += i > 0;
                pressed += i > 0 && now.report.zones > 0;
                events += i > 0 && is_event;
                for (std::size_t v = 0; i > 0 && !is_event && v < now.points.size(); ++v) {
                    test::raise_to(most, (now.points[v] - last.points[v]).norm());
                }
                last = std::move(now);
            }
        }
    }
    CHECK(pressed > 0.9 * steps);
    CHECK(events == 1);  // The ball's first vertex below ground.
    CHECK(most > 0.5 * kStep);
    CHECK(most < 50 * kStep);
    MESSAGE("largest move over the rigid body's: ", most / kStep,
            ", zones born or merged: ", events);
}

TEST_CASE("what cannot be pressed stays as it was, and a note says why") {
    SUBCASE("a rigid rod all the way through") {
        const TriMesh soft = test::sphere_mesh(0.5, 3);
        const TriMesh rod = test::placed(test::prism_mesh(0.2, 3.0, 12), {});
        const Pressed p = press(soft, rod);
        CHECK(p.report.overlaps == 2);  // both ends, each pressed by the side of a tube
        CHECK(p.report.fallbacks == 2);
        CHECK(p.report.notes.size() == 2);
        CHECK(p.points == soft.points);
    }
    SUBCASE("a rigid body swallowed whole") {
        const TriMesh soft = test::sphere_mesh(0.5, 3);
        const Pressed p = press(soft, test::sphere_mesh(0.1, 2));
        CHECK(p.points == soft.points);
        REQUIRE(p.report.notes.size() == 1);
        CHECK(p.report.notes[0].find("wholly inside") != std::string::npos);
    }
    SUBCASE("a ball too large to fit anywhere") {
        const TriMesh soft = ball_in_ground(0.1);
        const Pressed p = press(soft, ground(), {.stiffness = 0.6});
        CHECK(p.report.fallbacks == 1);
        CHECK(p.points == soft.points);
    }
    SUBCASE("bad data") {
        TriMesh bad = ball_in_ground(0.1);
        bad.points[3].x() = std::nan("");
        CHECK_FALSE(press_soft(bad, ground()));
        bad = ball_in_ground(0.1);
        bad.triangles[0][1] = 100000;
        CHECK_FALSE(press_soft(bad, ground()));
        CHECK_FALSE(press_soft({}, ground()));
        CHECK_FALSE(press_soft(ball_in_ground(0.1), ground(), {{.bulge = -1.0}}));
    }
}

TEST_CASE("broken surfaces of any kind give finite points that keep to their neighbourhood") {
    int pressed = 0;
    for (int i = 0; i < 60; ++i) {
        Rng rng(1000 + i);
        const auto break_some = [&](TriMesh m) {
            for (int left = static_cast<int>(rng.uniform(0, 7)); left > 0; --left) {
                Triangle& t = m.triangles[static_cast<std::size_t>(
                    rng.uniform() * static_cast<double>(m.triangles.size()))];
                const auto p =
                    static_cast<std::int32_t>(rng.uniform() * static_cast<double>(m.points.size()));
                const int how = static_cast<int>(rng.uniform(0, 6));
                if (how == 0) m.triangles.push_back(Triangle(t));  // twice there
                if (how == 1) std::swap(t[0], t[1]);               // inside out
                if (how == 2) t[0] = p;                            // across the body
                if (how == 3) m.points[p] = m.points[t[0]];        // two in one place
                if (how == 4) t[1] = t[0];                         // no area
                if (how == 5) m.points[p] += 0.3 * test::random_vec(rng);
            }
            return m;
        };
        const bool is_soup = i % 8 == 0;
        const TriMesh soft =
            break_some(is_soup ? test::soup_mesh(rng, 60, 0.5) : test::sphere_mesh(0.5, 1 + i % 3));
        const Transform pose{test::random_rotation(rng), 0.5 * test::random_vec(rng)};
        const TriMesh rigid =
            break_some(test::placed(i % 3 ? test::torus_mesh(0.4, 0.15, 20, 10)
                                          : test::box_mesh({-0.4, -0.4, -0.4}, {0.4, 0.4, 0.4}),
                                    pose));
        const Pressed p = press(soft, rigid, {.stiffness = 0.05, .extent = 0.3});
        double most = 0.0;
        bool is_finite_all = true;
        for (std::size_t v = 0; v < p.points.size(); ++v) {
            is_finite_all = is_finite_all && is_finite(p.points[v]);
            test::raise_to(most, (p.points[v] - soft.points[v]).norm());
        }
        CHECK(is_finite_all);
        CHECK(most < 2.0);  // About the size of both together.
        pressed += p.report.zones > 0;
    }
    CHECK(pressed > 10);
}

TEST_CASE("a frame is the same bits alone and among others, in any order") {
    const TriMesh soft = ball_in_ground(0.0, 3);
    const Presser presser = Presser::make(soft).value();
    const PressRigid by = PressRigid::make(ground()).value();
    const auto frame = [&](int i) {
        TriMesh moved = soft;
        for (Vec3& p : moved.points) p += Vec3(0.01 * i, -0.03 * i, 0.0);
        return moved;
    };
    for (const int i : {4, 0, 3, 1, 4, 2}) {
        const Result<Pressed> kept = presser.press(frame(i).points, by);
        REQUIRE(kept);
        const Presser alone = Presser::make(soft).value();
        CHECK(kept.value().points == alone.press(frame(i).points, by).value().points);
        CHECK((kept.value().report.zones > 0) == (i > 0));
    }
}

TEST_CASE("a rigid surface given anew, by other points and by a pose presses alike") {
    const TriMesh soft = sheet(24);
    const TriMesh rest = test::sphere_mesh(0.4, 3);
    const Transform pose{Quat(Eigen::AngleAxisd(0.8, Vec3(3, 1, 2).normalized())),
                         Vec3(0.02, 0.3, 0.05)};
    const TriMesh placed = test::placed(rest, pose);
    const PressOptions options{.stiffness = 0.2, .extent = 0.4};
    const Presser presser = Presser::make(soft, {options}).value();
    const PressRigid by = PressRigid::make(rest).value();
    const Pressed anew = press(soft, placed, options);
    REQUIRE(anew.report.zones == 1);
    const Result<PressRigid> elsewhere = by.with_points(placed.points);
    REQUIRE(elsewhere);
    CHECK(presser.press(soft.points, elsewhere.value()).value().points == anew.points);
    const Pressed posed = presser.press(soft.points, by, pose).value();
    double worst = 0.0;
    for (std::size_t v = 0; v < soft.points.size(); ++v) {
        test::raise_to(worst, (posed.points[v] - anew.points[v]).norm());
        if (anew.radial[v] == 1.0) CHECK(posed.points[v] == soft.points[v]);
    }
    CHECK(worst < 1e-7);
}

TEST_CASE("a note says that a print is narrower than the mesh's edges, but not on a finer mesh") {
    const TriMesh blade = test::box_mesh({-0.016, 0.4, -0.9}, {0.016, 1.4, 0.9});
    for (const bool is_fine : {false, true}) {
        const TriMesh ball = test::sphere_mesh(0.5, is_fine ? 5 : 4);
        const Result<Pressed> pressed =
            press_soft(ball, blade, {{.stiffness = 0.02, .extent = 0.2}});
        REQUIRE(pressed.ok());
        const std::vector<std::string>& notes = pressed.value().report.notes;
        CHECK(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
                  return note.find("narrower") != std::string::npos;
              }) == !is_fine);
    }
}

TEST_CASE("a body is pressed where it is smooth, however its surface bends and folds further out") {
    const TriMesh ball =
        test::placed(test::sphere_mesh(0.25, 4), {Quat::Identity(), Vec3(0.01, 0.2, 0)});
    int helped = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
        CAPTURE(seed);
        TriMesh soft = sheet(30);
        Rng rng(seed);
        const double edge = 2.0 / 30;
        for (Vec3& p : soft.points) {
            const Vec3 shake(rng.uniform(-1, 1), 2.0 * rng.uniform(-1, 1), rng.uniform(-1, 1));
            const double far = std::clamp(6.0 * (std::hypot(p.x(), p.z()) - 0.45), 0.0, 1.0);
            p += 0.9 * edge * far * shake;
        }
        const Result<Pressed> pressed = press_soft(soft, ball, {{.extent = 1.0}});
        REQUIRE(pressed.ok());
        const PressReport& report = pressed.value().report;
        CHECK(report.overlaps == 1);
        CHECK(report.fallbacks == 0);
        CHECK(report.contact_points > 5);
        helped += std::any_of(report.notes.begin(), report.notes.end(), [](const std::string& n) {
            return n.find("positive weights") != std::string::npos;
        });
    }
    CHECK(helped > 0);  // and a note says so
}

TEST_CASE("a figure on two legs is pressed wherever a ball is, between its legs, too") {
    // Trunk, legs that stand close, head: where the legs meet, the region closes on itself.
    SolidOptions options{.kind = SolidKind::Blend, .blend = 0.03, .resolution = 0.025};
    options.parts = {{.from = Vec3(0, 0.98, 0), .to = Vec3(0, 1.35, 0), .radius = 0.13},
                     {.from = Vec3(-0.17, 1.4, 0), .to = Vec3(0.17, 1.4, 0), .radius = 0.07},
                     {.from = Vec3(0, 1.62, 0), .to = Vec3(0, 1.66, 0), .radius = 0.1},
                     {.from = Vec3(0, 1.4, 0), .to = Vec3(0, 1.6, 0), .radius = 0.055},
                     {.from = Vec3(-0.085, 0.92, 0),
                      .to = Vec3(-0.1, 0.1, 0),
                      .radius = 0.085,
                      .end_radius = 0.05},
                     {.from = Vec3(0.085, 0.92, 0),
                      .to = Vec3(0.1, 0.1, 0),
                      .radius = 0.085,
                      .end_radius = 0.05}};
    TriMesh figure = make_solid(options).value().surface;
    // The middle of a solid's box is its origin; feet are at 0.05, the top is at 1.76.
    for (Vec3& p : figure.points) p += Vec3(0, 0.905, 0);
    const Presser presser = Presser::make(figure, {}).value();
    const Vec3 places[] = {Vec3(0, 1.0, 0.2),  Vec3(0, 1.25, 0.2),   Vec3(0.09, 0.85, 0.16),
                           Vec3(0, 0.8, 0.14), Vec3(0.1, 0.6, 0.16), Vec3(0, 0.78, -0.14)};
    for (const Vec3& at : places) {
        CAPTURE(at.transpose());
        const TriMesh ball = test::solid_mesh(SolidKind::Sphere, Vec3::Constant(0.24), 0.03, at);
        const Pressed p = presser.press(figure.points, PressRigid::make(ball).value()).value();
        CHECK(p.report.overlaps >= 1);
        CHECK(p.report.fallbacks == 0);
        CHECK(p.report.zones >= 1);
        CHECK(p.report.moved_points > 20);
    }
}

TEST_CASE("only points within a closed rigid surface have a nearest place outside of it") {
    TriMesh box = test::box_mesh({-1, -1, -1}, {1, 1, 1});
    const PressRigid closed = PressRigid::make(box).value();
    CHECK((closed.nearest_outside(Vec3(0.1, 0.7, 0.2)) - Vec3(0.1, 1.0, 0.2)).norm() < 1e-12);
    CHECK(closed.nearest_outside(Vec3(0.1, 1.2, 0.2)) == Vec3(0.1, 1.2, 0.2));
    box.triangles.pop_back();
    CHECK(PressRigid::make(box).value().nearest_outside(Vec3::Zero()) == Vec3::Zero());
}
