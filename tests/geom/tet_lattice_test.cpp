// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/geom/tet_lattice.h>
#include <ductile/geom/triangle.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

TetLattice lattice_of(const TriMesh& mesh, double cell) {
    return TetLattice::make(SurfaceQuery(mesh.points, mesh.triangles), cell).value();
}

double tet_volume(const TetLattice& lattice, const Tet& t) {
    const auto p = lattice.points();
    return (p[t[1]] - p[t[0]]).dot((p[t[2]] - p[t[0]]).cross(p[t[3]] - p[t[0]])) / 6.0;
}

Vec3 position(const TetLattice& lattice, const LatticePlace& place) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
        sum += place.shares[k] * lattice.points()[lattice.tets()[place.tet][k]];
    }
    return sum;
}

TriMesh wavy_sheet() {
    return grid_mesh(30, 30, false, false, [](int i, int j) {
        return Vec3(0.1 * i, 0.2 * std::sin(0.3 * i) * std::cos(0.2 * j), 0.1 * j);
    });
}

}  // namespace

TEST_CASE("all tetrahedra of a lattice have the form that their corners' order promises") {
    const TetLattice lattice = lattice_of(sphere_mesh(1.0, 3), 0.31);
    const auto p = lattice.points();
    for (const Tet& t : lattice.tets()) {
        CHECK(test::near(tet_volume(lattice, t), std::pow(0.31, 3) / 12, 1e-9));
        for (int i = 0; i < 4; ++i) {
            for (int k = i + 1; k < 4; ++k) {
                const bool is_long = (i < 2) == (k < 2);
                CHECK(test::near((p[t[i]] - p[t[k]]).norm(),
                                 0.31 * (is_long ? 1.0 : std::sqrt(0.75)), 1e-9));
            }
        }
    }
}

TEST_CASE("every point finds the tetrahedron that it is in") {
    const TetLattice lattice = lattice_of(torus_mesh(1.0, 0.3, 40, 20), 0.17);
    for (std::size_t i = 0; i < lattice.tets().size(); ++i) {
        Vec3 middle = Vec3::Zero();
        for (const std::int32_t v : lattice.tets()[i]) middle += 0.25 * lattice.points()[v];
        CHECK(lattice.find(middle).tet == static_cast<std::int32_t>(i));
    }
    Rng rng(3);
    int inside = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 p = random_vec(rng, 1.5);
        const LatticePlace place = lattice.find(p);
        CHECK(place.shares.minCoeff() >= 0.0);
        CHECK(test::near(place.shares.sum(), 1.0, 1e-14));
        CHECK(test::within((position(lattice, place) - p).norm(), place.distance, 1e-9));
        inside += place.distance == 0.0;
    }
    CHECK(inside > 1000);
}

TEST_CASE("a point outside finds the nearest place of the lattice") {
    const TetLattice lattice = lattice_of(box_mesh(-Vec3::Ones(), Vec3::Ones()), 0.7);
    Rng rng(5);
    for (int i = 0; i < 200; ++i) {
        const Vec3 p = random_vec(rng, i < 100 ? 4.0 : 1e9);
        const LatticePlace place = lattice.find(p);
        double nearest_sq = kInfinity;
        for (const Triangle& t : lattice.boundary()) {
            const Corners corners = {lattice.points()[t[0]], lattice.points()[t[1]],
                                     lattice.points()[t[2]]};
            nearest_sq = std::min(nearest_sq, closest_on_triangle(p, corners).distance_sq);
        }
        if (place.distance > 0.0) {
            CHECK(test::near(place.distance, std::sqrt(nearest_sq), 1e-9));
        }
    }
}

TEST_CASE("a lattice covers its surface, and its boundary bounds all of it") {
    Rng rng(9);
    const TriMesh meshes[] = {sphere_mesh(1.0, 3), box_mesh(Vec3(-1, -2, -3), Vec3(1, 2, 3)),
                              wavy_sheet(), soup_mesh(rng, 300, 0.2),
                              inside_out(sphere_mesh(1.0, 3))};
    for (const TriMesh& mesh : meshes) {
        for (const double cell : {0.11, 0.3, 1.7}) {
            const TetLattice lattice = lattice_of(mesh, cell);
            for (const Vec3& p : mesh.points) CHECK(lattice.find(p).distance == 0.0);
            // Places within triangles may be off by what no tetrahedron with a near corner covers.
            for (const Triangle& t : mesh.triangles) {
                const Vec3 middle =
                    (mesh.points[t[0]] + mesh.points[t[1]] + mesh.points[t[2]]) / 3.0;
                CHECK(lattice.find(middle).distance < 0.1 * cell);
            }
            double volume = 0.0, bounded = 0.0;
            for (const Tet& t : lattice.tets()) volume += tet_volume(lattice, t);
            for (const Triangle& t : lattice.boundary()) {
                const auto p = lattice.points();
                bounded += p[t[0]].dot(p[t[1]].cross(p[t[2]])) / 6.0;
            }
            CHECK(test::near(bounded, volume, 1e-9));
        }
    }
}

