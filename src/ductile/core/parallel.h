// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/language.h>

#include <cstddef>
#include <functional>

namespace ductile {

/// Calls body(i) once for every i in [0, count), on several threads where that pays.
///
/// `grain` is how many calls one task makes at least. Calls for different i must not write to
/// the same place; then the result does not depend on the number of threads.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t)>& body);

/// Sets the number of threads that parallel_for uses while it lives, also to more than there are
/// cores; of several at one time the lowest counts. 0 means all cores.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    void* control_ = nullptr;
};

/// While it lives, parallel_for on this thread calls its bodies here, one after the other: for a
/// body that is itself one of many and whose own loops are too small to share out.
class SerialScope {
public:
    SerialScope();
    ~SerialScope();
    SerialScope(const SerialScope&) = delete;
    SerialScope& operator=(const SerialScope&) = delete;
};

}  // namespace ductile
