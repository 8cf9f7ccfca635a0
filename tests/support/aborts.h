// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace ductile::test {

/// What `action` says on stderr before it ends the process by abort(), tried in a child; nothing if
/// it does not end so.
template <class Action>
std::optional<std::string> abort_message(Action&& action) {
    std::fflush(nullptr);
    int ends[2] = {};
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);  // the test runner's own handler would print a report
        ::dup2(ends[1], STDERR_FILENO);
        action();
        std::_Exit(0);
    }
    ::close(ends[1]);
    std::string message;
    char part[512];
    for (ssize_t count = 0; (count = ::read(ends[0], part, sizeof(part))) > 0;) {
        message.append(part, static_cast<std::size_t>(count));
    }
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) return {};
    return message;
}

/// Whether `action` ends the process by abort().
template <class Action>
bool aborts(Action&& action) {
    return abort_message(action).has_value();
}

}  // namespace ductile::test
