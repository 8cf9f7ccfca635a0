// SPDX-License-Identifier: MIT
#include <ductile/deform/press/bulge/press_guard.h>
#include <ductile/deform/press/press.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <array>

using namespace ductile;

namespace {

constexpr double kSize = 1.0;  // of every soft body below: its box diagonal over the root of three

TriMesh ball(double radius, int levels, const Vec3& at) {
    const Quat turn(Eigen::AngleAxisd(0.37, Vec3(1, 2, 3).normalized()));
    return test::placed(test::sphere_mesh(radius, levels), {turn, at});
}

/// A capsule whose axis, y, is turned to `axis`.
TriMesh capsule(const Vec3& axis, const Vec3& at, double edge = 0.03) {
    const TriMesh mesh =
        make_solid({.kind = SolidKind::Capsule, .size = Vec3(0.5, 1.3, 0.5), .resolution = edge})
            .value()
            .surface;
    return test::placed(mesh, {turn_between(Vec3::UnitY(), axis), at});
}

/// How deep the pressed surface is left in the rigid one, out of the zones: at vertices, and
/// halfway along sides and in the middle of faces [m].
struct Left {
    double at_vertices = 0.0, between = 0.0;
};
Left left_inside(const TriMesh& soft, const TriMesh& rigid, const Pressed& p) {
    const SurfaceQuery query(rigid.points, rigid.triangles);
    const auto depth = [&](const Vec3& at) {
        return query.is_inside(at) ? query.closest_point(at).distance : 0.0;
    };
    Left left;
    for (std::size_t v = 0; v < p.points.size(); ++v) {
        if (p.zone[v] < 0 && p.radial[v] < 1.0)
            test::raise_to(left.at_vertices, depth(p.points[v]));
    }
    for (const Triangle& t : soft.triangles) {
        if (p.radial[t[0]] >= 1.0) continue;
        const Vec3 &a = p.points[t[0]], &b = p.points[t[1]], &c = p.points[t[2]];
        test::raise_to(left.between, depth((a + b + c) / 3.0));
        test::raise_to(left.between, depth((a + b) / 2.0));
    }
    return left;
}

/// Largest angle between faces that meet where the zone's border runs, or beyond it [rad].
double sharpest_fold(const TriMesh& soft, const Pressed& p) {
    const std::vector<Triangle> across = face_neighbours(soft.triangles);
    double worst = 0.0;
    for (std::size_t f = 0; f < across.size(); ++f) {
        const Triangle& t = soft.triangles[f];
        if (p.zone[t[0]] >= 0 && p.zone[t[1]] >= 0 && p.zone[t[2]] >= 0) continue;
        const Vec3 own = area_vector(p.points, t).normalized();
        for (const std::int32_t g : across[f]) {
            if (g < 0) continue;
            const Vec3 other = area_vector(p.points, soft.triangles[g]).normalized();
            test::raise_to(worst, std::acos(std::clamp(own.dot(other), -1.0, 1.0)));
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("a softened gap is never below nought nor the gap, and has one slope on both sides") {
    for (const double width : {0.0, 0.1, 2.0}) {
        for (int i = -300; i <= 300; ++i) {
            const double gap = 0.01 * i, soft = softened_gap(gap, width);
            CHECK(soft >= std::max(gap, 0.0) - 1e-15);
            CHECK(soft <= std::max(gap, 0.0) + 0.25 * width + 1e-15);
            if (gap >= width) CHECK(soft == gap);
            if (gap <= -width) CHECK(soft == 0.0);
        }
        if (width == 0.0) continue;
        for (const double joint : {-width, width}) {
            const double h = 1e-7 * width;
            const double below = (softened_gap(joint, width) - softened_gap(joint - h, width)) / h;
            const double above = (softened_gap(joint + h, width) - softened_gap(joint, width)) / h;
            CHECK(test::within(above, below, 1e-5));
        }
    }
}

TEST_CASE("out of the zones a pressed surface stays out of the rigid one but for chords") {
    // What a straight edge between two points of a ball cuts off is what "between" may hold.
    const auto check = [](const TriMesh& soft, const TriMesh& rigid, const PressOptions& options) {
        const Result<Pressed> pressed = press_soft(soft, rigid, {options});
        REQUIRE(pressed);
        CHECK(pressed.value().report.zones > 0);
        CHECK(std::abs(pressed.value().report.volume_change) <
              0.02 * pressed.value().report.displaced_volume * std::max(options.bulge, 1.0) +
                  std::abs(options.bulge - 1.0));
        const Left left = left_inside(soft, rigid, pressed.value());
        CHECK(left.at_vertices < 1e-3 * kSize);
        CHECK(left.between < 5e-3 * kSize);
    };
    const TriMesh plane = test::box_mesh({-2, -1, -2}, {2, 0, 2});
    for (const double bulge : {0.0, 1.0, 2.0}) {
        check(ball(0.5, 4, {0, 0.38, 0}), plane, {.bulge = bulge});
        check(ball(0.5, 4, {0, 0.3, 0}), plane, {.bulge = bulge});
        check(ball(0.5, 4, {0, 0, 0}), ball(0.25, 4, {0.01, 0.58, 0.02}),
              {.stiffness = 0.12, .bulge = bulge});
    }
    check(ball(0.5, 4, {0, 0, 0}), ball(0.25, 4, {0.01, 0.5, 0.02}), {.stiffness = 0.12});
    const TriMesh lying = capsule(Vec3::UnitX(), Vec3::Zero());
    check(lying, capsule(Vec3::UnitZ(), {0.01, 0.4, 0.013}), {.stiffness = 0.1});
    check(lying, capsule(Vec3::UnitY(), {0.01, 0.8, 0.013}), {.stiffness = 0.1});
}

TEST_CASE("folds beside the contact fall with the mesh's resolution") {
    const auto fold = [](const TriMesh& soft, const TriMesh& rigid, const PressOptions& options) {
        const Result<Pressed> pressed = press_soft(soft, rigid, {options});
        REQUIRE(pressed);
        REQUIRE(pressed.value().report.zones == 1);
        return sharpest_fold(soft, pressed.value());
    };
    const auto print = [](const std::string& name, const std::array<double, 3>& folds) {
        MESSAGE(name, ", sharpest fold [rad], each mesh twice as fine: ", folds[0], ", ", folds[1],
                ", ", folds[2]);
    };
    // 0.2: the bulge lies on the plane beyond the zone and leaves it again.
    for (const double depth : {0.1, 0.2}) {
        std::array<double, 3> folds{};
        for (int k = 0; k < 3; ++k) {
            folds[k] =
                fold(ball(0.5, 4 + k, {0, 0.5 - depth, 0}), test::box_mesh({-2, -1, -2}, {2, 0, 2}),
                     {.stiffness = 0.25, .extent = 0.6});
        }
        print("ball on plane", folds);
        CHECK(folds[2] < 0.5 * folds[0]);
    }
    std::array<double, 3> balls{}, crossed{};
    for (int k = 0; k < 3; ++k) {
        balls[k] = fold(ball(0.5, 4 + k, {0, 0.35, 0}), ball(0.25, 4 + k, {0.013, -0.25, 0.021}),
                        {.stiffness = 0.12});
        const double edge = 0.04 / (1 << k);
        crossed[k] = fold(capsule(Vec3::UnitX(), Vec3::Zero(), edge),
                          capsule(Vec3::UnitZ(), {0.01, 0.4, 0.013}, edge), {.stiffness = 0.1});
    }
    print("ball in ball", balls);
    print("crossed capsules", crossed);
    CHECK(balls[2] < 0.5 * balls[0]);
    CHECK(crossed[1] < 0.9 * crossed[0]);
    CHECK(crossed[2] < 0.9 * crossed[1]);
}

TEST_CASE("the lip of a deep pit has no saw teeth: both sides of the curve are held alike") {
    const TriMesh soft = ball(0.5, 5, Vec3::Zero());
    const TriMesh rigid = ball(0.25, 4, Vec3(0, 0.5, 0));
    const Pressed p = press_soft(soft, rigid).value();
    REQUIRE(p.report.zones == 1);
    const std::vector<Triangle> across = face_neighbours(soft.triangles);
    double sharpest = 1.0;
    for (std::size_t f = 0; f < soft.triangles.size(); ++f) {
        const Triangle& t = soft.triangles[f];
        if (p.radial[t[0]] < 0.05 || p.radial[t[1]] < 0.05 || p.radial[t[2]] < 0.05) continue;
        for (const std::int32_t g : across[f]) {
            if (g < 0) continue;
            sharpest =
                std::min(sharpest, area_vector(p.points, t)
                                       .normalized()
                                       .dot(area_vector(p.points, soft.triangles[g]).normalized()));
        }
    }
    CHECK(std::acos(sharpest) < 0.6);
    MESSAGE("sharpest fold of a pit half as deep as its ball [rad]: ", std::acos(sharpest));
}
