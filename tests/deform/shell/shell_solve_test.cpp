// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_limits.h>
#include <ductile/deform/shell/shell_solve.h>

#include <deform/shell/shell_sheet.h>
#include <doctest/doctest.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace ductile;
using namespace ductile::test;

namespace {

double deepest_push(const std::vector<Vec3>& moves) {
    double most = 0.0;
    for (const Vec3& m : moves) most = std::max(most, m.norm());
    return most;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
    return most;
}

// How much the longest edge is over its rest length, as a share, at an amount of the motion.
double longest_stretch(const ShellSheet& sheet, const std::vector<Vec3>& moves, double amount) {
    double most = 0.0;
    for (const MeshEdge& e : sheet.rig.edges) {
        const Vec3 rest = sheet.mesh.points[e[0]] - sheet.mesh.points[e[1]];
        const Vec3 now = rest + amount * (moves[e[0]] - moves[e[1]]);
        most = std::max(most, now.norm() / rest.norm() - 1.0);
    }
    return most;
}

// Angles between faces across the edges of a surface, as a mean over rings around a place.
std::vector<double> crease_by_ring(const ShellSheet& sheet, const std::vector<Vec3>& moves,
                                   const Vec3& place, double width, int rings) {
    TriMesh now = sheet.mesh;
    for (std::size_t v = 0; v < now.points.size(); ++v) now.points[v] += moves[v];
    std::vector<double> most(static_cast<std::size_t>(rings), 0.0);
    const std::vector<Triangle> next = face_neighbours(now.triangles);
    for (std::size_t f = 0; f < now.triangles.size(); ++f) {
        const Vec3 n = area_vector(now.points, now.triangles[f]).normalized();
        const double away = (sheet.mesh.points[now.triangles[f][0]] - place).norm();
        const auto ring = static_cast<std::size_t>(away / width);
        if (ring >= most.size()) continue;
        for (const std::int32_t g : next[f]) {
            if (g < 0) continue;
            const Vec3 other = area_vector(now.points, now.triangles[g]).normalized();
            most[ring] = std::max(most[ring], std::acos(std::min(1.0, n.dot(other))));
        }
    }
    return most;
}

}  // namespace

TEST_CASE("a ball leaves a dent as deep as it goes, along its way, that fades out ring by ring") {
    const ShellSheet sheet;
    const Vec3 place(0.1, 0, 0.05);
    const ShellSolution solved = sheet.press({sheet.load(0.2, place)});
    const std::vector<Vec3> moves = sheet.moves(solved);
    CHECK(test::near(deepest_push(moves), 0.2, 0.05));
    CHECK(test::near(solved.depth[0], 0.2, 0.05));
    CHECK(solved.refused == 0.0);
    Vec3 sum = Vec3::Zero();
    for (const Vec3& m : moves) sum += m;
    CHECK(std::acos(-sum.normalized().y()) * 180.0 / kPi < 3.0);
    // The mean push of each ring is less than that of the one within it.
    const double width = 0.5 * sheet.rig.shell_size;
    std::vector<double> push(12, 0.0), count(12, 0.0);
    for (std::size_t v = 0; v < moves.size(); ++v) {
        const auto ring = static_cast<std::size_t>((sheet.mesh.points[v] - place).norm() / width);
        if (ring >= push.size()) continue;
        push[ring] -= moves[v].y();
        count[ring] += 1.0;
    }
    for (std::size_t k = 1; k < push.size(); ++k) {
        CHECK(push[k] / count[k] <= push[k - 1] / count[k - 1] + 0.005 * 0.2);
    }
    // Creases are sharpest near the impact.
    const std::vector<double> crease = crease_by_ring(sheet, moves, place, sheet.rig.shell_size, 8);
    const double sharpest = *std::max_element(crease.begin(), crease.end());
    CHECK(std::max({crease[0], crease[1], crease[2]}) == sharpest);
}

