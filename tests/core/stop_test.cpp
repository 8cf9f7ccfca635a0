// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/core/stop.h>

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>

using namespace ductile;

namespace {

StopFlag by_signal;

}  // namespace

TEST_CASE("no flag never stops, and one that is set stays set for all who look") {
    CHECK_FALSE(is_stopped(nullptr));
    StopFlag stop;
    CHECK_FALSE(is_stopped(&stop));
    stop.set();
    stop.set();
    std::atomic<int> seen = 0;
    parallel_for(100, 1, [&](std::size_t) { seen += is_stopped(&stop) ? 1 : 0; });
    CHECK(seen == 100);
    CHECK_FALSE(stopped_error().what.empty());
}

TEST_CASE("a signal handler may set a flag") {
    const auto before = std::signal(SIGUSR1, [](int) { by_signal.set(); });
    CHECK_FALSE(by_signal.is_set());
    std::raise(SIGUSR1);
    std::signal(SIGUSR1, before);
    CHECK(by_signal.is_set());
}
