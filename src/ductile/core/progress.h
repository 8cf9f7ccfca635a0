// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <functional>
#include <string_view>

namespace ductile {

/// Told now and then how far a long job is: the stage's name and the share done, in [0, 1].
/// May be empty. Always called from the thread that started the job.
using Progress = std::function<void(std::string_view stage, double share)>;

/// The same for a job that can be stopped in between: it goes on only while the answer is good, and
/// otherwise ends with that error, leaving nothing half done. May be empty.
using Checkpoint = std::function<Status(double share)>;

}  // namespace ductile
