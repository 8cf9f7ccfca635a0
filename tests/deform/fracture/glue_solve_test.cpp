// SPDX-License-Identifier: MIT
#include <ductile/core/rng.h>
#include <ductile/deform/fracture/glue_solve.h>
#include <ductile/geom/mass.h>

#include <doctest/doctest.h>
#include <geom/test_meshes.h>
#include <support/near.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace ductile;
using namespace ductile::test;

namespace {

constexpr double kGlueDensity = 2000.0;

/// A box of `count` equal boxes, glued, from the origin on.
struct GluedBoxes {
    std::vector<GluePiece> pieces;
    std::vector<CutJoint> joints;
};

GluedBoxes glued_boxes(const Vec3& size, const std::array<int, 3>& count, const Quat& turn) {
    const TriMesh box = box_mesh(Vec3::Zero(), size);
    CellPattern pattern;
    for (int z = 0; z < count[2]; ++z) {
        for (int y = 0; y < count[1]; ++y) {
            for (int x = 0; x < count[0]; ++x) {
                pattern.sites.emplace_back((x + 0.5) / count[0] * size.x(),
                                           (y + 0.5) / count[1] * size.y(),
                                           (z + 0.5) / count[2] * size.z());
            }
        }
    }
    const auto cut = cut_cells(box, pattern);
    REQUIRE(cut);
    GluedBoxes made;
    made.joints = cut.value().joints;
    const Mat3 r = turn.toRotationMatrix();
    for (std::size_t p = 0; p < cut.value().pieces.size(); ++p) {
        const auto index = static_cast<std::int32_t>(p);
        const TriMesh mesh = piece_surface(cut.value(), std::span(&index, 1)).mesh;
        const MassProperties mass =
            mass_properties(mesh.points, mesh.triangles, {kGlueDensity, 0.0}).value();
        made.pieces.push_back(
            {mass.mass, turn * mass.centre_b, r * mass.inertia_b * r.transpose()});
    }
    for (CutJoint& j : made.joints) {
        j.centre = turn * j.centre;
        j.normal = turn * j.normal;
        j.second_moment = r * j.second_moment * r.transpose();
    }
    return made;
}

GlueSolver glued(const GluedBoxes& boxes, const GlueOptions& options = {}) {
    auto solver = GlueSolver::make(boxes.pieces, boxes.joints, options);
    REQUIRE(solver);
    return std::move(solver.value());
}

std::int32_t piece_at(const GlueSolver& solver, const Vec3& place) {
    std::int32_t best = 0;
    for (std::size_t p = 0; p < solver.pieces().size(); ++p) {
        if ((solver.pieces()[p].centre - place).norm() <
            (solver.pieces()[best].centre - place).norm()) {
            best = static_cast<std::int32_t>(p);
        }
    }
    return best;
}

}  // namespace

TEST_CASE("glue between two halves carries half of what pulls one of them") {
    const GlueSolver solver = glued(glued_boxes(Vec3(2, 1, 1), {2, 1, 1}, Quat::Identity()));
    GlueOptions options;
    const double force = 1e6;
    GlueImpact pull;
    pull.piece = piece_at(solver, Vec3(1.5, 0.5, 0.5));
    pull.point = Vec3(2, 0.5, 0.5);
    pull.impulse = Vec3(force * options.impact_time, 0, 0);
    REQUIRE(solver.joints().size() == 1);
    CHECK(test::near(solver.stresses(pull)[0] * options.strength, 0.5 * force, 1e-6));
    // Pushed, it holds.
    pull.impulse = -pull.impulse;
    CHECK(solver.stresses(pull)[0] < 1e-6);
}

TEST_CASE("a held beam of pieces has the stress of a beam at its root") {
    const double length = 2.0, height = 0.2, depth = 0.1;
    GluedBoxes boxes = glued_boxes(Vec3(length, height, depth), {10, 1, 1}, Quat::Identity());
    for (GluePiece& p : boxes.pieces) p.is_held = p.centre.x() < 0.2;
    const GlueSolver solver = glued(boxes);
    const GlueOptions options;
    GlueImpact impact;
    impact.piece = piece_at(solver, Vec3(length, 0, 0));
    impact.point = Vec3(length, 0.5 * height, 0.5 * depth);
    const double force = 1000.0;
    impact.impulse = Vec3(0, -force * options.impact_time, 0);
    double worst = 0.0;
    for (const double s : solver.stresses(impact)) worst = std::max(worst, s * options.strength);
    const double arm = length - 0.2;  // from the first face to the tip
    const double bending = 6.0 * force * arm / (depth * height * height);
    const double shear = force / (height * depth);
    CHECK(test::near(worst, std::hypot(bending, shear), 1e-4));
}

