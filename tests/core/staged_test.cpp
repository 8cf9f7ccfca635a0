// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/core/staged.h>

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

using namespace ductile;

TEST_CASE("every staged task runs once, after all of earlier stages, at any number of threads") {
    constexpr std::int32_t kStages = 200, kTasks = 3;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        std::vector<std::atomic<int>> ended(kStages);
        std::vector<int> calls(kStages * kTasks, 0);
        std::atomic<int> too_early = 0;
        run_staged(
            kStages * kTasks, [](std::int32_t t) { return t - t % kTasks; },
            [&](std::int32_t t) {
                const std::int32_t stage = t / kTasks;
                if (stage > 0 && ended[stage - 1] != kTasks) ++too_early;
                ++calls[t];
                ++ended[stage];
            });
        CHECK(too_early == 0);
        CHECK(calls == std::vector<int>(kStages * kTasks, 1));
    }
}

TEST_CASE("staged tasks run where parallel_for may not share out") {
    const SerialScope serial;
    int sum = 0;
    run_staged(
        10, [](std::int32_t t) { return t; }, [&](std::int32_t t) { sum = 2 * sum + t % 2; });
    CHECK(sum == 0b0101010101);
    run_staged(
        0, [](std::int32_t t) { return t; }, [&](std::int32_t) { sum = -1; });
    CHECK(sum == 0b0101010101);
}
