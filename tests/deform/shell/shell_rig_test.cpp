// SPDX-License-Identifier: MIT
#include <ductile/deform/shell/shell_borders.h>
#include <ductile/deform/shell/shell_options.h>
#include <ductile/deform/shell/shell_rig.h>

#include <deform/shell/shell_sheet.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

ShellRig rig_of(const TriMesh& mesh, const ShellOptions& options = {}) {
    return make_shell_rig({mesh.points, mesh.triangles, {}}, options).value();
}

void check_rows(const TriMesh& mesh, const ShellRig& rig,
                std::size_t most_weights = ShellRig::kMostWeights) {
    REQUIRE(rig.rows.size() == mesh.points.size());
    const Vec3 shift(0.3, -2.0, 1.7);
    const std::vector<Vec3> alike(rig.control_rest.size(), shift);
    double worst = 0.0, least = 1.0;
    std::size_t most = 0;
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        worst = std::max(worst, (point_shift(rig.rows[v], alike) - shift).norm());
        most = std::max(most, rig.rows[v].size());
        for (const ControlWeight& w : rig.rows[v]) least = std::min(least, w.weight);
    }
    CHECK(worst < 1e-12);
    CHECK(least >= 0.0);
    CHECK(most <= most_weights);
}

TriMesh joined_meshes(TriMesh a, const TriMesh& b) {
    const auto first = static_cast<std::int32_t>(a.points.size());
    a.points.insert(a.points.end(), b.points.begin(), b.points.end());
    for (const Triangle& t : b.triangles) {
        a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    return a;
}

}  // namespace

TEST_CASE("weights of a shell are shares, at most ten, and shift every point alike") {
    for (const double rounding : {0.0, 0.2, 1.0}) {
        const ShellOptions options{.sub_shells = 24, .rounding = rounding};
        for (const TriMesh& mesh :
             {sheet_mesh(2.0, 24), sphere_mesh(1.0, 4), torus_mesh(1.0, 0.3, 40, 16),
              box_mesh(Vec3(0, 0, 0), Vec3(1, 2, 3)), prism_mesh(0.3, 1.0, 24)}) {
            check_rows(mesh, rig_of(mesh, options));
        }
    }
}

TEST_CASE("borders of sub-shells carry control points where three meet, and lines between") {
    const TriMesh mesh = sheet_mesh(2.0, 24);
    const ShellRig rig = rig_of(mesh, {.sub_shells = 16, .rounding = 0.0});
    CHECK(rig.shells.size() == 16);
    const ShellBorders borders =
        find_borders(mesh.points, mesh.triangles, rig.face_shell, 1.2 * rig.shell_size);
    std::vector<std::set<std::int32_t>> around(mesh.points.size());
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
        for (const std::int32_t v : mesh.triangles[f]) around[v].insert(rig.face_shell[f]);
    }
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        if (around[v].size() >= 3) CHECK(borders.is_control[v]);
        // On a border two control points decide.
        if (borders.is_border[v]) CHECK(rig.rows[v].size() <= 2);
        // Inside, those of its own sub-shell.
        if (borders.is_border[v]) continue;
        const auto& own = rig.shells[static_cast<std::size_t>(*around[v].begin())].controls;
        for (const ControlWeight& w : rig.rows[v]) {
            CHECK(std::binary_search(own.begin(), own.end(), w.control));
        }
    }
    for (const SubShell& shell : rig.shells) CHECK(shell.controls.size() >= 3);
}

TEST_CASE("points inside a sub-shell follow a turn of its control points nearly rigidly") {
    const TriMesh mesh = sheet_mesh(2.0, 32);
    const ShellRig rig = rig_of(mesh, {.sub_shells = 16, .rounding = 0.0});
    std::vector<Vec3> shift;
    for (const Vec3& p : rig.control_rest) shift.push_back(0.1 * Vec3(1, 2, 0).cross(p));
    double worst = 0.0;
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        const Vec3 wanted = 0.1 * Vec3(1, 2, 0).cross(mesh.points[v]);
        worst = std::max(worst, (point_shift(rig.rows[v], shift) - wanted).norm());
    }
    // Borders zigzag along the mesh's edges, by an edge or two.
    CHECK(worst < 0.1 * Vec3(1, 2, 0).norm() * 3.0 * 2.0 / 32);
}