TEST_CASE("glue with a grain is as strong as Hankinson says") {
    GlueOptions wood;
    CHECK(grain_factor(wood, Vec3::UnitX()) == 1.0);
    wood.grain = Vec3(5, 0, 0);
    wood.along_grain = 30.0;
    CHECK(test::near(grain_factor(wood, Vec3::UnitX()), 30.0));
    CHECK(test::near(grain_factor(wood, -Vec3::UnitX()), 30.0));
    CHECK(test::near(grain_factor(wood, Vec3::UnitZ()), 1.0));
    const double angle = kPi / 6;
    const double expected =
        30.0 / (30.0 * std::sin(angle) * std::sin(angle) + std::cos(angle) * std::cos(angle));
    CHECK(test::near(grain_factor(wood, Vec3(std::cos(angle), std::sin(angle), 0)), expected));
    // A pull along the grain or across it: the same stress, the strength of its face.
    for (const int axis : {0, 1}) {
        Vec3 size = Vec3::Ones();
        size[axis] = 2.0;
        std::array<int, 3> count = {1, 1, 1};
        count[axis] = 2;
        const GluedBoxes boxes = glued_boxes(size, count, Quat::Identity());
        GlueImpact pull;
        pull.piece = piece_at(glued(boxes), size);
        pull.point = glued(boxes).pieces()[pull.piece].centre;
        pull.impulse = 1e4 * wood.impact_time * Vec3::Unit(axis);
        const double plain = glued(boxes).stresses(pull)[0];
        CHECK(test::near(glued(boxes, wood).stresses(pull)[0], plain / (axis == 0 ? 30.0 : 1.0),
                         1e-9));
    }
}

TEST_CASE("a block with a grain splits along it, and one without breaks across") {
    // A bar of four by four by one boxes, pushed in the middle of its end, held at the other.
    GluedBoxes boxes = glued_boxes(Vec3(2, 0.4, 0.4), {4, 4, 1}, Quat::Identity());
    for (GluePiece& p : boxes.pieces) p.is_held = p.centre.x() < 0.5;
    GlueImpact impact;
    impact.piece = piece_at(glued(boxes), Vec3(2, 0.4, 0.2));
    impact.point = Vec3(2, 0.4, 0.2);
    impact.impulse = Vec3(0, -2000, 0);
    impact.energy = 1e9;
    const auto torn_share = [&](const GlueOptions& options) {
        const GlueSolver solver = glued(boxes, options);
        double torn = 0.0, all = 0.0;
        for (const std::int32_t j : solver.answer(impact).broken) {
            all += solver.joints()[j].area;
            if (std::abs(solver.joints()[j].normal.x()) > 0.9) torn += solver.joints()[j].area;
        }
        REQUIRE(all > 0);
        return torn / all;
    };
    GlueOptions wood;
    wood.grain = Vec3::UnitX();
    wood.along_grain = 30.0;
    CHECK(torn_share(wood) < 0.5 * torn_share({}));
}

TEST_CASE("stress is in proportion to the impact, and below every strength nothing breaks") {
    const GlueSolver solver = glued(glued_boxes(Vec3(1, 1, 0.2), {4, 4, 1}, Quat::Identity()));
    GlueImpact impact;
    impact.piece = 5;
    impact.point = solver.pieces()[5].centre;
    impact.impulse = Vec3(0, 0, -10);
    impact.energy = 1e9;
    const double worst = solver.answer(impact).worst;
    REQUIRE(worst > 0);
    impact.impulse *= 0.999 / worst;
    const GlueBreak held = solver.answer(impact);
    CHECK(test::near(held.worst, 0.999, 1e-6));
    CHECK(held.broken.empty());
    CHECK(held.groups == 1);
    impact.impulse *= 1.002 / 0.999;
    CHECK_FALSE(solver.answer(impact).broken.empty());
}

