// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>

namespace ductile::cli {

/// From now on Ctrl-C, a closed terminal or a polite kill asks the work to stop where it can be
/// left cleanly; a second signal ends the command at once.
void catch_interrupts();

/// The signal that asked to stop, 0 if none did.
int interrupt_signal();

/// An error once somebody asked to stop.
Status go_on();

}  // namespace ductile::cli