TEST_CASE("parts too small to bend ride on the nearest large one") {
    TriMesh bolt = box_mesh(Vec3(0.3, 0.01, 0.3), Vec3(0.32, 0.03, 0.32));
    const TriMesh mesh = joined_meshes(sheet_mesh(2.0, 24), bolt);
    const ShellRig rig = rig_of(mesh, {.sub_shells = 16});
    CHECK(rig.shells.size() == 16);
    check_rows(mesh, rig);
    for (std::size_t v = mesh.points.size() - 8; v < mesh.points.size(); ++v) {
        CHECK(rig.shell_of[v] == -1);
        CHECK(!rig.rows[v].empty());
    }
}

TEST_CASE("two skins near each other are tied, one sheet is not tied to itself") {
    CHECK(rig_of(sheet_mesh(2.0, 24), {.sub_shells = 32}).ties.empty());
    TriMesh inner = sheet_mesh(2.0, 24);
    for (Vec3& p : inner.points) p.y() = -0.03;
    const TriMesh mesh = joined_meshes(sheet_mesh(2.0, 24), inner);
    const ShellRig rig = rig_of(mesh, {.sub_shells = 64});
    CHECK(rig.ties.size() > 20);
    for (const ShellTie& tie : rig.ties) {
        CHECK(rig.control_rest[tie.a].y() != rig.control_rest[tie.b].y());
    }
}

TEST_CASE("control points on rigid parts are pinned, and what is all rigid is refused") {
    const TriMesh mesh = sheet_mesh(2.0, 16);
    std::vector<std::uint8_t> is_rigid(mesh.points.size(), 0);
    for (std::size_t v = 0; v < mesh.points.size(); ++v) is_rigid[v] = mesh.points[v].x() > 0.5;
    const ShellRig rig =
        make_shell_rig({mesh.points, mesh.triangles, is_rigid}, {.sub_shells = 12}).value();
    for (std::size_t c = 0; c < rig.control_points.size(); ++c) {
        CHECK(rig.is_pinned[c] == is_rigid[rig.control_points[c]]);
    }
    is_rigid.assign(mesh.points.size(), 1);
    CHECK(!make_shell_rig({mesh.points, mesh.triangles, is_rigid}, {}).ok());
}

TEST_CASE("a finer mesh has the same control points, its new points halfway") {
    const TriMesh mesh = sheet_mesh(2.0, 16);
    const ShellRig rig = rig_of(mesh, {.sub_shells = 12});
    const std::vector<MeshEdge> marked = {{0, 1}, {20, 21}, {40, 41}};
    const SplitMesh split = split_edges(mesh, marked);
    const ShellRig finer = refined_rig(rig, marked, split.mesh.points, split.mesh.triangles);
    check_rows(split.mesh, finer, 2 * ShellRig::kMostWeights);
    Rng rng(3);
    std::vector<Vec3> shift;
    for (std::size_t c = 0; c < rig.control_rest.size(); ++c) shift.push_back(random_vec(rng));
    for (std::size_t k = 0; k < marked.size(); ++k) {
        const Vec3 ends =
            point_shift(rig.rows[marked[k][0]], shift) + point_shift(rig.rows[marked[k][1]], shift);
        const Vec3 middle = point_shift(finer.rows[mesh.points.size() + k], shift);
        CHECK((middle - 0.5 * ends).norm() < 1e-12);
    }
}

TEST_CASE("control points are found by their rest places, twins one after the other") {
    const ShellRig rig = rig_of(sheet_mesh(2.0, 16), {.sub_shells = 12});
    std::vector<std::uint8_t> taken(rig.control_rest.size(), 0);
    for (std::size_t c = 0; c < rig.control_rest.size(); ++c) {
        CHECK(rig.find_control(rig.control_rest[c], taken) == static_cast<std::int32_t>(c));
    }
    CHECK(rig.find_control(Vec3(0.1234567, 0, 0), taken) == -1);
    taken[3] = 1;
    CHECK(rig.find_control(rig.control_rest[3], taken) == -1);
}