TEST_CASE("beyond its reach, and without an impact, a shell keeps every bit") {
    const ShellSheet sheet(40, {.reach = 0.5});
    const Vec3 place(0.1, 0, 0.05);
    const ShellSolution solved = sheet.press({sheet.load(0.1, place)});
    CHECK(solved.reach == 0.5);
    const std::vector<Vec3> moves = sheet.moves(solved);
    std::size_t still = 0;
    for (std::size_t c = 0; c < sheet.rig.control_rest.size(); ++c) {
        if ((sheet.rig.control_rest[c] - place).norm() > 0.5 + 0.25 + 2 * sheet.rig.shell_size) {
            CHECK(solved.shift[c].isZero(0.0));
            ++still;
        }
    }
    CHECK(still > 50);
    // A striker that meets nothing.
    const ShellLoad beside{StrikerMap(-Vec3::UnitY(), Vec3(0, 1, 0)), 0.1, {}};
    for (const Vec3& s : sheet.press({beside}).shift) CHECK(s.isZero(0.0));
}

TEST_CASE("a sheet is as good as solved: four times the parts and iterations change little") {
    for (const int cells : {40, 48}) {
        const ShellSheet sheet(cells);
        ShellSheet finer = sheet;
        finer.options.load_parts *= 2;
        finer.options.iterations *= 2;
        for (const Vec3& place : {Vec3(0.1, 0, 0.05), Vec3(0.3, 0, -0.22), Vec3(0.05, 0, 0.31)}) {
            const std::vector<Vec3> a = sheet.moves(sheet.press({sheet.load(0.2, place)}));
            const std::vector<Vec3> b = finer.moves(finer.press({sheet.load(0.2, place)}));
            CHECK(largest_difference(a, b) < 0.1 * 0.2);
            double sum = 0.0;
            for (std::size_t v = 0; v < a.size(); ++v) sum += (a[v] - b[v]).norm();
            CHECK(sum / double(a.size()) < 0.02 * 0.2);
        }
    }
    // And a little deeper is a little deeper.
    const ShellSheet sheet;
    const std::vector<Vec3> a = sheet.moves(sheet.press({sheet.load(0.2)}));
    const std::vector<Vec3> c = sheet.moves(sheet.press({sheet.load(0.2004)}));
    CHECK(largest_difference(a, c) < 0.003 * 0.2 + 0.0004);
}

TEST_CASE("any stiffness gives a finite shell that gives way as far as it is pressed") {
    for (const double stiffness : {1e-4, 1e-2, 1.0, 100.0, 1e4}) {
        const ShellSheet sheet(24, {.sub_shells = 40, .stiffness = stiffness});
        const ShellSolution solved = sheet.press({sheet.load(0.15)});
        for (const Vec3& s : solved.shift) REQUIRE(is_finite(s));
        CHECK(solved.depth[0] > 0.5 * 0.15);
        CHECK(solved.depth[0] <= 0.15);
    }
}

TEST_CASE("no edge gets longer than the limit, at any amount, and what is refused is told") {
    for (const double limit : {0.02, 0.1, 0.2}) {
        const ShellSheet sheet(32, {.sub_shells = 64, .stretch_limit = limit});
        const ShellSolution solved = sheet.press({sheet.load(0.45)});
        const std::vector<Vec3> moves = sheet.moves(solved);
        for (const double amount : {0.1, 0.5, 0.8, 1.0}) {
            CHECK(longest_stretch(sheet, moves, amount) <= 1.5 * limit + 1e-9);
        }
        std::size_t over = 0;
        for (const MeshEdge& e : sheet.rig.edges) {
            const Vec3 rest = sheet.mesh.points[e[0]] - sheet.mesh.points[e[1]];
            over += (rest + moves[e[0]] - moves[e[1]]).norm() > (1.0 + limit + 1e-9) * rest.norm();
        }
        CHECK(double(over) <= 0.001 * double(sheet.rig.edges.size()));
        CHECK(solved.depth[0] <= 0.45);
        if (limit < 0.05) CHECK(solved.depth[0] < 0.4);
    }
}

