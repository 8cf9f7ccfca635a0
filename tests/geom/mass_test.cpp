// SPDX-License-Identifier: MIT
#include <ductile/geom/mass.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <limits>

using namespace ductile;
using namespace ductile::test;

namespace {

Result<MassProperties> mass_of(const TriMesh& mesh, const MassModel& model = {.density = 1.0}) {
    return mass_properties(mesh.points, mesh.triangles, model);
}

double relative_error(const Mat3& a, const Mat3& b) { return (a - b).norm() / b.norm(); }

void check_same(const MassProperties& a, const MassProperties& b, double tolerance) {
    CHECK(test::near(a.mass, b.mass, tolerance));
    CHECK((a.centre_b - b.centre_b).norm() < tolerance);
    CHECK(relative_error(a.inertia_b, b.inertia_b) < tolerance);
}

// How far principal_axes is from what it promises.
double residual(const Mat3& inertia, const PrincipalFrame& frame) {
    const Mat3 r = frame.rotation.toRotationMatrix();
    return (r * frame.moments.asDiagonal() * r.transpose() - inertia).norm() / inertia.norm();
}

Mat3 turned(const Vec3& moments, const Quat& q) {
    const Mat3 r = q.toRotationMatrix();
    return r * moments.asDiagonal() * r.transpose();
}

}  // namespace

TEST_CASE("a box has the mass, centre and inertia of the formula") {
    const Vec3 size(0.3, 1.2, 0.7), centre(0.4, -0.1, 2.0);
    const TriMesh box = box_mesh(centre - 0.5 * size, centre + 0.5 * size);
    MassProperties expected = box_mass(size, 7850.0);
    expected.centre_b = centre;
    check_same(mass_of(box, {.density = 7850.0}).value(), expected, 1e-14);
    CHECK(test::near(volume(box.points, box.triangles), size.prod(), 1e-14));
    CHECK(test::near(expected.inertia_b(0, 0), 7850.0 * size.prod() / 12 * (1.2 * 1.2 + 0.7 * 0.7),
                     1e-14));
}