TEST_CASE("inside is by winding number, inside out or not") {
    for (const bool turned : {false, true}) {
        const TriMesh ball = turned ? inside_out(sphere_mesh(1.0, 3)) : sphere_mesh(1.0, 3);
        const TetLattice lattice = lattice_of(ball, 0.2);
        Rng rng(1);
        for (int i = 0; i < 500; ++i) {
            const Vec3 p = random_vec(rng, 0.55);
            CHECK(lattice.find(p).distance == 0.0);
        }
        CHECK(lattice.find(Vec3(1.5, 0, 0)).distance > 0.1);
    }
}

TEST_CASE("sheets and loose parts nearer than half a cell make one lattice") {
    CHECK(lattice_of(wavy_sheet(), 0.25).components().count == 1);
    TriMesh crate;
    for (int i = 0; i < 4000; ++i) {
        const Vec3 at = 0.1 * Vec3(i % 20, i / 20 % 20, i / 400);
        crate = i == 0 ? box_mesh(at, at + Vec3::Constant(0.06))
                       : together(std::move(crate), box_mesh(at, at + Vec3::Constant(0.06)));
    }
    CHECK(lattice_of(crate, 0.15).components().count == 1);
    const TriMesh apart = together(sphere_mesh(0.5, 2),
                                   placed(sphere_mesh(0.5, 2), {Quat::Identity(), Vec3(3, 0, 0)}));
    CHECK(lattice_of(apart, 0.2).components().count == 2);
}

TEST_CASE("a mirrored surface gets the mirrored lattice") {
    const TriMesh barrel = make_solid({.kind = SolidKind::Barrel}).value().surface;
    TriMesh mirrored = inside_out(barrel);
    for (Vec3& p : mirrored.points) p.x() = -p.x();
    for (const double cell : {0.05, 0.0833, 0.1}) {
        const TetLattice one = lattice_of(barrel, cell), other = lattice_of(mirrored, cell);
        REQUIRE(one.points().size() == other.points().size());
        REQUIRE(one.tets().size() == other.tets().size());
        std::set<std::array<std::int32_t, 3>> places;
        for (std::size_t i = 0; i < one.points().size(); ++i) {
            auto place = one.grid_place(static_cast<std::int32_t>(i));
            place[0] = -place[0];
            places.insert(place);
        }
        for (std::size_t i = 0; i < other.points().size(); ++i) {
            CHECK(places.contains(other.grid_place(static_cast<std::int32_t>(i))));
        }
    }
}

TEST_CASE("a lattice has the same bits with one thread and with four") {
    const TriMesh mesh = torus_mesh(1.0, 0.3, 40, 20);
    const auto made = [&](int threads) {
        const ThreadLimit limit(threads);
        return lattice_of(mesh, 0.12);
    };
    const TetLattice one = made(1), four = made(4);
    CHECK(std::equal(one.points().begin(), one.points().end(), four.points().begin(),
                     four.points().end()));
    CHECK(std::equal(one.tets().begin(), one.tets().end(), four.tets().begin(), four.tets().end()));
}

TEST_CASE("the nearest node is the nearest of all") {
    const TetLattice lattice = lattice_of(sphere_mesh(1.0, 2), 0.4);
    for (std::size_t i = 0; i < lattice.points().size(); ++i) {
        CHECK(lattice.nearest_node(lattice.points()[i]) == static_cast<std::int32_t>(i));
    }
    for (const std::int32_t n : lattice.boundary_nodes()) {
        CHECK(lattice.graph()[n].size() < 14);
    }
}

TEST_CASE("a cell for so many nodes gives about so many") {
    const TriMesh meshes[] = {sphere_mesh(1.0, 3), wavy_sheet(), torus_mesh(5.0, 0.2, 60, 10)};
    for (const TriMesh& mesh : meshes) {
        const SurfaceQuery query(mesh.points, mesh.triangles);
        for (const std::size_t nodes : {300, 4700}) {
            const auto cell = lattice_cell(query, nodes);
            REQUIRE(cell.ok());
            const auto count =
                static_cast<double>(TetLattice::make(query, cell.value()).value().points().size());
            CHECK(count > 0.9 * static_cast<double>(nodes));
            CHECK(count < 1.1 * static_cast<double>(nodes));
        }
    }
}

TEST_CASE("a lattice that cannot be is refused with a message") {
    const TriMesh box = box_mesh(-Vec3::Ones(), Vec3::Ones());
    const SurfaceQuery query(box.points, box.triangles);
    for (const double cell : {0.0, -1.0, 1e-5, 1e300 * 1e300, std::nan("")}) {
        const auto lattice = TetLattice::make(query, cell);
        REQUIRE(!lattice.ok());
        CHECK(lattice.error().what.find("lattice") != std::string::npos);
    }
    CHECK(!TetLattice::make(SurfaceQuery(box.points, {}), 0.1).ok());
    const std::vector<Vec3> point(3, Vec3::Ones());
    const std::vector<Triangle> one = {{0, 1, 2}};
    CHECK(!TetLattice::make(SurfaceQuery(point, one), 0.1).ok());
    CHECK(!lattice_cell(SurfaceQuery(point, one), 100).ok());
}