TEST_CASE("tightening brings stretched edges back and leaves others alone") {
    const ShellSheet sheet(24, {.sub_shells = 40, .rounding = 0.0});
    const ShellState state{sheet.mesh.points, sheet.mesh.points};
    const std::vector<std::uint8_t> is_free(sheet.rig.control_rest.size(), 1);
    std::vector<Vec3> shift(sheet.rig.control_rest.size(), Vec3(0.1, 0, 0));
    CHECK(allowed_share(sheet.rig, state, shift) == 1.0);
    CHECK(tighten_edges(sheet.rig, state, is_free, shift) == 0);
    for (const Vec3& s : shift) CHECK(s == Vec3(0.1, 0, 0));
    shift[sheet.rig.control_rest.size() / 2].y() = -0.3;
    CHECK(allowed_share(sheet.rig, state, shift) < 0.9);
    CHECK(tighten_edges(sheet.rig, state, is_free, shift) > 0);
    CHECK(allowed_share(sheet.rig, state, shift) == 1.0);
}

TEST_CASE("two equal impacts at one place are no deeper than one") {
    const ShellSheet sheet(32, {.sub_shells = 64});
    const double one = deepest_push(sheet.moves(sheet.press({sheet.load(0.15)})));
    const double two = deepest_push(sheet.moves(sheet.press({sheet.load(0.15), sheet.load(0.15)})));
    CHECK(two <= 1.02 * one);
    // Apart, both leave their dents.
    const ShellSolution apart =
        sheet.press({sheet.load(0.12, Vec3(-0.5, 0, 0)), sheet.load(0.12, Vec3(0.5, 0, 0))});
    CHECK(test::near(apart.depth[0], 0.12, 0.1));
    CHECK(test::near(apart.depth[1], 0.12, 0.1));
}

TEST_CASE("without springs only what is met moves, and its creases are steeper") {
    const ShellSheet with(40), without(40, {.springs = false});
    const Vec3 place(0.1, 0, 0.05);
    const ShellSolution a = with.press({with.load(0.15, place)});
    const ShellSolution b = without.press({without.load(0.15, place)});
    const auto moved = [](const ShellSolution& s) {
        return std::count_if(s.shift.begin(), s.shift.end(),
                             [](const Vec3& v) { return v.norm() > 1e-4; });
    };
    CHECK(2 * moved(b) < moved(a));
    const auto sharpest = [&](const ShellSheet& sheet, const ShellSolution& s) {
        const auto crease = crease_by_ring(sheet, sheet.moves(s), place, 0.1, 8);
        return *std::max_element(crease.begin(), crease.end());
    };
    CHECK(sharpest(without, b) > sharpest(with, a));
    // Sub-shells under the ball shifted its way, and those at its sides turned.
    double shift = 0.0, turn = 0.0;
    for (const ShellMotion& m : b.motions) {
        CHECK(m.shift.y() <= 1e-12);
        shift = std::max(shift, -m.shift.y());
        turn = std::max(turn, m.turn.norm());
    }
    CHECK(shift > 0.05);
    CHECK(turn > 0.05);
}

TEST_CASE("an inner skin goes with the outer one") {
    TriMesh mesh = sheet_mesh(2.0, 24);
    const std::size_t outer = mesh.points.size();
    const auto first = static_cast<std::int32_t>(outer);
    const TriMesh skin = mesh;
    for (const Vec3& p : skin.points) mesh.points.push_back(p - 0.03 * Vec3::UnitY());
    for (const Triangle& t : skin.triangles) {
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    const ShellSheet one(24, {.sub_shells = 40});
    ShellOptions options{.sub_shells = 80};
    const ShellRig rig = make_shell_rig({mesh.points, mesh.triangles, {}}, options).value();
    const ShellLoad load = one.load(0.15);
    const ShellSolution solved =
        solve_shell(rig, {mesh.points, mesh.points}, std::span(&load, 1), options);
    double outer_deep = 0.0, inner_deep = 0.0;
    for (std::size_t v = 0; v < outer; ++v) {
        outer_deep = std::max(outer_deep, -point_shift(rig.rows[v], solved.shift).y());
        inner_deep = std::max(inner_deep, -point_shift(rig.rows[v + outer], solved.shift).y());
    }
    CHECK(inner_deep > 0.6 * outer_deep);
}

TEST_CASE("a shell that is pressed twice the same gives the same bits") {
    const ShellSheet sheet(24, {.sub_shells = 40});
    const ShellSolution a = sheet.press({sheet.load(0.15)}), b = sheet.press({sheet.load(0.15)});
    CHECK(std::memcmp(a.shift.data(), b.shift.data(), a.shift.size() * sizeof(Vec3)) == 0);
}