TEST_CASE("a corner tetrahedron has the inertia of the formula") {
    const TriMesh tet{{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()},
                      {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    const MassProperties m = mass_of(tet).value();
    CHECK(test::near(m.mass, 1.0 / 6.0, 1e-15));
    CHECK((m.centre_b - Vec3::Constant(0.25)).norm() < 1e-15);
    // About the origin: integral of y^2 + z^2 is 1/30, of x y 1/120; then moved to the centre.
    const double diagonal = 1.0 / 30.0 - 2.0 / 96.0, product = -(1.0 / 120.0 - 1.0 / 96.0);
    Mat3 expected = Mat3::Constant(product);
    expected.diagonal().setConstant(diagonal);
    CHECK(relative_error(m.inertia_b, expected) < 1e-14);
}

TEST_CASE("a sphere of triangles comes to the ball's formula as the square of their size") {
    const MassProperties ball = sphere_mass(0.5, 1000.0);
    double last = 1.0;
    for (int levels = 2; levels <= 5; ++levels) {
        const MassProperties m = mass_of(sphere_mesh(0.5, levels), {.density = 1000.0}).value();
        const double error = relative_error(m.inertia_b, ball.inertia_b);
        CHECK(error < 0.3 * last);
        CHECK(m.mass < ball.mass);
        last = error;
    }
    CHECK(last < 4e-3);
}

TEST_CASE("a hollow box is the outer box less the inner one") {
    const Vec3 outer(1.0, 2.0, 3.0), inner(0.8, 1.5, 2.9);
    const TriMesh hollow = together(box_mesh(-0.5 * outer, 0.5 * outer),
                                    inside_out(box_mesh(-0.5 * inner, 0.5 * inner)));
    const MassProperties a = box_mass(outer, 1.0), b = box_mass(inner, 1.0);
    check_same(mass_of(hollow).value(), {a.mass - b.mass, Vec3::Zero(), a.inertia_b - b.inertia_b},
               1e-13);
}

TEST_CASE("a prism over a polygon has its formula and comes to the cylinder's") {
    const double r = 0.3, h = 0.9;
    const int sides = 24;
    const MassProperties m = mass_of(prism_mesh(r, h, sides)).value();
    const double angle = 2 * std::numbers::pi / sides;
    const double mass = 0.5 * sides * r * r * std::sin(angle) * h;
    const double along = mass * r * r / 6.0 * (2.0 + std::cos(angle));
    const double across = 0.5 * along + mass * h * h / 12.0;
    CHECK(test::near(m.mass, mass, 1e-13));
    CHECK(relative_error(m.inertia_b, Vec3(across, along, across).asDiagonal()) < 1e-13);
    const MassProperties round = mass_of(prism_mesh(r, h, 2000)).value();
    CHECK(relative_error(round.inertia_b, cylinder_mass(r, h, 1.0).inertia_b) < 1e-5);
}

TEST_CASE("a sheet has the inertia of plates of its thickness") {
    const double t = 0.02, w = 1.5, d = 0.6;
    const TriMesh plate{{{0, 0, 0}, {w, 0, 0}, {w, 0, d}, {0, 0, d}}, {{0, 2, 1}, {0, 3, 2}}};
    MassProperties expected = box_mass(Vec3(w, t, d), 7850.0);
    expected.centre_b = Vec3(0.5 * w, 0, 0.5 * d);
    check_same(mass_of(plate, {.density = 7850.0, .thickness = t}).value(), expected, 1e-13);
}

TEST_CASE("a thin sheet is the limit of a solid with walls as thin") {
    const double t = 1e-4;
    const Vec3 size(0.6, 0.9, 0.4), half = 0.5 * size, step = Vec3::Constant(0.5 * t);
    const TriMesh walls = together(box_mesh(-half - step, half + step),
                                   inside_out(box_mesh(-half + step, half - step)));
    const MassProperties solid = mass_of(walls).value();
    const MassProperties sheet =
        mass_of(box_mesh(-half, half), {.density = 1.0, .thickness = t}).value();
    CHECK(test::near(sheet.mass, solid.mass, 1e-6));
    CHECK(relative_error(sheet.inertia_b, solid.inertia_b) < 1e-6);
}

TEST_CASE("mass properties move, turn and scale with the body") {
    Rng rng(3);
    const TriMesh blob =
        together(torus_mesh(1.0, 0.3, 20, 10),
                 placed(prism_mesh(0.4, 1.7, 7), {Quat::Identity(), Vec3(0.2, 0, 0)}));
    for (const double thickness : {0.0, 0.01}) {
        const MassProperties m = mass_of(blob, {.density = 3.0, .thickness = thickness}).value();
        for (int i = 0; i < 20; ++i) {
            const Transform pose{random_rotation(rng), random_vec(rng, 5.0)};
            const Mat3 r = pose.rotation.toRotationMatrix();
            check_same(
                mass_of(placed(blob, pose), {.density = 3.0, .thickness = thickness}).value(),
                {m.mass, pose.point(m.centre_b), r * m.inertia_b * r.transpose()}, 1e-13);
        }
        TriMesh large = blob;
        for (Vec3& p : large.points) p *= 10.0;
        check_same(mass_of(large, {.density = 3.0, .thickness = 10.0 * thickness}).value(),
                   {1e3 * m.mass, 10.0 * m.centre_b, 1e5 * m.inertia_b}, 1e-13);
    }
}

TEST_CASE("parts put together obey the parallel axis law") {
    const TriMesh a = box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 1)), b = prism_mesh(0.3, 0.5, 9);
    const Transform away{Quat(Eigen::AngleAxisd(0.4, Vec3::UnitX())), Vec3(3, 1, -2)};
    const MassProperties parts[] = {mass_of(a).value(), mass_of(placed(b, away)).value()};
    const MassProperties whole = mass_of(together(a, placed(b, away))).value();
    const double mass = parts[0].mass + parts[1].mass;
    const Vec3 centre =
        (parts[0].mass * parts[0].centre_b + parts[1].mass * parts[1].centre_b) / mass;
    Mat3 inertia = Mat3::Zero();
    for (const MassProperties& p : parts) {
        const Vec3 d = p.centre_b - centre;
        inertia += p.inertia_b + p.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    check_same(whole, {mass, centre, inertia}, 1e-13);
}

TEST_CASE("a body modelled far from the origin loses no more digits than its coordinates did") {
    const Vec3 size(0.5, 0.7, 0.9), far(1e4, -1e4, 1e4);
    MassProperties expected = box_mass(size, 7850.0);
    const MassProperties m =
        mass_of(box_mesh(far - 0.5 * size, far + 0.5 * size), {.density = 7850.0}).value();
    CHECK(test::near(m.mass, expected.mass, 1e-11));
    CHECK((m.centre_b - far).norm() < 1e-11);
    CHECK(relative_error(m.inertia_b, expected.inertia_b) < 1e-11);
}

TEST_CASE("what has no mass is refused and says why") {
    const TriMesh box = box_mesh(-Vec3::Ones(), Vec3::Ones());
    const auto what = [](const Result<MassProperties>& r) { return r.ok() ? "" : r.error().what; };
    const auto holds = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(holds(what(mass_of(inside_out(box))), "inside out"));
    TriMesh flat = box;
    for (Vec3& p : flat.points) p.y() = 0.3;
    CHECK(holds(what(mass_of(flat)), "no volume"));
    TriMesh line = box;
    for (Vec3& p : line.points) p = Vec3(p.x(), 0, 0);
    CHECK(holds(what(mass_of(line)), "no area"));
    CHECK(holds(what(mass_of(line, {.density = 1.0, .thickness = 0.1})), "no area"));
    CHECK(holds(what(mass_of({})), "no area"));
    TriMesh open = box;
    open.triangles.resize(10);
    CHECK(holds(what(mass_of(open)), "open"));
    CHECK(mass_of(open, {.density = 1.0, .thickness = 0.1}).ok());
    TriMesh wild = box;
    wild.triangles[3][1] = 8;
    CHECK(holds(what(mass_of(wild)), "does not exist"));
}

TEST_CASE("numbers that are not finite are refused with their place") {
    const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::infinity()};
    for (const double value : bad) {
        TriMesh box = box_mesh(-Vec3::Ones(), Vec3::Ones());
        CHECK_FALSE(mass_of(box, {.density = value}).ok());
        CHECK_FALSE(mass_of(box, {.density = 1.0, .thickness = value}).ok());
        box.points[5].z() = value;
        const auto r = mass_of(box);
        REQUIRE_FALSE(r.ok());
        CHECK(r.error().where == "point 5");
    }
    const TriMesh box = box_mesh(-Vec3::Ones(), Vec3::Ones());
    CHECK_FALSE(mass_of(box, {.density = 0.0}).ok());
    CHECK_FALSE(mass_of(box, {.density = 1.0, .thickness = -0.1}).ok());
    CHECK_FALSE(mass_of(box_mesh(Vec3::Constant(-1e200), Vec3::Constant(1e200))).ok());
}

