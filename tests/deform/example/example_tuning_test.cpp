// SPDX-License-Identifier: MIT
#include <ductile/deform/example/example_step.h>
#include <ductile/deform/example/example_tuning.h>

#include <doctest/doctest.h>
#include <support/near.h>

#include <vector>

using namespace ductile;

TEST_CASE(
    "suggested options bring the hardest impact to a whole pose and leave most without effect") {
    const std::vector<double> speeds = {0.01, 0.3, 0.2, 0.4, 6.0, 0.25, 9.0, 0.5};
    const double time = 1.0 / 60.0;
    const ExampleTuning tuning = suggest_tuning(speeds, time);
    CHECK(tuning.impacts == 7);
    CHECK(tuning.hardest == 9.0);
    CHECK(tuning.yield_speed <= 0.2 * 9.0);
    CHECK(tuning.yield_speed >= 0.3);
    // One pose, and a place that it moves along the impact.
    ExampleWish wish;
    wish.move = Eigen::Vector3d(time * (tuning.hardest - tuning.yield_speed), 0, 0);
    wish.softness = tuning.softness;
    const Eigen::Matrix3Xd along = Eigen::Vector3d(0.3, 0, 0);
    CHECK(test::near(example_step(along, {}, wish)[0], 1.0));
}

TEST_CASE("a run without impacts suggests the usual options") {
    const ExampleTuning usual = suggest_tuning({}, 1.0 / 60.0);
    CHECK(usual.impacts == 0);
    CHECK(usual.softness == ExampleTuning{}.softness);
}
