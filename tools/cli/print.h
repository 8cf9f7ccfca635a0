// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace ductile::cli {

/// Writes text to standard output or error and lets no failure out: a closed terminal, a reader
/// that went away or a full disk never ends work. `close_output` tells what did not get through.
void write_text(std::FILE* stream, std::string_view text);

/// Results, to standard output.
template <class... Args>
void print_out(fmt::format_string<Args...> format, Args&&... args) {
    write_text(stdout, fmt::format(format, std::forward<Args>(args)...));
}

/// Everything else that is said to people, to standard error.
template <class... Args>
void print_err(fmt::format_string<Args...> format, Args&&... args) {
    write_text(stderr, fmt::format(format, std::forward<Args>(args)...));
}

/// "1 hit", "2 hits".
inline std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Called first of all. A reader that goes away raises no signal any more, and a standard stream
/// that was closed is opened onto nothing: else the first file that is opened would take its place
/// and get what is printed.
void open_streams();

/// Flushes standard output. Returns 0, or the system's number of what kept some of it from being
/// written; a reader that has read enough is no failure.
int close_output();

}  // namespace ductile::cli
