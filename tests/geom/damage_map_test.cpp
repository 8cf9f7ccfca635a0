// SPDX-License-Identifier: MIT
#include <ductile/geom/damage_map.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <functional>

using namespace ductile;
using namespace ductile::test;

namespace {

using Move = std::function<Vec3(const Vec3&)>;

std::vector<Vec3> moved(const TriMesh& mesh, const Move& move) {
    std::vector<Vec3> points;
    for (const Vec3& p : mesh.points) points.push_back(move(p));
    return points;
}

DamageMap map_of(const TriMesh& mesh, const Move& move) {
    return damage_map(mesh.points, moved(mesh, move), mesh.triangles);
}

/// A flat square of 2 m in the plane y = 0, facing up.
TriMesh plate(int cells) {
    return grid_mesh(cells, cells, false, false, [&](int i, int j) {
        return Vec3(-1 + 2.0 * j / cells, 0, -1 + 2.0 * i / cells);
    });
}

double worst_strain_off(const DamageMap& map, double expected) {
    double worst = 0.0;
    for (const double strain : map.strain) raise_to(worst, std::abs(strain - expected));
    return worst;
}

/// A smooth dent about the origin, with an end.
Vec3 pushed(const Vec3& p, double depth, double radius) {
    const double q = (p.x() * p.x() + p.z() * p.z()) / (radius * radius);
    return q < 1.0 ? Vec3(p - depth * (1 - q) * (1 - q) * Vec3::UnitY()) : p;
}

/// The strain of that dent at a place, by its slope: only along the radius it stretches.
double pushed_strain(const Vec3& p, double depth, double radius) {
    const double q = (p.x() * p.x() + p.z() * p.z()) / (radius * radius);
    if (q >= 1.0) return 0.0;
    const double slope = depth * 4.0 * (1 - q) * std::sqrt(q) / radius;
    return std::sqrt(1.0 + slope * slope) - 1.0;
}

}  // namespace

TEST_CASE("an untouched surface has no damage, to the bit") {
    Rng rng(3);
    for (const TriMesh& mesh : {sphere_mesh(0.7, 3), soup_mesh(rng, 200, 0.3)}) {
        const DamageMap map = damage_map(mesh.points, mesh.points, mesh.triangles);
        for (std::size_t i = 0; i < mesh.points.size(); ++i) {
            CHECK(map.depth[i] == 0.0);
            CHECK(map.strain[i] == 0.0);
            CHECK(map.scratch[i] == Vec3::Zero());
        }
    }
}

TEST_CASE("a rigid motion strains nothing, a uniform stretch by s strains by |s - 1|") {
    Rng rng(11);
    for (const TriMesh& mesh : {sphere_mesh(0.7, 3), torus_mesh(1.0, 0.3, 24, 12), plate(7)}) {
        for (int round = 0; round < 5; ++round) {
            const Transform pose{random_rotation(rng), random_vec(rng, 3.0)};
            CHECK(worst_strain_off(map_of(mesh, [&](const Vec3& p) { return pose.point(p); }), 0) <
                  1e-13);
            for (const double s : {0.0, 0.2, 0.9, 1.0 + 1e-9, 1.3, 4.0}) {
                CAPTURE(s);
                const DamageMap map =
                    map_of(mesh, [&](const Vec3& p) { return Vec3(s * pose.point(p)); });
                CHECK(worst_strain_off(map, std::abs(s - 1.0)) < 1e-13 * std::max(1.0, s * s));
            }
        }
    }
}

TEST_CASE("of two stretches in one plane the one further from 1 counts, whatever its direction") {
    Rng rng(5);
    for (int round = 0; round < 50; ++round) {
        const double one = rng.uniform(0.3, 2.0), other = rng.uniform(0.3, 2.0);
        const Quat turn(Eigen::AngleAxisd(rng.uniform(0, 6), Vec3::UnitY()));
        const Move stretch = [&](const Vec3& p) {
            return Vec3(turn.conjugate() * (turn * p).cwiseProduct(Vec3(one, 1, other)));
        };
        const double expected = std::max(std::abs(one - 1), std::abs(other - 1));
        CHECK(worst_strain_off(map_of(plate(5), stretch), expected) < 1e-12);
    }
}

TEST_CASE("the strain of a face does not depend on which corner comes first") {
    Rng rng(8);
    for (int round = 0; round < 200; ++round) {
        std::vector<Vec3> rest, now;
        for (int k = 0; k < 3; ++k) {
            rest.push_back(random_vec(rng));
            now.push_back(random_vec(rng));
        }
        const double strain = face_strain(rest, now, {0, 1, 2}).value();
        for (const Triangle& t : {Triangle{1, 2, 0}, Triangle{2, 0, 1}, Triangle{0, 2, 1}}) {
            CHECK(test::near(face_strain(rest, now, t).value(), strain, 1e-6));
        }
    }
}

