// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

namespace ductile {

/// Calls task(t) once for every t in [0, count), on two threads where there are two. Tasks come in
/// stages: `stage_begin(t)` is the first task of t's stage, and none starts before all of earlier
/// stages have ended. For many stages of microseconds each: a thread that has to wait does not
/// sleep, and one that never comes is not waited for.
///
/// Tasks of one stage must not write to the same place; then the result does not depend on the
/// number of threads.
void run_staged(std::int32_t count, const std::function<std::int32_t(std::int32_t)>& stage_begin,
                const std::function<void(std::int32_t)>& task);

}  // namespace ductile
