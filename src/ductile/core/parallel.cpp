// SPDX-License-Identifier: MIT
#include <ductile/core/parallel.h>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

namespace ductile {

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t)>& body) {
    if (count <= grain) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain ? grain : 1),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                          for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                      });
}

ThreadLimit::ThreadLimit(int threads) {
    if (threads > 0) {
        control_ = new tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                           static_cast<std::size_t>(threads));
    }
}

ThreadLimit::~ThreadLimit() { delete static_cast<tbb::global_control*>(control_); }

}  // namespace ductile