TEST_CASE("a push straight in is depth and no scratch, a slide is scratch and no depth") {
    const TriMesh mesh = plate(6);
    const Vec3 slide(0.02, 0, -0.01);
    const DamageMap in = map_of(mesh, [](const Vec3& p) { return pushed(p, 0.05, 0.8); });
    const DamageMap along = map_of(mesh, [&](const Vec3& p) { return Vec3(p + slide); });
    double deepest = 0.0;
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        const Vec3& p = mesh.points[i];
        CHECK(test::within(in.depth[i], p.y() - pushed(p, 0.05, 0.8).y(), 1e-12 * 0.05));
        CHECK(in.scratch[i].norm() < 1e-17);
        CHECK(along.depth[i] == 0.0);
        CHECK((along.scratch[i] - slide).norm() < 1e-16);
        deepest = std::max(deepest, in.depth[i]);
    }
    CHECK(test::near(deepest, 0.05));
    const DamageMap out = map_of(mesh, [](const Vec3& p) { return pushed(p, -0.05, 0.8); });
    CHECK(test::near(*std::min_element(out.depth.begin(), out.depth.end()), -0.05));
}

TEST_CASE("rest, depth along the normal and scratch give every vertex back") {
    Rng rng(21);
    const TriMesh mesh = sphere_mesh(0.5, 3);
    const std::vector<Vec3> now =
        moved(mesh, [&](const Vec3& p) { return Vec3(p + random_vec(rng, 0.1)); });
    const DamageMap map = damage_map(mesh.points, now, mesh.triangles);
    const std::vector<Vec3> normals = vertex_normals(mesh.points, mesh.triangles);
    for (std::size_t i = 0; i < now.size(); ++i) {
        CHECK((mesh.points[i] - map.depth[i] * normals[i] + map.scratch[i] - now[i]).norm() <
              1e-15);
        CHECK(std::abs(map.scratch[i].dot(normals[i])) < 1e-16);
        CHECK(map.strain[i] >= 0.0);
    }
}

TEST_CASE("a mirrored dent has the mirrored map") {
    const auto mirror = [](const Vec3& p) { return Vec3(-p.x(), p.y(), p.z()); };
    const TriMesh mesh = sphere_mesh(0.5, 3);
    const Vec3 place(0.3, 0.4, 0.0), drag(0.03, -0.05, 0.02);
    const Move hit = [&](const Vec3& p) {
        return Vec3(p + std::exp(-(p - place).squaredNorm() / 0.04) * drag);
    };
    TriMesh mirrored = inside_out(mesh);
    for (Vec3& p : mirrored.points) p = mirror(p);
    const DamageMap map = map_of(mesh, hit);
    const DamageMap other = map_of(mirrored, [&](const Vec3& p) { return mirror(hit(mirror(p))); });
    for (std::size_t i = 0; i < map.depth.size(); ++i) {
        CHECK(test::within(other.depth[i], map.depth[i], 1e-12 * drag.norm()));
        CHECK(test::within(other.strain[i], map.strain[i], 1e-12));
        CHECK((other.scratch[i] - mirror(map.scratch[i])).norm() < 1e-15);
    }
}

TEST_CASE("on finer surfaces the strain of a smooth dent comes to its slope's") {
    double last = 1e300;
    for (const int cells : {16, 32, 64, 128}) {
        const TriMesh mesh = plate(cells);
        const DamageMap map = map_of(mesh, [](const Vec3& p) { return pushed(p, 0.3, 0.8); });
        double worst = 0.0;
        for (std::size_t i = 0; i < mesh.points.size(); ++i) {
            raise_to(worst, std::abs(map.strain[i] - pushed_strain(mesh.points[i], 0.3, 0.8)));
        }
        CAPTURE(cells);
        CHECK(worst < 0.75 * last);
        last = worst;
    }
    CHECK(last < 0.01);  // of a strain of 0.14 where it is largest
}

TEST_CASE("a face without area says nothing, nor does a point that no face uses") {
    // A needle and a face that names a point twice beside a good one; point 4 is nobody's.
    TriMesh mesh;
    mesh.points = {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0.5, 0, 0.5 + 1e-12),
                   Vec3(3, 3, 3)};
    mesh.triangles = {{0, 1, 2}, {1, 2, 3}, {0, 0, 1}};
    const std::vector<Vec3> now = {Vec3(0, 0, 0), Vec3(0, 0, 1.2), Vec3(1, 0, 0),
                                   Vec3(0.5, -0.3, 0.5), Vec3(3, 2.5, 3)};
    CHECK_FALSE(face_strain(mesh.points, now, mesh.triangles[1]));
    CHECK_FALSE(face_strain(mesh.points, now, mesh.triangles[2]));
    const DamageMap map = damage_map(mesh.points, now, mesh.triangles);
    for (const int v : {0, 1, 2}) CHECK(test::near(map.strain[v], 0.2));
    CHECK(map.strain[3] == 0.0);
    CHECK(map.strain[4] == 0.0);
    CHECK(test::near(map.depth[4], 0.5));  // its normal is taken to be up
}
