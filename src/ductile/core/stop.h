// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <atomic>

namespace ductile {

/// Asks long jobs to end early.
///
/// Whoever may want that keeps one and gives jobs a pointer to it. A job looks at it where it can
/// leave nothing half done, several times a second, and then ends with `stopped_error`. Setting it
/// is safe from any thread and from a signal handler; looking costs next to nothing.
class StopFlag {
public:
    void set() { is_set_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return is_set_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> is_set_ = false;
    static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");
};

/// Whether there is a flag and it was set.
inline bool is_stopped(const StopFlag* stop) { return stop && stop->is_set(); }

/// What a job ends with that was asked to.
inline Error stopped_error() { return {"stopped before it was done", "", ""}; }

}  // namespace ductile
