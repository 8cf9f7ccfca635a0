// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#ifdef DUCTILE_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* place);
extern "C" void __tsan_release(void* place);
#endif

namespace ductile {
namespace {

thread_local int serial_scopes = 0;

// TBB's library is not compiled with the thread sanitizer, which would take every handing over of
// work for a race: nor is this file (CMakeLists.txt), and tells it what comes before what.
class WorkOrder {
public:
#ifdef DUCTILE_THREAD_SANITIZER
    WorkOrder() { __tsan_release(&begun_); }
    ~WorkOrder() { __tsan_acquire(&done_); }
    void begin() { __tsan_acquire(&begun_); }
    void end() { __tsan_release(&done_); }

private:
    char begun_ = 0, done_ = 0;
#else
    void begin() {}
    void end() {}
#endif
};

}  // namespace

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t)>& body) {
    if (count <= grain || serial_scopes > 0) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
    WorkOrder order;
    const auto run = [&] {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain ? grain : 1),
                          [&](const tbb::blocked_range<std::size_t>& range) {
                              order.begin();
                              for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                              order.end();
                          });
    };
    // The caller's arena has as many places as the machine has cores. More threads than that are
    // only asked for to prove that their number does not matter; they get an arena of their own.
    const int allowed = static_cast<int>(
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
    if (allowed > tbb::this_task_arena::max_concurrency()) {
        tbb::task_arena(allowed).execute(run);
    } else {
        run();
    }
}

ThreadLimit::ThreadLimit(int threads) {
    if (threads > 0) {
        control_ = new tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                           static_cast<std::size_t>(threads));
    }
}

SerialScope::SerialScope() { ++serial_scopes; }
SerialScope::~SerialScope() { --serial_scopes; }

ThreadLimit::~ThreadLimit() { delete static_cast<tbb::global_control*>(control_); }

}  // namespace ductile
