// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include "out_folder.h"
#include "print.h"
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ductile::cli {
namespace {

// People take a second without an answer for a command that hangs.
constexpr std::chrono::milliseconds kPatience{800};
constexpr const char* kStopped = "stopped; what was not finished is removed";

volatile std::sig_atomic_t caught = 0;
StopFlag stop;
std::atomic<bool> is_answered = false;
sem_t has_caught;

std::function<bool()> stale_check;

std::mutex folders_mutex;
// Never destroyed: the watching thread may still look at it while the process ends.
std::vector<std::filesystem::path>& folders = *new std::vector<std::filesystem::path>;

extern "C" void remember_signal(int signal) {
    caught = signal;
    stop.set();
    ::sem_post(&has_caught);
}

[[noreturn]] void cut_off() {
    const std::lock_guard lock(folders_mutex);
    for (const std::filesystem::path& folder : folders) remove_unfinished(folder);
    print_err("{}error: {}\n", ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "", kStopped);
    std::fflush(stderr);
    ::_exit(128 + caught);
}

void watch_patience() {
    while (::sem_wait(&has_caught) != 0 && errno == EINTR) {
    }
    std::this_thread::sleep_for(kPatience);
    if (!is_answered) cut_off();
}

// Once a process.
void start_watching() {
    static const bool is_started = [] {
        ::sem_init(&has_caught, 0, 0);
        // Signals are for the other threads: this one only waits.
        sigset_t all, before;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
        std::thread(watch_patience).detach();
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return true;
    }();
    static_cast<void>(is_started);
}

}  // namespace

void catch_interrupts() {
    start_watching();
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

int interrupt_signal() {
    if (caught != 0) is_answered = true;
    return caught;
}

const StopFlag* stop_flag() { return &stop; }

void clean_when_cut_off(const std::filesystem::path& folder) {
    const std::lock_guard lock(folders_mutex);
    folders.push_back(folder);
}

void stop_when(std::function<bool()> is_stale) { stale_check = std::move(is_stale); }

bool is_stale() { return caught == 0 && stale_check && stale_check(); }

int exit_code_after(int otherwise) {
    return interrupt_signal() != 0 ? 128 + interrupt_signal() : otherwise;
}

Error error_to_print(const Error& error) {
    return interrupt_signal() != 0 ? Error{kStopped, "", ""} : error;
}

Status go_on() {
    if (is_stale()) {
        return Error{"the scene has changed; what was not finished is removed", "", ""};
    }
    if (interrupt_signal() == 0) return {};
    return Error{kStopped, "", ""};
}

}  // namespace ductile::cli
