// SPDX-License-Identifier: MIT
#include <ductile/skin/place_handles.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <map>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

TetLattice lattice_around(const TriMesh& mesh, double cell) {
    return TetLattice::make(SurfaceQuery(mesh.points, mesh.triangles), cell).value();
}

Handle point_handle(const char* name, const Vec3& place) {
    return {name, HandleKind::Point, place, Vec3::Zero()};
}
Handle bone_handle(const char* name, const Vec3& from, const Vec3& to) {
    return {name, HandleKind::Bone, from, to};
}
Handle cage_corner(const char* name, const Vec3& place) {
    return {name, HandleKind::Cage, place, Vec3::Zero()};
}

double closest_pair(std::span<const Handle> handles) {
    double closest = kInfinity;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            closest = std::min(closest, (handles[i].place - handles[k].place).norm());
        }
    }
    return closest;
}

}  // namespace

TEST_CASE("automatic handles sit on the boundary's nodes, apart from each other") {
    const TetLattice lattice = lattice_around(sphere_mesh(1.0, 3), 0.15);
    const auto handles = add_automatic_handles(lattice, {}, 32).value();
    REQUIRE(handles.size() == 32);
    const auto boundary = lattice.boundary_nodes();
    std::set<std::string> names;
    for (const Handle& h : handles) {
        const std::int32_t node = lattice.nearest_node(h.place);
        CHECK(lattice.points()[node] == h.place);
        CHECK(std::binary_search(boundary.begin(), boundary.end(), node));
        names.insert(h.name);
    }
    CHECK(names.size() == 32);
    // 32 caps that share a sphere evenly are about 0.68 wide; thinning comes to half of that.
    CHECK(closest_pair(handles) > 0.4);
    // No side is left bare.
    for (const Vec3& p : sphere_mesh(1.0, 2).points) {
        double nearest = kInfinity;
        for (const Handle& h : handles) nearest = std::min(nearest, (h.place - p).norm());
        CHECK(nearest < 0.75);
    }
}

TEST_CASE("fewer automatic handles are some of more, and the same every time") {
    const TetLattice lattice = lattice_around(torus_mesh(1.0, 0.3, 40, 20), 0.15);
    const auto many = add_automatic_handles(lattice, {}, 20).value();
    const auto few = add_automatic_handles(lattice, {}, 7).value();
    for (const Handle& h : few) {
        CHECK(std::any_of(many.begin(), many.end(),
                          [&](const Handle& other) { return other.place == h.place; }));
    }
}

TEST_CASE("handles placed by hand stay, and automatic ones keep away from them") {
    const TetLattice lattice = lattice_around(sphere_mesh(1.0, 3), 0.15);
    const std::vector<Handle> given = {point_handle("auto1", Vec3(0.9, 0, 0)),
                                       bone_handle("b", Vec3(0, -0.5, 0), Vec3(0, 0.5, 0))};
    const auto handles = add_automatic_handles(lattice, given, 12).value();
    REQUIRE(handles.size() == 12);
    CHECK(handles[0].place == given[0].place);
    CHECK(handles[1].kind == HandleKind::Bone);
    CHECK(handles[2].name == "auto2");
    for (std::size_t i = 2; i < 12; ++i) CHECK((handles[i].place - given[0].place).norm() > 0.5);
    CHECK(add_automatic_handles(lattice, given, 1).value().size() == 2);
    const auto too_many = add_automatic_handles(lattice, given, 100000);
    REQUIRE(!too_many.ok());
    CHECK(too_many.error().what.find("100000 handles") != std::string::npos);
}

TEST_CASE("of two nodes as close the one nearer to the box stays") {
    // On a box all boundary nodes are on its lattice's sides or half a cell below.
    const TetLattice lattice = lattice_around(box_mesh(-Vec3::Ones(), Vec3::Ones()), 0.25);
    std::array<std::int32_t, 3> half = {0, 0, 0};
    for (const std::int32_t n : lattice.boundary_nodes()) {
        for (int a = 0; a < 3; ++a) half[a] = std::max(half[a], lattice.grid_place(n)[a]);
    }
    const auto handles = add_automatic_handles(lattice, {}, 40).value();
    int outer = 0;
    for (const Handle& h : handles) {
        const auto& place = lattice.grid_place(lattice.nearest_node(h.place));
        outer += std::abs(place[0]) == half[0] || std::abs(place[1]) == half[1] ||
                 std::abs(place[2]) == half[2];
    }
    // Of those below a few stay: the ones around them had gone before.
    CHECK(outer >= 32);
}

