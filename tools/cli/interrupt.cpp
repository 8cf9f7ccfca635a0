// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include <csignal>
#include <utility>

namespace ductile::cli {
namespace {

volatile std::sig_atomic_t caught = 0;

std::function<bool()> stale_check;

extern "C" void remember_signal(int signal) { caught = signal; }

}  // namespace

void catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = remember_signal;
    // The second one takes its usual course: nobody has to wait for a slow picture.
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction old = {};
        // Under nohup a hang-up is ignored, and a background job's Ctrl-C is not meant for it.
        if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        sigaction(signal, &action, nullptr);
    }
}

int interrupt_signal() { return caught; }

void stop_when(std::function<bool()> is_stale) { stale_check = std::move(is_stale); }

Status go_on() {
    if (caught == 0 && stale_check && stale_check()) {
        return Error{"the scene has changed; what was not finished is removed", "", ""};
    }
    if (caught == 0) return {};
    return Error{"stopped; what was not finished is removed", "", ""};
}

}  // namespace ductile::cli
