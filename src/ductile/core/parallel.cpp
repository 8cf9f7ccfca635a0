// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace ductile {
namespace {

thread_local int serial_scopes = 0;

}  // namespace

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t)>& body) {
    if (count <= grain || serial_scopes > 0) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
    const auto run = [&] {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain ? grain : 1),
                          [&](const tbb::blocked_range<std::size_t>& range) {
                              for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
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
