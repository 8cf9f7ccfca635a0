// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/result.h>
#include <ductile/core/stop.h>

#include <filesystem>
#include <functional>

namespace ductile::cli {

/// From now on Ctrl-C, a closed terminal or a polite kill asks the work to stop where it can be
/// left cleanly. Work that has not noticed within a second is cut off: its unfinished files are
/// removed (`clean_when_cut_off`), and the command ends. A second signal ends it at once.
void catch_interrupts();

/// The signal that asked to stop, 0 if none did. Whoever asks and gets one is about to end the work
/// and is not cut off any more.
int interrupt_signal();

/// Set by such a signal: for jobs of the library.
const StopFlag* stop_flag();

/// Names a folder in which files of this process may lie unfinished.
void clean_when_cut_off(const std::filesystem::path& folder);

/// From now on `is_stale` is asked as well whether the work is still wanted; an empty one ends
/// that.
void stop_when(std::function<bool()> is_stale);

/// Whether that was so.
bool is_stale();

/// What the command should exit with after an error: as shells have it, 128 and the signal if one
/// ended the work, else `otherwise`.
int exit_code_after(int otherwise);

/// What to print of an error: once somebody asked to stop, only that the work was stopped.
Error error_to_print(const Error& error);

/// An error once somebody asked to stop, or the work is not wanted any more.
Status go_on();

}  // namespace ductile::cli