TEST_CASE("a point holds its nearest node, and two on one node are an error with both names") {
    const TetLattice lattice = lattice_around(sphere_mesh(1.0, 3), 0.2);
    const Vec3 place(0.31, 0.22, -0.13);
    const auto held = held_nodes(lattice, std::vector{point_handle("left", place)}).value();
    REQUIRE(held.size() == 1);
    CHECK(held[0].node == lattice.nearest_node(place));
    CHECK(held[0].weights.size() == 1);
    CHECK(held[0].weights[0].second == 1.0);
    const auto both = held_nodes(
        lattice,
        std::vector{point_handle("left", place), point_handle("right", place + Vec3(1e-3, 0, 0))});
    REQUIRE(!both.ok());
    CHECK(both.error().what.find("'left' and 'right'") != std::string::npos);
    CHECK(!held_nodes(lattice, std::vector{point_handle("left", place),
                                           bone_handle("b", place, place + Vec3(0.5, 0, 0))})
               .ok());
}

TEST_CASE("a bone holds the nodes along it, and shares the one where it meets another") {
    const TetLattice lattice =
        lattice_around(box_mesh(Vec3(-2, -0.3, -0.3), Vec3(2, 0.3, 0.3)), 0.2);
    const auto held =
        held_nodes(lattice, std::vector{bone_handle("left", Vec3(-2, 0, 0), Vec3(0, 0, 0)),
                                        bone_handle("right", Vec3(0, 0, 0), Vec3(2, 0, 0))})
            .value();
    std::map<int, int> counts;
    for (const HeldNode& h : held) {
        const Vec3& p = lattice.points()[h.node];
        CHECK(std::hypot(p.y(), p.z()) < 0.2);
        double sum = 0.0;
        for (const auto& [handle, weight] : h.weights) sum += weight;
        CHECK(sum == 1.0);
        ++counts[h.weights.size() == 2 ? 2 : h.weights[0].first];
        if (h.weights.size() == 2) CHECK(std::abs(p.x()) < 0.2);
    }
    CHECK(counts[0] >= 9);
    CHECK(counts[1] == counts[0]);
    CHECK(counts[2] >= 1);
    const auto crossing =
        held_nodes(lattice, std::vector{bone_handle("along", Vec3(-2, 0, 0), Vec3(2, 0, 0)),
                                        bone_handle("across", Vec3(0, -0.3, 0), Vec3(0, 0.3, 0))});
    CHECK(!crossing.ok());
}

TEST_CASE("along a cage's face weights go from corner to corner in a straight line") {
    const TetLattice lattice = lattice_around(box_mesh(Vec3(-1, -1, -0.2), Vec3(1, 1, 0.2)), 0.1);
    const std::vector<Handle> corners = {cage_corner("a", Vec3(-0.8, -0.8, 0)),
                                         cage_corner("b", Vec3(0.8, -0.8, 0)),
                                         cage_corner("c", Vec3(0, 0.8, 0))};
    const auto segment = held_nodes(lattice, corners, std::vector<Triangle>{{0, 1, 1}}).value();
    CHECK(segment.size() > 15);
    for (const HeldNode& h : segment) {
        const Vec3& p = lattice.points()[h.node];
        for (const auto& [handle, weight] : h.weights) {
            if (handle == 2) continue;
            const double expected = handle == 0 ? (0.8 - p.x()) / 1.6 : (p.x() + 0.8) / 1.6;
            CHECK(test::within(weight, std::clamp(expected, 0.0, 1.0), 1e-9));
        }
    }
    const auto face = held_nodes(lattice, corners, std::vector<Triangle>{{0, 1, 2}}).value();
    CHECK(face.size() > 100);
    for (const HeldNode& h : face) {
        Vec3 at = Vec3::Zero();
        double sum = 0.0;
        for (const auto& [handle, weight] : h.weights) {
            at += weight * corners[handle].place;
            sum += weight;
        }
        CHECK(test::near(sum, 1.0, 1e-12));
        CHECK((at - lattice.points()[h.node]).norm() < 0.1);
    }
    // A corner outside holds its nearest node; what is off the lattice holds nothing.
    std::vector<Handle> wide = corners;
    wide[0].place = Vec3(-5, -5, 0);
    CHECK(held_nodes(lattice, wide, std::vector<Triangle>{{0, 1, 2}}).ok());
}