TEST_CASE("what is broken never costs more than the impact has") {
    GlueOptions options;
    options.fracture_energy = 500.0;
    const GlueSolver solver =
        glued(glued_boxes(Vec3(1, 1, 0.3), {4, 4, 2}, Quat::Identity()), options);
    Rng rng(5);
    int parted = 0;
    for (int k = 0; k < 30; ++k) {
        GlueImpact impact;
        impact.piece = static_cast<std::int32_t>(rng.next() % solver.pieces().size());
        impact.point = solver.pieces()[impact.piece].centre + ductile::test::random_vec(rng, 0.1);
        impact.impulse =
            ductile::test::random_vec(rng, 1.0).normalized() * rng.uniform(100.0, 5000.0);
        impact.energy = rng.uniform(10.0, 3000.0);
        const GlueBreak answer = solver.answer(impact);
        double area = 0.0;
        for (const std::int32_t j : answer.broken) area += solver.joints()[j].area;
        CHECK(test::near(answer.area, area));
        CHECK(options.fracture_energy * answer.area <= impact.energy);
        const std::set<std::int32_t> once(answer.broken.begin(), answer.broken.end());
        CHECK(once.size() == answer.broken.size());
        parted += answer.groups > 1;
    }
    CHECK(parted > 5);
}

TEST_CASE("what is left of glue answers as glue that never was more") {
    const GluedBoxes boxes = glued_boxes(Vec3(1, 1, 0.5), {4, 4, 2}, Quat::Identity());
    GlueOptions options;
    options.strength = 1e12;
    const GlueSolver whole = glued(boxes, options);
    Rng rng(11);
    // With 5 a corner piece comes off, which nothing holds any more.
    for (const std::size_t count : {1, 2, 3, 5, 8, 9, 20}) {
        CAPTURE(count);
        std::vector<std::uint8_t> is_broken(boxes.joints.size(), 0);
        for (std::size_t j = 0; count == 5 && j < is_broken.size(); ++j) {
            is_broken[j] = boxes.joints[j].pieces[0] == 0;
        }
        while (std::size_t(std::count(is_broken.begin(), is_broken.end(), 1)) < count) {
            is_broken[rng.next() % is_broken.size()] = 1;
        }
        GluedBoxes rest = boxes;
        rest.joints.clear();
        for (std::size_t j = 0; j < is_broken.size(); ++j) {
            if (!is_broken[j]) rest.joints.push_back(boxes.joints[j]);
        }
        const GlueSolver left = glued(rest, options);
        GlueImpact impact;
        impact.piece = piece_at(whole, Vec3(0.6, 0.6, 0.4));
        impact.point = Vec3(0.6, 0.6, 0.5);
        impact.impulse = Vec3(30, 10, -100);
        impact.energy = 1.0;
        const GlueBreak a = whole.answer(impact, is_broken), b = left.answer(impact);
        CHECK(a.group == b.group);
        CHECK(b.worst > 0);
        CHECK(test::near(a.worst, b.worst, 1e-6));
    }
}

TEST_CASE("a symmetric impact breaks symmetrically") {
    const GlueSolver solver = glued(glued_boxes(Vec3(1, 1, 0.1), {5, 5, 1}, Quat::Identity()));
    GlueImpact impact;
    impact.piece = piece_at(solver, Vec3(0.5, 0.5, 0.05));
    impact.point = Vec3(0.5, 0.5, 0.1);
    impact.impulse = Vec3(0, 0, -2000);
    impact.energy = 1e5;
    const GlueBreak answer = solver.answer(impact);
    REQUIRE_FALSE(answer.broken.empty());
    const auto has_joint_at = [&](const Vec3& place) {
        return std::any_of(answer.broken.begin(), answer.broken.end(), [&](std::int32_t j) {
            return (solver.joints()[j].centre - place).norm() < 1e-6;
        });
    };
    for (const std::int32_t j : answer.broken) {
        const Vec3 c = solver.joints()[j].centre;
        CHECK(has_joint_at(Vec3(1 - c.x(), c.y(), c.z())));
        CHECK(has_joint_at(Vec3(c.x(), 1 - c.y(), c.z())));
        CHECK(has_joint_at(Vec3(c.y(), c.x(), c.z())));
    }
}

