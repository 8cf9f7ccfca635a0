// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

#include <functional>

namespace ductile::cli {

/// From now on Ctrl-C, a closed terminal or a polite kill asks the work to stop where it can be
/// left cleanly; a second signal ends the command at once.
void catch_interrupts();

/// The signal that asked to stop, 0 if none did.
int interrupt_signal();

/// From now on `is_stale` is asked as well whether the work is still wanted; an empty one ends
/// that.
void stop_when(std::function<bool()> is_stale);

/// An error once somebody asked to stop, or the work is not wanted any more.
Status go_on();

}  // namespace ductile::cli
