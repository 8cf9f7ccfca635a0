// SPDX-License-Identifier: MIT
#include <ductile/skin/auto_rotations.h>

#include <doctest/doctest.h>
#include <skin/test_rigs.h>

using namespace ductile;
using namespace ductile::test;

namespace {

/// A bar along x: a grid of points, six neighbours each.
struct GridBar {
    static constexpr int kLong = 33, kWide = 5;
    std::vector<Vec3> points;
    VertexGraph graph;
    std::vector<Handle> handles;
    SkinWeights weights;

    explicit GridBar(int handle_count) {
        graph.start = {0};
        for (int x = 0; x < kLong; ++x) {
            for (int y = 0; y < kWide; ++y) {
                for (int z = 0; z < kWide; ++z) add_point(x, y, z);
            }
        }
        std::vector<Vec3> places;
        for (int b = 0; b < handle_count; ++b) {
            places.emplace_back(3.2 * b / (handle_count - 1), 0.2, 0.2);
        }
        handles = handles_at(places);
        for (const Vec3& p : points) add_weights(p.x() / 3.2 * (handle_count - 1));
    }

    /// From one handle to the next, 1 at each.
    void add_weights(double along) {
        const auto last = static_cast<std::int32_t>(handles.size()) - 1;
        const std::int32_t b = std::min(static_cast<std::int32_t>(along), last - 1);
        const double t = along - b, next = t * t * (3 - 2 * t);
        for (const auto& [handle, weight] : {std::pair(b, 1.0 - next), std::pair(b + 1, next)}) {
            if (!(weight > 1e-9)) continue;
            weights.handle.push_back(handle);
            weights.weight.push_back(weight);
        }
        weights.start.push_back(static_cast<std::int32_t>(weights.handle.size()));
    }

    static int number(int x, int y, int z) { return (x * kWide + y) * kWide + z; }
    void add_point(int x, int y, int z) {
        points.emplace_back(0.1 * x, 0.1 * y, 0.1 * z);
        if (x > 0) graph.neighbours.push_back(number(x - 1, y, z));
        if (y > 0) graph.neighbours.push_back(number(x, y - 1, z));
        if (z > 0) graph.neighbours.push_back(number(x, y, z - 1));
        if (z + 1 < kWide) graph.neighbours.push_back(number(x, y, z + 1));
        if (y + 1 < kWide) graph.neighbours.push_back(number(x, y + 1, z));
        if (x + 1 < kLong) graph.neighbours.push_back(number(x + 1, y, z));
        graph.start.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
    }

    RigPose pose(const std::vector<HandleGoal>& goals) const {
        Result<RigPose> made = automatic_rotations({points, graph, weights}, handles, goals);
        REQUIRE(made.ok());
        return std::move(made).value();
    }
    Vec3 carried(const RigPose& pose, int point) const {
        const auto i = static_cast<std::size_t>(point);
        Vec3 out = points[i];
        for (std::size_t k = 0; k < weights.handles_of(i).size(); ++k) {
            const auto b = static_cast<std::size_t>(weights.handles_of(i)[k]);
            const Vec3& c = handles[b].place;
            out += weights.weights_of(i)[k] * (c + pose.moves[b].rotation * (points[i] - c) +
                                               pose.moves[b].translation - points[i]);
        }
        return out;
    }
    /// Area of a cross-section by its corners' diagonals.
    double area(const RigPose& pose, int x) const {
        const Vec3 a = carried(pose, number(x, 0, 0)), b = carried(pose, number(x, kWide - 1, 0));
        const Vec3 c = carried(pose, number(x, kWide - 1, kWide - 1));
        const Vec3 d = carried(pose, number(x, 0, kWide - 1));
        return 0.5 * (c - a).cross(d - b).norm();
    }
};

}  // namespace

TEST_CASE("handles that are moved as one rigid body turn as that body") {
    const GridBar bar(4);
    const Transform motion{turn_about(Vec3(1, -2, 0.5), 100), Vec3(1, 2, 3)};
    std::vector<HandleGoal> goals(4);
    // Four in a row leave the turn about the row open: the first one's is given.
    for (std::size_t b = 0; b < 4; ++b) {
        goals[b].move = handle_motion(motion, bar.handles[b].place).translation;
    }
    goals[0].turn = motion.rotation;
    const RigPose pose = bar.pose(goals);
    for (std::size_t b = 0; b < 4; ++b) {
        CHECK(pose.moves[b].rotation.angularDistance(motion.rotation) < 1e-3);
        CHECK(pose.moves[b].translation == *goals[b].move);
    }
    CHECK(pose.moves[0].rotation.coeffs() == motion.rotation.coeffs());
}

TEST_CASE("a bar whose end is pulled sideways bends smoothly and keeps its cross-sections") {
    const GridBar bar(5);
    std::vector<HandleGoal> goals(5);
    goals[0] = {Vec3(Vec3::Zero()), Quat::Identity()};
    goals[4].move = Vec3(-0.3, 1.2, 0);
    const RigPose pose = bar.pose(goals);  // the others follow
    const double rest = 0.16;
    for (int x = 0; x < GridBar::kLong; ++x) {
        CHECK(std::abs(bar.area(pose, x) / rest - 1.0) < 0.05);
    }
    // Handles between the ends lie between them, each turned further than the one before.
    double last = -1e-6;
    for (std::size_t b = 0; b < 5; ++b) {
        const double angle = pose.moves[b].rotation.angularDistance(Quat::Identity());
        CHECK(angle >= last - 0.05);
        last = angle;
        if (b > 0) CHECK(pose.moves[b].translation.y() > pose.moves[b - 1].translation.y());
    }
    CHECK(last > 0.3);
}

TEST_CASE("all goals given are given back, and none leave the body at rest") {
    const GridBar bar(3);
    std::vector<HandleGoal> goals(3);
    for (const RigPose& still : {bar.pose(goals)}) {
        for (const Transform& move : still.moves) {
            CHECK(move.translation.norm() < 1e-9);
            CHECK(move.rotation.angularDistance(Quat::Identity()) < 1e-9);
        }
    }
    for (std::size_t b = 0; b < 3; ++b) {
        goals[b] = {Vec3(0.1 * double(b), 0, 0), turn_about(Vec3::UnitX(), 10.0 * double(b))};
    }
    const RigPose pose = bar.pose(goals);
    for (std::size_t b = 0; b < 3; ++b) {
        CHECK(pose.moves[b].translation == *goals[b].move);
        CHECK(pose.moves[b].rotation.coeffs() == goals[b].turn->coeffs());
    }
}

TEST_CASE("goals that are no numbers, or not one per handle, are refused") {
    const GridBar bar(3);
    std::vector<HandleGoal> goals(2);
    CHECK(!automatic_rotations({bar.points, bar.graph, bar.weights}, bar.handles, goals).ok());
    goals.resize(3);
    goals[1].move = Vec3(std::nan(""), 0, 0);
    const auto refused =
        automatic_rotations({bar.points, bar.graph, bar.weights}, bar.handles, goals);
    REQUIRE(!refused.ok());
    CHECK(refused.error().where == "handle h2");
    goals[1] = {Vec3(0, 0, 0), Quat(2, 0, 0, 0)};
    CHECK(!automatic_rotations({bar.points, bar.graph, bar.weights}, bar.handles, goals).ok());
}
