// SPDX-License-Identifier: MIT
// Twelve rigid bodies with edges and corners, each with its sharp end down.
#pragma once

#include <ductile/geom/mass.h>
#include <ductile/solids/solids.h>

#include <geom/test_meshes.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ductile::test {

struct SharpShape {
    std::string name;
    TriMesh mesh;

    /// With its lowest place this deep below the top of something that ends at `top`, a little off
    /// the middle so that nothing is symmetric by chance.
    Transform pressed_in(double top, double depth) const {
        const double low = bounds(mesh.points).lower.y();
        return {Quat::Identity(), Vec3(0.003, top - depth - low, 0.002)};
    }
};

inline TriMesh tetrahedron_mesh() {
    TriMesh m{
        {Vec3(0, -0.3, 0), Vec3(0.3, 0.2, 0), Vec3(-0.15, 0.2, 0.26), Vec3(-0.15, 0.2, -0.26)},
        {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
    if (volume(m.points, m.triangles) < 0) {
        for (Triangle& t : m.triangles) std::swap(t[1], t[2]);
    }
    return m;
}

/// A bar with three teeth, each a body of its own that reaches into it.
inline TriMesh small_comb_mesh() {
    TriMesh comb = box_mesh({-0.3, 0, -0.3}, {0.3, 0.2, 0.3});
    for (const double x : {-0.23, 0.0, 0.23}) {
        const auto first = static_cast<std::int32_t>(comb.points.size());
        const TriMesh tooth = box_mesh({x - 0.05, -0.3, -0.1}, {x + 0.05, 0.05, 0.1});
        comb.points.insert(comb.points.end(), tooth.points.begin(), tooth.points.end());
        for (const Triangle& t : tooth.triangles) {
            comb.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
    }
    return comb;
}

inline std::vector<SharpShape> sharp_shapes() {
    const auto turned = [](TriMesh m, const Quat& by) {
        return placed(std::move(m), {by, Vec3::Zero()});
    };
    const auto about = [](double degrees, const Vec3& axis) {
        return Quat(Eigen::AngleAxisd(degrees * kPi / 180, axis.normalized()));
    };
    const TriMesh cube = box_mesh(Vec3::Constant(-0.25), Vec3::Constant(0.25));
    const TriMesh octahedron = sphere_mesh(0.35, 0);
    const TriMesh three = prism_mesh(0.3, 0.6, 3), six = prism_mesh(0.3, 0.6, 6);
    const TriMesh fine =
        make_solid({.kind = SolidKind::Box, .size = Vec3(0.4, 0.4, 0.9), .resolution = 0.05})
            .value()
            .surface;
    const Quat lying = about(90, Vec3::UnitX());
    return {
        {"cube on an edge", turned(cube, about(45, Vec3::UnitZ()))},
        {"cube on a corner", turned(cube, Quat::FromTwoVectors(Vec3::Ones(), -Vec3::UnitY()))},
        {"tilted cube", turned(cube, about(20, Vec3(1, 0.3, 2)))},
        {"octahedron on a corner", octahedron},
        {"octahedron on an edge", turned(octahedron, about(45, Vec3::UnitZ()))},
        {"three-sided prism on an edge", turned(three, lying * about(30, Vec3::UnitY()))},
        {"three-sided prism on a corner", turned(three, about(50, Vec3(1, 0, 0.4)))},
        {"six-sided prism on an edge", turned(six, lying)},
        {"box of many triangles on an edge", turned(fine, about(45, Vec3::UnitZ()))},
        {"blade", box_mesh({-0.03, -0.3, -0.45}, {0.03, 0.3, 0.45})},
        {"tetrahedron on a corner", tetrahedron_mesh()},
        {"comb of three teeth", small_comb_mesh()},
    };
}

}  // namespace ductile::test