TEST_CASE("an inertia that no body can have is refused") {
    CHECK(check_mass(box_mass(Vec3(1, 1e-5, 1), 1000.0)).ok());
    const auto with = [](const Vec3& moments) {
        return MassProperties{1.0, Vec3::Zero(), moments.asDiagonal().toDenseMatrix()};
    };
    CHECK(check_mass(with({1, 1, 2})).ok());
    CHECK_FALSE(check_mass(with({1, 1, 2.001})).ok());
    CHECK_FALSE(check_mass(with({1, 1, 0})).ok());
    CHECK_FALSE(check_mass(with({1, 1, -0.1})).ok());
    CHECK_FALSE(check_mass(with({0, 0, 0})).ok());
    MassProperties lopsided = with({1, 1, 1});
    lopsided.inertia_b(0, 1) = 0.1;
    CHECK_FALSE(check_mass(lopsided).ok());
    MassProperties weightless = with({1, 1, 1});
    weightless.mass = 0.0;
    CHECK_FALSE(check_mass(weightless).ok());
    MassProperties nowhere = with({1, 1, 1});
    nowhere.centre_b.x() = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(check_mass(nowhere).ok());
}

TEST_CASE("principal axes diagonalise any inertia and are right-handed") {
    Rng rng(11);
    for (int i = 0; i < 500; ++i) {
        const Vec3 moments{rng.uniform(1, 2), rng.uniform(1, 2), rng.uniform(1, 2)};
        const Mat3 inertia = 1e-3 * turned(moments, random_rotation(rng));
        const PrincipalFrame f = principal_axes(inertia, random_rotation(rng));
        CHECK(residual(inertia, f) < 1e-12);
        CHECK(test::near(f.rotation.norm(), 1.0, 1e-14));
    }
}

