// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/bend/bone_skin.h>
#include <ductile/deform/bend/bone_weights.h>
#include <ductile/deform/bend/sub_bodies.h>
#include <ductile/deform/bend/voxel_march.h>
#include <ductile/geom/mass_integrals.h>
#include <ductile/solids/solids.h>

#include <doctest/doctest.h>
#include <support/near.h>
#include <support/reason.h>

#include <algorithm>
#include <cmath>

using namespace ductile;

namespace {

TriMesh sub_body_mesh(SolidKind kind, const Vec3& size, double resolution) {
    Result<SurfaceAsset> made = make_solid({.kind = kind, .size = size, .resolution = resolution});
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    return std::move(made).value().surface;
}

// Groups by where triangles lie.
template <class Where>
std::vector<std::int32_t> groups_by(const TriMesh& mesh, Where&& where) {
    std::vector<std::int32_t> out;
    for (const Triangle& t : mesh.triangles) {
        out.push_back(where((mesh.points[t[0]] + mesh.points[t[1]] + mesh.points[t[2]]) / 3.0));
    }
    return out;
}

struct Grouped {
    const TriMesh& mesh;
    std::vector<std::int32_t> group;
    std::int32_t count;
    std::vector<Triangle> neighbours = face_neighbours(mesh.triangles);
    GroupedSurface surface(std::span<const Vec3> points, const MassModel& model,
                           std::span<const SeamJoint> joints = {}) const {
        return {points, mesh.triangles, neighbours, group, count, model, {}, joints};
    }
};

// What bodies come to together, about the whole's centre, against the whole.
double worst_misfit(const GroupMasses& made, const MassProperties& whole) {
    double mass = 0.0;
    Vec3 first = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (const MassProperties& m : made.groups) {
        const Vec3 r = m.centre_b - whole.centre_b;
        mass += m.mass;
        first += m.mass * r;
        inertia += m.inertia_b + m.mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    const double size = std::sqrt(whole.inertia_b.trace() / whole.mass);
    return std::max({std::abs(mass / whole.mass - 1.0), first.norm() / (whole.mass * size),
                     (inertia - whole.inertia_b).norm() / whole.inertia_b.norm()});
}

}  // namespace

TEST_CASE("halves of a bar are bars, closed in the joint between them") {
    const TriMesh bar = sub_body_mesh(SolidKind::Box, {2.0, 0.2, 0.3}, 0.1);
    const Grouped halves{bar, groups_by(bar, [](const Vec3& p) { return p.x() < 0 ? 0 : 1; }), 2};
    const SeamJoint joint{Vec3(0, 0.02, 0.05), 0, 1};
    const auto made = group_masses(halves.surface(bar.points, {.density = 1000.0}, {&joint, 1}));
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    CHECK(made.value().notes.empty());
    const MassProperties half = box_mass({1.0, 0.2, 0.3}, 1000.0);
    for (int g = 0; g < 2; ++g) {
        const MassProperties& m = made.value().groups[g];
        CHECK(test::near(m.mass, half.mass, 1e-12));
        CHECK((m.centre_b - Vec3(g == 0 ? -0.5 : 0.5, 0, 0)).norm() < 1e-12);
        CHECK((m.inertia_b - half.inertia_b).norm() < 1e-12 * half.inertia_b.norm());
    }
}

TEST_CASE("masses, centres and moments of groups sum up to the whole's, however it is bent") {
    Rng rng(11);
    const TriMesh bar = sub_body_mesh(SolidKind::Cylinder, {0.4, 2.0, 0.4}, 0.05);
    const auto made = skeleton_of_bones({{"foot", {0, -1, 0}, {0, -0.4, 0}},
                                         {"middle", {0, -0.4, 0}, {0.02, 0.3, 0}},
                                         {"top", {0.02, 0.3, 0}, {0, 1.2, 0}}},
                                        1e-6);
    REQUIRE(made.ok());
    const Skeleton& s = made.value();
    const SurfaceQuery query(bar.points, bar.triangles);
    const SkinWeights w = bone_weights(TetLattice::make(query, 0.1).value(), s, bar.points).value();
    const Grouped groups{bar, triangle_bones(bar.triangles, w), 3};
    for (const double most : {0.0, 0.3, 0.8, 1.3}) {
        std::vector<JointMotion> turns;
        for (int j = 0; j < 2; ++j) {
            const Vec3 axis(rng.uniform(-1, 1), rng.uniform(-0.3, 0.3), rng.uniform(-1, 1));
            turns.push_back({Quat(Eigen::AngleAxisd(most, axis.normalized()))});
        }
        const std::vector<Transform> moved = bone_turns(s, turns, 1);
        std::vector<Vec3> bent(bar.points.size());
        BoneSkin(moved, BoneBlend::Linear).points(w, bar.points, bent);
        std::vector<SeamJoint> joints;
        for (const SkeletonJoint& j : s.joints) {
            joints.push_back({moved[j.a].point(j.place), j.a, j.b});
        }
        for (const double thickness : {0.0, 0.004}) {
            const MassModel model{.density = 2700.0, .thickness = thickness};
            const auto masses = group_masses(groups.surface(bent, model, joints));
            REQUIRE_MESSAGE(masses.ok(), test::reason(masses));
            CHECK(masses.value().notes.empty());
            const MassProperties whole = mass_properties(bent, bar.triangles, model).value();
            CAPTURE(most);
            CHECK(worst_misfit(masses.value(), whole) < 1e-12);
            CHECK(std::abs(masses.value().whole.mass / whole.mass - 1.0) < 1e-13);
            for (const MassProperties& m : masses.value().groups) CHECK(check_mass(m).ok());
        }
    }
}

TEST_CASE("three groups that meet in a point share one fan and still sum up") {
    const TriMesh ball = sub_body_mesh(SolidKind::Sphere, {1, 1, 1}, 0.1);
    const Grouped groups{
        ball, groups_by(ball, [](const Vec3& p) { return p.y() > 0   ? 0
                                                         : p.x() > 0 ? 1
                                                                     : 2; }), 3};
    const SeamJoint joint{Vec3::Zero(), 1, 2};
    const auto made = group_masses(groups.surface(ball.points, {}, {&joint, 1}));
    REQUIRE_MESSAGE(made.ok(), test::reason(made));
    CHECK(made.value().notes.empty());
    const MassProperties whole = mass_properties(ball.points, ball.triangles, {}).value();
    CHECK(worst_misfit(made.value(), whole) < 1e-12);
    CHECK(test::near(made.value().groups[0].mass, 0.5 * whole.mass, 0.02));
    CHECK(test::near(made.value().groups[1].mass, 0.25 * whole.mass, 0.02));
}

TEST_CASE("groups that no fan closes fall back with a message, and still sum up") {
    const TriMesh bar = sub_body_mesh(SolidKind::Box, {2.0, 0.2, 0.3}, 0.1);
    const MassProperties whole = mass_properties(bar.points, bar.triangles, {}).value();
    const Grouped halves{bar, groups_by(bar, [](const Vec3& p) { return p.x() < 0.8 ? 0 : 1; }), 2};
    const SeamJoint far{Vec3(9, 0, 0), 0, 1};
    const auto middle = group_masses(halves.surface(bar.points, {}, {&far, 1}));
    REQUIRE(middle.ok());
    REQUIRE(middle.value().notes.size() == 1);
    CHECK(middle.value().notes[0].find("they end in their middles") != std::string::npos);
    CHECK(worst_misfit(middle.value(), whole) < 1e-12);
    CHECK(test::near(middle.value().groups[1].mass, 0.1 * whole.mass));
    // Scattered triangles are no body whatever closes them.
    Rng rng(2);
    const Grouped scattered{
        bar, groups_by(bar, [&](const Vec3& p) { return rng.uniform(0, 1) < 0.03 && p.y() < 0; }),
        2};
    const auto mixed = group_masses(scattered.surface(bar.points, {}));
    REQUIRE_MESSAGE(mixed.ok(), test::reason(mixed));
    CHECK(worst_misfit(mixed.value(), whole) < 1e-12);
    for (const MassProperties& m : mixed.value().groups) CHECK(check_mass(m).ok());
}

TEST_CASE("a group without a triangle and an open solid are errors") {
    TriMesh bar = sub_body_mesh(SolidKind::Box, {2.0, 0.2, 0.3}, 0.2);
    const Grouped missing{bar, groups_by(bar, [](const Vec3&) { return 1; }), 2};
    CHECK(!group_masses(missing.surface(bar.points, {})).ok());
    bar.triangles.resize(bar.triangles.size() - 4);
    const Grouped open{bar, groups_by(bar, [](const Vec3& p) { return p.x() < 0 ? 0 : 1; }), 2};
    const auto made = group_masses(open.surface(bar.points, {}));
    REQUIRE(!made.ok());
    CHECK(made.error().what == "the surface is open, so it bounds no solid");
    CHECK(group_masses(open.surface(bar.points, {.thickness = 0.01})).ok());
}

TEST_CASE("fans cut a body as marching voxels do") {
    const TriMesh body = sub_body_mesh(SolidKind::Barrel, {0.6, 0.9, 0.6}, 0.05);
    const Grouped groups{
        body, groups_by(body, [](const Vec3& p) { return p.y() + 0.3 * p.x() > 0.1; }), 2};
    const MassModel model{.density = 1000.0};
    const auto fans = group_masses(groups.surface(body.points, model));
    REQUIRE_MESSAGE(fans.ok(), test::reason(fans));
    const SurfaceQuery query(body.points, body.triangles);
    const auto march = march_voxels(query, groups.group, 0.03, 2);
    REQUIRE(march.ok());
    const VoxelGroups& cubes = march.value();
    for (std::int32_t g = 0; g < 2; ++g) {
        double volume = 0.0;
        Vec3 first = Vec3::Zero();
        for (std::size_t i = 0; i < cubes.group.size(); ++i) {
            CHECK(cubes.group[i] >= 0);
            if (cubes.group[i] != g || !cubes.is_inside[i]) continue;
            volume += std::pow(cubes.cell, 3);
            first += std::pow(cubes.cell, 3) * cubes.middle(i);
        }
        const MassProperties& m = fans.value().groups[g];
        CHECK(test::near(m.mass, volume * model.density, 0.05));
        CHECK((m.centre_b - first / volume).norm() < 0.02);
    }
    CHECK(!march_voxels(query, groups.group, 0.0, 2).ok());
    CHECK(!march_voxels(query, groups.group, 1e-5, 2).ok());
}

TEST_CASE("every piece belongs to one group, cut down the tree where it is astride") {
    const TriMesh bar = sub_body_mesh(SolidKind::Box, {2.0, 0.3, 0.3}, 0.05);
    const PieceTree tree = cut_pieces(bar.points, bar.triangles, {.count = 8}).value();
    const PieceCut cut{tree.top};
    const Grouped halves{bar, groups_by(bar, [](const Vec3& p) { return p.x() < 0.13 ? 0 : 1; }),
                         2};
    const auto pieces = group_pieces(tree, cut, halves.surface(bar.points, {}));
    REQUIRE(pieces.size() == 2);
    std::vector<int> covered(bar.triangles.size(), 0);
    double strays = 0.0, area = 0.0;
    for (std::int32_t g = 0; g < 2; ++g) {
        CHECK(!pieces[g].empty());
        CHECK(std::is_sorted(pieces[g].begin(), pieces[g].end()));
        for (const std::int32_t index : pieces[g]) {
            const Piece& piece = tree.pieces[index];
            for (const std::int32_t f : piece.faces) {
                ++covered[f];
                const double a = area_vector(bar.points, bar.triangles[f]).norm();
                area += a;
                if (halves.group[f] == g) continue;
                CHECK(piece.children.empty());
                strays += a;
            }
        }
    }
    CHECK(std::all_of(covered.begin(), covered.end(), [](int n) { return n == 1; }));
    CHECK(strays < 0.05 * area);
    // What is not astride is as the cut has it.
    const Grouped whole{bar, groups_by(bar, [](const Vec3&) { return 0; }), 1};
    CHECK(group_pieces(tree, cut, whole.surface(bar.points, {}))[0] == tree.top);
}

TEST_CASE("a triangle belongs to the bone of its largest weight, the lowest of several") {
    SkinWeights w;
    w.start = {0, 2, 4, 5, 6};
    w.handle = {0, 1, 1, 2, 2, 0};
    w.weight = {0.4, 0.6, 0.2, 0.8, 1.0, 1.0};
    const Triangle triangles[] = {{0, 1, 2}, {0, 1, 3}, {0, 0, 3}, {2, 2, 2}, {3, 2, 1}};
    const std::vector<std::int32_t> bones = triangle_bones(triangles, w);
    // Sums: bone 2 has 1.8; bone 0 has 1.4; 1.8; and so on.
    CHECK(bones == std::vector<std::int32_t>{2, 0, 0, 2, 2});
}