TEST_CASE("turning body and impact alike changes nothing") {
    Rng rng(9);
    const Quat turn = random_rotation(rng);
    const GlueSolver straight = glued(glued_boxes(Vec3(1, 0.6, 0.1), {5, 3, 1}, Quat::Identity()));
    const GlueSolver turned = glued(glued_boxes(Vec3(1, 0.6, 0.1), {5, 3, 1}, turn));
    GlueImpact impact;
    impact.piece = 6;
    impact.point = straight.pieces()[6].centre;
    impact.impulse = Vec3(50, 30, -900);
    impact.energy = 300;
    GlueImpact same = impact;
    same.point = turn * impact.point;
    same.impulse = turn * impact.impulse;
    const GlueBreak a = straight.answer(impact), b = turned.answer(same);
    CHECK(std::set(a.broken.begin(), a.broken.end()) == std::set(b.broken.begin(), b.broken.end()));
    CHECK(test::near(a.worst, b.worst, 1e-6));
}

TEST_CASE("a held wall loses what is struck and keeps the rest") {
    GluedBoxes boxes = glued_boxes(Vec3(2, 2, 0.1), {7, 7, 1}, Quat::Identity());
    for (GluePiece& p : boxes.pieces) p.is_held = p.centre.y() < 0.2;
    const GlueSolver solver = glued(boxes);
    GlueImpact impact;
    impact.piece = piece_at(solver, Vec3(1, 1.2, 0));
    impact.point = solver.pieces()[impact.piece].centre;
    impact.impulse = Vec3(0, 0, -500);
    impact.energy = 40.0;
    const GlueBreak answer = solver.answer(impact);
    CHECK(answer.groups > 1);
    // The held row is whole.
    std::set<std::int32_t> held;
    for (std::size_t p = 0; p < boxes.pieces.size(); ++p) {
        if (boxes.pieces[p].is_held) held.insert(answer.group[p]);
    }
    CHECK(held.size() == 1);
    CHECK(answer.group[impact.piece] != *held.begin());
    // What is broken already stays so, and a second impact goes on from there.
    std::vector<std::uint8_t> broken(boxes.joints.size(), 0);
    for (const std::int32_t j : answer.broken) broken[j] = 1;
    impact.piece = piece_at(solver, Vec3(1, 0.5, 0));
    const GlueBreak next = solver.answer(impact, broken);
    for (const std::int32_t j : next.broken) CHECK(broken[j] == 0);
    CHECK(next.groups >= answer.groups);
}

TEST_CASE("glue that cannot be is refused, impacts without sense break nothing") {
    const GluedBoxes boxes = glued_boxes(Vec3(1, 1, 1), {2, 1, 1}, Quat::Identity());
    CHECK_FALSE(GlueSolver::make({}, {}, {}));
    GlueOptions weak;
    weak.strength = 0.0;
    CHECK_FALSE(GlueSolver::make(boxes.pieces, boxes.joints, weak));
    weak = {};
    weak.grain = Vec3::UnitX();
    weak.along_grain = 0.0;
    CHECK_FALSE(GlueSolver::make(boxes.pieces, boxes.joints, weak));
    std::vector<CutJoint> wrong = boxes.joints;
    wrong[0].pieces[1] = 7;
    CHECK_FALSE(GlueSolver::make(boxes.pieces, wrong, {}));
    const GlueSolver solver = glued(boxes);
    GlueImpact impact;
    impact.energy = 1e9;
    CHECK(solver.answer(impact).broken.empty());
    impact.impulse = Vec3(std::nan(""), 0, 0);
    CHECK(solver.answer(impact).broken.empty());
    impact.impulse = Vec3(1e6, 0, 0);
    impact.piece = 5;
    CHECK(solver.answer(impact).broken.empty());
}

TEST_CASE("what flies off drags at its neighbours: the more goes on to them, the more breaks") {
    GluedBoxes boxes = glued_boxes(Vec3(2, 2, 0.1), {7, 7, 1}, Quat::Identity());
    for (GluePiece& p : boxes.pieces) p.is_held = p.centre.y() < 0.2;
    GlueImpact impact;
    impact.point = Vec3(1, 1, 0.1);
    impact.impulse = Vec3(0, 0, -400);
    impact.energy = 1e4;
    std::vector<double> areas;
    for (const double share : {0.0, 0.5, 0.9}) {
        GlueOptions options;
        options.handed_on = share;
        const GlueSolver solver = glued(boxes, options);
        impact.piece = piece_at(solver, impact.point);
        const GlueBreak answer = solver.answer(impact);
        areas.push_back(answer.area);
        CHECK(answer.energy <= impact.energy);
        CHECK(test::near(answer.energy, options.fracture_energy * answer.area));
    }
    REQUIRE(areas[0] > 0);
    CHECK(areas[1] >= areas[0]);
    CHECK(areas[2] > areas[0]);
}