TEST_CASE("of all principal frames the one nearest the wanted rotation is taken") {
    Rng rng(12);
    for (int i = 0; i < 300; ++i) {
        const Vec3 moments(1.0, 1.5, 1.8);
        const Quat axes = random_rotation(rng), wanted = random_rotation(rng);
        const PrincipalFrame f = principal_axes(turned(moments, axes), wanted);
        // Brute force over the group of the cube: every product of quarter turns.
        double least = 10.0;
        for (int n = 0; n < 64; ++n) {
            const double quarter = 0.5 * std::numbers::pi;
            const Quat q = Quat(Eigen::AngleAxisd(quarter * (n & 3), Vec3::UnitX())) *
                           Quat(Eigen::AngleAxisd(quarter * (n >> 2 & 3), Vec3::UnitY())) *
                           Quat(Eigen::AngleAxisd(quarter * (n >> 4), Vec3::UnitZ()));
            least = std::min(least, wanted.angularDistance(axes * q));
        }
        CHECK(test::near(wanted.angularDistance(f.rotation), least, 1e-9));
    }
}

TEST_CASE("a barrel's axes do not spin under noise, nor for a thousand steps of it") {
    Rng rng(13);
    const Quat start = random_rotation(rng);
    const Mat3 barrel = turned(Vec3(3.0, 1.0, 3.0), start);
    Quat frame = start;
    for (int i = 0; i < 1000; ++i) {
        Mat3 noise;
        for (int k = 0; k < 9; ++k) noise(k) = rng.uniform(-1e-12, 1e-12);
        const Mat3 noisy = barrel + noise + noise.transpose();
        frame = principal_axes(noisy, frame).rotation;
    }
    CHECK(frame.coeffs() == start.coeffs());
}

TEST_CASE("a barrel that tips takes its axis along and turns about it as little as it can") {
    Rng rng(14);
    for (int i = 0; i < 200; ++i) {
        const Quat start = random_rotation(rng);
        const Vec3 across = (start * Vec3(std::cos(i), 0, std::sin(i)));
        const double angle = rng.uniform(1e-3, 0.7);
        const Quat tipped = Quat(Eigen::AngleAxisd(angle, across)) * start;
        // The same barrel, its moments listed in any order and its frame spun at will.
        const Quat spun = tipped * Quat(Eigen::AngleAxisd(rng.uniform(-3, 3), Vec3::UnitY()));
        const Mat3 inertia = turned(Vec3(3.0, 1.0, 3.0), spun);
        const PrincipalFrame f = principal_axes(inertia, start);
        CHECK(residual(inertia, f) < 1e-12);
        CHECK(f.rotation.angularDistance(tipped) < 1e-7);
    }
}

TEST_CASE("a ball's axes are those that were wanted") {
    Rng rng(15);
    const Quat wanted = random_rotation(rng);
    const PrincipalFrame f = principal_axes(sphere_mass(0.3, 7850.0).inertia_b, wanted);
    CHECK(f.rotation.coeffs() == wanted.coeffs());
    CHECK((f.moments / f.moments[0] - Vec3::Ones()).norm() < 1e-14);
}

TEST_CASE("moments that are nearly alike are still told apart beyond a billionth") {
    Rng rng(16);
    for (const double gap : {1e-3, 1e-6, 1e-8, 3e-9, 1e-9, 1e-10, 0.0}) {
        for (int i = 0; i < 50; ++i) {
            const Mat3 inertia = turned(Vec3(2.0, 2.0 * (1.0 + gap), 3.0), random_rotation(rng));
            const PrincipalFrame f = principal_axes(inertia, random_rotation(rng));
            CHECK(residual(inertia, f) < (gap > 2e-9 ? 1e-12 : 2e-9));
        }
    }
}

