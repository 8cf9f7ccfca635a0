// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

namespace ductile {

/// Told now and then how far a long job is: the stage's name and the share done, in [0, 1].
/// May be empty. Always called from the thread that started the job.
using Progress = std::function<void(std::string_view stage, double share)>;

}  // namespace ductile
