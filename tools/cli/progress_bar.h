// SPDX-License-Identifier: MIT
#pragma once

#include <ductile/core/progress.h>

#include <chrono>
#include <string>
#include <string_view>

namespace ductile::cli {

/// Shows how far a job is and how long it will take: a bar that redraws itself on a terminal, one
/// line per finished stage elsewhere. Writes to standard error.
class ProgressBar {
public:
    /// `is_for_terminals`: elsewhere nothing is written, as for jobs that are mostly done at once.
    explicit ProgressBar(bool is_quiet, bool is_for_terminals = false);
    ~ProgressBar() { finish_stage(); }

    void show(std::string_view stage, double share);
    /// Ends the current stage's line.
    void finish_stage();

    Progress callback() {
        return [this](std::string_view stage, double share) { show(stage, share); };
    }

private:
    using Clock = std::chrono::steady_clock;
    bool is_quiet_;
    bool is_terminal_;
    std::string stage_;
    Clock::time_point began_, drawn_;
};

/// "1:05" or "12 s".
std::string time_text(double seconds);

}  // namespace ductile::cli
