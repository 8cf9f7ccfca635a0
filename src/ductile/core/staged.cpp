// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>
#include <ductile/core/staged.h>

#include <atomic>
#include <thread>

namespace ductile {
namespace {

// Looks at a counter before the processor is offered to others: some microseconds.
constexpr int kLooks = 2000;
constexpr std::size_t kCacheLine = 64;

}  // namespace

void run_staged(std::int32_t count, const std::function<std::int32_t(std::int32_t)>& stage_begin,
                const std::function<void(std::int32_t)>& task) {
    alignas(kCacheLine) std::atomic<std::int32_t> claimed{0};
    alignas(kCacheLine) std::atomic<std::int32_t> ended{0};
    // Only tasks that somebody runs already are waited for: one thread alone never waits.
    const auto work = [&](std::size_t) {
        int looks = 0;
        for (;;) {
            std::int32_t t = claimed.load(std::memory_order_relaxed);
            if (t >= count) return;
            if (ended.load(std::memory_order_acquire) < stage_begin(t)) {
                if (++looks % kLooks == 0) std::this_thread::yield();
                continue;
            }
            if (!claimed.compare_exchange_strong(t, t + 1, std::memory_order_relaxed)) continue;
            task(t);
            ended.fetch_add(1, std::memory_order_release);
        }
    };
    parallel_for(2, 1, work);
}

}  // namespace ductile
