// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace ductile;

namespace {

// How many calls run at one time at most, if they wait this long in all for `wanted` to come.
int calls_at_once(int wanted, std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    std::atomic<int> inside = 0, most = 0;
    parallel_for(static_cast<std::size_t>(4 * wanted), 1, [&](std::size_t) {
        const int now = ++inside;
        int before = most.load();
        while (before < now && !most.compare_exchange_weak(before, now)) {
        }
        while (most < wanted && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        --inside;
    });
    return most;
}

constexpr std::chrono::milliseconds kLong{10000};  // never waited for where all is well
constexpr std::chrono::milliseconds kShort{50};

}  // namespace

TEST_CASE("every index is called exactly once") {
    for (const std::size_t count : {0, 1, 2, 7, 64, 1000}) {
        for (const std::size_t grain : {0, 1, 3, 100, 5000}) {
            std::vector<std::atomic<int>> calls(count);
            parallel_for(count, grain, [&](std::size_t i) { ++calls[i]; });
            for (const std::atomic<int>& n : calls) CHECK(n == 1);
        }
    }
}

TEST_CASE("a limit of one thread keeps all calls on the caller's") {
    const ThreadLimit limit(1);
    std::set<std::thread::id> threads;
    parallel_for(1000, 1, [&](std::size_t) { threads.insert(std::this_thread::get_id()); });
    CHECK(threads == std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST_CASE("a limit is reached and not passed, also beyond the number of cores") {
    for (const int threads : {2, 3, 8}) {
        const ThreadLimit limit(threads);
        CAPTURE(threads);
        CHECK(calls_at_once(threads, kLong) == threads);
    }
}

TEST_CASE("limits nest, and the outer one is back when the inner one ends") {
    const ThreadLimit outer(3);
    {
        const ThreadLimit inner(1);
        CHECK(calls_at_once(3, kShort) == 1);
    }
    CHECK(calls_at_once(3, kLong) == 3);
}

TEST_CASE("calls may call again") {
    std::vector<int> sums(50, 0);
    parallel_for(50, 1, [&](std::size_t i) {
        std::vector<int> parts(100, 0);
        parallel_for(100, 1, [&](std::size_t j) { parts[j] = static_cast<int>(i + j); });
        for (const int p : parts) sums[i] += p;
    });
    for (int i = 0; i < 50; ++i) CHECK(sums[i] == 100 * i + 4950);
}

TEST_CASE("a serial scope keeps all calls of its thread there, and ends") {
    std::set<std::thread::id> threads;
    {
        const SerialScope serial;
        parallel_for(1000, 1, [&](std::size_t) { threads.insert(std::this_thread::get_id()); });
    }
    CHECK(threads == std::set<std::thread::id>{std::this_thread::get_id()});
    const ThreadLimit two(2);
    CHECK(calls_at_once(2, kLong) == 2);
}