TEST_CASE("a body that is part solid, part sheet is the sum of both") {
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 1));
    const TriMesh plate{{{3, 0, 0}, {4, 0, 0}, {4, 0, 2}, {3, 0, 2}}, {{0, 2, 1}, {0, 3, 2}}};
    const TriMesh both = together(box, plate);
    std::vector<std::uint8_t> is_sheet(both.triangles.size(), 0);
    is_sheet[12] = is_sheet[13] = 1;
    const MassModel model{.density = 10.0, .thickness = 0.1};
    const Result<MassProperties> mixed =
        mass_properties(both.points, both.triangles, model, is_sheet);
    REQUIRE(mixed.ok());
    const MassProperties parts[] = {mass_of(box, {.density = 10.0}).value(),
                                    mass_of(plate, model).value()};
    const double mass = parts[0].mass + parts[1].mass;
    const Vec3 centre =
        (parts[0].mass * parts[0].centre_b + parts[1].mass * parts[1].centre_b) / mass;
    Mat3 inertia = Mat3::Zero();
    for (const MassProperties& p : parts) {
        const Vec3 d = p.centre_b - centre;
        inertia += p.inertia_b + p.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    check_same(mixed.value(), {mass, centre, inertia}, 1e-13);
}

TEST_CASE(
    "a mask that names all or nothing is as good as none, and one of open solids is refused") {
    const TriMesh box = box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 1));
    const std::vector<std::uint8_t> none(12, 0), all(12, 1);
    const MassModel sheet{.density = 10.0, .thickness = 0.1};
    const auto masked = [&](const MassModel& model, const std::vector<std::uint8_t>& mask) {
        return mass_properties(box.points, box.triangles, model, mask);
    };
    check_same(masked(sheet, none).value(), mass_of(box, {.density = 10.0}).value(), 1e-15);
    check_same(masked(sheet, all).value(), mass_of(box, sheet).value(), 1e-15);
    CHECK(!masked({.density = 10.0}, all).ok());
    std::vector<std::uint8_t> half = none;
    half[0] = half[1] = 1;
    CHECK(masked(sheet, half).error().what.find("open") != std::string::npos);
}

TEST_CASE("mass sums updated in places are those made anew, bit for bit") {
    Rng rng(8);
    const TriMesh rest = sphere_mesh(0.5, 5);
    const VertexFaces around = vertex_faces(rest.points.size(), rest.triangles);
    std::vector<std::uint8_t> some_sheet(rest.triangles.size());
    for (std::uint8_t& sheet : some_sheet) sheet = rng.uniform() < 0.5 ? 1 : 0;
    const auto same = [](const Result<MassProperties>& a, const Result<MassProperties>& b) {
        REQUIRE(a.ok() == b.ok());
        if (!a.ok()) return a.error().text() == b.error().text();
        return a.value().mass == b.value().mass && a.value().centre_b == b.value().centre_b &&
               a.value().inertia_b == b.value().inertia_b;
    };
    for (const int kind : {0, 1, 2}) {
        const double thickness = kind == 0 ? 0.0 : 0.01;
        const std::span<const std::uint8_t> mask =
            kind == 2 ? std::span<const std::uint8_t>(some_sheet) : std::span<const std::uint8_t>();
        std::vector<Vec3> points = rest.points;
        const Box about = bounds(points);
        MassSums sums(points, rest.triangles, thickness, mask, about);
        CHECK(same(sums.properties(3.0),
                   mass_properties(points, rest.triangles, {3.0, thickness}, mask)));
        for (int round = 0; round < 20; ++round) {
            std::vector<std::int32_t> touched;
            for (int i = 0; i < 1 + 10 * (round % 3); ++i) {
                const auto v =
                    static_cast<std::size_t>(rng.uniform() * static_cast<double>(points.size()));
                points[v] *= rng.uniform(0.9, 1.1);
                for (const std::int32_t f : around[v]) touched.push_back(f);
            }
            const Result<MassProperties> before = sums.properties(3.0);
            sums.update(points, touched);
            CHECK(same(sums.properties(3.0),
                       MassSums(points, rest.triangles, thickness, mask, about).properties(3.0)));
            if (kind < 2) CHECK_FALSE(same(sums.properties(3.0), before));
        }
        // A spoilt point spoils the sums only as long as it is there.
        const Vec3 good = points[7];
        points[7] = Vec3(kInfinity, 0, 0);
        sums.update(points, around[7]);
        CHECK_FALSE(sums.properties(3.0).ok());
        points[7] = good;
        sums.update(points, around[7]);
        CHECK(same(sums.properties(3.0),
                   MassSums(points, rest.triangles, thickness, mask, about).properties(3.0)));
    }
}
