// SPDX-License-Identifier: MIT
#include "progress_bar.h"

#include "print.h"
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace ductile::cli {

std::string time_text(double seconds) {
    const int s = static_cast<int>(seconds + 0.5);
    return s < 60 ? fmt::format("{} s", s) : fmt::format("{}:{:02} min", s / 60, s % 60);
}

ProgressBar::ProgressBar(bool is_quiet, bool is_for_terminals)
    : is_quiet_(is_quiet), is_terminal_(::isatty(STDERR_FILENO) == 1) {
    if (is_for_terminals && !is_terminal_) is_quiet_ = true;
}

void ProgressBar::show(std::string_view stage, double share) {
    if (is_quiet_) return;
    const Clock::time_point now = Clock::now();
    if (stage != stage_) {
        finish_stage();
        stage_ = stage;
        began_ = drawn_ = now;
    } else if (share < 1.0 && now - drawn_ < std::chrono::milliseconds(100)) {
        return;
    }
    drawn_ = now;
    if (!is_terminal_) return;
    const double elapsed = std::chrono::duration<double>(now - began_).count();
    const int width = 32;
    const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * width);
    std::string left;
    if (share > 0.02 && share < 1.0) left = time_text(elapsed * (1.0 - share) / share) + " left";
    print_err("\r\033[K{:<10} [{:=<{}}{:<{}}] {:3.0f} %  {}", stage_, "", full, "", width - full,
              100.0 * share, left);
    std::fflush(stderr);
}

void ProgressBar::finish_stage() {
    if (is_quiet_ || stage_.empty()) return;
    const double elapsed = std::chrono::duration<double>(Clock::now() - began_).count();
    print_err("{}{:<10} {}\n", is_terminal_ ? "\r\033[K" : "", stage_, time_text(elapsed));
    std::fflush(stderr);
    stage_.clear();
}

}  // namespace ductile::cli
